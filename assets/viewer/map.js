// ---------------------------------------------------------------- minimap, running head, outline: where one is in the whole
//
// The minimap shows the text by its estimated height, so that no mark ever moves while one scrolls. It is drawn on a canvas:
// what stays for a document and setting once (the base), what moves over it each time.
import { drawLane, drawStrip } from "./curve.js";
import { topOffset } from "./find.js";
import { SIX } from "./nodes.js";
import { lastRect, rectAt } from "./places.js";
import { inSight, pageAt, pathAt, prepare, sectionAt, sectionsIn } from "./text.js";
import { button, clamp, make, number, partAt, put, rich, shortened, upper } from "./tools.js";

const LANE = { pins: 2, nodes: 9, spots: 27 }, NODES_WIDE = 15, MAP_WIDE = 42, CURVE_WIDE = 34, MOST_HEADINGS = 1500, MOST_SCALE = 0.35;

export function drawMap(view) {
  cancelAnimationFrame(view.frame);
  view.frame = requestAnimationFrame(() => {
    const { ui, text } = view, height = ui.map.clientHeight;
    if (!text || !height || !view.root.isConnected) return;
    if (view.mapStale || view.mapBase?.height !== height * devicePixelRatio || view.mapBase.width !== wideOf(view) * devicePixelRatio) drawBase(view, height);
    sized(ui.canvas, wideOf(view), height);
    const pen = ui.canvas.getContext("2d");
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(view.mapBase, 0, 0);
    pen.scale(devicePixelRatio, devicePixelRatio);
    drawOver(view, pen, tallOf(view));
    drawStrip(view);
  });
}

/** The minimap has a lane more where a curve is asked for. */
const wideOf = ({ data }) => MAP_WIDE + (data?.curve_url ? CURVE_WIDE : 0);

function sized(canvas, wide, height) {
  canvas.width = wide * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  return canvas;
}

/** The theme's colours as the style sheet mixes them: a canvas knows no variables. */
export function inks({ ui }) {
  const names = ["ink", "node", "gold", "hit", "amber", "faint", "soft", "paper", "found", "born", "gone"];
  return Object.fromEntries(names.map((name) => {
    ui.canvas.style.color = `var(--${name})`;
    return [name, getComputedStyle(ui.canvas).color];
  }));
}

function drawBase(view, height) {
  view.mapStale = false;
  view.mapBase = sized(document.createElement("canvas"), wideOf(view), height);
  const ink = (view.ink = inks(view)), pen = view.mapBase.getContext("2d"), { text, layers, found, tokens, nodes } = view;
  height = tallOf(view);
  const y = (offset) => height * fraction(text, offset);
  pen.scale(devicePixelRatio, devicePixelRatio);
  const dash = (offset, left, width, colour, tall = 2) => { pen.fillStyle = colour; pen.fillRect(left, Math.min(height - tall, Math.max(0, y(offset) - tall / 2)), width, tall); };
  if (nodes) drawDensity(view, pen, height, ink);
  let above = -9;
  for (const { start, depth } of text.headings) {
    if (y(start) - above < 3) continue; // where they crowd, they would hide the nodes
    above = y(start);
    dash(start, LANE.nodes, NODES_WIDE - 3 * Math.min(3, depth), ink.soft, 1);
  }
  for (let last = -9, m = 0; m < found.starts.length; m++) { const at = y(found.starts[m]); if (at - last >= 1) { dash(found.starts[m], LANE.spots, 13, ink.found, 2); last = at; } }
  for (const [start, end] of layers.gold) { pen.fillStyle = ink.gold; pen.fillRect(LANE.spots, y(start) - 1, 5, Math.max(4, y(end) - y(start))); }
  for (const [at, names] of layers.diff) if (/born|gone|moved/.test(names)) dash(at, MAP_WIDE - 8, 8, /gone/.test(names) ? ink.gone : ink.born, 2);
  for (const j of nodes?.torn.length < nodes?.count / 3 ? nodes.torn : []) dash(nodes.rows[j * SIX + 1], MAP_WIDE - 3, 3, ink.amber, 1);
  for (const j of tokens?.flagged ?? []) dash(nodes.rows[j * SIX], MAP_WIDE - 5, 5, ink.amber, 3);
  drawLane(view, pen, y, height, MAP_WIDE, CURVE_WIDE, ink);
  for (const [at, names] of layers.spots) {
    pen.beginPath();
    pen.arc(LANE.spots + 8, clamp(y(at), 4, height - 4), 3.2, 0, 7);
    pen.fillStyle = names === "hit" ? ink.hit : ink.paper;
    pen.strokeStyle = ink.hit;
    pen.lineWidth = 1.5;
    pen.fill();
    pen.stroke();
  }
}

