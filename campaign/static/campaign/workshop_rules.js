/* Special rules, random events, and plans of the computer's staff. */

import { changed, doc, known, listOf, places, riversInPlay, said, SIDES, somewhere, tracksInPlay } from "./workshop_document.js";
import { amount, button, checkbox, field, input, line, made, placeChoice, select, several } from "./workshop_fields.js";

export function rules() {
  const owner = said();
  const drawn = (owner.drawn ??= {});
  const home = (owner.mahdist_places ??= {});
  const bans = listOf(owner, "ban");
  return [
    several((owner.replaced ??= { at: [] }), "at", places(), "scenario.replaced.at", "Egyptian losses are replaced at"),
    several(home, "also", places(), "scenario.mahdist_places.also", "Empty places that are the Mahdists’ at the start"),
    made("div", { className: "row", path: "scenario.drawn" }, ...["spears", "cavalry", "infantry", "gun"].map((kind) => input(drawn, kind, "number", `scenario.drawn.${kind}`, `Mahdist ${kind} in all`, { min: 0, max: 100 }))),
    monthlySupply(owner),
    ...bans.map((ban, n) => {
      const at = `scenario.ban[${n}]`;
      return made("div", { className: "item", path: at }, select(ban, "side", SIDES, `${at}.side`, "Never enters"), select(ban, "river", riversInPlay(), `${at}.river`, "hexes beside", "Choose…"), placeChoice(ban, at, "from here down", "down_from"), line("This bar", () => bans.splice(n, 1)));
    }),
    ...railways(owner),
    owner.taken_up ? made("div", { className: "item", path: "scenario.taken_up" }, line("Holders of places, railways, counts and effects in force of the campaign it was taken from", () => delete owner.taken_up)) : "",
    button("Bar a side from a river", () => bans.push({ side: "mahdist", river: Object.keys(riversInPlay())[0] ?? "", down_from: "", clause: "8.2" })),
  ];
}

function monthlySupply(owner) {
  const monthly = owner.monthly_supply;
  const at = "scenario.monthly_supply";
  if (!monthly) return button("Add a supply unit a month", () => (owner.monthly_supply = { since: owner.start, at: [] }));
  return made("div", { className: "item", path: at }, input(monthly, "since", "month", `${at}.since`, "A supply unit a month from"), several(monthly, "at", places(), `${at}.at`, "at"), line("Monthly supply", () => delete owner.monthly_supply));
}

function railways(owner) {
  const drawn = Object.fromEntries((owner.map?.track ?? []).map((one) => [one.id, `${one.title} (its own)`]));
  const list = listOf(owner, "line");
  const add = () => list.push({ id: `railway_${Date.now().toString(36)}`, begins_at: "", tracks: [] });
  return [
    ...list.map((one, n) => {
      const at = `scenario.line[${n}]`;
      return made("div", { className: "item", path: at }, several(one, "tracks", { ...tracksInPlay(), ...drawn }, `${at}.tracks`, "A railway along"), placeChoice(one, at, "It begins at", "begins_at"), checkbox(one, "built", "Built at the start"), line("This railway", () => list.splice(n, 1)));
    }),
    button("Add a railway", add),
  ];
}

/* Random events. */

export function events() {
  const owner = (said().events ??= {});
  const own = Object.fromEntries(Object.entries(doc.event_tables ?? {}).map(([id, one]) => [id, `${one.title} (its own)`]));
  const tables = { ...known.event_tables, ...own };
  return [
    ...Object.entries(SIDES).map(([side, text]) => several(owner, side, tables, `scenario.events.${side}`, `${text} tables of events`)),
    ...Object.keys(doc.event_tables ?? {}).map(eventTable),
    ...Object.entries(SIDES).map(([side, text]) => button(`Write ${text} events`, () => addTable(owner, side, text))),
  ];
}

function addTable(owner, side, text) {
  const own = (doc.event_tables ??= {});
  const id = `events_${side}_own_${Date.now().toString(36)}`;
  own[id] = { id, title: `${text} events of ${said().title}`.slice(0, 100), clause: side === "egyptian" ? "5.2 I" : "5.3 I", provenance: "umpire", row: [] };
  listOf(owner, side).push(id);
}

function eventTable(id) {
  /* A table of its own: its rows take the place of those of the tables before it. */
  const table = doc.event_tables[id];
  const at = `event_tables.${id}`;
  const remove = () => {
    delete doc.event_tables[id];
    for (const side of Object.keys(SIDES)) said().events[side] = (said().events[side] ?? []).filter((one) => one !== id);
  };
  return made("div", { className: "item", path: at }, input(table, "title", "text", `${at}.title`, "Table"), ...table.row.map((row, n) => eventRow(table, row, n, `${at}.row[${n}]`)), button("Add an event", () => table.row.push({ ...freeThrow(table.row), title: "", text: "", effects: [] })), line("This table", remove));
}

