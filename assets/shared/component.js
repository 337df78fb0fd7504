/* What Streamlit sends to the browser with each rerun: little, since a component's modules come once, from our own server.
 * pages/parts/components.py puts in the address.
 */
const there = import(new URL("{script}", document.baseURI));

export default (given) => {
  let stop;
  there.then((component) => { stop = component.default(given); }, () => failed(given.parentElement));
  return () => stop?.();
};

function failed(parent) {
  parent.querySelector(".holds-the-place").textContent = "This part of the page could not be loaded. Reload the page.";
}
