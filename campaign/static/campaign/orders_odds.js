/* Fetch and show the odds of the stored sheet after each reading.
 *
 * One request at a time: the server allows a user no more. Changes meanwhile cause another request
 * after the answer; a request refused with 429 is repeated after its Retry-After.
 */

import { busy } from "./orders_form.js";

const WAIT = 400;
const FAILED = "The odds could not be worked out just now. They are asked for again at the next change.";

export class Odds {
  constructor(book) {
    Object.assign(this, { book, waiting: false, changed: false, timer: null });
    this.place = document.querySelector("#odds-told");
    this.url = document.querySelector("#order-sheet").dataset.odds;
  }

  /* Mark the odds as out of date until the answer comes. */

  doubt() {
    busy(this.place, true);
    document.querySelector("#odds-busy").hidden = false;
  }

  settle() {
    busy(this.place, false);
    document.querySelector("#odds-busy").hidden = true;
  }

  ask(pause = WAIT) {
    this.changed = true;
    this.doubt();
    clearTimeout(this.timer);
    if (!this.waiting) this.timer = setTimeout(() => this.fetch(), pause);
  }

  /* Discard an answer for a sheet that has changed since. */
  async fetch() {
    this.waiting = true;
    this.changed = false;
    const answer = await fetch(this.url, { headers: { "HX-Request": "true" }, redirect: "error" }).catch(() => null);
    const told = await answer?.text().catch(() => null);
    this.waiting = false;
    if (answer?.status === 429) return this.ask(1000 * answer.headers.get("Retry-After"));
    if (this.changed) return this.ask();
    this.settle();
    if (answer?.status === 422) return this.fail(told);
    if (!answer?.ok || !told) return this.fail(FAILED);
    if (this.place.innerHTML !== told) this.place.innerHTML = told;
  }

  fail(words) {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = words;
    this.place.replaceChildren(note);
  }
}
