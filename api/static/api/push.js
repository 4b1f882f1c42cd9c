/* Notify this browser, or stop: the page asks the browser for a subscription and tells it to the site. */

import { csrfToken } from "../campaign/csrf.js";

const page = document.querySelector("#push");
const said = document.querySelector("#push-said");
const button = document.querySelector("#push-switch");
const { endpoint: list, key, worker } = page.dataset;
let subscription = null;

const BLOCKED = "This browser blocks notifications from this site. Allow them in its settings for the site, then load this page again.";
const UNABLE = "This browser takes no push messages. On an iPhone or iPad, add Sirdar to the home screen first.";

function tell(words, wrong = false) {
  said.textContent = words;
  said.classList.toggle("needs", wrong);
}

async function send(method, address, body) {
  const headers = { "Content-Type": "application/json", "X-CSRFToken": csrfToken(), Accept: "application/json" };
  const answer = await fetch(address, { method, headers, body: body && JSON.stringify(body) });
  const document = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw new Error(document.detail ?? "The site did not answer. Try again.");
  return document;
}

function bytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (one) => one.charCodeAt(0));
}

function nameOfBrowser() {
  const agent = navigator.userAgent;
  const name = ["Edg", "OPR", "Firefox", "Chrome", "Safari"].find((one) => agent.includes(one)) ?? "Browser";
  const names = { Edg: "Edge", OPR: "Opera" };
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"].find((one) => agent.includes(one));
  return system ? `${names[name] ?? name} on ${system}` : (names[name] ?? name);
}

async function start() {
  if ((await Notification.requestPermission()) !== "granted") return tell(BLOCKED, true);
  const registration = await navigator.serviceWorker.ready;
  subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
  await send("POST", list, { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, browser: nameOfBrowser() });
  location.reload();
}

async function stop() {
  const { results } = await send("GET", list);
  const mine = results.find((one) => one.endpoint === subscription.endpoint);
  if (mine) await send("DELETE", mine.links.self);
  await subscription.unsubscribe();
  location.reload();
}

button?.addEventListener("click", async () => {
  button.disabled = true;
  try {
    await (subscription ? stop() : start());
  } catch (failed) {
    tell(`It did not work: ${failed.message}`, true);
  }
  button.disabled = false;
});

page.addEventListener("click", async ({ target }) => {
  if (!target.dataset.remove) return;
  try {
    await send("DELETE", target.dataset.remove);
    location.reload();
  } catch (failed) {
    tell(`It did not work: ${failed.message}`, true);
  }
});

async function begin() {
  if (!button) return;
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return tell(UNABLE, true);
  const registration = await navigator.serviceWorker.register(worker);
  subscription = await registration.pushManager.getSubscription();
  const known = [...page.querySelectorAll("[data-endpoint]")].some((one) => one.dataset.endpoint === subscription?.endpoint);
  if (subscription && !known) {
    await subscription.unsubscribe();
    subscription = null;
  }
  if (Notification.permission === "denied" && !subscription) return tell(BLOCKED, true);
  button.textContent = subscription ? "Stop notifying this browser" : "Notify this browser";
  button.hidden = false;
  tell(subscription ? "This browser is notified." : "This browser is not notified yet.");
}

begin().catch((failed) => tell(`It did not work: ${failed.message}`, true));
