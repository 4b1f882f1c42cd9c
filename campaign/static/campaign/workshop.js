/* The workshop: a scenario as one document, written by forms beside the map.
 *
 * The document is changed here, checked by the REST interface a moment after each change, drawn by
 * the server as far as it can be read, and saved on request. A fault is shown beside the field
 * whose data-path it names, and above the forms.
 */

import { remember, rewrite } from "./workshop_sentences.js";

const PAUSE = 400; // milliseconds without a key after which the document is checked
const page = document.querySelector("#workshop");
const data = JSON.parse(document.querySelector("#scenario").textContent);
const { known } = data;
const doc = data.document;
const map = document.querySelector("#map");
const csrf = page.querySelector("[name=csrfmiddlewaretoken]").value;
const state = document.querySelector("#state");
const faultLine = document.querySelector("#fault");
const parts = document.querySelector("#parts");
const SIDES = { egyptian: "Egyptian", mahdist: "Mahdist" };
const PLACES = Object.keys(known.places).sort();
let chosen = null;
let track = null; // the track that is being drawn: its title and hexes, a hex for each click
let dirty = false;
let fault = data.fault;
let timer = null;
let turn = 0;
let tag = `"${data.version}.0"`; // what If-Match names: the scenario as this window has read it

const said = () => doc.scenario;
const listOf = (owner, name) => (owner[name] ??= []);
const words = (text) => text[0].toUpperCase() + text.slice(1);

function made(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "path") element.dataset.path = value;
    else if (name.startsWith("aria-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

const places = () => [...PLACES, ...(said().map?.place ?? []).map((one) => one.name)];

function hexOf(name) {
  if (/^\d{4}$/.test(name)) return name;
  return known.places[name] ?? said().map?.place?.find((one) => one.name === name)?.hex;
}

function placeIn(hex) {
  return known.titles[hex] ?? said().map?.place?.find((one) => one.hex === hex)?.name;
}

const titleOf = (hex) => (placeIn(hex) ? `${placeIn(hex)} (${hex})` : `hex ${hex}`);

/* Changes. */

function changed(rebuild = true) {
  dirty = true;
  for (const number of rewrite(said())) {
    const text = parts.querySelector(`[data-path="scenario.victory[${number}].text"] textarea`);
    if (text && text !== document.activeElement) text.value = said().victory[number].text;
  }
  state.textContent = "Not saved.";
  document.querySelector("#title").textContent = said().title || "Without a title";
  if (rebuild) build();
  checkAfter(rebuild ? 0 : PAUSE);
}

function checkAfter(pause) {
  page.dataset.checking = "yes";
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

const send = (address, method, body, more = {}) =>
  fetch(address, {
    method,
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrf, Accept: "application/json", ...more },
    body: JSON.stringify(body),
  });

async function write(method, body) {
  /* Change what is saved, unless another window has changed it since; return the answer. */
  const answer = await send(page.dataset.self, method, body, { "If-Match": tag });
  const told = await answer.json();
  if (!answer.ok) throw new Error((told.detail ?? `the server answers ${answer.status}.`).replace(/\.$/, ""));
  tag = answer.headers.get("ETag") ?? tag;
  return told;
}

function withTrack() {
  /* The document with the track that is being drawn, so that the map shows it. */
  if (!track || track.hexes.length < 2) return doc;
  const drawn = { id: "being_drawn", title: "being drawn", hexes: track.hexes };
  const layer = said().map ?? {};
  return { ...doc, scenario: { ...said(), map: { ...layer, track: [...(layer.track ?? []), drawn] } } };
}

async function check() {
  const mine = ++turn;
  clearTimeout(timer);
  timer = null;
  try {
    const [answer, drawing] = await Promise.all([
      send(page.dataset.checks, "POST", { type: "document", document: doc }),
      send(page.dataset.drawing, "POST", withTrack()),
    ]);
    if (mine !== turn) return;
    if (answer.ok) fault = (await answer.json()).scenario_fault;
    else state.textContent = "It could not be checked: the server does not answer as it should.";
    if (drawing.ok) draw(await drawing.text());
    tell();
  } catch {
    state.textContent = "It could not be checked: there is no connection.";
  }
  if (mine === turn && timer === null) delete page.dataset.checking;
}

function draw(svg) {
  const read = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${svg}</svg>`, "image/svg+xml");
  const fresh = read.querySelector("#standing");
  if (fresh) map.querySelector("#standing").replaceWith(document.importNode(fresh, true));
}

function tell() {
  for (const old of parts.querySelectorAll(".says-wrong")) old.remove();
  for (const old of parts.querySelectorAll(".wrong-here")) old.classList.remove("wrong-here");
  for (const old of parts.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  faultLine.hidden = !fault;
  if (!fault) return;
  const path = fault.document_path ?? "";
  const near = [...parts.querySelectorAll("[data-path]")]
    .filter(({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}.`) || path.startsWith(`${dataset.path}[`))
    .sort((one, other) => other.dataset.path.length - one.dataset.path.length)[0];
  // The name of the field in the file gives way to the one that stands over it here.
  const label = near?.classList.contains("field") && near.querySelector("label")?.textContent;
  const reason = label ? fault.reason.replace(/`\w+`/, `“${label}”`) : fault.reason;
  faultLine.textContent = `Not ready yet: ${reason}; ${fault.remedy}. `;
  if (!near) return;
  const part = near.closest("details");
  near.classList.add("wrong-here");
  near.querySelector("input, select, textarea")?.setAttribute("aria-invalid", "true");
  near.append(made("p", { className: "says-wrong", textContent: `${words(reason)}; ${fault.remedy}.` }));
  part?.setAttribute("open", "");
  const show = made("button", { type: "button", textContent: `Show it under “${part?.querySelector("summary").textContent}”` });
  show.onclick = () => {
    near.scrollIntoView({ block: "start" });
    near.querySelector("input, select, textarea, button")?.focus({ preventScroll: true });
  };
  faultLine.append(show);
}

