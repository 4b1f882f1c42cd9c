/* Buttons that copy the links of a battle's invitations. The page is exchanged while they are used: what has
 * been copied is kept here, and said outside the part that is exchanged. */

import { copyText } from "./clipboard.js";

const said = new Map(); // what was said of each link

/* Show the buttons of a new page, and what was said of them. */

export function dressInvitations() {
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.parentNode.querySelector(".copied").textContent = said.get(button.dataset.copy) ?? "";
  }
}

document.addEventListener("click", async ({ target }) => {
  const link = target.closest("[data-copy]")?.dataset.copy;
  if (!link) return;
  said.set(link, (await copyText(link)) ? "Copied." : "Your browser does not copy: select the link and copy it.");
  dressInvitations();
  document.querySelector("#said").textContent = said.get(link);
});
