/* The forms for arrivals and standing instructions, which are parts of the sheet. */

import { findings } from "./findings.js";
import { deleteRow } from "./undo.js";
import { missing, tickBox } from "./unit_boxes.js";

const HESITATION = 500; // milliseconds after the last key before the form is saved
const NOT_YOURS = "a unit that you do not command";

function field(id, words, value, placeholder) {
  const box = document.createElement("div");
  box.className = "field";
  const label = Object.assign(document.createElement("label"), { htmlFor: id, textContent: words });
  const input = Object.assign(document.createElement("input"), { id, value, placeholder });
  box.append(label, input);
  return box;
}

function readings(list, told) {
  const items = told.map(({ text, findings: found }) => {
    const item = document.createElement("li");
    const wrong = Object.assign(document.createElement("ul"), { className: "findings" });
    findings(wrong, found);
    item.append(text, wrong);
    return item;
  });
  list.replaceChildren(...items);
}

/* Save when the user stops typing; complain about unknown places only on leaving the field. */

function whenWritten(paper) {
  let timer;
  paper.typed = new Set(); // fields with what is not saved yet, as it may be half a name
  paper.form.addEventListener("input", ({ target }) => {
    paper.typed.add(target);
    clearTimeout(timer);
    timer = setTimeout(() => paper.keep(), HESITATION);
  });
  paper.form.addEventListener("change", () => {
    clearTimeout(timer);
    paper.complain();
    paper.keep();
  });
}

/* Fill a paper in from a sheet that was written elsewhere, except where somebody is writing. */

export function refill(paper) {
  const typed = [...paper.typed].map((input) => [input, input.value]);
  paper.fill();
  for (const [input, value] of typed) input.value = value;
}

export class Arrivals {
  constructor(book, names) {
    Object.assign(this, { book, names });
    this.form = document.querySelector("#arrivals-form");
    this.reasons = [...new Set(book.data.due.map(({ reason }) => reason))];
    document.querySelector("#due").replaceChildren(...this.reasons.map((reason, number) => this.row(reason, number)));
    this.parts = document.querySelector("#due-parts");
    this.units = book.data.due.flatMap(({ units }) => units);
    this.adder = document.querySelector("#add-part");
    this.adder.hidden = !this.units.length;
    this.adder.addEventListener("click", () => this.addPart({}).querySelector("input").focus());
    this.parts.addEventListener("click", ({ target }) => target.closest(".strike") && this.strike(target.closest("li")));
    whenWritten(this);
    this.fill();
  }

  /* Units that go elsewhere than their group, a row for each place. */

  addPart({ unit_ids = [], hexes = [] }) {
    const row = document.querySelector("#due-part").content.firstElementChild.cloneNode(true);
    const units = [...this.units, ...missing(unit_ids, this.units, "a unit that is not due")];
    row.querySelector(".boxes").append(...units.map((unit) => tickBox("part", unit, unit_ids.includes(unit.id))));
    row.querySelector("[name=part-at]").value = hexes.map((hex) => this.names.name(hex)).join(", ");
    this.parts.append(row);
    row.setAttribute("aria-label", `Part ${this.parts.children.length}`);
    return row;
  }

  strike(row) {
    deleteRow(row, "These arrivals are deleted.", () => (this.complain(), this.keep()));
    this.adder.focus();
  }

  partOf(row) {
    const ticked = [...row.querySelectorAll("[name=part]:checked")].map(({ value }) => +value);
    const hexes = this.names.list(row.querySelector("[name=part-at]").value);
    return { hexes, unit_ids: ticked, reason: null };
  }

  row(reason, number) {
    const groups = this.book.data.due.filter((group) => group.reason === reason);
    const words = groups.map((group) => `${group.label} (${group.month_name})`).join("; ");
    const places = [...new Set(groups.flatMap((group) => group.place_labels))];
    return field(`due-${number}`, `${reason}: ${words}`, "", places.slice(0, 4).join(", "));
  }

  inputs() {
    const named = this.reasons.map((reason, number) => [reason, this.form.querySelector(`#due-${number}`)]);
    return [...named, ["", this.form.any]];
  }

  fill() {
    for (const [reason, input] of this.inputs()) {
      const order = this.book.sheet.reinforcements.find((one) => (one.reason ?? "") === reason && !one.unit_ids.length);
      input.value = (order?.hexes ?? []).map((hex) => this.names.name(hex)).join(", ");
    }
    this.parts.replaceChildren();
    for (const order of this.book.sheet.reinforcements) if (order.unit_ids.length) this.addPart(order);
  }

