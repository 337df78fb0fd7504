/* Chunkscope document viewer: a Streamlit components-v2 component. Plain JS, no build, no external requests.
 *
 * data in (each rerun, small): text_url, nodes_url, at (seconds), selected, window, window_max, seq, show_window_slider, height,
 *   hits [{ordinal_sentence_first, ordinal_sentence_last, rank, filtered}], gold [[start, end]].
 * text_url  → {text, sentences [s0,e0,…], hard [sentences], prefixes {sentence: text}, blocks [{kind,start,end,page}], tokens [per sentence],
 *   tokenizer, truncates_at}
 * nodes_url → {nodes [start,end,first,last,embedded_start,embedded_end,…], tokens [per node], embedded {ordinal: text},
 *             contexts [lines], context [line number per node, -1: none; empty: none at all], flagged [ordinals]}
 *   Each is fetched once per url and kept. All offsets are UTF-16 units; those shown to people are code points.
 * events out (after a user's action only): setStateValue("view", {selected, window, seq}). `seq` grows with each action;
 *   data.selected/window count only once data.seq has caught up, so that a late rerun never moves the user back.
 *
 * The document is built once: a block is a div, a sentence a span, text in between a text node; textContent is the text.
 * A "mark" is [start, end, class]. paint() derives all marks from (nodes, selected, window) and restyles only the sentences whose
 * pieces differ. Badges and brackets are empty elements (CSS content), so they add nothing to the text.
 */
const SIX = 6, KEY_DELAY = 150, KEPT = 8;
const views = new WeakMap();
const fetched = new Map();

export default function viewer({ data, parentElement, setStateValue }) {
  let view = views.get(parentElement);
  if (!view?.root.isConnected) {
    if (view) dispose(view);
    view = mount(parentElement);
    views.set(parentElement, view);
  }
  view.send = (value) => setStateValue("view", value);
  // Streamlit may draw a component once more with what an earlier run sent: only a later run counts.
  if (!(data.at < view.data?.at)) receive(view, data);
  // Streamlit also runs the cleanup of a superseded call: tear down only what has really left the page.
  return () => setTimeout(() => view.root.isConnected || dispose(view));
}

// ---------------------------------------------------------------- life
function mount(parent) {
  const ui = {};
  for (const el of parent.querySelectorAll("[data-ref]")) ui[el.dataset.ref] = el;
  const view = {
    root: ui.root, ui, data: null, text: null, nodes: null, shown: {}, loaded: {}, errors: {}, selected: -1, window: 0, want: null, seq: 0,
    marks: [], gold: [], touched: null, brackets: [], badges: [], preview: [], extras: "", timer: 0, dragging: false, clicked: -1, stop: new AbortController(),
  };
  listen(view);
  view.resize = new ResizeObserver(() => { placeBrackets(view); drawMap(view); if (view.unrevealed) reveal(view); });
  view.resize.observe(ui.scroll);
  return view;
}

function dispose(view) {
  view.stop.abort();
  view.resize.disconnect();
  for (const timer of [view.timer, view.liveTimer]) clearTimeout(timer);
  cancelAnimationFrame(view.frame);
}

function listen(view) {
  const { ui } = view;
  const on = (el, type, run) => el.addEventListener(type, run, { signal: view.stop.signal });
  on(ui.slider, "input", () => { view.dragging = true; setWindow(view, +ui.slider.value); });
  on(ui.slider, "change", () => { view.dragging = false; report(view, KEY_DELAY); });
  for (const type of ["pointerup", "pointercancel", "blur"]) on(ui.slider, type, () => setTimeout(() => release(view)));
  on(ui.previous, "click", () => step(view, view.selected - 1));
  on(ui.next, "click", () => step(view, view.selected + 1));
  on(ui.retry, "click", () => { for (const kind of Object.keys(view.errors)) load(view, kind); });
  on(ui.root, "keydown", (event) => onKey(view, event));
  on(ui.root, "click", (event) => onButton(view, event));
  on(ui.doc, "click", (event) => onSentence(view, event));
  on(ui.doc, "mouseover", (event) => preview(view, event.target.closest?.(".s")));
  on(ui.doc, "mouseleave", () => preview(view, null));
  on(ui.scroll, "scroll", () => drawMap(view));
  for (const type of ["pointerdown", "pointermove"]) on(ui.map, type, (event) => event.buttons & 1 && scrollToFraction(view, event));
}