async function save() {
  state.textContent = "Saving…";
  try {
    const told = await write("PATCH", { document: doc });
    said().slug = told.document.scenario.slug;
    fault = told.scenario_fault;
    dirty = false;
    state.textContent = told.playable ? "Saved. It can be played." : "Saved as a draft: it cannot be played yet.";
    for (const id of ["#play", "#try", "#rank"]) document.querySelector(id).hidden = !told.playable;
    tell();
  } catch (error) {
    state.textContent = `Not saved: ${error.message}.`;
  }
}

/* Fields of forms; each takes its owner, the name of its field there, and its path. */

let count = 0;

function field(label, control, path, help = "") {
  control.id ||= `w${++count}`;
  return made(
    "div",
    { className: "field", path },
    made("label", { htmlFor: control.id, textContent: label }),
    control,
    help && made("p", { className: "helptext", textContent: help }),
  );
}

function input(owner, name, type, path, label, more = {}) {
  const control = made(type === "area" ? "textarea" : "input", { value: owner[name] ?? "", ...more });
  if (type !== "area") control.type = type;
  control.addEventListener("input", () => {
    if (type !== "number") owner[name] = control.value;
    else if (control.value === "") delete owner[name];
    else owner[name] = Number(control.value);
    if (type !== "number" && !control.value && more.optional) delete owner[name];
    changed(false);
  });
  control.addEventListener("change", () => timer !== null && checkAfter(0)); // the field is left
  return field(label, control, path);
}

function select(owner, name, choices, path, label, empty = null) {
  const pairs = Array.isArray(choices) ? choices.map((one) => [one, one]) : Object.entries(choices);
  const control = made("select");
  if (empty !== null) control.append(new Option(empty, ""));
  for (const [value, text] of pairs) control.append(new Option(text, value));
  control.value = owner[name] ?? "";
  control.addEventListener("change", () => {
    if (control.value) owner[name] = control.value;
    else delete owner[name];
    changed();
  });
  return field(label, control, path);
}

function several(owner, name, choices, path, label, empty = "Add one…") {
  /* A list of words: each can be removed, and one more chosen. */
  const pairs = Array.isArray(choices) ? choices.map((one) => [one, one]) : Object.entries(choices);
  const titles = new Map(pairs);
  const list = owner[name] ?? [];
  const control = made("select");
  control.append(new Option(empty, ""));
  for (const [value, text] of pairs) if (!list.includes(value)) control.append(new Option(text, value));
  control.addEventListener("change", () => {
    listOf(owner, name).push(control.value);
    changed();
  });
  const lines = list.map((one, place) =>
    line(titles.get(one) ?? titleOf(one), () => {
      list.splice(place, 1);
      if (!list.length) delete owner[name];
    }),
  );
  const whole = field(label, control, path);
  whole.append(...lines.map((one) => made("div", { className: "item" }, one)));
  return whole;
}

function line(text, remove, ...more) {
  const away = made("button", { type: "button", textContent: "Remove", "aria-label": `Remove ${text}` });
  away.onclick = () => {
    remove();
    changed();
  };
  return made("div", { className: "line" }, made("span", { textContent: text }), made("span", {}, ...more, away));
}

