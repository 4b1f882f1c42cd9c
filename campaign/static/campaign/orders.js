/* The order sheet's page: connect the sheet, the form for an order, the map and the findings. */

import "./campaign_stream.js";
import { Book, changed, whole } from "./orders_book.js";
import { Composer } from "./orders_form.js";
import { OrderList } from "./orders_list.js";
import { Overlay } from "./orders_map.js";
import { Odds } from "./orders_odds.js";
import { Arrivals, refill, Standing } from "./orders_papers.js";
import { PlaceNames } from "./place_names.js";
import { endUndo, offerUndo } from "./undo.js";

document.documentElement.classList.add("scripted");
const $ = (selector) => document.querySelector(selector);
const map = $("#map");
const data = JSON.parse($("#order-sheet-data").textContent);
const book = new Book(data, $("#order-sheet"));
const names = new PlaceNames(data.places);
const overlay = new Overlay(map.querySelector("svg.chart"));
const list = new OrderList(book);
const composer = new Composer(book, overlay, names, map);
const odds = new Odds(book);
const papers = [new Arrivals(book, names), new Standing(book, names)];
// What is written into these before the stored sheet is here would take the place of all that it says.
papers.forEach(({ form }) => (form.inert = true));

/* Update the papers from the sheet. */

function showState(ran = false) {
  const { status_text, awaited_text, awaited_battle, due_at, due_text, hold_text, submitted, ready, started_at } = book.document;
  $("#state-words").textContent = status_text;
  $("#awaited").textContent = awaited_battle ? "" : (awaited_text ?? "");
  showDue(due_at, due_text ?? "");
  if (showNotice($("#hold"), hold_text ?? "", "Orders are written and carried out again.") && hold_text) bringUp($("#hold"));
  showBattle(book.closed ? null : awaited_battle, awaited_text);
  const shown = { submit: !submitted, "take back": submitted, ready: !ready, "not ready": ready };
  for (const button of $("#state").querySelectorAll("button")) {
    button.hidden = !shown[button.value] || Boolean(started_at) || book.closed;
  }
  keepFocus();
  $("#state").toggleAttribute("data-ready", ready || Boolean(started_at) || ran); // the guide goes on by it
  if (!started_at && !book.closed) return;
  closeForms();
  if (book.document.ready) $("#kept").textContent = ""; // it says that the month may run
}

/* Where the button that was pressed has gone, move the focus to what can be done next. */

let isPressed = false;

function keepFocus() {
  const { activeElement: held, body } = document;
  if (!isPressed || (held !== body && held.checkVisibility())) return;
  document.querySelector("#state button:not([hidden]), #trouble a")?.focus({ preventScroll: true });
}

/* Show a notice, aloud too if it has changed while the page was open; return whether it has. */

function showNotice(line, words, gone) {
  if (line.textContent === words) return false;
  line.textContent = words;
  $("#said").textContent = words || gone;
  return true;
}

/* Show a deadline that has changed, as an hour that hours.js puts into the reader's time zone. */

function showDue(at, words) {
  const line = $("#due-date");
  const shown = line.querySelector("time");
  if (at && shown ? secondOf(shown.dateTime) === secondOf(at) : line.textContent === words) return;
  $("#said").textContent = words || "There is no deadline any more.";
  if (!at) return line.replaceChildren(words);
  const hour = words.replace(/^Due on |\.$/g, "");
  const time = Object.assign(document.createElement("time"), { dateTime: at, textContent: hour });
  time.dataset.hour = "weekday";
  line.replaceChildren("Due on ", time, ".");
}

const secondOf = (moment) => Math.trunc(Date.parse(moment) / 1000);

/* What is being carried out, or has been, is there to be read. */

function closeForms() {
  if (composer.open) composer.leave();
  endUndo();
  for (const paper of document.querySelectorAll("#orders, #arrivals, #standing-orders")) paper.inert = true;
}

function showBattle(number, title) {
  const panel = $("#battle-awaited");
  if (!number) return panel.replaceChildren();
  const href = `${$("#order-sheet").dataset.battles}${number}/result/`;
  if (panel.querySelector("a")?.pathname === href) return;
  const said = Object.assign(document.createElement("p"), { textContent: `${title} The month waits for it.` });
  panel.replaceChildren(said, Object.assign(document.createElement("a"), { href, textContent: "To the battle", className: "button urgent" }));
  bringUp(panel);
}

function showOrdered() {
  for (const mark of document.querySelectorAll(".has-orders")) {
    const many = book.sheet.orders.filter(({ hex }) => hex === mark.dataset.hex).length;
    mark.textContent = many ? `${many} order${many > 1 ? "s" : ""}` : "";
  }
}

