/* The order sheet of one seat and month, with its drafts, saving and conflicts.
 *
 * It is read and written by the REST interface, in whose form the page has it too. A Book announces
 * by events:
 *   changed   the sheet has changed (detail.mine: by this page)
 *   kept      the state of saving, in words (detail.words, detail.trouble, detail.loggedOut)
 *   stored    the sheet as the server has it was received: `document` is new
 *   read      the server has read the sheet back (detail: its reading)
 *   stale     the sheet was changed elsewhere (detail.stored: the sheet now)
 *   over      the sheet is closed (detail.text; detail.why: "ran", "rewound", "seat" or "sight")
 *
 * Every change is stored in this browser at once, sent a moment later, and retried until it arrives.
 */

import { csrfToken } from "./csrf.js";
import { Drafts, store } from "./drafts.js";
import { same } from "./same.js";

const PAUSE = 700; // milliseconds without a change after which the sheet is sent
const LONGEST = 30_000; // maximum milliseconds between two attempts
const LOOK = 25_000; // milliseconds between two checks for changes by others
const KEEPING = "Being kept…";
const LOST = "Not kept yet: there is no connection. Your orders are put by in this browser and sent as soon as it is back.";
const LOGGED_OUT = "Not kept yet: you have been logged out. Your orders are put by in this browser and sent as soon as you have logged in.";
const UNDONE = "Not done: there is no connection. Your orders are put by in this browser; press again once it is back.";
const UNDONE_LOGGED_OUT = "Not done: you have been logged out. Your orders are put by in this browser; log in, and press again.";
const GONE = "You have been logged out.";
const UNREAD = "The sheet cannot be read: there is no connection. It is asked for again until it is here.";
const RAN = "The month has run.";
const REWOUND = "The umpire has rewound the campaign.";
const LOST_SEAT = "You no longer hold this seat.";
const LOST_SIGHT = "You can no longer see this campaign.";
const displaced = (other, own) =>
  `${other} has logged in in another tab of this browser, so nothing is sent for ${own}. Your orders are put by here; log in as ${own} again to go on.`;
const CONFLICT = "Not kept: the sheet has been written elsewhere. Choose which one stays.";
const WORST_FIRST = ["impossible", "uncertain", "pointless", "note"];
const STANDING = {
  losses: "as_the_book",
  spare_ids: [],
  retreat: { towards_hex: null, stand_fast: true },
  supply: { from_points: 3, keep_hexes: [], first_hexes: [] },
  helps: "melee",
  arrive_hexes: [],
  near_hexes: [],
  near_for: [],
  local: [],
};
const CHANGES = {
  submit: { submitted: true },
  "take back": { submitted: false },
  ready: { ready: true },
  "not ready": { ready: false },
};

export class Book extends EventTarget {
  constructor(data, page) {
    super();
    this.data = data;
    this.addresses = page.dataset;
    this.place = `orders:${data.campaign}:${data.seat_id}:${data.branch}:${data.month}`;
    this.drafts = new Drafts(this.place);
    this.sheet = whole();
    this.document = null; // the sheet as the server had it last
    this.version = null;
    this.tag = null; // its ETag
    this.reading = null;
    this.dirty = false;
    this.attempts = 0;
    this.pressed = false; // whether a press of Submit or Ready has no answer yet
    this.pressing = false; // whether such a press is being sent
    this.doing = Promise.resolve(); // presses are sent one after the other
    this.unanswered = []; // sheets that were sent, of which the server has not said whether it has them
    this.displaced = false; // whether nobody or another user is logged in by now
    this.loading = this.load();
  }

  /* Read the stored sheet, then restore a draft that was never sent. */

  async load() {
    let answer = null;
    while (!(answer = await this.ask("GET", this.addresses.sheet))) {
      if (this.refused || this.closed) return;
      await new Promise((wake) => setTimeout(wake, this.pause()));
    }
    this.sheet = whole(answer.stored);
    this.tell("kept", { words: "" });
    this.tell("changed", { mine: false });
    this.take(answer);
    await this.open();
  }

  /* Restore a draft that was never sent. */

