/* Units to be ticked, in words and as counters. */

import { makeElement } from "./elements.js";

/* A unit in words, to be ticked. */

export function tickBox(name, { id, label }, checked) {
  const input = makeElement("input", { type: "checkbox", name, value: id, checked });
  return makeElement("label", { className: "choice" }, input, makeElement("span", { textContent: label }));
}

/* The named units that are not among those on offer, so that they can be left out. */

export function missing(named, offered, words) {
  const gone = named.filter((unit) => !offered.some(({ id }) => id === unit));
  return gone.map((id) => ({ id, label: `${words} (${id})` }));
}

/* A unit as its counter, to be ticked. */

export function counterBox({ id, label, short, counter }, checked) {
  const picture = makeElement("span", { className: "picture" });
  picture.innerHTML = counter;
  const input = makeElement("input", { type: "checkbox", name: "unit", value: id, checked });
  const words = [makeElement("span", { className: "unseen", textContent: label }), makeElement("span", { className: "short", textContent: short })];
  words[1].setAttribute("aria-hidden", "true");
  return makeElement("label", { className: "unit-card", title: label }, input, picture, ...words);
}