function button(text, act, properties = {}) {
  const control = made("button", { type: "button", textContent: text, ...properties });
  control.onclick = () => {
    act();
    changed();
  };
  return control;
}

/* Units: a line of equal counters, and the form for a new one. */

const lastUnit = { unit: "infantry", nation: "egyptian", count: 1 };

function unitWords(unit) {
  const rating = unit.quality ? ` ${unit.strength ?? ""}${unit.quality}` : "";
  return `${unit.count ?? 1} ${words(unit.nation)} ${unit.unit}${rating}${unit.name ? `, ${unit.name}` : ""}`;
}

function unitLines(units, emptied) {
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
    return made("div", { className: "item" }, line(unitWords(unit), remove, more, fewer));
  });
}

function unitForm(words_, add) {
  const nations = Object.fromEntries(Object.keys(known.nations).map((one) => [one, words(one)]));
  const fresh = { ...lastUnit };
  const choice = (name, choices, label, empty = null) => {
    const control = made("select");
    if (empty !== null) control.append(new Option(empty, ""));
    const pairs = Array.isArray(choices) ? choices.map((one) => [one, one]) : Object.entries(choices);
    for (const [value, text] of pairs) control.append(new Option(text, value));
    control.value = fresh[name] ?? "";
    control.onchange = () => {
      fresh[name] = control.value;
      lastUnit[name] = control.value;
      if (name === "unit" || name === "nation") build();
    };
    return field(label, control);
  };
  const write = (name, label, type) => {
    const control = made("input", { type, value: fresh[name] ?? "", min: 1, max: 100 });
    control.oninput = () => (fresh[name] = type === "number" ? Number(control.value) : control.value);
    return field(label, control);
  };
  const side = known.nations[fresh.nation];
  const leaders = known.leaders.filter((one) => known.nations[one.nation] === side).map((one) => one.name);
  const leader = fresh.unit === "leader";
  const controls = [choice("unit", known.units, "Unit"), choice("nation", nations, "Nation")];
  if (leader) {
    fresh.name = leaders.includes(fresh.name) ? fresh.name : leaders[0];
    controls.push(choice("name", leaders, "Leader"));
  } else {
    delete fresh.name;
    controls.push(choice("quality", known.qualities, "Quality", "the usual"), write("strength", "Strength", "number"), write("count", "Counters", "number"), write("name", "Name", "text"));
  }
  const act = () => {
    const unit = { unit: fresh.unit, nation: fresh.nation };
    if (leader) unit.name = fresh.name;
    else {
      unit.count = fresh.count || 1;
      if (fresh.quality) Object.assign(unit, { quality: fresh.quality, strength: fresh.strength || 1 });
      if (fresh.name) unit.name = fresh.name;
    }
    add(unit);
  };
  return made("div", { className: "item" }, made("div", { className: "row" }, ...controls), button(words_, act));
}

function postsIn(hex) {
  return listOf(said(), "stack").flatMap((stack, n) =>
    (stack.posts ?? []).map((post, m) => ({ stack, post, path: `scenario.stack[${n}].posts[${m}]` })),
  ).filter(({ post }) => hexOf(post.nearest) === hex);
}

function place(unit) {
  const side = known.nations[unit.nation];
  const there = postsIn(chosen).find(({ stack }) => known.nations[stack.posts[0].units[0].nation] === side);
  if (there) return there.post.units.push(unit);
  const id = `${side}-${chosen}`;
  return said().stack.push({ id, at: [chosen], posts: [{ nearest: chosen, units: [unit] }] });
}

function emptied({ stack, post }) {
  stack.posts.splice(stack.posts.indexOf(post), 1);
  if (!stack.posts.length) said().stack.splice(said().stack.indexOf(stack), 1);
}

/* The parts of a scenario. */

function name() {
  const owner = said();
  return [
    input(owner, "title", "text", "scenario.title", "Title", { maxLength: 100 }),
    input(owner, "description", "area", "scenario.description", "What it is about", { rows: 4 }),
    made("div", { className: "row" }, input(owner, "start", "month", "scenario.start", "First month"), input(owner, "end", "month", "scenario.end", "Last month")),
  ];
}

