/* The tabs of a field, which name its units and their strength: magnified where they would be too small to
 * read, as are the marks of losses and the numbers of steps. A press of a tab is one of its unit. */

const HIGH = 21; // height of a tab in units of the drawing
const RULER = 25; // height of the numbers of the ruler
const LEGIBLE = [11, 16]; // pixels that they are high, at least and at most
const READABLE = 12.5; // pixels that a tab is high at least
const OFF = [0.1, 0.5, 1, 1.5, 2, 3, 4]; // from a unit to its tab, in heights of a tab
const COVERED = 2; // what it costs to cover a unit, for each square of a tab's height
const FAR = 0.7; // and to be further from its unit, for each height
const NUMBER_ALONE = 1.2; // and to leave out the strength
const LINED = 0.4; // heights from which a tab has a line to its unit
const BESIDE = 8; // pixels beside a tab that still hit it

/* Magnify the tabs of a drawing, of which `whole` is the view box. A tab gives way to those that are laid before
 * it, the acting unit's first, and to the units. One that finds no room close to its unit is further away, with a
 * line, or shows the number alone, and the strength when the field is nearer; one without any room is hidden until
 * then. */

export function layTabs(svg, whole) {
  const times = Math.max(1, READABLE / (HIGH * svg.getScreenCTM().a));
  if (svg.style.getPropertyValue("--readable") === String(times)) return;
  svg.style.setProperty("--readable", times);
  svg.classList.toggle("laid", times > 1);
  svg.querySelectorAll(".tab-line.to-laid").forEach((line) => line.remove());
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
      return times > 1 ? placed(tab, { left, top }, { h: HIGH * times, times, whole, taken, units, widths }) : { left, top };
    });
    if (places.every(Boolean)) break; // else all show the number alone, which leaves more room
  }
  for (const [number, tab] of tabs.entries()) {
    const place = places[number];
    tab.classList.toggle("crowded-out", !place);
    tab.classList.toggle("thin", Boolean(place?.thin));
    if (place) tab.setAttribute("transform", `translate(${place.left},${place.top})scale(${times})`);
    if (place?.off > LINED) tab.before(lineTo(place));
  }
}

/* The ruler stays legible, and within the edges of a field that is magnified. Its numbers make room for each other
 * and for the measure in the corner. */