  async open() {
    const draft = await this.drafts.take();
    this.watch();
    if (!draft) return;
    const current = draft.version === this.version;
    this.sheet = whole(draft.sheet);
    Object.assign(this, { version: draft.version, tag: draft.tag, dirty: true });
    this.putBy();
    this.tell("kept", { words: "Your draft from this browser has been taken up again." });
    this.tell("changed", { mine: true });
    if (current) this.save();
    else this.look();
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /* Writing. What is changed before the sheet has been read is done once it has. */

  change(act) {
    if (!this.document) return void this.loading.then(() => this.document && this.change(act));
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
    if (this.pressing) return this.later(PAUSE); // the press changes the version that is to be named
    this.saving = this.send().finally(() => (this.saving = null));
    await this.saving;
    if (this.dirty && !this.conflict && !this.refused && !this.attempts) this.later(PAUSE);
  }

  async send() {
    const sent = JSON.stringify(this.sheet);
    this.refused = false;
    this.tell("kept", { words: KEEPING });
    const salt = this.document.salt_chosen ? null : this.salt();
    this.unanswered.push(JSON.parse(sent));
    const answer = await this.ask("PUT", this.addresses.sheet, { ...this.sheet, salt });
    if (answer) this.arrive(answer, JSON.parse(sent));
  }

  /* The server has what was sent, and this page may have changed more since. */

  arrive(answer, sent) {
    this.dirty = !same(this.sheet, sent);
    if (!this.dirty) this.sheet = whole(answer.stored);
    this.take(answer);
    if (this.dirty) this.putBy();
    else this.tellKept(answer.stored.receipt);
    this.shout();
  }

  tellKept(receipt) {
    this.drop();
    const time = new Date(receipt.created_at).toLocaleTimeString("en-GB");
    this.tell("kept", { words: `Kept at ${time}. Receipt`, receipt });
  }

  take(answer) {
    this.hear(answer);
    this.attempts = 0;
    this.pressed = this.displaced = false;
    this.check();
  }

  /* Take over what the server says besides the orders, which this page may have changed since. */

  hear({ stored, tag }) {
    if (stored.version !== this.version) this.unanswered = [];
    Object.assign(this, { document: stored, version: stored.version, tag });
    this.tell("stored");
  }

  /* Announce the reading of the stored sheet; while its findings cannot be had, ask for them again. */

  async check() {
    clearTimeout(this.rechecking);
    const { document } = this;
    const { reading, busy, wrong } = await this.read(whole(document));
    if (this.document !== document || this.dirty) return;
    this.reading = reading ?? unchecked(document, busy?.text ?? wrong);
    this.tell("read", this.reading);
    if (!reading && !wrong) this.rechecking = setTimeout(() => this.check(), busy?.pause ?? LOOK);
  }

  do(what) {
    this.doing = this.doing.then(() => this.press(what));
    return this.doing;
  }

  async press(what) {
    await this.saving; // it may lack the last change, which the next save sends
    const withdrawn = what === "take back"; // a submitted sheet refuses changes until then
    this.pressed = true;
    if (!withdrawn) await this.save();
    this.pressed = true; // which a save has forgotten
    if (this.dirty && !withdrawn) return false;
    this.pressing = true;
    const answer = await this.ask("PATCH", this.addresses.sheet, CHANGES[what]);
    this.pressing = false;
    if (!answer) return false;
    this.take(answer);
    if (this.dirty) this.later(PAUSE);
    const { status_text: words, receipt } = answer.stored;
    const isNew = what === "submit" || what === "take back";
    this.tell("kept", isNew && receipt ? { words: `${capital(receipt.receipt_kind.replaceAll("_", " "))}. Receipt`, receipt } : { words });
    this.shout();
    return true;
  }

  /* Return the server's reading of a sheet, stored or not; or else what is wrong with it, or why it
   * is not read now. All are missing when the server cannot be reached. */

  async read(sheet) {
    const answer = await this.request("POST", this.addresses.check, sheet).catch(() => null);
    const body = await answer?.json().catch(() => null);
    if (!body || answer.status === 401 || answer.status >= 500) return {};
    if (answer.ok) return { reading: readingOf(sheet, body) };
    const text = wordsOf(body);
    if (answer.status === 429) return { busy: { text, pause: 1000 * answer.headers.get("Retry-After") } };
    return { wrong: text };
  }

  request(method, address, body) {
    const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken() };
    if (method === "PUT" || method === "PATCH") headers["If-Match"] = this.tag;
    return fetch(address, { method, headers, body: body && JSON.stringify(body), redirect: "error", cache: "no-store" });
  }

  /* Return what the server answers about the sheet, with its ETag; null where it refuses. */

