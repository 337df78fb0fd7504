/* What Streamlit sends to the browser with each rerun: little, since the viewer's modules come once, from our own server.
 * pages/parts/viewer.py puts in the address.
 */
const there = import(new URL("{viewer.js}", document.baseURI));

export default (given) => {
  let stop;
  there.then((viewer) => { stop = viewer.default(given); }, () => failed(given.parentElement));
  return () => stop?.();
};

function failed(parent) {
  parent.querySelector(".holds-the-place").textContent = "The viewer could not be loaded. Reload the page.";
}
