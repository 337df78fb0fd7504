// ---------------------------------------------------------------- find in the document: our own, since only part of it is laid out
import { drawMap, revealSpan } from "./map.js";
import { repaint, restyleAll } from "./marks.js";
import { sectionsIn } from "./text.js";
import { lower, number, put, squeezed } from "./tools.js";

export const MOST_FOUND = 50000, FIND_DELAY = 90;

export function openFind(view) {
  const { ui } = view;
  ui.find.hidden = false;
  ui.query.focus();
  ui.query.select();
}

export function closeFind(view) {
  if (view.ui.find.hidden) return false;
  view.ui.find.hidden = true;
  find(view, "");
  view.ui.scroll.focus({ preventScroll: true });
  return true;
}

/** Mark every match of a text, whatever its case and white space; the one in hand is the first from where one reads. */
export function find(view, query) {
  const { text } = view, wanted = squeezed(query);
  if (!text) return;
  const was = view.found.starts.length;
  const starts = [], ends = [];
  if (wanted) {
    for (const match of text.text.matchAll(patternOf(wanted))) {
      starts.push(match.index);
      ends.push(match.index + match[0].length);
      if (starts.length === MOST_FOUND) break;
    }
  }
  view.found = { query: wanted, starts: Int32Array.from(starts), ends: Int32Array.from(ends), at: -1 };
  if (starts.length) turnTo(view, lower(view.found.starts, wanted ? topOffset(view) : 0) % starts.length, !!wanted);
  else if (was) restyleAll(view);
  view.mapStale = true;
  drawMap(view);
  showFound(view);
}

function patternOf(wanted) {
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&").replace(/ /g, "\\s+");
  return new RegExp(escaped, "giu");
}

function turnTo(view, at, anew = false) {
  const { found } = view, before = found.at;
  found.at = at;
  if (anew) restyleAll(view);
  else for (const m of [before, at]) if (m >= 0) repaint(view, found.starts[m], found.ends[m]);
  revealSpan(view, found.starts[at], found.ends[at]);
  showFound(view);
}

export function turn(view, by) {
  const { found } = view;
  if (view.ui.query.value.trim() && squeezed(view.ui.query.value) !== found.query) find(view, view.ui.query.value);
  else if (found.starts.length) turnTo(view, (found.at + by + found.starts.length) % found.starts.length);
}

function showFound({ ui, found }) {
  const count = found.starts.length;
  put(ui.found, found.query ? count ? `${number(found.at + 1)} of ${number(count)}${count === MOST_FOUND ? "+" : ""}` : "none" : "");
  ui.found.classList.toggle("none", !!found.query && !count);
  ui.findPrevious.disabled = ui.findNext.disabled = !count;
  ui.legendFound.hidden = !count;
}

/** The offset at the top of what is in sight. */
export function topOffset(view) {
  const { text, ui: { scroll } } = view, top = scroll.scrollTop;
  const [section] = sectionsIn(view, top, top + 1);
  for (let i = lower(text.starts, section.start); i < text.n && text.starts[i] < section.end; i++) {
    const rect = text.spans[i]?.getBoundingClientRect();
    if (rect && rect.bottom > scroll.getBoundingClientRect().top) return text.starts[i];
  }
  return section.start;
}
