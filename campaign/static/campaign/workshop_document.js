/* The scenario's document, the words that its forms offer, and the hex that is chosen.
 *
 * The other modules change the document and call `changed()`, or `rebuild()` where the forms alone
 * have to follow; the page listens with `onChange()` and `onRebuild()`. A draft that this browser has
 * kept, written and never saved, takes the place of the document that is saved.
 */

import { Drafts } from "./drafts.js";
import { same } from "./same.js";

export const page = document.querySelector("#workshop");
const data = JSON.parse(document.querySelector("#scenario").textContent);
export const { known, version, errors: firstErrors, document: savedDocument } = data;
export const drafts = new Drafts(`workshop:${data.link}`);
const kept = await drafts.take();
export const draft = kept && !isIn(data.document, kept.document) ? kept : null;
export const doc = draft?.document ?? data.document;
export const SIDES = { egyptian: "Egyptian", mahdist: "Mahdist" };
const listeners = [];
const builders = [];
let inPlay = data.in_play; // places, tracks and rivers that the scenario's map has open to play
let chosen = null;

export function isIn(document, written) {
  /* Return whether the server's document is the one that was written here, but for the slug that it chooses. */
  const { slug } = document.scenario;
  return same(document, { ...written, scenario: { ...written.scenario, slug } });
}

export const said = () => doc.scenario;
export const listOf = (owner, name) => (owner[name] ??= []);
export const words = (text) => text[0].toUpperCase() + text.slice(1);
export const onChange = (act) => listeners.push(act);
export const onRebuild = (act) => builders.push(act);

export function changed(formsToo = true) {
  /* Tell the page that the document has been changed, and whether the forms follow. */
  for (const act of listeners) act(formsToo);
}

export function rebuild() {
  for (const act of builders) act();
}

export const chosenHex = () => chosen;

export function chooseHex(hex) {
  chosen = hex;
}

/* Places. `places()` are those of the scenario's own map, in play; `ALL_PLACES` choose its country. */

export const ALL_PLACES = Object.keys(known.places).sort();
const ownPlaces = () => said().map?.place ?? [];

export function takeInPlay(checked) {
  /* Note what is in play now by the answer to a check; return whether it has changed. */
  const before = JSON.stringify(inPlay);
  const titles = (lines) => Object.fromEntries(lines.map(({ slug, title }) => [slug, title]));
  inPlay = { places: checked.place_names, tracks: titles(checked.tracks), rivers: titles(checked.rivers) };
  return JSON.stringify(inPlay) !== before;
}

export const places = () => [...new Set([...inPlay.places, ...ownPlaces().map((one) => one.name)])].sort();
export const tracksInPlay = () => inPlay.tracks;
export const riversInPlay = () => inPlay.rivers;

export function hexOf(name) {
  if (/^\d{4}$/.test(name)) return name;
  return known.places[name] ?? ownPlaces().find((one) => one.name === name)?.hex;
}

export function placeIn(hex) {
  return known.titles[hex] ?? ownPlaces().find((one) => one.hex === hex)?.name;
}

export const titleOf = (hex) => (placeIn(hex) ? `${placeIn(hex)} (${hex})` : `hex ${hex}`);

export function somewhere() {
  /* A place to begin with: the chosen one, else the first where units stand, else any in play. */
  const near = (said().stack ?? []).map(({ posts }) => placeIn(hexOf(posts?.[0]?.nearest ?? "")));
  return placeIn(chosen) ?? near.find(Boolean) ?? places()[0];
}
