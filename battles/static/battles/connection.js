/* Say so while there is no connection or no server, and `look` again when it is back. */

const LOST = "No connection. Press again when it is back: nothing is done twice.";
const BUSY = "The server is busy or being restarted. Press again in a moment: nothing is done twice.";
const AWAY = [429, 502, 503, 504]; // what it, or a proxy before it, answers then
const line = () => document.querySelector("#offline");
const say = (words) => (line().textContent = words);

export function watchConnection(look) {
  for (const kind of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(kind, () => say(LOST));
  document.addEventListener("htmx:responseError", ({ detail }) => (AWAY.includes(detail.xhr.status) ? say(BUSY) : location.reload()));
  document.addEventListener("htmx:afterOnLoad", ({ detail }) => detail.successful && say(""));
  addEventListener("offline", () => say(LOST));
  addEventListener("online", () => {
    say("");
    look();
  });
}