  fields() {
    return [...this.inputs().map(([, input]) => input), ...this.parts.querySelectorAll("[name=part-at]")];
  }

  wrong() {
    return this.fields().filter(({ value }) => this.names.list(value) === null);
  }

  complain() {
    const wrong = this.wrong();
    this.fields().forEach((input) => input.setAttribute("aria-invalid", wrong.includes(input)));
    const said = wrong.length ? `${this.names.refusal(this.names.unknown(wrong[0].value))} What is written here is not kept until it is put right.` : "";
    document.querySelector("#arrivals-wrong").textContent = said;
  }

  keep() {
    if (this.wrong().length) return;
    this.typed.clear();
    const orders = this.inputs().flatMap(([reason, input]) => {
      const hexes = this.names.list(input.value);
      return hexes.length ? [{ hexes, unit_ids: [], reason: reason || null }] : [];
    });
    const parts = [...this.parts.children].map((row) => this.partOf(row));
    const named = parts.filter(({ hexes, unit_ids }) => hexes.length && unit_ids.length);
    this.book.change((sheet) => (sheet.reinforcements = [...named, ...orders]));
  }

  learn(reading) {
    readings(document.querySelector("#arrivals-read"), reading.reinforcements);
  }
}

const MOST_LOCAL = 60;
const MOST_POINTS = 999;

/* The strength points that a field says; what cannot be meant becomes the nearest that can. */

const pointsIn = ({ value }) => Math.min(MOST_POINTS, Math.max(0, Math.round(+value || 0)));

export class Standing {
  constructor(book, names) {
    Object.assign(this, { book, names });
    this.form = document.querySelector("#standing-form");
    this.local = document.querySelector("#local");
    this.spare = document.querySelector("#spare");
    document.querySelector("#add-local").addEventListener("click", () => this.addLocal({}).querySelector("input").focus());
    this.local.addEventListener("click", ({ target }) => target.closest(".strike") && this.strike(target.closest("li")));
    this.local.addEventListener("input", ({ target }) => target.name === "local-unit" && this.nameLocal(target));
    whenWritten(this);
    this.fill();
  }

  fill() {
    const { form } = this;
    const standing = this.book.sheet.standing;
    form.losses.value = standing.losses;
    form.helps.value = standing.helps;
    form.retreat.value = this.names.name(standing.retreat.towards_hex);
    form["stand-fast"].checked = standing.retreat.stand_fast;
    form["from-points"].value = standing.supply.from_points;
    form.first.value = this.text(standing.supply.first_hexes);
    form.keep.value = this.text(standing.supply.keep_hexes);
    form.near.value = this.text(standing.near_hexes);
    for (const input of this.purposes()) {
      const own = standing.near_for?.find(({ purpose }) => purpose === input.dataset.purpose);
      input.value = this.text(own?.near_hexes);
    }
    this.fillSpare(standing.spare_ids);
    this.local.replaceChildren();
    for (const part of standing.local ?? []) this.addLocal(part);
  }

  /* The units that suffer last, of every stack, and others that the sheet names. */

  fillSpare(named) {
    const units = [...this.units(), ...missing(named, this.units(), NOT_YOURS)];
    this.spare.replaceChildren(...units.map((unit) => tickBox("spare", unit, named.includes(unit.id))));
    this.countSpare();
  }

  /* All units but leaders, with their places. */

  units() {
    const stacks = this.book.data.stacks.map(({ label, units }) => [label.split(":")[0], units.filter(({ kind }) => kind !== "leader")]);
    return stacks.flatMap(([place, own]) => own.map(({ id, label }) => ({ id, label: `${label}, ${place}` })));
  }

  spared() {
    return [...this.spare.querySelectorAll(":checked")].map(({ value }) => +value);
  }

  countSpare() {
    document.querySelector("#spare-count").textContent = `${this.spared().length || "none"}`;
  }

  text(hexes = []) {
    return hexes.map((hex) => this.names.name(hex)).join(", ");
  }

  purposes() {
    return [...this.form.querySelectorAll("[data-purpose]")];
  }

  /* Instructions for certain stacks, a row each. */

