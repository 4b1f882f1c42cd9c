/* The form for one order, filled in from the map, from the list of stacks, or by keyboard. */

import { neighbours, path, reachOf, wayOf } from "./orders_map.js";
import { same } from "./same.js";
import { deleteRow, endUndo, offerUndo, placeFoot } from "./undo.js";

const ALIKE = 0.7; // similarity from which on a place is suggested
const MOST_NAMED = 3;
const MOST_LEGS = 60;
const MOST_DROPS = 20;
const HESITATION = 250; // milliseconds after the last key before the order is read back

/* A name as it is compared: small letters and figures alone, so that “el-obeid ” is El Obeid. */

const spelt = (text) => text.normalize("NFD").toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, "");

/* Whether a unit is one to march that no other order uses. */

const isFree = ({ kind, id }, busy) => kind !== "hull" && kind !== "fleet" && !busy.has(id);

export class Names {
  constructor(places) {
    this.hexes = new Map(Object.entries(places).map(([name, hex]) => [spelt(name), hex]));
    this.names = new Map(Object.entries(places).reverse().map(([name, hex]) => [hex, name]));
  }

  /* The message for a text that is no place, with suggestions. */

  refusal(text) {
    const near = this.near(text);
    const hint = near.length ? ` Did you mean ${near.join(" or ")}?` : " Write a place, or the four figures of a hex.";
    return `There is no place “${text.trim()}”.${hint}`;
  }

  near(text) {
    const wanted = spelt(text);
    const ranked = [...this.hexes]
      .map(([name, hex]) => [name.startsWith(wanted) ? 1 : alike(wanted, name), this.name(hex)])
      .filter(([share]) => share >= ALIKE)
      .sort(([a], [b]) => b - a);
    return [...new Set(ranked.map(([, name]) => name))].slice(0, MOST_NAMED);
  }

  /* The hex of a text: "" for an empty one, null for no place. */

  hex(text) {
    if (!text.trim()) return "";
    const wanted = spelt(text);
    return /^\d{4}$/.test(wanted) ? wanted : (this.hexes.get(wanted) ?? null);
  }

  list(text) {
    const found = this.parts(text).map((one) => this.hex(one));
    return found.includes(null) ? null : found;
  }

  parts(text) {
    return text.split(/[,;]/).filter((one) => one.trim());
  }

  /* The first name in a list that is no place. */

  unknown(text) {
    return this.parts(text).find((one) => this.hex(one) === null)?.trim();
  }

