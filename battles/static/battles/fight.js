/* The page of a battle in progress: click on the field, and follow the other players. */

import { watchConnection } from "./connection.js";
import { FieldView } from "./field_view.js";
import { followStream } from "./event_stream.js";
import { noteFields, noteFolds, restoreFolds } from "./folds.js";
import { foldHint } from "./hint.js";
import { dressInvitations } from "./invitations.js";
import { requests } from "./requests.js";
import { dressShortcuts, shortcutsOn } from "./shortcuts.js";
import { dressSteps, replay } from "./steps.js";
import { placeTerms } from "./terms.js";
import { dressOrders } from "./unit_orders.js";

const AGAIN = 18; // pixels round the place that has been tried: a touch there does what was tried
const HALF_SQUARE = 52; // units of the drawing, of which a square has 100
const LONGEST = 2 ** 31 - 1; // milliseconds that a browser can wait

const fight = () => document.querySelector("#fight");
const field = () => document.querySelector("#field");
let newest = null; // the version of the battle that the stream told last; null to look in any case
const look = requests(document.querySelector("#battle"), () => newest !== fight().dataset.version);
let clock = 0; // timer of the deadline
let spokenOf = null; // the result that was last spoken
let byKey = false; // whether the last input came from the keyboard
const view = new FieldView(field);

/* A click on an open table fills in the form that checks a move to that place. */

function pressed(event) {
  if (!event.target.closest("#about")) document.querySelector("#about").open = false;
  for (const one of document.querySelectorAll("[data-pressed]")) delete one.dataset.pressed;
  const control = event.target.closest("button, a");
  if (control) control.dataset.pressed = "";
  if (event.target.id === "bend") return bend(event.target.form);
  const offer = event.target.closest("a.offer");
  if (offer && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    const again = offer.classList.contains("chosen") && document.querySelector("#picked button");
    if (again) again.click();
    else if (!choose(offer.dataset.choice)) get(offer.getAttribute("href"));
    return;
  }
  const drawing = event.target.closest("#field svg");
  if (drawing && document.querySelector("#deploy") && !event.target.closest("a")) return deploy(event, drawing);
  const form = document.querySelector("#free");
  const { scale } = field()?.dataset ?? {};
  if (!drawing || !form || !scale || event.target.closest("a") || isIdle(event.target.closest(".piece"))) return tell(event);
  const doIt = document.querySelector("#tried .urgent");
  if (doIt && isTried(event)) return doIt.click();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  form.elements.x.value = (at.x / scale).toFixed(2);
  form.elements.y.value = (at.y / scale).toFixed(2);
  form.requestSubmit();
}

/* Return whether a press is at the place that the page shows as tried. A place that was pressed last may have
 * no answer yet, or have lost it. */

function isTried({ clientX, clientY }) {
  const cross = document.querySelector("#field .offers .tried.cross")?.getBoundingClientRect();
  return cross && Math.hypot((cross.left + cross.right) / 2 - clientX, (cross.top + cross.bottom) / 2 - clientY) < AGAIN;
}

/* Make a choice by its number, from its button or from the list that has it. */

function choose(number) {
  const form = document.querySelector("#turn-form");
  const option = form.querySelector(`select[name=choice] option[value="${number}"]`);
  if (option) option.selected = true;
  const button = option?.form.querySelector("button") ?? form.querySelector(`button[name=choice][value="${number}"]`);
  button?.click();
  return Boolean(button);
}

/* "Bend here" makes the place that was tried a point on the way to the next. */

function bend(form) {
  const { x, y, via } = form.elements;
  via.value = [via.value.trim(), `${x.value} ${y.value}`].filter(Boolean).join(", ");
  document.querySelector("#bend").hidden = true;
  document.querySelector("#said").textContent = `By way of ${via.value}. Press the next place.`;
}

/* Before the battle a click on the field puts the chosen unit there: on squares, in the nearest. */

