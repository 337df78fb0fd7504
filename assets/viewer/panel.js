// ---------------------------------------------------------------- numbers, and the panel of the selected node
import { getJson } from "./data.js";
import { layersOf, levelOf, nodeAt, returnedTokens, tokensIn, totalsFor, touches } from "./nodes.js";
import { codePoint } from "./places.js";
import { pathAt } from "./text.js";
import { button, make, number, partAt, plural, put, rich, shortened, squeezed, toClipboard, upper } from "./tools.js";

const LIVE_DELAY = 300, ABOUT_DELAY = 150, LISTED = 6;

export function showNumbers(view) {
  const { ui, nodes, text, selected, window: k, scene } = view;
  if (!view.dragging) ui.slider.value = k;
  const amount = `±${k} sentence${k === 1 ? "" : "s"}`;
  ui.slider.setAttribute("aria-valuetext", amount);
  put(ui.k, ui.sliderBox.hidden ? `window ${amount}` : amount);
  ui.previous.disabled = !scene || selected === 0;
  ui.next.disabled = !scene || selected === nodes.count - 1;
  const title = scene ? `node ${number(selected + 1)} of ${number(nodes.count)}` : nodes ? "no nodes" : "…";
  for (const el of [ui.title, ui.place]) put(el, title);
  showTotals(view);
  showLegend(view);
  ui.root.querySelector(".panel").classList.toggle("empty", !scene);
  if (!scene) {
    for (const el of [ui.embedded, ui.returned, ui.share, ui.where, ui.embeddedText, ui.returnedText, ui.neighbours, ui.about, ui.near]) put(el, "");
    return;
  }
  showNode(view, scene);
  showShared(view, scene);
  showWhy(view, scene);
  showPins(view);
  showParts(view);
  clearTimeout(view.liveTimer);
  view.liveTimer = setTimeout(() => put(ui.live, spoken(view, title)), LIVE_DELAY);
}

function showNode({ ui, nodes, text, tokens, layers, selected, window: k }, { node, win }) {
  const count = tokens?.nodes[selected], where = whereOf(text, node);
  rich(ui.embedded, ["b", tokens ? number(count) : "…"], ` token${count === 1 ? "" : "s"} `, ["small", tokens ? `(${tokens.tokenizer})` : ""]);
  rich(ui.returned, ["b", tokens ? number(returnedTokens({ text, nodes, tokens }, selected, k)) : "…"], ` tokens ±${k}`);
  rich(ui.where, ...(where.headings.length ? [["bdi", where.headings.join(" › ")], " · "] : []), [where.kind, where.page && `page ${number(where.page)}`, `characters ${spanOf(text, node)}`, sentencesOf(node), selected === 0 && "is first", selected === nodes.count - 1 && "is last"].filter(Boolean).join(" · "));
  ui.flag.hidden = !(count > tokens?.truncates_at);
  const lost = ui.flag.hidden ? undefined : layers.lost.find(([, , , j]) => j === selected);
  if (!ui.flag.hidden) rich(ui.flag, `Longer than the model reads: ${number(count)} tokens of ${number(tokens.truncates_at)} at most. `, ...(lost ? [`Not embedded: the last ${plural(codePoint(text, lost[1]) - codePoint(text, lost[0]), "character")}, from “`, ["bdi", shortened(squeezed(text.text.slice(lost[0], Math.min(lost[1], lost[0] + 200))), 60)], "”."] : ["Its end is not embedded."]));
  ui.tinyNote.hidden = !tokens?.tiny.includes(selected);
  ui.cutNote.hidden = !nodes.torn.includes(selected);
  const sides = [nodes.tornStarts.has(node.start) && "begins", nodes.tornEnds.has(node.end) && "ends"].filter(Boolean).join(" and ");
  put(ui.cutNote, `This node ${sides} in mid-sentence${text.hard.has(node.last) ? ": the text goes on without an end, and no model reads so much" : ""}.`);
  const other = nodes.embedded[selected], before = text.prefixes?.[win.first], line = nodes.contexts[nodes.context[selected]];
  rich(ui.embeddedText, ...(line ? [["bdi", line, { context: "" }], "\n"] : []), ...(other === undefined ? readAndLost(text, node, lost) : [["bdi", other]]));
  rich(ui.returnedText, ...(before && win.start === text.starts[win.first] ? [["em", before]] : []), ...isolated(text, win.start, win.end));
}

function whereOf(text, { start }) {
  const block = text.blocks[partAt(text.blocks, start)];
  return { kind: block?.kind ?? "text", page: block?.page ?? 0, headings: pathAt(text, start).filter((h) => h.start !== start).map((h) => h.title) };
}

