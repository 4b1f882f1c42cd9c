/* The workshop: a scenario as one document, written by forms beside the map.
 *
 * Modules by subject: the document and its words (workshop_document.js), fields of forms, the
 * country, forces, what wins, special rules with events and plans, and checks, drawing and saving.
 */

import { checkAfter, checkNow, faultsWithin, keepUnsaved, noteChange, save, share, showDraft, showFaults } from "./workshop_checks.js";
import { country, takeHex } from "./workshop_country.js";
import { chooseHex, onChange, onRebuild, page, said } from "./workshop_document.js";
import { input, made, numberAgain } from "./workshop_fields.js";
import { arrivals, forces } from "./workshop_forces.js";
import { events, plans, rules } from "./workshop_rules.js";
import { remember, rewrite } from "./workshop_sentences.js";
import { victory } from "./workshop_victory.js";

const map = document.querySelector("#map");
const parts = document.querySelector("#parts");
/* Each part has an id, a title, what makes its forms, and where its fields are in the document. */
const PARTS = [
  ["name", "Name and months", name, ["scenario.title", "scenario.description", "scenario.start", "scenario.end"]],
  ["country", "Country", country, ["scenario.map"]],
  ["forces", "Units on the map", () => forces(map), ["scenario.stack"]],
  ["arrivals", "Reinforcements", arrivals, ["scenario.reinforcement"]],
  ["victory", "What wins", victory, ["scenario.victory"]],
  ["rules", "Special rules", rules, ["replaced", "mahdist_places", "drawn", "monthly_supply", "ban", "line", "taken_up"].map((one) => `scenario.${one}`)],
  ["events", "Random events", events, ["scenario.events", "event_tables"]],
  ["plans", "The computer’s plans", plans, ["scenario.plans"]],
];

function name() {
  const owner = said();
  return [
    input(owner, "title", "text", "scenario.title", "Title", { maxLength: 100 }),
    input(owner, "description", "area", "scenario.description", "What it is about", { rows: 4 }),
    made("div", { className: "row" }, input(owner, "start", "month", "scenario.start", "First month"), input(owner, "end", "month", "scenario.end", "Last month")),
  ];
}

function showTitle() {
  document.querySelector("#title").textContent = said().title || "Without a title";
}

function build() {
  const open = new Set([...parts.querySelectorAll("details[open]")].map((one) => one.id));
  if (!parts.children.length) ["part-name", "part-forces"].forEach((one) => open.add(one));
  const scroll = page.querySelector(".bench").scrollTop;
  const focus = focusNow();
  numberAgain();
  parts.replaceChildren(
    ...PARTS.map(([id, title, fill, fields]) => {
      const part = made("details", { className: "part", id: `part-${id}`, open: open.has(`part-${id}`) }, made("summary", { textContent: title }));
      part.append(...formsOf(fill, fields).filter((one) => one !== ""));
      return part;
    }),
  );
  page.querySelector(".bench").scrollTop = scroll;
  focusAgain(focus);
  showFaults();
}

function formsOf(fill, fields) {
  /* The forms of a part; of one that no form can show, as a file may have it, what is wrong in it. */
  try {
    return fill();
  } catch (error) {
    if (!faultsWithin(["scenario", "event_tables"]).length) throw error;
    const own = faultsWithin(fields).map((path) => made("div", { className: "item", path }, made("code", { textContent: path })));
    const why = own.length ? "No form can show this part:" : "No form can show this part, because of what is wrong in others:";
    return [made("p", { className: "aside", textContent: `${why} correct the file, and import it again.` }), ...own];
  }
}

const wordsOf = (control) => control.getAttribute("aria-label") || control.labels?.[0]?.textContent || control.textContent;

function focusNow() {
  /* Where the keyboard is in the forms: in a field by its path, else by the words of the field or button. */
  const control = document.activeElement;
  if (!parts.contains(control)) return null;
  const path = control.matches("input, select, textarea") ? control.closest("[data-path]")?.dataset.path : null;
  return { path, words: wordsOf(control), at: control.selectionStart };
}

function focusAgain(was) {
  if (!was || document.activeElement !== document.body) return;
  const field = was.path && parts.querySelector(`[data-path="${CSS.escape(was.path)}"]`)?.querySelector("input, select, textarea");
  const again = field || [...parts.querySelectorAll("button, input, select, textarea")].find((one) => wordsOf(one) === was.words);
  again?.focus({ preventScroll: true });
  if (typeof was.at === "number" && typeof again?.selectionStart === "number") again.setSelectionRange(was.at, was.at);
}

onChange((formsToo) => {
  for (const number of rewrite(said())) {
    const text = parts.querySelector(`[data-path="scenario.victory[${number}].text"] textarea`);
    if (text && text !== document.activeElement) text.value = said().victory[number].text;
  }
  showTitle();
  if (formsToo) build();
  noteChange(formsToo);
});
onRebuild(build);
parts.addEventListener("left", () => checkNow());
map.addEventListener("hex", ({ detail }) => {
  chooseHex(detail.hex);
  if (takeHex(detail.hex)) checkAfter(0);
  else document.querySelector("#part-forces")?.setAttribute("open", "");
  build();
});
document.querySelector("#save").addEventListener("click", save);
document.querySelector("#shared").addEventListener("change", share);
addEventListener("beforeunload", keepUnsaved);
remember(said());
showTitle();
build();
showDraft();
page.dataset.ready = "";
