/* The rows of the form for an order: its marches, and the units left behind on the way. */

import { neighbours, path } from "./orders_map.js";
import { deleteRow } from "./undo.js";
import { missing, tickBox } from "./unit_boxes.js";

const MOST_LEGS = 60;
const MOST_DROPS = 20;

const copyOf = (template) => document.querySelector(template).content.firstElementChild.cloneNode(true);

/* Marches: by land, rail, river and sea. The row in use is the one whose destination a click on the
 * map gives.
 */

export class MarchRows {
  constructor(names, hulls) {
    Object.assign(this, { names, hulls, start: "" });
    this.list = document.querySelector("#legs");
    this.adder = document.querySelector("#add-leg");
    this.list.addEventListener("focusin", ({ target }) => (this.active = target.closest(".leg") ?? this.active));
  }

  get rows() {
    return [...this.list.children];
  }

  get legs() {
    return this.rows.map((row) => this.legOf(row)).filter(({ to_hex, route }) => to_hex || route?.length);
  }

  get destinations() {
    return this.rows.map((row) => row.querySelector("[name=to]"));
  }

  get hasStrikes() {
    return this.rows.some((row) => row.querySelector("[name=strikes]").checked && !row.querySelector(".strikes").hidden);
  }

  fill(legs = []) {
    this.list.replaceChildren();
    (legs.length ? legs : [{}]).forEach((leg) => this.add(leg));
  }

  add(leg = {}) {
    const row = copyOf("#leg");
    row.querySelector("[name=by]").value = leg.type ?? "foot";
    row.querySelector("[name=to]").value = this.names.name(leg.to_hex ?? leg.route?.at(-1));
    row.querySelector("[name=exact]").checked = Boolean(leg.route?.length);
    row.querySelector("[name=strikes]").checked = leg.attack_only ?? false;
    row.route = [...(leg.route ?? [])];
    row.hulls = leg.hull_ids ?? [];
    row.named = [...row.hulls];
    row.querySelector(".hulls").open = row.hulls.length > 0;
    this.list.append(row);
    row.setAttribute("aria-label", `March ${this.rows.length}`);
    this.active = row;
    this.limit();
    return row;
  }

  limit() {
    this.adder.disabled = this.rows.length >= MOST_LEGS;
  }

  strike(row, changed) {
    const spare = this.rows.length === 1 ? this.add() : null; // a march has a leg at least
    deleteRow(row, "This march is deleted.", () => {
      if (row.isConnected) spare?.remove();
      this.limit();
      this.active = this.list.lastElementChild;
      changed();
    });
    this.active.querySelector("select").focus();
  }

  /* A march without a destination is one by boat if boats go along. */

  board(withBoats) {
    const [row] = this.rows;
    const isFree = this.rows.length === 1 && !row.querySelector("[name=to]").value.trim();
    if (isFree) row.querySelector("[name=by]").value = withBoats ? "river" : "foot";
  }

  /* The boats that a march by boat may take: those that lie where it begins, and those it names.
   * One that is lost since is offered too, or nobody could leave it out. */

  offerHulls(row) {
    const part = row.querySelector(".hulls");
    const start = this.startOf(row);
    part.hidden = row.querySelector("[name=by]").value !== "river";
    const named = new Set(row.hulls);
    const there = this.hulls.filter(({ id, hex }) => hex === start || named.has(id) || row.named.includes(id));
    const gone = missing(row.named, this.hulls, "a boat not in play");
    part.querySelector(".hulls-count").textContent = row.hulls.length || "as many as they need";
    const offered = [start, ...there.map(({ id }) => id)].join();
    if (row.offered === offered) return; // the boxes keep the focus
    row.offered = offered;
    const offers = [...there.map(({ id, label, hex, place }) => ({ id, label: hex === start ? label : `${label}, ${place}` })), ...gone];
    const boxes = offers.map((boat) => tickBox("hull", boat, named.has(boat.id)));
    const none = `No boat of yours is at ${this.names.name(start)} now.`;
    part.querySelector(".boxes").replaceChildren(...(boxes.length ? boxes : [none]));
  }

  nameHulls(row) {
    row.hulls = [...row.querySelectorAll("[name=hull]:checked")].map(({ value }) => +value);
  }

