/* Chunkscope document viewer: a Streamlit components-v2 component. Plain JS modules, no build, no external requests: our own
 * server gives them out (core/api.py), and the component that Streamlit is handed only imports this one.
 *
 * data in (each rerun, small): at (seconds), name, text_url, nodes_url, tokens_url, compare_url ("" for none), about_url,
 *   near_url ("": no index holds these nodes), curve_url ("" but for the semantic strategy), selected, pinned [ordinals], window, window_max, seq, show_window_slider, height,
 *   hits [{ordinal_sentence_first, ordinal_sentence_last, rank, filtered}], gold [[start, end]].
 * text_url   → {text, sentences [s0,e0,…], hard [sentences], prefixes {sentence: text}, kinds, blocks [kind,start,end,page,depth,…]}
 * nodes_url  → {nodes [start,end,first,last,embedded_start,embedded_end,…], embedded {ordinal: text},
 *               contexts [lines], context [line number per node, -1: none; empty: none at all]}
 * tokens_url → {sentences, special, nodes, own (empty: as nodes), lost {ordinal: offset}, tokenizer, truncates_at}
 * curve_url  → {similarities [of each sentence to the next, null where none], threshold, breaks [sentences]}
 * compare_url is the nodes_url of another setting. Each is fetched once and kept. All offsets are UTF-16 units; those shown
 *   to people are code points. about_url and near_url are asked for one node at a time, when that part of the panel is open.
 * events out (after a user's action only): setStateValue("view", {selected, pinned, window, seq}). `seq` grows with each action;
 *   what data says of these counts only once data.seq has caught up, so that a late rerun never moves the user back.
 *   setTriggerValue("open", {doc_id, ordinal}): a node of another document was chosen.
 *   setTriggerValue("why", {ordinal}): why is that node not in the answer?
 */
import { clearPending, listen } from "./actions.js";
import { compare } from "./compare.js";
import { letGo, takeCurve } from "./curve.js";
import { KINDS, arrived, ask, busy, isShown } from "./data.js";
import { forgetPreview, placeBrackets } from "./gutter.js";
import * as looks from "./looks.js";
import { drawMap, reveal } from "./map.js";
import { paint, restyleAll } from "./marks.js";
import { lostParts, readNodes, readTokens } from "./nodes.js";
import { buildText, inSight } from "./text.js";
import { clamp, filled, put } from "./tools.js";

const views = new WeakMap();

export default function viewer({ data, parentElement, setStateValue, setTriggerValue }) {
  let view = views.get(parentElement);
  if (!view?.root.isConnected) {
    if (view) dispose(view);
    view = mount(parentElement);
    views.set(parentElement, view);
  }
  view.send = (value) => setStateValue("view", value);
  view.leave = (value) => setTriggerValue("open", value);
  view.why = (value) => setTriggerValue("why", value);
  // Streamlit may draw a component once more with what an earlier run sent: only a later run counts.
  if (!(data.at < view.data?.at)) receive(view, data);
  // Streamlit also runs the cleanup of a superseded call: tear down only what has really left the page.
  return () => setTimeout(() => view.root.isConnected || dispose(view));
}

function mount(parent) {
  const ui = filled(parent, looks);
  const view = {
    root: ui.root, ui, data: null, text: null, nodes: null, tokens: null, diff: null, curve: null, gap: -1, shown: {}, loaded: {}, errors: {},
    selected: -1, pinned: [], window: 0, want: null, seq: 0, scene: null, marks: [], points: [], touched: null,
    layers: { gold: [], lost: [], found: [], spots: [], diff: [] }, brackets: [], previewed: -1, ghosts: [],
    found: { query: "", starts: [], ends: [], at: -1 }, extras: "", timer: 0, dragging: false, clicked: "", stop: new AbortController(),
  };
  view.settle = () => settle(view);
  listen(view);
  view.resize = new ResizeObserver(() => { view.mapStale = true; inSight(view); placeBrackets(view); if (view.unrevealed) reveal(view); });
  for (const el of [ui.scroll, ui.map, ui.strip]) view.resize.observe(el);
  return view;
}

