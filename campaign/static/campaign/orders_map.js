/* Draw orders on the map: the reach of a stack in one, two and three marches, its attrition, and the
 * paths of its marches. */

const SVG = "http://www.w3.org/2000/svg";
const HEAVY = 1 / 4; // share of a stack from which on its attrition is drawn as heavy

function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

export class Overlay {
  constructor(svg) {
    this.svg = svg;
    this.column = +svg.dataset.column;
    this.row = +svg.dataset.row;
    this.under = drawn("g", { class: "prospects" });
    this.over = drawn("g", { class: "ordered" });
    this.heads = drawn("g", { class: "ordered" }); // heads and numbers lie above the counters
    this.pulled = drawn("g", { class: "ordered" });
    this.lay();
    new MutationObserver(() => this.under.isConnected || this.lay()).observe(svg, { childList: true, subtree: true });
  }

  lay() {
    const counters = this.svg.querySelector(".layer-counters");
    counters?.before(this.under, this.over);
    counters?.after(this.heads, this.pulled);
  }

  /* Even columns stand half a hex lower. */

  centre(hex) {
    const column = Math.floor(+hex / 100);
    const lower = column % 2 ? 1 : 2;
    return [this.column * (column + 2 / 3), this.row * ((hex % 100) + lower / 2)];
  }

  outline(hex) {
    const [x, y] = this.centre(hex);
    const [corner, half] = [this.column / 3, this.row / 2];
    return `M${x - corner} ${y - half}h${2 * corner}l${corner} ${half}-${corner} ${half}h${-2 * corner}l-${corner}-${half}z`;
  }

  dot(hex, size) {
    const [x, y] = this.centre(hex);
    return `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0`;
  }

  showReach(found) {
    const bands = found.bands.map((hexes, number) =>
      drawn("path", { class: `band band-${number + 1}`, d: hexes.map((hex) => this.outline(hex)).join("") }),
    );
    const dots = (hexes, size) => hexes.map((hex) => this.dot(hex, size)).join("");
    const rails = drawn("path", { class: "by-rail", d: found.rail.map((hex) => this.outline(hex)).join("") });
    const boats = drawn("path", { class: "by-river", d: dots(Object.keys(found.river), 11) });
    const ships = drawn("path", { class: "by-sea", d: found.sea.map((hex) => this.outline(hex)).join("") });
    this.under.replaceChildren(
      ...bands.reverse(),
      drawn("path", { class: "thirst some", d: dots(found.some, 7) }),
      drawn("path", { class: "thirst heavy", d: dots(found.heavy, 12) }),
      boats,
      rails,
      ships,
      drawn("path", { class: "start", d: this.outline(found.start) }),
    );
  }

  hideReach() {
    this.under.replaceChildren();
  }

  /* Draw paths as arrows; each has its hexes with the start, its order's number from 1, and `now`
   * for the order in the form. */

  showWays(ways) {
    const arrows = ways.filter(({ hexes }) => hexes.length > 1);
    const drawings = arrows.map(({ hexes, by, now, number }) => {
      const points = hexes.map((hex) => this.centre(hex));
      const line = this.shortened(points);
      const kind = `by-${by}${now ? " now" : ""}`;
      const head = this.head(points.at(-2), points.at(-1), kind);
      return {
        lines: [
          drawn("path", { class: `way ${kind} edge`, d: line }),
          drawn("path", { class: `way ${kind}`, d: line }),
        ],
        marks: number ? [head, this.badge(points, number, now)] : [head],
      };
    });
    this.over.replaceChildren(...drawings.flatMap(({ lines }) => lines));
    this.heads.replaceChildren(...drawings.flatMap(({ marks }) => marks));
  }

  /* End the line within the head of its arrow. */

  shortened(points) {
    const [[x1, y1], [x2, y2]] = points.slice(-2);
    const back = Math.min(30 / Math.hypot(x2 - x1, y2 - y1), 0.5);
    const line = [...points.slice(0, -1), [x2 - back * (x2 - x1), y2 - back * (y2 - y1)]];
    return `M${line.map((point) => point.join(" ")).join("L")}`;
  }

