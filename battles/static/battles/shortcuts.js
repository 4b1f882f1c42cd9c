/* Shortcuts of a single key, which can be switched off, as dictation or a slip may press them (WCAG 2.1.4).
 * The browser keeps the choice. */

const KEPT = "shortcuts-off";
let off = ""; // for a browser that stores nothing

export function shortcutsOn() {
  try {
    return !localStorage.getItem(KEPT);
  } catch {
    return !off;
  }
}

/* Show the switches, on a page that has just been exchanged too. */

export function dressShortcuts() {
  for (const box of document.querySelectorAll("#shortcuts")) {
    box.checked = shortcutsOn();
    box.closest("[hidden]")?.removeAttribute("hidden");
  }
  if (!shortcutsOn()) document.querySelector("[aria-keyshortcuts]")?.removeAttribute("aria-keyshortcuts");
}

document.addEventListener("change", ({ target }) => {
  if (target.id !== "shortcuts") return;
  off = target.checked ? "" : "off";
  try {
    localStorage.setItem(KEPT, off);
  } catch {
    // it holds until the page is left
  }
  dressShortcuts();
});
dressShortcuts();
