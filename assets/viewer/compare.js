// ---------------------------------------------------------------- two settings: what became of the boundaries of A in B
//
// A boundary is where a node begins, or where one ends that the next does not follow at once (with overlap): the place of the
// next ink. One in both is kept. One only in A is gone and one only in B is born, unless the two are near each other, between
// the same kept ones and less than half a node apart: then it has moved.
import { topOffset } from "./find.js";
import { revealSpan } from "./map.js";
import { restyleAll } from "./marks.js";
import { SIX } from "./nodes.js";
import { button, lower, make, number, upper } from "./tools.js";

export function compare(view) {
  const { data, ui, text, nodes } = view, url = data.compare_url;
  const other = url && view.loaded.compare?.url === url ? view.loaded.compare.value : null;
  const key = other ? `${url} ${data.nodes_url}` : "";
  if ((view.diff?.key ?? "") === key) return;
  view.diff = other ? { key, ...boundaryDiff(text, boundaries(text, Int32Array.from(other.nodes)), boundaries(text, nodes.rows)) } : null;
  view.layers.diff = view.diff ? diffPoints(view.diff) : [];
  showDiff(view);
  restyleAll(view);
}

/** Where the text is cut, in order, the beginning of the document not counted. */
function boundaries(text, rows) {
  const found = new Set(), first = inkFrom(text.text, 0);
  for (let r = 0; r < rows.length; r += SIX) for (const at of [rows[r], rows[r + 1]]) found.add(inkFrom(text.text, at));
  found.delete(first);
  found.delete(text.text.length);
  return Int32Array.from(found).sort();
}

function inkFrom(text, at) {
  while (at < text.length && /\s/.test(text[at])) at++;
  return at;
}

function boundaryDiff(text, before, after) {
  const kept = [], gone = [], born = [], moved = [];
  const near = Math.min(...[before, after].map((cuts) => text.text.length / (cuts.length + 1))) / 2;
  let lost = [], made = [];
  const close = () => { pair(lost, made, near, { gone, born, moved }); lost = []; made = []; };
  for (let a = 0, b = 0; a < before.length || b < after.length;) {
    if (before[a] === after[b]) { close(); kept.push(after[b]); a++; b++; }
    else if (b >= after.length || before[a] < after[b]) lost.push(before[a++]);
    else made.push(after[b++]);
  }
  close();
  return { kept, gone, born, moved };
}

/** The nearest first: of boundaries between two kept ones, which have moved, which came and which went. */
function pair(lost, made, near, { gone, born, moved }) {
  const pairs = lost.flatMap((from) => made.slice(lower(made, from - near), upper(made, from + near)).map((to) => [from, to]));
  const used = new Set();
  for (const [from, to] of pairs.sort((p, q) => Math.abs(p[1] - p[0]) - Math.abs(q[1] - q[0]))) {
    if (used.has(-from) || used.has(to)) continue;
    used.add(-from).add(to);
    moved.push([from, to]);
  }
  gone.push(...lost.filter((from) => !used.has(-from)));
  born.push(...made.filter((to) => !used.has(to)));
}

function diffPoints({ kept, gone, born, moved }) {
  return [
    ...kept.map((at) => [at, "diff kept", 0]), ...gone.map((at) => [at, "diff gone", 0]), ...born.map((at) => [at, "diff born", 0]),
    ...moved.flatMap(([from, to]) => [[from, "diff left", 0], [to, to > from ? "diff moved later" : "diff moved sooner", 0]]),
  ];
}

function showDiff({ ui, diff }) {
  ui.diffs.hidden = !diff;
  if (!diff) return;
  const told = [["kept", diff.kept, "in A and here"], ["moved", diff.moved, "a little before or after"], ["born", diff.born, "only here"], ["gone", diff.gone, "only in A"]];
  ui.diffs.replaceChildren("Boundaries against A: ", ...told.flatMap(([name, found, meaning]) => {
    const item = found.length ? button("", { goto: name }, `${number(found.length)} boundaries ${name}, ${meaning}: to the next one`) : make("span");
    item.append(make("i", `sign ${name}`), ` ${number(found.length)} ${name} `);
    item.title = meaning;
    return [item, " "];
  }));
}

/** Scroll to the next boundary of a kind, from the top again after the last. */
export function goTo(view, kind) {
  const places = view.diff[kind].map((found) => (Array.isArray(found) ? found[1] : found)).sort((a, b) => a - b);
  const from = view.went?.kind === kind ? view.went.at : topOffset(view) - 1;
  const at = places[upper(places, from)] ?? places[0];
  view.went = { kind, at };
  revealSpan(view, at, at + 1);
}