// ---------------------------------------------------------------- data in
function receive(view, data) {
  const before = view.data ?? {};
  view.data = data;
  view.root.style.setProperty("--height", `${data.height ?? 640}px`);
  view.ui.slider.max = data.window_max ?? 10;
  view.ui.sliderBox.hidden = data.show_window_slider === false;
  const moved = data.text_url !== before.text_url || data.nodes_url !== before.nodes_url;
  if (moved) clearPending(view);
  const caughtUp = data.seq >= view.seq && !view.dragging;
  view.seq = Math.max(view.seq, data.seq ?? 0);
  if (moved || caughtUp) view.want = { selected: data.selected, window: data.window };
  for (const kind of ["text", "nodes"]) if (data[`${kind}_url`] !== before[`${kind}_url`]) load(view, kind);
  settle(view);
}

async function load(view, kind) {
  const url = view.data[`${kind}_url`];
  const current = () => view.data[`${kind}_url`] === url;
  delete view.errors[kind];
  try {
    if (!fetched.has(url)) fetched.set(url, getJson(url));
    const value = await fetched.get(url);
    for (const old of [...fetched.keys()].slice(0, Math.max(0, fetched.size - KEPT))) fetched.delete(old);
    if (current()) view.loaded[kind] = { url, value };
  } catch (error) {
    fetched.delete(url);
    if (current()) view.errors[kind] = error.message;
  }
  if (current() && view.root.isConnected) settle(view);
}

async function getJson(url) {
  const answer = await fetch(new URL(url, document.baseURI));
  if (!answer.ok) throw new Error(`the server answered ${answer.status} ${answer.statusText}`.trim());
  return answer.json();
}

/** Show what has arrived; until then the old picture stays. */
function settle(view) {
  const { data, loaded, shown } = view;
  if (loaded.text?.url === data.text_url && shown.text !== data.text_url) {
    shown.text = data.text_url;
    shown.nodes = view.nodes = view.touched = null;
    view.extras = "";
    buildText(view, loaded.text.value);
  }
  const ready = shown.text === data.text_url;
  if (ready && loaded.nodes?.url === data.nodes_url && shown.nodes !== data.nodes_url) {
    shown.nodes = data.nodes_url;
    view.nodes = readNodes(loaded.nodes.value);
  }
  showMessage(view);
  if (!ready) return;
  const remarked = setExtras(view);
  if (busy(view)) return void (remarked && paint(view));
  adopt(view);
}

const busy = (view) => view.shown.text !== view.data.text_url || view.shown.nodes !== view.data.nodes_url;

function adopt(view) {
  const want = view.want ?? { selected: view.selected, window: view.window };
  view.want = null;
  const was = view.selected, start = view.start;
  view.selected = clamp(want.selected ?? 0, 0, view.nodes.count - 1);
  view.window = clamp(want.window ?? 0, 0, +view.ui.slider.max);
  paint(view);
  if (was !== view.selected || start !== view.start) reveal(view);
}

function readNodes(value) {
  const rows = Int32Array.from(value.nodes);
  return { rows, count: rows.length / SIX, tokens: value.tokens, embedded: value.embedded ?? {}, contexts: value.contexts ?? [], context: value.context ?? [], flagged: new Set(value.flagged), totals: [] };
}

function showMessage(view) {
  const { ui, errors, text, data } = view;
  const failed = Object.keys(errors)[0];
  const waiting = !failed && view.shown.text !== data.text_url;
  const empty = !failed && !waiting && !text.text.trim();
  ui.message.hidden = !(failed || waiting || empty);
  ui.message.classList.toggle("waiting", waiting);
  ui.retry.hidden = !failed;
  const what = failed === "nodes" ? "nodes" : "text";
  put(ui.messageText, failed ? `The ${what} could not be loaded: ${errors[failed]}.` : waiting ? "Loading text…" : empty ? "This document has no text." : "");
}