/** Each node as a bar where there is room; else how many there are, as a grey. */
function drawDensity({ nodes, text }, pen, height, ink) {
  const y = (offset) => height * fraction(text, offset);
  pen.fillStyle = ink.node;
  if (nodes.count * 4 < height) {
    pen.globalAlpha = 0.3;
    for (let r = 0; r < nodes.rows.length; r += SIX) { const top = y(nodes.rows[r]); pen.fillRect(LANE.nodes, top, NODES_WIDE, Math.max(1, y(nodes.rows[r + 1]) - top - 1)); }
  } else {
    const rows = new Float32Array(Math.ceil(height / 2));
    for (const start of nodes.starts) rows[Math.min(rows.length - 1, Math.floor(y(start) / 2))]++;
    const most = rows.reduce((a, b) => Math.max(a, b), 1);
    rows.forEach((count, row) => { if (count) { pen.globalAlpha = 0.1 + 0.38 * count / most; pen.fillRect(LANE.nodes, row * 2, NODES_WIDE, 1.6); } });
  }
  pen.globalAlpha = 1;
}

function drawOver(view, pen, height) {
  const { text, scene, ui, ink, found } = view, wide = wideOf(view);
  const y = (offset) => height * fraction(text, offset);
  for (const { node, win } of [...(scene?.items ?? [])].reverse()) {
    pen.fillStyle = ink.node;
    pen.fillRect(LANE.pins, y(win.start), 2, Math.max(6, y(win.end) - y(win.start)));
    pen.fillRect(LANE.pins, y(win.start), 5, 1.5);
    pen.fillRect(LANE.pins, Math.max(y(win.end), y(win.start) + 6) - 1.5, 5, 1.5);
    pen.fillRect(LANE.nodes - 3, y(node.start) - 1, NODES_WIDE + 6, Math.max(4, y(node.end) - y(node.start) + 1));
  }
  if (found.at >= 0) { pen.fillStyle = ink.ink; pen.fillRect(LANE.spots - 2, y(found.starts[found.at]) - 1.5, 17, 3); }
  const [top, bottom] = inView({ text, ui }).map((part) => part * height), tall = Math.max(8, bottom - top);
  pen.fillStyle = pen.strokeStyle = ink.ink;
  pen.globalAlpha = 0.07;
  pen.fillRect(0, top, wide, tall);
  pen.globalAlpha = 0.32;
  pen.lineWidth = 1;
  pen.strokeRect(0.5, Math.round(top) + 0.5, wide - 1, Math.min(tall, height - top) - 1);
  pen.globalAlpha = 1;
}

/** How much of the minimap's height the text takes: a short one is not blown up. */
const tallOf = ({ text, ui }) => Math.min(ui.map.clientHeight, text.height * MOST_SCALE);

/** How far down the text an offset lies, from 0 to 1. */
function fraction({ sections, height }, offset) {
  const section = sections[partAt(sections, offset)];
  return (section.above + section.height * clamp((offset - section.start) / Math.max(1, section.end - section.start), 0, 1)) / height;
}

/** How far down the text the upper and lower edge of what is in sight lie. */
function inView({ text, ui: { scroll } }) {
  const near = sectionsIn({ text }, scroll.scrollTop, scroll.scrollTop + scroll.clientHeight);
  return [[near[0], scroll.scrollTop], [near.at(-1), scroll.scrollTop + scroll.clientHeight]].map(([section, at]) => {
    const inside = clamp((at - section.el.offsetTop) / Math.max(1, section.el.offsetHeight), 0, 1);
    return (section.above + section.height * inside) / text.height;
  });
}

/** The offset that the minimap shows at a height. */
function offsetOnMap({ text, ui }, event) {
  const at = clamp((event.clientY - ui.map.getBoundingClientRect().top) / tallOf({ text, ui }), 0, 1) * text.height;
  let s = text.sections.length - 1;
  while (s && text.sections[s].above > at) s--;
  const { start, end, above, height } = text.sections[s];
  return Math.min(end - 1, start + Math.floor((end - start) * (at - above) / Math.max(1, height)));
}

