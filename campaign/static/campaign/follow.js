/* The page follows its campaign: it is told when that has gone on, and looks what is new.

Whatever waits for `gone-on` on the body hears of it, with how the campaign stands. A page nobody
looks at lets the line go, for a browser has but few to a site, and takes it up when it is seen. */

const AGAIN = 10_000; // milliseconds until a line that was refused is asked for once more
const followed = document.querySelector("[data-stream]");
let line = null;

function tell({ data }) {
  document.body.dispatchEvent(new CustomEvent("gone-on", { detail: JSON.parse(data) }));
}

function follow() {
  if (line || document.hidden) return;
  line = new EventSource(followed.dataset.stream);
  line.addEventListener("standing", tell);
  line.addEventListener("error", () => {
    if (line?.readyState !== EventSource.CLOSED) return; // it comes back by itself
    line = null;
    setTimeout(follow, AGAIN);
  });
}

function letGo() {
  line?.close();
  line = null;
}

document.addEventListener("visibilitychange", () => (document.hidden ? letGo() : follow()));
addEventListener("pagehide", letGo);
addEventListener("pageshow", follow);
follow();