// ---------------------------------------------------------------- the document, built once per text
function buildText(view, value) {
  const n = value.sentences.length / 2;
  const doc = { ...value, n, starts: new Int32Array(n), ends: new Int32Array(n), sums: new Float64Array(n + 1), astral: [], spans: new Array(n), gaps: new Array(n), blocks: [] };
  for (let i = 0; i < n; i++) {
    doc.starts[i] = value.sentences[2 * i];
    doc.ends[i] = value.sentences[2 * i + 1];
    doc.sums[i + 1] = doc.sums[i] + (value.tokens[i] ?? 0);
  }
  doc.hard = new Set(value.hard);
  for (const found of value.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) doc.astral.push(found.index);
  const page = document.createDocumentFragment();
  let at = 0, leaf = null;
  for (const block of wholeBlocks(doc, value.blocks)) {
    if (block.start > at) page.append(value.text.slice(at, block.start));
    const el = buildBlock(doc, block);
    if (block.page != null && block.page !== leaf) el.dataset.page = leaf = block.page;
    page.append(el);
    at = block.end;
  }
  page.append(value.text.slice(at));
  view.text = doc;
  view.ui.doc.classList.toggle("paged", leaf != null);
  view.ui.doc.replaceChildren(page);
  view.ui.scroll.scrollTop = 0;
}

/** The given blocks plus plain ones for text outside them; a sentence is never cut by a block's edge. */
function wholeBlocks(doc, given) {
  const blocks = [];
  let at = 0;
  const add = (kind, start, end, leaf) => {
    start = Math.max(start, at);
    const last = upper(doc.starts, end - 1) - 1;
    if (last >= 0 && doc.ends[last] > end) end = doc.ends[last];
    if (end > start) { blocks.push({ kind, start, end, page: leaf }); at = end; }
  };
  const between = (end) => { if (end > at && doc.text.slice(at, end).trim()) add("paragraph", at, end); };
  for (const block of given) { between(block.start); add(block.kind, block.start, block.end, block.page); }
  between(doc.text.length);
  return blocks;
}

function buildBlock(doc, block) {
  const el = document.createElement("div");
  el.className = `block ${block.kind}`;
  el.dir = "auto";
  const lines = doc.text.slice(block.start, block.end).split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 76)), 0);
  el.style.containIntrinsicSize = `auto ${lines * 27 + 14}px`;
  let at = block.start;
  for (let i = lower(doc.starts, block.start); i < doc.n && doc.starts[i] < block.end; i++) {
    if (doc.starts[i] > at) {
      const gap = document.createTextNode(doc.text.slice(at, doc.starts[i]));
      if (at > block.start) doc.gaps[i - 1] = gap;
      el.append(gap);
    }
    at = Math.max(at, doc.ends[i]);
    const span = document.createElement("span");
    span.className = base(doc, i);
    span.textContent = doc.text.slice(doc.starts[i], at);
    span.index = i;
    el.append((doc.spans[i] = span));
  }
  if (at < block.end) el.append(doc.text.slice(at, block.end));
  doc.blocks.push(Object.assign(block, { el }));
  return el;
}

/** A sentence that was cut where none ends says so. */
const base = (doc, i) => doc.hard.has(i) ? "s hard" : "s";

// ---------------------------------------------------------------- geometry of nodes and windows
function nodeAt({ rows }, j) {
  const [start, end, first, last, from, to] = rows.subarray(j * SIX, j * SIX + SIX);
  return { start, end, first, last, from, to };
}

function windowOf({ text }, node, k) {
  if (!k) return { first: node.first, last: node.last, start: node.start, end: node.end };
  const first = Math.max(0, node.first - k), last = Math.min(text.n - 1, node.last + k);
  return { first, last, start: text.starts[first], end: text.ends[last] };
}

/** Which other nodes are embedded with, or return, part of this one; and per sentence of the window how many others return it. */
function neighbours({ text, nodes: { rows, count }, selected, window: k }, node, win) {
  const counts = new Int32Array(win.last - win.first + 1), sharing = [], twice = [];
  for (let j = 0, r = 0; j < count; j++, r += SIX) {
    if (j === selected) continue;
    const a = Math.max(rows[r], node.start), b = Math.min(rows[r + 1], node.end);
    if (a < b) twice.push({ j, a, b });
    let lo = Math.max(rows[r + 2] - k, win.first), hi = Math.min(rows[r + 3] + k, win.last);
    if (!k) [lo, hi] = a < b ? [upper(text.ends, a), lower(text.starts, b) - 1] : [1, 0];
    if (lo > hi) continue;
    sharing.push(j);
    for (let i = Math.max(lo, win.first); i <= Math.min(hi, win.last); i++) counts[i - win.first]++;
  }
  return { counts, sharing, twice };
}