const spanOf = (text, { start, end }) => `${number(codePoint(text, start))}–${number(codePoint(text, end))}`;
const sentencesOf = ({ first, last }) => first === last ? `sentence ${number(first + 1)}` : `sentences ${number(first + 1)} to ${number(last + 1)}`;

/** The text of [start, end), each sentence isolated: an open bidi control stays inside it, and the order of all is the text's. */
function isolated(text, start, end) {
  const parts = [];
  let at = start;
  for (let i = upper(text.ends, start); i < text.n && text.starts[i] < end; i++) {
    const from = Math.max(at, text.starts[i]), to = Math.min(end, text.ends[i]);
    parts.push(text.text.slice(at, from), ["span", text.text.slice(from, to)]);
    at = to;
  }
  return [...parts, text.text.slice(at, end)];
}

/** The embedded text, with the part that the model does not read marked. */
function readAndLost(text, { from, to }, lost) {
  if (!lost) return isolated(text, from, to);
  return [...isolated(text, from, lost[0]), ...isolated(text, lost[0], to).map((part) => ["span", Array.isArray(part) ? part[1] : part, { lost: "" }])];
}

function showShared({ ui, text, tokens, selected }, { sharing, twice }) {
  const shared = layersOf(sharing).reduce((sum, { start, end }) => sum + touches(text, start, end), 0);
  const links = (found) => nodeLinks(found.map(({ j }) => j), selected);
  rich(ui.share, ...(sharing.length ? [`Returned twice: shares ${plural(shared, "sentence")} with `, ...links(sharing)] : ["Returned once: shares nothing with other nodes."]));
  ui.twice.hidden = !twice.length;
  ui.twice.replaceChildren("Embedded twice: ", ...nearest(twice.map(({ j }) => j), selected).sort((a, b) => a - b).map((j, at, shown) => {
    const { a, b } = twice.find((found) => found.j === j), row = make("span"), more = at === shown.length - 1 ? twice.length - shown.length : 0;
    rich(row, "shares ", ["b", overlapTold({ text, tokens }, a, b)], " with node ", ["button", number(j + 1), { node: j }], more ? ` … and with ${number(more)} more` : "");
    row.title = `characters ${spanOf(text, { start: a, end: b })}`;
    return row;
  }));
  put(ui.neighbours, "");
}

/** What can be asked about the node: of a hit, why it is in the answer. */
function showWhy({ ui, data }, { node }) {
  const hit = data.hits?.some((each) => each.filtered && each.ordinal_sentence_first === node.first && each.ordinal_sentence_last === node.last);
  put(ui.root.querySelector("[data-why]"), hit ? "Why is it in the answer?" : "Why is it not in the answer?");
}

/** The tokens of a part that two nodes share; where it is cut in mid-sentence, in proportion to the sentence's characters. */
function overlapTold({ text, tokens }, a, b) {
  if (!tokens) return "… tokens";
  const { count, exact } = tokensIn({ text, tokens }, a, b), rounded = Math.max(1, Math.round(count));
  return `${exact ? "" : "≈ "}${plural(rounded, "token")}`;
}

function nodeLinks(ordinals, selected) {
  const near = nearest(ordinals, selected).sort((a, b) => a - b), parts = [ordinals.length === 1 ? "node " : "nodes "];
  for (const j of near) parts.push(["button", number(j + 1), { node: j }], " ");
  if (ordinals.length > near.length) parts.push(`… and ${number(ordinals.length - near.length)} more`);
  return parts;
}

const nearest = (ordinals, selected) => [...ordinals].sort((a, b) => Math.abs(a - selected) - Math.abs(b - selected)).slice(0, LISTED);

/** The nodes kept beside the selected one, each with a way to it and a way to let it go. */
function showPins({ ui, pinned, nodes, text }) {
  ui.pins.hidden = !pinned.length;
  ui.pins.replaceChildren("Pinned ", ...[...pinned].sort((a, b) => a - b).map((j) => {
    const { start, end } = nodeAt(nodes, j), chip = make("span", "chip");
    const go = button(number(j + 1), { node: j }, `node ${number(j + 1)}`);
    go.title = shortened(squeezed(text.text.slice(start, Math.min(end, start + 300))), 160);
    chip.append(go, button("×", { unpin: j }, `let node ${number(j + 1)} go`));
    return chip;
  }));
}

