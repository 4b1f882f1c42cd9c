/* Checking, drawing and saving a scenario: by the code that loads it, a moment after each change.
 *
 * Every fault stands beside the field whose path it names, and all of them above the forms.
 */

import { csrfToken } from "./csrf.js";
import { same } from "./same.js";
import { doc, draft, drafts, firstErrors, isIn, page, rebuild, said, savedDocument, takeInPlay, version } from "./workshop_document.js";
import { made } from "./workshop_fields.js";
import { withTrack } from "./workshop_country.js";

const PAUSE = 400; // milliseconds without a key after which the document is checked
const SHOWN = 8; // faults that are listed above the forms; the others stand beside their fields
const map = document.querySelector("#map");
const parts = document.querySelector("#parts");
const state = document.querySelector("#state");
const summary = document.querySelector("#fault");
let errors = firstErrors;
let timer = null;
let turn = 0;
let edits = draft ? 1 : 0;
let saved = 0; // how many of the edits the server has
let isKept = false; // whether this browser has what is not saved
let leaves = false; // for the log-in, after which the draft is here again
let writing = Promise.resolve(); // what is saved is changed once at a time, each time by the tag of the last
let unanswered = draft?.unanswered ?? []; // changes that were sent, of which the server has not said whether it has them
let tag = draft?.tag ?? `"${version}.0"`; // what If-Match names: the scenario as this window has read it

class LoggedOut extends Error {
  message = isKept
    ? "you are logged out. What you have written is kept in this browser, and is here again once you have logged in"
    : "you are logged out. Log in in another tab, come back, and save";
}

class Overtaken extends Error {}

const OVERTAKEN = {
  404: "it has been deleted in another window",
  412: "it has been changed in another window since you opened it here; nothing was overwritten",
};
const revisionIn = (one) => parseInt(one.slice(1), 10);

const refusal = (answer, told) => new Error((told.detail ?? `the server answers ${answer.status}.`).replace(/\.$/, ""));

async function send(address, method, body, more = {}) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken(), Accept: "application/json", ...more };
  const answer = await fetch(address, { method, headers, body: JSON.stringify(body) }).catch(() => null);
  if (!answer) throw new Error("there is no connection");
  // Without a session the interface answers 401, and a page leads to the one to log in.
  if (answer.status === 401 || answer.redirected) throw new LoggedOut();
  return answer;
}

function write(makeBody) {
  /* Change what is saved, unless another window has changed it since; return the answer. */
  const mine = writing.then(() => patch(makeBody()));
  writing = mine.catch(() => {});
  return mine;
}

async function patch(body) {
  const before = unanswered;
  unanswered = [...before.filter((one) => !same(one, body)), JSON.parse(JSON.stringify(body))];
  if (edits !== saved) keepDraft();
  const answer = await send(page.dataset.self, "PATCH", body, { "If-Match": tag });
  if (answer.status === 412 && (await isOwn(before))) return patch(body);
  if (answer.status in OVERTAKEN) throw new Overtaken(OVERTAKEN[answer.status]);
  const told = await answer.json().catch(() => ({})); // a proxy answers in its own words
  if (!answer.ok) throw refusal(answer, told);
  tag = answer.headers.get("ETag") ?? tag;
  unanswered = [];
  if (edits !== saved) keepDraft();
  return told;
}

async function isOwn(changes) {
  /* Return whether this window has made the change by which the scenario is newer, and lost the answer. */
  const answer = await fetch(page.dataset.self, { headers: { Accept: "application/json" }, cache: "no-store" }).catch(() => null);
  const now = answer?.ok ? await answer.json().catch(() => null) : null;
  if (!now || !changes.some((change) => hasMade(now, change))) return false;
  tag = answer.headers.get("ETag") ?? tag;
  unanswered = [];
  return true;
}

const hasMade = ({ document, shared }, change) => (change.document ? isIn(document, change.document) : shared === change.shared);

/* The draft in this browser, until it is saved. */