  async ask(method, address, body) {
    let answer;
    try {
      answer = await this.request(method, address, body);
      if (answer.status >= 500 || answer.status === 401) throw new Error(`the server answers ${answer.status}`);
    } catch {
      this.again(answer?.status === 401);
      return null;
    }
    const received = await answer.json().catch(() => ({ detail: "The server’s answer cannot be read." }));
    if (answer.ok) return { stored: received, tag: answer.headers.get("ETag") };
    await this.refuse(answer, received);
    return null;
  }

  pause() {
    return Math.min(LONGEST, 1000 * 2 ** Math.min(this.attempts, 5));
  }

  again(loggedOut, words = this.trouble(loggedOut), pause = 0) {
    this.attempts += 1;
    this.tell("kept", { words, trouble: true, loggedOut });
    this.later(Math.max(pause, this.pause()));
  }

  trouble(loggedOut) {
    if (this.pressed) return loggedOut ? UNDONE_LOGGED_OUT : UNDONE;
    return loggedOut ? LOGGED_OUT : this.document ? LOST : UNREAD;
  }

  async refuse({ status, headers }, problem) {
    this.pressed = false;
    if (status === 429) return this.again(false, `Not kept yet. ${wordsOf(problem)}`, 1000 * headers.get("Retry-After"));
    if (status === 409) return this.close(problem.detail);
    // The sheet was written elsewhere, its month is over or its seat is lost: the sheet as it is now tells.
    if ([403, 404, 412, 422].includes(status)) await this.look({ saving: true });
    if (this.closed || this.displaced || status === 412) return;
    this.refused = true;
    this.tell("kept", { words: `Not kept. ${wordsOf(problem)}`, trouble: true });
  }

  close(text, why = "") {
    this.closed = true;
    this.tell("over", { text, why });
  }

  /* Conflicts: two writers of the same sheet. */

  clash(theirs) {
    const own = this.unanswered.find((sent) => same(sent, whole(theirs.stored)));
    if (own) {
      this.arrive(theirs, own); // it came through, and its answer was lost
      return this.dirty ? this.later(PAUSE) : undefined;
    }
    if (!this.dirty || same(whole(theirs.stored), this.sheet)) return this.adopt(theirs);
    this.conflict = theirs;
    this.tell("kept", { words: CONFLICT, trouble: true });
    this.tell("stale", theirs);
  }

  adopt(theirs) {
    const isSame = same(whole(theirs.stored), this.sheet); // a press was made elsewhere, or its answer was lost
    this.conflict = null;
    this.sheet = whole(theirs.stored);
    this.dirty = false;
    this.drop();
    if (!isSame) this.tell("changed", { mine: false });
    this.take(theirs);
    this.tell("kept", { words: isSame ? theirs.stored.status_text : "This is the sheet as it was written elsewhere." });
  }

  insist() {
    const theirs = this.conflict;
    this.conflict = null;
    this.hear(theirs);
    this.save();
  }

  /* The campaign has gone on to that month. A sheet whose month is over cannot be read any more. */

  follow(month) {
    if (month > this.data.month && !this.closed) this.leave(month);
    else this.look();
  }

  /* Look at the sheet as it is stored now; its month may be over, its branch abandoned, its seat lost. */

  async look({ saving = false } = {}) {
    if (this.closed) return;
    try {
      const headers = { "If-None-Match": this.tag };
      const answer = await fetch(this.addresses.sheet, { headers, redirect: "error", cache: "no-store" });
      if (answer.status === 401) return this.miss();
      if ([403, 404].includes(answer.status)) return this.lose(answer.status);
      if (answer.status === 422) return this.leave((await this.campaign()).month);
      if (!answer.ok && answer.status !== 304) return;
      if (this.displaced) this.resume();
      if (!answer.ok) return;
      const theirs = { stored: await answer.json(), tag: answer.headers.get("ETag") };
      const { branch, ahead, version } = theirs.stored;
      if (branch !== this.data.branch) return this.close(REWOUND, "rewound");
      if (ahead !== this.data.ahead) return this.close(RAN, "ran");
      if (theirs.stored.started_at && (await this.outcome())) return this.close(RAN, "ran");
      if ((this.saving || this.pressing) && !saving) return;
      // This page may have saved since the request was sent: ignore an older version.
      if (+version > +this.version) this.clash(theirs);
      else if (version === this.version) this.dirty ? this.hear(theirs) : this.take(theirs);
    } catch {
      return; // no connection: the next check will tell
    }
  }

