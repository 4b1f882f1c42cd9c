/* The form for one order, filled in from the map, from the list of stacks, or by keyboard. */

import { makeElement } from "./elements.js";
import { busy, findings } from "./findings.js";
import { reachOf, wayOf } from "./orders_map.js";
import { DropRows, MarchRows } from "./orders_marches.js";
import { same } from "./same.js";
import { endUndo, offerUndo, placeFoot } from "./undo.js";
import { counterBox } from "./unit_boxes.js";

const HESITATION = 250; // milliseconds after the last key before the order is read back

export class Composer extends EventTarget {
  constructor(book, overlay, names, map) {
    super();
    Object.assign(this, { book, overlay, names, map });
    this.section = document.querySelector("#compose");
    this.form = document.querySelector("#order");
    this.marches = new MarchRows(names, book.data.hulls);
    this.drops = new DropRows(names);
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
    if (target.name === "exact") this.marches.takeRoute(target.closest(".leg"), target.checked, this.found);
    if (target.name === "hull") this.marches.nameHulls(target.closest(".leg"));
    this.changed();
  }

  pressed({ target }) {
    const leg = target.closest(".leg");
    const only = target.closest("#only button")?.dataset.arm;
    const acts = {
      "all-units": () => this.tick(() => true),
      "no-units": () => this.tick(() => false),
      "add-leg": () => this.marches.add().querySelector("select").focus(),
      "add-drop": () => this.drops.add().querySelector("input").focus(),
      "leave-order": () => this.putAside(),
    };
    if (acts[target.id]) acts[target.id]();
    else if (only) this.tick(({ value }) => this.stack.units.some(({ id, arm }) => id === +value && arm === only));
    else if (target.closest(".strike")) (leg.closest("#drops") ? this.drops : this.marches).strike(leg, () => this.changed());
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
    if (this.isBelowMap) {
      // The guide's step sticks between map and form, so it is in view already wherever the page stands.
      const guide = document.querySelector("#guide")?.offsetHeight ?? 0;
      const over = parseFloat(getComputedStyle(this.section).scrollMarginTop) + guide;
      return scrollBy(0, this.section.getBoundingClientRect().top - over);
    }
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
    const first = new Set(order.unit_ids?.length ? order.unit_ids : this.free.map(({ id }) => id));
    document.querySelector("#units").replaceChildren(...stack.units.map((unit) => counterBox(unit, first.has(unit.id))));
    this.offerArms(stack.units);
    this.marches.start = stack.hex;
    this.drops.fill(stack.units, order.drops);
    const leaders = stack.units.filter(({ kind }) => kind === "leader");
    const options = leaders.map(({ id, label }) => new Option(label, id));
    form.leader.replaceChildren(new Option("the best leader", ""), new Option("nobody", "nobody"), ...options);
    this.marches.fill(order.legs);
    if (!order.unit_ids) this.boardsBoats();
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
      const button = makeElement("button", { type: "button", className: "small", textContent: `Only the ${arm}` });
      button.dataset.arm = arm;
      return button;
    });
    document.querySelector("#only").replaceChildren(...(arms.length > 1 ? buttons : []));
  }

  boardsBoats() {
    const units = new Set(this.ticked("unit"));
    this.marches.board(this.stack.units.some(({ id, kind }) => kind === "hull" && units.has(id)));
  }

  /* The units to march that no other order uses: boats among them where nobody is ashore. */

  get free() {
    const others = this.book.sheet.orders.filter((_, number) => number !== this.index);
    const busy = new Set(others.flatMap((order) => order.unit_ids));
    const isAfloat = this.stack.units.every(({ kind }) => kind === "hull");
    return this.stack.units.filter(({ kind, id }) => !busy.has(id) && (isAfloat || (kind !== "hull" && kind !== "fleet")));
  }

  /* The orders that use the stack's units, if they leave none that could go: “order 2”. */

  ordersOfAll() {
    if (this.free.length) return [];
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

  /* Take a hex clicked on the map as the destination of the current march. */

  aim(hex) {
    if (this.form.kind.value === "deploy") this.form["deploy-to"].value = this.names.name(hex);
    if (this.form.kind.value !== "march" || hex === this.stack.hex) return this.changed();
    this.marches.aim(hex, this.found);
    this.changed();
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
    return {
      legs: this.marches.legs,
      contact: form.contact.value,
      least_odds: attacks || form["drive-off"].checked ? +form["least-odds"].value : 0,
      go_on: form.contact.value === "attack" && form["go-on"].checked,
      drive_off: form["drive-off"].checked,
      storm: attacks && form.storm.checked,
      drops: this.drops.drops,
      leader_id: parseInt(form.leader.value, 10) || null,
      without_leader: form.leader.value === "nobody",
      helps: form.helps.value || null,
      marches: +form.marches.value,
    };
  }

  /* Attacks are made on contact, or by a march that is only an attack. */

  attacks() {
    return this.marches.hasStrikes || this.form.contact.value === "attack";
  }

  /* The first field in use that names no place; such an order is neither read nor kept. Only a
   * deployment has to name one. */

  unknown() {
    const march = this.form.kind.value === "march";
    const deploy = this.form["deploy-to"];
    const inUse = [
      ...(march ? [...this.marches.destinations, ...this.drops.places] : []),
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
    this.marches.dress();
    this.drawWays();
    busy(document.querySelector(".half-built"), true);
    clearTimeout(this.hesitating);
    this.hesitating = setTimeout(() => this.readAloud(), HESITATION);
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