function keepDraft() {
  isKept = drafts.put({ document: doc, tag, unanswered });
}

export function showDraft() {
  /* Say that a draft has taken the place of what is saved, and offer to discard it. */
  if (!draft) return;
  const now = { document: savedDocument, shared: document.querySelector("#shared").checked };
  if (unanswered.some((change) => hasMade(now, change))) {
    tag = `"${version}.0"`;
    unanswered = [];
  }
  keepDraft();
  const isOvertaken = revisionIn(tag) !== version;
  const form = made("form", { method: "post", className: "discard" });
  form.dataset.sure = "Discard what is not saved, and go back to the scenario as it is saved?";
  form.append(made("button", { textContent: "Discard the draft" }));
  form.addEventListener("submit", (event) => {
    if (form.dataset.sure) return; // forms.js asks first
    event.preventDefault();
    drafts.drop();
    leaves = true;
    location.reload();
  });
  state.textContent = `What you had not saved is back, from this browser.${isOvertaken ? " The scenario has been changed elsewhere since." : ""} `;
  if (isOvertaken) state.append(copyButton());
  state.append(form);
  checkAfter(0);
}

const copyButton = () => made("button", { type: "button", textContent: "Save this as a copy", onclick: saveCopy });
let copying = false;

function sayFault(words, error) {
  state.textContent = `${words}: ${error.message}. `;
  if (error instanceof Overtaken) state.append(copyButton());
  if (!(error instanceof LoggedOut) || !isKept) return;
  const href = `${page.dataset.login}?next=${encodeURIComponent(location.pathname)}`;
  state.append(made("a", { href, textContent: "Log in", onclick: () => (leaves = true) }));
}

export function noteChange(soon) {
  edits += 1;
  keepDraft();
  state.textContent = "Not saved.";
  checkAfter(soon ? 0 : PAUSE);
}

export function checkNow() {
  /* Check at once what waits to be checked: a field has been left. */
  if (timer !== null) checkAfter(0);
}

export function checkAfter(pause) {
  page.dataset.checking = "yes";
  clearTimeout(timer);
  timer = setTimeout(check, pause);
}

async function check() {
  const mine = ++turn;
  clearTimeout(timer);
  timer = null;
  try {
    const [answer, drawing] = await Promise.all([
      send(page.dataset.checks, "POST", { type: "document", document: doc }),
      send(page.dataset.drawing, "POST", withTrack()),
    ]);
    if (mine !== turn) return;
    let isOther = false;
    if (answer.ok) {
      const told = await answer.json();
      errors = told.errors;
      isOther = takeInPlay(told);
    } else state.textContent = "It could not be checked: the server does not answer as it should.";
    if (drawing.ok) draw(await drawing.text());
    if (isOther) rebuild();
    showFaults();
  } catch (error) {
    sayFault("It could not be checked", error);
  }
  if (mine === turn && timer === null) delete page.dataset.checking;
}

function draw(svg) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  const fresh = read.querySelector("#standing");
  if (fresh) map.querySelector("#standing").replaceWith(document.importNode(fresh, true));
}

/* Faults. */

function pathOf(pointer) {
  /* The path of a field, such as scenario.stack[0].at, of a JSON Pointer into the document. */
  const steps = pointer.split("/").slice(2).map((one) => one.replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), "");
}

const isPartOf = (part, whole) => part === whole || part.startsWith(`${whole}.`) || part.startsWith(`${whole}[`);

export function faultsWithin(wholes) {
  /* The paths of what is wrong within these parts of the document. */
  return errors.map(({ pointer }) => pathOf(pointer)).filter((path) => wholes.some((whole) => isPartOf(path, whole)));
}

function fieldOf(path) {
  /* The innermost field that has what is wrong; else the first field of what is wrong. */
  const fields = [...parts.querySelectorAll("[data-path]")];
  const round = fields.filter(({ dataset }) => isPartOf(path, dataset.path));
  round.sort((one, other) => other.dataset.path.length - one.dataset.path.length);
  return round[0] ?? fields.find(({ dataset }) => path.includes(".") && isPartOf(dataset.path, path));
}

