/* The tabs of a field, which name its units and their strength: magnified where they would be too small to
 * read, as are the marks of losses and the numbers of steps. */

const HIGH = 21; // height of a tab in units of the drawing
const READABLE = 12.5; // pixels that a tab is high at least
const CLOSE = [[0, 0], [0, -0.5], [0, 0.5], [-0.5, 0], [0.5, 0]];
const ROUND = [0.5, 1, 1.5, 2].flatMap((off) => [[0, -off], [0, off], [-off, 0], [off, 0], [-off, -off / 2], [off, -off / 2], [-off, off / 2], [off, off / 2]]);
// Where a magnified tab may be moved, in its own widths and heights, the nearest first.
const OWN = 0.5; // what it costs to cover the tab's own unit, of what it costs to cover another
const LITTLE = 0.1; // share of a tab that may cover a unit

/* Magnify the tabs of a drawing, of which `whole` is the view box. A tab gives way to those that are laid before
 * it, the acting unit's first, and to the units. One that finds no room close to its unit shows the number alone,
 * and the strength when the field is nearer; one without any room is hidden until then. */

export function layTabs(svg, whole) {
  const times = Math.max(1, READABLE / (HIGH * svg.getScreenCTM().a));
  if (svg.style.getPropertyValue("--readable") === String(times)) return;
  svg.style.setProperty("--readable", times);
  const acting = document.querySelector("#turn-form [name=unit]")?.value;
  const first = ({ dataset }) => dataset.tab === acting;
  const tabs = [...svg.querySelectorAll(".tabs .tab")].sort((one, other) => first(other) - first(one));
  const units = times > 1 ? unitBoxes(svg) : [];
  let places = [];
  for (const widths of [[false, true], [true]]) {
    const taken = [];
    places = tabs.map((tab) => {
      tab.dataset.at ??= tab.getAttribute("transform").match(/-?[\d.]+/g).join(" ");
      const [left, top] = tab.dataset.at.split(" ").map(Number);
      return times > 1 ? placed(tab, { left, top }, { times, whole, taken, units, widths }) : { left, top };
    });
    if (places.every(Boolean)) break; // else all show the number alone, which leaves more room
  }
  for (const [number, tab] of tabs.entries()) {
    const place = places[number];
    tab.classList.toggle("crowded-out", !place);
    tab.classList.toggle("thin", Boolean(place?.thin));
    if (place) tab.setAttribute("transform", `translate(${place.left},${place.top})scale(${times})`);
  }
}

/* The boxes of what is drawn of the units, in units of the drawing: measured once. */

const measured = new WeakMap();

function unitBoxes(svg) {
  if (!measured.has(svg)) measured.set(svg, measureUnits(svg));
  return measured.get(svg);
}

function measureUnits(svg) {
  const inverse = svg.getScreenCTM().inverse();
  return [...svg.querySelectorAll(".piece")].flatMap((piece) => [...piece.querySelectorAll(".base:not(.gone), .barrel, .bunting")].map((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    const corner = new DOMPoint(left, top).matrixTransform(inverse);
    return { unit: piece.dataset.piece, left: corner.x, top: corner.y, w: width * inverse.a, h: height * inverse.a };
  }));
}

function placed(tab, { left, top }, { times, whole, taken, units, widths }) {
  const [full, cell] = [...tab.querySelectorAll("rect")].map((rect) => Number(rect.getAttribute("width")));
  const h = HIGH * times;
  const near = units.filter((one) => Math.abs(one.left - left) < 4 * full * times + one.w && Math.abs(one.top - top) < 4 * h + one.h);
  let best = null;
  for (const thin of widths) {
    const wide = thin ? cell : full;
    const w = wide * times;
    for (const [across, down] of thin ? [...CLOSE, ...ROUND] : CLOSE) {
      const x = left + (wide - w) / 2 + across * w; // it grows about its middle
      const place = { left: Math.min(Math.max(x, whole.x), whole.x + whole.wide - w), top: top + (HIGH - h) / 2 + down * h, w, h, thin };
      if (taken.some((other) => common(place, other) > 1)) continue;
      place.covers = near.reduce((sum, other) => sum + common(place, other) * (other.unit === tab.dataset.tab ? OWN : 1), 0);
      if (!best || place.covers < best.covers) best = place;
      if (best.covers < LITTLE * w * h) break;
    }
    if (best && best.covers < LITTLE * best.w * best.h) break;
  }
  if (best) taken.push(best);
  return best;
}

/* The area that two boxes have in common. */

function common(one, other) {
  const shared = (start, size) => Math.min(one[start] + one[size], other[start] + other[size]) - Math.max(one[start], other[start]);
  return Math.max(shared("left", "w"), 0) * Math.max(shared("top", "h"), 0);
}