function returnedTokens({ text, nodes }, j, k) {
  const { rows } = nodes, r = j * SIX;
  if (!k && rows[r] === rows[r + 4] && rows[r + 1] === rows[r + 5]) return nodes.tokens[j];
  return text.sums[Math.min(text.n - 1, rows[r + 3] + k) + 1] - text.sums[Math.max(0, rows[r + 2] - k)];
}

function totalsFor(view, k) {
  const { nodes, text } = view;
  if (nodes.totals[k]) return nodes.totals[k];
  let embedded = 0, returned = 0;
  for (let j = 0; j < nodes.count; j++) { embedded += nodes.tokens[j]; returned += returnedTokens(view, j, k); }
  return (nodes.totals[k] = { node: embedded / nodes.count, window: returned / nodes.count, redundancy: returned / text.sums[text.n] });
}

/** Where the model stopped reading, in proportion to the tokens: characters are all we have here. */
function lostFrom({ text, nodes, selected }, node) {
  if (!nodes.flagged.has(selected) || !(nodes.tokens[selected] > text.truncates_at)) return null;
  const at = node.from + Math.round((node.to - node.from) * text.truncates_at / nodes.tokens[selected]);
  return at + (/[\udc00-\udfff]/.test(text.text[at] ?? "") ? 1 : 0);
}

// ---------------------------------------------------------------- painting
function paint(view) {
  const { text, nodes } = view;
  let scene = null;
  if (nodes?.count && text.n) {
    const node = nodeAt(nodes, view.selected), win = windowOf(view, node, view.window);
    scene = { node, win, lost: lostFrom(view, node), ...neighbours(view, node, win) };
  }
  view.scene = scene;
  view.start = scene?.node.start;
  view.marks = scene ? sceneMarks(text, scene) : [];
  const touched = scene && [Math.min(...view.marks.map((m) => m[0])), Math.max(...view.marks.map((m) => m[1]))];
  for (const range of [view.touched, touched]) if (range) restyle(view, ...range);
  view.touched = touched;
  placeBrackets(view);
  showNumbers(view);
  drawMap(view);
}

function sceneMarks(text, { node, win, lost, counts, twice }) {
  const marks = [[node.start, node.end, "n"], [win.start, win.end, "w"]];
  if (node.from < node.start || node.to > node.end) marks.push([node.from, node.to, "e"]);
  for (const { a, b } of twice.slice(0, 40)) marks.push([a, b, "x"]);
  if (lost != null) marks.push([lost, node.to, "l"]);
  counts.forEach((count, at) => {
    const i = win.first + at, end = i < win.last ? text.starts[i + 1] : text.ends[i];
    const from = Math.max(text.starts[i], win.start), to = Math.min(end, win.end);
    if (count && from < to) marks.push([from, to, `o${Math.min(4, count)}`]);
  });
  return marks;
}

function restyle(view, start, end) {
  const { text } = view;
  for (let i = Math.max(0, upper(text.starts, start) - 1); i < text.n && text.starts[i] < end; i++) {
    fill(text.spans[i], base(text, i), pieces(view, text.starts[i], text.ends[i]));
    if (text.gaps[i]) text.gaps[i] = fillGap(text.gaps[i], pieces(view, text.ends[i], text.starts[i + 1]));
  }
}

/** Cut [start, end) where marks begin or end: [[text, classes], …]. */
function pieces(view, start, end) {
  const near = [...view.marks, ...view.gold].filter((mark) => mark[0] < end && mark[1] > start);
  const cuts = new Set([start, end]);
  for (const [a, b] of near) { if (a > start) cuts.add(a); if (b < end) cuts.add(b); }
  const at = [...cuts].sort((a, b) => a - b);
  return at.slice(1).map((to, index) => {
    const from = at[index], classes = new Set();
    for (const [a, b, name] of near) {
      if (a > from || b < to) continue;
      classes.add(name);
      if (a === from) classes.add(`${name}0`);
      if (b === to) classes.add(`${name}1`);
    }
    return [view.text.text.slice(from, to), [...classes].join(" ")];
  });
}