function showTotals(view) {
  const { ui, nodes, tokens, text, window: k } = view;
  if (!nodes) return put(ui.totals, "");
  const flags = [nodes.torn.length ? ["button", `${number(nodes.torn.length)} cut in mid-sentence`, { flag: "torn" }] : "0 cut"];
  if (view.errors.tokens) return rich(ui.totals, `${plural(nodes.count, "node")} · tokens could not be counted: ${view.errors.tokens} · `, ...flags);
  if (!tokens) return rich(ui.totals, `${plural(nodes.count, "node")} · counting tokens … · `, ...flags);
  const totals = totalsFor(view, k), { flagged } = tokens;
  rich(
    ui.totals, `${plural(nodes.count, "node")} · ${plural(text.n, "sentence")} · ${plural(totals.embedded, "token")} embedded · ${number(totals.window, 1)} per window · ${number(totals.redundancy, 1)}× redundancy · `,
    flagged.length ? ["button", `${number(flagged.length)} truncated`, { flag: "lost" }] : "0 truncated", " · ",
    tokens.tiny.length ? ["button", `${number(tokens.tiny.length)} tiny`, { flag: "tiny" }] : "0 tiny", " · ", ...flags,
  );
}

function showLegend({ ui, marks, scene, nodes, tokens, layers, pinned, selected }) {
  ui.legendEmbedded.hidden = !marks.some((mark) => mark[2] === "e");
  const named = (found) => found.length > 1 ? `${found[0]}–${found.at(-1)}` : `${found[0]}`;
  const signs = (name, found) => [...found].flatMap(([level, counts]) => [make("i", `${name === "x" ? "x " : ""}${name}${level}`), make("span", "", named(counts))]);
  ui.legendTwice.hidden = !scene?.twice.length;
  ui.legendTwice.replaceChildren("node overlap with", ...signs("x", byLevels(scene?.doubled ?? [])), "other nodes");
  ui.legendLost.hidden = !layers.lost.length;
  ui.legendTiny.hidden = !tokens?.tiny.length;
  ui.legendCut.hidden = !nodes?.torn.length;
  ui.legendShared.hidden = !scene?.layers.length;
  const among = pinned.some((j) => j !== selected) ? "other pinned windows" : "other windows";
  ui.legendShared.replaceChildren("also in", ...signs("o", byLevels(scene?.layers ?? [])), among);
}

/** How many lie over each other, by the density that shows it. */
function byLevels(layers) {
  const found = new Map();
  for (const count of [...new Set(layers.map((layer) => layer.count))].sort((a, b) => a - b)) found.set(levelOf(count), [...(found.get(levelOf(count)) ?? []), count]);
  return found;
}

function spoken({ tokens, nodes, text, selected, window: k, scene, pinned }, title) {
  const { node, win, sharing } = scene, where = whereOf(text, node);
  const twice = scene.twice.length && tokens && scene.twice.map(({ j, a, b }) => `${overlapTold({ text, tokens }, a, b).replace("≈", "about")} with node ${number(j + 1)}`).slice(0, 4).join(" and ");
  return [
    `N${title.slice(1)}`, tokens && `embedded ${plural(tokens.nodes[selected], "token")}`,
    tokens && `returned ${plural(returnedTokens({ text, nodes, tokens }, selected, k), "token")} in ${sentencesOf(win)}`,
    `shares text with ${plural(sharing.length, "node")}`, twice && `embedded twice ${twice}`, where.headings.length && `section ${where.headings.at(-1)}`, where.page && `page ${number(where.page)}`,
    pinned.length && `${number(pinned.length)} pinned`, tokens && tokens.nodes[selected] > tokens.truncates_at && "longer than the model reads", nodes.torn.includes(selected) && "cut in mid-sentence", tokens?.tiny.includes(selected) && "tiny",
  ].filter(Boolean).join(", ") + `: ${shortened(squeezed(text.text.slice(node.start, Math.min(node.end, node.start + 400))), 160)}`;
}

// ---------------------------------------------------------------- what is folded away until it is opened
const isOpen = (view, name) => view.root.querySelector(`details[data-part="${name}"]`).open;

/** Fill the parts that are open: neighbours from what is here, the others from the server once the hand has come to rest. */
export function showParts(view) {
  if (!view.scene) return;
  if (isOpen(view, "neighbours") && !view.ui.neighbours.childElementCount) showNeighbours(view, view.scene);
  const wanted = ["about", "near"].filter((name) => isOpen(view, name)), key = [view.selected, view.data.about_url, view.data.near_url, ...wanted].join();
  if (view.aboutShown === key) return;
  view.aboutShown = key;
  clearTimeout(view.aboutTimer);
  view.aboutTimer = setTimeout(() => wanted.forEach((name) => showFetched(view, name)), ABOUT_DELAY);
}

