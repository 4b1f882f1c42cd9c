/* Fingers and mice on the map: it is dragged, pinched and turned by the wheel, a stack is dragged to
 * a hex, and a tap chooses. What is chosen, and how the map moves, is the map's own matter.
 */

import { number } from "./hex_sheet.js";

const SLACK = 6; // pixels that a press may move and still be a tap

export class Pointers {
  constructor(chart) {
    this.chart = chart;
    this.pressed = new Map();
    const { svg, root } = chart;
    svg.addEventListener("pointerdown", (event) => this.press(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.lift(event));
    svg.addEventListener("pointercancel", (event) => this.forget(event));
    svg.addEventListener("click", () => this.click());
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    root.addEventListener("held", () => (this.held = true));
  }

  press(event) {
    if (event.button) return;
    this.pressed.set(event.pointerId, event);
    this.dragged = this.pressed.size > 1;
    this.held = false;
    if (this.dragged) this.letGo(null);
    else this.pulled = event.target.closest(`.stack.${this.chart.root.dataset.pull}`)?.dataset.hex ?? null;
  }

  /* Announce where a dragged stack is, and where it is let go. */

  pull(event) {
    const to = this.chart.sheet.at(...this.chart.point(event));
    this.chart.hover(event);
    const detail = { from: this.pulled, to: to === null ? null : number(to) };
    this.chart.root.dispatchEvent(new CustomEvent("pull", { detail }));
  }

  letGo(to) {
    const from = this.pulled;
    this.pulled = null;
    if (from && this.dragged) this.chart.root.dispatchEvent(new CustomEvent("pulled", { detail: { from, to } }));
  }

  move(event) {
    const before = this.pressed.get(event.pointerId);
    if (!before) return this.chart.hover(event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (!this.dragged && Math.hypot(dx, dy) < SLACK) return;
    if (!this.chart.svg.hasPointerCapture(event.pointerId)) this.chart.svg.setPointerCapture(event.pointerId);
    this.dragged = true;
    if (this.pulled) return this.pull(event);
    this.chart.root.classList.add("dragged");
    const { x, y, scale } = this.chart.view;
    const others = [...this.pressed.values()].filter((other) => other.pointerId !== event.pointerId);
    const share = 1 / this.pressed.size;
    this.chart.go({ x: x - (share * dx) / scale, y: y - (share * dy) / scale, scale, atOnce: true });
    if (others.length) this.pinch(before, event, others[0]);
    this.pressed.set(event.pointerId, event);
  }

  pinch(before, after, other) {
    const apart = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
    const middle = {
      clientX: (after.clientX + other.clientX) / 2,
      clientY: (after.clientY + other.clientY) / 2,
    };
    this.chart.zoom(apart(after) / apart(before), middle, true);
  }

  lift(event) {
    const meant = this.pressed.has(event.pointerId) && !this.dragged && !this.held;
    const to = this.chart.sheet.at(...this.chart.point(event));
    this.letGo(to === null ? null : number(to));
    this.forget(event);
    this.tapped = meant ? event : null;
  }

  /* A tap waits for its click: what it opens may move the page, and a telephone would send the
   * click to the link or button that has come under the finger. */

  click() {
    if (this.tapped) this.chart.tap(this.tapped);
    this.tapped = null;
  }

  forget(event) {
    this.letGo(null);
    this.pressed.delete(event.pointerId);
    if (!this.pressed.size) this.chart.root.classList.remove("dragged");
  }

  wheel(event) {
    event.preventDefault();
    const notch = event.deltaMode ? 30 : 1;
    this.chart.zoom(Math.exp(-event.deltaY * notch * (event.ctrlKey ? 0.01 : 0.0018)), event, true);
  }
}
