/* The campaign page: step through the months, and link the papers with the map. */

import { openErrorPage, watchConnection } from "../battles/connection.js";

const narrow = matchMedia("(max-width: 60rem)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const map = document.querySelector("#map");
const COVERED = 0.5; // share of a telephone's screen for the panel of a hex
let chosen = document.querySelector("#hex [data-hex]")?.dataset.hex ?? null;

/* The scrubber follows the links of the months. */

function setUpScrubber() {
  const timeline = document.querySelector("#timeline");
  const range = timeline.querySelector("#scrub");
  const months = [...timeline.querySelectorAll(".ruler li")];
  const links = months.map((month) => month.querySelector("a")).filter(Boolean);
  const share = narrow.matches ? 1 : links.length / months.length;
  range.style.width = `${100 * share}%`;
  range.oninput = () => {
    timeline.querySelector("output").textContent = links[range.value].title;
    range.setAttribute("aria-valuetext", links[range.value].title);
  };
  range.onchange = () => links[range.value].click();
}

/* The month that was chosen could not be had: the scrubber goes back to the one that is shown. */

function resetScrubber() {
  const timeline = document.querySelector("#timeline");
  const range = timeline.querySelector("#scrub");
  range.value = range.defaultValue;
  timeline.querySelector("output").textContent = document.querySelector("#masthead h1").textContent;
}

/* Announce the new month, and show the chosen hex in it. */

function monthChanged() {
  setUpScrubber();
  document.querySelector("#said").textContent = document.querySelector("#masthead h1").textContent;
  if (chosen) show(chosen);
}

/* Show a hex named in the papers on the map, as if it had been clicked there. */

function show(hex) {
  map.dispatchEvent(new CustomEvent("show", { detail: { hex } }));
}

function press(event) {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button;
  if (elsewhere || !("ready" in map.dataset)) return;
  const link = event.target.closest("a.to-hex");
  if (link) {
    event.preventDefault();
    show(link.dataset.hex);
  } else if (event.target.closest("#hex .close")) {
    event.preventDefault();
    chosen = null;
    document.querySelector("#hex").replaceChildren();
    map.focus({ preventScroll: true });
  }
}

/* Scroll the panel of a hex into view, without covering more of the map than COVERED. */

function bringUp() {
  const panel = document.querySelector("#hex");
  if (!panel.firstElementChild) return;
  const behavior = calm.matches ? "auto" : "smooth";
  if (narrow.matches) {
    const top = scrollY + panel.getBoundingClientRect().top - (1 - COVERED) * innerHeight;
    scrollTo({ top, behavior });
  } else {
    const papers = document.querySelector("#papers");
    const below = panel.getBoundingClientRect().top - papers.getBoundingClientRect().top;
    papers.scrollTo({ top: papers.scrollTop + below - 46, behavior });
  }
}

/* On a telephone the papers cover the lower half of the map: keep the hex above them. */

function makeRoom() {
  const edge = document.querySelector("#timeline").offsetHeight;
  if (narrow.matches) map.dataset.covered = Math.round(COVERED * innerHeight) + edge;
  else delete map.dataset.covered;
}

let showing = false;
map.addEventListener("hex", ({ detail }) => {
  chosen = detail.hex;
  if (!narrow.matches || showing) return;
  showing = true;
  show(chosen);
  showing = false;
});
new MutationObserver((changes) => {
  if (changes.some(({ target, addedNodes }) => target.id === "hex" && addedNodes.length)) bringUp();
}).observe(document.querySelector("main"), { childList: true, subtree: true });

document.documentElement.classList.add("scripted");
document.addEventListener("click", press);
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (detail.target?.id === "papers" || detail.elt?.id === "papers") monthChanged();
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!detail.successful) resetScrubber();
});
watchConnection(() => {}, openErrorPage);
function fitScreen() {
  setUpScrubber();
  makeRoom();
}

narrow.addEventListener("change", fitScreen);
fitScreen();
if (chosen) new MutationObserver((_, me) => {
  if ("ready" in map.dataset) {
    me.disconnect();
    show(chosen);
  }
}).observe(map, { attributes: true });
