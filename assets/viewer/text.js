// ---------------------------------------------------------------- the document: sentences in blocks in sections
//
// The whole text is in the page from the start, so that the browser's own find and a screen reader have it; but only
// sections near the viewport are made of blocks and sentences, the others are one text node each and never laid out.
// textContent of .doc is the text, always: badges, ticks and brackets are empty elements (CSS content).
import { find } from "./find.js";
import { placeBrackets } from "./gutter.js";
import { drawHead, drawMap, drawOutline } from "./map.js";
import { paint, restyle } from "./marks.js";
import { clamp, lower, make, partAt, squeezed, upper } from "./tools.js";

const SECTION = 6000, PART = 8000, AHEAD = 800, LINE = 27, NARROW_LINE = 21;

export function buildText(view, value) {
  const n = value.sentences.length / 2, doc = {
    text: value.text, n, starts: new Int32Array(n), ends: new Int32Array(n), hard: new Set(value.hard), prefixes: value.prefixes,
    spans: new Array(n), gaps: new Array(n), pads: new Map(), astral: [],
  };
  for (let i = 0; i < n; i++) { doc.starts[i] = value.sentences[2 * i]; doc.ends[i] = value.sentences[2 * i + 1]; }
  for (const found of value.text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) doc.astral.push(found.index);
  doc.blocks = wholeBlocks(doc, value);
  doc.headings = headingsOf(doc);
  doc.sections = cutSections(doc, lineLength(view));
  for (const [number, section] of doc.sections.entries()) section.el = sectionElement(doc, section, number);
  Object.assign(view, { text: doc, nodes: null, tokens: null, diff: null, scene: null, marks: [], points: [], touched: null, extras: "", mapStale: true });
  view.layers = { gold: [], lost: [], found: [], spots: [], diff: [] };
  view.ui.doc.classList.toggle("paged", doc.blocks.some((block) => block.page));
  view.ui.doc.replaceChildren(...doc.sections.map((section) => section.el));
  view.ui.scroll.scrollTop = 0;
  view.ui.scroll.ariaLabel = `Text of ${view.data.name}. j and k move between nodes, slash finds, question mark helps.`;
  drawOutline(view);
  find(view, view.ui.find.hidden ? "" : view.ui.query.value);
  paint(view);
  inSight(view);
}

/** The given blocks, those that are too long in parts, plus plain ones for text outside; a sentence is never cut by an edge. */
function wholeBlocks(doc, { blocks: rows, kinds }) {
  const blocks = [];
  let at = 0, under = 0;
  const add = (kind, start, end, page, depth) => {
    start = Math.max(start, at);
    const last = upper(doc.starts, end - 1) - 1;
    if (last >= 0 && doc.ends[last] > end) end = doc.ends[last];
    if (end <= start) return;
    under = depth + (kind === "heading");
    at = end;
    for (const [a, b] of parted(doc, kind, start, end)) blocks.push({ kind, start: a, end: b, page, depth, part: a > start ? b < end ? "middle" : "last" : b < end ? "first" : "" });
  };
  const between = (end) => { if (end > at && doc.text.slice(at, end).trim()) add("paragraph", at, end, 0, under); };
  for (let r = 0; r < rows.length; r += 5) { between(rows[r + 1]); add(kinds[rows[r]], rows[r + 1], rows[r + 2], rows[r + 3], rows[r + 4]); }
  between(doc.text.length);
  return blocks;
}

/** A block in parts that can be laid out one by one: cut between sentences, where a line ends if one does nearby. */
function parted(doc, kind, start, end) {
  const parts = [];
  while (end - start > PART) {
    const first = lower(doc.starts, start + PART * 0.75);
    let cut = -1;
    for (let i = first; i < Math.min(doc.n, first + 60) && doc.starts[i] < end && cut < 0; i++) if (doc.text[doc.starts[i] - 1] === "\n") cut = doc.starts[i];
    if (cut < 0 && doc.starts[first] < end) cut = doc.starts[first];
    if (cut <= start) break;
    parts.push([start, cut]);
    start = cut;
  }
  parts.push([start, end]);
  return parts;
}

