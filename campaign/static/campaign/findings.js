/* Show what is found of an order, with links to the clauses. */

import { makeElement } from "./elements.js";

/* The pages of the clauses, by number: a clause in brackets is a link to its own. */

const clauses = JSON.parse(document.querySelector("#clauses").textContent);
const NUMBER = String.raw`\d{1,2}\.\d{1,3}(?: [IV]+)?`;
const NAMED = new RegExp(String.raw`(\((?:${NUMBER}(?:, | to | and )?)+\))`);

function linked(words) {
  return words.split(NAMED).flatMap((part, place) => {
    if (place % 2 === 0) return [part];
    return part.split(new RegExp(`(${NUMBER})`)).map((one) => (clauses[one] ? makeElement("a", { href: clauses[one], textContent: one, target: "_blank" }) : one));
  });
}

/* Show the findings of an order: the worst judgement, then each finding. */

export function findings(list, found) {
  const judgement = found[0]?.verdict;
  const items = found.map(({ verdict, text, remedy, clause }, number) => {
    const words = [text, remedy, clause && `(${clause})`].filter(Boolean).join(" ");
    const label = number ? [] : [makeElement("b", { textContent: judgement }), " "];
    return makeElement("li", { className: verdict }, ...label, ...linked(words));
  });
  list.dataset.judgement = judgement ?? "";
  list.replaceChildren(...items);
}

/* Mark an element as out of date until the answer comes: greyed, and busy to screen readers. */

export function busy(element, whether) {
  element.setAttribute("aria-busy", whether);
}
