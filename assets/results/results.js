/* The list of hits. `data`: {at, merged, all, items}; an item is a hit or an excerpt: {ranks, changes, fates, id, doc_id, ordinal, name,
 * place, runs, prefix, suffix, copy} and, for a hit, {score, sign, factors, final, context, document, chips, more, about}. `changes` and `fates`
 * are what the filter made of the hit of each rank, as a look and in words. `runs` are pieces of the text, each with
 * 1 if it lies in a node plus 2 if it is a word of the question. All of it is drawn as text, never as HTML.
 * events out: setTriggerValue("act", {do: "text" | "map", id, doc_id, ordinal} or {do: "filter", filter}).
 */
import { toClipboard } from "./dom.js";

const views = new WeakMap();

export default function results({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".cs-list"), view = views.get(root) ?? begin(root);
  view.act = (event) => setTriggerValue("act", event);
  // Streamlit may draw a component once more with what an earlier run sent: only a later run counts.
  if (data.at < view.at) return;
  view.at = data.at;
  const said = JSON.stringify({ ...data, at: 0 });
  if (said !== view.said) draw(view, data);
  view.said = said;
}

function begin(root) {
  const view = { root, at: 0, said: "", items: [], now: 0, open: null };
  view.live = make("div", "cs-hidden");
  view.live.setAttribute("role", "status");
  views.set(root, view);
  root.addEventListener("keydown", (event) => keyed(view, event));
  root.addEventListener("focusout", (event) => { if (view.open && !view.open.contains(event.relatedTarget)) close(view); });
  root.addEventListener("focusin", (event) => {
    const at = view.items.findIndex((item) => item.contains(event.target));
    if (at >= 0) choose(view, at);
  });
  return view;
}

function make(tag, look = "", ...inside) {
  const el = document.createElement(tag);
  if (look) el.className = look;
  el.append(...inside);
  return el;
}

const own = (text) => { const el = make("bdi", "", text); return el; };

function draw(view, data) {
  const held = view.root.contains(document.activeElement), hint = make("p", "cs-hint", "↑ ↓ move · Enter opens the text · c copies");
  const bar = make("div", "cs-list-bar", copier(view, "Copy all", data.all, data.merged ? "All excerpts, numbered, as the context of a prompt" : "All windows, numbered, as the context of a prompt"));
  const list = make("ol");
  list.setAttribute("aria-label", data.merged ? "Excerpts" : "Hits");
  view.data = data;
  view.open = null;
  view.items = data.items.map((item) => drawn(view, item));
  list.append(...view.items);
  view.root.replaceChildren(bar, list, hint, view.live);
  choose(view, Math.max(0, Math.min(view.now, view.items.length - 1)));
  if (held) view.items[view.now]?.focus({ preventScroll: true });
}

function drawn(view, item) {
  const ranks = make("div", "cs-ranks", ...item.ranks.map((rank, at) => badge(rank, item.changes[at], item.fates[at])));
  const main = make("div", "cs-main", head(view, item));
  if (item.context) {
    const line = make("div", "cs-context", `context: ${item.context}`);
    line.title = "Embedded before the node";
    line.dir = "auto";
    main.append(line);
  }
  main.append(text(item));
  if (item.chips) main.append(chipsOf(view, item));
  main.append(actions(view, item));
  const el = make("li", "cs-hit cs-item cs-filled", ranks, main);
  el.tabIndex = -1;
  const said = item.ranks.map((rank, at) => item.fates[at] ? `${rank} (${item.fates[at]})` : rank);
  el.setAttribute("aria-label", `${said.length > 1 ? "Hits" : "Hit"} ${said.join(", ")}: ${item.name}`);
  return el;
}

function badge(rank, change, fate) {
  const el = make("div", `cs-badge ${change}`, String(rank));
  if (fate) el.title = `hit ${rank}: ${fate}`;
  return el;
}

function head(view, item) {
  const line = make("div", "cs-row cs-head");
  if (item.score) line.append(sum(item));
  line.append(item.document ? chip(view, item.document, "cs-name") : named(item.name));
  for (const part of item.place) line.append(make("span", "", "· ", own(part)));
  if (item.ranks.length === 1 && item.fates[0]) line.append(make("span", "cs-fate", item.fates[0]));
  return line;
}

function named(name) {
  const el = make("b", "cs-named", own(name));
  el.title = name;
  return el;
}

/* 0.610 × 1.2 is_summary = true = 0.732; without boosts the score alone. */
function sum(item) {
  const line = make("span", "cs-sum");
  if (!item.final || !item.factors.length) {
    line.append(make("b", "", item.final || item.score));
    return line;
  }
  line.append(item.score);
  for (const [words, factor] of item.factors) line.append(` ${item.sign} ${factor} `, make("i", "", own(words)));
  line.append(" = ", make("b", "", item.final));
  return line;
}

