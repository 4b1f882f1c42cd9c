/* Say that the campaign has gone on, with a link to reload: a page must not change while it is read. */

import "./follow.js";

document.body.addEventListener("gone-on", ({ detail }) => {
  const said = document.querySelector(".gone-on");
  const shown = document.querySelector("#papers").dataset.position;
  if (!said || String(detail.position) === shown || document.querySelector(".job")) return;
  const words = detail.finished ? "The campaign is over" : `The campaign has gone on: ${detail.month_name}`;
  said.firstElementChild.textContent = `${words}. Read on`;
  said.hidden = false;
});
