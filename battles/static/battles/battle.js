/* The page of a battle: step through its turns, and show the units that a sentence names. */

import { openErrorPage, watchConnection } from "./connection.js";
import { layTabs } from "./field_tabs.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PAUSE = calm.matches ? 4000 : 2200; // milliseconds between two turns of the replay
let playing = null;
let sideways = null; // scroll position of a field wider than the screen; null: its middle

const ticks = () => [...document.querySelectorAll("#timeline .ruler a")];

/* The scrubber follows the links of the turns. */

function setUp() {
  const range = document.querySelector("#scrub");
  const play = document.querySelector("#play");
  range.oninput = () => range.setAttribute("aria-valuetext", ticks()[range.value].title);
  range.onchange = () => ticks()[range.value].click();
  play.hidden = false;
  play.onclick = () => (playing ? stop() : start());
  const frame = document.querySelector("#field");
  const svg = frame.querySelector("svg");
  const [x, y, wide, high] = svg.getAttribute("viewBox").split(" ").map(Number);
  layTabs(svg, { x, y, wide, high });
  frame.scrollLeft = sideways ?? (frame.scrollWidth - frame.clientWidth) / 2;
  tellPlaying();
}

/* Play from the turn shown, or from the beginning after the last, and where the field can be seen. */

function start() {
  const frame = document.querySelector("#field").getBoundingClientRect();
  if (frame.bottom > innerHeight) document.querySelector("#moment").scrollIntoView({ block: "start" });
  playing = setInterval(next, PAUSE);
  tellPlaying();
  (document.querySelector("#later") ?? ticks()[0]).click();
}

function stop() {
  clearInterval(playing);
  playing = null;
  tellPlaying();
}

function next() {
  const later = document.querySelector("#later");
  if (later) later.click();
  else stop();
}

function tellPlaying() {
  const play = document.querySelector("#play");
  play.setAttribute("aria-pressed", String(Boolean(playing)));
  play.textContent = playing ? "Stop" : "Play";
}

/* Mark on the field the units that a sentence names, and the other way round. */

function show(numbers) {
  for (const piece of document.querySelectorAll("#field .piece")) {
    piece.classList.toggle("shown", numbers.includes(piece.dataset.piece));
  }
}

function pointed({ target }) {
  const sentence = target.closest?.(".log [data-units]");
  if (sentence) show(sentence.dataset.units.split(" "));
}

function pressed({ target }) {
  const piece = target.closest?.("#field .piece");
  if (!piece) return;
  const { piece: number } = piece.dataset;
  show([number]);
  document.querySelector("#told-of").textContent = piece.querySelector("title").textContent;
  for (const one of document.querySelectorAll(".log [data-units]")) {
    one.classList.toggle("shown", one.dataset.units.split(" ").includes(number));
  }
}

/* Arrow keys step through the turns, except in elements that use them. */

function key(event) {
  const way = { ArrowLeft: "#earlier", ArrowRight: "#later" }[event.key];
  const busy = event.target.closest("input, select, textarea, [role=group], .log");
  if (!way || busy || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const link = document.querySelector(way);
  if (!link) return;
  event.preventDefault();
  link.click();
}

document.documentElement.classList.add("scripted");
document.addEventListener("pointerover", pointed);
document.addEventListener("focusin", pointed);
document.addEventListener("click", pressed);
document.addEventListener("keydown", key);
document.addEventListener("htmx:beforeSwap", () => {
  sideways = document.querySelector("#field").scrollLeft;
  document.documentElement.dataset.opened = document.querySelector(".in-words")?.open ?? "";
});
document.addEventListener("htmx:afterSettle", () => {
  setUp();
  document.querySelector(".in-words").open = document.documentElement.dataset.opened === "true";
  document.querySelector("#said").textContent = document.querySelector("#turn-title").textContent;
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const range = document.querySelector("#scrub");
  if (!detail.successful) range.value = range.defaultValue; // the turn that is still shown
});
watchConnection(() => {}, openErrorPage);
setUp();
