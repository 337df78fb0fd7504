// ---------------------------------------------------------------- what is fetched: once per address, the last few kept
export const KINDS = ["text", "nodes", "tokens", "compare", "curve"];
const COUNT_DELAY = 120;
const kept = { text: [3, new Map()], nodes: [16, new Map()], tokens: [16, new Map()], curve: [16, new Map()] };
kept.compare = kept.nodes;

/** Tokens take the server seconds for a long text: they are asked for last, and not while a slider runs through settings. */
export function ask(view, kind) {
  if (kind !== "tokens") return void (view.data[`${kind}_url`] && load(view, kind));
  clearTimeout(view.countTimer);
  view.countTimer = setTimeout(() => load(view, kind), COUNT_DELAY);
}

export async function load(view, kind) {
  const [most, fetched] = kept[kind], url = view.data[`${kind}_url`], current = () => view.data[`${kind}_url`] === url;
  delete view.errors[kind];
  try {
    const asked = fetched.get(url) ?? getJson(url);
    fetched.delete(url);
    fetched.set(url, asked); // the last one used is the last to be forgotten
    const value = await asked;
    for (const old of [...fetched.keys()].slice(0, Math.max(0, fetched.size - most))) fetched.delete(old);
    if (current()) view.loaded[kind] = { url, value };
  } catch (error) {
    fetched.delete(url);
    if (current()) view.errors[kind] = error.message;
  }
  if (current() && view.root.isConnected) view.settle();
}

export async function getJson(url) {
  const answer = await fetch(new URL(url, document.baseURI));
  if (!answer.ok) throw new Error(`the server answered ${answer.status} ${answer.statusText}`.trim());
  return answer.json();
}

export const isShown = (view, kind) => view.shown[kind] === view.data[`${kind}_url`];
export const busy = (view) => !isShown(view, "text") || !isShown(view, "nodes");

/** Whether something has come that is asked for and not shown yet: it counts as shown from now on. */
export function arrived(view, kind) {
  const url = view.data[`${kind}_url`];
  if (!url || isShown(view, kind) || view.loaded[kind]?.url !== url) return false;
  view.shown[kind] = url;
  return true;
}
