// ---------------------------------------------------------------- small things that know nothing of the viewer
export * from "./dom.js";

export const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
export const squeezed = (text) => text.replace(/\s+/g, " ").trim();
export const shortened = (text, length) => text.length <= length ? text : `${text.slice(0, length).replace(/[\ud800-\udbff]$/, "")}…`;

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
