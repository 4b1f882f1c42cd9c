/* The map on a page: pan, zoom, layers, and the chosen hex.
 *
 * It looks for elements with the class "map" that hold the element campaign.cartography.chart made:
 *
 *   data-key      storage key of the view, such as the campaign's slug
 *   data-hex-url  URL of a hex's panel, with 0000 for its number; #standing may have its own
 *   data-panel    selector of the element that shows the panel
 *   data-covered  pixels at its foot that are covered when a hex is brought into view
 *   data-pull     side whose stacks can be dragged to a hex; they are not fanned out
 *
 * A hex that is chosen is announced by the event "hex" on the map, with detail { hex, side }; the
 * event "show" sent to the map with detail { hex } brings that hex into view and chooses it, "look"
 * with { hexes } only brings hexes into view, and with { hexes, unless } does so if that hex is not
 * in view. A stack that is dragged is announced by "pull" with { from, to } for every hex it passes
 * and "pulled" where it is let go (to: null if given up). The map has data-ready once all of it is
 * there. #standing may be exchanged for another at any time.
 */

import { spread } from "./counter_spread.js";
import { makeElement } from "./elements.js";
import { HexPanel } from "./hex_panel.js";
import { number, Sheet } from "./hex_sheet.js";
import { Pointers } from "./map_pointers.js";
import { Names } from "./names.js";

const LAYERS = {
  terrain: "Terrain",
  rivers: "Rivers",
  railways: "Railways",
  roads: "Caravan roads",
  places: "Places",
  control: "Who holds them",
  counters: "Counters",
  grid: "Hex grid",
};
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const SVG = "http://www.w3.org/2000/svg";
const NEAREST = 1.7; // maximum pixels to a unit of the sheet
const READABLE = 0.09; // pixels to a unit at which the whole map is still legible
const NEAR_ENOUGH = 0.16; // pixels to a unit of the first view where it is not
const NEAR = 0.3; // pixels to a unit from which counters keep within their hexes
const FILLED = 1.7; // most by which the first view enlarges the whole map to fill its frame
const LOOKED = 0.5; // most pixels to a unit when hexes are brought into view together
const TOUCH = 22; // pixels round a touch that still hit a stack
const NUMBERED = 66; // pixels of a hex from which its number is shown

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const within = (low, value, high) => Math.min(Math.max(value, low), high);

/* Scale factors of names and counters, so that they stay legible from afar. */
const sizes = (scale) => ({
  k: scale < 0.36 ? within(1, 0.36 / scale, 2.8) : (0.36 / scale) ** 0.6,
  c: within(1, 0.36 / scale, 4),
});

