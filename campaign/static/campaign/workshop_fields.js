/* Fields of the workshop's forms. Each takes its owner, the name of its field there, its path in the
 * document, and a label. A fault is shown beside the field whose path it names.
 */

import { ALL_PLACES, changed, known, listOf, places, SIDES, titleOf, words } from "./workshop_document.js";

let count = 0;

export function numberAgain() {
  /* Let the ids of fields begin again: the forms are built afresh. */
  count = 0;
}

export function made(tag, properties = {}, ...children) {
  /* An element. `path` is the part of the document that it shows, `label` what it is called here. */
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name === "path" || name === "label") element.dataset[name] = value;
    else if (name.startsWith("aria-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

export function field(label, control, path, help = "") {
  control.id ||= `w${++count}`;
  return made(
    "div",
    { className: "field", path },
    made("label", { htmlFor: control.id, textContent: label }),
    control,
    help && made("p", { className: "helptext", textContent: help }),
  );
}

export function input(owner, name, type, path, label, more = {}) {
  const control = made(type === "area" ? "textarea" : "input", { value: owner[name] ?? "", ...more });
  if (type !== "area") control.type = type;
  control.addEventListener("input", () => {
    if (type !== "number") owner[name] = control.value;
    else if (control.value === "") delete owner[name];
    else owner[name] = Number(control.value);
    if (type !== "number" && !control.value && more.optional) delete owner[name];
    changed(false);
  });
  control.addEventListener("change", () => control.dispatchEvent(new CustomEvent("left", { bubbles: true })));
  return field(label, control, path);
}

export function optionsFor(control, choices, current, empty) {
  /* Fill a select. A value that is not among the choices any more stays, and says so. */
  const pairs = Array.isArray(choices) ? choices.map((one) => [one, one]) : Object.entries(choices);
  if (empty !== null) control.append(new Option(empty, ""));
  for (const [value, text] of pairs) control.append(new Option(text, value));
  const value = current ?? "";
  if (value !== "" && !pairs.some(([one]) => one === value)) control.append(new Option(`${value} (${whyNot(value)})`, value));
  control.value = value;
}

const whyNot = (value) => (ALL_PLACES.includes(value) ? "closed to play" : "unknown here");

export function select(owner, name, choices, path, label, empty = null) {
  const control = made("select");
  optionsFor(control, choices, owner[name], empty);
  control.addEventListener("change", () => {
    if (control.value) owner[name] = control.value;
    else delete owner[name];
    changed();
  });
  return field(label, control, path);
}

export function several(owner, name, choices, path, label, empty = "Add one…") {
  /* A list of words: each can be removed, and one more chosen. */
  const pairs = Array.isArray(choices) ? choices.map((one) => [one, one]) : Object.entries(choices);
  const titles = new Map(pairs);
  const list = owner[name] ?? [];
  const control = made("select");
  const left = pairs.filter(([value]) => !list.includes(value));
  optionsFor(control, Object.fromEntries(left), "", empty);
  control.addEventListener("change", () => {
    listOf(owner, name).push(control.value);
    changed();
  });
  const lines = list.map((one, place) => {
    const remove = () => {
      list.splice(place, 1);
      if (!list.length) delete owner[name];
    };
    return made("div", { className: "item", path: `${path}[${place}]` }, line(titles.get(one) ?? titleOf(one), remove));
  });
  const whole = field(label, control, path);
  whole.append(...lines);
  return whole;
}

export function line(text, remove, ...more) {
  const away = made("button", { type: "button", textContent: "Remove", "aria-label": `Remove ${text}` });
  away.onclick = () => {
    remove();
    changed();
  };
  return made("div", { className: "line" }, made("span", { textContent: text }), made("span", {}, ...more, away));
}

export function button(text, act, properties = {}) {
  const control = made("button", { type: "button", textContent: text, ...properties });
  control.onclick = () => {
    act();
    changed();
  };
  return control;
}

export function checkbox(owner, name, label) {
  const box = made("input", { type: "checkbox", checked: Boolean(owner[name]) });
  box.onchange = () => {
    owner[name] = box.checked;
    changed();
  };
  return made("label", { className: "choice" }, box, ` ${label}`);
}

/* Fields that several parts of a scenario have. */

export const NATIONS = Object.fromEntries(Object.keys(known.nations).map((one) => [one, words(one)]));
export const LEADERS = known.leaders.map((one) => one.name);
export const winner = (one, at) => select(one, "winner", SIDES, `${at}.winner`, "Won by");
export const amount = (one, name, at, label) => input(one, name, "number", `${at}.${name}`, label, { min: 0, max: 100 });
export const placeChoice = (one, at, label = "Place", name = "place") => select(one, name, places(), `${at}.${name}`, label, "Choose…");
export const placesChoice = (one, at, label = "Places") => several(one, "places", places(), `${at}.places`, label);
