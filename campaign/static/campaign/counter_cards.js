/* A card for each counter of the map: unit, quality, state, and why it matters.

   Shown under the mouse, for the stack in focus, and on a long press. The words are those of the legend on
   the page, so that both say the same. */

const HELD = 550; // milliseconds of a long press
const STILL = 8; // pixels that a finger may move meanwhile
const SLOW = 250; // milliseconds before the mouse brings up a card
const MOST = 3; // kinds of counters on a card
const CARDS = ["#u-card", "#u-disrupted", "#u-flag", "#u-siege"];

const legend = document.querySelector("#legend");
const map = document.querySelector("#map");
const card = Object.assign(document.createElement("div"), { id: "counter-card", hidden: true });
card.setAttribute("role", "tooltip");

/* The words of a counter, from its drawing. */
function wordsOf(unit) {
  const uses = [...unit.querySelectorAll("use")].map((use) => use.getAttribute("href"));
  const sign = uses.find((href) => !CARDS.includes(href));
  const found = sign && [...legend.querySelectorAll("[data-kind]")].find(({ dataset }) => `#u-${dataset.kind.replaceAll(" ", "-")}` === sign);
  if (!found) return null;
  const figures = unit.querySelector(".value")?.textContent ?? "";
  const [, strength, letter] = figures.match(/^(\d+)([A-Z])$/) ?? [];
  const quality = letter && legend.querySelector(`[data-quality="${letter}"]`)?.dataset.words;
  const ratings = unit.querySelector(".ratings")?.textContent ?? "";
  const name = unit.querySelector(".unit-name")?.textContent;
  const nation = unit.classList[1] ?? "";
  const title = name || `${nation[0]?.toUpperCase() ?? ""}${nation.slice(1)} ${found.dataset.name}`;
  const lines = [];
  if (quality) lines.push(`${figures}: ${strength} strength point${strength === "1" ? "" : "s"}. ${quality}.`);
  if (ratings.includes("·")) lines.push(`Strategic ${ratings.split("·")[0]}, tactical ${ratings.split("·")[1]}.`);
  if (uses.includes("#u-disrupted")) lines.push("Disrupted: half its worth until it recovers.");
  lines.push(found.dataset.matters);
  return { title, lines };
}

/* The counters of a stack, alike ones together: those of its fan, or its only one. */
function wordsOfStack(stack) {
  const all = stack.querySelectorAll(".fan > .unit, .fan > g > .unit");
  const units = all.length ? [...all] : [...stack.querySelectorAll(".unit")].filter((unit) => unit.querySelectorAll("use").length > 1);
  const groups = new Map();
  for (const unit of units) {
    const words = wordsOf(unit);
    if (!words) continue;
    const key = JSON.stringify(words);
    groups.set(key, { ...words, many: (groups.get(key)?.many ?? 0) + 1 });
  }
  return [...groups.values()];
}

function show(groups, place) {
  if (!groups.length) return hide();
  const parts = groups.slice(0, MOST).map(({ title, lines, many }) => {
    const part = document.createElement("p");
    const head = Object.assign(document.createElement("b"), { textContent: many > 1 ? `${many} × ${title}` : title });
    part.append(head, ...lines.flatMap((line) => [document.createElement("br"), line]));
    return part;
  });
  const rest = groups.length - MOST;
  if (rest > 0) parts.push(Object.assign(document.createElement("p"), { className: "aside", textContent: `and ${rest} more kind${rest > 1 ? "s" : ""}` }));
  card.replaceChildren(...parts);
  card.hidden = false;
  const { offsetWidth: wide, offsetHeight: high } = card;
  const left = Math.min(Math.max(8, place.right + 12), innerWidth - wide - 8);
  const beside = place.right + 12 + wide <= innerWidth;
  const top = beside ? place.top : place.bottom + 12 + high <= innerHeight ? place.bottom + 12 : place.top - high - 12;
  card.style.left = `${left}px`;
  card.style.top = `${Math.min(Math.max(8, top), Math.max(8, innerHeight - high - 8))}px`;
}

function hide() {
  clearTimeout(timer);
  card.hidden = true;
}

let timer = 0;
let begun = { x: 0, y: 0 };
let held = false; // a long press has brought up the card: it stays when the finger is lifted

function about(target) {
  const stack = target.closest?.(".stack");
  if (!stack) return null;
  // Of an open stack only the counter that is pointed at: the rest of the map stays free.
  const open = stack.classList.contains("open");
  const unit = open && target.closest(".fan .unit");
  if (open && !unit) return null;
  const words = unit ? [wordsOf(unit)].filter(Boolean) : wordsOfStack(stack);
  return { words, place: (unit || (stack.querySelector(".c") ?? stack)).getBoundingClientRect() };
}

function after(pause, target, shown = () => {}) {
  clearTimeout(timer);
  const found = about(target);
  if (found) timer = setTimeout(() => (show(found.words, found.place), shown()), pause);
}

if (legend && map) {
  document.body.append(card);
  map.addEventListener("pointerover", ({ target, pointerType, buttons }) => {
    if (pointerType === "touch" || buttons) return;
    if (target.closest(".stack")) after(SLOW, target);
    else hide();
  });
  map.addEventListener("pointerleave", ({ pointerType }) => pointerType === "touch" || hide());
  map.addEventListener("pointerdown", ({ target, pointerType, clientX, clientY }) => {
    hide();
    held = false;
    if (pointerType !== "touch") return;
    begun = { x: clientX, y: clientY };
    after(HELD, target, () => {
      held = true;
      map.dispatchEvent(new CustomEvent("held"));
    });
  });
  map.addEventListener("pointermove", ({ pointerType, clientX, clientY }) => {
    if (pointerType === "touch" && Math.hypot(clientX - begun.x, clientY - begun.y) > STILL) hide();
  });
  // A browser's own menu would take the finger's press away from the card, and from a drag.
  map.addEventListener("contextmenu", (event) => event.pointerType === "touch" && event.preventDefault());
  for (const end of ["pointerup", "pointercancel", "wheel"]) map.addEventListener(end, () => clearTimeout(timer), { passive: true });
  map.addEventListener("focusin", ({ target }) => {
    const stack = target.closest(".stack:focus-visible");
    if (!stack) return held || hide();
    stack.setAttribute("aria-describedby", card.id);
    // The map moves to what has the focus first.
    after(SLOW, stack);
  });
  map.addEventListener("focusout", () => held || hide());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
}
