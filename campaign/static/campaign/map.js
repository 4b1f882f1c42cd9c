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
const HIDDEN = "you may not see it, or are logged out. Load the page again";
const LOGGED_OUT = "You have been logged out: this is what everybody may see.";
const OTHER_USER = "Another user is logged in by now: this is what they may see.";
const OFFLINE = "there is no connection. Press it again once it is back";
const TOUCH = 22; // pixels round a touch that still hit a stack
const CARD = 44; // half a counter with its margin, in units of the sheet
const RINGED = 56; // half a besieged counter, with its ring
const HEAVY = 4; // times a besieged counter yields less than others: it belongs to its place
const ROUNDS = 60; // most rounds in which counters are pushed apart
const NUMBERED = 66; // pixels of a hex from which its number is shown

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const within = (low, value, high) => Math.min(Math.max(value, low), high);

/* Scale factors of names and counters, so that they stay legible from afar. */
const sizes = (scale) => ({
  k: scale < 0.36 ? within(1, 0.36 / scale, 2.8) : (0.36 / scale) ** 0.6,
  c: within(1, 0.36 / scale, 4),
});

class Sheet {
  /* The places of hexes on the sheet; even columns stand half a hex lower. */
  constructor(data) {
    this.column = +data.column;
    this.row = +data.row;
    this.columns = +data.columns;
    this.rows = +data.rows;
  }

  centre(hex) {
    const column = Math.floor(hex / 100);
    const lower = column % 2 ? 1 : 2;
    return [this.column * (column + 2 / 3), this.row * ((hex % 100) + lower / 2)];
  }

  at(x, y) {
    const first = Math.floor(x / this.column) - 1;
    const near = [first, first + 1].map((column) => {
      const lower = column % 2 ? 1 : 2;
      const row = Math.round(y / this.row - lower / 2);
      const off = Math.hypot(x - this.column * (column + 2 / 3), y - this.row * (row + lower / 2));
      return { column, row, off };
    });
    const { column, row } = near[0].off < near[1].off ? near[0] : near[1];
    const there = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
    return there ? column * 100 + row : null;
  }

  outline(hex) {
    const [x, y] = this.centre(hex);
    const [corner, half] = [this.column / 3, this.row / 2];
    return `M${x - corner} ${y - half}h${2 * corner}l${corner} ${half}-${corner} ${half}h${-2 * corner}l-${corner}-${half}z`;
  }
}

const number = (hex) => String(hex).padStart(4, "0");

function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/* Push two counters apart along the way that is shorter; return whether they had to be. */

function apart(one, other) {
  const [dx, dy] = [other.x - one.x, other.y - one.y];
  const room = one.half + other.half;
  const [wide, high] = [room - Math.abs(dx), room - Math.abs(dy)];
  if (wide <= 0.5 || high <= 0.5) return false;
  const axis = wide < high ? "x" : "y";
  const push = Math.min(wide, high) * ((axis === "x" ? dx : dy) < 0 ? -1 : 1);
  one[axis] -= (push * other.weight) / (one.weight + other.weight);
  other[axis] += (push * one.weight) / (one.weight + other.weight);
  return true;
}

function drawn(tag, attributes = {}) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

/* Say that a panel was made for another user than the map beside it, which is a player's own. */
function warn(panel, owner) {
  if (["", owner].includes(document.documentElement.dataset.owner)) return;
  const note = Object.assign(document.createElement("p"), { className: "needs", textContent: `${owner ? OTHER_USER : LOGGED_OUT} ` });
  note.append(Object.assign(document.createElement("a"), { href: "", textContent: "Load the page again" }));
  panel.querySelector("header").after(note);
}

