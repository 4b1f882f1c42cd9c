/* The steps of the other side, one after the other: each move and shot appears with its number, its piece
 * goes along its path, and its sentence is marked. Where motion is not wanted, each step is a still. */

const MOST = 7000; // milliseconds of a whole replay
const [SHORTEST, LONGEST, STILL] = [280, 950, 1400]; // milliseconds of a step
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let timer = 0;
let running = []; // animations under way
let told = null; // the steps that have been shown by themselves

const field = () => document.querySelector("#field svg");
const entries = () => [...document.querySelectorAll("#result .entry[data-step]")];
const marks = (step) => [...document.querySelectorAll(`#field [data-step="${step}"]`)];
const pieces = (unit) => document.querySelectorAll(`#field [data-piece="${unit}"], #field [data-tab="${unit}"]`);
const points = (track) => track.dataset.way.split(" ").map((point) => point.split(",").map(Number));

/* Take over a new page: its steps are shown by themselves once, if the reader was here before them. */

export function dressSteps() {
  stop();
  const button = document.querySelector("#replay");
  if (button) {
    button.hidden = false;
    button.onclick = replay;
  }
  const steps = entries().map(({ dataset }) => dataset.step).join(" ");
  const fresh = told !== null && told !== steps;
  told = steps;
  if (button && fresh && !calm.matches) replay();
}

export function replay() {
  stop();
  const steps = entries();
  const svg = field();
  if (!steps.length || !svg) return;
  svg.classList.add("replaying");
  document.dispatchEvent(new CustomEvent("replay", { detail: true }));
  for (const [, tracks] of tracksByUnit(steps)) place(tracks[0].dataset.unit, offset(tracks, 0, "start"));
  const each = calm.matches ? STILL : Math.min(Math.max(MOST / steps.length, SHORTEST), LONGEST);
  show(steps, 0, each);
}

function show(steps, number, each) {
  document.querySelectorAll(".step-now").forEach((one) => one.classList.remove("step-now"));
  if (number >= steps.length) return stop();
  const entry = steps[number];
  entry.classList.add("step-now");
  entry.scrollIntoView({ block: "nearest" });
  for (const mark of marks(entry.dataset.step)) {
    mark.classList.add("step-shown", "step-now");
    if (mark.dataset.way) go(mark, steps, each);
  }
  timer = setTimeout(() => show(steps, number + 1, each), each);
}

/* A piece stands at its last place in the drawing: before that it is shifted to where it was. */

function tracksByUnit(steps) {
  const found = new Map();
  for (const entry of steps) {
    for (const track of marks(entry.dataset.step).filter((mark) => mark.dataset.way)) {
      found.set(track.dataset.unit, [...(found.get(track.dataset.unit) ?? []), track]);
    }
  }
  return found;
}

function offset(tracks, number, end) {
  const [x, y] = points(tracks[number]).at(end === "start" ? 0 : -1);
  const [endX, endY] = points(tracks.at(-1)).at(-1);
  return `${x - endX}px ${y - endY}px`;
}

function place(unit, shift) {
  pieces(unit).forEach((piece) => (piece.style.translate = shift));
}

function go(track, steps, each) {
  const { unit } = track.dataset;
  const tracks = tracksByUnit(steps).get(unit);
  const [endX, endY] = points(tracks.at(-1)).at(-1);
  const frames = points(track).map(([x, y]) => ({ translate: `${x - endX}px ${y - endY}px` }));
  place(unit, offset(tracks, tracks.indexOf(track), "end"));
  if (calm.matches) return;
  pieces(unit).forEach((piece) => running.push(piece.animate(frames, { duration: each * 0.7, easing: "ease-in-out" })));
}

function stop() {
  clearTimeout(timer);
  running.forEach((animation) => animation.cancel());
  running = [];
  const was = field()?.classList.contains("replaying");
  field()?.classList.remove("replaying");
  if (was) document.dispatchEvent(new CustomEvent("replay", { detail: false }));
  document.querySelectorAll(".step-now, .step-shown").forEach((one) => one.classList.remove("step-now", "step-shown"));
  document.querySelectorAll("#field [data-piece], #field [data-tab]").forEach((one) => (one.style.translate = ""));
}

/* Whatever the reader does ends the replay: the field shows how it stands. */

for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, ({ target, key }) => {
    if (field()?.classList.contains("replaying") && !target.closest?.("#replay") && key !== "r") stop();
  });
}
