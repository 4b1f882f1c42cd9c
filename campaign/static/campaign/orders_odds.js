/* The odds of the sheet as it is written: asked for when it has been read, told when they come. */

const WAIT = 400;

export class Odds {
  constructor(book) {
    Object.assign(this, { book, asked: 0, timer: null });
    this.place = document.querySelector("#odds-told");
    this.url = document.querySelector("#desk").dataset.odds;
  }

  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetch(), WAIT);
  }

  /* An answer that has been overtaken by a later question is not shown. */
  async fetch() {
    const number = ++this.asked;
    const answer = await this.book.post(this.url, { sheet: this.book.sheet }).catch(() => null);
    if (number !== this.asked || !answer?.ok) return;
    const { html } = await answer.json();
    if (this.place.innerHTML !== html) this.place.innerHTML = html;
  }
}
