/* The form for one order, filled in from the map, from the list of stacks, or by keyboard. */

import { neighbours, path, wayOf } from "./orders_map.js";

const ALIKE = 0.6; // similarity from which on a place is suggested
const MOST_NAMED = 3;
const HESITATION = 250; // milliseconds after the last key before the order is read back back

export class Names {
  constructor(places) {
    this.hexes = new Map(Object.entries(places).map(([name, hex]) => [name.toLowerCase(), hex]));
    this.names = new Map(Object.entries(places).reverse().map(([name, hex]) => [hex, name]));
  }

  /* The message for a text that is no place, with suggestions. */

  refusal(text) {
    const near = this.near(text);
    const hint = near.length ? ` Did you mean ${near.join(" or ")}?` : " Write a place, or the four figures of a hex.";
    return `There is no place “${text.trim()}”.${hint}`;
  }

  near(text) {
    const wanted = text.trim().toLowerCase();
    const ranked = [...this.hexes]
      .map(([name, hex]) => [name.startsWith(wanted) ? 1 : alike(wanted, name), this.name(hex)])
      .filter(([share]) => share >= ALIKE)
      .sort(([a], [b]) => b - a);
    return [...new Set(ranked.map(([, name]) => name))].slice(0, MOST_NAMED);
  }

  /* The hex of a text: 0 for an empty one, null for no place. */

  hex(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return 0;
    return /^\d{4}$/.test(wanted) ? +wanted : (this.hexes.get(wanted) ?? null);
  }

  list(text) {
    const found = this.parts(text).map((one) => this.hex(one));
    return found.includes(null) ? null : found;
  }

  parts(text) {
    return text.split(",").filter((one) => one.trim());
  }

  /* The first name in a list that is no place. */

  unknown(text) {
    return this.parts(text).find((one) => this.hex(one) === null)?.trim();
  }

  name(hex) {
    return hex ? (this.names.get(hex) ?? String(hex).padStart(4, "0")) : "";
  }
}

/* The similarity of two words, from 0 to 1: their longest common subsequence. */

function alike(one, other) {
  let row = new Array(other.length + 1).fill(0);
  for (const letter of one) {
    const next = [0];
    for (let place = 0; place < other.length; place += 1) {
      next.push(letter === other[place] ? row[place] + 1 : Math.max(row[place + 1], next[place]));
    }
    row = next;
  }
  return (2 * row[other.length]) / (one.length + other.length);
}

