/* The guided month: mark what the step is about, and go on by itself once it has been done.

   A step changes in place, so that a half-written order is not lost. Without this script the same
   steps go by their buttons, which load the page again. */

import { csrfToken } from "./csrf.js";

const OBSERVED = { subtree: true, childList: true, attributes: true, attributeFilter: ["hidden", "value", "data-ready"] };

/* Is the step done? A field counts when it is filled in. With a sheet that is ready all steps before it are done. */
function isDone(selector) {
  const found = selector ? [...document.querySelectorAll(`${selector}, #state[data-ready]`)] : [];
  return found.some((one) => one.tagName !== "INPUT" || one.value.trim());
}

/* A step that is done when it comes is skipped, unless the visitor sought it. */
function follow(guide, sought = true) {
  const form = guide.querySelector("form");
  const { target, done } = guide.dataset;
  const next = guide.querySelector("button[data-next]");
  let going = sought && isDone(done);

  const look = () => {
    for (const one of document.querySelectorAll(target || ":not(*)")) one.classList.add("guide-here");
    if (!going && next && isDone(done)) go(next, false);
  };

  async function go(button, pressed = true) {
    going = true;
    const headers = { "HX-Request": "true" };
    const body = new FormData(form, button);
    body.set("csrfmiddlewaretoken", csrfToken());
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    if (!answer?.ok) return void (going = false);
    watching.disconnect();
    document.removeEventListener("input", look);
    for (const one of document.querySelectorAll(".guide-here")) one.classList.remove("guide-here");
    const held = guide.contains(document.activeElement);
    const part = document.createRange().createContextualFragment(await answer.text());
    const following = part.querySelector("#guide");
    guide.replaceWith(part);
    if (!following) return held && document.querySelector("#main").focus();
    const title = following.querySelector("h2");
    if (held) title.focus();
    const said = document.querySelector("#said");
    if (said) said.textContent = title.textContent.replace(/\s+/g, " ").trim();
    follow(following, pressed);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    go(event.submitter ?? next);
  });
  const watching = new MutationObserver(look);
  watching.observe(document.querySelector("main"), OBSERVED);
  document.addEventListener("input", look);
  look();
}

const guide = document.querySelector("#guide");
if (guide) follow(guide);
