// Keeps what a link should bring back in the address, without adding to the history: Back goes to the page before.
// data: { page, said: { name: value } }; an empty value takes the name out. Names of others (?embed=true) stay.
export default function ({ data }) {
  const url = new URL(window.location.href);
  for (const [name, value] of Object.entries(data.said)) {
    if (value) url.searchParams.set(name, value);
    else url.searchParams.delete(name);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
