/* The view of a field: pan and zoom by finger, wheel, buttons and keys. The view is kept when the
 * page exchanges the drawing. A touch near a target counts for it. */

import { layTabs } from "./field_tabs.js";

const NEAREST = 6; // times that the field may be magnified
const NEAR = 24; // pixels round a touch that still hit a target
const STILL = 8; // pixels that a pointer may stray in a tap
const STEP = 0.15; // share of the view that an arrow key moves it
const within = (low, value, high) => Math.min(Math.max(value, low), high);
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class FieldView {
  constructor(frame) {
    this.frame = frame; // returns the element that holds the drawing
    this.view = null; // { x, y, zoom }: the middle in the drawing's units; null shows all of it
    this.pointers = new Map();
    this.dragged = false;
    document.addEventListener("pointerdown", (event) => this.down(event));
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
    document.querySelector("#field-tools").hidden = false;
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
    for (const tool of document.querySelectorAll("#field-tools [data-zoom]:not([data-zoom=in])")) tool.hidden = !this.view;
    this.svg().setAttribute("viewBox", `${left} ${top} ${w} ${h}`);
    if (this.view) Object.assign(this.view, { x: left + w / 2, y: top + h / 2 });
    layTabs(this.svg(), this.whole);
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
    const share = 1 - zoom / next;
    this.view = { x: x + (point.x - x) * share, y: y + (point.y - y) * share, zoom: next };
    this.show();
  }

  pan(x, y) {
    if (!this.view) return;
    this.view.x -= x;
    this.view.y -= y;
    this.show();
  }

  all() {
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

  /* The end of a drag is no click; a click beside every target goes to the nearest one. */

  click(event) {
    const tool = event.target.closest?.("#field-tools button");
    if (tool) ({ in: () => this.zoom(1.6), out: () => this.zoom(1 / 1.6), all: () => this.all() })[tool.dataset.zoom]();
    if (!event.target.closest?.("#field svg")) return;
    if (this.dragged && event.detail) {
      this.dragged = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.target.closest("a, .piece") || document.querySelector("#free")) return;
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

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    const way = ARROWS[event.key];
    if (way && event.target.closest("#field")) {
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
