// ---------------------------------------------------------------- how alike neighbouring sentences are: a strip above the text, a lane in the minimap
//
// A gap g lies between sentences g and g + 1. The strip gives each gap the same room, the minimap draws it where the text is.
// Where more gaps than pixels lie side by side, each pixel shows the range of theirs.
import { arrived } from "./data.js";
import { rangesOf } from "./gutter.js";
import { inks, revealSpan } from "./map.js";
import { clamp, make, number, put } from "./tools.js";

const TALL = 48, PAD = 5, DOT = 2.6, LEAST_DOT = 1.1;
const told = (value, digits) => number(value, digits).replace("-", "−");

/** Take the curve that has come, or let go of the one that is no longer asked for; until a new one comes the old one stays. */
export function takeCurve(view) {
  const { data, ui } = view;
  if (arrived(view, "curve")) {
    view.curve = readCurve(view.loaded.curve.value);
    view.gap = clamp(view.gap, -1, view.curve.count - 1);
    view.mapStale = true;
  }
  if (!data.curve_url && view.curve) {
    Object.assign(view, { curve: null, mapStale: true });
    delete view.shown.curve;
    letGo(view);
  }
  ui.curve.hidden = !data.curve_url;
  ui.root.classList.toggle("curved", !!data.curve_url);
  if (data.curve_url) tellCurve(view);
}

function readCurve({ similarities, threshold, breaks }) {
  const known = [...similarities, threshold].filter((value) => value !== null), tenths = (value, round) => round(value * 10) / 10;
  const low = tenths(known.reduce((a, b) => Math.min(a, b), 1), Math.floor), high = tenths(known.reduce((a, b) => Math.max(a, b), 0), Math.ceil);
  return { values: similarities, count: similarities.length, threshold, breaks: new Set(breaks.map((sentence) => sentence - 1)), low, high: Math.max(high, low + 0.1) };
}

function tellCurve({ ui, curve, errors, gap, text, nodes }) {
  const waiting = errors.curve ? `could not be loaded: ${errors.curve}` : curve ? "" : "loading …";
  const summed = curve && (curve.threshold === null ? "nothing to compare" : `threshold ${told(curve.threshold, 2)} · ${number(curve.breaks.size)} break${curve.breaks.size === 1 ? "" : "s"}`);
  put(ui.curveTold, waiting || summed);
  put(ui.curveHigh, curve?.count ? told(curve.high, 1) : "");
  put(ui.curveLow, curve?.count ? told(curve.low, 1) : "");
  const box = ui.strip;
  box.setAttribute("aria-valuemin", curve?.count ? 1 : 0);
  box.setAttribute("aria-valuemax", curve?.count ?? 0);
  box.setAttribute("aria-valuenow", gap + 1);
  box.setAttribute("aria-valuetext", gap >= 0 && curve ? gapTold({ curve, text, nodes }, gap) : summed || waiting);
}

/** What there is to say of a gap: "sentence 41 → 42: 0.31 (threshold 0.35): break". */
export function gapTold({ curve, text, nodes }, g) {
  const value = curve.values[g], below = value !== null && value < curve.threshold, said = `sentence ${number(g + 1)} → ${number(g + 2)}: `;
  if (value === null) return `${said}not compared, a table or code lies here${curve.breaks.has(g) ? ": break" : ""}`;
  const digits = told(value, 2) === told(curve.threshold, 2) ? 3 : 2;
  const measured = `${said}${told(value, digits)} (threshold ${told(curve.threshold, digits)})`;
  if (!curve.breaks.has(g)) return below ? `${measured}: the break is above the heading before it` : measured;
  const taken = !nodes || nodes.ends.includes(text.ends[g]), moved = below ? "" : " above a heading";
  return `${measured}: break${moved}${taken ? "" : ", but no node ends here: too little text"}`;
}

// ---------------------------------------------------------------- drawing
/** The range of values for each of `room` places: [least, most] pairs, NaN where none is known. */
function ranges(values, room, placeOf) {
  const found = new Float32Array(2 * room).fill(NaN);
  values.forEach((value, g) => {
    const at = clamp(placeOf(g), 0, room - 1) * 2;
    if (value === null) return;
    if (!(found[at] <= value)) found[at] = value;
    if (!(found[at + 1] >= value)) found[at + 1] = value;
  });
  return found;
}

