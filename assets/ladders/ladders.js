/* Chunkscope rank ladders: a Streamlit components-v2 component. Plain JS modules, no build, no outside request.
 *
 * data in: at (seconds), k, total, matching, filtered_by (words of the whole filter),
 *   unfiltered [[position, score, [numbers of the clauses that reject it]], …], filtered [[position, score, unfiltered rank], …],
 *   clauses [{words, matching, without, rejects, rejects_alone, alone, others}, …] with ladders as `filtered`,
 *   nodes {position: {doc_id, ordinal, name, place, boosts, words}}, selected (a position, or -1).
 * events out, after a user's action only: setTriggerValue("select", {doc_id, ordinal}).
 * What one clause alone, or all but one, would give is in the data: showing it asks nobody.
 */
import { button, filled, make, number, plural, put, rich } from "./dom.js";
import { draw } from "./lines.js";
import * as looks from "./looks.js";

const views = new WeakMap();
const percent = (share) => share > 0 && share < 0.01 ? "< 1 %" : share < 1 && share > 0.99 ? "> 99 %" : `${number(100 * share)} %`;
const SAID = { kept: "kept", displaced: "displaced", promoted: "promoted", excluded: "excluded" };

export default function ladders({ data, parentElement, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view?.root.isConnected) {
    view?.stop.abort();
    view = mount(parentElement);
    views.set(parentElement, view);
  }
  view.select = (node) => setTriggerValue("select", { doc_id: node.doc_id, ordinal: node.ordinal });
  if (!(data.at < view.data?.at)) receive(view, data);
  return () => setTimeout(() => view.root.isConnected || view.stop.abort());
}

function mount(parent) {
  const ui = filled(parent, looks), stop = new AbortController();
  const view = { root: ui.root, ui, data: null, told: "", what: null, rungs: [], lit: null, stop };
  const on = (el, type, run) => el.addEventListener(type, run, { signal: stop.signal });
  for (const side of ["left", "right"]) {
    on(ui[side], "keydown", (event) => onKey(view, side, event));
    on(ui[side], "click", (event) => { const rung = event.target.closest(".rung"); if (rung) choose(view, rung); });
  }
  on(ui.pair, "pointerover", (event) => light(view, event.target.closest(".rung")?.dataset.position ?? null));
  on(ui.pair, "pointerleave", () => light(view, null));
  on(ui.pair, "focusin", (event) => light(view, event.target.closest(".rung")?.dataset.position ?? null));
  on(ui.pair, "focusout", () => light(view, null));
  on(ui.clauses, "click", (event) => onClause(view, event));
  on(ui.back, "click", () => { whatIf(view, null); ui.clauses.querySelector("button")?.focus(); });
  const sized = new ResizeObserver(() => draw(view));
  sized.observe(ui.pair);
  stop.signal.addEventListener("abort", () => sized.disconnect());
  return view;
}

function receive(view, data) {
  const { at, selected, ...lasting } = data, told = JSON.stringify(lasting), same = told === view.told;
  view.data = data;
  view.told = told;
  if (!same) { view.what = null; showClauses(view); showLadders(view); }
  showSelected(view);
}

// ---------------------------------------------------------------- what is shown
/** Which clauses count, and the ladder they give. */
function scene({ data, what }) {
  const every = data.clauses.map((_, number) => number);
  if (!what) return { on: every, places: data.filtered, title: "With the filter", passing: data.matching };
  const clause = data.clauses[what.clause], alone = what.mode === "alone";
  return {
    on: alone ? [what.clause] : every.filter((number) => number !== what.clause), places: clause[what.mode],
    title: `${alone ? "With only" : "With all but"} ${clause.words}`, passing: alone ? clause.matching : clause.without,
  };
}

