/* The view of a field: pan and zoom by finger, wheel, buttons and keys. The view is kept when the
 * page exchanges the drawing. On a phone it goes near what each question is about, until the player
 * chooses another view. A touch near a target counts for it. */

import { focusOf } from "./field_focus.js";
import { layRuler, layTabs, tabAt } from "./field_tabs.js";
import { PHONE, layTools } from "./field_tools.js";
import { shortcutsOn } from "./shortcuts.js";

const NEAREST = 6; // times that the field may be magnified
const CLOSE = 2.6; // times that it is magnified at most of itself
const NEAR = 24; // pixels round a touch that still hit a target
const STILL = 8; // pixels that a pointer may stray in a tap
const STEP = 0.15; // share of the view that an arrow key moves it
const within = (low, value, high) => Math.min(Math.max(value, low), high);
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class FieldView {
  constructor(frame) {
    this.frame = frame; // returns the element that holds the drawing
    this.view = null; // { x, y, zoom }: the middle in the drawing's units; null shows all of it
    this.follows = PHONE.matches; // goes near what is asked about
    this.pointers = new Map();
    this.dragged = false;
    document.addEventListener("pointerdown", (event) => this.down(event), true);
    document.addEventListener("replay", ({ detail: begins }) => this.replay(begins));
    document.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (event) => this.up(event));
    document.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    document.addEventListener("click", (event) => this.click(event), true);
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.whole && this.svg() && this.show());
  }

  /* Take over a new drawing. */

  dress() {
    const svg = this.svg();
    if (!svg) return;
    const [x, y, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x, y, wide, high };
    this.focus = focusOf(svg);
    const asked = [document.querySelector("#fight").dataset.place, document.querySelector("#turn-form [name=unit]")?.value].join();
    if (this.follows && asked !== this.asked) this.view = this.near(); // what is tried must not move under the finger
    this.asked = asked;
    this.show();
  }

  /* The view of what the question is about; null for all of the field. */

  near() {
    if (!this.focus) return null;
    const { left, top, right, bottom } = this.focus;
    const { wide, high } = this.whole;
    return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: within(1, Math.min(wide / (right - left), high / (bottom - top)), CLOSE) };
  }

  follow() {
    this.follows = true;
    this.view = this.near();
    this.show();
  }

  svg() {
    return this.frame()?.querySelector("svg");
  }

  show() {
    const { x, y, wide, high } = this.whole;
    if (!this.view || this.view.zoom <= 1) this.view = null;
    const { x: cx, y: cy, zoom } = this.view ?? { x: x + wide / 2, y: y + high / 2, zoom: 1 };
    const [w, h] = [wide / zoom, high / zoom];
    const left = within(x, cx - w / 2, x + wide - w);
    const top = within(y, cy - h / 2, y + high - h);
    this.svg().setAttribute("viewBox", `${left} ${top} ${w} ${h}`);
    if (this.view) Object.assign(this.view, { x: left + w / 2, y: top + h / 2 });
    layTabs(this.svg(), this.whole);
    layRuler(this.svg());
    layTools(this.svg(), (does) => (does === "near" ? this.follows || !PHONE.matches || !this.focus : does !== "in" && !this.view));
  }

  /* The steps of the other side are shown on the whole field. */

  replay(begins) {
    if (!this.follows) return;
    this.view = begins ? null : this.near();
    this.show();
  }

  /* Pixels to a unit of the drawing. */

  scale() {
    return this.svg().getScreenCTM().a;
  }

  at({ clientX, clientY }) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg().getScreenCTM().inverse());
  }

  middle() {
    const { x, y, wide, high } = this.whole;
    return this.view ?? { x: x + wide / 2, y: y + high / 2, zoom: 1 };
  }

  zoom(factor, point = this.middle()) {
    const { x, y, zoom } = this.middle();
    const next = within(1, zoom * factor, NEAREST);
    this.follows = false;
    const share = 1 - zoom / next;
    this.view = { x: x + (point.x - x) * share, y: y + (point.y - y) * share, zoom: next };
    this.show();
  }

  pan(x, y) {
    if (!this.view) return;
    this.follows = false;
    this.view.x -= x;
    this.view.y -= y;
    this.show();
  }

  all() {
    this.follows = false;
    this.view = null;
    this.show();
  }

  /* Bring an element of the drawing into the view. */

  bringIn(element) {
    if (!this.view || !element) return;
    const [one, all] = [element.getBoundingClientRect(), this.svg().getBoundingClientRect()];
    const inside = one.left >= all.left && one.right <= all.right && one.top >= all.top && one.bottom <= all.bottom;
    if (inside) return;
    const point = this.at({ clientX: (one.left + one.right) / 2, clientY: (one.top + one.bottom) / 2 });
    Object.assign(this.view, { x: point.x, y: point.y });
    this.show();
  }

  /* Fingers and mouse */

  down(event) {
    if (!event.target.closest?.("#field svg") || event.button) return;
    if (!this.pointers.size) this.dragged = false;
    this.interrupts = this.follows && this.svg().classList.contains("replaying");
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, begun: { x: event.clientX, y: event.clientY } });
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = [...this.pointers.values()].map(({ x, y }) => ({ x, y }));
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    if (Math.hypot(pointer.x - pointer.begun.x, pointer.y - pointer.begun.y) > STILL) this.dragged = true;
    if (!this.dragged) return;
    const now = [...this.pointers.values()];
    if (now.length > 1) {
      const apart = ([one, other]) => Math.hypot(one.x - other.x, one.y - other.y);
      const between = { clientX: (now[0].x + now[1].x) / 2, clientY: (now[0].y + now[1].y) / 2 };
      this.zoom(apart(now) / Math.max(apart(before), 1), this.at(between));
    }
    const scale = this.scale() * now.length;
    const moved = (axis) => now.reduce((sum, one, index) => sum + one[axis] - before[index][axis], 0) / scale;
    this.pan(moved("x"), moved("y"));
  }

  up({ pointerId }) {
    this.pointers.delete(pointerId);
  }

  wheel(event) {
    if (!event.target.closest?.("#field svg") || !(event.ctrlKey || this.view)) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.at(event));
  }

  /* The end of a drag is no click, nor is one that ends a replay, after which the view is another. One on a tab
   * goes to its unit, and one beside every target to the nearest. */

  click(event) {
    const tool = event.target.closest?.("#field-tools button");
    if (tool) ({ in: () => this.zoom(1.6), out: () => this.zoom(1 / 1.6), all: () => this.all(), near: () => this.follow() })[tool.dataset.zoom]();
    if (!event.target.closest?.("#field svg")) return;
    if ((this.dragged || this.interrupts) && event.detail) {
      this.dragged = this.interrupts = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const isFree = document.querySelector("#free, #deploy"); // the ground counts as much as a target
    const unit = event.isTrusted && tabAt(this.svg(), event, isFree || event.target.closest("a, .piece"));
    if (unit) return this.pressUnit(unit, event);
    if (event.target.closest("a, .piece") || isFree) return;
    const near = [...document.querySelectorAll(".offers a.offer")]
      .map((offer) => {
        const { left, right, top, bottom } = offer.querySelector(".shape").getBoundingClientRect();
        const off = Math.hypot(event.clientX - (left + right) / 2, event.clientY - (top + bottom) / 2);
        return { offer, off };
      })
      .sort((one, other) => one.off - other.off)[0];
    if (!near || near.off > NEAR) return;
    event.stopPropagation();
    near.offer.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }

  /* A press of a unit's tab is one of the choice about it, or else of the unit itself. */

  pressUnit(unit, event) {
    event.preventDefault();
    event.stopPropagation();
    const piece = this.svg().querySelector(`[data-piece="${unit}"]`);
    const acting = document.querySelector("#free [name=unit]")?.value;
    if (unit === acting) return void (document.querySelector("#told-of").textContent = piece.querySelector("title").textContent); // it goes nowhere
    const { left, right, top, bottom } = (piece.querySelector(".base, .bunting") ?? piece).getBoundingClientRect();
    const at = { clientX: (left + right) / 2, clientY: (top + bottom) / 2 };
    const offer = this.svg().querySelector(`.offers [data-unit="${unit}"]`);
    (offer ?? piece).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...at }));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const way = ARROWS[event.key];
    const inField = event.target.closest("#field");
    if (!inField && !shortcutsOn()) return;
    if (way && inField) {
      if (!this.view) return;
      const { wide, high } = this.whole;
      this.pan((-way[0] * STEP * wide) / this.view.zoom, (-way[1] * STEP * high) / this.view.zoom);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.6);
    else if (event.key === "-") this.zoom(1 / 1.6);
    else if (event.key === "0") this.all();
    else return;
    event.preventDefault();
  }
}