function fill(el, base, parts) {
  const key = parts.map(([part, names]) => `${part.length} ${names}`).join("|");
  if (el.key === key || (el.key === undefined && parts.length === 1 && !parts[0][1])) return;
  el.key = key;
  el.className = parts.length === 1 ? `${base} ${parts[0][1]}` : base;
  if (parts.length === 1) {
    if (el.firstElementChild) el.textContent = parts[0][0];
    return;
  }
  el.replaceChildren(...parts.map(([part, names]) => {
    const piece = document.createElement("span");
    piece.className = names;
    piece.textContent = part;
    return piece;
  }));
}

function fillGap(gap, parts) {
  const plain = parts.length === 1 && !parts[0][1];
  if (plain === (gap.nodeType === Node.TEXT_NODE)) {
    if (!plain) fill(gap, "", parts);
    return gap;
  }
  const fresh = plain ? document.createTextNode(gap.textContent) : document.createElement("span");
  if (!plain) { fresh.textContent = gap.textContent; fill(fresh, "", parts); }
  gap.replaceWith(fresh);
  return fresh;
}

/** Hits and gold: they change with a search, not with the slider. */
function setExtras(view) {
  const { data: { hits = [], gold = [] }, text, ui } = view;
  const key = JSON.stringify([hits, gold]);
  if (key === view.extras) return false;
  view.extras = key;
  for (const badge of view.badges) badge.remove();
  view.badges = [];
  for (const hit of hits ?? []) {
    const span = text.spans[hit.ordinal_sentence_first];
    if (!span) continue;
    const badge = Object.assign(document.createElement("i"), { className: hit.filtered ? "hit" : "hit ghost", role: "img", ariaLabel: `hit ${hit.rank}` });
    badge.dataset.rank = hit.rank;
    span.before(badge);
    view.badges.push(badge);
  }
  const old = view.gold;
  view.gold = (gold ?? []).map(([start, end]) => [start, end, "g"]);
  for (const [start, end] of [...old, ...view.gold]) restyle(view, start, end);
  ui.legendHits.hidden = !hits?.some((hit) => hit.filtered);
  ui.legendGhosts.hidden = !hits?.some((hit) => !hit.filtered);
  ui.legendGold.hidden = !view.gold.length;
  view.mapStale = true;
  return true;
}

/** One bracket per block of the window, joined: geometry stays inside a block, so far-away layout cannot shift it. */
function placeBrackets(view) {
  for (const bracket of view.brackets) bracket.remove();
  view.brackets = [];
  if (!view.scene || !view.ui.scroll.clientHeight) return; // hidden, in a tab, or just removed: the observer calls again
  const { win } = view.scene, { blocks } = view.text;
  const inside = blocks.slice(blockIndex(view, win.start), blockIndex(view, win.end - 1) + 1);
  const found = inside.map(({ el }, index) => {
    const top = index === 0, bottom = index === inside.length - 1, marked = top || bottom ? el.querySelectorAll(".w") : [];
    const box = top || bottom ? el.getBoundingClientRect() : null;
    const y0 = top && marked.length ? marked[0].getClientRects()[0].top - box.top : 0;
    const last = bottom && marked.length ? [...marked[marked.length - 1].getClientRects()].at(-1) : null;
    return { el, top, bottom, y0, size: last ? `${last.bottom - box.top - y0}px` : `calc(100% - ${y0}px)` };
  });
  for (const { el, top, bottom, y0, size } of found) {
    const bracket = document.createElement("i");
    bracket.className = `bracket ${top ? "top" : ""} ${bottom ? "bottom" : ""}`;
    bracket.style.cssText = `top:${y0}px;height:${size}`;
    el.append(bracket);
    view.brackets.push(bracket);
  }
}

function preview(view, span) {
  if (view.hovered === span) return;
  view.hovered = span;
  for (const old of view.preview) delete old.dataset.preview;
  view.preview = [];
  if (!span || busy(view)) return;
  const [j] = holders(view, span.index);
  if (j === undefined || j === view.selected) return;
  const win = windowOf(view, nodeAt(view.nodes, j), view.window);
  view.preview = view.text.spans.slice(win.first, win.last + 1);
  for (const shown of view.preview) shown.dataset.preview = "";
}

