/* The order sheet of one seat and month, with its drafts, saving and conflicts.
 *
 * A Book announces by events:
 *   changed   the sheet has changed (detail.mine: by this page)
 *   kept      the state of saving, in words (detail.words, detail.trouble)
 *   read      the server has read the sheet back (detail: its reading)
 *   stale     the sheet was changed elsewhere (detail: the sheet now)
 *   over      the sheet is closed (detail.said)
 *
 * Every change is stored in this browser at once, sent a moment later, and retried until it arrives.
 * Each tab stores its own draft, and takes over another's only once that tab is closed.
 */

const PAUSE = 700; // milliseconds without a change after which the sheet is sent
const LONGEST = 30_000; // maximum milliseconds between two attempts
const LOOK = 25_000; // milliseconds between two checks for changes by others
const FORGOTTEN = 60_000; // milliseconds after which a draft without a living tab may be taken over
const KEEPING = "Being kept…";

export class Book extends EventTarget {
  constructor(data, page) {
    super();
    this.data = data;
    this.addresses = page.dataset;
    this.csrf = page.querySelector("[name=csrfmiddlewaretoken]").value;
    this.place = `orders:${data.slug}:${data.seat}:${data.branch}:${data.month}`;
    this.tab = this.nameOfTab();
    this.sheet = whole(data.sheet);
    this.revision = data.revision;
    this.state = data.state;
    this.reading = data.reading;
    this.awaited = data.awaited;
    this.salted = data.salted;
    this.dirty = false;
    this.attempts = 0;
  }

  /* Restore a draft that was never sent. */