/** Draw a curve along one axis: `along(g)` is a gap's place, `across(value)` that of a value; `put` turns both into x and y. */
function trace(pen, values, along, across, point) {
  let open = false;
  pen.beginPath();
  values.forEach((value, g) => {
    if (value === null) { open = false; return; }
    const at = point(along(g), across(value));
    if (open) pen.lineTo(...at);
    else { pen.moveTo(...at); const beside = values[g - 1] ?? values[g + 1]; if (beside === undefined || beside === null) pen.lineTo(at[0] + 0.5, at[1] + 0.5); }
    open = true;
  });
  pen.stroke();
}

/** As `trace`, for more gaps than there are pixels: from the least to the most of each. */
function traceDense(pen, values, room, along, across, point) {
  const found = ranges(values, room, (g) => Math.floor(along(g)));
  pen.beginPath();
  for (let at = 0; at < room; at++) {
    if (Number.isNaN(found[2 * at])) continue;
    const from = across(found[2 * at]), to = across(found[2 * at + 1]);
    pen.moveTo(...point(at + 0.5, from));
    pen.lineTo(...point(at + 0.5, Math.abs(to - from) < 1 ? from + 1 : to));
  }
  pen.stroke();
}

function drawCurve(pen, { curve, room, along, across, point, ink, width }) {
  const dense = curve.count > room;
  pen.lineJoin = "round";
  pen.strokeStyle = ink.soft;
  pen.lineWidth = dense ? 1 : width;
  (dense ? traceDense : (p, v, _, ...rest) => trace(p, v, ...rest))(pen, curve.values, room, along, across, point);
  if (curve.threshold === null) return;
  pen.strokeStyle = ink.gone;
  pen.lineWidth = 1;
  pen.setLineDash([4, 3]);
  pen.beginPath();
  pen.moveTo(...point(0, across(curve.threshold)));
  pen.lineTo(...point(room, across(curve.threshold)));
  pen.stroke();
  pen.setLineDash([]);
}

/** Breaks as dots on the curve: smaller, and some left out, where they crowd. */
function drawBreaks(pen, { curve, room, along, across, point, ink, dot: most }) {
  const dot = clamp(room / (3 * Math.max(1, curve.breaks.size)), LEAST_DOT, most);
  let last = -9;
  pen.fillStyle = ink.gone;
  for (const g of curve.breaks) {
    const at = along(g);
    if (at - last < 1.5 * dot) continue;
    last = at;
    pen.beginPath();
    pen.arc(...point(at, across(curve.values[g] ?? curve.low)), dot, 0, 7);
    pen.fill();
  }
}

/** The lane beside the minimap's others: along the text, more alike to the right. */
export function drawLane({ curve, text }, pen, y, height, left, wide, ink) {
  if (!curve?.count) return;
  const across = (value) => left + 3 + (wide - 7) * (value - curve.low) / (curve.high - curve.low);
  const drawn = { curve, room: Math.max(1, Math.ceil(height)), along: (g) => clamp(y(text.starts[g + 1]), 2, height - 2), across, point: (along, value) => [value, along], ink, width: 1, dot: 2 };
  drawCurve(pen, drawn);
  drawBreaks(pen, drawn);
}

const middle = (g, { count }, wide) => (g + 0.5) * wide / count;

/** The strip; drawn again only if something in it has changed. */
export function drawStrip(view) {
  const { ui, curve, data, scene, gap } = view, wide = ui.strip.clientWidth;
  if (ui.curve.hidden || !wide || !view.root.isConnected) return;
  const ink = view.ink ?? inks(view), key = [view.shown.curve, data.nodes_url, wide, devicePixelRatio, scene?.node.start, scene?.node.end, gap, ink.ink, ink.soft].join();
  if (view.strip === key) return;
  view.strip = key;
  ui.stripCanvas.width = wide * devicePixelRatio;
  ui.stripCanvas.height = TALL * devicePixelRatio;
  if (!curve?.count) return;
  const pen = ui.stripCanvas.getContext("2d"), across = (value) => PAD + (TALL - 2 * PAD) * (curve.high - value) / (curve.high - curve.low);
  const along = (g) => middle(g, curve, wide), point = (x, y) => [x, y];
  pen.scale(devicePixelRatio, devicePixelRatio);
  if (scene) drawSelected(pen, scene, curve, wide, ink);
  drawCurve(pen, { curve, room: wide, along, across, point, ink, width: 1.25 });
  drawBreaks(pen, { curve, room: wide, along, across, point, ink, dot: DOT });
  if (gap >= 0) drawCursor(pen, along(gap), curve.values[gap], across, ink);
}

