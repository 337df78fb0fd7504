// ---------------------------------------------------------------- two settings: what became of the nodes of A, and where
//
// As core.chunk.compare has it. A node of A is kept if B has one with both boundaries. Of the others, those that begin alike are
// paired, then those that end alike: these have moved. All others are gone, or born in B. On the text stand the places where
// nodes begin or end, each at the next ink: in both, in A alone (gone, or left by a node that moved), in B alone (born, or moved to).
import { topOffset } from "./find.js";
import { revealSpan } from "./map.js";
import { restyleAll } from "./marks.js";
import { SIX } from "./nodes.js";
import { button, make, number, upper } from "./tools.js";

export function compare(view) {
  const { data, text, nodes } = view, url = data.compare_url;
  const other = url && view.loaded.compare?.url === url ? view.loaded.compare.value : null;
  const key = other ? `${url} ${data.nodes_url}` : "";
  if ((view.diff?.key ?? "") === key) return;
  view.diff = other ? { key, ...difference(text.text, Int32Array.from(other.nodes), nodes.rows) } : null;
  view.layers.diff = view.diff?.points ?? [];
  showDiff(view);
  restyleAll(view);
}

/** Nodes kept, moved, gone and born, as the places to look at; and the points that stand in the text, in order. */
function difference(text, a, b) {
  const spans = new Set(), kept = [], edges = [];
  for (let r = 0; r < a.length; r += SIX) spans.add(`${a[r]} ${a[r + 1]}`);
  const used = new Set(), leftB = [];
  for (let r = 0; r < b.length; r += SIX) {
    const span = `${b[r]} ${b[r + 1]}`;
    if (spans.has(span)) { kept.push(b[r]); used.add(span); } else leftB.push(r);
  }
  const leftA = [];
  for (let r = 0; r < a.length; r += SIX) if (!used.has(`${a[r]} ${a[r + 1]}`)) leftA.push(r);
  const [restA, restB] = paired(a, b, ...paired(a, b, leftA, leftB, 0, edges), 1, edges);
  const moved = edges.map(([, to]) => Math.min(inkFrom(text, to), text.length - 1));
  return { kept, moved, gone: restA.map((r) => a[r]), born: restB.map((r) => b[r]), points: pointsOf(text, boundaries(text, a), boundaries(text, b), edges) };
}

/** Pair nodes that have one boundary (0 begin, 1 end) in common; the other has moved: [from, to]. What is left of both. */
function paired(a, b, leftA, leftB, edge, edges) {
  const places = new Map(leftA.map((r) => [a[r + edge], r])), taken = new Set();
  const restB = leftB.filter((r) => {
    const found = places.get(b[r + edge]);
    if (found === undefined) return true;
    taken.add(found);
    edges.push([a[found + 1 - edge], b[r + 1 - edge]]);
    return false;
  });
  return [leftA.filter((r) => !taken.has(r)), restB];
}

function pointsOf(text, cutsA, cutsB, edges) {
  const moved = new Map(), left = new Set(), points = [];
  for (const [from, to] of edges.map((edge) => edge.map((at) => inkFrom(text, at)))) {
    if (cutsA.has(from)) left.add(from);
    if (cutsB.has(to) && !cutsA.has(to) && !moved.has(to)) moved.set(to, from);
  }
  for (const at of cutsB) points.push([at, cutsA.has(at) ? "diff kept" : moved.has(at) ? `diff moved ${at > moved.get(at) ? "later" : "sooner"}` : "diff born", 0]);
  for (const at of cutsA) if (!cutsB.has(at)) points.push([at, left.has(at) ? "diff left" : "diff gone", 0]);
  return points.sort((p, q) => p[0] - q[0]);
}

/** Where nodes begin or end, each at the next ink; the ends of the document are no boundaries. */
function boundaries(text, rows) {
  const found = new Set();
  for (let r = 0; r < rows.length; r += SIX) for (const at of [rows[r], rows[r + 1]]) found.add(inkFrom(text, at));
  found.delete(inkFrom(text, 0));
  found.delete(text.length);
  return found;
}

function inkFrom(text, at) {
  while (at < text.length && /\s/.test(text[at])) at++;
  return at;
}

function showDiff({ ui, diff }) {
  ui.diffs.hidden = !diff;
  if (!diff) return;
  const told = [["kept", diff.kept, "the same in A and here"], ["moved", diff.moved, "one boundary is elsewhere"], ["born", diff.born, "only here"], ["gone", diff.gone, "only in A"]];
  ui.diffs.replaceChildren("Nodes against A: ", ...told.flatMap(([name, found, meaning]) => {
    const item = found.length ? button("", { goto: name }, `${number(found.length)} nodes ${name}, ${meaning}: to the next one`) : make("span");
    item.append(make("i", `sign ${name}`), ` ${number(found.length)} ${name} `);
    item.title = meaning;
    return [item, " "];
  }));
}

/** Scroll to the next node of a kind, from the top again after the last. */
export function goTo(view, kind) {
  const places = [...view.diff[kind]].sort((a, b) => a - b);
  const from = view.went?.kind === kind ? view.went.at : topOffset(view) - 1;
  const at = places[upper(places, from)] ?? places[0];
  view.went = { kind, at };
  revealSpan(view, at, at + 1);
}