function drawn(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

class Chart {
  constructor(root) {
    this.root = root;
    this.svg = root.querySelector("svg.chart");
    this.sheet = new Sheet(this.svg.dataset);
    const [x, y, wide, high] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x, y, wide, high };
    this.names = new Map();
    this.remembered = this.recall();
    this.prepare();
    this.dress();
    this.fit();
    this.listen();
    this.layPrinted();
  }

  /* The page round the drawing. */

  prepare() {
    this.under = drawn("path", { class: "under" });
    this.chosen = drawn("path", { class: "chosen" });
    this.numbers = drawn("g", { class: "numbers" });
    this.leaders = drawn("path", { class: "leaders" });
    this.told = makeElement("p", { className: "map-told" });
    this.told.setAttribute("aria-live", "polite");
    this.root.tabIndex = 0;
    this.root.setAttribute("aria-description", "Arrows move the map, plus and minus zoom, 0 shows all.");
    this.root.prepend(this.tools(), this.layers(), this.told);
    this.svg.classList.add("live");
  }

  /* Marks on the overlay, and names that make room for counters: repeated for every overlay. */

  dress() {
    const counters = this.svg.querySelector(".layer-counters");
    counters.before(this.numbers, this.under, this.chosen);
    counters.prepend(this.leaders);
    this.arranged = null;
    if (this.view) this.arrange();
  }

  tools() {
    const button = (sign, label, act) => {
      const made = makeElement("button", { type: "button", textContent: sign, title: label, onclick: act });
      made.setAttribute("aria-label", label);
      return made;
    };
    return makeElement(
      "div",
      { className: "map-tools" },
      button("+", "Zoom in", () => this.zoom(1.6)),
      button("−", "Zoom out", () => this.zoom(1 / 1.6)),
      button("▢", "The whole map", () => this.go(this.all())),
    );
  }

  layers() {
    const off = new Set(this.remembered?.off);
    const boxes = Object.entries(LAYERS).map(([layer, words]) => {
      const change = () => {
        this.svg.classList.toggle(`without-${layer}`, !box.checked);
        this.remember();
      };
      const box = makeElement("input", { type: "checkbox", checked: !off.has(layer), onchange: change });
      box.dataset.layer = layer;
      this.svg.classList.toggle(`without-${layer}`, off.has(layer));
      return makeElement("label", {}, box, words);
    });
    return makeElement("details", { className: "map-layers" }, makeElement("summary", {}, "Layers"), ...boxes);
  }

  /* Replace the picture of the sheet by its SVG, so that layers and names can be switched. */

  async layPrinted() {
    const answer = await fetch(this.svg.dataset.sheet);
    if (!answer.ok) return;
    const drawing = (await answer.text()).replace(/<style>[^]*?<\/style>/, ""); // the page has its own style sheet
    const file = new DOMParser().parseFromString(drawing, "image/svg+xml");
    const printed = file.querySelector("#printed");
    if (!printed) return;
    this.svg.querySelector("image").replaceWith(document.importNode(printed, true));
    for (const { dataset, textContent } of this.svg.querySelectorAll(".place")) {
      if (!this.names.has(dataset.hex)) this.names.set(dataset.hex, textContent);
    }
    this.lettering = new Names(this.svg, this.whole);
    this.dress();
    this.root.dataset.ready = "";
  }

  /* The view: the point of the sheet in the middle, and pixels to a unit of the sheet. `target` is where
   * it is going, or is at rest: what will be in view is measured by that. */

  fit() {
    const { x, y, scale } = this.remembered ?? this.first();
    this.view = this.target = { x, y, scale };
    new ResizeObserver(() => this.draw()).observe(this.root);
    this.draw();
  }

  all() {
    const { x, y, wide, high } = this.whole;
    const scale = Math.min(this.root.clientWidth / wide, this.root.clientHeight / high);
    return { x: x + wide / 2, y: y + high / 2, scale };
  }

  first() {
    /* The map as large as it fills its frame, round the middle of the units on it. */
    const all = this.all();
    const { x, y, wide, high } = this.whole;
    const { clientWidth, clientHeight } = this.root;
    const stacks = [...this.svg.querySelectorAll(".stack")].map((one) => this.sheet.centre(+one.dataset.hex));
    if (!stacks.length) return all;
    const filled = Math.max(clientWidth / wide, clientHeight / high);
    const scale = all.scale >= READABLE ? Math.min(filled, FILLED * all.scale) : NEAR_ENOUGH;
    const middle = (axis, low, length, frame) => {
      const [first, last] = [0, 1].map((end) => Math[end ? "max" : "min"](...stacks.map((point) => point[axis])));
      const sorted = stacks.map((point) => point[axis]).sort((a, b) => a - b);
      const wanted = last - first < frame / scale ? (first + last) / 2 : sorted[stacks.length >> 1];
      const half = Math.min(frame / scale, length) / 2;
      return within(low + half, wanted, low + length - half);
    };
    return { x: middle(0, x, wide, clientWidth), y: middle(1, y, high, clientHeight), scale };
  }

  go(view) {
    const { x, y, wide, high } = this.whole;
    const target = {
      x: within(x, view.x, x + wide),
      y: within(y, view.y, y + high),
      scale: within(0.8 * this.all().scale, view.scale, NEAREST),
    };
    this.target = target;
    const from = { ...this.view };
    const begun = performance.now();
    const step = (now) => {
      const share = within(0, (now - begun) / 160, 1);
      for (const key of ["x", "y", "scale"]) this.view[key] = from[key] + share * (target[key] - from[key]);
      this.draw();
      if (share < 1) this.moving = requestAnimationFrame(step);
    };
    cancelAnimationFrame(this.moving);
    step(view.atOnce || calm.matches ? Infinity : begun);
  }

  zoom(factor, at, atOnce = false) {
    const { x, y, scale } = this.view;
    const next = within(0.8 * this.all().scale, scale * factor, NEAREST);
    const [px, py] = at ? this.point(at) : [x, y];
    const share = 1 - scale / next;
    this.go({ x: x + (px - x) * share, y: y + (py - y) * share, scale: next, atOnce });
  }

  point({ clientX, clientY }) {
    const box = this.root.getBoundingClientRect();
    const { x, y, scale } = this.view;
    return [x + (clientX - box.left - box.width / 2) / scale, y + (clientY - box.top - box.height / 2) / scale];
  }

  draw() {
    if (this.due) return;
    this.due = requestAnimationFrame(() => {
      this.due = null;
      this.show();
    });
  }

  show() {
    const { x, y, scale } = this.view;
    const [wide, high] = [this.root.clientWidth / scale, this.root.clientHeight / scale];
    this.svg.setAttribute("viewBox", `${x - wide / 2} ${y - high / 2} ${wide} ${high}`);
    const style = this.svg.style;
    const { k, c } = sizes(scale);
    style.setProperty("--k", k);
    style.setProperty("--c", c);
    style.setProperty("--fan", 0.62 / scale);
    style.setProperty("--grid-strength", within(0.15, 1.7 * scale, 0.75));
    this.svg.classList.toggle("far", scale < 0.34);
    this.svg.classList.toggle("farther", scale < 0.2);
    if (this.arranged !== scale) this.arrange();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.settle(wide, high), 120);
  }

  arrange() {
    const { scale } = this.view;
    const { k, c } = sizes(scale);
    this.leaders.setAttribute("d", spread([...this.svg.querySelectorAll(".stack")], c));
    this.lettering?.place(k, c, scale < 0.2 ? 1 : scale < 0.34 ? 2 : 3);
    this.arranged = scale;
  }

  /* The point of the sheet at which a stack's counter is drawn. */

  standing(stack) {
    const [x, y] = this.sheet.centre(+stack.dataset.hex);
    const [dx, dy] = stack.shift ?? [0, 0];
    return [x + dx, y + dy];
  }

  settle(wide, high) {
    this.remember();
    const near = this.view.scale * this.sheet.row >= NUMBERED;
    this.numbers.replaceChildren(...(near ? this.numbered(wide, high) : []));
  }

  numbered(wide, high) {
    const { x, y } = this.view;
    const { column, row, columns, rows } = this.sheet;
    const range = (from, to, most) => {
      const first = Math.max(0, Math.floor(from));
      return Array.from({ length: Math.max(0, Math.min(most, Math.ceil(to)) - first) }, (_, i) => first + i);
    };
    return range((x - wide / 2) / column - 1, (x + wide / 2) / column, columns).flatMap((c) =>
      range((y - high / 2) / row - 1, (y + high / 2) / row, rows).map((r) => {
        const [left, top] = this.sheet.centre(c * 100 + r);
        const text = drawn("text", { x: left, y: top - 0.37 * row });
        text.textContent = number(c * 100 + r);
        return text;
      }),
    );
  }

  /* Fingers, mice and keys. */

  listen() {
    const { root, svg } = this;
    new Pointers(this);
    this.panel = new HexPanel(root);
    svg.addEventListener("pointerleave", () => this.under.removeAttribute("d"));
    root.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", ({ target }) => {
      const stack = target.closest(".stack:focus-visible");
      if (stack) this.bringIntoView(+stack.dataset.hex);
    });
    root.addEventListener("show", ({ detail }) => {
      this.bringIntoView(+detail.hex);
      this.choose(+detail.hex);
    });
    root.addEventListener("look", ({ detail: { hexes, unless } }) => {
      if (!unless || !this.isInView(+unless)) this.look(hexes.map(Number));
    });
    new MutationObserver(() => {
      if (!this.under.isConnected) this.dress();
    }).observe(svg, { childList: true });
  }

  hover(event) {
    const hex = this.sheet.at(...this.point(event));
    if (event.pointerType === "touch" || hex === null) return;
    this.under.setAttribute("d", this.sheet.outline(hex));
    this.tell(hex);
  }

  key(event) {
    const stack = event.target.closest?.(".stack");
    if (event.target !== this.root && !stack) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.keyed(event.key, stack);
    if (!act) return;
    event.preventDefault();
    act();
  }

  keyed(key, stack) {
    const { x, y, scale } = this.view;
    const step = STEPS[key];
    if (step) return () => this.go({ x: x + (90 * step[0]) / scale, y: y + (90 * step[1]) / scale, scale });
    const middle = () => this.sheet.at(x, y);
    return {
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      0: () => this.go(this.all()),
      Escape: () => this.close(),
      Enter: () => (stack ? this.open(stack) : this.choose(middle())),
      " ": () => (stack ? this.open(stack) : this.choose(middle())),
    }[key];
  }

  /* Hexes and stacks. */

  tap(event) {
    const stack = event.target.closest(".stack") ?? this.stackNear(event);
    if (stack) return this.open(stack);
    this.choose(this.sheet.at(...this.point(event)));
  }

  stackNear(event) {
    const [x, y] = this.point(event);
    const off = (stack) => {
      const [left, top] = this.standing(stack);
      return Math.hypot(left - x, top - y) * this.view.scale;
    };
    const near = [...this.svg.querySelectorAll(".stack")].filter((stack) => off(stack) <= TOUCH);
    return near.sort((a, b) => off(a) - off(b))[0];
  }

  open(stack) {
    const again = stack.classList.contains("open");
    this.choose(+stack.dataset.hex, stack.dataset.side);
    if (again || !stack.hasAttribute("aria-expanded") || this.root.dataset.pull) return;
    const focused = stack.contains(document.activeElement);
    stack.parentNode.append(stack);
    if (focused) stack.focus({ preventScroll: true });
    stack.classList.add("open");
    stack.setAttribute("aria-expanded", "true");
    this.bringWhollyIntoView(stack.querySelector(".fan").getBoundingClientRect());
  }

  bringWhollyIntoView(fan) {
    const frame = this.root.getBoundingClientRect();
    const short = (low, high, first, last) => (low < first ? low - first : Math.max(0, high - last));
    const { x, y, scale } = this.view;
    const dx = short(fan.left, fan.right, frame.left, frame.right) / scale;
    const dy = short(fan.top, fan.bottom, frame.top, frame.bottom) / scale;
    if (dx || dy) this.go({ x: x + dx, y: y + dy, scale });
  }

  close() {
    for (const stack of this.svg.querySelectorAll(".stack.open")) {
      stack.classList.remove("open");
      stack.setAttribute("aria-expanded", "false");
    }
  }

  choose(hex, side = null) {
    this.close();
    if (hex === null) return;
    this.chosen.setAttribute("d", this.sheet.outline(hex));
    this.tell(hex);
    this.root.dispatchEvent(new CustomEvent("hex", { bubbles: true, detail: { hex: number(hex), side } }));
    this.panel.ask(number(hex));
  }

  tell(hex) {
    const name = this.names.get(number(hex));
    this.told.textContent = name ? `${number(hex)} · ${name}` : number(hex);
  }

  bringIntoView(hex) {
    const [x, y] = this.sheet.centre(hex);
    const { scale } = this.target;
    const covered = +this.root.dataset.covered || 0;
    const [wide, high] = [this.root.clientWidth / scale, (this.root.clientHeight - covered) / scale];
    const middle = this.target.y - covered / (2 * scale);
    if (Math.max(Math.abs(x - this.target.x) / wide, Math.abs(y - middle) / high) <= 0.4) return;
    this.goTo(hex);
  }

  goTo(hex) {
    const [x, y] = this.sheet.centre(hex);
    const scale = Math.max(this.target.scale, NEAR);
    this.go({ x, y: y + (+this.root.dataset.covered || 0) / (2 * scale), scale });
  }

  /* Return whether the middle of a hex is in view, or will be once the map is where it is going and
   * has been drawn at its present size. */

  isInView(hex) {
    const [x, y] = this.sheet.centre(hex);
    const { clientWidth, clientHeight } = this.root;
    const { x: middle, y: centre, scale } = this.target;
    return Math.abs(x - middle) <= clientWidth / scale / 2 && Math.abs(y - centre) <= clientHeight / scale / 2;
  }

  /* Bring hexes into view together, with as little change as that takes. */

  look(hexes) {
    const points = hexes.map((hex) => this.sheet.centre(hex));
    const [xs, ys] = [0, 1].map((axis) => points.map((point) => point[axis]));
    const [west, east] = [Math.min(...xs) - this.sheet.column, Math.max(...xs) + this.sheet.column];
    const [north, south] = [Math.min(...ys) - this.sheet.row, Math.max(...ys) + this.sheet.row];
    const { x, y, scale } = this.target;
    const [wide, high] = [this.root.clientWidth, this.root.clientHeight - (+this.root.dataset.covered || 0)];
    const middle = y - (+this.root.dataset.covered || 0) / (2 * scale);
    const seen =
      Math.max(east - x, x - west) <= wide / scale / 2 && Math.max(south - middle, middle - north) <= high / scale / 2;
    const legible = Math.min(wide / (east - west), high / (south - north), LOOKED);
    if (seen && scale >= legible / 2) return;
    const target = Math.min(Math.max(scale, legible / 2), legible);
    const [left, top] = [(west + east) / 2, (north + south) / 2 + (+this.root.dataset.covered || 0) / (2 * target)];
    this.go({ x: left, y: top, scale: target });
  }

  /* Settings kept for as long as the tab is open. */

  get place() {
    return `map:${this.root.dataset.key ?? ""}`;
  }

  recall() {
    try {
      return JSON.parse(sessionStorage.getItem(this.place));
    } catch {
      return null;
    }
  }

  remember() {
    const boxes = [...this.root.querySelectorAll("input[data-layer]")];
    const off = boxes.filter((box) => !box.checked).map((box) => box.dataset.layer);
    try {
      sessionStorage.setItem(this.place, JSON.stringify({ ...this.view, off }));
    } catch {
      this.remembered = null; // a browser without storage still shows the map
    }
  }
}

document.querySelectorAll(".map").forEach((root) => new Chart(root));