function country() {
  const layer = (said().map ??= {});
  const at = "scenario.map";
  const near = listOf(layer, "within");
  const fresh = { place: "Khartoum", hexes: 4 };
  const pick = made("select");
  for (const one of PLACES) pick.append(new Option(one, one, one === fresh.place, one === fresh.place));
  const far = made("input", { type: "number", min: 0, max: 60, value: fresh.hexes });
  const shape = (kind, text) => {
    const list = layer[kind] ?? [];
    const other = kind === "close" ? "open" : "close";
    return button(text, () => {
      layer[other] = (layer[other] ?? []).filter((one) => one !== chosen);
      if (!list.includes(chosen)) listOf(layer, kind).push(chosen);
    }, { disabled: !chosen });
  };
  const newPlace = made("input", { type: "text", maxLength: 60 });
  const line_ = (kind, n, one) => made("div", { className: "item", path: `${at}.${kind}[${n}]` }, line(`${kind === "close" ? "Closed" : "Opened"}: ${titleOf(one)}`, () => layer[kind].splice(n, 1)));
  return [
    several(layer, "regions", known.regions, `${at}.regions`, "Regions in play", "The whole map, or add a region…"),
    made("div", { className: "row" }, field("Hexes round", pick), field("so many hexes far", far)),
    button("Add this country", () => near.push({ place: pick.value, hexes: Number(far.value) })),
    ...near.map((one, n) => made("div", { className: "item", path: `${at}.within[${n}]` }, line(`${one.hexes} hexes round ${one.place}`, () => near.splice(n, 1)))),
    made("p", { className: "aside", textContent: chosen ? `Chosen: ${titleOf(chosen)}.` : "Choose a hex on the map to close or open it, or to name a place in it." }),
    made("div", { className: "actions" }, shape("close", "Close this hex"), shape("open", "Open this hex")),
    ...(layer.close ?? []).map((one, n) => line_("close", n, one)),
    ...(layer.open ?? []).map((one, n) => line_("open", n, one)),
    field("Name of a new place here", newPlace),
    button("Add the place", () => newPlace.value.trim() && listOf(layer, "place").push({ name: newPlace.value.trim(), hex: chosen, kind: "village" }), { disabled: !chosen }),
    ...(layer.place ?? []).map((one, n) => made("div", { className: "item", path: `${at}.place[${n}]` }, select(one, "kind", ["town", "village", "oasis"], `${at}.place[${n}].kind`, `${one.name} (${one.hex}) is a`), line(one.name, () => layer.place.splice(n, 1)))),
    ...tracks(layer, `${at}.track`),
  ];
}

function tracks(layer, at) {
  const lines = (layer.track ?? []).map((one, n) =>
    made("div", { className: "item", path: `${at}[${n}]` }, input(one, "title", "text", `${at}[${n}].title`, "Track"), line(`From ${titleOf(one.hexes[0])} to ${titleOf(one.hexes.at(-1))}, ${one.hexes.length} hexes`, () => layer.track.splice(n, 1))),
  );
  if (!track) return [...lines, button("Draw a track", () => (track = { title: "", hexes: chosen ? [chosen] : [] }))];
  const title = made("input", { type: "text", maxLength: 60, value: track.title });
  title.oninput = () => (track.title = title.value);
  const finish = () => {
    const list = listOf(layer, "track");
    const name_ = track.title.trim() || `From ${titleOf(track.hexes[0])}`;
    const id = name_.toLowerCase().replace(/[^a-z0-9]+/g, "_").slice(0, 30);
    list.push({ id: `${id}_${list.length + 1}`, title: name_.slice(0, 60), hexes: track.hexes });
    track = null;
  };
  return [
    ...lines,
    made(
      "div",
      { className: "item" },
      made("p", { id: "drawing", className: "needs", role: "status", textContent: track.hexes.length ? `So far: ${track.hexes.map(titleOf).join(", ")}. Click the next hex on the map.` : "Click the first hex of the track on the map, then each next one." }),
      field("Name of the track", title),
      made("div", { className: "actions" }, button("Finish the track", finish, { disabled: track.hexes.length < 2 }), button("Take back the last hex", () => track.hexes.pop(), { disabled: !track.hexes.length }), button("Cancel", () => (track = null))),
    ),
  ];
}

function forces() {
  const stacks = listOf(said(), "stack");
  const here = chosen ? postsIn(chosen) : [];
  const total = (side) => stacks.flatMap((one) => one.posts ?? []).flatMap((one) => one.units ?? []).filter((one) => known.nations[one.nation] === side).reduce((sum, one) => sum + (one.count ?? 1), 0);
  return [
    made("p", { path: "scenario.stack", className: "aside", textContent: `On the map: ${total("egyptian")} Egyptian and British counters, ${total("mahdist")} Mahdist.` }),
    made("h3", { id: "here", textContent: chosen ? words(titleOf(chosen)) : "Choose a hex on the map" }),
    field("Or a place by name", placePicker()),
    ...here.flatMap((one) => [made("div", { path: one.path }, ...unitLines(one.post.units, () => emptied(one)))]),
    chosen ? unitForm("Place here", place) : "",
  ];
}