function made(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/* Show the findings of an order: the worst judgement, then each finding. */

export function findings(list, found, judgement = found[0]?.verdict) {
  const items = found.map(({ verdict, said, remedy, clause }, number) => {
    const words = [said, remedy, clause && `(${clause})`].filter(Boolean).join(" ");
    const label = number ? [] : [made("b", { textContent: judgement }), " "];
    return made("li", { className: verdict }, ...label, words);
  });
  list.dataset.judgement = judgement ?? "";
  list.replaceChildren(...items);
}

/* Mark an element as out of date until the answer comes: greyed, and busy to screen readers. */

export function busy(element, whether) {
  element.setAttribute("aria-busy", whether);
}

export class Composer extends EventTarget {
  constructor(book, overlay, names) {
    super();
    Object.assign(this, { book, overlay, names });
    this.section = document.querySelector("#compose");
    this.form = document.querySelector("#order");
    this.legs = document.querySelector("#legs");
    this.found = null;
    this.fillStacks();
    this.listen();
  }

  get open() {
    return !this.section.hidden;
  }

  get stack() {
    return this.book.data.stacks.find(({ hex }) => hex === +this.form.stack.value);
  }

  fillStacks() {
    const { stacks, setUp, battle } = this.book.data;
    const options = stacks.map(({ hex, name, words }) => new Option(`${name}: ${words}`, hex));
    this.form.stack.replaceChildren(...options);
    this.form.kind.querySelector("[value=deploy]").hidden = !setUp;
    document.querySelector("#battle-title").textContent = battle?.title ?? "";
  }

  listen() {
    const { form } = this;
    form.addEventListener("submit", (event) => (event.preventDefault(), this.keep()));
    form.addEventListener("input", (event) => this.typed(event));
    form.addEventListener("click", (event) => this.pressed(event));
    form.addEventListener("focusin", ({ target }) => {
      const leg = target.closest(".leg");
      if (leg) this.active = leg;
    });
    form.addEventListener("keydown", (event) => event.key === "Escape" && this.leave());
  }

  typed({ target }) {
    if (target.name === "stack") this.takeStack();
    if (target.name === "unit" || target.name === "leader") this.unitsChanged();
    if (target.name === "exact") this.exactly(target.closest(".leg"), target.checked);
    this.changed();
  }

  pressed({ target }) {
    const leg = target.closest(".leg");
    const acts = {
      "all-units": () => this.tick(() => true),
      "no-units": () => this.tick(() => false),
      "add-leg": () => this.addLeg({}).querySelector("select").focus(),
      "leave-order": () => this.leave(),
    };
    if (acts[target.id]) acts[target.id]();
    else if (target.closest(".strike")) this.strike(leg);
    else if (target.closest(".shorten")) leg.route.pop();
    else return;
    this.changed();
  }

  /* Opening and closing the form. */

  begin(hex) {
    this.index = null;
    this.show({ order: "march", hex });
    document.querySelector("#compose-title").textContent = "A new order";
  }

  edit(index) {
    this.index = index;
    this.show(this.book.sheet.orders[index]);
    document.querySelector("#compose-title").textContent = `Order ${index + 1}`;
  }

  show(order) {
    const { form } = this;
    const hex = order.hex ?? this.stackOf(order.units)?.hex;
    this.section.hidden = false;
    form.reset();
    if (hex) form.stack.value = hex;
    form.kind.value = order.order;
    this.others = (order.drops ?? []).slice(1);
    this.takeStack(order);
    this.fillLegs(order.legs);
    this.fillRest(order);
    this.section.querySelector("#keep-order").textContent = this.index === null ? "Add this order" : "Change the order";
    document.querySelector("#compose-title").focus({ preventScroll: true });
    this.section.scrollIntoView({ block: "start" });
    this.changed();
  }

  stackOf(units = []) {
    return this.book.data.stacks.find((stack) => stack.units.some(({ id }) => units.includes(id)));
  }

  leave() {
    this.section.hidden = true;
    this.overlay.hideReach();
    this.dispatchEvent(new CustomEvent("left", { detail: { index: this.index } }));
  }

  keep() {
    const unknown = this.unknown();
    if (unknown) {
      this.complain(unknown);
      return unknown.focus();
    }
    const { order, index } = this;
    this.book.change(({ orders }) => {
      if (index === null) orders.push(order);
      else orders[index] = order;
    });
    this.index = index ?? this.book.sheet.orders.length - 1;
    this.leave();
  }

  /* The stack and its units. */

  takeStack(order = {}) {
    const { stack, form } = this;
    if (!stack) return;
    const named = new Set(order.units ?? []);
    const dropped = new Set(order.drops?.[0]?.units ?? []);
    const busy = this.busy();
    const free = ({ kind, id }) => kind !== "hull" && kind !== "fleet" && !busy.has(id);
    const first = (unit) => (named.size ? named.has(unit.id) : free(unit));
    const box = (name, ticked) => (unit) => {
      const input = made("input", { type: "checkbox", name, value: unit.id, checked: ticked(unit) });
      return made("label", { className: "choice" }, input, made("span", { textContent: unit.label }));
    };
    document.querySelector("#units").replaceChildren(...stack.units.map(box("unit", first)));
    const land = stack.units.filter(({ kind }) => kind !== "hull");
    document.querySelector("#drop-units").replaceChildren(...land.map(box("drop", ({ id }) => dropped.has(id))));
    const leaders = stack.units.filter(({ kind }) => kind === "leader");
    const options = leaders.map(({ id, label }) => new Option(label, id));
    form.leader.replaceChildren(new Option("the best leader", ""), new Option("nobody", "nobody"), ...options);
    if (!order.units) this.fillLegs();
    this.unitsChanged();
  }

  /* The units that other orders use. */

  busy() {
    const others = this.book.sheet.orders.filter((_, number) => number !== this.index);
    return new Set(others.flatMap(({ units }) => units ?? []));
  }

  tick(choose) {
    this.boxes("unit").forEach((box) => (box.checked = choose(box)));
    this.unitsChanged();
  }

  boxes(name) {
    return [...this.form.querySelectorAll(`input[name=${name}]`)];
  }

  ticked(name) {
    return this.boxes(name).filter(({ checked }) => checked).map(({ value }) => +value);
  }

  async unitsChanged() {
    const units = this.ticked("unit");
    document.querySelector("#units-count").textContent = `${units.length} of ${this.stack.units.length}`;
    const asked = new URLSearchParams(units.map((unit) => ["unit", unit]));
    asked.set("leader", this.form.leader.value);
    const asking = (this.asking = Symbol("asking"));
    const answer = units.length && (await fetch(`${this.book.addresses.outlook}?${asked}`).catch(() => null));
    if (asking !== this.asking) return;
    this.found = answer?.ok ? await answer.json() : null;
    document.querySelector("#outlook").innerHTML = this.found?.html ?? "";
    if (this.found && this.open) this.overlay.showReach(this.found);
    else this.overlay.hideReach();
    this.drawWays();
  }

  /* Marches: by land, rail, river and sea. */

  fillLegs(legs = [{ by: "foot" }]) {
    this.legs.replaceChildren();
    (legs.length ? legs : [{ by: "foot" }]).forEach((leg) => this.addLeg(leg));
  }

  addLeg(leg) {
    const row = document.querySelector("#leg").content.firstElementChild.cloneNode(true);
    row.querySelector("[name=by]").value = leg.by ?? "foot";
    row.querySelector("[name=to]").value = this.names.name(leg.to || leg.route?.at(-1));
    row.querySelector("[name=exact]").checked = Boolean(leg.route?.length);
    row.route = [...(leg.route ?? [])];
    row.hulls = leg.hulls;
    this.legs.append(row);
    row.setAttribute("aria-label", `March ${this.legs.children.length}`);
    this.active = row;
    document.querySelector("#add-leg").disabled = this.legs.children.length > 2;
    return row;
  }

  strike(leg) {
    leg.remove();
    if (!this.legs.children.length) this.addLeg({});
    this.active = this.legs.lastElementChild;
    document.querySelector("#add-leg").disabled = false;
    this.active.querySelector("select").focus();
  }

  /* An exact route: the path shown, to be extended hex by hex. */

  exactly(leg, exact) {
    const to = this.names.hex(leg.querySelector("[name=to]").value);
    const known = exact && to && this.found ? path(this.found, to) : null;
    leg.route = exact ? (known ?? []) : [];
  }

  /* Take a hex clicked on the map as the destination of the current march. */

  aim(hex) {
    if (this.form.kind.value === "deploy") this.form["deploy-to"].value = this.names.name(hex);
    if (this.form.kind.value !== "march" || hex === this.stack.hex) return this.changed();
    const leg = this.active;
    if (leg.querySelector("[name=exact]").checked) this.lengthen(leg, hex);
    leg.querySelector("[name=to]").value = this.names.name(leg.route.at(-1) ?? hex);
    this.changed();
  }

  lengthen(leg, hex) {
    const end = leg.route.at(-1) ?? this.stack.hex;
    if (neighbours(end).includes(hex)) leg.route.push(hex);
    else if (this.found && !leg.route.length) leg.route = path(this.found, hex) ?? [];
  }

  legOf(row) {
    const by = row.querySelector("[name=by]").value;
    const to = this.names.hex(row.querySelector("[name=to]").value);
    const leg = { by, to: to ?? 0 };
    if (row.route.length && (by === "foot" || by === "river")) Object.assign(leg, { to: 0, route: row.route });
    if (row.hulls?.length && by === "river") leg.hulls = row.hulls;
    return leg;
  }

  /* The rest of the form, to and from an order. */

  fillRest(order) {
    const { form } = this;
    form.contact.value = order.contact ?? "stop";
    form["least-odds"].value = order.least_odds ?? 0;
    form["go-on"].checked = order.go_on ?? false;
    form.leader.value = order.without_leader ? "nobody" : order.leader || "";
    form.helps.value = order.helps ?? "";
    form.marches.value = order.marches ?? 3;
    form["drop-at"].value = this.names.name(order.drops?.[0]?.at);
    form["deploy-to"].value = this.names.name(order.to);
    form["if-came"].value = order.if_battle?.came ?? "";
  }

  get order() {
    const { form } = this;
    const kind = form.kind.value;
    const units = this.ticked("unit");
    if (kind === "deploy") return { order: kind, units, to: this.names.hex(form["deploy-to"].value) ?? 0 };
    const order = { order: kind, hex: this.stack.hex, units };
    if (kind === "march") Object.assign(order, this.march());
    const { battle } = this.book.data;
    if (battle && form["if-came"].value && kind !== "stay") {
      order.if_battle = { battle: battle.id, came: form["if-came"].value };
    }
    return order;
  }

  march() {
    const { form } = this;
    const dropped = this.ticked("drop");
    const drop = { units: dropped, at: this.names.hex(form["drop-at"].value) ?? 0 };
    const rows = [...this.legs.children].map((row) => this.legOf(row));
    return {
      legs: rows.filter(({ to, route }) => to || route),
      contact: form.contact.value,
      least_odds: form.contact.value === "attack" ? +form["least-odds"].value : 0,
      go_on: form.contact.value === "attack" && form["go-on"].checked,
      leader: parseInt(form.leader.value, 10) || 0,
      without_leader: form.leader.value === "nobody",
      helps: form.helps.value || null,
      marches: +form.marches.value,
      drops: dropped.length ? [drop, ...this.others] : this.others,
    };
  }

  /* The first field in use that names no place; such an order is neither read nor kept. */

  unknown() {
    const march = this.form.kind.value === "march";
    const inUse = [
      ...(march ? [...this.legs.children].map((row) => row.querySelector("[name=to]")) : []),
      ...(march && this.ticked("drop").length ? [this.form["drop-at"]] : []),
      ...(this.form.kind.value === "deploy" ? [this.form["deploy-to"]] : []),
    ];
    const wrong = inUse.filter((input) => this.names.hex(input.value) === null);
    for (const input of this.form.querySelectorAll("input[list=places]")) {
      input.setAttribute("aria-invalid", wrong.includes(input));
    }
    return wrong[0];
  }

  complain(input) {
    const said = this.names.refusal(input.value);
    document.querySelector("#in-words").textContent = `… to “${input.value.trim()}”`;
    findings(document.querySelector("#in-words-findings"), [{ verdict: "impossible", said }]);
    busy(document.querySelector(".half-built"), false);
  }

  changed() {
    const kind = this.form.kind.value;
    for (const part of this.form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(kind);
    document.querySelector("#if-battle").hidden ||= !this.book.data.battle;
    this.form.querySelector("[data-for-contact]").hidden = this.form.contact.value !== "attack";
    for (const row of this.legs.children) this.dressLeg(row);
    this.drawWays();
    busy(document.querySelector(".half-built"), true);
    clearTimeout(this.hesitating);
    this.hesitating = setTimeout(() => this.readAloud(), HESITATION);
  }

  dressLeg(row) {
    const exact = row.route.length > 0;
    row.querySelector(".shorten").hidden = !exact;
    row.querySelector(".exact").hidden = !["foot", "river"].includes(row.querySelector("[name=by]").value);
    const { value } = row.querySelector("[name=to]");
    const unknown = this.names.hex(value) === null ? this.names.refusal(value) : "";
    const route = exact ? `By ${row.route.map((hex) => this.names.name(hex)).join(", ")}.` : "";
    row.querySelector(".route").textContent = unknown || route;
  }

  async readAloud() {
    const unknown = this.unknown();
    if (unknown) return this.complain(unknown);
    const { order, index } = this;
    const orders = [...this.book.sheet.orders];
    const place = index ?? orders.length;
    orders[place] = order;
    const reading = await this.book.read({ ...this.book.sheet, orders });
    if (!this.open || JSON.stringify(this.order) !== JSON.stringify(order)) return;
    const told = reading?.orders[place];
    busy(document.querySelector(".half-built"), false);
    document.querySelector("#in-words").textContent = told?.words ?? "It cannot be read while there is no connection.";
    findings(document.querySelector("#in-words-findings"), told?.found ?? [], told?.verdict);
    if (told) this.dispatchEvent(new CustomEvent("told", { detail: { order, told } }));
  }

  drawWays() {
    const now = this.open && this.form.kind.value === "march" ? this.order : null;
    const others = this.book.sheet.orders.filter((_, number) => !this.open || number !== this.index);
    const all = [...others.map((order) => [order, false]), ...(now ? [[now, true]] : [])];
    this.overlay.showWays(all.flatMap(([order, active]) => this.waysOf(order, active)));
  }

  waysOf(order, now) {
    let start = order.hex;
    return (order.legs ?? []).map((leg) => {
      const hexes = wayOf(leg, start, now ? this.found : null);
      start = hexes.at(-1);
      return { hexes, by: leg.by, now };
    });
  }
}
