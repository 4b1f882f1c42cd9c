/* The buttons of a field's view. On a phone they lie on the field, in the corner in which they cover
 * the fewest targets: they stay in theirs as long as it is no worse than another. */

export const PHONE = matchMedia("(max-width: 60rem)");
const CORNERS = ["bottom left", "bottom right", "top right", "top left"];

/* Place the buttons, and hide those that would do nothing. `hides` takes what a button does. */

export function layTools(svg, hides) {
  const tools = document.querySelector("#field-tools");
  tools.hidden = false;
  for (const tool of tools.querySelectorAll("[data-zoom]")) tool.hidden = hides(tool.dataset.zoom);
  if (!PHONE.matches) return void delete tools.dataset.corner;
  const targets = [...svg.querySelectorAll(".offers a.offer .shape")].map((shape) => shape.getBoundingClientRect());
  const covered = (corner) => {
    tools.dataset.corner = corner;
    const { left, right, top, bottom } = tools.getBoundingClientRect();
    return targets.filter((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top).length;
  };
  const own = tools.dataset.corner ?? CORNERS[0];
  if (!covered(own)) return; // as nearly always, also while a finger moves the field
  const corners = [own, ...CORNERS];
  const counts = corners.map(covered);
  tools.dataset.corner = corners[counts.indexOf(Math.min(...counts))];
}