  async open() {
    const draft = await this.draftLeft();
    this.watch();
    if (!draft) return this.recheck();
    const current = draft.base === this.revision;
    this.sheet = whole(draft.sheet);
    this.revision = draft.base;
    this.dirty = true;
    this.putBy();
    this.tell("kept", { words: "Your draft from this browser has been taken up again." });
    this.tell("changed", { mine: true });
    if (current) this.save();
    else this.look();
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /* Writing. */

  change(act) {
    act(this.sheet);
    this.dirty = true;
    this.putBy();
    if (!this.conflict && !this.closed) this.tell("kept", { words: KEEPING });
    this.tell("changed", { mine: true });
    this.later(PAUSE);
  }

  later(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), pause);
  }

  async save() {
    if (this.saving) return this.saving;
    clearTimeout(this.timer);
    if (!this.dirty || this.closed || this.conflict) return;
    this.saving = this.send().finally(() => (this.saving = null));
    await this.saving;
    if (this.dirty && !this.conflict && !this.refused && !this.attempts) this.later(PAUSE);
  }

  async send() {
    const sent = JSON.stringify(this.sheet);
    this.refused = false;
    this.tell("kept", { words: KEEPING });
    const answer = await this.ask(this.addresses.save, {
      sheet: this.sheet,
      month: this.data.month,
      revision: this.revision,
      salt: this.salted ? "" : this.salt(),
    });
    if (!answer) return;
    this.dirty = JSON.stringify(this.sheet) !== sent;
    this.salted = true;
    this.take(answer);
    if (this.dirty) this.putBy();
    else this.tellKept(answer.receipt);
    this.shout();
  }

  tellKept(receipt) {
    this.drop();
    const time = new Date(receipt.created).toLocaleTimeString("en-GB");
    this.tell("kept", { words: `Kept at ${time}. Receipt`, receipt, hash: receipt.hash.slice(0, 12) });
  }

  take(answer) {
    this.revision = answer.revision;
    this.state = answer.state;
    this.reading = answer.reading;
    this.awaited = answer.awaited;
    this.attempts = 0;
    this.learn();
  }

  /* Announce the reading; if its findings are missing, ask for it again. */

  learn() {
    this.tell("read", this.reading ?? {});
    this.recheck();
  }

  recheck() {
    clearTimeout(this.rechecking);
    const pause = this.reading?.unchecked;
    if (pause) this.rechecking = setTimeout(() => this.reread(), 1000 * pause);
  }

  async reread() {
    const { reading, sheet } = this;
    const again = await this.read(sheet);
    if (this.reading !== reading || this.dirty) return;
    this.reading = again ?? reading;
    this.learn();
  }

  async do(what) {
    await this.saving; // it may lack the last change, which the next save sends
    await this.save();
    if (this.dirty) return false;
    const about = { do: what, month: this.data.month, revision: this.revision };
    const answer = await this.ask(this.addresses.state, about);
    if (!answer) return false;
    this.take(answer);
    const words = answer.receipt ? `${capital(answer.receipt.kind)}. Receipt` : answer.state.words;
    this.tell("kept", { words, receipt: answer.receipt, hash: answer.receipt?.hash.slice(0, 12) });
    this.shout();
    return true;
  }

  /* Return the server's reading of an unsaved sheet; null when it cannot be reached. */

  async read(sheet) {
    try {
      const answer = await this.post(this.addresses.read, { sheet, month: this.data.month });
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  post(address, body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.csrf };
    return fetch(address, { method: "POST", headers, body: JSON.stringify(body), redirect: "error" });
  }

  async ask(address, body) {
    let answer;
    try {
      answer = await this.post(address, body);
      if (answer.status >= 500) throw new Error(`the server answers ${answer.status}`);
    } catch {
      this.again();
      return null;
    }
    const told = await answer.json().catch(() => ({ said: "The server’s answer cannot be read." }));
    if (answer.ok) return told;
    this.refuse(answer.status, told);
    return null;
  }

  again() {
    this.attempts += 1;
    const pause = Math.min(LONGEST, 1000 * 2 ** Math.min(this.attempts, 5));
    const words = "Not kept yet: there is no connection, or you have been logged out. Your orders are put by in this browser and sent as soon as it is back.";
    this.tell("kept", { words, trouble: true });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), pause);
  }

  refuse(status, told) {
    if (status === 409 && told.why === "stale") return this.clash(told);
    if (status === 409) {
      this.closed = true;
      return this.tell("over", told);
    }
    this.refused = true;
    this.tell("kept", { words: `Not kept. ${told.said ?? told.detail ?? ""}`, trouble: true });
  }

  /* Conflicts: two writers of the same sheet. */

  clash(theirs) {
    if (JSON.stringify(whole(theirs.sheet)) === JSON.stringify(this.sheet)) return this.adopt(theirs);
    if (!this.dirty) return this.adopt(theirs);
    this.conflict = theirs;
    this.tell("stale", theirs);
  }

  adopt(theirs) {
    this.conflict = null;
    this.sheet = whole(theirs.sheet);
    this.dirty = false;
    this.drop();
    this.take(theirs);
    this.tell("changed", { mine: false });
    this.tell("kept", { words: "This is the sheet as it was written elsewhere." });
  }

  insist() {
    this.revision = this.conflict.revision;
    this.conflict = null;
    this.save();
  }

  async look() {
    try {
      const answer = await fetch(this.addresses.now, { redirect: "error" });
      if (!answer.ok) return;
      const now = await answer.json();
      if (now.month !== this.data.month) return this.tell("over", { said: "The month has run.", ran: true });
      if (now.branch !== this.data.branch) return this.tell("over", { said: "The umpire has rewound the campaign.", ran: true });
      if (this.saving) return;
      // This page may have saved since the request was sent: ignore an older revision.
      if (now.revision > this.revision) this.clash(now);
      else if (now.revision === this.revision && !this.dirty) this.take(now);
    } catch {
      return; // no connection: the next check will tell
    }
  }

  watch() {
    addEventListener("online", () => this.dirty && this.save());
    addEventListener("storage", ({ key }) => key === `${this.place}:saved` && this.look());
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
    setInterval(() => document.hidden || this.look(), LOOK);
  }

  /* Drafts in the browser's storage; without storage the page still saves to the server. */

  store(act) {
    try {
      return act(localStorage);
    } catch {
      return null;
    }
  }

  putBy() {
    const draft = JSON.stringify({ sheet: this.sheet, base: this.revision, at: Date.now() });
    this.store((kept) => kept.setItem(`${this.place}:draft:${this.tab}`, draft));
  }

  drop() {
    this.store((kept) => kept.removeItem(`${this.place}:draft:${this.tab}`));
  }

  shout() {
    this.store((kept) => kept.setItem(`${this.place}:saved`, `${this.revision}.${this.tab}`));
  }

  salt() {
    const key = `${this.place}:salt`;
    const fresh = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
    const salt = this.store((kept) => kept.getItem(key)) ?? fresh.join("");
    this.store((kept) => kept.setItem(key, salt));
    return salt;
  }

  nameOfTab() {
    try {
      sessionStorage.tab ??= crypto.getRandomValues(new Uint32Array(2)).join("");
      navigator.locks?.request(`tab:${sessionStorage.tab}`, () => new Promise(() => {}));
      return sessionStorage.tab;
    } catch {
      return "tab";
    }
  }

  async draftLeft() {
    const begins = `${this.place}:draft:`;
    const held = await navigator.locks?.query();
    const alive = new Set(held?.held.map(({ name }) => name.replace("tab:", "")));
    const keys = this.store((kept) => Object.keys(kept).filter((key) => key.startsWith(begins))) ?? [];
    const drafts = keys.map((key) => ({ key, ...JSON.parse(localStorage.getItem(key)) }));
    const free = drafts.filter(({ key, at }) => {
      const tab = key.slice(begins.length);
      if (tab === this.tab) return true;
      return held ? !alive.has(tab) : Date.now() - at > FORGOTTEN;
    });
    const newest = free.sort((a, b) => b.at - a.at)[0];
    free.forEach(({ key }) => localStorage.removeItem(key));
    return newest;
  }
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/* Return a sheet with all its parts: the server leaves out empty ones. */

export function whole(sheet) {
  const copy = structuredClone(sheet ?? {});
  return {
    orders: copy.orders ?? [],
    reinforcements: copy.reinforcements ?? [],
    standing: copy.standing ?? {},
  };
}