function text(item) {
  const el = make("div", "cs-text");
  el.dir = "auto";
  if (item.prefix) el.append(make("span", "cs-around", item.prefix));
  let mark = null;
  for (const [piece, kind] of item.runs) {
    const part = kind & 2 ? make("b", "", piece) : piece;
    if (!(kind & 1)) { mark = null; el.append(part); continue; }
    if (!mark) el.append(mark = make("mark"));
    mark.append(part);
  }
  if (item.suffix) el.append(make("span", "cs-around", item.suffix));
  return el;
}

function chipsOf(view, item) {
  const line = make("div", "cs-row", ...item.chips.map((one) => chip(view, one)));
  if (item.more.length) line.append(folded(view, `${item.more.length} more`, item.more));
  line.append(folded(view, "about this node", item.about));
  return line;
}

function folded(view, label, chips) {
  return make("details", "", make("summary", "", label), make("div", "cs-row", ...chips.map((one) => chip(view, one))));
}

function chip(view, { field, value, only, not }, look = "") {
  const name = look ? [] : [make("em", "", own(field))];
  if (!only) return make("span", "cs-chip", make("span", "", ...name, own(value)));
  const button = make("button", "", ...name, own(value)), menu = make("div", "cs-menu");
  button.type = "button";
  button.setAttribute("aria-haspopup", "menu");
  button.setAttribute("aria-expanded", "false");
  button.title = `${field}: ${value}`;
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", `${field}: ${value}`);
  menu.hidden = true;
  for (const [label, filter] of [["Only this", only], ["Not this one", not]]) {
    const choice = make("button", "", label);
    choice.type = "button";
    choice.setAttribute("role", "menuitem");
    choice.addEventListener("click", () => { close(view, true); view.act({ do: "filter", filter }); });
    menu.append(choice);
  }
  const whole = make("span", `cs-chip ${look}`, button, menu);
  button.addEventListener("click", () => {
    const was = view.open === whole;
    close(view);
    if (!was) open(view, whole);
  });
  return whole;
}

function open(view, chip) {
  const [button, menu] = chip.children;
  view.open = chip;
  menu.hidden = false;
  button.setAttribute("aria-expanded", "true");
  // It stays inside the list, whatever the chip's place in its line.
  menu.style.insetInlineStart = "";
  const over = menu.getBoundingClientRect().right - view.root.getBoundingClientRect().right;
  if (over > 0) menu.style.insetInlineStart = `${-over}px`;
  menu.firstChild.focus();
}

function close(view, back = false) {
  if (!view.open) return;
  const [button, menu] = view.open.children;
  view.open = null;
  menu.hidden = true;
  button.setAttribute("aria-expanded", "false");
  if (back) button.focus();
}

function actions(view, item) {
  const { id, doc_id, ordinal } = item, line = make("div", "cs-row cs-acts");
  for (const [label, act] of [["Open in text", "text"], ["On the map", "map"]]) {
    const button = make("button", "cs-act", label);
    button.type = "button";
    button.addEventListener("click", () => view.act({ do: act, id, doc_id, ordinal }));
    line.append(button);
  }
  line.append(copier(view, "Copy with source", item.copy, "The window and where it stands"));
  return line;
}

function copier(view, label, said, title) {
  const button = make("button", "cs-act", label);
  button.type = "button";
  button.title = title;
  button.addEventListener("click", () => copy(view, button, label, said));
  return button;
}

async function copy(view, button, label, said) {
  const done = await toClipboard(said, view.root, button) ? "Copied" : "Not allowed by the browser";
  button.textContent = view.live.textContent = done;
  setTimeout(() => { button.textContent = label; view.live.textContent = ""; }, 1500);
}

// ---------------------------------------------------------------- keys
/* One hit can be reached by Tab, the others from it by the arrows. */
function choose(view, at) {
  view.now = at;
  view.items.forEach((item, number) => { item.tabIndex = number === at ? 0 : -1; });
}

function keyed(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (view.open?.contains(event.target)) return inMenu(view, event);
  const at = view.items.indexOf(event.target);
  if (at < 0) return;
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, j: at + 1, k: at - 1, Home: 0, End: view.items.length - 1 }[event.key];
  if (to !== undefined) {
    view.items[Math.max(0, Math.min(to, view.items.length - 1))].focus();
  } else if (event.key === "Enter") {
    const { id, doc_id, ordinal } = view.data.items[at];
    view.act({ do: "text", id, doc_id, ordinal });
  } else if (event.key === "c") {
    view.items[at].querySelector(".cs-acts > :last-child").click();
  } else return;
  event.preventDefault();
  event.stopPropagation();
}

function inMenu(view, event) {
  const choices = [...view.open.lastChild.children], at = choices.indexOf(document.activeElement);
  if (event.key === "Escape") close(view, true);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") choices[at === 0 ? 1 : 0].focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}
