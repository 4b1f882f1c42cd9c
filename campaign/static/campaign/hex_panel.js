/* The panel about the hex that was chosen on the map, fetched from the server. */

import { makeElement } from "./elements.js";

const HIDDEN = "you may not see it, or are logged out. Load the page again";
const LOGGED_OUT = "You have been logged out: this is what everybody may see.";
const OTHER_USER = "Another user is logged in by now: this is what they may see.";
const OFFLINE = "there is no connection. Press it again once it is back";

/* Say that a panel was made for another user than the map beside it, which is a player's own. */
function warn(panel, owner) {
  if (["", owner].includes(document.documentElement.dataset.owner)) return;
  const note = makeElement("p", { className: "needs", textContent: `${owner ? OTHER_USER : LOGGED_OUT} ` });
  note.append(makeElement("a", { href: "", textContent: "Load the page again" }));
  panel.querySelector("header").after(note);
}

export class HexPanel {
  constructor(root) {
    this.root = root;
  }

  async ask(hex) {
    const panel = this.root.dataset.panel && document.querySelector(this.root.dataset.panel);
    const address = this.root.querySelector("#standing").dataset.hexUrl ?? this.root.dataset.hexUrl;
    if (!panel || !address) return;
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    try {
      const headers = { "HX-Request": "true" };
      const answer = await fetch(address.replace("0000", hex), { headers, signal: asking.signal });
      if (!answer.ok) throw new Error(answer.status === 404 ? HIDDEN : `the server answers ${answer.status}. Try again in a moment`);
      panel.innerHTML = await answer.text();
      warn(panel, panel.firstElementChild.dataset.owner);
      window.htmx?.process(panel);
    } catch (error) {
      const why = error instanceof TypeError ? OFFLINE : error.message;
      if (error.name !== "AbortError") panel.textContent = `Hex ${hex} cannot be shown: ${why}.`;
    }
  }
}