function showNeighbours({ ui, selected, text, nodes, tokens }, { sharing, twice }) {
  const doubled = new Map(twice.map(({ j, a, b }) => [j, ` · ${overlapTold({ text, tokens }, a, b)} embedded twice, characters ${spanOf(text, { start: a, end: b })}`]));
  const shares = new Map(sharing.map((found) => [found.j, found]));
  const beside = [...new Set([...nearest([...shares.keys()], selected), selected - 1, selected + 1])].filter((j) => j >= 0 && j < nodes.count).sort((a, b) => a - b);
  ui.neighbours.replaceChildren(...beside.map((j) => {
    const found = shares.get(j), { start, end } = nodeAt(nodes, j), row = make("div", "row");
    row.append(button(number(j + 1), { node: j }, `node ${number(j + 1)}`), make("small", "", found ? `shares ${plural(touches(text, found.start, found.end), "sentence")}${doubled.get(j) ?? ""}` : "shares nothing"));
    row.append(make("bdi", "", shortened(squeezed(text.text.slice(...(found ? [found.start, Math.min(found.end, found.start + 400)] : [start, Math.min(end, start + 400)]))), 180)));
    row.classList.toggle("apart", !found);
    return row;
  }));
}

async function showFetched(view, name) {
  const { ui, data, selected } = view, address = data[`${name}_url`];
  if (!address) return put(ui[name], "No index holds these nodes yet: build it to see what is near.");
  const still = () => view.root.isConnected && view.selected === selected && view.data[`${name}_url`] === address;
  try {
    const found = await getJson(`${address}&node=${selected}`);
    if (still()) (name === "about" ? showAbout : showNear)(view, found);
  } catch (error) {
    if (still()) { put(ui[name], `It could not be loaded: ${error.message}.`); view.aboutShown = ""; }
  }
}

function showAbout({ ui, data }, { metadata, computed }) {
  const list = make("dl", "facts"), rows = [...Object.entries(metadata), ...Object.entries(computed).map(([name, value]) => [name.replaceAll("_", " "), value])];
  for (const [name, value] of rows) {
    const row = make("div"), [term, told] = [make("dt"), make("dd")];
    term.append(make("bdi", "", name));
    told.append(make("bdi", "", toldValue(value)));
    row.append(term, told);
    list.append(row);
  }
  const note = !data.near_url ? "No index holds these nodes yet: what is computed for each comes with the index." : rows.length ? "" : "Nothing is known about this document.";
  ui.about.replaceChildren(...(rows.length ? [list] : []), ...(note ? [make("p", "where", note)] : []));
}

const toldValue = (value) => Array.isArray(value) ? value.join(", ") : typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value);

function showNear({ ui, data }, found) {
  const here = (item) => data.near_url.includes(`/${item.doc_id}/`);
  ui.near.replaceChildren(...found.map((item) => {
    const row = make("div", "row"), place = [item.page && `p. ${number(item.page)}`, item.headings.at(-1)].filter(Boolean).join(" · ");
    const link = button(number(item.ordinal + 1), { node: item.ordinal, ...(here(item) ? {} : { doc: item.doc_id }) }, `node ${number(item.ordinal + 1)} of ${item.name}`);
    const head = make("small", "", `cosine ${number(item.score, 3)} · `);
    head.append(make("bdi", "", here(item) ? "this document" : item.name), ...(place ? [" · ", make("bdi", "", place)] : []));
    row.append(link, head, make("bdi", "", squeezed(item.text) + (item.more ? "…" : "")));
    return row;
  }));
  if (!found.length) put(ui.near, "There is no other node.");
}

// ---------------------------------------------------------------- copy as
function copied(view, form) {
  const { text, nodes, data, selected, window: k, tokens, scene: { node, win } } = view, where = whereOf(text, node);
  const slice = ({ start, end }) => text.text.slice(start, end), points = ({ start, end }) => ({ start: codePoint(text, start), end: codePoint(text, end) });
  if (form === "text") return slice(win);
  if (form === "citation") return [data.name, where.page && `p. ${where.page}`, where.headings.length && `§ ${where.headings.join(" › ")}`, `characters ${spanOf(text, node)}`].filter(Boolean).join(", ");
  return JSON.stringify({
    document: data.name, page: where.page || null, headings: where.headings, node: { ordinal: selected, of: nodes.count, ...points(node), text: slice(node), tokens: tokens?.nodes[selected] ?? null },
    embedded: { ...points({ start: node.from, end: node.to }), context: nodes.contexts[nodes.context[selected]] ?? "" }, window: { sentences_each_side: k, ...points(win), text: slice(win) },
  }, null, 2);
}

export async function copyAs(view, pressed) {
  if (!view.scene) return;
  const was = pressed.dataset.label ?? (pressed.dataset.label = pressed.textContent), said = copied(view, pressed.dataset.copy);
  const done = await toClipboard(said, view.root, pressed);
  put(pressed, done ? "Copied" : "Not allowed");
  put(view.ui.live, done ? `Copied as ${was}` : "The browser does not allow copying");
  setTimeout(() => put(pressed, was), 1500);
}
