/* Fetch and show the odds of the sheet after each reading.
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
    const answer = await this.book.post(this.url, { sheet: this.book.sheet }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    this.waiting = false;
    if (answer?.status === 429) return this.ask(1000 * answer.headers.get("Retry-After"));
    if (this.changed) return this.ask();
    this.settle();
    if (!answer?.ok || !told?.html) return this.fail(told);
    const { html } = told;
    if (this.place.innerHTML !== html) this.place.innerHTML = html;
  }

  fail(told) {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = told?.said ?? told?.detail ?? FAILED;
    this.place.replaceChildren(note);
  }
}
