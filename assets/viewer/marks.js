// ---------------------------------------------------------------- marks on the text
//
// A mark is [start, end, class]; a point is [offset, class, after, data]: an empty element before what begins at the offset,
// or after what ends there. All marks are derived from (nodes, selected, pinned, window) and the layers; a sentence is cut into
// pieces where marks begin or end, and only sentences whose pieces differ are touched.
//
// Classes: n node, p the pinned ones besides the selected, e embedded, w window, x node overlap and x1–x6 its density, o1–o6 window overlap, l lost,
// g gold, f found, fc the match in hand; n0, n1, e0, e1, g0 and g1 are the two ends of one. Points: c0 c1 where nodes begin and end, tiny, hit, tag, diff.
import { placeBrackets } from "./gutter.js";
import { drawMap } from "./map.js";
import { levelOf, sceneOf } from "./nodes.js";
import { showNumbers } from "./panel.js";
import { base, build, inSight } from "./text.js";
import { lower, make, number, partAt, upper } from "./tools.js";

export function paint(view) {
  const scene = (view.scene = sceneOf(view));
  const before = view.touched;
  view.marks = scene ? sceneMarks(scene) : [];
  view.points = scene && scene.items.length > 1 ? scene.items.map(({ j, node }) => [node.start, "tag", 0, { node: number(j + 1) }]) : [];
  view.touched = scene && [Math.min(...view.marks.map((m) => m[0])), Math.max(...view.marks.map((m) => m[1]))];
  for (const range of [before, view.touched]) if (range) repaint(view, ...range);
  placeBrackets(view);
  showNumbers(view);
  drawMap(view);
}

function sceneMarks({ items, node, layers, doubled }) {
  const marks = [];
  items.forEach(({ node, win }, at) => { marks.push([node.start, node.end, at ? "n p" : "n"], [win.start, win.end, "w"]); });
  if (node.from < node.start || node.to > node.end) marks.push([node.from, node.to, "e"]);
  for (const { start, end, count } of doubled) marks.push([start, end, `x x${levelOf(count)}`]);
  for (const { start, end, count } of layers) marks.push([start, end, `o${levelOf(count)}`]);
  return marks;
}

/** Everything marked anew: what is in sight at once, the rest when it comes into sight. */
export function restyleAll(view) {
  for (const section of view.text.sections) section.stale = section.built;
  view.mapStale = true;
  inSight(view);
}

/** A stretch marked anew, made first if it must be; of a very long one only what is in sight, the rest when it comes there. */
export function repaint(view, start, end) {
  const { sections } = view.text, first = partAt(sections, start), last = partAt(sections, Math.max(start, end - 1));
  if (last - first < 12) for (let s = first; s <= last; s++) if (!sections[s].built) build(view.text, sections[s]);
  if (last - first < 12) return restyle(view, start, end);
  for (let s = first; s <= last; s++) sections[s].stale = sections[s].built;
  inSight(view);
}

export function restyle(view, start, end) {
  const { text } = view, first = Math.max(0, upper(text.starts, start) - 1), beyond = Math.max(first + 1, lower(text.starts, end));
  if (first >= text.n) return;
  const near = marksIn(view, text.starts[first], text.starts[beyond] ?? text.text.length); // sentences are marked whole
  for (let i = first; i < beyond; i++) {
    if (!text.spans[i]) continue;
    fill(text.spans[i], base(text, i), pieces(view, near, text.starts[i], text.ends[i]));
    if (text.gaps[i]) text.gaps[i] = fillGap(text.gaps[i], i, pieces(view, near, text.ends[i], text.starts[i + 1]));
  }
}

function marksIn(view, start, end) {
  const { layers, nodes, found, tokens } = view, tiny = tokens?.tinyStarts ?? [];
  const marks = [...view.marks, ...layers.gold, ...layers.lost].filter((mark) => mark[0] < end && mark[1] > start);
  for (let m = upper(found.ends, start); m < found.starts.length && found.starts[m] < end; m++) marks.push([found.starts[m], found.ends[m], m === found.at ? "f fc" : "f"]);
  const points = [...view.points, ...layers.spots].filter(([at]) => at >= start && at <= end);
  for (let d = lowerPoint(layers.diff, start); d < layers.diff.length && layers.diff[d][0] <= end; d++) points.push(layers.diff[d]);
  if (nodes) points.push(...edgesIn(nodes.starts, nodes.tornStarts, start, end, 0), ...edgesIn(nodes.ends, nodes.tornEnds, start, end, 1));
  for (let t = lower(tiny, start), last = -1; t < tiny.length && tiny[t] < end; t++) { if (tiny[t] !== last) points.push([tiny[t], "tiny", 0]); last = tiny[t]; }
  return { marks, points };
}

