/* Sentences for conditions of victory, as players read them, written from their fields.
 *
 * A sentence follows the fields until somebody writes another one.
 */

const WHO = { egyptian: "The Egyptian side", mahdist: "The Mahdists" };
const written = new WeakMap(); // the sentence that was last made for each condition

const listed = (words, last) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`);
const doing = ({ winner }, verb) => `${WHO[winner] ?? "Somebody"} ${verb}${winner === "mahdist" ? "" : verb.endsWith("ch") ? "es" : "s"}`;
const word = (text) => String(text).replace(/^./, (first) => first.toUpperCase());

export function monthName(text) {
  const [year, month] = String(text ?? "").split("-").map(Number);
  return month ? `${new Intl.DateTimeFormat("en-GB", { month: "long" }).format(new Date(2000, month - 1))} ${year}` : "the last month";
}

const strengthPoints = (count) => `${count} strength ${count === 1 ? "point" : "points"}`;
const turns = (count, of) => (count > 1 ? ` for ${count} ${of} running` : "");
const listOf = (value) => (Array.isArray(value) ? value : []); // a file may have anything there
const places = (one, last = "and") => listed(listOf(one.places), last) || "…";

const SENTENCES = {
  hold: (one) => `${doing(one, "hold")} ${one.least && one.least < listOf(one.places).length ? `${one.least} of ` : ""}${places(one)}${turns(one.turns, "months")}.`,
  reach: (one) => {
    const kind = `${one.nation ? `${word(one.nation)} ` : ""}${one.kind ?? "fighting"}`;
    const least = one.least ?? 1;
    const units = least ? ` with ${least} ${kind} ${least === 1 ? "unit" : "units"}` : "";
    return `${doing(one, "reach")} ${places(one, "or")}${units}${one.leader ? `${units ? " and" : " with"} ${one.leader}` : ""}.`;
  },
  relieve: (one) => `${doing(one, "relieve")} ${one.place ?? "…"}${(one.least ?? 1) > 1 ? ` with ${one.least} units` : ""}.`,
  destroy: (one) => `${doing(one, "leave")} the ${one.nation ? word(one.nation) : "enemy’s"} troops no more than ${strengthPoints(one.left)}.`,
  "survive until": (one) => {
    const held = listOf(one.places).length ? `${places(one)} held` : "";
    const kept = [held, one.leader ? `${one.leader} in play` : "", one.left ? `${strengthPoints(one.left)} on the map` : ""].filter(Boolean);
    return `${doing(one, "survive")} to the end of ${monthName(one.until)}${kept.length ? ` with ${listed(kept, "and")}` : ""}.`;
  },
  points: (_one, end) => `The side with more points when ${monthName(end)} is over.`,
  "place captured": (one) => `${doing(one, "take")} ${one.place ?? "…"}.`,
  "leader eliminated": (one) => `${one.leader ?? "…"} is eliminated.`,
  unbesieged: (one) => `${doing(one, "hold")} ${places(one)}, free of siege${turns(one.turns, "Egyptian turns")}.`,
  siege: (one) => `${doing(one, "besiege")} ${one.place ?? "…"}${turns(one.turns, "Egyptian turns")}.`,
};

const sentence = (one, end) => SENTENCES[one.type]?.(one, end) ?? "";
const conditions = (scenario) => [...listOf(scenario.victory).entries()].filter(([, one]) => one instanceof Object);

export function remember(scenario) {
  /* Note the sentences that the fields make now, so that those that somebody has written are kept. */
  for (const [, one] of conditions(scenario)) written.set(one, sentence(one, scenario.end));
}

export function rewrite(scenario) {
  /* Write each sentence again that nobody has changed; return the numbers of those conditions. */
  const fresh = [];
  for (const [number, one] of conditions(scenario)) {
    const text = sentence(one, scenario.end);
    if (text && (!one.text || one.text === written.get(one)) && one.text !== text) {
      one.text = text;
      fresh.push(number);
    }
    written.set(one, text);
  }
  return fresh;
}