function placePicker() {
  const control = made("select");
  control.append(new Option("Choose…", ""));
  for (const one of places()) control.append(new Option(one, hexOf(one)));
  control.value = chosen ?? "";
  control.onchange = () => control.value && map.dispatchEvent(new CustomEvent("show", { detail: { hex: control.value } }));
  return control;
}

function arrivals() {
  const list = listOf(said(), "reinforcement");
  const items = list.map((group, n) => {
    const at = `scenario.reinforcement[${n}]`;
    return made(
      "div",
      { className: "item", path: at },
      input(group, "title", "text", `${at}.title`, "Who comes"),
      input(group, "month", "month", `${at}.month`, "Month"),
      several(group, "at", places(), `${at}.at`, "To one of"),
      ...unitLines(group.units, () => {}),
      unitForm("Add these units", (unit) => group.units.push(unit)),
      line("This group", () => list.splice(n, 1)),
    );
  });
  const add = () => list.push({ id: `group-${Date.now().toString(36)}`, title: "Reinforcements", month: said().start, at: [], units: [] });
  return [...items, button("Add reinforcements", add)];
}

function rules() {
  const owner = said();
  const monthly = owner.monthly_supply;
  const drawn = (owner.drawn ??= {});
  const home = (owner.mahdist_places ??= {});
  const bans = listOf(owner, "ban");
  return [
    several((owner.replaced ??= { at: [] }), "at", places(), "scenario.replaced", "Egyptian losses are replaced at"),
    several(home, "also", places(), "scenario.mahdist_places", "Empty places that are the Mahdists’ at the start"),
    made("div", { className: "row", path: "scenario.drawn" }, ...["spears", "cavalry", "infantry", "gun"].map((kind) => input(drawn, kind, "number", `scenario.drawn.${kind}`, `Mahdist ${kind} in all`, { min: 0, max: 100 }))),
    monthly
      ? made("div", { className: "item", path: "scenario.monthly_supply" }, input(monthly, "since", "month", "scenario.monthly_supply.since", "A supply unit a month from"), several(monthly, "at", places(), "scenario.monthly_supply.at", "at"), line("Monthly supply", () => delete owner.monthly_supply))
      : button("Add a supply unit a month", () => (owner.monthly_supply = { since: owner.start, at: [] })),
    ...bans.map((ban, n) => made("div", { className: "item", path: `scenario.ban[${n}]` }, select(ban, "side", SIDES, `scenario.ban[${n}].side`, "Never enters"), select(ban, "river", { nile: "the Nile", white_nile: "the White Nile", blue_nile: "the Blue Nile", atbara: "the Atbara" }, `scenario.ban[${n}].river`, "hexes beside"), select(ban, "down_from", PLACES, `scenario.ban[${n}].down_from`, "from here down"), line("This bar", () => bans.splice(n, 1)))),
    ...railways(owner),
    owner.taken_up ? made("div", { className: "item", path: "scenario.taken_up" }, line("Holders of places, railways, counts and effects in force of the campaign it was taken from", () => delete owner.taken_up)) : "",
    button("Bar a side from a river", () => bans.push({ side: "mahdist", river: "nile", down_from: "Abou Hamed", clause: "8.2" })),
  ];
}

function railways(owner) {
  const drawn = Object.fromEntries((owner.map?.track ?? []).map((one) => [one.id, `${one.title} (its own)`]));
  const list = listOf(owner, "line");
  const add = () => list.push({ id: `railway_${Date.now().toString(36)}`, begins_at: "", tracks: [] });
  return [
    ...list.map((one, n) => {
      const at = `scenario.line[${n}]`;
      const built = made("input", { type: "checkbox", checked: Boolean(one.built) });
      built.onchange = () => {
        one.built = built.checked;
        changed();
      };
      return made("div", { className: "item", path: at }, several(one, "tracks", { ...known.tracks, ...drawn }, `${at}.tracks`, "A railway along"), select(one, "begins_at", places(), `${at}.begins_at`, "It begins at", "Choose…"), made("label", { className: "choice" }, built, " Built at the start"), line("This railway", () => list.splice(n, 1)));
    }),
    button("Add a railway", add),
  ];
}

