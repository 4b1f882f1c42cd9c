/* Send a form once, ask before the last step, and keep what is written until the server has taken it.
 *
 * A form with data-keep, the number of its user, is stored in this tab while it is written, and filled
 * in again when it comes back empty: after a log-in, a reload, a page of errors. The server has
 * taken a form that was sent when it redirects, except to the log-in or with an error, or when its
 * answer has data-taken. Of several forms with one address each has an id.
 *
 * data-keep-over has the address of the log-in, for a page that keeps its own state and is sent many
 * times: its form is filled in again after a log-in only.
 *
 * data-keep-by names the button that shows the form as it was sent. It is pressed to bring back a form with
 * fields that can be added and left out; those with data-unkept do not count. The page that answers this or
 * another button of the form has data-as-sent: it shows what was sent, and files in their fields.
 */

const ONCE = 3000; // milliseconds in which a second press does not send a form again
const PREFIX = "kept:";
const BACK = "What you had written here is back.";
const AWAITS = "What you have written is kept in this tab. Log in, and it is there again, to be sent.";

function store(act) {
  try {
    return act(sessionStorage);
  } catch {
    return null; // a browser that stores nothing
  }
}

const written = (form) =>
  [...new FormData(form)].filter(([name, value]) => {
    const fields = form.querySelectorAll(`[name="${name}"]`);
    return typeof value === "string" && name !== "csrfmiddlewaretoken" && ![...fields].some((one) => "unkept" in one.dataset);
  });

// A page of errors may have the address to which the form was sent. The log-in leads back to the path alone.
function placeOf(form) {
  const { pathname, search } = new URL(form.getAttribute("action") ?? "", location.href);
  return `${PREFIX}${form.dataset.keep}:${pathname}${form.dataset.keepOver ? "" : search}#${form.id}`;
}

function fill(form, kept) {
  const left = [...kept];
  const take = (name, value) => {
    const place = left.findIndex((one) => one[0] === name && (value === undefined || one[1] === value));
    return place < 0 ? undefined : left.splice(place, 1)[0][1];
  };
  for (const field of form.querySelectorAll("[name]:not([type=hidden], [type=file], button, [data-unkept])")) {
    if (["checkbox", "radio"].includes(field.type)) field.checked = take(field.name, field.value) !== undefined;
    else field.value = take(field.name) ?? field.value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function sendAgain(form, kept) {
  for (const field of form.querySelectorAll("[name]:not([name=csrfmiddlewaretoken], button)")) field.disabled = true;
  for (const [name, value] of kept) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  store((storage) => storage.setItem(placeOf(form), JSON.stringify({ pairs: kept, again: true })));
  form.requestSubmit(form.querySelector(`[name=${form.dataset.keepBy}]`));
}

function isOverLogin(form) {
  return document.referrer !== "" && new URL(document.referrer).pathname === form.dataset.keepOver;
}

function keep(form) {
  const place = placeOf(form);
  if (form.dataset.keepOver && !isOverLogin(form)) store((kept) => kept.removeItem(place));
  const fresh = JSON.stringify(written(form));
  const isRefused = form.querySelector("[aria-invalid=true], .errorlist, .error, [role=alert]");
  const { pairs, again } = JSON.parse(store((kept) => kept.getItem(place)) ?? "{}");
  const remember = (sent) => {
    const text = JSON.stringify(written(form));
    store((kept) => (text === fresh && !sent ? kept.removeItem(place) : kept.setItem(place, JSON.stringify({ pairs: JSON.parse(text), sent }))));
  };
  if ("asSent" in form.dataset) {
    store((kept) => kept.setItem(place, JSON.stringify({ pairs: JSON.parse(fresh) })));
    if (again) sayBack(form, place);
  } else if (pairs && !isRefused && JSON.stringify(pairs) !== fresh) {
    if (form.dataset.keepBy) return sendAgain(form, pairs);
    fill(form, pairs);
    sayBack(form, place);
    for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  }
  for (const change of ["input", "change"]) form.addEventListener(change, () => remember(false));
  form.addEventListener("submit", () => remember(true));
}

function sayBack(form, place) {
  const line = Object.assign(document.createElement("p"), { className: "aside kept-back", textContent: `${BACK} ` });
  const empty = Object.assign(document.createElement("button"), { type: "button", className: "plain", textContent: "Start afresh" });
  line.setAttribute("role", "status");
  empty.onclick = () => {
    store((kept) => kept.removeItem(place));
    if ("asSent" in form.dataset) return location.assign(location.href);
    form.reset();
    line.remove();
  };
  line.append(empty);
  form.prepend(line);
}

/* Forget the forms that the server has taken. */

const login = document.querySelector("[data-log-in]");
const [load] = performance.getEntriesByType("navigation");
const isAnswered = load?.redirectCount > 0 || document.querySelector("[data-taken]");
const isTaken = isAnswered && !login && !document.querySelector(".notices .error");
let awaits = false;
for (const key of store((kept) => Object.keys(kept)) ?? []) {
  if (!key.startsWith(PREFIX)) continue;
  const { pairs, sent, lost, again } = JSON.parse(sessionStorage.getItem(key));
  awaits ||= Boolean(sent || lost);
  if (sent && isTaken) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ pairs, lost: sent || lost, again }));
}
if (login && awaits) login.before(Object.assign(document.createElement("p"), { className: "aside", textContent: AWAITS }));

for (const form of document.querySelectorAll("form[data-keep]")) keep(form);

/* Lead the keyboard to the first field that the server has refused; else to the words that say why. */

const fields = document.querySelectorAll("main form [aria-invalid=true]");
const reasons = document.querySelectorAll("main .needs.wrong[role=alert], .notices .error");
const faulty = [...fields, ...reasons].find((one) => one.checkVisibility());
if (faulty) {
  if ([...reasons].includes(faulty)) faulty.tabIndex = -1;
  faulty.focus();
}

/* In a part with data-enter, which has several fields with buttons of their own, press the one after the field. */

document.addEventListener("keydown", (event) => {
  const field = event.target;
  if (event.key !== "Enter" || event.isComposing || !field.matches("[data-enter] input")) return;
  const buttons = field.closest("[data-enter]").querySelectorAll("button");
  const next = [...buttons].find((one) => field.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
  event.preventDefault();
  field.form.requestSubmit(next);
});

/* Ask before a form with data-sure does what cannot be undone. */

function ask(form, button) {
  const dialog = document.createElement("dialog");
  dialog.innerHTML = `<form method="dialog"><p></p><p class="actions"><button class="urgent" value="yes"></button> <button value="no">Cancel</button></p></form>`;
  dialog.querySelector("p").textContent = form.dataset.sure;
  dialog.querySelector("button").textContent = button.textContent;
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (dialog.returnValue !== "yes") return;
    delete form.dataset.sure;
    form.requestSubmit(button);
  });
  document.body.append(dialog);
  dialog.showModal();
}

/* A form that a script sends (its submit event is cancelled) is left to that script. */

let sent = null;
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method === "dialog") return;
  if (form === sent || form.dataset.sure) event.preventDefault();
  if (form.dataset.sure) return ask(form, submitter);
  sent = form;
  setTimeout(() => (sent = null), ONCE);
});
