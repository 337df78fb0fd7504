/* Chunkscope rank ladders: a Streamlit components-v2 component. Plain JS modules, no build, no outside request.
 * It stands on the page twice, as `part` says: the ladders, and what each clause did (clauses.js).
 *
 * data in: part, at (seconds), k, total, matching, of (which filter this is about),
 *   unfiltered [[position, score, [numbers of the clauses that reject it]], …], filtered [[position, score, unfiltered rank], …],
 *   clauses [{words, matching, without, alone, others}, …] with ladders as `filtered`,
 *   nodes {position: {doc_id, ordinal, name, place, boosts, words}}, selected (a position, or -1), what (the clause that is tried, or null).
 * events out, after a user's action only: setTriggerValue("select", {doc_id, ordinal}), setTriggerValue("use", {clause, mode, of}),
 *   setStateValue("what", {clause, mode, of} or null): what is tried, so that a node's fate is told under it.
 * What one clause alone, or all but one, would give is in the data: showing it waits for nobody.
 */
import { clauses } from "./clauses.js";
import { filled, make, number, plural, put, rich } from "./dom.js";
import { draw } from "./lines.js";
import * as looks from "./looks.js";
import { parts } from "./parts.js";
import { rungsOf, scene } from "./rungs.js";

const views = new WeakMap();
const SEEN = 92, TRIES = 12, TAIL = 11;

export default (given) => (given.data.part === "clauses" ? clauses : ladders)(given);

function ladders({ data, parentElement, setTriggerValue, setStateValue }) {
  let view = views.get(parentElement);
  if (!view?.root.isConnected) {
    view?.stop.abort();
    view = mount(parentElement);
    views.set(parentElement, view);
  }
  view.select = (node) => setTriggerValue("select", { doc_id: node.doc_id, ordinal: node.ordinal });
  view.use = (what) => setTriggerValue("use", what);
  view.tell = (what) => setStateValue("what", what);
  parts.ladders = view;
  if (!(data.at < view.data?.at)) receive(view, data);
  return () => setTimeout(() => view.root.isConnected || view.stop.abort());
}

function mount(parent) {
  const ui = filled(parent, looks), stop = new AbortController();
  const view = { root: ui.root, ui, data: null, told: "", what: null, rungs: [], lit: null, stop, whatIf: (what) => whatIf(view, what) };
  const on = (el, type, run) => el.addEventListener(type, run, { signal: stop.signal });
  for (const side of ["left", "right"]) {
    on(ui[side], "keydown", (event) => onKey(view, side, event));
    on(ui[side], "click", (event) => { const rung = event.target.closest(".rung"); if (rung) choose(view, rung); });
  }
  on(ui.pair, "pointerover", (event) => light(view, event.target.closest(".rung")?.dataset.position ?? null));
  on(ui.pair, "pointerleave", () => light(view, null));
  on(ui.pair, "focusin", (event) => light(view, event.target.closest(".rung")?.dataset.position ?? null));
  on(ui.pair, "focusout", () => light(view, null));
  on(ui.back, "click", () => { whatIf(view, null); (ui.left.querySelector('[tabindex="0"]') ?? ui.left).focus({ preventScroll: true }); });
  on(ui.use, "click", () => { view.use({ ...view.what, of: view.data.of }); });
  const sized = new ResizeObserver(() => draw(view));
  sized.observe(ui.pair);
  stop.signal.addEventListener("abort", () => sized.disconnect());
  return view;
}

function receive(view, data) {
  const { at, selected, what, ...lasting } = data, told = JSON.stringify(lasting), same = told === view.told;
  view.data = data;
  view.told = told;
  if (!same) { view.what = what; showLadders(view); }
  showSelected(view);
}

// ---------------------------------------------------------------- what is shown
function showLadders(view) {
  const { ui, data, what } = view, now = scene(data, what), rungs = rungsOf(data, now);
  view.rungs = rungs;
  put(ui.leftTold, plural(data.total, "node"));
  put(ui.rightTitle, now.title);
  ui.rightTitle.parentElement.title = now.title;
  put(ui.rightTold, `${number(now.passing)} of ${plural(data.total, "node")}`);
  for (const side of ["left", "right"]) fill(view, side, rungs[side], data.nodes);
  ui.left.setAttribute("aria-label", `Without the filter: ${plural(rungs.left.length, "hit")}`);
  ui.right.setAttribute("aria-label", `${now.title}: ${plural(rungs.right.length, "hit")}`);
  ui.none.hidden = rungs.right.length > 0;
  ui.right.hidden = !rungs.right.length;
  put(ui.none, now.passing ? "What passes lies beyond the limit." : "Nothing passes.");
  ui.back.hidden = ui.use.hidden = !what;
  draw(view);
  parts.clauses?.pressed(what);
}

function fill(view, side, rungs, nodes) {
  const list = view.ui[side], held = view.root.getRootNode().activeElement, within = list.contains(held) && held.dataset.position;
  list.replaceChildren(...rungs.map((rung) => drawn(rung, nodes[rung.position])));
  const first = (within && list.querySelector(`[data-position="${within}"]`)) || list.firstElementChild;
  if (first) first.tabIndex = 0;
  if (within && first) first.focus({ preventScroll: true });
}

function drawn(rung, node) {
  const el = make("li", `rung ${rung.fate}`, "", { position: rung.position }), head = make("span", "head"), text = make("span", "text");
  const said = node.boosts ? `${rung.said} · ${node.boosts}` : rung.said, name = make("bdi", "name"), fate = make("bdi", "fate", said);
  el.setAttribute("role", "option");
  el.tabIndex = -1;
  el.ariaLabel = `Rank ${rung.rank}, ${rung.said}, score ${number(rung.score, 3)}${node.boosts && ` = ${node.boosts}`}, ${node.name} ${node.place}: ${node.words}`;
  const letters = [...node.name], cut = Math.max(letters.length - TAIL, Math.ceil(letters.length / 2));
  rich(name, ["span", letters.slice(0, cut).join("")], ["span", letters.slice(cut).join("")]);
  name.title = `${node.name} ${node.place}`;
  fate.title = said;
  head.append(make("b", "", number(rung.score, 3)), name, make("span", "", node.place), fate);
  rich(text, ["bdi", node.words]);
  el.append(make("span", `cs-badge ${rung.fate}`, number(rung.rank)), head, text);
  return el;
}

/** Try one clause alone, or all but one; null shows the whole filter. Python is told too: a node's fate is told under it. */
function whatIf(view, what) {
  view.what = what;
  showLadders(view);
  showSelected(view);
  view.tell(what && { ...what, of: view.data.of });
  const { left, right } = view.rungs, gone = left.filter(({ fate }) => fate === "excluded").length;
  put(view.ui.live, `${scene(view.data, what).title}: ${plural(right.length, "hit")}, ${number(gone)} excluded`);
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

// ---------------------------------------------------------------- what a hand does
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
  reveal(rung, TRIES);
}

/** The page draws the fate below. The ladders hold still if its verdict can be seen; else they move by what is missing, and the rung stays in sight. */
function reveal(rung, tries) {
  setTimeout(() => {
    const fate = document.querySelector(".st-key-fate"), page = document.querySelector(".stMain");
    if (!fate || !page) return tries && reveal(rung, tries - 1);
    const missing = fate.getBoundingClientRect().top + SEEN - page.getBoundingClientRect().bottom;
    const room = rung.getBoundingClientRect().top - page.getBoundingClientRect().top - 60;
    if (missing > 0 && room > 0) page.scrollBy({ top: Math.min(missing, room) });
  }, 150);
}
