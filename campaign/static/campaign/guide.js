/* The guided month: mark what the step is about, and go on by itself once it has been done.

   A step changes in place, so that a half-written order is not lost. Without this script the same
   steps go by their buttons, which load the page again. */

import { csrfToken } from "./csrf.js";

const OBSERVED = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "value", "data-ready"] };

const LOST = "There is no answer. Press again in a moment, or load the page again.";

let guide = document.querySelector("#guide");
let stays = false; // whether the step was done already when the visitor sought it: then it is not skipped
let pending = 0; // presses and steps without an answer yet
let answered = Promise.resolve();

/* Is the step done? A field counts when it is filled in. With a sheet that is ready all steps before it are done. */
function isDone(selector) {
  const found = selector ? [...document.querySelectorAll(`${selector}, #state[data-ready]`)] : [];
  return found.some((one) => one.tagName !== "INPUT" || one.value.trim());
}

function look() {
  if (!guide) return;
  const { target, done } = guide.dataset;
  for (const one of document.querySelectorAll(target || ":not(*)")) one.classList.add("guide-here");
  const next = guide.querySelector("button[data-next]");
  if (!stays && !pending && next && isDone(done)) go(next, false);
}

/* Go where the button leads. The answer may be long in coming, so what is done is judged at the press:
 * a step that is done later is skipped. One request at a time, or two answers could change places. */
function go(button, pressed = true) {
  const isSought = pressed && isDone(button.dataset.done);
  const body = new FormData(button.form, button);
  pending += 1;
  answered = answered.then(() => send(button.form.action, body)).then((html) => {
    pending -= 1;
    if (html !== null && guide) show(html, isSought);
    else if (pressed && guide) sayLost();
  });
}

async function send(address, body) {
  body.set("csrfmiddlewaretoken", csrfToken());
  const answer = await fetch(address, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => null);
  return answer?.ok ? answer.text().catch(() => null) : null;
}

function sayLost() {
  guide.querySelector("[role=alert]")?.remove();
  const line = Object.assign(document.createElement("p"), { className: "needs", textContent: LOST });
  line.setAttribute("role", "alert");
  guide.querySelector("form").append(line);
}

function show(html, isSought) {
  for (const one of document.querySelectorAll(".guide-here")) one.classList.remove("guide-here");
  const held = guide.contains(document.activeElement);
  const part = document.createRange().createContextualFragment(html);
  const following = part.querySelector("#guide");
  guide.replaceWith(part);
  guide = following;
  if (!guide) return held && document.querySelector("#main").focus();
  const title = guide.querySelector("h2");
  if (held) title.focus();
  const said = document.querySelector("#said");
  if (said) said.textContent = title.textContent.replace(/\s+/g, " ").trim();
  follow(isSought);
}

function follow(isSought) {
  stays = isSought;
  guide.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    go(event.submitter ?? guide.querySelector("button[data-next]"));
  });
  look();
}

if (guide) {
  new MutationObserver(look).observe(document.querySelector("main"), OBSERVED);
  document.addEventListener("input", look);
  follow(isDone(guide.dataset.done));
}
