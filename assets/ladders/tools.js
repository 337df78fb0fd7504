// ---------------------------------------------------------------- small things that know nothing of the ladders
const FORMATS = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
export const number = (x, digits = 0) => Number.isFinite(x) ? FORMATS[digits].format(x) : "–";
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
export const percent = (share) => share > 0 && share < 0.01 ? "< 1 %" : share < 1 && share > 0.99 ? "> 99 %" : `${number(100 * share)} %`;

export function put(el, value) {
  if (el.textContent !== value) el.textContent = value;
}

/** An element with text and data; text is only ever set as text. */
export function make(tag, names = "", text = "", data = {}) {
  const el = document.createElement(tag);
  if (names) el.className = names;
  if (text) el.textContent = text;
  Object.assign(el.dataset, data);
  return el;
}

export function button(text, data, label) {
  const el = make("button", "", text, data);
  el.type = "button";
  if (label) el.ariaLabel = label;
  return el;
}

/** Fill `el` with text and [tag, text] parts. */
export function rich(el, ...parts) {
  el.replaceChildren(...parts.map((part) => Array.isArray(part) ? make(part[0], "", part[1]) : part));
}