/** The rungs of both ladders, each with what became of it. */
export function rungsOf(data, { on, places }) {
  const ranks = new Map(places.map(([position], at) => [position, at + 1]));
  const left = data.unfiltered.map(([position, score, rejected], at) => {
    const by = rejected.filter((number) => on.includes(number)), rank = at + 1, now = ranks.get(position);
    const fate = by.length || !now ? "excluded" : now === rank ? "kept" : "displaced";
    const said = by.length ? `struck by ${by.map((number) => data.clauses[number].words).join(" · ")}` : fate === "displaced" ? `displaced: now #${number(now)}` : SAID[fate];
    return { position, score, rank, fate, said };
  });
  const right = places.map(([position, score, before], at) => {
    const rank = at + 1, fate = before > data.unfiltered.length ? "promoted" : before === rank ? "kept" : "displaced";
    const said = fate === "promoted" ? `promoted from #${number(before)}` : fate === "displaced" ? `displaced: was #${number(before)}` : SAID[fate];
    return { position, score, rank, fate, said };
  });
  return { left, right };
}

function showLadders(view) {
  const { ui, data } = view, now = scene(view), rungs = rungsOf(data, now);
  view.rungs = rungs;
  put(ui.leftTold, plural(data.total, "node"));
  put(ui.rightTitle, now.title);
  ui.rightTitle.parentElement.title = now.title;
  put(ui.rightTold, `${number(now.passing)} of ${plural(data.total, "node")}`);
  for (const side of ["left", "right"]) fill(view, side, rungs[side], data.nodes);
  ui.left.setAttribute("aria-label", `Without the filter: ${plural(rungs.left.length, "hit")}`);
  ui.right.setAttribute("aria-label", `${now.title}: ${plural(rungs.right.length, "hit")}`);
  ui.right.style.minHeight = `${70 * data.k}px`;
  ui.none.hidden = rungs.right.length > 0;
  ui.right.hidden = !rungs.right.length;
  put(ui.none, now.passing ? "What passes lies beyond the limit." : "Nothing passes.");
  draw(view);
}

function fill(view, side, rungs, nodes) {
  const list = view.ui[side], held = view.root.getRootNode().activeElement, within = list.contains(held) && held.dataset.position;
  list.replaceChildren(...rungs.map((rung) => {
    const node = nodes[rung.position], el = make("li", `rung ${rung.fate}`, "", { position: rung.position });
    el.setAttribute("role", "option");
    el.tabIndex = -1;
    el.ariaLabel = `Rank ${rung.rank}, ${rung.said}, score ${number(rung.score, 3)}${node.boosts && ` = ${node.boosts}`}, ${node.name} ${node.place}: ${node.words}`;
    const head = make("span", "head"), text = make("span", "text"), fate = make("span", "fate", "");
    rich(head, ["b", number(rung.score, 3)], " · ", ["bdi", node.name], ` ${node.place}`);
    rich(text, ["bdi", node.words]);
    const said = node.boosts ? `${rung.said} · ${node.boosts}` : rung.said;
    fate.append(make("i", `sign ${rung.fate}`), make("bdi", "", said));
    fate.title = said;
    head.title = `${node.name} ${node.place}`;
    el.append(make("span", "badge", number(rung.rank)), head, text, fate);
    return el;
  }));
  const first = (within && list.querySelector(`[data-position="${within}"]`)) || list.firstElementChild;
  if (first) first.tabIndex = 0;
  if (within && first) first.focus();
}

function showClauses(view) {
  const { ui, data } = view, ladder = data.unfiltered.length;
  ui.clauses.replaceChildren(...data.clauses.map((clause, at) => {
    const row = make("li", "clause", "", { clause: at }), share = data.total ? clause.matching / data.total : 0;
    const words = make("span", "words"), did = make("span", "did"), counts = make("span", "counts"), bar = make("span", "bar"), what = make("span", "what");
    words.append(make("bdi", "", clause.words));
    rich(did, ...removed(clause, ladder));
    rich(counts, `alone ${number(clause.matching)} of ${plural(data.total, "node")} (${percent(share)}) · together ${number(data.matching)} · without it ${number(clause.without)}`);
    bar.ariaHidden = "true";
    for (const [name, part] of [["rest", clause.matching], ["", data.matching]]) { const fill = make("i", name); fill.style.width = `${100 * (data.total ? part / data.total : 0)}%`; bar.append(fill); }
    bar.title = "Hatched: what it passes alone. Solid: what the whole filter passes.";
    const single = data.clauses.length === 1;
    what.role = "group";
    what.ariaLabel = "What if";
    what.append(pressable("Only this", at, "alone", `What if there were only ${clause.words}`, single), pressable("All but this", at, "others", `What if all held but ${clause.words}`));
    row.append(words, did, bar, counts, what);
    return row;
  }));
  showPressed(view);
}

