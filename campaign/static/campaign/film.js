/* A month as a film: counters move from scene to scene, and its despatches are shown one by one.
 *
 * The film is a row of beats: the moves of a scene, then each of its despatches. With reduced motion
 * it is a row of stills: the same beats, with arrows, and counters that do not move.
 */

import { copyText } from "../battles/clipboard.js";
import { Overlay } from "./orders_map.js";

const $ = (selector) => document.querySelector(selector);
const SHORTEST = 1200; // milliseconds of a beat
const LONGEST = 5000;
const JOURNEY = 0.7; // share of the beat in which counters move
const PARSER = new DOMParser();

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const data = JSON.parse($("#film-data").textContent);
const map = $("#map");
const svg = map.querySelector("svg.chart");
const overlay = new Overlay(svg);
const drawings = new Map();

const beats = data.scenes.flatMap((scene, place) => {
  const lines = [...document.querySelectorAll(`.scenes [data-scene="${place + 1}"] .line`)];
  return [{ place, moves: true }, ...lines.map((line) => ({ place, line }))];
});
const beatLength = Math.min(Math.max((1000 * data.seconds) / beats.length, SHORTEST), LONGEST);

let at = -1; // the beat shown; -1 is the beginning of the month
let showing = Symbol("showing");
let playing = null;

function drawn(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

/* Return the counters after a scene; 0 is the beginning of the month. */

function drawing(number) {
  if (!drawings.has(number)) {
    const address = number ? data.scenes[number - 1].url : data.opening;
    const asked = fetch(address, { redirect: "error" }).then((answer) => {
      if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
      return answer.text();
    });
    drawings.set(number, asked);
    asked.catch(() => drawings.delete(number));
  }
  return drawings.get(number);
}

/* Put these counters on the map, unless another beat has been chosen while they were fetched. */

async function stand(number, mine) {
  if (+svg.querySelector("#standing").dataset.scene === number) return;
  const text = (await drawing(number)).replace(/<style>[^]*?<\/style>/g, ""); // the page has its own style sheets
  if (mine !== showing) return;
  const page = PARSER.parseFromString(text, "image/svg+xml");
  const standing = document.importNode(page.querySelector("#standing"), true);
  standing.dataset.scene = number;
  svg.querySelector("#standing").replaceWith(standing);
}

/* Show a beat: the counters, the arrows of its scene, and its sentence. */

async function show(next, { moving = false } = {}) {
  const mine = (showing = Symbol("showing"));
  const beat = beats[next];
  at = next;
  clear();
  describe(beat);
  try {
    await stand(beat ? beat.place + (moving && beat.moves ? 0 : 1) : 0, mine);
  } catch (error) {
    return mine === showing ? trouble(error) : undefined;
  }
  if (mine !== showing) return;
  if (!beat) return overlay.showWays([]);
  const { moves } = data.scenes[beat.place];
  overlay.showWays(moves.map(({ path, side }) => ({ hexes: path, by: side })));
  if (beat.moves && moves.length) map.dispatchEvent(new CustomEvent("look", { detail: { hexes: moves.flatMap(({ path }) => path) } }));
  if (beat.line?.dataset.hex) ring(beat.line.dataset.hex);
  if (moving && beat.moves) await travel(moves, mine);
}

function clear() {
  svg.querySelectorAll(".mover, .film-ring").forEach((mark) => mark.remove());
  document.querySelectorAll(".scenes [aria-current]").forEach((line) => line.removeAttribute("aria-current"));
}

function describe(beat) {
  const line = beat?.line;
  const title = beat ? data.scenes[beat.place].title : "As the month began";
  $("#now-shown").textContent = line ? line.textContent : title;
  $("#reel").value = at + 1;
  $("#reel").setAttribute("aria-valuetext", $("#now-shown").textContent);
  const shown = line ?? document.querySelector(`.scenes [data-scene="${beat ? beat.place + 1 : 1}"] h2`);
  if (beat) shown.setAttribute("aria-current", "true");
  const papers = $("#papers");
  if (getComputedStyle(papers).overflowY === "auto") {
    const under = papers.getBoundingClientRect().top + $(".projector").offsetHeight + 12;
    papers.scrollTop += beat ? shown.getBoundingClientRect().top - under : -papers.scrollTop;
  }
}

function ring(hex) {
  const [cx, cy] = overlay.centre(hex);
  svg.append(drawn("circle", { class: "film-ring", cx, cy, r: 80 }));
  map.dispatchEvent(new CustomEvent("look", { detail: { hexes: [hex] } }));
}

function trouble(error) {
  stop();
  const why = error instanceof TypeError ? "there is no connection" : error.message;
  $("#now-shown").textContent = `This scene cannot be shown now: ${why}. Step on, or try again.`;
}

/* Let copies of the counters go their ways, then show the position at the end. */

async function travel(moves, mine) {
  const movers = calm.matches ? [] : moves.map((move) => mover(move)).filter(Boolean);
  const begun = performance.now();
  while (movers.length && mine === showing) {
    const share = Math.min((performance.now() - begun) / (JOURNEY * beatLength), 1);
    movers.forEach(({ mark, points }) => place(mark, points, share));
    if (share === 1) break;
    await new Promise(requestAnimationFrame);
  }
  if (mine !== showing) return;
  movers.forEach(({ mark }) => mark.remove());
  await stand(beats[at].place + 1, mine).catch(trouble);
}

function mover({ path, side }) {
  const card = svg.querySelector(`.stack.${side}[data-hex="${path[0]}"] .c`);
  if (!card) return null;
  const mark = drawn("g", { class: "mover" });
  mark.append(card.cloneNode(true));
  svg.append(mark);
  return { mark, points: path.map((hex) => overlay.centre(hex)) };
}

function place(mark, points, share) {
  const along = share * (points.length - 1);
  const leg = Math.min(Math.floor(along), points.length - 2);
  const [x, y] = [0, 1].map((axis) => points[leg][axis] + (along - leg) * (points[leg + 1][axis] - points[leg][axis]));
  mark.setAttribute("transform", `translate(${x},${y})`);
}

/* Play, pause, and step. */

function stop() {
  clearTimeout(playing);
  playing = null;
  $("#play").textContent = "Play";
}

function next() {
  if (at + 1 >= beats.length) return stop();
  show(at + 1, { moving: true });
  const following = beats[at + 1];
  if (following) drawing(following.place + 1).catch(() => null); // ready in time
  playing = setTimeout(next, beatLength);
}

function play() {
  if (playing) return stop();
  $("#play").textContent = "Pause";
  if (at + 1 >= beats.length) at = -1;
  next();
}

function jump(to, how) {
  stop();
  return show(Math.min(Math.max(to, -1), beats.length - 1), how);
}

if (beats.length) {
  document.documentElement.classList.add("scripted");
  $(".projector").hidden = false;
  $("#reel").max = beats.length;
  $("#play").onclick = play;
  $("#to-start").onclick = () => jump(-1);
  $("#before").onclick = () => jump(at - 1);
  $("#after").onclick = () => jump(at + 1, { moving: true });
  $("#reel").oninput = ({ target }) => jump(target.value - 1);
  $(".scenes").onclick = ({ target }) => {
    const line = target.closest(".line");
    if (line) jump(beats.findIndex((beat) => beat.line === line));
  };
  svg.querySelector("#standing").dataset.scene = 0;
  describe();
}

const copy = $("#copy-film"); // a month of which nothing is known has none
if (copy) {
  copy.hidden = false;
  copy.onclick = async () => {
    if (await copyText(copy.dataset.link)) $("#film-copied").textContent = "Copied.";
  };
}