function deploy(event, drawing) {
  const form = document.querySelector("#deploy");
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  const places = [...form.querySelectorAll("option[data-x]")];
  if (places.length) {
    const far = ({ dataset }) => Math.max(Math.abs(dataset.x - at.x), Math.abs(dataset.y - at.y));
    const nearest = places.reduce((one, other) => (far(other) < far(one) ? other : one));
    if (far(nearest) > HALF_SQUARE) return told("It cannot stand there. Touch the marked ground.");
    form.elements.place.value = nearest.value;
  } else {
    const { scale } = field().dataset;
    form.elements.x.value = (at.x / scale).toFixed(2);
    form.elements.y.value = (at.y / scale).toFixed(2);
  }
  form.requestSubmit(form.querySelector("button"));
}

function told(words) {
  document.querySelector("#told-of").textContent = words;
}

/* A click on a unit shows its name, and its place in the log. */

function tell({ target }) {
  const piece = target.closest("#field .piece");
  if (!piece) return;
  told(piece.querySelector("title").textContent);
  show([piece.dataset.piece]);
  if (isIdle(piece)) get(`${fight().dataset.address}?unit=${piece.dataset.piece}`); // why it cannot act
}

/* Return whether a piece is one of the player's that does not act. */

function isIdle(piece) {
  const side = piece?.classList.contains("mahdist") ? "mahdist" : "egyptian";
  const acting = document.querySelector("#turn-form [name=unit]")?.value;
  return piece && fight().dataset.mine === side && piece.dataset.piece !== acting;
}

function show(numbers) {
  for (const piece of document.querySelectorAll("#field .piece")) {
    piece.classList.toggle("shown", numbers.includes(piece.dataset.piece));
  }
}

function pointed({ target }) {
  const sentence = target.closest?.(".log [data-units]");
  if (sentence) show(sentence.dataset.units.split(" "));
}

/* Of overlapping marks the one under the pointer, or chosen in the list, comes to the top. */

function raise({ target }) {
  const link = target.closest?.(".offer, .listed");
  if (!link) return;
  for (const offer of document.querySelectorAll(".offers .offer")) {
    const lit = offer.getAttribute("href") === link.getAttribute("href");
    offer.classList.toggle("lit", lit);
    if (lit && offer !== link) offer.parentNode.append(offer);
    if (lit && offer !== link) view.bringIn(offer);
  }
}

/* Submit a unit chosen from the list at once; enable "several" only while a unit is ticked. */

function picked({ target }) {
  if (target.id === "unit") target.form.requestSubmit();
  if (target.closest("#turn-form .ways select")) writeOut(target);
  const several = target.closest(".several");
  if (!several) return;
  const button = several.querySelector("button");
  const [ticked, all] = [several.querySelectorAll(":checked").length, several.querySelectorAll("input[name=several]").length];
  button.disabled = !ticked;
  button.textContent = ticked === all ? `Lead all ${all}` : `Lead the ${ticked} ticked`;
}

/* After every change keep the view of the field, speak the result and the question, and leave the
 * keyboard at the question. */

function settle() {
  const frame = field();
  if (!frame) return;
  watchClock();
  view.dress();
  dressInvitations();
  dressOrders();
  dressSteps();
  dressShortcuts();
  restoreFolds();
  document.querySelector("#bend")?.removeAttribute("hidden");
  fitIn();
  view.bringIn(frame.querySelector(".offers .tried.cross") ?? frame.querySelector(".offers .lit, .offers .acting"));
  const shown = document.querySelector("#why, #picked, #tried");
  shown?.scrollIntoView({ block: "nearest" });
  const now = document.querySelector("#result")?.dataset.told;
  const result = now === spokenOf ? "#none" : "#result .entry";
  spokenOf = now;
  const words = [result, "#why, #tried, #touched", "#turn-form-title", "#turn-form:has(#ordering) .pick option:checked", "#picked option:checked, #picked .do .one > :first-child"].map((part) =>
    [...document.querySelectorAll(part)].map(spoken).join(" "));
  document.querySelector("#said").textContent = words.filter(Boolean).join(" ");
  const title = document.title.replace("Your turn: ", "");
  document.title = document.querySelector(".advice") ? title.replace(/^(\(\d+\) )?/, "$1Your turn: ") : title;
  if (!byKey || document.activeElement !== document.body) return;
  document.querySelector("#turn-form").focus({ preventScroll: true });
  document.querySelector("#turn-form-title").scrollIntoView({ block: "nearest" });
}