// ---------------------------------------------------------------- numbers
function showNumbers(view) {
  const { ui, nodes, text, selected, window: k, scene } = view;
  if (!view.dragging) ui.slider.value = k;
  const amount = `±${k} sentence${k === 1 ? "" : "s"}`;
  ui.slider.setAttribute("aria-valuetext", amount);
  put(ui.k, ui.sliderBox.hidden ? `window ${amount}` : amount);
  ui.previous.disabled = !scene || selected === 0;
  ui.next.disabled = !scene || selected === nodes.count - 1;
  const title = scene ? `node ${number(selected + 1)} of ${number(nodes.count)}` : nodes ? "no nodes" : "…";
  for (const el of [ui.title, ui.place]) put(el, title);
  put(ui.nSentences, number(text.n));
  put(ui.nNodes, nodes ? number(nodes.count) : "…");
  ui.flag.hidden = ui.legendLost.hidden = scene?.lost == null;
  const tooLong = [...nodes?.flagged ?? []];
  ui.tooLong.hidden = !tooLong.length;
  if (tooLong.length) rich(ui.tooLong, `longer than the ${number(text.truncates_at)} tokens the model reads: `, ...nodeLinks(tooLong, selected));
  ui.legendCut.hidden = !text.hard.size;
  ui.legendEmbedded.hidden = !view.marks.some((mark) => mark[2] === "e");
  ui.twice.hidden = !scene?.twice.length;
  if (!scene) {
    for (const el of [ui.embedded, ui.returned, ui.share, ui.where, ui.embeddedText, ui.returnedText, ui.meanNode, ui.meanWindow, ui.redundancy]) put(el, "");
    return;
  }
  const { node, win, counts, sharing, twice } = scene, totals = totalsFor(view, k), tokens = nodes.tokens[selected];
  rich(ui.embedded, ["b", number(tokens)], ` token${tokens === 1 ? "" : "s"} `, ["small", `(${text.tokenizer})`]);
  rich(ui.returned, ["b", number(returnedTokens(view, selected, k))], ` tokens ±${k}`);
  put(ui.flag, scene.lost == null ? "" : `longer than the model reads: ${number(tokens)} of ${number(text.truncates_at)} tokens; the end is not embedded`);
  const shared = counts.reduce((sum, count) => sum + (count > 0), 0);
  rich(ui.share, ...(sharing.length ? [`shares ${plural(shared, "sentence")} with `, ...nodeLinks(sharing, selected)] : ["shares nothing with other nodes"]));
  const doubled = twice.reduce((set, { a, b }) => { for (let i = upper(text.ends, a); i < text.n && text.starts[i] < b; i++) set.add(i); return set; }, new Set());
  rich(ui.twice, `node overlap: ${plural(doubled.size, "sentence")} with `, ...nodeLinks(twice.map(({ j }) => j), selected), " (embedded twice)");
  const kind = text.blocks[blockIndex(view, node.start)]?.kind ?? "text";
  const leaf = text.blocks[blockIndex(view, node.start)]?.page;
  put(ui.where, `${kind}${leaf == null ? "" : ` · page ${number(leaf)}`} · characters ${number(codePoint(text, node.start))}–${number(codePoint(text, node.end))} · ${sentencesOf(node)}`);
  const other = nodes.embedded[selected], before = text.prefixes?.[win.first];
  const line = nodes.contexts[nodes.context[selected]];
  rich(ui.embeddedText, ...(line ? [["bdi", line, { context: "" }], "\n"] : []), ...(other == null ? isolated(text, node.from, node.to) : [["bdi", other]]));
  rich(ui.returnedText, ...(before ? [["em", before]] : []), ...isolated(text, win.start, win.end));
  ui.cutNote.hidden = !text.hard.has(node.last);
  put(ui.meanNode, number(totals.node, 1));
  put(ui.meanWindow, number(totals.window, 1));
  put(ui.redundancy, `${number(totals.redundancy, 1)}× redundancy`);
  clearTimeout(view.liveTimer);
  view.liveTimer = setTimeout(() => put(ui.live, `N${title.slice(1)}, ${sentencesOf(win)} returned`), 300);
}