function showKept({ words, trouble, receipt, loggedOut }) {
  const line = $("#kept");
  line.classList.toggle("trouble", Boolean(trouble));
  line.textContent = words;
  if (book.refused) odds.settle(); // what is refused is not read, so its odds would be awaited for ever
  if (loggedOut) {
    const href = `${$("#order-sheet").dataset.login}?next=${encodeURIComponent(location.pathname + location.search)}`;
    line.append(" ", Object.assign(document.createElement("a"), { href, textContent: "Log in" }));
  }
  if (receipt) {
    const href = `${$("#order-sheet").dataset.receipts}${receipt.id}/`;
    const textContent = receipt.hash.slice(0, 12);
    line.append(" ", Object.assign(document.createElement("a"), { href, textContent, className: "figures" }));
  }
}

function showStale(theirs) {
  const panel = $("#trouble");
  const title = Object.assign(document.createElement("h2"), { textContent: "This sheet has been written elsewhere" });
  const lines = theirs.stored.order_texts.map((text) => Object.assign(document.createElement("li"), { textContent: text }));
  const said = document.createElement("p");
  said.textContent = lines.length
    ? "In another window, or by somebody else, it now reads as below. Nothing of yours is lost: choose."
    : "In another window, or by somebody else, it has been emptied. Nothing of yours is lost: choose.";
  const theirList = document.createElement("ol");
  theirList.append(...lines);
  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.onclick = () => (panel.replaceChildren(), act());
    return made;
  };
  const actions = Object.assign(document.createElement("p"), { className: "actions" });
  actions.append(button("Take theirs", () => book.adopt(theirs)), button("Put mine in its place", () => book.insist()));
  panel.replaceChildren(title, said, theirList, actions);
  bringUp(panel);
}

/* Bring the panel at the head of the papers into view. */

function bringUp(panel) {
  const papers = $("#papers");
  if (getComputedStyle(papers).overflowY === "auto") papers.scrollTop = 0;
  else panel.scrollIntoView({ block: "start" });
}

async function showOver({ text, why }) {
  const { news, debrief } = $("#order-sheet").dataset;
  const ran = why === "ran";
  const lost = why === "seat" || why === "sight";
  if (book.document) showState(ran);
  for (const line of ["#hold", "#awaited"]) $(line).textContent = ""; // nobody writes here any more
  if (ran || why === "rewound") book.drop();
  const outcome = !lost && (ran || !book.document) ? await book.outcome() : null;
  const link = (href, textContent) => Object.assign(document.createElement("a"), { href, textContent, className: "button" });
  const words = document.createElement("p");
  words.textContent = outcome ? `The campaign is over. ${outcome}` : text;
  if (lost) words.textContent += " Its orders are not yours to write any more. What was not kept stays in this browser.";
  const links = Object.assign(document.createElement("p"), { className: "actions" });
  if (outcome) links.append(link(debrief, "Read the debrief"), " ");
  if (ran) links.append(link(news, "Read the despatches"), " ");
  if (lost) links.append(why === "seat" ? link($(".campaign-line a").href, "To the campaign") : link("/", "To your campaigns"));
  else if (!outcome) links.append(link(location.pathname, ran ? "Write the next month’s orders" : "Write this month’s orders"));
  $("#state-words").textContent = outcome ? "The campaign is over." : text;
  $("#trouble").replaceChildren(words, links);
  bringUp($("#trouble"));
  keepFocus();
}

book.addEventListener("changed", ({ detail }) => {
  endUndo();
  composer.follow();
  list.show();
  if (detail.mine) list.doubt();
  odds.doubt();
  composer.drawWays();
  showOrdered();
  if (!detail.mine) papers.forEach(refill);
});
book.addEventListener("stored", () => {
  papers.forEach(({ form }) => (form.inert = false));
  composer.renew();
  list.hear(book.document);
  showList();
  showState();
});
book.addEventListener("read", ({ detail }) => {
  list.learn(detail);
  showList();
  papers.forEach((paper) => paper.learn(detail));
  odds.ask();
});
book.addEventListener("kept", ({ detail }) => showKept(detail));
book.addEventListener("stale", ({ detail }) => showStale(detail));
book.addEventListener("over", ({ detail }) => showOver(detail));

/* Rebuild the list and restore its focus. */

function showList() {
  if (!list.list.contains(document.activeElement)) list.show();
  else queueMicrotask(() => refocus());
}

function refocus() {
  const { activeElement } = document;
  const item = activeElement.closest(".order");
  if (!item) return list.show();
  const number = [...list.list.children].indexOf(item);
  const kind = ["up", "down", "change", "strike"].find((one) => activeElement.classList.contains(one));
  list.show();
  list.list.children[number]?.querySelector(`.${kind}`)?.focus({ preventScroll: true });
}

/* From the papers and the map to the form, and back. */

function startFrom(hex, from) {
  const mine = !$("#orders").inert && data.stacks.some((stack) => stack.hex === hex);
  if (mine) composer.begin(hex, from);
  return mine;
}

