// ---------------------------------------------------------------- small things that know nothing of the viewer

export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
const FORMATS = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
export const number = (x, digits = 0) => Number.isFinite(x) ? FORMATS[digits].format(x) : "–";
export const squeezed = (text) => text.replace(/\s+/g, " ").trim();
export const shortened = (text, length) => text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;

export function put(el, value) {
  if (el.textContent !== value) el.textContent = value;
}

/** An element with text, data and children; text is only ever set as text. */
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

/** Fill `el` with text and [tag, text, dataset] parts. */
export function rich(el, ...parts) {
  el.replaceChildren(...parts.map((part) => Array.isArray(part) ? make(part[0], "", part[1], part[2]) : part));
}

/** First index whose value is ≥ x, among sorted values. */
export function lower(values, x) {
  let low = 0, high = values.length;
  while (low < high) { const mid = (low + high) >> 1; if (values[mid] < x) low = mid + 1; else high = mid; }
  return low;
}

/** First index whose value is > x. */
export const upper = (values, x) => lower(values, x + 1);

/** The last of `parts` that starts at or before an offset. */
export function partAt(parts, offset) {
  let low = 0, high = parts.length;
  while (low < high) { const mid = (low + high) >> 1; if (parts[mid].start <= offset) low = mid + 1; else high = mid; }
  return Math.max(0, low - 1);
}

export function remembered(name, usual) {
  try { return localStorage.getItem(`chunkscope.${name}`) ?? usual; } catch { return usual; }
}

export function remember(name, value) {
  try { localStorage.setItem(`chunkscope.${name}`, value); } catch { /* private mode: then not */ }
}
