// ---------------------------------------------------------------- in the margin, and under the pointer
import { busy } from "./data.js";
import { nodeAt, windowOf } from "./nodes.js";
import { lastRect, rectAt, textPoint } from "./places.js";
import { make, partAt, upper } from "./tools.js";

// ---------------------------------------------------------------- brackets in the margin
const LANES = [46, 39, 32, 25];

/** One bracket per pinned window and section, joined where it goes on; the selected node's is nearest to the text. */
export function placeBrackets(view) {
  for (const bracket of view.brackets) bracket.remove();
  view.brackets = [];
  if (!view.scene || !view.ui.scroll.clientHeight) return; // hidden, in a tab, or just removed: the observer calls again
  const made = lanes(view.scene.items).flatMap(({ node, win, lane }) => [
    ...bracketParts(view, win.start, win.end, `bracket lane${lane}`), ...bracketParts(view, node.start, node.end, `stem lane${lane}`),
  ]);
  for (const [section, bracket] of made) { section.el.append(bracket); view.brackets.push(bracket); }
}

/** Each window the first lane in which none before it reaches it. */
function lanes(items) {
  const taken = LANES.map(() => []);
  return items.map((item) => {
    const free = taken.findIndex((wins) => wins.every((win) => win.end <= item.win.start || win.start >= item.win.end));
    const lane = free < 0 ? LANES.length - 1 : free;
    taken[lane].push(item.win);
    return { ...item, lane };
  });
}

function bracketParts(view, start, end, names) {
  const { sections } = view.text, first = partAt(sections, start), last = partAt(sections, end - 1), parts = [];
  for (let s = first; s <= last; s++) {
    const section = sections[s];
    if (!section.built) continue;
    const box = s === first || s === last ? section.el.getBoundingClientRect() : null;
    const top = s === first ? rectAt(view, start) : null, bottom = s === last ? lastRect(view, start, end) : null;
    const el = make("i", `${names} ${s === first ? "top" : ""} ${s === last ? "bottom" : ""}`), y = top ? top.top - box.top : 0;
    el.style.cssText = `top:${y}px;height:${bottom ? `${bottom.bottom - box.top - y}px` : `calc(100% - ${y}px)`}`;
    parts.push([section, el]);
  }
  return parts;
}

// ---------------------------------------------------------------- the preview under the pointer
const canHighlight = typeof Highlight === "function" && !!globalThis.CSS?.highlights;

/** Show a node and its window without touching the text: a highlight and a dashed bracket. */
export function preview(view, j) {
  if (view.previewed === j) return;
  forgetPreview(view);
  view.previewed = j;
  if (j < 0 || busy(view) || j === view.selected || view.pinned.includes(j)) return;
  const node = nodeAt(view.nodes, j), win = windowOf(view, node, view.window);
  if (canHighlight) {
    for (const [name, part] of [["viewer-window", win], ["viewer-node", node]]) {
      const ranges = rangesOf(view, part.start, part.end);
      if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
    }
  }
  for (const [section, el] of [...bracketParts(view, win.start, win.end, "bracket ghost"), ...bracketParts(view, node.start, node.end, "stem ghost")]) {
    section.el.append(el);
    view.ghosts.push(el);
  }
}

/** One range per sentence, so that what lies between blocks is not drawn. */
export function rangesOf(view, start, end) {
  const { text } = view, ranges = [];
  for (let i = upper(text.ends, start); i < text.n && text.starts[i] < end && ranges.length < 400; i++) {
    const from = textPoint(view, Math.max(start, text.starts[i])), to = textPoint(view, Math.min(end, text.ends[i]) - 1);
    if (!from || !to) continue;
    const range = document.createRange();
    range.setStart(...from);
    range.setEnd(to[0], to[1] + 1);
    ranges.push(range);
  }
  return ranges;
}

export function forgetPreview(view) {
  if (view.previewed < 0) return;
  view.previewed = -1;
  for (const ghost of view.ghosts) ghost.remove();
  view.ghosts = [];
  if (canHighlight) for (const name of ["viewer-window", "viewer-node"]) CSS.highlights.delete(name);
}
