/* Follow the stream named in `data-stream`: a campaign's, or a job's.

The event `gone-on` on the body carries the new state; while the stream is down,
`look-again` comes every few seconds instead. The stream is closed once the page names none. The number
of unread letters is shown as soon as one arrives. */

import { follow } from "../battles/line.js";

const followed = () => document.querySelector("[data-stream]");
const say = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

const letGo = follow(
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

document.body.addEventListener("htmx:afterSettle", () => followed() || letGo());