const NATION = Object.fromEntries(Object.keys(known.nations).map((one) => [one, words(one)]));
const LEADERS = known.leaders.map((one) => one.name);
const WINNER = (one, at) => select(one, "winner", SIDES, `${at}.winner`, "Won by");
const MANY = (one, name_, at, label) => input(one, name_, "number", `${at}.${name_}`, label, { min: 0, max: 100 });
const WHERE = (one, at, label = "Places") => several(one, "places", places(), `${at}.places`, label);
const KINDS = {
  hold: ["Hold places", { winner: "egyptian", places: [], turns: 1 }, (one, at) => [WINNER(one, at), WHERE(one, at), MANY(one, "least", at, "So many of them (0: all)"), MANY(one, "turns", at, "Months running")]],
  reach: ["Reach a place", { winner: "egyptian", places: [], least: 1 }, (one, at) => [WINNER(one, at), WHERE(one, at, "One of"), MANY(one, "least", at, "So many units"), select(one, "unit", known.units, `${at}.unit`, "Arm", "any that fights"), select(one, "nation", NATION, `${at}.nation`, "Nation", "any"), select(one, "leader", LEADERS, `${at}.leader`, "With", "nobody in particular")]],
  relieve: ["Relieve a place", { winner: "egyptian", least: 1 }, (one, at) => [WINNER(one, at), select(one, "place", places(), `${at}.place`, "Place", "Choose…"), MANY(one, "least", at, "By so many units from elsewhere")]],
  destroy: ["Destroy the enemy", { winner: "mahdist", left: 5 }, (one, at) => [WINNER(one, at), MANY(one, "left", at, "Enemy strength points left at most"), select(one, "nation", NATION, `${at}.nation`, "Of", "the whole side")]],
  "survive until": ["Survive until a month", { winner: "egyptian" }, (one, at) => [WINNER(one, at), input(one, "until", "month", `${at}.until`, "End of"), WHERE(one, at, "Places still held"), select(one, "leader", LEADERS, `${at}.leader`, "Leader still in play", "none in particular"), MANY(one, "left", at, "Strength points on the map at least")]],
  points: ["Most points at the end", { margin: 1, award: [] }, points],
  "place captured": ["Capture a place, at once", { winner: "mahdist" }, (one, at) => [WINNER(one, at), select(one, "place", places(), `${at}.place`, "Place", "Choose…")]],
  "leader eliminated": ["Eliminate a leader, at once", { winner: "egyptian" }, (one, at) => [WINNER(one, at), select(one, "leader", LEADERS, `${at}.leader`, "Leader", "Choose…")]],
  unbesieged: ["Keep places free of siege", { winner: "egyptian", places: [], turns: 2 }, (one, at) => [WINNER(one, at), WHERE(one, at), MANY(one, "turns", at, "Egyptian turns running")]],
  siege: ["Besiege a place", { winner: "mahdist", turns: 3 }, (one, at) => [WINNER(one, at), select(one, "place", places(), `${at}.place`, "Place", "Choose…"), MANY(one, "turns", at, "Egyptian turns running")]],
};
const AWARDS = {
  place: ["a place held", {}, (one, at) => [select(one, "place", places(), `${at}.place`, "Place", "Choose…")]],
  units: ["units in a place", { places: [], least: 1 }, (one, at) => [WHERE(one, at, "One of"), MANY(one, "least", at, "So many")]],
  leader: ["a leader", {}, (one, at) => [select(one, "leader", LEADERS, `${at}.leader`, "Leader", "Choose…"), lost(one)]],
  losses: ["enemy losses in combat", { every: 5 }, (one, at) => [MANY(one, "every", at, "For every so many strength points")]],
  handicap: ["a handicap", {}, () => []],
};

function lost(one) {
  const box = made("input", { type: "checkbox", checked: Boolean(one.lost) });
  box.onchange = () => {
    one.lost = box.checked;
    changed();
  };
  return made("label", { className: "choice" }, box, " if they are no longer in play");
}

function points(one, at) {
  const list = listOf(one, "award");
  const kind = made("select");
  for (const [value, [text]] of Object.entries(AWARDS)) kind.append(new Option(text, value));
  return [
    MANY(one, "margin", at, "More by at least"),
    ...list.map((award, n) => {
      const path = `${at}.award[${n}]`;
      return made("div", { className: "item", path }, made("div", { className: "row" }, select(award, "side", SIDES, `${path}.side`, "For"), MANY(award, "points", path, "Points")), ...AWARDS[award.kind][2](award, path), line(`Points for ${AWARDS[award.kind][0]}`, () => list.splice(n, 1)));
    }),
    field("Points for", kind),
    button("Add points", () => list.push({ kind: kind.value, side: "egyptian", points: 1, ...structuredClone(AWARDS[kind.value][1]) })),
  ];
}

