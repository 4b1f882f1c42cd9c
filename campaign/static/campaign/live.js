/* Live play: fill in the forms from the map, show news, and announce it to screen readers. */

import { watchConnection } from "../battles/connection.js";
import { requests } from "../battles/requests.js";
import { Overlay } from "./orders_map.js";

const map = document.querySelector("#map");
const overlay = new Overlay(map.querySelector("svg.chart"));
const said = document.querySelector("#said");

/* Show one stack's form at a time, chosen in the list or on the map. */

function choose(hex) {
  const parties = [...document.querySelectorAll(".party")];
  if (!parties.some((party) => party.dataset.hex === hex)) return false;
  parties.forEach((party) => (party.hidden = party.dataset.hex !== hex));
  document.querySelector("#which").value = hex;
  return true;
}

function dress() {
  const which = document.querySelector("#which");
  if (which) choose(which.value);
  const hexes = JSON.parse(document.querySelector("#reach")?.textContent ?? "[]");
  const nothing = { bands: [[], [], []], rail: [], river: {}, sea: [], some: [], heavy: [] };
  if (hexes.length) overlay.showReach({ ...nothing, start: hexes[0], bands: [hexes, [], []] });
  else overlay.hideReach();
}

map.addEventListener("hex", ({ detail }) => {
  if (document.querySelector("#which") && choose(String(+detail.hex))) return;
  const open = [...document.querySelectorAll(".answer .where")].find((input) => input.checkVisibility());
  if (open) open.value = detail.hex;
});

document.addEventListener("change", ({ target }) => {
  if (target.id === "which") choose(target.value);
});

/* Fetch the news. The ETag of the page is sent along, so that an unchanged page is not sent again. */

const papers = document.querySelector("#papers");
const look = requests(papers);

papers.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.elt === papers) detail.headers["If-None-Match"] = document.querySelector("#live").dataset.tag;
});

/* Who has been logged out, or may no longer see the campaign, is shown the page that says so. */

papers.addEventListener("htmx:beforeSwap", (event) => {
  const { status, responseURL } = event.detail.xhr;
  const elsewhere = !new URL(responseURL, location).pathname.startsWith(location.pathname);
  if (!elsewhere && status !== 403 && status !== 404) return;
  event.preventDefault();
  location.reload();
});

watchConnection(look);
document.body.addEventListener("gone-on", look);
document.body.addEventListener("look-again", look);

/* Announce the new state, and focus the question when it is the user's turn. */

let mine = document.querySelector("#live").dataset.mine;

document.addEventListener("htmx:afterSettle", () => {
  const live = document.querySelector("#live");
  dress();
  said.textContent = document.querySelector("#waits").textContent;
  const lost = document.activeElement === document.body;
  if (live.dataset.mine && (lost || !mine)) document.querySelector("#asked").focus({ preventScroll: !lost });
  mine = live.dataset.mine;
  const title = document.title.replace("Your turn: ", "");
  document.title = mine ? title.replace(/^(\(\d+\) )?/, "$1Your turn: ") : title;
});

dress();