/** The text of [start, end), each sentence in its own <bdi>: an open bidi control stays inside its sentence. */
function isolated(text, start, end) {
  const parts = [];
  let at = start;
  for (let i = upper(text.ends, start); i < text.n && text.starts[i] < end; i++) {
    const from = Math.max(at, text.starts[i]), to = Math.min(end, text.ends[i]);
    parts.push(text.text.slice(at, from), ["bdi", text.text.slice(from, to)]);
    at = to;
  }
  return [...parts, text.text.slice(at, end)];
}

const sentencesOf = ({ first, last }) => first === last ? `sentence ${number(first + 1)}` : `sentences ${number(first + 1)} to ${number(last + 1)}`;

function nodeLinks(ordinals, selected) {
  const near = [...ordinals].sort((a, b) => Math.abs(a - selected) - Math.abs(b - selected)).slice(0, 6).sort((a, b) => a - b);
  const parts = [ordinals.length === 1 ? "node " : "nodes "];
  for (const j of near) parts.push(["button", number(j + 1), { node: j }], " ");
  if (ordinals.length > near.length) parts.push(`… and ${number(ordinals.length - near.length)} more`);
  return parts;
}

// ---------------------------------------------------------------- minimap and scrolling
function drawMap(view) {
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => {
    const { ui, scene, text } = view;
    if (!text || !view.root.isConnected) return;
    const total = Math.max(1, ui.scroll.scrollHeight);
    const place = (el, from, to) => { el.style.top = `${100 * from / total}%`; el.style.height = `${100 * (to - from) / total}%`; };
    const spot = (el, start, end) => place(el, yOf(view, start), yOf(view, end));
    ui.mWindow.hidden = ui.mNode.hidden = !scene;
    if (scene) { spot(ui.mNode, scene.node.start, scene.node.end); spot(ui.mWindow, scene.win.start, scene.win.end); }
    place(ui.mView, ui.scroll.scrollTop, ui.scroll.scrollTop + ui.scroll.clientHeight);
    if (!view.mapStale) return;
    view.mapStale = false;
    const mark = (name, start, end) => { const el = document.createElement("i"); el.className = name; spot(el, start, end); return el; };
    const hits = (view.data.hits ?? []).filter((hit) => text.spans[hit.ordinal_sentence_first]);
    ui.mMarks.replaceChildren(
      ...view.gold.map(([start, end]) => mark("m-gold", start, end)),
      ...hits.map((hit) => { const at = text.starts[hit.ordinal_sentence_first], el = mark(hit.filtered ? "m-hit" : "m-hit ghost", at, at); el.style.height = ""; return el; }),
    );
  });
}

function yOf(view, offset) {
  const block = view.text.blocks[blockIndex(view, offset)];
  return block ? block.el.offsetTop + block.el.offsetHeight * clamp((offset - block.start) / (block.end - block.start), 0, 1) : 0;
}

function scrollToFraction(view, event) {
  const { map, scroll } = view.ui, box = map.getBoundingClientRect();
  scroll.scrollTop = (event.clientY - box.top) / box.height * scroll.scrollHeight - scroll.clientHeight / 2;
}

/** Bring the node into the text's own viewport (never scrolls the page); a second look after far blocks got their real heights. */
function reveal(view, tries = 2) {
  const { scene, text, ui } = view;
  view.unrevealed = !ui.scroll.clientHeight;
  if (view.unrevealed || !text?.spans[scene?.node.last]) return;
  const box = ui.scroll.getBoundingClientRect(), top = text.spans[scene.node.first].getBoundingClientRect().top - box.top;
  const bottom = text.spans[scene.node.last].getBoundingClientRect().bottom - box.top;
  if (top >= 40 && bottom <= box.height - 40) return;
  const by = top - box.height * 0.3, near = Math.abs(by) < box.height && tries === 2;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || view.hurry;
  ui.scroll.scrollBy({ top: by, behavior: near && !calm ? "smooth" : "instant" });
  if ((!near || calm) && tries) requestAnimationFrame(() => requestAnimationFrame(() => reveal(view, tries - 1)));
}