function freeThrow(rows) {
  /* The first throw of two dice without an event yet; 11 where each has one. */
  const throws = [1, 2, 3, 4, 5, 6].flatMap((first) => [1, 2, 3, 4, 5, 6].map((second) => 10 * first + second));
  const free = throws.find((one) => !rows.some(({ low, high }) => low <= one && one <= high)) ?? 11;
  return { low: free, high: free };
}

function eventRow(table, row, n, path) {
  const effect = made("select");
  effect.append(new Option(row.effects.length ? "as it is" : "Choose…", ""));
  known.events.forEach((one, place) => effect.append(new Option(`${one.title}: ${one.text}`.slice(0, 100), place)));
  const like = () => known.events[effect.value];
  effect.onchange = () => effect.value && takeEffect(row, like());
  const throws = (name, label) => input(row, name, "number", `${path}.${name}`, label, { min: 11, max: 66 });
  return made("div", { className: "item", path }, made("div", { className: "row" }, throws("low", "Throws from"), throws("high", "to")), input(row, "title", "text", `${path}.title`, "Event", { maxLength: 60 }), field("What happens, as in", effect, `${path}.effects`), input(row, "text", "area", `${path}.text`, "In a sentence", { rows: 2 }), line("This event", () => table.row.splice(n, 1)));
}

function takeEffect(row, like) {
  row.effects = structuredClone(like.effects);
  row.title ||= like.title;
  row.text ||= like.text;
  changed();
}

/* Plans of the staff. */

export function plans() {
  const owner = said();
  if (!owner.plans) {
    const begin = () => (owner.plans = { objectives: [], gather_at: "", never_yielded: [], aim: [], garrison: [] });
    return [made("p", { className: "aside", textContent: "The computer’s staff goes for the places that win. You can give it plans of your own." }), button("Write plans", begin)];
  }
  const at = "scenario.plans";
  const kept = listOf(owner.plans, "garrison");
  const more = listOf(owner.plans, "plan");
  return [
    several(owner.plans, "objectives", places(), `${at}.objectives`, "Egyptian columns march on, in this order"),
    placeChoice(owner.plans, at, "Small bodies gather at", "gather_at"),
    several(owner.plans, "never_yielded", places(), `${at}.never_yielded`, "Garrisons that never give way"),
    ...aims(owner.plans, at),
    ...kept.map((one, n) => garrison(one, `${at}.garrison[${n}]`, () => kept.splice(n, 1))),
    button("Add a garrison", () => kept.push({ place: somewhere(), keep: 2 })),
    made("p", { className: "aside", textContent: "Further plans change these for one side. A learner’s staff draws one by lot, a strong one plays them out, and the ladder sets each against the other side’s; a side’s first is its usual one." }),
    ...more.map((one, n) => made("div", { className: "item", path: `${at}.plan[${n}]` }, ...furtherPlan(one, `${at}.plan[${n}]`), line("This plan", () => more.splice(n, 1)))),
    ...Object.entries(SIDES).map(([side, text]) => button(`Add a plan for the ${text} side`, () => more.push({ side, name: `plan-${Date.now().toString(36)}`, title: `${text} plan ${more.length + 1}` }))),
    button("Back to the usual plans", () => delete owner.plans),
  ];
}

function garrison(one, at, remove) {
  return made("div", { className: "item", path: at }, made("div", { className: "row" }, placeChoice(one, at, "Garrison of"), amount(one, "keep", at, "Keeps")), line("This garrison", remove));
}

function furtherPlan(one, at) {
  const title = input(one, "title", "text", `${at}.title`, `${SIDES[one.side]} plan`, { maxLength: 100 });
  if (one.side === "mahdist") return [title, ...aims(one, at)];
  return [title, several(one, "objectives", places(), `${at}.objectives`, "Columns march on, in this order", "As in the plans above, or add one…"), select(one, "gather_at", places(), `${at}.gather_at`, "Small bodies gather at", "as above")];
}

function aims(owner, at) {
  const list = listOf(owner, "aim");
  const theatres = { nile: "from the Nile", coast: "from the coast" };
  const form = (one, path) => [select(one, "place", places(), `${path}.place`, "Mahdist aim", one.leader ? `wherever ${one.leader} is` : "Choose…"), select(one, "theatre", theatres, `${path}.theatre`, "by those"), amount(one, "want", path, "Strength")];
  return [
    ...list.map((one, n) => made("div", { className: "item", path: `${at}.aim[${n}]` }, made("div", { className: "row" }, ...form(one, `${at}.aim[${n}]`)), line("This aim", () => list.splice(n, 1)))),
    button("Add a Mahdist aim", () => list.push({ place: somewhere(), theatre: "nile", want: 20, open: true })),
  ];
}
