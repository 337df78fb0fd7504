// ---------------------------------------------------------------- the lines between the ladders
const SVG = "http://www.w3.org/2000/svg";
const END = 5;

/** Join what stands on both ladders; show what comes from below, and what ends here. */
export function draw({ ui, data, rungs, lit }) {
  if (!data) return;
  const box = ui.lines.getBoundingClientRect(), paths = [];
  if (!box.width) return;
  const middle = (list, position) => {
    const el = list.querySelector(`[data-position="${position}"]`)?.getBoundingClientRect();
    return el && el.top - box.top + el.height / 2;
  };
  const add = (name, position, shape, end) => { paths.push(path(name, position, shape)); if (end) paths.push(path(`${name} end`, position, end)); };
  for (const { position, fate } of rungs.left) {
    const y = middle(ui.left, position), to = middle(ui.right, position);
    if (fate === "excluded") {
      const x = Math.min(0.16 * box.width, 24);
      add("excluded", position, `M0 ${y}H${x}`, `M${x + 2} ${y - END}l${2 * END} ${2 * END}m${-2 * END} 0l${2 * END} ${-2 * END}`);
    } else if (to !== undefined) add(fate, position, curve(0, y, box.width - (fate === "displaced" ? 7 : 0), to), fate === "displaced" && arrow(box.width - 1, to));
  }
  for (const { position, fate } of rungs.right) {
    const y = middle(ui.right, position);
    if (fate === "promoted") add("promoted", position, `M${0.5 * box.width} ${box.height - 2}C${0.5 * box.width} ${(y + box.height) / 2} ${0.62 * box.width} ${y} ${box.width - 7} ${y}`, arrow(box.width - 1, y));
  }
  for (const el of paths) if (lit !== null) el.classList.add(el.dataset.position === lit ? "lit" : "dim");
  ui.lines.replaceChildren(...paths);
}

const curve = (x1, y1, x2, y2) => `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;
const arrow = (x, y) => `M${x - 7} ${y - 4.5}L${x} ${y}l-7 4.5`;

function path(name, position, shape) {
  const el = document.createElementNS(SVG, "path");
  el.setAttribute("class", name);
  el.setAttribute("d", shape);
  el.dataset.position = position;
  return el;
}