/** The first of points in order that stands at or after an offset. */
function lowerPoint(points, offset) {
  let low = 0, high = points.length;
  while (low < high) { const mid = (low + high) >> 1; if (points[mid][0] < offset) low = mid + 1; else high = mid; }
  return low;
}

function edgesIn(edges, torn, start, end, after) {
  const points = [], name = after ? "c1" : "c0";
  for (let at = lower(edges, start), last = -1; at < edges.length && edges[at] <= end; at++) {
    if (edges[at] !== last) points.push([edges[at], torn.has(edges[at]) ? `${name} torn` : name, after]);
    last = edges[at];
  }
  return points;
}

const ENDED = new Set("neg"); // the others' numbers say how dense they are

/** Cut [start, end) where marks begin or end: [{text, names, before, after, pad}]. */
function pieces({ text }, near, start, end) {
  const marks = near.marks.filter((mark) => mark[0] < end && mark[1] > start), cuts = new Set([start, end]);
  const points = near.points.filter(([at, , after]) => after ? at > start && at <= end : at >= start && at < end);
  for (const [a, b] of marks) { if (a > start) cuts.add(a); if (b < end) cuts.add(b); }
  for (const [at] of points) cuts.add(at);
  if (text.pads.size) for (let at = start; at < end; at++) if (text.pads.has(at)) cuts.add(at);
  const at = [...cuts].sort((a, b) => a - b);
  return at.slice(1).map((to, index) => {
    const from = at[index], names = new Set();
    for (const [a, b, name] of marks) {
      if (a > from || b < to) continue;
      for (const one of name.split(" ")) names.add(one);
      if (!ENDED.has(name[0])) continue;
      if (a === from) names.add(`${name[0]}0`);
      if (b === to) names.add(`${name[0]}1`);
    }
    return {
      text: text.text.slice(from, to), names: [...names].join(" "), pad: text.pads.get(from) ?? 0,
      before: points.filter((point) => !point[2] && point[0] === from), after: points.filter((point) => point[2] && point[0] === to),
    };
  });
}

const bare = ({ before, after, pad }) => !before.length && !after.length && !pad;
const keyOf = (points) => points.map(([, names, , data]) => names + JSON.stringify(data ?? "")).join();

function fill(el, base, parts) {
  const key = parts.map((part) => `${part.text.length} ${part.names} ${keyOf(part.before)} ${keyOf(part.after)} ${part.pad}`).join("|");
  if (el.key === key) return;
  const single = parts.length === 1;
  if (el.key === undefined && single && !parts[0].names && bare(parts[0])) return;
  el.key = key;
  el.className = single ? `${base} ${parts[0].names}` : base;
  if (single && bare(parts[0])) {
    if (el.firstElementChild) el.textContent = parts[0].text;
    return;
  }
  el.replaceChildren(...parts.flatMap((part) => [...part.before.map(pointElement), ...pieceNodes(part, single), ...part.after.map(pointElement)]));
}

function pieceNodes({ text, names, pad }, single) {
  const inside = pad ? [padding(pad), text] : [text];
  if (single || !names) return inside;
  const piece = make("span", names);
  piece.append(...inside);
  return [piece];
}

function pointElement([, names, , data]) {
  const el = make("i", names, "", data);
  if (data?.rank) { el.role = "img"; el.ariaLabel = `hit ${data.rank}`; } else el.ariaHidden = "true";
  return el;
}

function padding(columns) {
  const el = make("i", "pad");
  el.style.width = `${columns}ch`;
  return el;
}

function fillGap(gap, i, parts) {
  const plain = parts.length === 1 && !parts[0].names && bare(parts[0]);
  if (plain === (gap.nodeType === Node.TEXT_NODE)) {
    if (!plain) fill(gap, "gap", parts);
    return gap;
  }
  const fresh = plain ? document.createTextNode(gap.textContent) : make("span", "gap", gap.textContent);
  fresh.gap = i;
  if (!plain) fill(fresh, "gap", parts);
  gap.replaceWith(fresh);
  return fresh;
}
