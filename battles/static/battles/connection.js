/* Say so while there is no connection, and `look` again when it is back. */

const LOST = "No connection. Press again when it is back: nothing is done twice.";
const line = () => document.querySelector("#offline");

function lost() {
  line().textContent = LOST;
}

function back() {
  line().textContent = "";
}

export function watchConnection(look) {
  for (const kind of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(kind, lost);
  document.addEventListener("htmx:afterOnLoad", back);
  addEventListener("offline", lost);
  addEventListener("online", () => {
    back();
    look();
  });
}