  addLocal(part) {
    const row = document.querySelector("#local-row").content.firstElementChild.cloneNode(true);
    const set = (name, value) => (row.querySelector(`[name=local-${name}]`).value = value ?? "");
    const leaders = this.book.data.stacks.flatMap(({ units }) => units.filter(({ kind }) => kind === "leader"));
    row.querySelector("[name=local-leader]").append(...leaders.map(({ id, label }) => new Option(label, id)));
    const [leader] = (part.unit_ids ?? []).filter((unit) => leaders.some(({ id }) => id === unit));
    row.others = (part.unit_ids ?? []).filter((unit) => unit !== leader);
    const details = row.querySelector(".local-units");
    details.addEventListener("toggle", () => this.offerLocal(row), { once: true });
    details.open = row.others.length > 0;
    this.countLocal(row);
    set("hexes", this.text(part.hexes));
    set("leader", leader);
    set("losses", part.losses);
    set("helps", part.helps);
    set("stand", part.retreat ? (part.retreat.stand_fast ? "fast" : "go") : "");
    set("towards", this.names.name(part.retreat?.towards_hex));
    set("points", part.supply_from_points);
    this.local.append(row);
    row.setAttribute("aria-label", `Instructions ${this.local.children.length}`);
    document.querySelector("#add-local").disabled = this.local.children.length >= MOST_LOCAL;
    return row;
  }

  /* The units of a row are listed when it is opened: there may be many rows and many units. */

  offerLocal(row) {
    const units = [...this.units(), ...missing(row.others, this.units(), NOT_YOURS)];
    const boxes = units.map((unit) => tickBox("local-unit", unit, row.others.includes(unit.id)));
    row.querySelector(".local-units .boxes").replaceChildren(...boxes);
  }

  nameLocal(box) {
    const row = box.closest("li");
    const others = row.others.filter((unit) => unit !== +box.value);
    row.others = box.checked ? [...others, +box.value] : others;
    this.countLocal(row);
  }

  countLocal(row) {
    row.querySelector(".local-count").textContent = row.others.length || "none";
  }

  strike(row) {
    const adder = document.querySelector("#add-local");
    deleteRow(row, "These instructions are deleted.", () => {
      adder.disabled = this.local.children.length >= MOST_LOCAL;
      this.complain();
      this.keep();
    });
    adder.focus();
  }

  localOf(row) {
    const value = (name) => row.querySelector(`[name=local-${name}]`).value;
    const towards_hex = this.names.hex(value("towards")) || null;
    const stand = value("stand");
    const general = this.form["stand-fast"].checked;
    const leader = value("leader");
    return {
      hexes: this.names.list(value("hexes")),
      unit_ids: [...(leader ? [+leader] : []), ...row.others],
      losses: value("losses") || null,
      helps: value("helps") || null,
      retreat: stand || towards_hex ? { towards_hex, stand_fast: stand ? stand === "fast" : general } : null,
      supply_from_points: value("points") === "" ? null : pointsIn(row.querySelector("[name=local-points]")),
    };
  }

  /* The fields of places, and those whose text names none. */

  lists() {
    const { first, keep, near } = this.form;
    return [first, keep, near, ...this.purposes(), ...this.local.querySelectorAll("[name=local-hexes]")];
  }

  goals() {
    return [this.form.retreat, ...this.local.querySelectorAll("[name=local-towards]")];
  }

  wrong() {
    const lists = this.lists().filter(({ value }) => this.names.list(value) === null);
    return [...lists, ...this.goals().filter(({ value }) => this.names.hex(value) === null)];
  }

  complain() {
    const wrong = this.wrong();
    for (const input of [...this.lists(), ...this.goals()]) input.setAttribute("aria-invalid", wrong.includes(input));
    for (const input of this.form.querySelectorAll("[type=number]")) if (input.value) input.value = pointsIn(input);
    const said = wrong.length ? `${this.names.refusal(this.names.unknown(wrong[0].value))} What is written here is not kept until it is put right.` : "";
    document.querySelector("#standing-wrong").textContent = said;
  }

  keep() {
    const { form, names } = this;
    if (this.wrong().length) return;
    this.typed.clear();
    const near_for = this.purposes()
      .map((input) => ({ purpose: input.dataset.purpose, near_hexes: names.list(input.value) }))
      .filter(({ near_hexes }) => near_hexes.length);
    const local = [...this.local.children].map((row) => this.localOf(row));
    this.countSpare();
    this.book.change((sheet) => {
      sheet.standing = {
        ...sheet.standing,
        losses: form.losses.value,
        spare_ids: this.spared(),
        helps: form.helps.value,
        retreat: { towards_hex: names.hex(form.retreat.value) || null, stand_fast: form["stand-fast"].checked },
        supply: {
          from_points: pointsIn(form["from-points"]),
          keep_hexes: names.list(form.keep.value),
          first_hexes: names.list(form.first.value),
        },
        near_hexes: names.list(form.near.value),
        near_for,
        local: local.filter(({ hexes, unit_ids }) => hexes.length || unit_ids.length),
      };
    });
  }

  learn(reading) {
    readings(document.querySelector("#standing-read"), reading.standing);
  }
}
