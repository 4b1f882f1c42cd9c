/* Fetch and show the odds of the stored sheet after each reading.
 *
 * One request at a time: the server allows a user no more. Changes meanwhile cause another request
 * after the answer; a request refused with 429 is repeated after its Retry-After.
 */

import { busy } from "./findings.js";

const WAIT = 400;
const STOPPED = "Stopped. The odds are worked out again at the next change.";
const FAILED = "The odds could not be worked out just now. They are asked for again at the next change.";

export class Odds {
  constructor(book) {
    Object.assign(this, { book, waiting: false, changed: false, stopped: false, timer: null, request: null });
    this.place = document.querySelector("#odds-told");
    this.url = document.querySelector("#order-sheet").dataset.odds;
    document.querySelector("#odds-stop").addEventListener("click", () => this.stop());
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
    this.stopped = false;
    this.doubt();
    clearTimeout(this.timer);
    if (!this.waiting) this.timer = setTimeout(() => this.fetch(), pause);
  }

  /* Wait for no answer. The server may still be at work on it; a change asks again once it is free. */
  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
    this.request?.abort();
    this.settle();
    this.fail(STOPPED);
  }

  /* Discard an answer for a sheet that has changed since. */
  async fetch() {
    this.waiting = true;
    this.changed = false;
    this.request = new AbortController();
    const asked = { headers: { "HX-Request": "true" }, redirect: "error", signal: this.request.signal };
    const answer = await fetch(this.url, asked).catch(() => null);
    const told = await answer?.text().catch(() => null);
    this.waiting = false;
    if (this.stopped) return undefined;
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
