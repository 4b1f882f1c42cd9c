/* The tabs of a field, which name its units and their strength: magnified where they would be too small to
 * read, as are the marks of losses and the numbers of steps. */

const HIGH = 21; // height of a tab in units of the drawing
const READABLE = 12.5; // pixels that a tab is high at least
const ROUND = [[0, 0], [0, -0.5], [0, 0.5], [-0.5, 0], [0.5, 0], [-1, 0], [1, 0], [0, -1], [0, 1], [-1, -0.5], [1, -0.5], [-1, 0.5], [1, 0.5]];
// Where a magnified tab may be moved, in its own widths and heights, the nearest first.

/* Magnify the tabs of a drawing, of which `whole` is the view box. A tab gives way to those that are laid before
 * it, the acting unit's first; one without room comes back when the field is nearer. */

export function layTabs(svg, whole) {
  const times = Math.max(1, READABLE / (HIGH * svg.getScreenCTM().a));
  if (svg.style.getPropertyValue("--readable") === String(times)) return;
  svg.style.setProperty("--readable", times);
  const acting = document.querySelector("#turn-form [name=unit]")?.value;
  const first = ({ dataset }) => dataset.tab === acting;
  const tabs = [...svg.querySelectorAll(".tabs .tab")].sort((one, other) => first(other) - first(one));
  const taken = [];
  for (const tab of tabs) {
    tab.dataset.at ??= tab.getAttribute("transform").match(/-?[\d.]+/g).join(" ");
    const place = times > 1 ? placed(tab, times, whole, taken) : tab.dataset.at.split(" ");
    tab.classList.toggle("crowded-out", !place);
    if (place) tab.setAttribute("transform", `translate(${place[0]},${place[1]})scale(${times})`);
  }
}

function placed(tab, times, whole, taken) {
  const [x, y] = tab.dataset.at.split(" ").map(Number);
  const wide = Number(tab.firstElementChild.getAttribute("width"));
  const [w, h] = [wide * times, HIGH * times];
  const [left, top] = [x + (wide - w) / 2, y + (HIGH - h) / 2]; // it grows about its middle
  const within = (at) => Math.min(Math.max(at, whole.x), whole.x + whole.wide - w);
  const places = ROUND.map(([across, down]) => ({ left: within(left + across * w), top: top + down * h, w, h }));
  const found = places.find((place) => !taken.some((other) => overlap(place, other)));
  if (!found) return null;
  taken.push(found);
  return [found.left, found.top];
}

function overlap(one, other) {
  const apart = (axis, size) => Math.abs(one[axis] + one[size] / 2 - other[axis] - other[size] / 2);
  return apart("left", "w") < (one.w + other.w) / 2 - 0.5 && apart("top", "h") < (one.h + other.h) / 2 - 0.5;
}