/* Return the sentences of an element as they are spoken: without the pictures of dice and cards, and
 * the numbers of steps, which stand before a sentence. */

function spoken(element) {
  const copy = element.cloneNode(true);
  for (const picture of copy.querySelectorAll("[role=img], .step-number")) picture.remove();
  return copy.textContent.trim().replace(/\s+/g, " ");
}

/* Where the column has room a list of chances stands open, so that all are seen at once. */

const OPENED = "#turn-form .ways:is(.of-at-once, .of-fire, .of-charge, .of-next) select";
const ONE_LINE = 24; // pixels
const FIRST = 0.65; // share of the room that the first of two lists takes

function openLists() {
  const lists = [...document.querySelectorAll(OPENED)];
  for (const list of lists) {
    list.removeAttribute("size");
    list.style.height = "";
  }
  if (!matchMedia("(min-width: 60.01rem)").matches) return;
  const column = [...document.querySelectorAll(".beside, .turn-panel")].find((one) => one.getClientRects().length && getComputedStyle(one).overflowY === "auto");
  const foot = Math.min(innerHeight, column.getBoundingClientRect().bottom);
  const last = document.querySelector("#turn-form");
  lists.forEach((list, nth) => {
    const room = foot - last.getBoundingClientRect().bottom - ONE_LINE;
    const others = nth < lists.length - 1 && room * (1 - FIRST) > 3 * ONE_LINE;
    const free = others ? room * FIRST : room;
    if (list.options.length < 3 || free < 3 * ONE_LINE) return;
    list.size = list.options.length;
    list.style.height = "auto";
    list.style.height = `${Math.min(free, list.scrollHeight + 2)}px`;
  });
}

/* A list too narrow for its choice has the whole of it beneath. */

const WRITING = document.createElement("canvas").getContext("2d");
const ARROW = 72; // pixels beside the words of a list: its padding, and the arrow of a phone

function writeOut(list) {
  const words = list.selectedOptions[0]?.text ?? "";
  WRITING.font = getComputedStyle(list).font;
  const group = list.closest(".group") ?? list.form;
  const line = group.querySelector(".in-full") ?? group.appendChild(document.createElement("p"));
  line.className = "in-full";
  line.ariaHidden = "true"; // the list says it
  line.textContent = words;
  line.hidden = list.size > 1 || WRITING.measureText(words).width < list.clientWidth - ARROW;
  list.title = line.hidden ? "" : words;
}

/* The last result is cut between two lines, never through one. */

function cutBetweenLines() {
  const box = document.querySelector("#result .entries");
  if (!box) return;
  box.style.maxHeight = "";
  const { top } = box.getBoundingClientRect();
  const isCut = box.scrollHeight > box.clientHeight + 1;
  box.classList.toggle("goes-on", isCut);
  if (!isCut) return;
  const all = document.createRange();
  all.selectNodeContents(box);
  const parts = [...all.getClientRects()].filter(({ height }) => height < ONE_LINE * 2);
  const straddled = (y) => parts.some((one) => one.top < y - 4 && one.bottom > y + 4);
  const dice = [...box.querySelectorAll(".die, .card-face, .step-number")].map((one) => one.getBoundingClientRect());
  const foot = (y) => Math.max(y, ...dice.filter((one) => one.top < y - 4 && one.bottom < y + ONE_LINE / 2).map(({ bottom }) => bottom));
  const cuts = parts.filter(({ bottom }) => !straddled(bottom)).map(({ bottom }) => foot(bottom)).filter((y) => y <= top + box.clientHeight);
  if (cuts.length) box.style.maxHeight = `${Math.max(...cuts) - top + 2}px`;
}

