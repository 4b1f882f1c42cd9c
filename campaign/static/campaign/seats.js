/* The form of an invitation: show the chosen side's commands only, and copy the link. */

import { copyText } from "../battles/clipboard.js";

const role = document.querySelector(".invite select[name=role]");
const commands = document.querySelector(".invite .posts");

function showCommands() {
  const plays = role.value === "egyptian" || role.value === "mahdist";
  commands.hidden = !plays;
  for (const group of commands.querySelectorAll(".commands")) {
    group.hidden = !plays || (group.dataset.side && group.dataset.side !== role.value);
    if (group.hidden) group.querySelectorAll("input").forEach((box) => (box.checked = false));
  }
}

if (role) {
  role.addEventListener("change", showCommands);
  showCommands();
}

const button = document.querySelector(".link-once .copy");
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = document.querySelector(".link-once .link");
    const isCopied = await copyText(link.value);
    if (!isCopied) link.select();
    document.querySelector("#copied").textContent = isCopied ? "Copied." : "Press Ctrl+C to copy it.";
  });
}