/** Headings with the number of the one above each (-1: none); a block's depth is how many stand above it. */
function headingsOf(doc) {
  const headings = [], open = [];
  for (const [number, block] of doc.blocks.entries()) {
    if (block.kind === "heading") {
      open.length = Math.min(open.length, block.depth);
      const title = squeezed(doc.text.slice(block.start, Math.min(block.end, block.start + 300)).replace(/^#+\s+/, ""));
      open[block.depth] = headings.push({ start: block.start, depth: block.depth, above: open.findLast((h) => h !== undefined) ?? -1, title, number }) - 1;
    }
  }
  return headings;
}

/** The headings above an offset, the outermost first; a heading is above itself. */
export function pathAt({ headings, blocks }, offset) {
  if (!headings.length || offset < headings[0].start) return [];
  const block = blocks[partAt(blocks, offset)], path = [];
  let at = partAt(headings, offset);
  while (at >= 0 && headings[at].depth >= block.depth + (block.kind === "heading")) at = headings[at].above;
  for (; at >= 0; at = headings[at].above) path.unshift(headings[at]);
  return path;
}

/** The page an offset lies on, 0 where there are none. */
export const pageAt = ({ blocks }, offset) => blocks[partAt(blocks, offset)]?.page ?? 0;

function lineLength({ ui }) {
  return clamp((Math.min(688, ui.scroll.clientWidth || 688) - 110) / 7.4, 24, 90);
}

function cutSections(doc, line) {
  const sections = [];
  let section = null, at = 0;
  for (const [number, block] of doc.blocks.entries()) {
    section ??= { start: at, from: number, to: number, height: 0, built: false, stale: false };
    section.to = number;
    section.height += heightOf(doc, block, line);
    at = block.end;
    if (at - section.start < SECTION && number - section.from < 39) continue;
    sections.push(Object.assign(section, { end: at }));
    section = null;
  }
  if (section) sections.push(Object.assign(section, { end: at }));
  if (sections.length) sections.at(-1).end = doc.text.length;
  else sections.push({ start: 0, end: doc.text.length, from: 0, to: -1, height: LINE, built: false, stale: false });
  let above = 0;
  for (const section of sections) { section.above = above; above += section.height; }
  doc.height = Math.max(1, above);
  return sections;
}

function heightOf({ text }, { kind, start, end, part }, line) {
  const narrow = kind === "code" || kind === "table";
  let lines = 0;
  for (let at = start; at < end;) {
    const to = text.indexOf("\n", at), stop = to < 0 || to > end ? end : to;
    lines += kind === "table" ? 1 : Math.max(1, Math.ceil((stop - at) / (narrow ? line * 0.94 : line)));
    at = stop + 1;
  }
  return lines * (narrow ? NARROW_LINE : LINE) + (part && part !== "last" ? 1 : 14) + (kind === "heading" ? 6 : 0);
}

function sectionElement(doc, section, number) {
  const el = make("div", "section", doc.text.slice(section.start, section.end));
  el.style.containIntrinsicBlockSize = `auto ${section.height}px`;
  el.number = number;
  return el;
}

// ---------------------------------------------------------------- sections come and go with the viewport
/** Make what is in sight, or soon will be, and let it show the marks of now. */
export function inSight(view) {
  const { text, ui: { scroll } } = view;
  if (!text || !scroll.clientHeight) return;
  let built = false;
  for (let turn = 0; turn < 3; turn++) { // what is made may be lower than it was thought to be
    const near = sectionsIn(view, scroll.scrollTop - AHEAD, scroll.scrollTop + scroll.clientHeight + AHEAD).filter((s) => !s.built || s.stale);
    if (!near.length) break;
    for (const section of near) { built ||= !section.built; prepare(view, section); }
  }
  if (built) placeBrackets(view);
  drawHead(view);
  drawMap(view);
}

export function sectionsIn({ text: { sections } }, top, bottom) {
  let low = 0, high = sections.length - 1;
  while (low < high) { const mid = (low + high + 1) >> 1; if (sections[mid].el.offsetTop <= top) low = mid; else high = mid - 1; }
  let end = low + 1;
  while (end < sections.length && sections[end].el.offsetTop < bottom) end++;
  return sections.slice(low, end);
}

export const sectionAt = ({ text: { sections } }, offset) => sections[partAt(sections, offset)];

export function prepare(view, section) {
  if (!section.built) build(view.text, section);
  if (section.stale) { restyle(view, section.start, section.end); section.stale = false; }
}

export function build(doc, section) {
  const parts = document.createDocumentFragment();
  let at = section.start;
  for (let number = section.from; number <= section.to; number++) {
    const block = doc.blocks[number];
    if (block.start > at) parts.append(doc.text.slice(at, block.start));
    parts.append(buildBlock(doc, block, number));
    at = block.end;
  }
  if (at < section.end) parts.append(doc.text.slice(at, section.end));
  section.el.replaceChildren(parts);
  section.built = section.stale = true;
}

function buildBlock(doc, block, number) {
  const el = make("div", `block ${block.kind} ${block.part}`);
  el.dir = "auto";
  if (block.kind === "heading") { el.role = "heading"; el.ariaLevel = Math.min(6, block.depth + 1); }
  if (block.kind === "table") rule(doc, block);
  if (block.page && block.page !== doc.blocks[number - 1]?.page) el.dataset.page = block.page;
  let at = block.start;
  for (let i = lower(doc.starts, block.start); i < doc.n && doc.starts[i] < block.end; i++) {
    if (doc.starts[i] > at) {
      const gap = document.createTextNode(doc.text.slice(at, doc.starts[i]));
      gap.gap = i - 1;
      if (at > block.start) doc.gaps[i - 1] = gap;
      el.append(gap);
    }
    at = Math.max(at, doc.ends[i]);
    const span = make("span", base(doc, i), doc.text.slice(doc.starts[i], at));
    span.index = i;
    el.append((doc.spans[i] = span));
  }
  if (at < block.end) el.append(doc.text.slice(at, block.end));
  return el;
}

/** A sentence that was cut where none ends says so. */
export const base = (doc, i) => doc.hard.has(i) ? "s hard" : "s";

/** Where the cells of a Markdown table end, and by how many characters each is shorter than its column: room, not text. */
function rule(doc, { start, end }) {
  const lines = [], widths = [];
  for (const line of doc.text.slice(start, end).matchAll(/^[ \t]*\|.*$/gm)) {
    const cells = [];
    let from = line.index + line[0].indexOf("|") + 1;
    for (let at = from; at < line.index + line[0].length; at++) {
      const sign = doc.text[start + at];
      if (sign === "\\") at++;
      else if (sign === "|") { cells.push([start + at, cells_width(doc.text.slice(start + from, start + at))]); from = at + 1; }
    }
    cells.forEach(([, width], column) => { widths[column] = Math.min(48, Math.max(widths[column] ?? 0, width)); });
    lines.push(cells);
    if (lines.length > 2000) return;
  }
  for (const cells of lines) cells.forEach(([at, width], column) => { if (width < widths[column]) doc.pads.set(at, widths[column] - width); });
}

/** Columns of a monospaced line that a text takes: East Asian signs and emoji take two. */
function cells_width(text) {
  let width = 0;
  for (const sign of text) width += /\p{M}|\p{Cf}/u.test(sign) ? 0 : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(sign) ? 2 : 1;
  return width;
}
