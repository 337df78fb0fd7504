/* What Streamlit sends to the browser with each rerun: little, since the ladders' script comes once, from our own server.
 * pages/parts/ladders.py puts in the address.
 */
const there = import(new URL("{ladders.js}", document.baseURI));

export default (given) => {
  let stop;
  there.then((ladders) => { stop = ladders.default(given); }, () => failed(given.parentElement));
  return () => stop?.();
};

function failed(parent) {
  parent.querySelector(".holds-the-place").textContent = "The ladders could not be loaded. Reload the page.";
}