  /* The hex where a march begins: where the one before it leads, which an attack alone does not. */

  startOf(row) {
    const before = this.rows.slice(0, this.rows.indexOf(row)).map((one) => this.legOf(one));
    const ends = before.filter(({ attack_only }) => !attack_only).map(({ to_hex, route }) => to_hex ?? route?.at(-1));
    return ends.filter(Boolean).at(-1) ?? this.start;
  }

  /* An exact route: the path shown, to be extended hex by hex. `found` is the reach on the map. */

  takeRoute(row, exact, found) {
    const to = this.names.hex(row.querySelector("[name=to]").value);
    const known = exact && to && found ? path(found, to) : null;
    row.route = exact ? (known ?? []) : [];
  }

  /* Take a hex as the destination of the march in use. */

  aim(hex, found) {
    const row = this.active;
    if (row.querySelector("[name=exact]").checked) this.lengthen(row, hex, found);
    row.querySelector("[name=to]").value = this.names.name(row.route.at(-1) ?? hex);
  }

  lengthen(row, hex, found) {
    const end = row.route.at(-1) ?? this.start;
    if (neighbours(end).includes(hex)) row.route.push(hex);
    else if (found && !row.route.length) row.route = path(found, hex) ?? [];
  }

  legOf(row) {
    const type = row.querySelector("[name=by]").value;
    const to_hex = this.names.hex(row.querySelector("[name=to]").value) || null;
    if (type !== "foot" && type !== "river") return { type, to_hex };
    const route = [...row.route];
    const leg = { type, to_hex: route.length ? null : to_hex, route };
    return type === "river" ? { ...leg, hull_ids: row.hulls } : { ...leg, attack_only: row.querySelector("[name=strikes]").checked };
  }

  /* Show the fields that a row needs, the boats on offer, and its route or what is wrong. */

  dress() {
    for (const row of this.rows) {
      const exact = row.route.length > 0;
      row.querySelector(".shorten").hidden = !exact;
      const by = row.querySelector("[name=by]").value;
      row.querySelector(".exact").hidden = !["foot", "river"].includes(by);
      row.querySelector(".strikes").hidden = by !== "foot";
      this.offerHulls(row);
      const { value } = row.querySelector("[name=to]");
      const unknown = this.names.hex(value) === null ? this.names.refusal(value) : "";
      const route = exact ? `By ${row.route.map((hex) => this.names.name(hex)).join(", ")}.` : "";
      row.querySelector(".route").textContent = unknown || route;
    }
  }
}

/* Units left behind on the way, a row for each place. */

export class DropRows {
  constructor(names) {
    this.names = names;
    this.list = document.querySelector("#drops");
    this.adder = document.querySelector("#add-drop");
  }

  get rows() {
    return [...this.list.children];
  }

  get places() {
    return this.rows.map((row) => row.querySelector("[name=drop-at]"));
  }

  get drops() {
    const drops = this.rows.map((row) => ({
      unit_ids: [...row.querySelectorAll("[name=drop]:checked")].map(({ value }) => +value),
      at_hex: this.names.hex(row.querySelector("[name=drop-at]").value) || null,
    }));
    return drops.filter(({ unit_ids }) => unit_ids.length);
  }

  /* Begin with the drops of an order of a stack with these units. */

  fill(units, drops = []) {
    this.units = units.filter(({ kind }) => kind !== "hull");
    this.list.replaceChildren();
    drops.forEach((drop) => this.add(drop));
  }

  add({ unit_ids = [], at_hex = null } = {}) {
    const row = copyOf("#drop");
    row.querySelector(".boxes").append(...this.units.map((unit) => tickBox("drop", unit, unit_ids.includes(unit.id))));
    row.querySelector("[name=drop-at]").value = this.names.name(at_hex);
    this.list.append(row);
    row.setAttribute("aria-label", `Left behind ${this.rows.length}`);
    this.limit();
    return row;
  }

  limit() {
    this.adder.disabled = this.rows.length >= MOST_DROPS;
  }

  strike(row, changed) {
    deleteRow(row, "This place is deleted.", () => {
      this.limit();
      changed();
    });
    this.adder.focus();
  }
}
