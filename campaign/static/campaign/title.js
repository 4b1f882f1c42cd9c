/* Keep the number of what waits for you in the tab title, "(2) ...", current.

It is asked for when a page hears that something has happened, and when you come back to its tab. */

const address = document.querySelector("script[data-turns]").dataset.turns;
const MARK = /^\(\d+\) /; // a copy of a campaign has a number in its own title
const APART = 2000; // milliseconds between two requests at least
let next = null;

async function count() {
  next = null;
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) return;
  const waiting = Number(await answer.text());
  const title = document.title.replace(MARK, "");
  document.title = waiting ? `(${waiting}) ${title}` : title;
}

function soon() {
  next ??= setTimeout(count, APART);
}

for (const news of ["gone-on", "look-again", "htmx:afterRequest"]) document.addEventListener(news, soon, true);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && soon());
