// ---------------------------------------------------------------- the user's actions
import { goTo } from "./compare.js";
import { listenCurve } from "./curve.js";
import { busy, load } from "./data.js";
import { FIND_DELAY, closeFind, find, openFind, turn } from "./find.js";
import { dragMap, drawMap, reveal, revealSpan, showOutline } from "./map.js";
import { forgetPreview, preview } from "./gutter.js";
import { paint } from "./marks.js";
import { holders } from "./nodes.js";
import { copyAs, showParts } from "./panel.js";
import { offsetAt } from "./places.js";
import { inSight } from "./text.js";
import { clamp, remember, remembered, upper } from "./tools.js";

const MOST_PINNED = 12, KEY_DELAY = 150;

export function listen(view) {
  const { ui } = view, signal = view.stop.signal;
  const on = (el, type, run) => el.addEventListener(type, run, { signal });
  on(ui.slider, "input", () => { view.dragging = true; setWindow(view, +ui.slider.value); });
  on(ui.slider, "change", () => { view.dragging = false; report(view, KEY_DELAY); });
  for (const type of ["pointerup", "pointercancel", "blur"]) on(ui.slider, type, () => setTimeout(() => release(view)));
  on(ui.previous, "click", () => step(view, view.selected - 1));
  on(ui.next, "click", () => step(view, view.selected + 1));
  on(ui.retry, "click", () => { for (const kind of Object.keys(view.errors)) load(view, kind); });
  on(document, "keydown", (event) => onKey(view, event));
  on(ui.root, "click", (event) => onButton(view, event));
  on(ui.doc, "mousedown", (event) => { if (event.shiftKey) event.preventDefault(); }); // shift-click pins; it selects no text
  on(ui.doc, "click", (event) => onText(view, event));
  on(ui.doc, "mousemove", (event) => onHover(view, event));
  on(ui.doc, "mouseleave", () => { cancelAnimationFrame(view.hoverFrame); forgetPreview(view); });
  on(ui.scroll, "scroll", () => inSight(view));
  listenAround(view, on);
  listenCurve(view, on);
}

function listenAround(view, on) {
  const { ui } = view;
  on(ui.map, "pointerdown", (event) => { ui.map.setPointerCapture(event.pointerId); dragMap(view, event); });
  on(ui.map, "pointermove", (event) => dragMap(view, event));
  on(ui.map, "pointerleave", () => { ui.tip.hidden = true; });
  on(ui.map, "transitionend", () => { view.mapStale = true; drawMap(view); }); // the theme has changed its colours
  on(ui.path, "click", () => showOutline(view, ui.outline.hidden));
  on(ui.openFind, "click", () => openFind(view));
  on(ui.openHelp, "click", () => ui.help.showModal());
  on(ui.query, "input", () => { clearTimeout(view.findTimer); view.findTimer = setTimeout(() => find(view, ui.query.value), FIND_DELAY); });
  on(ui.find, "submit", (event) => { event.preventDefault(); turn(view, 1); });
  on(ui.find, "keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") { event.preventDefault(); closeFind(view); }
    if (event.key === "Enter" && event.shiftKey) { event.preventDefault(); turn(view, -1); }
  });
  on(ui.findPrevious, "click", () => turn(view, -1));
  on(ui.findClose, "click", () => closeFind(view));
  ui.everywhere.checked = remembered("keys", "page") === "page";
  on(ui.everywhere, "change", () => remember("keys", ui.everywhere.checked ? "page" : "viewer"));
  for (const part of ui.root.querySelectorAll("details[data-part]")) on(part, "toggle", () => showParts(view));
}

// ---------------------------------------------------------------- keys
const TYPED = 'textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], [role="searchbox"], [role="combobox"], [role="spinbutton"], [role="listbox"], [role="menu"], [role="grid"]';
const UNTYPED = new Set(["range", "checkbox", "radio", "button", "submit", "reset", "color", "file"]);

const isTyped = (el) => el.matches?.(TYPED) || el.isContentEditable || (el.localName === "input" && !UNTYPED.has(el.type)) || !!el.closest?.('[role="dialog"], dialog, [role="grid"]');

function onKey(view, event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const path = event.composedPath(), target = path[0], inside = path.includes(view.root);
  if (!view.text || isTyped(target) || (!inside && !(view.ui.everywhere.checked && view.root.checkVisibility?.()))) return;
  const done = keyed(view, event, target, inside);
  if (!done) return;
  event.preventDefault();
  event.stopPropagation();
}

