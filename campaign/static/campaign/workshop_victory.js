/* What wins: conditions of victory from the building blocks, and awards of points. */

import { known, listOf, said, SIDES, words } from "./workshop_document.js";
import { amount, button, checkbox, field, input, LEADERS, line, made, NATIONS, placeChoice, placesChoice, select, winner } from "./workshop_fields.js";

/* Each kind has a title, the fields that it begins with, and its form. */
const KINDS = {
  hold: ["Hold places", { winner: "egyptian", places: [], turns: 1 }, (one, at) => [winner(one, at), placesChoice(one, at), amount(one, "least", at, "So many of them (0: all)"), amount(one, "turns", at, "Months running")]],
  reach: ["Reach a place", { winner: "egyptian", places: [], least: 1 }, (one, at) => [winner(one, at), placesChoice(one, at, "One of"), amount(one, "least", at, "So many units"), select(one, "kind", known.units, `${at}.kind`, "Arm", "any that fights"), select(one, "nation", NATIONS, `${at}.nation`, "Nation", "any"), select(one, "leader", LEADERS, `${at}.leader`, "With", "nobody in particular")]],
  relieve: ["Relieve a place", { winner: "egyptian", least: 1 }, (one, at) => [winner(one, at), placeChoice(one, at), amount(one, "least", at, "By so many units from elsewhere")]],
  destroy: ["Destroy the enemy", { winner: "mahdist", left: 5 }, (one, at) => [winner(one, at), amount(one, "left", at, "Enemy strength points left at most"), select(one, "nation", NATIONS, `${at}.nation`, "Of", "the whole side")]],
  "survive until": ["Survive until a month", { winner: "egyptian" }, (one, at) => [winner(one, at), input(one, "until", "month", `${at}.until`, "End of"), placesChoice(one, at, "Places still held"), select(one, "leader", LEADERS, `${at}.leader`, "Leader still in play", "none in particular"), amount(one, "left", at, "Strength points on the map at least")]],
  points: ["Most points at the end", { margin: 1, award: [] }, points],
  "place captured": ["Capture a place, at once", { winner: "mahdist" }, (one, at) => [winner(one, at), placeChoice(one, at)]],
  "leader eliminated": ["Eliminate a leader, at once", { winner: "egyptian" }, (one, at) => [winner(one, at), select(one, "leader", LEADERS, `${at}.leader`, "Leader", "Choose…")]],
  unbesieged: ["Keep places free of siege", { winner: "egyptian", places: [], turns: 2 }, (one, at) => [winner(one, at), placesChoice(one, at), amount(one, "turns", at, "Egyptian turns running")]],
  siege: ["Besiege a place", { winner: "mahdist", turns: 3 }, (one, at) => [winner(one, at), placeChoice(one, at), amount(one, "turns", at, "Egyptian turns running")]],
};
const AWARDS = {
  place: ["a place held", {}, (one, at) => [placeChoice(one, at)]],
  units: ["units in a place", { places: [], least: 1 }, (one, at) => [placesChoice(one, at, "One of"), amount(one, "least", at, "So many")]],
  leader: ["a leader", {}, (one, at) => [select(one, "leader", LEADERS, `${at}.leader`, "Leader", "Choose…"), checkbox(one, "lost", "if they are no longer in play")]],
  losses: ["enemy losses in combat", { every: 5 }, (one, at) => [amount(one, "every", at, "For every so many strength points")]],
  handicap: ["a handicap", {}, () => []],
};

function kindChoice(kinds) {
  const control = made("select");
  for (const [value, [text]] of Object.entries(kinds)) control.append(new Option(text, value));
  return control;
}

function points(one, at) {
  const list = listOf(one, "award");
  const kind = kindChoice(AWARDS);
  const items = list.map((award, n) => {
    const path = `${at}.award[${n}]`;
    const [title, , form] = AWARDS[award.type];
    return made("div", { className: "item", path }, made("div", { className: "row" }, select(award, "side", SIDES, `${path}.side`, "For"), amount(award, "points", path, "Points")), ...form(award, path), line(`Points for ${title}`, () => list.splice(n, 1)));
  });
  const add = () => list.push({ type: kind.value, side: "egyptian", points: 1, ...structuredClone(AWARDS[kind.value][1]) });
  return [amount(one, "margin", at, "More by at least"), made("div", { path: `${at}.award`, label: "Points" }), ...items, field("Points for", kind), button("Add points", add)];
}

export function victory() {
  const list = listOf(said(), "victory");
  const kind = kindChoice(KINDS);
  const items = list.map((one, n) => {
    const at = `scenario.victory[${n}]`;
    const [title, , form] = KINDS[one.type] ?? [words(one.type), {}, () => []];
    return made("div", { className: "item", path: at }, made("h3", { textContent: title }), input(one, "text", "area", `${at}.text`, "In a sentence", { rows: 2 }), ...form(one, at), line("This condition", () => list.splice(n, 1)));
  });
  const add = () =>
    list.push({
      type: kind.value,
      text: "",
      ...structuredClone(KINDS[kind.value][1]),
      ...(kind.value === "survive until" && { until: said().end }),
    });
  return [made("div", { path: "scenario.victory" }), ...items, field("Another way to win", kind), button("Add it", add)];
}
