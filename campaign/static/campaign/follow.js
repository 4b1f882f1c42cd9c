/* The page follows what it names in `data-stream`: its campaign, or a job of the workers.

Whatever waits for `gone-on` on the body hears of it, with how it stands; while nothing can be heard,
`look-again` comes every few seconds instead. Once the page names nothing any more the line is let go. */

import { follow } from "../battles/line.js";

const followed = () => document.querySelector("[data-stream]");
const say = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

const letGo = follow(
  followed().dataset.stream,
  (standing) => say("gone-on", standing),
  () => say("look-again"),
);

document.body.addEventListener("htmx:afterSettle", () => followed() || letGo());