map.addEventListener("hex", ({ detail }) => {
  if (composer.open) composer.aim(detail.hex);
  else startFrom(detail.hex, { fromMap: true });
});

map.addEventListener("pull", ({ detail: { from, to } }) => overlay.showPull(from, to));
map.addEventListener("pulled", ({ detail: { from, to } }) => {
  overlay.showPull(from, null);
  const going = composer.open && composer.stack.hex === from;
  if (to && to !== from && (going || startFrom(from, { fromMap: true }))) composer.aim(to);
});

document.addEventListener("click", (event) => {
  const taken = event.target.closest(".take-stack");
  const shown = event.target.closest("a.to-hex");
  if (taken) startFrom(taken.dataset.hex);
  if (event.target.closest("#hex .close")) {
    event.preventDefault();
    $("#hex").replaceChildren();
  }
  if (shown && "ready" in map.dataset && !composer.open) {
    event.preventDefault();
    map.dispatchEvent(new CustomEvent("show", { detail: { hex: shown.dataset.hex } }));
  }
});

list.addEventListener("change", ({ detail }) => composer.edit(detail.number));
composer.addEventListener("told", ({ detail }) => list.remember(detail.order, detail.told));
composer.addEventListener("left", ({ detail }) => {
  list.show();
  composer.drawWays();
  const item = detail.index === null ? null : list.list.children[detail.index];
  (item?.querySelector(".change") ?? $("#new-order")).focus({ preventScroll: composer.isBelowMap });
  if (composer.isBelowMap) ($("#guide") ?? item ?? $("#new-order")).scrollIntoView({ block: "start" });
});

$("#new-order").addEventListener("click", () => data.stacks.length && composer.begin(data.stacks[0].hex));

/* Let `copy` take what it will from last month's sheet into this one, and say `words` of it. */

async function copyLast(button, copy, words) {
  if (button.ariaBusy) return; // or the orders would be there twice
  button.ariaBusy = "true";
  const answer = await fetch($("#order-sheet").dataset.previous).catch(() => null);
  const before = answer?.ok ? await answer.json().catch(() => null) : null;
  button.ariaBusy = null;
  if (!before) return showKept({ words: "Last month’s sheet cannot be had now.", trouble: true });
  const now = whole(book.sheet);
  book.change((sheet) => copy(sheet, before));
  papers.forEach((paper) => paper.fill());
  offerUndo(words(before), () => {
    book.change((sheet) => Object.assign(sheet, now));
    papers.forEach((paper) => paper.fill());
  });
}

function copyStanding(sheet, before) {
  sheet.standing = { ...before.standing, ...changed(sheet.standing) };
}

function copySheet(sheet, before) {
  sheet.orders.push(...before.orders);
  if (!sheet.reinforcements.length) sheet.reinforcements = before.reinforcements;
  copyStanding(sheet, before);
}

$("#copy-last")?.addEventListener("click", ({ currentTarget: button }) =>
  copyLast(button, copySheet, ({ orders: { length: many } }) =>
    many ? `${many} order${many > 1 ? "s" : ""} copied.` : "Last month’s sheet has no orders.",
  ),
);

$("#copy-standing")?.addEventListener("click", ({ currentTarget: button }) =>
  copyLast(button, copyStanding, ({ standing }) =>
    Object.keys(changed(standing)).length
      ? "Last month’s standing instructions copied."
      : "Last month’s sheet has no standing instructions.",
  ),
);

$("#state").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { value } = event.submitter;
  if (["submit", "ready"].includes(value) && !(await settleSheet(value))) return;
  isPressed = true;
  book.do(value);
});

/* Ask about an order that is written and not added, and about a month without orders; return whether to go on. */

async function settleSheet(value) {
  if (!composer.unkept) return value !== "ready" || !isEmpty(book.sheet) || (await ask("#no-orders-given")) === "ready";
  $("#unkept-words").textContent = $("#in-words").textContent;
  const answer = await ask("#unkept");
  if (answer === "add") composer.keep();
  if (answer === "leave") composer.leave();
  if (answer === "stay") $("#compose-title").focus();
  return !composer.open;
}

const isEmpty = ({ orders, reinforcements }) => !orders.length && !reinforcements.length;

/* Show a dialogue; return the value of the button that closes it. */

async function ask(name) {
  const dialog = $(name);
  dialog.returnValue = "stay";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return dialog.returnValue;
}

/* The month may have run, or the sheet may have been written elsewhere. */

document.body.addEventListener("gone-on", ({ detail }) => book.document && book.follow(detail.month));
document.body.addEventListener("look-again", () => book.document && book.look());
addEventListener("beforeunload", () => book.dirty && book.putBy());

const wanted = /^#hex-(\d{4})$/.exec(location.hash);
if (wanted) startFrom(wanted[1]);
else book.loading.then(() => book.document && !$("#orders").inert && composer.restore());
