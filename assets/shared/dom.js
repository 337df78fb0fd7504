// ---------------------------------------------------------------- small things that know nothing of what they are used for
const FORMATS = [0, 1, 2, 3].map((digits) => new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }));
export const number = (x, digits = 0) => Number.isFinite(x) ? FORMATS[digits].format(x) : "–";
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

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

/** Fill `el` with text and [tag, text, dataset] parts. */
export function rich(el, ...parts) {
  el.replaceChildren(...parts.map((part) => Array.isArray(part) ? make(part[0], "", part[1], part[2]) : part));
}

/** Put text on the clipboard, where need be by selecting it below `root`; whether the browser let us. `pressed` keeps the focus. */
export async function toClipboard(text, root, pressed) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea");
    area.value = text;
    root.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    pressed.focus();
    return done;
  }
}

/** Fill the empty place that Streamlit was handed with a component's page and style; its elements by their data-ref. */
export function filled(parent, { html, css }) {
  const page = document.createElement("template"), style = document.createElement("style");
  page.innerHTML = html;
  style.textContent = css;
  parent.replaceChildren(style, page.content);
  return Object.fromEntries([...parent.querySelectorAll("[data-ref]")].map((el) => [el.dataset.ref, el]));
}