function victory() {
  const list = listOf(said(), "victory");
  const kind = made("select");
  for (const [value, [text]] of Object.entries(KINDS)) kind.append(new Option(text, value));
  const items = list.map((one, n) => {
    const at = `scenario.victory[${n}]`;
    const form = KINDS[one.kind]?.[2](one, at) ?? [];
    return made("div", { className: "item", path: at }, made("h3", { textContent: KINDS[one.kind]?.[0] ?? words(one.kind) }), input(one, "text", "area", `${at}.text`, "In a sentence", { rows: 2 }), ...form, line("This condition", () => list.splice(n, 1)));
  });
  const add = () =>
    list.push({
      kind: kind.value,
      text: "",
      ...structuredClone(KINDS[kind.value][1]),
      ...(kind.value === "survive until" && { until: said().end }),
    });
  return [made("div", { path: "scenario.victory" }), ...items, field("Another way to win", kind), button("Add it", add)];
}

function events() {
  const owner = (said().events ??= {});
  const own = Object.fromEntries(Object.entries(doc.event_tables ?? {}).map(([id, one]) => [id, `${one.title} (its own)`]));
  const tables = { ...known.event_tables, ...own };
  return [
    ...Object.entries(SIDES).map(([side, text]) => several(owner, side, tables, `scenario.events.${side}`, `${text} tables of events`)),
    ...Object.keys(doc.event_tables ?? {}).map(eventTable),
    ...Object.entries(SIDES).map(([side, text]) => button(`Write ${text} events`, () => ownTable(owner, side, text))),
  ];
}

function ownTable(owner, side, text) {
  const own = (doc.event_tables ??= {});
  const id = `events_${side}_own_${Date.now().toString(36)}`;
  own[id] = { id, title: `${text} events of ${said().title}`.slice(0, 100), clause: side === "egyptian" ? "5.2 I" : "5.3 I", provenance: "umpire", row: [] };
  listOf(owner, side).push(id);
}

function eventTable(id) {
  /* A table of its own: its rows take the place of those of the tables before it. */
  const table = doc.event_tables[id];
  const at = `event_tables.${id}`;
  const rows = table.row.map((row, n) => {
    const path = `${at}.row[${n}]`;
    const effect = made("select");
    effect.append(new Option(row.effects.length ? "as it is" : "Choose…", ""));
    known.events.forEach((one, place) => effect.append(new Option(`${one.title}: ${one.text}`.slice(0, 100), place)));
    effect.onchange = () => {
      const like = known.events[effect.value];
      row.effects = structuredClone(like.effects);
      row.title ||= like.title;
      row.text ||= like.text;
      changed();
    };
    const throws = (name_, label) => input(row, name_, "number", `${path}.${name_}`, label, { min: 11, max: 66 });
    return made("div", { className: "item", path }, made("div", { className: "row" }, throws("low", "Throws from"), throws("high", "to")), input(row, "title", "text", `${path}.title`, "Event", { maxLength: 60 }), field("What happens, as in", effect, `${path}.effects`), input(row, "text", "area", `${path}.text`, "In a sentence", { rows: 2 }), line("This event", () => table.row.splice(n, 1)));
  });
  const remove = () => {
    delete doc.event_tables[id];
    for (const side of Object.keys(SIDES)) said().events[side] = (said().events[side] ?? []).filter((one) => one !== id);
  };
  return made("div", { className: "item", path: at }, input(table, "title", "text", `${at}.title`, "Table"), ...rows, button("Add an event", () => table.row.push({ low: 11, high: 11, title: "", text: "", effects: [] })), line("This table", remove));
}