  /* Nobody is logged in. The next attempt to send what is still to be sent will say so. */

  miss() {
    if (this.dirty || this.pressed || this.displaced) return;
    this.displaced = true;
    this.again(true, GONE);
  }

  /* The sheet cannot be read: its seat is lost, unless another user is logged in by now. */

  async lose(status) {
    const answer = await fetch(this.addresses.account, { redirect: "error", cache: "no-store" }).catch(() => null);
    const account = answer?.ok ? await answer.json().catch(() => null) : null;
    if (!account) return; // somebody may be logging in at this moment: the next check will tell
    const { username, display_name } = account;
    const own = this.addresses.username;
    this.displaced = username !== own;
    if (this.displaced) this.again(true, displaced(display_name || username, own));
    else if (status === 403) this.close(LOST_SEAT, "seat");
    else this.close(LOST_SIGHT, "sight");
  }

  resume() {
    this.displaced = false;
    this.attempts = 0;
    if (this.dirty) this.later(0);
    else this.tell("kept", { words: "" });
  }

  /* Close a sheet for a month that nobody writes for any more: the campaign stands after it, or long before. */

  leave(month) {
    if (!month) return; // nobody can tell now: the next check will
    if (month === "set-up" || month < this.data.month) this.close(REWOUND, "rewound");
    else this.close(RAN, "ran");
  }

  /* Return how the campaign has ended, in words; null while it has not, or if nobody can tell now. */

  async outcome() {
    const { status, outcome_text } = await this.campaign();
    return status === "over" ? outcome_text : null;
  }

  /* Return the campaign as it is now; an empty object if nobody can tell now. */

  async campaign() {
    const answer = await fetch(this.addresses.campaign, { redirect: "error", cache: "no-store" }).catch(() => null);
    return (answer?.ok && (await answer.json().catch(() => null))) || {};
  }

  watch() {
    addEventListener("online", () => this.dirty && this.save());
    addEventListener("storage", ({ key }) => key === `${this.place}:saved` && this.look());
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
    setInterval(() => document.hidden || this.look(), LOOK);
  }

  putBy() {
    this.drafts.put({ sheet: this.sheet, version: this.version, tag: this.tag });
  }

  drop() {
    this.drafts.drop();
  }

  shout() {
    store((kept) => kept.setItem(`${this.place}:saved`, `${this.version}.${this.drafts.tab}`));
  }

  salt() {
    const key = `${this.place}:salt`;
    const fresh = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0"));
    const salt = store((kept) => kept.getItem(key)) ?? fresh.join("");
    store((kept) => kept.setItem(key, salt));
    return salt;
  }
}

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/* Return the orders alone of a sheet, as they are written; empty ones without a sheet. */

export function whole({ orders = [], reinforcements = [], standing = STANDING } = {}) {
  return structuredClone({ orders, reinforcements, standing });
}

/* Return those of the standing instructions that are not as they are without any. */

export function changed(standing) {
  return Object.fromEntries(Object.entries(standing).filter(([name, value]) => !same(value, STANDING[name])));
}

/* Return what the server says of a sheet: each order with its sentence and its findings, the worst first. */

function readingOf({ orders }, { order_texts, reinforcement_texts, standing_texts, findings }) {
  const about = (section, index) =>
    findings
      .filter((one) => one.section === section && one.index === index)
      .sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict));
  return {
    orders: order_texts.map((text, index) => ({ order: orders[index], text, findings: about("order", index) })),
    reinforcements: reinforcement_texts.map((text, index) => ({ text, findings: about("reinforcement", index) })),
    standing: standing_texts.map((text) => ({ text, findings: [] })),
    sheet: about("sheet", null),
  };
}

function unchecked(sheet, text = "There is no connection.") {
  const reading = readingOf(sheet, { ...sheet, findings: [] });
  return { ...reading, sheet: [{ verdict: "not checked yet", text }] };
}

/* Return a problem in words: each error, with the order that it is about. */

function wordsOf({ errors, detail = "" }) {
  if (!errors) return detail;
  const words = errors.map((one) => {
    const [, section, index] = one.pointer?.split("/") ?? [];
    const title = { orders: "Order", reinforcements: "Arrival" }[section];
    if (section === "standing") return `Standing instructions: ${one.detail}`;
    return title && index ? `${title} ${+index + 1}: ${one.detail}` : one.detail;
  });
  return words.join(" ");
}