function dispose(view) {
  view.stop.abort();
  view.resize.disconnect();
  forgetPreview(view);
  for (const timer of [view.timer, view.liveTimer, view.countTimer, view.aboutTimer, view.findTimer]) clearTimeout(timer);
  for (const frame of [view.frame, view.hoverFrame]) cancelAnimationFrame(frame);
}

// ---------------------------------------------------------------- data in
function receive(view, data) {
  const before = view.data ?? {}, changed = (name) => data[name] !== before[name];
  view.data = data;
  if (data.height) view.root.style.setProperty("--height", `${data.height}px`);
  view.ui.slider.max = data.window_max ?? 10;
  view.ui.sliderBox.hidden = data.show_window_slider === false;
  const moved = changed("text_url") || changed("nodes_url"), caughtUp = data.seq >= view.seq && !view.dragging;
  if (moved) clearPending(view);
  view.seq = Math.max(view.seq, data.seq ?? 0);
  if (moved || caughtUp) view.want = { selected: data.selected, pinned: data.pinned, window: data.window };
  for (const kind of KINDS) if (changed(`${kind}_url`)) ask(view, kind);
  if (changed("about_url") || changed("near_url")) view.aboutShown = "";
  settle(view);
}

/** Show what has arrived; until then the old picture stays. */
function settle(view) {
  if (arrived(view, "text")) {
    Object.assign(view, { shown: { text: view.data.text_url }, curve: null });
    letGo(view);
    buildText(view, view.loaded.text.value);
  }
  const ready = isShown(view, "text");
  if (ready && arrived(view, "nodes")) takeNodes(view, view.loaded.nodes.value);
  if (ready && arrived(view, "tokens")) takeTokens(view, view.loaded.tokens.value);
  showMessage(view);
  if (!ready) return;
  takeCurve(view);
  const remarked = setExtras(view);
  if (!busy(view)) {
    compare(view);
    adopt(view);
  } else if (remarked) restyleAll(view);
  else drawMap(view);
}

function takeNodes(view, value) {
  view.nodes = readNodes(view.text, value);
  view.tokens = null;
  view.layers.lost = [];
  delete view.shown.tokens;
  if (arrived(view, "tokens")) takeTokens(view, view.loaded.tokens.value);
  restyleAll(view);
}

function takeTokens(view, value) {
  if (!isShown(view, "nodes")) return void delete view.shown.tokens;
  view.tokens = readTokens(view, value);
  view.layers.lost = lostParts(view);
  restyleAll(view);
}

function adopt(view) {
  const want = view.want ?? view, was = view.selected, start = view.scene?.node.start;
  view.want = null;
  view.selected = clamp(want.selected ?? 0, 0, view.nodes.count - 1);
  view.pinned = (want.pinned ?? []).filter((j) => j >= 0 && j < view.nodes.count);
  view.window = clamp(want.window ?? 0, 0, +view.ui.slider.max);
  paint(view);
  if (was !== view.selected || start !== view.scene?.node.start) reveal(view);
}

function showMessage(view) {
  const { ui, errors, text } = view;
  const failed = ["text", "nodes"].find((kind) => errors[kind]), waiting = !failed && !isShown(view, "text");
  const empty = !failed && !waiting && !text.text.trim();
  ui.message.hidden = !(failed || waiting || empty);
  ui.message.classList.toggle("waiting", waiting);
  ui.retry.hidden = !failed;
  put(ui.messageText, failed ? `The ${failed} could not be loaded: ${errors[failed]}.` : waiting ? "Loading text…" : empty ? "This document has no text." : "");
}

/** Hits and gold: they change with a search, not with the slider. */
function setExtras(view) {
  const { data: { hits, gold }, text, ui } = view, key = JSON.stringify([hits, gold]);
  if (key === view.extras) return false;
  view.extras = key;
  const here = (hits ?? []).filter((hit) => hit.ordinal_sentence_first < text.n);
  view.layers.spots = here.map((hit) => [text.starts[hit.ordinal_sentence_first], hit.filtered ? "hit" : "hit ghost", 0, { rank: hit.rank }]);
  view.layers.gold = (gold ?? []).map(([start, end]) => [start, end, "g"]);
  ui.legendHits.hidden = !here.some((hit) => hit.filtered);
  ui.legendGhosts.hidden = !here.some((hit) => !hit.filtered);
  ui.legendGold.hidden = !view.layers.gold.length;
  return true;
}
