/* The places of the map by name: what a text means, and what may have been meant. */

const ALIKE = 0.7; // similarity from which on a place is suggested
const MOST_NAMED = 3;

/* A name as it is compared: small letters and figures alone, so that “el-obeid ” is El Obeid. */

const spelt = (text) => text.normalize("NFD").toLowerCase().replace(/[^\p{Letter}\p{Number}]/gu, "");

export class PlaceNames {
  constructor(places) {
    this.hexes = new Map(Object.entries(places).map(([name, hex]) => [spelt(name), hex]));
    this.names = new Map(Object.entries(places).reverse().map(([name, hex]) => [hex, name]));
  }

  /* The message for a text that is no place, with suggestions. */

  refusal(text) {
    const near = this.near(text);
    const hint = near.length ? ` Did you mean ${near.join(" or ")}?` : " Write a place, or the four figures of a hex.";
    return `There is no place “${text.trim()}”.${hint}`;
  }

  near(text) {
    const wanted = spelt(text);
    const ranked = [...this.hexes]
      .map(([name, hex]) => [name.startsWith(wanted) ? 1 : alike(wanted, name), this.name(hex)])
      .filter(([share]) => share >= ALIKE)
      .sort(([a], [b]) => b - a);
    return [...new Set(ranked.map(([, name]) => name))].slice(0, MOST_NAMED);
  }

  /* The hex of a text: "" for an empty one, null for no place. */

  hex(text) {
    if (!text.trim()) return "";
    const wanted = spelt(text);
    return /^\d{4}$/.test(wanted) ? wanted : (this.hexes.get(wanted) ?? null);
  }

  list(text) {
    const found = this.parts(text).map((one) => this.hex(one));
    return found.includes(null) ? null : found;
  }

  parts(text) {
    return text.split(/[,;]/).filter((one) => one.trim());
  }

  /* The first name in a list that is no place. */

  unknown(text) {
    return this.parts(text).find((one) => this.hex(one) === null)?.trim();
  }

  name(hex) {
    return hex ? (this.names.get(hex) ?? hex) : "";
  }
}

/* The similarity of two words, from 0 to 1: their longest common subsequence. */

function alike(one, other) {
  let row = new Array(other.length + 1).fill(0);
  for (const letter of one) {
    const next = [0];
    for (let place = 0; place < other.length; place += 1) {
      next.push(letter === other[place] ? row[place] + 1 : Math.max(row[place + 1], next[place]));
    }
    row = next;
  }
  return (2 * row[other.length]) / (one.length + other.length);
}
