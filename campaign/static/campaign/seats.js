/* The form of an invitation: show the chosen side's commands only, and copy the link. */

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

async function copy(link) {
  try {
    await navigator.clipboard.writeText(link.value);
  } catch {
    link.select(); // browsers have a clipboard only over https
    return document.execCommand("copy");
  }
  return true;
}

if (role) {
  role.addEventListener("change", showCommands);
  showCommands();
}

const button = document.querySelector(".link-once .copy");
if (button) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const done = await copy(document.querySelector(".link-once .link"));
    document.querySelector("#copied").textContent = done ? "Copied." : "Press Ctrl+C to copy it.";
  });
}