export function dragMap(view, event) {
  if (!view.text) return;
  const offset = offsetOnMap(view, event), section = sectionAt(view, offset), { scroll, tip } = view.ui;
  if (event.buttons & 1) {
    const inside = (offset - section.start) / Math.max(1, section.end - section.start);
    scroll.scrollTop = section.el.offsetTop + section.el.offsetHeight * inside - scroll.clientHeight / 2;
  }
  const path = pathAt(view.text, offset), page = pageAt(view.text, offset), j = view.nodes ? upper(view.nodes.starts, offset) - 1 : -1;
  tip.replaceChildren(...[path.at(-1)?.title, page ? `p. ${number(page)}` : "", j >= 0 ? `node ${number(j + 1)}` : ""].filter(Boolean).map((part) => make("bdi", "", shortened(part, 60))));
  tip.style.top = `${clamp(event.clientY - view.ui.page.getBoundingClientRect().top - 14, 2, view.ui.page.clientHeight - 30)}px`;
  tip.hidden = !tip.childElementCount;
}

// ---------------------------------------------------------------- headings and pages
/** The headings above what is in sight, and its page. */
export function drawHead(view) {
  const { text, ui } = view, offset = topOffset(view), path = pathAt(text, offset), page = pageAt(text, offset), key = `${path.at(-1)?.start} ${page}`;
  if (view.head === key) return;
  view.head = key;
  ui.path.hidden = !text.headings.length;
  rich(ui.path, ...path.flatMap(({ title }, at) => [...(at ? [" › "] : []), ["bdi", shortened(title, 60)]]));
  if (!path.length) put(ui.path, "Outline");
  put(ui.leaf, page ? `page ${number(page)}` : "");
  const here = path.at(-1)?.start;
  for (const item of ui.outline.children) item.toggleAttribute("aria-current", +item.dataset.at === here);
  ui.outline.querySelector("[aria-current]")?.scrollIntoView?.({ block: "nearest" });
}

/** The headings as a list, the deepest left out where there are too many. */
export function drawOutline(view) {
  const { text: { headings }, ui } = view;
  let deepest = headings.reduce((most, { depth }) => Math.max(most, depth), 0);
  while (deepest && headings.filter(({ depth }) => depth <= deepest).length > MOST_HEADINGS) deepest--;
  const shown = headings.filter(({ depth }) => depth <= deepest).slice(0, MOST_HEADINGS);
  ui.outline.replaceChildren(...shown.map(({ title, depth, start }) => {
    const item = button("", { at: start });
    item.style.paddingInlineStart = `${8 + 12 * Math.min(depth, 4)}px`;
    item.append(make("bdi", "", shortened(title, 90) || "…"));
    return item;
  }));
  view.head = "";
  ui.page.classList.toggle("outlined", headings.length > 1);
  showOutline(view, false);
}

export function showOutline({ ui }, open) {
  ui.outline.hidden = !open;
  ui.path.ariaExpanded = String(open);
}

// ---------------------------------------------------------------- scrolling
export function reveal(view) {
  const { scene } = view;
  view.unrevealed = !view.ui.scroll.clientHeight;
  if (scene && !view.unrevealed) revealSpan(view, scene.node.start, scene.node.end);
}

/** Bring a span into the text's own viewport (never scrolls the page); a second look after far sections got their real heights. */
export function revealSpan(view, start, end, tries = 2) {
  const { scroll } = view.ui, section = sectionAt(view, start);
  prepare(view, section);
  const box = scroll.getBoundingClientRect(), rect = rectAt(view, start) ?? section.el.getBoundingClientRect();
  const bottom = (end - start < 4000 && lastRect(view, start, end)?.bottom) || rect.bottom;
  const top = rect.top - box.top;
  if (top >= 40 && (bottom - box.top <= box.height - 40 || bottom - rect.top > box.height - 80) && top < box.height - 60) return inSight(view);
  const by = top - box.height * 0.3, near = Math.abs(by) < box.height && tries === 2;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches || view.hurry;
  scroll.scrollBy({ top: by, behavior: near && !calm ? "smooth" : "instant" });
  inSight(view);
  if ((!near || calm) && tries) requestAnimationFrame(() => requestAnimationFrame(() => view.root.isConnected && revealSpan(view, start, end, tries - 1)));
}