function fitIn() {
  foldHint();
  openLists();
  document.querySelectorAll("#turn-form :is(.ways, .pick) select").forEach(writeOut);
  cutBetweenLines();
}

function chosen({ target }) {
  target.closest?.("#turn-form .ways option")?.closest("form").querySelector("button").click();
}

/* Keys that lead to the parts of the page, and press its buttons. */

const PRESSED = {
  a: ".of-all button, #ordering [name=every]",
  c: ".advice button",
  d: "#tried .urgent, #picked button, #ordering .urgent",
  e: ".of-done button",
  u: ".undo button",
};
const REACHED = { f: "#field", q: "#turn-form" };

function key(event) {
  byKey = true;
  if (event.key === "Escape") return closeAbout();
  if (!shortcutsOn() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "r") return replay();
  if (event.key === "n") return nextUnit();
  const buttons = document.querySelectorAll("#turn-form :is(.do, .ways, .several, .sort) button:not(.more)");
  const button = /^[1-9]$/.test(event.key) ? buttons[event.key - 1] : document.querySelector(PRESSED[event.key] ?? "none");
  const part = document.querySelector(REACHED[event.key] ?? "none");
  if (!button && !part) return;
  event.preventDefault();
  if (part) part.focus();
  else button.click();
}

function closeAbout() {
  const about = document.querySelector("#about");
  if (about.contains(document.activeElement)) about.querySelector("summary").focus();
  about.open = false;
}

function nextUnit() {
  const list = document.querySelector("#unit");
  if (!list) return;
  list.selectedIndex = (list.selectedIndex + 1) % list.options.length;
  list.form.requestSubmit();
}

/* A request shows at once that it is under way, at what was pressed and in the head. */

function busy({ detail: { elt } }, isBusy) {
  if (elt !== document.querySelector("#battle")) fight()?.setAttribute("aria-busy", String(isBusy));
}

/* When a player's time is up, show what the opponent may do; after a lost connection, what has happened. */

function watchClock() {
  clearTimeout(clock);
  const left = new Date(fight().dataset.due) - Date.now();
  if (left < LONGEST) clock = setTimeout(lookInAnyCase, Math.max(left, 0) + 1000);
}

function lookInAnyCase() {
  newest = null;
  look();
}

/* News of the battle, which others fight too. At its end the page has no `#fight` any more. */

function heard(version) {
  if (version === fight()?.dataset.version) return;
  newest = version;
  if (version === "over" || version === "gone") location.reload();
  else look();
}

async function poll() {
  if (!fight()) return;
  const { follow: address, version } = fight().dataset;
  try {
    const answer = await fetch(address, { headers: { "If-None-Match": `"${version}"` }, cache: "no-store" });
    if (answer.status === 404) heard("gone");
    else if (answer.status === 200) heard(await answer.text());
  } catch {
    // no connection for a moment: the next poll will tell
  }
}

function get(address) {
  htmx.ajax("GET", address, { source: "#field", target: "#fight", select: "#fight", swap: "outerHTML show:none" });
}

document.documentElement.classList.add("scripted");
document.addEventListener("click", pressed);
document.addEventListener("change", picked);
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);
document.addEventListener("pointerover", raise);
document.addEventListener("focusin", raise);
document.addEventListener("keydown", key);
document.addEventListener("pointerdown", () => (byKey = false));
document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.path = detail.path.split("#")[0]; // which leads to the question without scripts; here nothing scrolls
});
document.addEventListener("htmx:beforeSend", (event) => busy(event, true));
document.addEventListener("htmx:afterRequest", (event) => busy(event, false));
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  noteFolds();
  noteFields(detail.requestConfig.elt);
  if (!detail.isError && !detail.serverResponse.includes('id="fight"')) location.reload();
});
document.addEventListener("htmx:afterSettle", settle);
document.addEventListener("dblclick", chosen);
addEventListener("resize", fitIn);
placeTerms();
noteFolds();
settle();
watchConnection(lookInAnyCase);
followStream(fight().dataset.stream, ({ version }) => heard(version), poll);