function plans() {
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
    select(owner.plans, "gather_at", places(), `${at}.gather_at`, "Small bodies gather at", "Choose…"),
    several(owner.plans, "never_yielded", places(), `${at}.never_yielded`, "Garrisons that never give way"),
    ...aims(owner.plans, at),
    ...kept.map((one, n) => made("div", { className: "item", path: `${at}.garrison[${n}]` }, made("div", { className: "row" }, select(one, "place", places(), `${at}.garrison[${n}].place`, "Garrison of"), MANY(one, "keep", `${at}.garrison[${n}]`, "Keeps")), line("This garrison", () => kept.splice(n, 1)))),
    button("Add a garrison", () => kept.push({ place: somewhere(), keep: 2 })),
    made("p", { className: "aside", textContent: "Further plans change these for one side. A learner’s staff draws one by lot, a strong one plays them out, and the ladder sets each against the other side’s; a side’s first is its usual one." }),
    ...more.map((one, n) => made("div", { className: "item", path: `${at}.plan[${n}]` }, ...furtherPlan(one, `${at}.plan[${n}]`), line("This plan", () => more.splice(n, 1)))),
    ...Object.entries(SIDES).map(([side, text]) => button(`Add a plan for the ${text} side`, () => more.push({ side, name: `plan-${Date.now().toString(36)}`, title: `${text} plan ${more.length + 1}` }))),
    button("Back to the usual plans", () => delete owner.plans),
  ];
}

function furtherPlan(one, at) {
  const title = input(one, "title", "text", `${at}.title`, `${SIDES[one.side]} plan`, { maxLength: 100 });
  if (one.side === "mahdist") return [title, ...aims(one, at)];
  return [title, several(one, "objectives", places(), `${at}.objectives`, "Columns march on, in this order", "As in the plans above, or add one…"), select(one, "gather_at", places(), `${at}.gather_at`, "Small bodies gather at", "as above")];
}

function aims(owner, at) {
  const list = listOf(owner, "aim");
  const theatres = { nile: "from the Nile", coast: "from the coast" };
  return [
    ...list.map((one, n) => made("div", { className: "item", path: `${at}.aim[${n}]` }, made("div", { className: "row" }, select(one, "place", places(), `${at}.aim[${n}].place`, "Mahdist aim", one.leader ? `wherever ${one.leader} is` : "Choose…"), select(one, "theatre", theatres, `${at}.aim[${n}].theatre`, "by those"), MANY(one, "want", `${at}.aim[${n}]`, "Strength")), line("This aim", () => list.splice(n, 1)))),
    button("Add a Mahdist aim", () => list.push({ place: somewhere(), theatre: "nile", want: 20, open: true })),
  ];
}

/* A place to begin with: the chosen one, else the first where units stand. */
const somewhere = () => placeIn(chosen) ?? (said().stack ?? []).map(({ posts }) => placeIn(hexOf(posts?.[0]?.nearest ?? ""))).find(Boolean) ?? "Khartoum";

const PARTS = [
  ["name", "Name and months", name],
  ["country", "Country", country],
  ["forces", "Units on the map", forces],
  ["arrivals", "Reinforcements", arrivals],
  ["victory", "What wins", victory],
  ["rules", "Special rules", rules],
  ["events", "Random events", events],
  ["plans", "The computer’s plans", plans],
];

function build() {
  const open = new Set([...parts.querySelectorAll("details[open]")].map((one) => one.id));
  if (!parts.children.length) ["part-name", "part-forces"].forEach((one) => open.add(one));
  const scroll = page.querySelector(".bench").scrollTop;
  const focus = document.activeElement?.getAttribute?.("aria-label") || document.activeElement?.textContent;
  count = 0;
  parts.replaceChildren(
    ...PARTS.map(([id, title, fill]) => {
      const part = made("details", { className: "part", id: `part-${id}`, open: open.has(`part-${id}`) }, made("summary", { textContent: title }));
      part.append(...fill().filter((one) => one !== ""));
      return part;
    }),
  );
  page.querySelector(".bench").scrollTop = scroll;
  if (focus && document.activeElement === document.body) {
    const again = [...parts.querySelectorAll("button")].find((one) => (one.getAttribute("aria-label") || one.textContent) === focus);
    again?.focus({ preventScroll: true });
  }
  tell();
}

map.addEventListener("hex", ({ detail }) => {
  chosen = detail.hex;
  if (track) {
    track.hexes.push(chosen);
    checkAfter(0);
  } else document.querySelector("#part-forces")?.setAttribute("open", "");
  build();
});
document.querySelector("#save").addEventListener("click", save);
document.querySelector("#shared").addEventListener("change", async ({ target }) => {
  try {
    await write("PATCH", { shared: target.checked });
    state.textContent = target.checked ? "Shared." : "Not shared any more.";
  } catch (error) {
    target.checked = !target.checked;
    state.textContent = `Not changed: ${error.message}.`;
  }
});
addEventListener("beforeunload", (event) => dirty && event.preventDefault());
remember(said());
build();
page.dataset.ready = "";
