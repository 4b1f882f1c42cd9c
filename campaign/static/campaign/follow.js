/* The page follows its campaign: it is told when that has gone on, and looks what is new.

Whatever waits for `gone-on` on the body hears of it, with how the campaign stands; while nothing can
be heard, `look-again` comes every few seconds instead. */

import { follow } from "../battles/line.js";

const say = (name, detail) => document.body.dispatchEvent(new CustomEvent(name, { detail }));

follow(
  document.querySelector("[data-stream]").dataset.stream,
  (standing) => say("gone-on", standing),
  () => say("look-again"),
);