function keyed(view, event, target, inside) {
  const { key } = event, last = (view.nodes?.count ?? 0) - 1;
  if (key === "/") return openFind(view), true;
  if (key === "?") return view.ui.help.showModal(), true;
  if (key === "Escape") return inside || target === document.body ? escape(view) : false;
  if (key === "p") return pin(view, view.selected), true;
  const inText = inside && target !== view.ui.slider && !target.classList.contains("box") && !target.closest("nav");
  const to = { j: view.selected + 1, k: view.selected - 1 }[key] ?? (inText ? { ArrowDown: view.selected + 1, ArrowUp: view.selected - 1, Home: 0, End: last }[key] : undefined);
  if (to === undefined) return false;
  view.hurry = event.repeat;
  step(view, to);
  view.hurry = false;
  return true;
}

function escape(view) {
  if (!view.ui.outline.hidden) return showOutline(view, false), true;
  if (closeFind(view)) return true;
  if (!view.pinned.length) return false;
  view.pinned = [];
  repinned(view);
  return true;
}

// ---------------------------------------------------------------- pointer
function onButton(view, event) {
  const pressed = event.target.closest?.("button");
  if (!pressed) return;
  const { node, copy, at, unpin, goto, flag, doc, why } = pressed.dataset;
  if (doc) view.leave({ doc_id: doc, ordinal: +node });
  else if (node) step(view, +node);
  if (copy) copyAs(view, pressed);
  if (why !== undefined && view.scene) view.why({ ordinal: view.selected });
  if (unpin) pin(view, +unpin);
  if (goto) goTo(view, goto);
  if (flag) step(view, nextFlagged(view, flag));
  if (at) { showOutline(view, false); revealSpan(view, +at, +at + 1); }
}

function onHover(view, event) {
  cancelAnimationFrame(view.hoverFrame);
  if (event.buttons || busy(view)) return;
  const spot = { clientX: event.clientX, clientY: event.clientY, target: event.target }; // outside its dispatch an event forgets its target
  view.hoverFrame = requestAnimationFrame(() => {
    if (busy(view) || !view.root.isConnected) return;
    const offset = offsetAt(view, spot);
    preview(view, offset < 0 ? -1 : holders(view, offset)[0] ?? -1);
  });
}

function onText(view, event) {
  const marked = view.root.getRootNode().getSelection?.() ?? getSelection();
  if (busy(view) || (!event.shiftKey && marked && !marked.isCollapsed)) return;
  const offset = offsetAt(view, event);
  if (offset < 0) return;
  const found = holders(view, offset), key = found.join(), again = view.clicked === key ? found.indexOf(view.selected) + 1 : 0;
  if (!found.length) return;
  if (event.shiftKey) return pinBeside(view, found.find((j) => j !== view.selected && !view.pinned.includes(j)) ?? found[0]);
  view.clicked = key;
  select(view, found[again % found.length], 0);
}

/** Keep the selected node and take one beside it; one that is pinned already is let go. */
function pinBeside(view, j) {
  if (j === view.selected) return;
  if (view.pinned.includes(j)) return pin(view, j);
  view.pinned = [view.selected, ...view.pinned.filter((other) => other !== view.selected)].slice(0, MOST_PINNED);
  select(view, j, 0);
}

/** Pin a node, or let it go. */
function pin(view, j) {
  if (busy(view) || !view.nodes.count) return;
  view.pinned = view.pinned.includes(j) ? view.pinned.filter((other) => other !== j) : [j, ...view.pinned].slice(0, MOST_PINNED);
  repinned(view);
}

function repinned(view) {
  forgetPreview(view);
  paint(view);
  report(view, KEY_DELAY);
}

function step(view, to) {
  if (busy(view) || !view.nodes.count) return;
  view.clicked = "";
  if (select(view, clamp(to, 0, view.nodes.count - 1), KEY_DELAY)) reveal(view);
}

function select(view, ordinal, delay) {
  if (ordinal === view.selected) return false;
  view.selected = ordinal;
  forgetPreview(view);
  paint(view);
  report(view, delay);
  return true;
}

function setWindow(view, k) {
  if (k === view.window || !view.text) return;
  view.window = k;
  forgetPreview(view);
  paint(view);
}

/** The next node after the selected one that is too long, tiny, or cut in mid-sentence. */
function nextFlagged({ tokens, nodes, selected }, flag) {
  const flagged = { lost: tokens?.flagged, tiny: tokens?.tiny, torn: nodes.torn }[flag] ?? [];
  return flagged[upper(flagged, selected)] ?? flagged[0];
}

// ---------------------------------------------------------------- to Python
/** A drag that ended where it began fires no "change": let Python's value in again. */
function release(view) {
  if (!view.dragging) return;
  view.dragging = false;
  if (view.window !== view.data.window) report(view, 0);
}

function report(view, delay) {
  view.seq++;
  clearTimeout(view.timer);
  const send = () => { view.timer = 0; view.send({ selected: view.selected, pinned: view.pinned, window: view.window, seq: view.seq }); };
  if (delay) view.timer = setTimeout(send, delay);
  else send();
}

export function clearPending(view) {
  clearTimeout(view.timer);
  view.timer = 0;
  view.clicked = "";
}