// ---------------------------------------------------------------- the user's actions
function onKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inSlider = event.target === view.ui.slider, inBox = event.target.classList.contains("box");
  const last = (view.nodes?.count ?? 0) - 1;
  const to = { j: view.selected + 1, k: view.selected - 1 }[event.key]
    ?? (inSlider || inBox ? undefined : { ArrowDown: view.selected + 1, ArrowUp: view.selected - 1, Home: 0, End: last }[event.key]);
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  view.hurry = event.repeat;
  step(view, to);
  view.hurry = false;
}

function onButton(view, event) {
  const button = event.target.closest?.("button");
  if (button?.dataset.node) step(view, +button.dataset.node);
  if (button?.dataset.copy) copy(view, button);
}

function onSentence(view, event) {
  const span = event.target.closest?.(".s"), marked = view.root.getRootNode().getSelection?.() ?? getSelection();
  if (!span || (marked && !marked.isCollapsed) || busy(view)) return;
  const found = holders(view, span.index), again = view.clicked === span.index ? found.indexOf(view.selected) + 1 : 0;
  view.clicked = span.index;
  if (found.length) select(view, found[again % found.length], 0);
}

/** Nodes containing sentence i, the one beginning nearest to it first. */
function holders({ nodes: { rows, count } }, i) {
  const found = [];
  for (let j = 0, r = 0; j < count; j++, r += SIX) if (rows[r + 2] <= i && i <= rows[r + 3]) found.push(j);
  return found.sort((a, b) => Math.abs(rows[a * SIX + 2] - i) - Math.abs(rows[b * SIX + 2] - i) || a - b);
}

function step(view, to) {
  if (busy(view) || !view.nodes.count) return;
  view.clicked = -1;
  if (select(view, clamp(to, 0, view.nodes.count - 1), KEY_DELAY)) reveal(view);
}

function select(view, ordinal, delay) {
  if (ordinal === view.selected) return false;
  view.selected = ordinal;
  preview(view, null);
  paint(view);
  report(view, delay);
  return true;
}

function setWindow(view, k) {
  if (k === view.window || !view.text) return;
  view.window = k;
  preview(view, null);
  paint(view);
}

/** A drag that ended where it began fires no "change": let Python's value in again. */
function release(view) {
  if (!view.dragging) return;
  view.dragging = false;
  if (view.window !== view.data.window) report(view, 0);
}

function report(view, delay) {
  view.seq++;
  clearTimeout(view.timer);
  const send = () => { view.timer = 0; view.send({ selected: view.selected, window: view.window, seq: view.seq }); };
  if (delay) view.timer = setTimeout(send, delay);
  else send();
}

function clearPending(view) {
  clearTimeout(view.timer);
  view.timer = 0;
  view.clicked = -1;
}

async function copy(view, button) {
  const box = view.ui[button.dataset.copy];
  try {
    await navigator.clipboard.writeText(box.textContent);
    put(button, "Copied");
  } catch {
    getSelection().selectAllChildren(box);
    put(button, document.execCommand("copy") ? "Copied" : "Select it");
  }
  setTimeout(() => put(button, "Copy"), 1500);
}

// ---------------------------------------------------------------- small things
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
const number = (x, digits = 0) => Number.isFinite(x) ? x.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }) : "–";
const codePoint = (text, offset) => offset - lower(text.astral, offset);

function put(el, value) {
  if (el.textContent !== value) el.textContent = value;
}

/** Fill `el` with text and [tag, text, dataset] parts. */
function rich(el, ...parts) {
  el.replaceChildren(...parts.map((part) => {
    if (typeof part === "string") return part;
    const made = document.createElement(part[0]);
    made.textContent = part[1];
    Object.assign(made.dataset, part[2]);
    return made;
  }));
}

/** First index whose value is ≥ x. */
function lower(values, x) {
  let low = 0, high = values.length;
  while (low < high) { const mid = (low + high) >> 1; if (values[mid] < x) low = mid + 1; else high = mid; }
  return low;
}

/** First index whose value is > x. */
function upper(values, x) {
  return lower(values, x + 1);
}

function blockIndex({ text: { blocks } }, offset) {
  let low = 0, high = blocks.length;
  while (low < high) { const mid = (low + high) >> 1; if (blocks[mid].start <= offset) low = mid + 1; else high = mid; }
  return Math.max(0, low - 1);
}