function drawSelected(pen, { node }, curve, wide, ink) {
  const from = middle(node.first - 0.5, curve, wide), to = middle(node.last - 0.5, curve, wide);
  pen.fillStyle = ink.node;
  pen.globalAlpha = 0.16;
  pen.fillRect(clamp(from, 0, wide - 2), 0, Math.max(2, to - from), TALL);
  pen.globalAlpha = 1;
  pen.fillRect(clamp(from, 0, wide - 2), TALL - 3, Math.max(2, to - from), 3);
}

function drawCursor(pen, x, value, across, ink) {
  pen.strokeStyle = pen.fillStyle = ink.ink;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x, 0);
  pen.lineTo(x, TALL);
  pen.stroke();
  if (value === null || value === undefined) return;
  pen.beginPath();
  pen.arc(x, across(value), 3.4, 0, 7);
  pen.lineWidth = 1.5;
  pen.stroke();
}

// ---------------------------------------------------------------- hands
export function listenCurve(view, on) {
  const { strip } = view.ui, under = (event) => {
    const box = strip.getBoundingClientRect();
    return clamp(Math.floor((event.clientX - box.left) * (view.curve?.count ?? 0) / box.width), 0, (view.curve?.count ?? 0) - 1);
  };
  on(strip, "pointermove", (event) => pointAt(view, near(view, under(event), strip.clientWidth)));
  on(strip, "pointerleave", () => { if (strip.getRootNode().activeElement !== strip) letGo(view); else view.ui.curveTip.hidden = true; });
  on(strip, "click", (event) => { pointAt(view, near(view, under(event), strip.clientWidth)); goToGap(view); });
  on(strip, "focus", () => { if (view.gap < 0 && view.scene && strip.matches(":focus-visible")) pointAt(view, view.scene.node.first); });
  on(strip, "blur", () => letGo(view));
  on(strip, "keydown", (event) => onStripKey(view, event));
}

/** The break within two pixels of a gap, if there is one: where gaps crowd, a hand means the dot. */
function near({ curve }, g, wide) {
  const reach = Math.floor(2 * (curve?.count ?? 0) / Math.max(1, wide));
  for (let by = 0; by <= reach; by++) for (const other of [g - by, g + by]) if (curve.breaks.has(other)) return other;
  return g;
}

function onStripKey(view, event) {
  const { curve, gap } = view;
  if (!curve?.count || event.ctrlKey || event.metaKey || event.altKey) return;
  const breaks = [...curve.breaks].sort((a, b) => a - b), { key } = event;
  const to = {
    ArrowRight: gap + 1, ArrowUp: gap + 1, ArrowLeft: gap - 1, ArrowDown: gap - 1, Home: 0, End: curve.count - 1,
    PageDown: breaks.find((g) => g > gap) ?? gap, PageUp: breaks.findLast((g) => g < gap) ?? gap,
  }[key];
  if (to !== undefined) pointAt(view, clamp(to, 0, curve.count - 1));
  else if (key === "Enter" || key === " ") goToGap(view);
  else return;
  event.preventDefault();
}

function pointAt(view, g) {
  const { ui, curve } = view;
  if (!curve?.count || g < 0) return;
  view.gap = g;
  drawStrip(view);
  tellCurve(view);
  ui.curveTip.replaceChildren(make("bdi", "", gapTold(view, g)));
  ui.curveTip.hidden = false;
  const frame = ui.curve.getBoundingClientRect(), box = ui.strip.getBoundingClientRect(), x = box.left - frame.left + middle(g, curve, box.width);
  ui.curveTip.style.left = `${clamp(x - ui.curveTip.offsetWidth / 2, 0, frame.width - ui.curveTip.offsetWidth)}px`;
}

export function letGo(view) {
  view.gap = -1;
  view.ui.curveTip.hidden = true;
  globalThis.CSS?.highlights?.delete("viewer-gap");
  drawStrip(view);
  if (view.curve) tellCurve(view);
}

/** Bring the two sentences into sight, and mark them as long as the strip is in hand. */
function goToGap(view) {
  const { text, gap, curve } = view;
  if (gap < 0 || !curve?.count) return;
  view.hurry = true; // far or near, the place is there at once: the strip is read by going along it
  revealSpan(view, text.starts[gap], text.ends[gap + 1]);
  view.hurry = false;
  if (typeof Highlight !== "function" || !globalThis.CSS?.highlights) return;
  const parts = rangesOf(view, text.starts[gap], text.ends[gap + 1]);
  if (parts.length) CSS.highlights.set("viewer-gap", new Highlight(...parts));
}
