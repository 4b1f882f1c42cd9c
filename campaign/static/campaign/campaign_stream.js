/* Follow the stream of a campaign or of a job that the page names in `data-stream`.

The event `gone-on` on the body carries the new state; while the stream is down,
`look-again` comes every few seconds instead. The stream is closed once the page names none. The number
of unread letters is shown as soon as one arrives. A page that is read does not change: a line says that
the campaign has gone on, with a link. */

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
  if (!said || String(detail.position) === document.querySelector("#papers").dataset.position) return;
  if (document.querySelector(".job")) return;
  const words = detail.finished ? "The campaign is over" : `The campaign has gone on: ${detail.month_name}`;
  said.firstElementChild.textContent = `${words}. Read on`;
  said.hidden = false;
}

document.body.addEventListener("gone-on", offerReload);
document.body.addEventListener("htmx:afterSettle", () => followed() || letGo());
