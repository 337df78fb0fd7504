// ---------------------------------------------------------------- between offsets and places on the screen
import { lower, upper } from "./tools.js";

/** The text node that holds an offset, and the place in it; null where it is not laid out as sentences. */
export function textPoint(view, offset) {
  const { text } = view, i = upper(text.starts, offset) - 1;
  const inside = i >= 0 && offset < text.ends[i], el = inside ? text.spans[i] : text.gaps[i];
  if (!el?.isConnected) return null;
  let left = offset - (inside ? text.starts[i] : text.ends[i]);
  for (const node of textNodes(el)) { if (left < node.length) return [node, left]; left -= node.length; }
  return null;
}

function* textNodes(el) {
  if (el.nodeType === Node.TEXT_NODE) return void (yield el);
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}

/** The rectangle of the character at an offset, or null. */
export function rectAt(view, offset) {
  const point = textPoint(view, offset);
  if (!point) return null;
  const range = document.createRange();
  range.setStart(...point);
  range.setEnd(point[0], point[1] + 1);
  return range.getClientRects()[0] ?? null;
}

/** The offset of the character under a pointer, or -1 beside the text. */
export function offsetAt(view, { clientX: x, clientY: y, target }) {
  const { ui: { doc }, text } = view, root = view.root.getRootNode();
  if (!text || !target.closest?.(".s, .gap")) return -1;
  if (target.localName === "i") return offsetOf(view, target, 0) - target.classList.contains("c1"); // a tick is the node's it belongs to
  const spot = document.caretPositionFromPoint?.(x, y, { shadowRoots: [root] });
  const offset = spot && doc.contains(spot.offsetNode) ? offsetOf(view, spot.offsetNode, spot.offset) : -1;
  if (offset < 0) return text.starts[target.closest(".s")?.index] ?? -1;
  const before = offset > 0 ? rectAt(view, offset - 1) : null; // a caret stands between two characters: which is it?
  return before && x >= before.left && x < before.right && y >= before.top && y <= before.bottom ? offset - 1 : offset;
}

/** The offset of a place in a text node, or of an empty element among them; -1 outside the sentences. */
function offsetOf({ text, ui }, node, inside) {
  let holder = node;
  while (holder && holder !== ui.doc && holder.index === undefined && holder.gap === undefined) holder = holder.parentNode;
  if (!holder || holder === ui.doc) return -1;
  let at = holder.index === undefined ? text.ends[holder.gap] : text.starts[holder.index];
  for (const part of textNodes(holder)) {
    if (part === node) return at + inside;
    if (node.nodeType !== Node.TEXT_NODE && node.compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING) break;
    at += part.length;
  }
  return at;
}

export const codePoint = (text, offset) => offset - lower(text.astral, offset);

/** The rectangle of the last character that has one: line ends have none. */
export function lastRect(view, start, end) {
  for (let at = end - 1; at >= Math.max(start, end - 8); at--) { const rect = rectAt(view, at); if (rect?.height) return rect; }
  return null;
}
