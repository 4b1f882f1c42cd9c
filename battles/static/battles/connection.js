/* Say so while there is no connection or no server, and `look` again when it is back. `refused` does what is to be
 * done about any other answer that is an error.
 *
 * A browser tells only that its own line is up. A server that is back is found by asking for the head
 * of the page, which changes nothing of what has been chosen on it. */

const LOST = "No connection. Press again when it is back: nothing is done twice.";
const BUSY = "The server is busy or being restarted. Press again in a moment: nothing is done twice.";
const AWAY = [429, 502, 503, 504]; // what it, or a proxy before it, answers then
const AGAIN = 5_000; // milliseconds before the server is tried again
const line = () => document.querySelector("#offline");
let trying = 0;

function say(words) {
  line().textContent = words;
  clearTimeout(trying);
  if (words) trying = setTimeout(tryAgain, AGAIN);
}

async function tryAgain() {
  const mine = trying;
  const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (mine !== trying) return; // something else has been said or heard meanwhile
  if (answer && !AWAY.includes(answer.status)) say("");
  else trying = setTimeout(tryAgain, AGAIN);
}

/* Go to the address that was refused: its error page says what is wrong. */

export const openErrorPage = ({ pathInfo }) => location.assign(pathInfo.finalRequestPath);

export function watchConnection(look, refused = () => location.reload()) {
  for (const kind of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(kind, () => say(LOST));
  document.addEventListener("htmx:responseError", ({ detail }) => (AWAY.includes(detail.xhr.status) ? say(BUSY) : refused(detail)));
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => detail.successful && say(""));
  addEventListener("offline", () => say(LOST));
  addEventListener("online", () => {
    say("");
    look();
  });
}
