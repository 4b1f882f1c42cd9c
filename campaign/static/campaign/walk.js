/* Walk over the map in words without reloading: a key or a link goes one hex on. */

import { dressShortcuts, shortcutsOn } from "../battles/shortcuts.js";

const place = document.querySelector("#place");
let asking = null; // of the last step: an answer to an earlier one is not shown

async function go(address, push) {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const answer = await fetch(address, { headers: { "HX-Request": "true" }, signal }).catch(() => null);
  const html = answer?.ok ? await answer.text().catch(() => null) : null;
  if (signal.aborted) return;
  if (html === null) return location.assign(address); // the browser or the error page says what is wrong
  place.innerHTML = html;
  dressShortcuts();
  const title = place.querySelector("h1");
  document.title = `${title.textContent} · Sirdar`;
  if (push) history.pushState({}, "", address);
  title.focus();
}

function follow(event) {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button;
  const link = event.target.closest("a.walk-on");
  if (!link || elsewhere) return;
  event.preventDefault();
  go(link.href, true);
}

/* Keys act only while the focus is within the hex, so that they do not disturb other shortcuts. */

function key(event) {
  if (!shortcutsOn() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) return;
  const door = place.querySelector(`a.walk-on[data-key="${CSS.escape(event.key)}"]`);
  if (!door) return;
  event.preventDefault();
  go(door.href, true);
}

place.addEventListener("click", follow);
place.addEventListener("keydown", key);
addEventListener("popstate", () => go(location.href, false));
