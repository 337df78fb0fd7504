// ---------------------------------------------------------------- nodes and windows: spans, and what they share
//
// Nodes may be of any strategy: they begin and end anywhere, and may overlap. `first` and `last` are the sentences they touch.
import { lower, partAt, upper } from "./tools.js";

export const SIX = 6;
const LEVELS = [1, 2, 3, 4, 6, 9];
const TINY = 10; // tokens, as core.chunk.compare has it

export function readNodes(text, { nodes, embedded, contexts, context }) {
  const rows = Int32Array.from(nodes), count = rows.length / SIX, torn = [], tornStarts = new Set(), tornEnds = new Set();
  const starts = new Int32Array(count), ends = new Int32Array(count);
  for (let j = 0, r = 0; j < count; j++, r += SIX) {
    starts[j] = rows[r];
    ends[j] = rows[r + 1];
    const begins = beginsTorn(text, starts[j], rows[r + 2]), stops = endsTorn(text, ends[j], rows[r + 3]);
    if (begins) tornStarts.add(starts[j]);
    if (stops) tornEnds.add(ends[j]);
    if (begins || stops) torn.push(j);
  }
  return { rows, count, starts: sorted(starts), ends: sorted(ends), torn, tornStarts, tornEnds, embedded: embedded ?? {}, contexts: contexts ?? [], context: context ?? [] };
}

function sorted(values) {
  for (let i = 1; i < values.length; i++) if (values[i] < values[i - 1]) return values.slice().sort();
  return values;
}

/** Whether a node begins or ends where no sentence does, or where one was cut because no model reads a text so long. */
const beginsTorn = (text, start, first) => start !== text.starts[first] || (text.hard.has(first - 1) && goesOn(text, first));
const endsTorn = (text, end, last) => end !== text.ends[last] || text.hard.has(last);

/** Whether a sentence stands in the block of the one before it. */
function goesOn({ blocks, starts }, i) {
  const { end, part } = blocks[partAt(blocks, starts[i - 1])];
  return end > starts[i] || part === "first" || part === "middle";
}

export function nodeAt({ rows }, j) {
  const [start, end, first, last, from, to] = rows.subarray(j * SIX, j * SIX + SIX);
  return { start, end, first, last, from, to };
}

/** What is returned for a node: itself, or whole sentences from k before its first to k after its last. */
export function windowOf({ text }, node, k) {
  if (!k) return { first: node.first, last: node.last, start: node.start, end: node.end };
  const first = Math.max(0, node.first - k), last = Math.min(text.n - 1, node.last + k);
  return { first, last, start: text.starts[first], end: text.ends[last] };
}

/** Nodes that hold an offset, the one that begins nearest to it first; between nodes, those of its sentence. */
export function holders({ nodes: { rows, count }, text }, offset) {
  const found = [];
  for (let j = 0, r = 0; j < count; j++, r += SIX) if (rows[r] <= offset && offset < rows[r + 1]) found.push(j);
  const i = upper(text.starts, offset) - 1;
  if (!found.length) for (let j = 0, r = 0; j < count; j++, r += SIX) if (rows[r + 2] <= i && i <= rows[r + 3]) found.push(j);
  return found.sort((a, b) => Math.abs(rows[a * SIX] - offset) - Math.abs(rows[b * SIX] - offset) || a - b);
}

/** All that is to be seen of the selected node, the pinned ones and what they share. */
export function sceneOf(view) {
  const { nodes, text, selected, window: k } = view, pinned = view.pinned.filter((j) => j !== selected);
  if (!nodes?.count || !text.n) return null;
  const items = [selected, ...pinned].map((j) => { const node = nodeAt(nodes, j); return { j, node, win: windowOf(view, node, k) }; });
  const { node, win } = items[0], near = neighbours(view, node, win);
  const others = pinned.length ? items.map((item) => item.win) : near.windows;
  const layers = layersOf(others).map(({ start, end, count }) => ({ start, end, count: pinned.length ? count - 1 : count })).filter((layer) => layer.count > 0);
  return { items, node, win, layers, sharing: near.sharing, twice: near.twice, doubled: layersOf(near.doubled) };
}

/** Where a stretch that ends with a sentence gives way to the next: white space between two is no layer of its own. */
const upToNext = ({ ends, starts, n }, end, last) => end === ends[last] && last + 1 < n ? starts[last + 1] : end;

