/* The page of a battle in progress: click on the field, and follow the other players. */

import { follow } from "./follow.js";
import { tellHours } from "./hours.js";
import { requests } from "./requests.js";

const LONGEST = 2 ** 31 - 1; // milliseconds that a browser can wait

const fight = () => document.querySelector("#fight");
const field = () => document.querySelector("#field");
const look = requests(document.querySelector("#battle"));
let unfolded = false; // true while the list of pieces on the field is open
let clock = 0; // timer of the deadline
let sideways = null; // scroll position of a field wider than the screen

/* A click on an open table fills in the form that checks a move to that place. */

function pressed(event) {
  const offer = event.target.closest("a.offer");
  if (offer && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    get(offer.getAttribute("href"));
    return;
  }
  const drawing = event.target.closest("#field svg");
  const form = document.querySelector("#free");
  const { scale } = field()?.dataset ?? {};
  if (!drawing || !form || !scale || event.target.closest("a")) return tell(event);
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(drawing.getScreenCTM().inverse());
  form.elements.x.value = (at.x / scale).toFixed(2);
  form.elements.y.value = (at.y / scale).toFixed(2);
  form.requestSubmit();
}

/* A click on a unit shows its name, and its place in the log. */

function tell({ target }) {
  const piece = target.closest(".field .piece");
  if (!piece) return;
  document.querySelector("#told-of").textContent = piece.querySelector("title").textContent;
  show([piece.dataset.piece]);
}

function show(numbers) {
  for (const piece of document.querySelectorAll(".field .piece")) {
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
    if (lit && offer !== link) bringIn(field());
  }
}

/* Submit a unit chosen from the list at once; enable "several" only while a unit is ticked. */

function picked({ target }) {
  if (target.id === "unit") target.form.requestSubmit();
  const several = target.closest(".several");
  if (several) several.querySelector("button").disabled = !several.querySelector(":checked");
}

/* After every change keep the field's scroll position, and announce the question. */

function settle() {
  const frame = field();
  if (!frame) return;
  tellHours(fight());
  watchClock();
  document.querySelector("#on-field")?.toggleAttribute("open", unfolded);
  frame.scrollLeft = sideways ?? 0;
  bringIn(frame);
  document.querySelector("#picked, #tried")?.scrollIntoView({ block: "nearest" });
  const said = document.querySelector("#why, #tried, #turn-form-title");
  document.querySelector("#said").textContent = said.textContent.trim();
  document.title = document.title.replace(/^(Your turn: )?/, document.querySelector(".advice") ? "Your turn: " : "");
}

/* Scroll the acting unit into view, on a field wider than the screen. */

function bringIn(frame) {
  const acting = frame.querySelector(".offers .lit") ?? frame.querySelector(".offers .acting") ?? frame.querySelector(".offers .offer");
  if (!acting) return;
  const [one, all] = [acting.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (one.left >= all.left && one.right <= all.right) return;
  frame.scrollLeft += (one.left + one.right - all.left - all.right) / 2;
}

/* When a player's time is up, show what the opponent may do. */

function watchClock() {
  clearTimeout(clock);
  const left = new Date(fight().dataset.due) - Date.now();
  if (left < LONGEST) clock = setTimeout(look, Math.max(left, 0) + 1000);
}

function get(address) {
  htmx.ajax("GET", address, { source: "#field", target: "#fight", select: "#fight", swap: "outerHTML show:none" });
}

document.addEventListener("click", pressed);
document.addEventListener("change", picked);
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);
document.addEventListener("pointerover", raise);
document.addEventListener("focusin", raise);
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  sideways = field()?.scrollLeft ?? sideways;
  unfolded = document.querySelector("#on-field")?.open ?? unfolded;
  if (!detail.serverResponse.includes('id="fight"')) location.reload();
});
document.addEventListener("htmx:afterSettle", settle);
document.addEventListener("htmx:responseError", () => location.reload());
follow(
  () => ({ stream: fight().dataset.stream, address: fight().dataset.follow, tag: fight().dataset.tag }),
  (now) => (now === '"over"' || now === "gone" ? location.reload() : look()),
);
settle();