function removed({ rejects, rejects_alone: alone }, ladder) {
  if (!rejects.length) return [`removed none of the top ${number(ladder)}`];
  return ["removed ", ["b", number(rejects.length)], ` of the top ${number(ladder)} · `, ["b", number(alone.length)], " only by it"];
}

function pressable(text, clause, mode, label, hidden = false) {
  const el = button(text, { clause, mode }, label);
  el.hidden = hidden;
  return el;
}

// ---------------------------------------------------------------- what a hand does
function onClause(view, event) {
  const { mode, clause } = event.target.closest("button")?.dataset ?? {};
  if (!mode) return;
  const again = view.what?.mode === mode && view.what.clause === +clause;
  whatIf(view, again ? null : { clause: +clause, mode });
}

function whatIf(view, what) {
  view.what = what;
  showLadders(view);
  showSelected(view);
  showPressed(view);
  const { left, right } = view.rungs, gone = left.filter(({ fate }) => fate === "excluded").length;
  put(view.ui.live, `${scene(view).title}: ${plural(right.length, "hit")}, ${number(gone)} excluded`);
}

function showPressed({ ui, what }) {
  ui.back.hidden = !what;
  for (const el of ui.clauses.querySelectorAll("button")) el.ariaPressed = String(what?.mode === el.dataset.mode && what.clause === +el.dataset.clause);
  for (const row of ui.clauses.children) row.classList.toggle("on", what?.clause === +row.dataset.clause);
}

function showSelected({ ui, data }) {
  for (const rung of ui.pair.querySelectorAll(".rung")) rung.ariaSelected = String(+rung.dataset.position === data.selected);
}

/** Bring out a node on both ladders, and its line. */
function light(view, position) {
  if (view.lit === position) return;
  view.lit = position;
  for (const el of view.ui.pair.querySelectorAll(".rung, svg path")) el.classList.toggle("lit", position !== null && el.dataset.position === position);
  for (const el of view.ui.lines.querySelectorAll("path")) el.classList.toggle("dim", position !== null && el.dataset.position !== position);
}

function onKey(view, side, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rung = event.target.closest(".rung"), list = [...view.ui[side].children], at = list.indexOf(rung);
  if (at < 0) return;
  if (event.key === "Enter" || event.key === " ") choose(view, rung);
  else {
    const to = { ArrowDown: list[at + 1], ArrowUp: list[at - 1], Home: list[0], End: list.at(-1), ArrowRight: side === "left" && across(view, "right", rung, at), ArrowLeft: side === "right" && across(view, "left", rung, at) };
    if (!(event.key in to)) return;
    if (to[event.key]) step(to[event.key]);
  }
  event.preventDefault();
  event.stopPropagation();
}

/** The same node on the other ladder; where it has none there, the rung beside it. */
function across({ ui }, side, rung, at) {
  const list = [...ui[side].children];
  return list.find((other) => other.dataset.position === rung.dataset.position) ?? list[Math.min(at, list.length - 1)];
}

function step(rung) {
  for (const other of rung.parentElement.children) other.tabIndex = other === rung ? 0 : -1;
  rung.focus();
}

function choose(view, rung) {
  step(rung);
  view.select(view.data.nodes[rung.dataset.position]);
  reveal(8);
}

/** The page draws the fate below: bring it into sight once it is there. */
function reveal(tries) {
  setTimeout(() => {
    const fate = document.querySelector(".st-key-fate");
    if (fate) fate.scrollIntoView({ block: "nearest" });
    else if (tries) reveal(tries - 1);
  }, 300);
}
