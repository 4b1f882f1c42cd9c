/* Place the names on the live map for every scale, clear of counters and of each other.
 *
 * The printed sheet places all names clear of one another and of the rivers. That side is preferred
 * where it is free, if more than the towns of the book are shown. The towns come first.
 */

const SIDES = [
  ["e", 1, 0, 0.1],
  ["w", -1, 0, 0.15],
  ["ne", 0.8, -0.85, 0.2],
  ["se", 0.8, 0.85, 0.2],
  ["nw", -0.8, -0.85, 0.25],
  ["sw", -0.8, 0.85, 0.25],
  ["n", 0, -1.2, 0.3],
  ["s", 0, 1.2, 0.3],
];
const GAP = 17; // from the middle of a place to its name, as printed
const CARD = 42; // half a counter, and its distance from a name
const SIEGE = 62; // half a counter with siege works round it
const NUMBER = 11; // overhang of the number of its counters
const FLAG = 76; // the top of a leader's flag above the middle of the counter
const PRINTED = [0, 0.08, 0.3, 0.3]; // discount of the printed side, by the places shown
const FURTHER = 0.2; // cost of a step further off
const SIGN = 14; // half the symbol of a place
const NAME = 8; // cost of covering a name (NAME) or a counter, times the share covered
const COUNTER = 3;
const OUTSIDE = 100; // cost beyond the neat line
const MARGIN = 190; // of the sheet round it
const VEILS = '.layer-scenario > .veil, .layer-scenario > [fill="url(#p-veil)"]';

const moved = (element) => element.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
const rank = (element) => +element.getAttribute("class").match(/rank-(\d)/)[1];

function shared(a, b) {
  const wide = Math.min(a.east, b.east) - Math.max(a.west, b.west);
  const high = Math.min(a.south, b.south) - Math.max(a.north, b.north);
  return wide > 0 && high > 0 ? wide * high : 0;
}

const around = (x, y, half) => ({ west: x - half, north: y - half, east: x + half, south: y + half });

/* A stack with its siege works, its leader's flag, and the number of its counters. */
function room(stack, c) {
  const [x, y] = moved(stack);
  const [dx, dy] = stack.shift ?? [0, 0]; // as map.js has pushed it aside
  const box = around(x + dx, y + dy, (stack.querySelector('[href="#u-siege"]') ? SIEGE : CARD) * c);
  const beyond = stack.querySelector(".count") ? NUMBER * c : 0;
  const flag = stack.querySelector('[href="#u-flag"]') ? y + dy - FLAG * c : box.north;
  return { ...box, north: Math.min(box.north - beyond, flag), east: box.east + beyond };
}

class Name {
  constructor(place) {
    this.words = place.querySelector("text");
    this.hex = place.dataset.hex;
    this.rank = rank(place);
    this.printed = SIDES.find(([side]) => this.words.classList.contains(side))[0];
    [this.x, this.y] = moved(place);
    this.size = parseFloat(getComputedStyle(this.words).fontSize);
    this.wide = this.words.getComputedTextLength();
  }

  /* Leave the printed side: where the name stands is then said by `stand`. */

  unmoor() {
    this.words.removeAttribute("x");
    this.words.setAttribute("y", Math.round(0.34 * this.size));
  }

  /* The candidate places of a name: on each side, near and a step further off. */

  *offers(k, c, most, own) {
    const rings = own ? [CARD * c, 1.5 * CARD * c, 2.2 * CARD * c] : [0, CARD * c];
    for (const [ring, away] of rings.entries()) {
      for (const [side, dx, dy, cost] of SIDES) {
        const x = dx * GAP * k + Math.sign(dx) * away;
        const aside = dx ? ring / 2 : 1;
        const y = dy * (GAP + 0.4 * this.size) * k + Math.sign(dy) * aside * away;
        const kept = side === this.printed ? PRINTED[most] : 0;
        yield { side, x, y, cost: cost - kept + ring * FURTHER };
      }
    }
  }

  room({ side, x, y }, k) {
    const [wide, high] = [this.wide * k, 0.9 * this.size * k];
    const west = this.x + x - (side.includes("e") ? 0 : side.includes("w") ? wide : wide / 2);
    const north = this.y + y - high / 2;
    return { west, north, east: west + wide, south: north + high };
  }

  stand({ side, x, y }) {
    this.words.setAttribute("class", this.words.getAttribute("class").replace(/^k \w+/, `k ${side}`));
    this.words.style.setProperty("--dx", `${x}px`);
    this.words.style.setProperty("--dy", `${y}px`);
  }
}

export class Names {
  constructor(svg, whole) {
    this.svg = svg;
    this.whole = whole;
    const far = ["far", "farther"].filter((one) => svg.classList.contains(one));
    svg.classList.remove(...far); // hidden names have no width
    this.names = [...svg.querySelectorAll(".place")].map((place) => new Name(place));
    for (const name of this.names) name.unmoor(); // once all are measured: a change between costs a layout each
    svg.classList.add(...far);
    this.names.sort((a, b) => a.rank - b.rank);
  }

  /* Lay a scenario's veil, which the overlay brings, below the names: it would cover them by half. */

  sinkVeil() {
    const overlay = this.svg.querySelector("#standing");
    const veils = [...(overlay?.querySelectorAll(VEILS) ?? [])];
    if (overlay === this.overlay && !veils.length) return;
    this.overlay = overlay;
    this.sunk?.forEach((path) => path.remove());
    this.sunk = veils;
    this.svg.querySelector(".layer-places").before(...veils);
    const [veil] = veils;
    const veiled = ({ x, y }) => Boolean(veil?.isPointInFill(Object.assign(this.svg.createSVGPoint(), { x, y })));
    for (const name of this.names) name.words.parentNode.classList.toggle("veiled", veiled(name));
  }

  /* Place all names of at most that rank, at k times their size, with counters at c. */

  place(k, c, most) {
    this.sinkVeil();
    const stacks = [...this.svg.querySelectorAll(".stack")];
    const cards = stacks.map((stack) => room(stack, c));
    const held = new Set(stacks.map((stack) => stack.dataset.hex));
    const shown = this.names.filter((name) => name.rank <= most);
    const signs = shown.map((name) => around(name.x, name.y, SIGN * k));
    const taken = [];
    shown.forEach((name, number) => {
      const others = signs.filter((_, other) => other !== number);
      const best = this.best(name, [...name.offers(k, c, most, held.has(name.hex))], k, { taken, cards, others });
      name.stand(best);
      taken.push(name.room(best, k));
    });
  }

  best(name, offers, k, { taken, cards, others }) {
    const cost = (offer) => {
      const room = name.room(offer, k);
      const whole = shared(room, room);
      const on = (boxes) => boxes.reduce((sum, box) => sum + shared(room, box), 0) / whole;
      return offer.cost + NAME * on(taken) + COUNTER * (on(cards) + on(others)) + this.outside(room);
    };
    return offers.map((offer) => [cost(offer), offer]).reduce((a, b) => (b[0] < a[0] ? b : a))[1];
  }

  outside({ west, north, east, south }) {
    const { x, y, wide, high } = this.whole;
    const inside = west > x + MARGIN && east < x + wide - MARGIN;
    return inside && north > y + MARGIN && south < y + high - MARGIN ? 0 : OUTSIDE;
  }
}
