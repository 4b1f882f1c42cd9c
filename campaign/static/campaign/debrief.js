/* The debrief: pan, zoom and play three maps in step. */

const page = document.querySelector("#debrief");
const rows = [...page.querySelectorAll("tbody tr")];
const windows = [...page.querySelectorAll(".window")];
const pictures = [...page.querySelectorAll("img.standing")];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PACE = 1500; // milliseconds for each month
const CLOSEST = 10;
let place = rows.findIndex((row) => row.hasAttribute("aria-current"));
let playing = null;
const view = { x: 0, y: 0, scale: 1 };

/* The view, shared by the three maps. */

function lay() {
  const [one] = windows;
  const sheet = one.querySelector(".layers");
  const room = (outer, inner) => Math.min(0, outer - inner * view.scale);
  view.x = Math.min(0, Math.max(view.x, room(one.clientWidth, sheet.offsetWidth)));
  view.y = Math.min(0, Math.max(view.y, room(one.clientHeight, sheet.offsetHeight)));
  page.classList.toggle("near", view.scale > 1);
  for (const { firstElementChild } of windows) {
    firstElementChild.style.transform = `translate(${view.x}px,${view.y}px) scale(${view.scale})`;
  }
}

function zoom(by, x, y) {
  const [one] = windows;
  const [atX, atY] = [x ?? one.clientWidth / 2, y ?? one.clientHeight / 2];
  const scale = Math.min(CLOSEST, Math.max(1, view.scale * by));
  view.x = atX - ((atX - view.x) * scale) / view.scale;
  view.y = atY - ((atY - view.y) * scale) / view.scale;
  view.scale = scale;
  lay();
}

function move(x, y) {
  view.x += x;
  view.y += y;
  lay();
}

const KEYS = {
  ArrowLeft: () => move(60, 0),
  ArrowRight: () => move(-60, 0),
  ArrowUp: () => move(0, 60),
  ArrowDown: () => move(0, -60),
  "+": () => zoom(1.4),
  "-": () => zoom(1 / 1.4),
  0: () => zoom(1 / CLOSEST),
};

function listen(window_) {
  window_.tabIndex = 0;
  window_.setAttribute("role", "group");
  window_.setAttribute("aria-label", "Map: arrows move it, plus and minus zoom, all three in step");
  window_.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  window_.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && view.scale === 1 && event.deltaY > 0) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, event.offsetX, event.offsetY);
  }, { passive: false });
  window_.addEventListener("pointerdown", (event) => {
    if (view.scale > 1) window_.setPointerCapture(event.pointerId);
  });
  window_.addEventListener("pointermove", (event) => {
    if (window_.hasPointerCapture(event.pointerId)) move(event.movementX, event.movementY);
  });
  window_.addEventListener("dragstart", (event) => event.preventDefault());
}

/* The month shown. */

function show(next) {
  rows[place].removeAttribute("aria-current");
  place = next;
  const { maps, name } = rows[place].dataset;
  rows[place].setAttribute("aria-current", "true");
  page.querySelector("#month").textContent = name;
  maps.split(" ").forEach((address, number) => {
    pictures[number].alt = pictures[number].alt.replace(/ at the end of .*/, ` at the end of ${next ? name : "the set-up"}`);
    pictures[number].src = address;
  });
  scrub.value = place;
  scrub.setAttribute("aria-valuetext", name);
  if (place + 1 < rows.length) rows[place + 1].dataset.maps.split(" ").forEach((address) => { new Image().src = address; });
}

function stop() {
  clearInterval(playing);
  playing = null;
  play.textContent = "Play";
}

function step() {
  if (place + 1 < rows.length) show(place + 1);
  else stop();
}

function begin() {
  if (place + 1 === rows.length) show(0);
  play.textContent = "Pause";
  playing = setInterval(step, calm.matches ? 2 * PACE : PACE);
}

function button(words, label, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", textContent: words, onclick: act });
  made.setAttribute("aria-label", label);
  return made;
}

const scrub = Object.assign(document.createElement("input"), { type: "range", min: 0, max: rows.length - 1, value: place });
scrub.setAttribute("aria-label", "Month shown");
scrub.oninput = () => { stop(); show(+scrub.value); };
const play = button("Play", "Play the months in step, or stop", () => (playing ? stop() : begin()));
page.querySelector(".steering").replaceChildren(
  play,
  button("‹", "A month back", () => { stop(); if (place) show(place - 1); }),
  page.querySelector("#month"),
  button("›", "A month on", () => { stop(); step(); }),
  scrub,
  button("+", "Zoom in", () => zoom(1.6)),
  button("−", "Zoom out", () => zoom(1 / 1.6)),
);
windows.forEach(listen);
addEventListener("resize", lay);