  name(hex) {
    return hex ? (this.names.get(hex) ?? hex) : "";
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

/* A unit in words, to be ticked. */

export function tickBox(name, { id, label }, checked) {
  const input = made("input", { type: "checkbox", name, value: id, checked });
  return made("label", { className: "choice" }, input, made("span", { textContent: label }));
}

/* The named units that are not among those on offer, so that they can be left out. */

export function missing(named, offered, words) {
  const gone = named.filter((unit) => !offered.some(({ id }) => id === unit));
  return gone.map((id) => ({ id, label: `${words} (${id})` }));
}

/* A unit as its counter, to be ticked. */

function card({ id, label, short, counter }, checked) {
  const picture = made("span", { className: "picture" });
  picture.innerHTML = counter;
  const input = made("input", { type: "checkbox", name: "unit", value: id, checked });
  const words = [made("span", { className: "unseen", textContent: label }), made("span", { className: "short", textContent: short })];
  words[1].setAttribute("aria-hidden", "true");
  return made("label", { className: "unit-card", title: label }, input, picture, ...words);
}

/* The pages of the clauses, by number: a clause in brackets is a link to its own. */

const clauses = JSON.parse(document.querySelector("#clauses").textContent);
const NUMBER = String.raw`\d{1,2}\.\d{1,3}(?: [IV]+)?`;
const NAMED = new RegExp(String.raw`(\((?:${NUMBER}(?:, | to | and )?)+\))`);

function linked(words) {
  return words.split(NAMED).flatMap((part, place) => {
    if (place % 2 === 0) return [part];
    return part.split(new RegExp(`(${NUMBER})`)).map((one) => (clauses[one] ? made("a", { href: clauses[one], textContent: one, target: "_blank" }) : one));
  });
}

/* Show the findings of an order: the worst judgement, then each finding. */

export function findings(list, found) {
  const judgement = found[0]?.verdict;
  const items = found.map(({ verdict, text, remedy, clause }, number) => {
    const words = [text, remedy, clause && `(${clause})`].filter(Boolean).join(" ");
    const label = number ? [] : [made("b", { textContent: judgement }), " "];
    return made("li", { className: verdict }, ...label, ...linked(words));
  });
  list.dataset.judgement = judgement ?? "";
  list.replaceChildren(...items);
}

/* Mark an element as out of date until the answer comes: greyed, and busy to screen readers. */

export function busy(element, whether) {
  element.setAttribute("aria-busy", whether);
}

export class Composer extends EventTarget {
  constructor(book, overlay, names, map) {
    super();
    Object.assign(this, { book, overlay, names, map });
    this.section = document.querySelector("#compose");
    this.form = document.querySelector("#order");
    this.legs = document.querySelector("#legs");
    this.drops = document.querySelector("#drops");
    this.found = null;
    this.ways = new Map(); // the ways of marches as they were drawn when the order was written
    this.fillStacks();
    this.listen();
  }

  get open() {
    return !this.section.hidden;
  }

  get stack() {
    return this.book.data.stacks.find(({ hex }) => hex === this.form.stack.value);
  }

  fillStacks() {
    const { stacks, set_up, battle } = this.book.data;
    const options = stacks.map(({ hex, label }) => new Option(label, hex));
    this.form.stack.replaceChildren(...options);
    this.form.kind.querySelector("[value=deploy]").hidden = !set_up;
    document.querySelector("#battle-title").textContent = battle?.title ?? "";
  }

  listen() {
    const { form } = this;
    form.addEventListener("submit", (event) => (event.preventDefault(), this.keep()));
    form.addEventListener("input", (event) => this.typed(event));
    form.addEventListener("click", (event) => this.pressed(event));
    form.addEventListener("focusin", ({ target }) => {
      const leg = target.closest(".leg");
      if (leg?.parentElement === this.legs) this.active = leg;
    });
    this.section.addEventListener("keydown", (event) => event.key === "Escape" && this.putAside());
    addEventListener("pagehide", () => this.putBy());
  }

  typed({ target }) {
    if (target.name === "stack") {
      endUndo();
      this.takeStack({}, true);
    }
    if (target.name === "unit" && target.checked) this.boardsBoats();
    if (target.name === "unit" || target.name === "leader") this.unitsChanged();
    if (target.name === "exact") this.exactly(target.closest(".leg"), target.checked);
    if (target.name === "hull") this.nameHulls(target.closest(".leg"));
    this.changed();
  }

  pressed({ target }) {
    const leg = target.closest(".leg");
    const only = target.closest("#only button")?.dataset.arm;
    const acts = {
      "all-units": () => this.tick(() => true),
      "no-units": () => this.tick(() => false),
      "add-leg": () => this.addLeg({}).querySelector("select").focus(),
      "add-drop": () => this.addDrop().querySelector("input").focus(),
      "leave-order": () => this.putAside(),
    };
    if (acts[target.id]) acts[target.id]();
    else if (only) this.tick(({ value }) => this.stack.units.some(({ id, arm }) => id === +value && arm === only));
    else if (target.closest(".strike")) this.strike(leg);
    else if (target.closest(".shorten")) leg.route.pop();
    else return;
    this.changed();
  }

  /* Opening and closing the form. */

  begin(hex, { fromMap = false } = {}) {
    this.putAside();
    this.show({ type: "march", hex }, null, !fromMap);
    this.opened = this.written;
  }

  edit(index) {
    this.putAside();
    this.show(this.book.sheet.orders[index], index, true);
    this.opened = this.written;
  }

  show(order, index, looking) {
    const { form } = this;
    this.index = index;
    this.original = index === null ? null : this.book.sheet.orders[index];
    this.opened = "";
    const hex = order.hex ?? this.stackOf(order.unit_ids)?.hex;
    this.section.hidden = false;
    form.reset();
    document.querySelector("#in-words").textContent = ""; // the sentence of another order
    findings(document.querySelector("#in-words-findings"), []);
    if (hex) form.stack.value = hex;
    form.kind.value = order.type;
    this.takeStack(order, looking);
    this.fillLegs(order.legs);
    this.fillRest(order);
    this.nameForm();
    placeFoot();
    document.querySelector("#compose-title").focus({ preventScroll: true });
    this.scrollUp();
    this.changed();
  }

  nameForm() {
    document.querySelector("#compose-title").textContent = this.index === null ? "A new order" : `Order ${this.index + 1}`;
    this.section.querySelector("#keep-order").textContent = this.index === null ? "Add this order" : "Change the order";
  }

  /* Follow the order that is being changed to its new place on the sheet: others are moved and deleted
   * meanwhile, here or elsewhere. One that is deleted becomes a new order. */

  follow() {
    if (!this.open || !this.original) return;
    const { orders } = this.book.sheet;
    const place = orders.includes(this.original) ? orders.indexOf(this.original) : orders.findIndex((one) => same(one, this.original));
    this.index = place < 0 ? null : place;
    this.original = orders[place] ?? this.original;
    this.nameForm();
  }

  /* The sheet has been replaced by the stored one, in which each order has the place that it had. */

  renew() {
    if (this.open && this.index !== null) this.original = this.book.sheet.orders[this.index];
  }

  /* Return whether the form stands below the map, as on a telephone. */

  get isBelowMap() {
    return getComputedStyle(document.querySelector("#papers")).overflowY !== "auto";
  }

  /* Scroll the form to the top. scrollIntoView() would move the page itself, too, which is not to
   * scroll where the papers stand beside the map. */

  scrollUp() {
    const papers = document.querySelector("#papers");
    const top = document.querySelector("#guide") ?? this.section;
    if (this.isBelowMap) return top.scrollIntoView({ block: "start" });
    const tabs = papers.querySelector(".jump").offsetHeight;
    papers.scrollTop += this.section.getBoundingClientRect().top - papers.getBoundingClientRect().top - tabs;
  }

  stackOf(units = []) {
    return this.book.data.stacks.find((stack) => stack.units.some(({ id }) => units.includes(id)));
  }

  leave() {
    this.section.hidden = true;
    placeFoot();
    this.overlay.hideReach();
    this.dispatchEvent(new CustomEvent("left", { detail: { index: this.index } }));
  }

  /* Everything that is written in the form, and whether it differs from what the form opened with:
   * such an order would be lost with the form. */

  get written() {
    return JSON.stringify([...new FormData(this.form)]);
  }

  get unkept() {
    return this.open && this.written !== this.opened;
  }

  /* Close the form. An order that is not on the sheet yet can be taken up again. */

  putAside() {
    if (!this.open) return;
    const { unkept, order, index } = this;
    this.leave();
    if (unkept) offerUndo("What you had written was not added.", () => this.takeUp({ order, index }));
    else endUndo();
  }

  takeUp({ order, index }) {
    const isThere = index !== null && index < this.book.sheet.orders.length;
    this.show(order, isThere ? index : null, true);
  }

  /* An order half written outlives a reload, the back button and a log-in, in this tab. */

  putBy() {
    this.storage((kept) => {
      kept.removeItem(this.place);
      if (this.unkept) kept.setItem(this.place, JSON.stringify({ order: this.order, index: this.index }));
    });
  }

  restore() {
    const left = this.storage((kept) => kept.getItem(this.place));
    if (left) this.takeUp(JSON.parse(left));
  }

  get place() {
    return `${this.book.place}:order`;
  }

  storage(act) {
    try {
      return act(sessionStorage);
    } catch {
      return null; // a browser that stores nothing
    }
  }

  /* Add the order to the sheet, unless it lacks something, which is said then. */

  keep() {
    const unknown = this.unknown();
    if (unknown) {
      this.complain(unknown);
      unknown.focus();
      return;
    }
    if (!this.ticked("unit").length) {
      this.complainOfNobody();
      this.form.querySelector(".units-of").open = true;
      this.boxes("unit")[0]?.focus();
      return;
    }
    const { order, index } = this;
    this.original = null;
    this.book.change(({ orders }) => {
      if (index === null) orders.push(order);
      else orders[index] = order;
    });
    this.index = index ?? this.book.sheet.orders.length - 1;
    this.leave();
  }

  /* The stack and its units. */

  takeStack(order = {}, looking = false) {
    const { stack, form } = this;
    if (!stack) return;
    this.looking = looking;
    this.isTaken = true;
    if (looking) this.look([stack.hex]);
    const named = new Set(order.unit_ids ?? []);
    const busy = this.busy();
    const first = (unit) => (named.size ? named.has(unit.id) : isFree(unit, busy));
    document.querySelector("#units").replaceChildren(...stack.units.map((unit) => card(unit, first(unit))));
    this.offerArms(stack.units);
    this.drops.replaceChildren();
    for (const drop of order.drops ?? []) this.addDrop(drop);
    const leaders = stack.units.filter(({ kind }) => kind === "leader");
    const options = leaders.map(({ id, label }) => new Option(label, id));
    form.leader.replaceChildren(new Option("the best leader", ""), new Option("nobody", "nobody"), ...options);
    if (!order.unit_ids) this.fillLegs();
    this.unitsChanged();
  }

  /* Bring hexes into view on the map; with `unless`, only if that hex is not in view. */

  look(hexes, unless = null) {
    this.map.dispatchEvent(new CustomEvent("look", { detail: { hexes, unless } }));
  }

  /* Buttons that tick one arm alone, where the stack has several. */

  offerArms(units) {
    const arms = [...new Set(units.map(({ arm }) => arm))];
    const buttons = arms.map((arm) => {
      const button = made("button", { type: "button", className: "small", textContent: `Only the ${arm}` });
      button.dataset.arm = arm;
      return button;
    });
    document.querySelector("#only").replaceChildren(...(arms.length > 1 ? buttons : []));
  }

  /* With boats among the units a march without a destination is one by boat. */

  boardsBoats() {
    const units = new Set(this.ticked("unit"));
    const hulls = this.stack.units.some(({ id, kind }) => kind === "hull" && units.has(id));
    const [leg] = this.legs.children;
    const free = leg && this.legs.children.length === 1 && !leg.querySelector("[name=to]").value.trim();
    if (free) leg.querySelector("[name=by]").value = hulls ? "river" : "foot";
  }

  /* The units that other orders use. */

  busy() {
    const others = this.book.sheet.orders.filter((_, number) => number !== this.index);
    return new Set(others.flatMap((order) => order.unit_ids));
  }

  /* The orders that use the stack's units, if they leave none that could go: “order 2”. */

  ordersOfAll() {
    const busy = this.busy();
    if (this.stack.units.some((unit) => isFree(unit, busy))) return [];
    return this.book.sheet.orders.flatMap(({ unit_ids }, number) =>
      number !== this.index && this.stack.units.some(({ id }) => unit_ids.includes(id)) ? [`order ${number + 1}`] : []);
  }

  tick(choose) {
    this.boxes("unit").forEach((box) => (box.checked = choose(box)));
    this.boardsBoats();
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
    const asking = (this.asking = Symbol("asking"));
    const [reach, panel] = units.length ? await this.askOutlook(units) : [];
    if (asking !== this.asking) return;
    this.found = reach ? reachOf(reach) : null;
    document.querySelector("#outlook").innerHTML = (reach && panel) ?? "";
    if (this.found && this.open) this.overlay.showReach(this.found);
    else this.overlay.hideReach();
    if (this.found && this.isTaken) {
      // A stack that was taken from the map is in view, but on a telephone the form makes the map lower.
      const { start, bands } = this.found;
      this.look([start, ...bands[0]], this.looking ? null : start);
    }
    this.looking = this.isTaken = false;
    this.drawWays();
  }

  /* Return the reach of the units for the map, and the panel about it. */

  askOutlook(units) {
    const { value } = this.form.leader;
    const leader = value === "nobody" ? { without_leader: true } : value && { leader_id: value };
    const query = new URLSearchParams({ unit_ids: units.join(), ...leader });
    const { reach, outlook } = this.book.addresses;
    const ask = async (address, read) => {
      const answer = await fetch(`${address}?${query}`, { redirect: "error" });
      return answer.ok ? read(answer) : null;
    };
    const both = [ask(reach, (answer) => answer.json()), ask(outlook, (answer) => answer.text())];
    return Promise.all(both.map((one) => one.catch(() => null)));
  }

  /* Marches: by land, rail, river and sea. */

  fillLegs(legs = [{ type: "foot" }]) {
    this.legs.replaceChildren();
    (legs.length ? legs : [{ type: "foot" }]).forEach((leg) => this.addLeg(leg));
  }

  addLeg(leg) {
    const row = document.querySelector("#leg").content.firstElementChild.cloneNode(true);
    row.querySelector("[name=by]").value = leg.type ?? "foot";
    row.querySelector("[name=to]").value = this.names.name(leg.to_hex ?? leg.route?.at(-1));
    row.querySelector("[name=exact]").checked = Boolean(leg.route?.length);
    row.querySelector("[name=strikes]").checked = leg.attack_only ?? false;
    row.route = [...(leg.route ?? [])];
    row.hulls = leg.hull_ids ?? [];
    row.named = [...row.hulls];
    row.querySelector(".hulls").open = row.hulls.length > 0;
    this.legs.append(row);
    row.setAttribute("aria-label", `March ${this.legs.children.length}`);
    this.active = row;
    document.querySelector("#add-leg").disabled = this.legs.children.length >= MOST_LEGS;
    return row;
  }

  /* The boats that a march by boat may take: those that lie where it begins, and those it names.
   * One that is lost since is offered too, or nobody could leave it out. */

  offerHulls(row) {
    const part = row.querySelector(".hulls");
    const start = this.startOf(row);
    part.hidden = row.querySelector("[name=by]").value !== "river";
    const named = new Set(row.hulls);
    const { hulls } = this.book.data;
    const there = hulls.filter(({ id, hex }) => hex === start || named.has(id) || row.named.includes(id));
    const gone = missing(row.named, hulls, "a boat not in play");
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
    const before = [...this.legs.children].slice(0, [...this.legs.children].indexOf(row)).map((one) => this.legOf(one));
    const ends = before.filter(({ attack_only }) => !attack_only).map(({ to_hex, route }) => to_hex ?? route?.at(-1));
    return ends.filter(Boolean).at(-1) ?? this.stack?.hex;
  }

  /* Units left behind on the way, a row for each place. */

  addDrop({ unit_ids = [], at_hex = null } = {}) {
    const row = document.querySelector("#drop").content.firstElementChild.cloneNode(true);
    const land = this.stack.units.filter(({ kind }) => kind !== "hull");
    row.querySelector(".boxes").append(...land.map((unit) => tickBox("drop", unit, unit_ids.includes(unit.id))));
    row.querySelector("[name=drop-at]").value = this.names.name(at_hex);
    this.drops.append(row);
    row.setAttribute("aria-label", `Left behind ${this.drops.children.length}`);
    document.querySelector("#add-drop").disabled = this.drops.children.length >= MOST_DROPS;
    return row;
  }

  dropsOf() {
    const rows = [...this.drops.children].map((row) => ({
      unit_ids: [...row.querySelectorAll("[name=drop]:checked")].map(({ value }) => +value),
      at_hex: this.names.hex(row.querySelector("[name=drop-at]").value) || null,
    }));
    return rows.filter(({ unit_ids }) => unit_ids.length);
  }

  strike(leg) {
    const isDrop = leg.parentElement === this.drops;
    const spare = !isDrop && this.legs.children.length === 1 ? this.addLeg({}) : null; // a march has a leg at least
    deleteRow(leg, isDrop ? "This place is deleted." : "This march is deleted.", () => {
      if (leg.isConnected) spare?.remove();
      document.querySelector("#add-drop").disabled = this.drops.children.length >= MOST_DROPS;
      document.querySelector("#add-leg").disabled = this.legs.children.length >= MOST_LEGS;
      this.active = this.legs.lastElementChild;
      this.changed();
    });
    (isDrop ? document.querySelector("#add-drop") : this.active.querySelector("select")).focus();
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
    const type = row.querySelector("[name=by]").value;
    const to_hex = this.names.hex(row.querySelector("[name=to]").value) || null;
    if (type !== "foot" && type !== "river") return { type, to_hex };
    const route = [...row.route];
    const leg = { type, to_hex: route.length ? null : to_hex, route };
    return type === "river" ? { ...leg, hull_ids: row.hulls } : { ...leg, attack_only: row.querySelector("[name=strikes]").checked };
  }

  /* The rest of the form, to and from an order. */

  fillRest(order) {
    const { form } = this;
    form.contact.value = order.contact ?? "stop";
    form["least-odds"].value = order.least_odds ?? 0;
    form["go-on"].checked = order.go_on ?? false;
    form["drive-off"].checked = order.drive_off ?? false;
    form.storm.checked = order.storm ?? false;
    form.leader.value = order.without_leader ? "nobody" : (order.leader_id ?? "");
    form.helps.value = order.helps ?? "";
    form.marches.value = order.marches ?? 3;
    form["deploy-to"].value = this.names.name(order.to_hex);
    form["if-came"].value = order.if_battle?.came ?? "";
  }

  get order() {
    const { form } = this;
    const type = form.kind.value;
    const unit_ids = this.ticked("unit");
    if (type === "deploy") return { type, unit_ids, to_hex: this.names.hex(form["deploy-to"].value) };
    const order = { type, hex: this.stack.hex, unit_ids };
    if (type === "stay") return order;
    if (type === "march") Object.assign(order, this.march());
    const { battle } = this.book.data;
    const came = form["if-came"].value;
    return { ...order, if_battle: battle && came ? { battle: battle.id, came } : null };
  }

  march() {
    const { form } = this;
    const attacks = this.attacks();
    const rows = [...this.legs.children].map((row) => this.legOf(row));
    return {
      legs: rows.filter(({ to_hex, route }) => to_hex || route?.length),
      contact: form.contact.value,
      least_odds: attacks || form["drive-off"].checked ? +form["least-odds"].value : 0,
      go_on: form.contact.value === "attack" && form["go-on"].checked,
      drive_off: form["drive-off"].checked,
      storm: attacks && form.storm.checked,
      drops: this.dropsOf(),
      leader_id: parseInt(form.leader.value, 10) || null,
      without_leader: form.leader.value === "nobody",
      helps: form.helps.value || null,
      marches: +form.marches.value,
    };
  }

  /* Attacks are made on contact, or by a march that is only an attack. */

  attacks() {
    const strikes = [...this.legs.querySelectorAll("[name=strikes]")].some((box) => box.checked && !box.closest(".strikes").hidden);
    return strikes || this.form.contact.value === "attack";
  }

  /* The first field in use that names no place; such an order is neither read nor kept. Only a
   * deployment has to name one. */

  unknown() {
    const march = this.form.kind.value === "march";
    const deploy = this.form["deploy-to"];
    const inUse = [
      ...(march ? [...this.legs.children].map((row) => row.querySelector("[name=to]")) : []),
      ...(march ? [...this.drops.querySelectorAll("[name=drop-at]")] : []),
      ...(this.form.kind.value === "deploy" ? [deploy] : []),
    ];
    const wrong = inUse.filter((input) => {
      const hex = this.names.hex(input.value);
      return hex === null || (input === deploy && !hex);
    });
    for (const input of this.form.querySelectorAll("input[list=places]")) {
      input.setAttribute("aria-invalid", wrong.includes(input));
    }
    return wrong[0];
  }

  complain(input) {
    const typed = input.value.trim();
    const text = typed ? this.names.refusal(typed) : "Write a place, or the four figures of a hex.";
    document.querySelector("#in-words").textContent = typed ? `… to “${typed}”` : "";
    findings(document.querySelector("#in-words-findings"), [{ verdict: "impossible", text }]);
    busy(document.querySelector(".half-built"), false);
  }

  /* An order without a unit would be one to nobody: it is not kept. Where other orders have all the
   * units of the stack, none is ticked to begin with. */

  complainOfNobody() {
    document.querySelector("#in-words").textContent = "";
    const orders = this.ordersOfAll();
    const nobody = orders.length
      ? { text: "The units of this stack have orders already.", remedy: `Change ${orders.join(" or ")} instead, or tick the units that are to have another.` }
      : { text: "No unit is ticked.", remedy: "Tick the units that are to go." };
    findings(document.querySelector("#in-words-findings"), [{ verdict: "impossible", clause: "8.3", ...nobody }]);
    busy(document.querySelector(".half-built"), false);
  }

  changed() {
    const kind = this.form.kind.value;
    for (const part of this.form.querySelectorAll("[data-for]")) part.hidden = !part.dataset.for.split(" ").includes(kind);
    document.querySelector("#if-battle").hidden ||= !this.book.data.battle;
    const attacks = this.attacks();
    document.querySelector("#after-win").hidden = !attacks;
    document.querySelector("#at-odds").hidden = !attacks && !this.form["drive-off"].checked;
    for (const row of this.legs.children) this.dressLeg(row);
    this.drawWays();
    busy(document.querySelector(".half-built"), true);
    clearTimeout(this.hesitating);
    this.hesitating = setTimeout(() => this.readAloud(), HESITATION);
  }

  dressLeg(row) {
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

  async readAloud() {
    const unknown = this.unknown();
    if (unknown) return this.complain(unknown);
    if (!this.ticked("unit").length) return this.complainOfNobody();
    const { order, index } = this;
    const orders = [...this.book.sheet.orders];
    const place = index ?? orders.length;
    orders[place] = order;
    const { reading, wrong, busy: later } = await this.book.read({ ...this.book.sheet, orders });
    if (!this.open || this.unknown() || JSON.stringify(this.order) !== JSON.stringify(order)) return;
    if (later) this.hesitating = setTimeout(() => this.readAloud(), later.pause);
    const told = reading?.orders[place];
    busy(document.querySelector(".half-built"), Boolean(later));
    document.querySelector("#in-words").textContent =
      told?.text ?? wrong ?? later?.text ?? "It cannot be read while there is no connection.";
    const isBegun = index === null && order.type === "march" && !order.legs.length && !order.drive_off;
    const next = [{ verdict: "note", text: "Choose the destination on the map, or write it under “To”." }];
    findings(document.querySelector("#in-words-findings"), isBegun ? next : (told?.findings ?? []));
    if (told) this.dispatchEvent(new CustomEvent("told", { detail: { order, told } }));
  }

  drawWays() {
    const now = this.open && this.form.kind.value === "march" ? this.order : null;
    const { orders } = this.book.sheet;
    const kept = orders.map((order, number) => [order, number + 1, false]);
    const others = kept.filter(([, number]) => !this.open || number - 1 !== this.index);
    const all = [...others, ...(now ? [[now, (this.index ?? orders.length) + 1, true]] : [])];
    this.overlay.showWays(all.flatMap(([order, number, active]) => this.waysOf(order, number, active)));
  }

  waysOf(order, number, now) {
    let start = order.hex;
    return (order.legs ?? []).map((leg, place) => {
      const key = [start, leg.type, leg.to_hex ?? leg.route].join();
      const hexes = (now ? null : this.ways.get(key)) ?? wayOf(leg, start, now ? this.found : null);
      if (now && this.found) this.ways.set(key, hexes);
      start = hexes.at(-1);
      return { hexes, by: leg.type, now, number: place ? null : number };
    });
  }
}
