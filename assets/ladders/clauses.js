// ---------------------------------------------------------------- what each clause did, and what if there were only it, or all but it
/* data in: at, note, k, total, matching, clauses [{words, full, matching, without, rejects, rejects_alone}, …]. */
import { button, filled, make, number, plural, put, rich } from "./dom.js";
import { css } from "./looks.js";
import { parts } from "./parts.js";

const views = new WeakMap();
const html = '<div class="xray" data-ref="root"><div class="of-clauses"><h3>What each condition did</h3> <small data-ref="note"></small></div><ul data-ref="list"></ul></div>';
const percent = (share) => share > 0 && share < 0.01 ? "< 1 %" : share < 1 && share > 0.99 ? "> 99 %" : `${number(100 * share)} %`;

export function clauses({ data, parentElement }) {
  let view = views.get(parentElement);
  if (!view?.root.isConnected) {
    view = mount(parentElement);
    views.set(parentElement, view);
  }
  parts.clauses = view;
  if (data.at < view.data?.at) return;
  const { at, ...lasting } = data, told = JSON.stringify(lasting), same = told === view.told;
  Object.assign(view, { data, told });
  if (!same) show(view);
}

function mount(parent) {
  const ui = filled(parent, { html, css }), view = { root: ui.root, ui, data: null, told: "", pressed: (what) => showPressed(view, what) };
  ui.list.addEventListener("click", (event) => onClause(event));
  return view;
}

function show(view) {
  const { ui, data } = view;
  put(ui.note, data.note);
  ui.list.replaceChildren(...data.clauses.map((clause, at) => row(data, clause, at)));
  view.pressed(parts.ladders?.what ?? null);
}

function row(data, clause, at) {
  const el = make("li", "clause", "", { clause: at }), share = data.total ? clause.matching / data.total : 0, both = data.total ? data.matching / data.total : 0;
  const words = make("span", "words"), did = make("span", "did"), counts = make("span", "counts"), bar = make("span", "bar"), what = make("span", "what");
  words.append(make("bdi", "", clause.words));
  words.title = clause.full;
  const many = clause.rejects.length, single = clause.rejects_alone.length;
  rich(did, ...(many ? ["removed ", ["b", number(many)], ` of the top ${number(data.unfiltered)} · `, ["b", number(single)], " only by it"] : [`removed none of the top ${number(data.unfiltered)}`]));
  put(counts, data.clauses.length === 1 ? `${number(clause.matching)} of ${plural(data.total, "node")} (${percent(share)})` : `alone ${number(clause.matching)} of ${plural(data.total, "node")} (${percent(share)}) · without it ${number(clause.without)}`);
  const rest = make("i", "rest"), fill = make("i");
  rest.style.width = `${100 * share}%`;
  fill.style.width = `${100 * both}%`;
  bar.title = `${percent(share)} of all nodes pass it alone, ${percent(both)} pass the whole filter`;
  bar.append(rest, fill);
  if (data.clauses.length > 1) {
    what.append(
      button("Only this", { clause: at, mode: "alone" }, `What if there were only ${clause.words}`),
      button("All but this", { clause: at, mode: "others" }, `What if all held but ${clause.words}`),
    );
  }
  el.append(words, did, counts, what, bar);
  return el;
}

function onClause(event) {
  const pressed = event.target.closest("button"), ladders = parts.ladders;
  if (!pressed || !ladders?.data) return;
  const what = { clause: +pressed.dataset.clause, mode: pressed.dataset.mode };
  ladders.whatIf(pressed.ariaPressed === "true" ? null : what);
}

function showPressed({ ui }, what) {
  for (const el of ui.list.querySelectorAll("button")) el.ariaPressed = String(what?.mode === el.dataset.mode && what?.clause === +el.dataset.clause);
  for (const row of ui.list.children) row.classList.toggle("on", what?.clause === +row.dataset.clause);
}