/** Which other nodes are embedded with, or return, part of this one, and that part of their windows. */
function neighbours(view, node, win) {
  const { text, nodes: { rows, count }, selected, window: k } = view, sharing = [], twice = [], doubled = [], windows = [];
  for (let j = 0, r = 0; j < count; j++, r += SIX) {
    if (j === selected) continue;
    const a = Math.max(rows[r], node.start), b = Math.min(rows[r + 1], node.end);
    if (a < b) {
      twice.push({ j, a, b });
      doubled.push({ start: a, end: Math.min(upToNext(text, rows[r + 1], rows[r + 3]), node.end) });
    }
    const from = k ? text.starts[Math.max(0, rows[r + 2] - k)] : rows[r], to = k ? text.ends[Math.min(text.n - 1, rows[r + 3] + k)] : rows[r + 1];
    const start = Math.max(from, win.start), end = Math.min(to, win.end);
    if (start >= end) continue;
    sharing.push({ j, start, end });
    windows.push({ start, end: Math.min(upToNext(text, to, Math.min(text.n - 1, rows[r + 3] + k)), win.end) });
  }
  return { sharing, twice, doubled, windows };
}

/** The density, 1 to 6, that shows how many lie over each other. */
export const levelOf = (count) => LEVELS.findLastIndex((low) => low <= count) + 1;

/** How many of `spans` lie over each place: stretches in order, without those where none does. */
export function layersOf(spans) {
  const edges = spans.flatMap(({ start, end }) => [[start, 1], [end, -1]]).sort((a, b) => a[0] - b[0]);
  const found = [];
  let depth = 0, at = 0;
  for (const [edge, step] of edges) {
    if (depth && edge > at) {
      const last = found.at(-1);
      if (last?.end === at && last.count === depth) last.end = edge;
      else found.push({ start: at, end: edge, count: depth });
    }
    depth += step;
    at = edge;
  }
  return found;
}

/** The number of sentences that a span touches. */
export const touches = ({ starts, ends }, start, end) => Math.max(0, lower(starts, end) - upper(ends, start));

// ---------------------------------------------------------------- tokens
export function readTokens({ text, nodes }, value) {
  const sums = new Float64Array(text.n + 1);
  for (let i = 0; i < text.n; i++) sums[i + 1] = sums[i] + (value.sentences[i] ?? 0);
  const own = value.own.length ? value.own : value.nodes, flagged = [], tiny = [];
  value.nodes.forEach((count, j) => { if (count > value.truncates_at) flagged.push(j); });
  own.forEach((count, j) => { if (count - value.special < TINY) tiny.push(j); });
  return { ...value, own, sums, flagged, tiny, tinyStarts: sorted(Int32Array.from(tiny, (j) => nodes.rows[j * SIX])), totals: [] };
}

/** The tokens of a stretch: exact where it begins and ends as sentences do, else a sentence's are spread evenly over it. */
export function tokensIn({ text, tokens: { sums } }, start, end) {
  let exact = true;
  const upto = (place) => {
    const i = upper(text.starts, place) - 1;
    if (i < 0) return 0;
    if (place >= text.ends[i]) return sums[i + 1];
    exact &&= place === text.starts[i];
    return sums[i] + (sums[i + 1] - sums[i]) * (place - text.starts[i]) / (text.ends[i] - text.starts[i]);
  };
  const count = upto(end) - upto(start);
  return { count, exact };
}

/** Tokens of what is returned; those that a model puts around what it reads are not returned. */
export function returnedTokens({ text, nodes, tokens }, j, k) {
  if (!k) return tokens.own[j] - tokens.special;
  const r = j * SIX;
  return tokens.sums[Math.min(text.n - 1, nodes.rows[r + 3] + k) + 1] - tokens.sums[Math.max(0, nodes.rows[r + 2] - k)];
}

/** Sums over all nodes; redundancy is the tokens of all windows by those of the sentences they cover, as core has it. */
export function totalsFor(view, k) {
  const { nodes: { rows, count }, text, tokens } = view;
  if (tokens.totals[k]) return tokens.totals[k];
  let embedded = 0, returned = 0, distinct = 0, covered = 0;
  for (let j = 0, r = 0; j < count; j++, r += SIX) {
    embedded += tokens.nodes[j];
    returned += returnedTokens(view, j, k);
    const from = Math.max(covered, rows[r + 2] - k, 0), to = Math.min(text.n, rows[r + 3] + k + 1);
    if (to > from) { distinct += tokens.sums[to] - tokens.sums[from]; covered = to; }
  }
  return (tokens.totals[k] = { embedded, window: returned / count, redundancy: returned / Math.max(1, distinct) });
}

/** Where the model stopped reading each node that is too long; in proportion to the tokens where nobody looked. */
export function lostParts({ nodes, tokens, text }) {
  return tokens.flagged.filter((j) => nodes.embedded[j] === undefined || tokens.lost[j] !== undefined).map((j) => {
    const { from, to } = nodeAt(nodes, j), guess = from + Math.round((to - from) * tokens.truncates_at / tokens.nodes[j]);
    return [tokens.lost[j] ?? guess + (/[\udc00-\udfff]/.test(text.text[guess] ?? "") ? 1 : 0), to, "l", j];
  }).filter(([start, end]) => start < end);
}