function labelIn(text, near) {
  /* The name of the field in the file gives way to the one that stands over it here. */
  const label = near?.dataset.label || near?.closest(".field")?.querySelector("label")?.textContent;
  return label ? text.replace(/`\w+`/, `“${label}”`) : text;
}

export function showFaults() {
  for (const old of parts.querySelectorAll(".says-wrong")) old.remove();
  for (const old of parts.querySelectorAll(".wrong-here")) old.classList.remove("wrong-here");
  for (const old of parts.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  summary.hidden = !errors.length;
  summary.replaceChildren();
  if (!errors.length) return;
  const found = errors.map(({ pointer, detail }) => {
    const near = fieldOf(pathOf(pointer));
    return { near, text: labelIn(detail, near) };
  });
  for (const { near, text } of found) if (near) mark(near, text);
  const count = found.length === 1 ? "Not ready yet:" : `Not ready yet, for ${found.length} reasons:`;
  summary.append(made("span", { textContent: count }), made("ul", {}, ...found.slice(0, SHOWN).map(listed)));
  const left = found.length - SHOWN;
  if (left > 0) summary.append(made("span", { textContent: `And ${left} more, beside their fields.` }));
}

function mark(near, text) {
  near.classList.add("wrong-here");
  near.querySelector("input, select, textarea")?.setAttribute("aria-invalid", "true");
  near.append(made("p", { className: "says-wrong", textContent: text }));
  near.closest("details")?.setAttribute("open", "");
}

function listed({ near, text }) {
  if (!near) return made("li", { textContent: text });
  const title = near.closest("details").querySelector("summary").textContent;
  const show = made("button", { type: "button", textContent: `Show it under “${title}”` });
  show.onclick = () => {
    near.closest("details").setAttribute("open", "");
    near.scrollIntoView({ block: "start" });
    near.querySelector("input, select, textarea, button")?.focus({ preventScroll: true });
  };
  return made("li", {}, `${text} `, show);
}

/* Saving and sharing. */

export async function save() {
  state.textContent = "Saving…";
  let sent = edits;
  const body = () => {
    sent = edits;
    return { document: doc };
  };
  try {
    const told = await write(body);
    said().slug = told.document.scenario.slug;
    saved = sent;
    for (const id of ["#play", "#try", "#rank"]) document.querySelector(id).hidden = !told.playable;
    // The errors of the answer are those of what was sent: what was written since is checked by itself.
    if (edits !== saved) return void (state.textContent = "Saved, but not what you have written since.");
    drafts.drop();
    errors = told.errors;
    state.textContent = told.playable ? "Saved. It can be played." : "Saved as a draft: it cannot be played yet.";
    showFaults();
  } catch (error) {
    sayFault("Not saved", error);
  }
}

async function saveCopy() {
  /* Save what this window has as a scenario of its own, and go there. */
  if (copying) return;
  copying = true;
  const copy = { ...doc, scenario: { ...said(), title: `${said().title}, copied` } };
  try {
    const answer = await send(page.dataset.checks.replace(/\?.*/, ""), "POST", { type: "document", document: copy });
    const told = await answer.json().catch(() => ({}));
    if (!answer.ok) throw refusal(answer, told);
    saved = edits;
    drafts.drop();
    location.assign(told.links.page);
  } catch (error) {
    copying = false;
    sayFault("Not saved", error);
  }
}

export async function share({ target }) {
  try {
    const shared = target.checked;
    await write(() => ({ shared }));
    state.textContent = shared ? "Shared." : "Not shared any more.";
  } catch (error) {
    target.checked = !target.checked;
    sayFault("Not changed", error);
  }
}

export function keepUnsaved(event) {
  if (edits !== saved && !leaves) event.preventDefault();
}
