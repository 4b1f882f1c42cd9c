/* The scenario's country: regions, hexes closed and opened, and places and tracks of its own. */

import { ALL_PLACES, chosenHex, doc, known, listOf, placeIn, said, titleOf } from "./workshop_document.js";
import { button, field, input, line, made, select, several } from "./workshop_fields.js";

/* What is written and not added yet: the forms are built again when the answer to a check arrives. */
const begun = { name: "", round: "Khartoum", radius: "4" };
let track = null; // the track that is being drawn: its title and hexes, a hex for each click

export function takeHex(hex) {
  /* Add a hex to the track that is being drawn; return whether there is one. */
  if (track) track.hexes.push(hex);
  return Boolean(track);
}

export function withTrack() {
  /* The document with the track that is being drawn, so that the map shows it. */
  if (!track || track.hexes.length < 2) return doc;
  const drawn = { id: "being_drawn", title: "being drawn", hexes: track.hexes };
  const layer = said().map ?? {};
  return { ...doc, scenario: { ...said(), map: { ...layer, track: [...(layer.track ?? []), drawn] } } };
}

export function country() {
  const layer = (said().map ??= {});
  const at = "scenario.map";
  const near = listOf(layer, "within");
  return [
    several(layer, "regions", known.regions, `${at}.regions`, "Regions in play", "The whole map, or add a region…"),
    ...aroundForm(near),
    ...near.map((one, n) => made("div", { className: "item", path: `${at}.within[${n}]` }, line(`${one.hexes} ${one.hexes === 1 ? "hex" : "hexes"} round ${one.place}`, () => near.splice(n, 1)))),
    ...hexForm(layer, at),
    ...placeForm(layer, at),
    ...tracks(layer, `${at}.track`),
  ];
}

function aroundForm(near) {
  /* The whole map is offered here: this is what chooses the country. */
  const pick = made("select");
  for (const one of ALL_PLACES) pick.append(new Option(one, one));
  pick.value = begun.round;
  pick.oninput = () => (begun.round = pick.value);
  const far = made("input", { type: "number", min: 0, max: 60, value: begun.radius });
  far.oninput = () => (begun.radius = far.value);
  return [
    made("div", { className: "row" }, field("Hexes round", pick), field("radius in hexes", far)),
    button("Add this country", () => near.push({ place: pick.value, hexes: Number(far.value) })),
  ];
}

function hexForm(layer, at) {
  const chosen = chosenHex();
  const shape = (kind, text) => {
    const list = layer[kind] ?? [];
    const other = kind === "close" ? "open" : "close";
    const act = () => {
      layer[other] = (layer[other] ?? []).filter((one) => one !== chosen);
      if (!list.includes(chosen)) listOf(layer, kind).push(chosen);
    };
    return button(text, act, { disabled: !chosen });
  };
  const shaped = (kind, n, one) => made("div", { className: "item", path: `${at}.${kind}[${n}]` }, line(`${kind === "close" ? "Closed" : "Opened"}: ${titleOf(one)}`, () => layer[kind].splice(n, 1)));
  return [
    made("p", { className: "aside", textContent: chosen ? `Chosen: ${titleOf(chosen)}.` : "Choose a hex on the map to close or open it, or to name a place in it." }),
    made("div", { className: "actions" }, shape("close", "Close this hex"), shape("open", "Open this hex")),
    ...(layer.close ?? []).map((one, n) => shaped("close", n, one)),
    ...(layer.open ?? []).map((one, n) => shaped("open", n, one)),
  ];
}

function placeForm(layer, at) {
  const newPlace = made("input", { type: "text", maxLength: 60, value: begun.name });
  newPlace.oninput = () => (begun.name = newPlace.value);
  const add = () => {
    const name = begun.name.trim();
    if (name) listOf(layer, "place").push({ name, hex: chosenHex(), kind: "village" });
    begun.name = "";
  };
  const there = chosenHex() && placeIn(chosenHex());
  return [
    field("Name of a new place here", newPlace, undefined, there ? `${there} stands there already: choose another hex.` : ""),
    button("Add the place", add, { disabled: !chosenHex() || Boolean(there) }),
    ...(layer.place ?? []).map((one, n) => made("div", { className: "item", path: `${at}.place[${n}]` }, select(one, "kind", ["town", "village", "oasis"], `${at}.place[${n}].kind`, `${one.name} (${one.hex}) is a`), line(one.name, () => layer.place.splice(n, 1)))),
  ];
}

function tracks(layer, at) {
  const lines = (layer.track ?? []).map((one, n) =>
    made("div", { className: "item", path: `${at}[${n}]` }, input(one, "title", "text", `${at}[${n}].title`, "Track"), line(`From ${titleOf(one.hexes[0])} to ${titleOf(one.hexes.at(-1))}, ${one.hexes.length} hexes`, () => layer.track.splice(n, 1))),
  );
  if (!track) return [...lines, button("Draw a track", () => (track = { title: "", hexes: chosenHex() ? [chosenHex()] : [] }))];
  const title = made("input", { type: "text", maxLength: 60, value: track.title });
  title.oninput = () => (track.title = title.value);
  const finish = () => {
    const list = listOf(layer, "track");
    const name = track.title.trim() || `From ${titleOf(track.hexes[0])}`;
    const id = name.toLowerCase().replace(/[^a-z0-9]+/g, "_").slice(0, 30);
    let number = list.length + 1;
    while (list.some((one) => one.id === `${id}_${number}`)) number += 1; // an earlier one was removed
    list.push({ id: `${id}_${number}`, title: name.slice(0, 60), hexes: track.hexes });
    track = null;
  };
  const told = track.hexes.length ? `So far: ${track.hexes.map(titleOf).join(", ")}. Click the next hex on the map.` : "Click the first hex of the track on the map, then each next one.";
  return [
    ...lines,
    made(
      "div",
      { className: "item" },
      made("p", { id: "drawing", className: "needs", role: "status", textContent: told }),
      field("Name of the track", title),
      made("div", { className: "actions" }, button("Finish the track", finish, { disabled: track.hexes.length < 2 }), button("Take back the last hex", () => track.hexes.pop(), { disabled: !track.hexes.length }), button("Cancel", () => (track = null))),
    ),
  ];
}