export function layRuler(svg) {
  const { x: left, y: top } = svg.viewBox.baseVal;
  const [least, most] = LEGIBLE.map((pixels) => pixels / svg.getScreenCTM().a);
  const size = Math.min(Math.max(RULER, least), most);
  svg.style.setProperty("--ruler", `${size}px`);
  const measure = svg.querySelector(".square-name.start");
  const corner = Math.max(left + 0.3 * size, Math.min(0, RULER - size));
  const free = { x: measure ? corner + measure.getComputedTextLength() : left, y: top + size };
  for (const text of svg.querySelectorAll(".square-name")) {
    text.dataset.at ??= `${text.getAttribute("x")} ${text.getAttribute("y")}`;
    const [x, y] = text.dataset.at.split(" ").map(Number);
    const onNorth = y < 0;
    const at = onNorth ? { x, y: Math.max(y, top + size) } : { x: Math.max(x, left + size), y: y + (size - RULER) / 3 };
    if (text === measure) at.x = corner;
    text.setAttribute("x", at.x);
    text.setAttribute("y", at.y);
    const axis = onNorth ? "x" : "y";
    const fits = text === measure || at[axis] - 0.7 * size > free[axis];
    text.style.visibility = fits ? "" : "hidden";
    if (fits && text !== measure) free[axis] = at[axis] + size / 2;
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

/* The best place of a tab: close to its unit, and clear of the units and of the tabs laid before it. */

function placed(tab, drawn, { h, times, whole, taken, units, widths }) {
  const [full, cell] = [...tab.querySelectorAll("rect")].map((rect) => Number(rect.getAttribute("width")));
  const own = units.filter(({ unit }) => unit === tab.dataset.tab);
  const onSquares = tab.ownerSVGElement.querySelector(".squares");
  const about = own.length ? around(own) : { ...drawn, w: cell, h: HIGH };
  const room = (OFF.at(-1) + 1) * h + full * times;
  const near = units.filter((one) => distance(one, about) < room);
  const bestOf = (found) => {
    let best = null;
    for (const thin of widths) {
      const w = (thin ? cell : full) * times;
      for (const { x, y } of found(w)) {
        const left = Math.min(Math.max(x, whole.x), whole.x + whole.wide - w);
        const top = Math.min(Math.max(y, whole.y), whole.y + whole.high - h);
        const place = { left, top, w, h, thin, about };
        if (taken.some((other) => common(place, other) > 1)) continue;
        place.off = distance(place, about) / h;
        const covers = near.reduce((sum, one) => sum + common(place, one), 0);
        place.costs = (covers / h ** 2) * COVERED + place.off * FAR + (thin ? NUMBER_ALONE : 0);
        if (!best || place.costs < best.costs) best = place;
      }
    }
    return best;
  };
  const best = (onSquares && bestOf((w) => corners(drawn, w, h))) || bestOf((w) => spots(about, drawn, w, h));
  if (best) taken.push(best);
  return best;
}

/* Where a tab may lie: as it is drawn, or round its unit at several distances. */

function* spots({ left, top, w: wide, h: high }, drawn, w, h) {
  yield { x: drawn.left, y: drawn.top + HIGH - h };
  const steps = Math.max(2, Math.ceil(high / h));
  for (const off of OFF.map((one) => one * h)) {
    for (const x of [left + (wide - w) / 2, left, left + wide - w, left - off - w, left + wide + off]) {
      yield { x, y: top + high + off };
      yield { x, y: top - off - h };
    }
    for (let step = 0; step <= steps; step++) {
      const y = top + ((high - h) * step) / steps;
      yield { x: left - off - w, y };
      yield { x: left + wide + off, y };
    }
  }
}

/* On squares a tab stays in its own, or nobody could tell whose it is. */

const SQUARE = 100;

function* corners({ left, top }, w, h) {
  const within = (at) => Math.floor(at / SQUARE) * SQUARE + 2;
  const [west, north] = [within(left), within(top)];
  for (const y of [top + HIGH - h, north]) for (const x of [west, west + SQUARE - 4 - w]) yield { x, y };
  yield { x: left, y: Math.max(north, top + (HIGH - h) / 2) };
}

function around(boxes) {
  const [left, top] = [Math.min(...boxes.map((one) => one.left)), Math.min(...boxes.map((one) => one.top))];
  const [right, bottom] = [Math.max(...boxes.map((one) => one.left + one.w)), Math.max(...boxes.map((one) => one.top + one.h))];
  return { left, top, w: right - left, h: bottom - top };
}

/* The area that two boxes have in common, and the distance between two that have none. */

const shared = (one, other, start, size) => Math.min(one[start] + one[size], other[start] + other[size]) - Math.max(one[start], other[start]);

function common(one, other) {
  return Math.max(shared(one, other, "left", "w"), 0) * Math.max(shared(one, other, "top", "h"), 0);
}

function distance(one, other) {
  return Math.hypot(Math.min(shared(one, other, "left", "w"), 0), Math.min(shared(one, other, "top", "h"), 0));
}

/* A line from a tab to the nearest part of its unit. */

function lineTo({ left, top, w, h, about }) {
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  const [x, y] = [left + w / 2, top + h / 2];
  const [toX, toY] = [Math.min(Math.max(x, about.left), about.left + about.w), Math.min(Math.max(y, about.top), about.top + about.h)];
  line.setAttribute("class", "tab-line to-laid");
  line.setAttribute("d", `M${x} ${y}L${toX} ${toY}`);
  return line;
}

/* The number of the unit whose tab was pressed; "" for none. `exactly`: not beside it. */

export function tabAt(svg, { clientX, clientY }, exactly) {
  const hits = [...svg.querySelectorAll(".tab:not(.crowded-out)")]
    .map((tab) => {
      const { left, right, top, bottom } = tab.getBoundingClientRect();
      const off = Math.hypot(Math.max(left - clientX, clientX - right, 0), Math.max(top - clientY, clientY - bottom, 0));
      return { unit: tab.dataset.tab, off };
    })
    .filter(({ off }) => off <= (exactly ? 0 : BESIDE))
    .sort((one, other) => one.off - other.off);
  return hits[0]?.unit ?? "";
}