class Chart {
  constructor(root) {
    this.root = root;
    this.svg = root.querySelector("svg.chart");
    this.sheet = new Sheet(this.svg.dataset);
    const [x, y, wide, high] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x, y, wide, high };
    this.names = new Map();
    this.pointers = new Map();
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
    this.told = made("p", { className: "map-told" });
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
      const made_ = made("button", { type: "button", textContent: sign, title: label, onclick: act });
      made_.setAttribute("aria-label", label);
      return made_;
    };
    return made(
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
      const box = made("input", { type: "checkbox", checked: !off.has(layer), onchange: change });
      box.dataset.layer = layer;
      this.svg.classList.toggle(`without-${layer}`, off.has(layer));
      return made("label", {}, box, words);
    });
    return made("details", { className: "map-layers" }, made("summary", {}, "Layers"), ...boxes);
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
    this.spread(c);
    this.lettering?.place(k, c, scale < 0.2 ? 1 : scale < 0.34 ? 2 : 3);
    this.arranged = scale;
  }

  /* Push counters that would cover each other apart, and lead a line from each to its own hex. */

  spread(c) {
    const cards = [...this.svg.querySelectorAll(".stack")].map((stack) => {
      const [x, y] = stack.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
      const besieged = Boolean(stack.querySelector('[href="#u-siege"]'));
      return { stack, home: [x, y], x, y, half: c * (besieged ? RINGED : CARD), weight: besieged ? HEAVY : 1 };
    });
    for (let round = 0, moved = true; moved && round < ROUNDS; round += 1) {
      moved = false;
      cards.forEach((one, number) => {
        for (const other of cards.slice(number + 1)) moved = apart(one, other) || moved;
      });
    }
    const lines = cards.map(({ stack, home, x, y, half }) => {
      const [dx, dy] = [x - home[0], y - home[1]];
      stack.shift = [dx, dy];
      stack.style.setProperty("--sx", `${dx}px`);
      stack.style.setProperty("--sy", `${dy}px`);
      return Math.hypot(dx, dy) > half / 2 ? `M${home[0] - 9 * c} ${home[1]}h${18 * c}m${-9 * c} ${-9 * c}v${18 * c}m0${-9 * c}L${x} ${y}` : "";
    });
    this.leaders.setAttribute("d", lines.join(""));
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
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.lift(event));
    svg.addEventListener("pointercancel", (event) => this.forget(event));
    svg.addEventListener("click", () => this.click());
    svg.addEventListener("pointerleave", () => this.under.removeAttribute("d"));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    root.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("focusin", ({ target }) => {
      const stack = target.closest(".stack:focus-visible");
      if (stack) this.bringIntoView(+stack.dataset.hex);
    });
    root.addEventListener("show", ({ detail }) => {
      this.bringIntoView(+detail.hex);
      this.choose(+detail.hex);
    });
    root.addEventListener("held", () => (this.held = true));
    root.addEventListener("look", ({ detail: { hexes, unless } }) => {
      if (!unless || !this.isInView(+unless)) this.look(hexes.map(Number));
    });
    new MutationObserver(() => {
      if (!this.under.isConnected) this.dress();
    }).observe(svg, { childList: true });
  }

  press(event) {
    if (event.button) return;
    this.pointers.set(event.pointerId, event);
    this.dragged = this.pointers.size > 1;
    this.held = false;
    if (this.dragged) this.letGo(null);
    else this.pulled = event.target.closest(`.stack.${this.root.dataset.pull}`)?.dataset.hex ?? null;
  }

  /* Announce where a dragged stack is, and where it is let go. */

  pull(event) {
    const to = this.sheet.at(...this.point(event));
    this.hover(event);
    const detail = { from: this.pulled, to: to === null ? null : number(to) };
    this.root.dispatchEvent(new CustomEvent("pull", { detail }));
  }

  letGo(to) {
    const from = this.pulled;
    this.pulled = null;
    if (from && this.dragged) this.root.dispatchEvent(new CustomEvent("pulled", { detail: { from, to } }));
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.hover(event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (!this.dragged && Math.hypot(dx, dy) < 6) return;
    if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    this.dragged = true;
    if (this.pulled) return this.pull(event);
    this.root.classList.add("dragged");
    const { x, y, scale } = this.view;
    const others = [...this.pointers.values()].filter((other) => other.pointerId !== event.pointerId);
    const share = 1 / this.pointers.size;
    this.go({ x: x - (share * dx) / scale, y: y - (share * dy) / scale, scale, atOnce: true });
    if (others.length) this.pinch(before, event, others[0]);
    this.pointers.set(event.pointerId, event);
  }

  pinch(before, after, other) {
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const middle = {
      clientX: (after.clientX + other.clientX) / 2,
      clientY: (after.clientY + other.clientY) / 2,
    };
    this.zoom(apart(after) / apart(before), middle, true);
  }

  lift(event) {
    const meant = this.pointers.has(event.pointerId) && !this.dragged && !this.held;
    const to = this.sheet.at(...this.point(event));
    this.letGo(to === null ? null : number(to));
    this.forget(event);
    this.tapped = meant ? event : null;
  }

  /* A tap waits for its click: what it opens may move the page, and a telephone would send the
   * click to the link or button that has come under the finger. */

  click() {
    if (this.tapped) this.tap(this.tapped);
    this.tapped = null;
  }

  forget(event) {
    this.letGo(null);
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.root.classList.remove("dragged");
  }

  wheel(event) {
    event.preventDefault();
    const notch = event.deltaMode ? 30 : 1;
    this.zoom(Math.exp(-event.deltaY * notch * (event.ctrlKey ? 0.01 : 0.0018)), event, true);
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
    this.ask(number(hex));
  }

  tell(hex) {
    const name = this.names.get(number(hex));
    this.told.textContent = name ? `${number(hex)} · ${name}` : number(hex);
  }

  async ask(hex) {
    const panel = this.root.dataset.panel && document.querySelector(this.root.dataset.panel);
    const address = this.svg.querySelector("#standing").dataset.hexUrl ?? this.root.dataset.hexUrl;
    if (!panel || !address) return;
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const headers = { "HX-Request": "true" };
      const answer = await fetch(address.replace("0000", hex), { headers, signal: asking.signal });
      if (!answer.ok) throw new Error(answer.status === 404 ? HIDDEN : `the server answers ${answer.status}. Try again in a moment`);
      panel.innerHTML = await answer.text();
      warn(panel, panel.firstElementChild.dataset.owner);
      window.htmx?.process(panel);
    } catch (error) {
      const why = error instanceof TypeError ? OFFLINE : error.message;
      if (error.name !== "AbortError") panel.textContent = `Hex ${hex} cannot be shown: ${why}.`;
    }
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