  head([x1, y1], [x2, y2], kind) {
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const group = drawn("g", { transform: `translate(${x2},${y2})rotate(${angle})` });
    group.append(drawn("path", { class: `k head ${kind}`, d: "M-26 0L-72 22L-62 0L-72-22z" }));
    return group;
  }

  /* The order's number in a disc, half-way. */

  badge(points, number, now) {
    const middle = points.length >> 1;
    const [x, y] = [0, 1].map((axis) => (points[middle - 1][axis] + points[middle][axis]) / 2);
    const group = drawn("g", { transform: `translate(${x},${y})` });
    const disc = drawn("g", { class: `k order-number${now ? " now" : ""}` });
    const text = drawn("text", { y: 9 });
    text.textContent = number;
    disc.append(drawn("circle", { r: 19 }), text);
    group.append(disc);
    return group;
  }

  /* Draw the arrow of a stack that is being dragged; hide it without a destination. */

  showPull(from, to) {
    if (!to || from === to) return this.pulled.replaceChildren();
    const points = [from, to].map((hex) => this.centre(hex));
    const line = this.shortened(points);
    this.pulled.replaceChildren(
      drawn("path", { class: "way now edge", d: line }),
      drawn("path", { class: "way now", d: line }),
      this.head(...points, "now"),
    );
  }
}

/* Return the reach that the REST interface tells of, as it is drawn: in bands of one, two and three
 * marches, with the hex before each on the way there, and where the stack suffers attrition. */

export function reachOf({ start_hex: start, reached, rail_hexes: rail, river_paths, sea_hexes: sea }) {
  const hexes = (wanted) => reached.filter(wanted).map(({ hex }) => hex);
  return {
    start,
    bands: [1, 2, 3].map((number) => hexes(({ march_number }) => march_number === number)),
    before: Object.fromEntries(reached.map(({ hex, previous_hex }) => [hex, previous_hex])),
    heavy: hexes(({ attrition_share: share }) => share >= HEAVY),
    some: hexes(({ attrition_share: share }) => share > 0 && share < HEAVY),
    rail,
    river: Object.fromEntries(river_paths.map(({ hex, path }) => [hex, path])),
    sea,
  };
}

/* Return the neighbours of a hex by number alone; some may be off the map. */

export function neighbours(hex) {
  const [column, row] = [Math.floor(+hex / 100), +hex % 100];
  const up = column % 2 ? row - 1 : row;
  const around = [
    [column, row - 1],
    [column + 1, up],
    [column + 1, up + 1],
    [column, row + 1],
    [column - 1, up + 1],
    [column - 1, up],
  ];
  return around.filter(([c, r]) => c >= 0 && r >= 0).map(([c, r]) => String(100 * c + r).padStart(4, "0"));
}

/* Return the path of a leg: by its route, by the server's search, or straight. */

export function wayOf({ type, to_hex: to, route }, start, found) {
  if (route?.length) return [start, ...route];
  if (!to) return [start];
  if (type === "river" && found?.start === start && found.river[to]) return [start, ...found.river[to]];
  if (type === "foot" && found?.start === start) return [start, ...(path(found, to) ?? [to])];
  return [start, to];
}

export function path(found, to) {
  if (!(to in found.before)) return beside(found, to);
  const steps = [to];
  while (found.before[steps[0]] !== found.start) steps.unshift(found.before[steps[0]]);
  return steps;
}

/* The path to a hex that the enemy holds: to the nearest hex beside it, then into it. */

function beside(found, to) {
  const near = new Set(neighbours(to));
  if (near.has(found.start)) return [to];
  for (const band of found.bands) {
    const next = band.find((hex) => near.has(hex));
    if (next !== undefined) return [...path(found, next), to];
  }
  return null;
}
