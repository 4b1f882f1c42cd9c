/* Units on the map and units that come later: lines of equal counters, and the form for a new one. */

import { changed, chosenHex, hexOf, known, listOf, places, rebuild, said, titleOf, words } from "./workshop_document.js";
import { button, field, input, line, made, NATIONS, optionsFor, several } from "./workshop_fields.js";

const lastUnit = { kind: "infantry", nation: "egyptian", count: 1 };
const sideOf = (nation) => known.nations[nation];

function unitWords(unit) {
  const strength = unit.strength ? ` of strength ${unit.strength}` : "";
  const rating = unit.quality ? ` ${unit.strength ?? ""}${unit.quality}` : strength;
  return `${unit.count ?? 1} ${words(unit.nation)} ${unit.kind}${rating}${unit.name ? `, ${unit.name}` : ""}`;
}

function unitLines(units, path, emptied) {
  return units.map((unit, place) => {
    const more = made("button", { type: "button", textContent: "+", "aria-label": `One more: ${unitWords(unit)}` });
    const fewer = made("button", { type: "button", textContent: "−", "aria-label": `One fewer: ${unitWords(unit)}` });
    more.onclick = () => {
      unit.count = (unit.count ?? 1) + 1;
      changed();
    };
    const remove = () => {
      units.splice(place, 1);
      if (!units.length) emptied();
    };
    fewer.onclick = () => {
      if ((unit.count ?? 1) > 1) unit.count = (unit.count ?? 1) - 1;
      else remove();
      changed();
    };
    return made("div", { className: "item", path: `${path}.units[${place}]` }, line(unitWords(unit), remove, more, fewer));
  });
}

function unitForm(label, add) {
  const fresh = { ...lastUnit };
  const choice = (name, choices, title, empty = null) => {
    const control = made("select");
    optionsFor(control, choices, fresh[name], empty);
    control.onchange = () => {
      fresh[name] = control.value;
      lastUnit[name] = control.value;
      if (name === "kind" || name === "nation") rebuild();
    };
    return field(title, control);
  };
  const write = (name, title, type) => {
    const control = made("input", { type, value: fresh[name] ?? "", min: 1, max: 100 });
    control.oninput = () => (fresh[name] = type === "number" ? Number(control.value) : control.value);
    return field(title, control);
  };
  const leaders = known.leaders.filter((one) => sideOf(one.nation) === sideOf(fresh.nation)).map((one) => one.name);
  const leader = fresh.kind === "leader";
  const controls = [choice("kind", known.units, "Unit"), choice("nation", NATIONS, "Nation")];
  if (leader) {
    fresh.name = leaders.includes(fresh.name) ? fresh.name : leaders[0];
    controls.push(choice("name", leaders, "Leader"));
  } else {
    delete fresh.name;
    controls.push(choice("quality", known.qualities, "Quality", "the usual"), write("strength", "Strength", "number"), write("count", "Counters", "number"), write("name", "Name", "text"));
  }
  const act = () => {
    const unit = { kind: fresh.kind, nation: fresh.nation };
    if (leader) unit.name = fresh.name;
    else {
      unit.count = fresh.count || 1;
      if (fresh.quality) unit.quality = fresh.quality;
      if (fresh.quality || fresh.strength) unit.strength = fresh.strength || 1;
      if (fresh.name) unit.name = fresh.name;
    }
    add(unit);
  };
  return made("div", { className: "item" }, made("div", { className: "row" }, ...controls), button(label, act));
}

function postsIn(hex) {
  return listOf(said(), "stack").flatMap((stack, n) =>
    (stack.posts ?? []).map((post, m) => ({ stack, post, path: `scenario.stack[${n}].posts[${m}]` })),
  ).filter(({ post }) => hexOf(post.nearest) === hex);
}

function place(unit) {
  const chosen = chosenHex();
  const side = sideOf(unit.nation);
  const there = postsIn(chosen).find(({ stack }) => sideOf(stack.posts[0].units[0].nation) === side);
  if (there) return there.post.units.push(unit);
  const id = `${side}-${chosen}`;
  return said().stack.push({ id, at: [chosen], posts: [{ nearest: chosen, units: [unit] }] });
}

function emptied({ stack, post }) {
  stack.posts.splice(stack.posts.indexOf(post), 1);
  if (!stack.posts.length) said().stack.splice(said().stack.indexOf(stack), 1);
}

export function forces(map) {
  const stacks = listOf(said(), "stack");
  const chosen = chosenHex();
  const here = chosen ? postsIn(chosen) : [];
  const total = (side) => stacks.flatMap((one) => one.posts ?? []).flatMap((one) => one.units ?? []).filter((one) => sideOf(one.nation) === side).reduce((sum, one) => sum + (one.count ?? 1), 0);
  return [
    made("div", { path: "scenario.stack" }, made("p", { className: "aside", textContent: `On the map: ${total("egyptian")} Egyptian and British counters, ${total("mahdist")} Mahdist.` })),
    made("h3", { id: "here", textContent: chosen ? words(titleOf(chosen)) : "Choose a hex on the map" }),
    field("Or a place by name", placePicker(map)),
    ...here.flatMap((one) => [made("div", { path: one.path, label: "Units" }, ...unitLines(one.post.units, one.path, () => emptied(one)))]),
    chosen ? unitForm("Place here", place) : "",
  ];
}

function placePicker(map) {
  const control = made("select");
  control.append(new Option("Choose…", ""));
  for (const one of places()) control.append(new Option(one, hexOf(one)));
  control.value = chosenHex() ?? "";
  control.onchange = () => control.value && map.dispatchEvent(new CustomEvent("show", { detail: { hex: control.value } }));
  return control;
}

export function arrivals() {
  const list = listOf(said(), "reinforcement");
  const items = list.map((group, n) => {
    const at = `scenario.reinforcement[${n}]`;
    return made(
      "div",
      { className: "item", path: at },
      input(group, "title", "text", `${at}.title`, "Who comes"),
      input(group, "month", "month", `${at}.month`, "Month"),
      several(group, "at", places(), `${at}.at`, "To one of"),
      made("div", { path: `${at}.units`, label: "Units" }, ...unitLines(group.units, at, () => {})),
      unitForm("Add these units", (unit) => group.units.push(unit)),
      line("This group", () => list.splice(n, 1)),
    );
  });
  const add = () => list.push({ id: `group-${Date.now().toString(36)}`, title: "Reinforcements", month: said().start, at: [], units: [] });
  return [...items, button("Add reinforcements", add)];
}
