// Keeps what a link should bring back in the address, without adding to the history: Back goes to the page before.
// data: { at, page, said: { name: value } }; an empty value takes the name out. Names of others (?embed=true) stay.
// Streamlit may draw a component once more with what an earlier run sent: only a later run counts.
let latest = 0;

export default function ({ data }) {
  if (data.at < latest) return;
  latest = data.at;
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(data.said)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
