/* Follow the stream of a campaign or of a job that the page names in `data-stream`.

The event `gone-on` on the body carries the new state; while the stream is down,
`look-again` comes every few seconds instead. The stream is closed once the page names none. The number
of unread letters is shown as soon as one arrives. A page that is read does not change: a line says that
the campaign has gone on, is adjourned or resumed, with a link. */

import { followStream } from "../battles/event_stream.js";

const followed = () => document.querySelector("[data-stream]");
const say = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

const letGo = followStream(
  followed().dataset.stream,
  (standing) => say("gone-on", standing),
  () => say("look-again"),
  { letters: showLetters },
);

function showLetters({ unread_count: unread }) {
  for (const mark of document.querySelectorAll("[data-letters]")) {
    mark.firstElementChild.textContent = unread;
    mark.hidden = !unread;
  }
  const said = document.querySelector("#said");
  if (said && unread) said.textContent = unread > 1 ? `${unread} unread letters` : "An unread letter";
}

function offerReload({ detail }) {
  const said = document.querySelector(".gone-on");
  if (!said || document.querySelector(".job")) return;
  const { position, adjourned } = document.querySelector("#papers").dataset;
  const moved = String(detail.position) !== position;
  said.hidden = !moved && String(detail.adjourned) === adjourned;
  if (!said.hidden) said.firstElementChild.textContent = `${news(detail, moved)}. Read on`;
}

function news({ status, month_name: month, adjourned }, moved) {
  if (status === "over") return "The campaign is over";
  if (moved) return `The campaign has gone on: ${month}`;
  return adjourned ? "The campaign is adjourned" : "The campaign has been resumed";
}

document.body.addEventListener("gone-on", offerReload);
document.body.addEventListener("htmx:afterSettle", () => followed() || letGo());
