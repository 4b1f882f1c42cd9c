/* Take the last deletion back: with the button at the foot of the sheet, or with Ctrl+Z.
 *
 * One deletion at a time can be taken back, until the sheet is changed again. The foot, which also
 * has the state of saving, stays in view: above the buttons of an open form, or below the papers.
 */

const foot = document.querySelector("#foot");
const line = document.querySelector("#undo");
const said = document.querySelector("#said");
let restore = null;

export function offerUndo(words, act) {
  restore = act;
  line.firstElementChild.textContent = words;
  line.hidden = false;
  said.textContent = `${words} Press Control and Z to take it back.`;
}

export function endUndo() {
  restore = null;
  line.hidden = true;
}

/* Delete a row of a form; `changed` is called then, and again once the row is back. */

export function deleteRow(row, words, changed) {
  const { parentElement: list, nextElementSibling: next } = row;
  row.remove();
  changed();
  offerUndo(words, () => {
    list.insertBefore(row, next?.parentElement === list ? next : null);
    changed();
    row.querySelector("input, select").focus();
  });
}

export function placeFoot() {
  const bar = document.querySelector("#compose:not([hidden]) .reading-bar");
  if (bar) bar.prepend(foot);
  else document.querySelector("#papers").append(foot);
}

function undo() {
  const act = restore;
  endUndo();
  act();
  said.textContent = "It is back.";
}

line.querySelector("button").addEventListener("click", undo);
document.addEventListener("keydown", (event) => {
  const { key, ctrlKey, metaKey, shiftKey, target } = event;
  const isTyping = target.matches("input:not([type=checkbox], [type=radio]), textarea");
  if (!restore || isTyping || shiftKey || !(ctrlKey || metaKey) || key.toLowerCase() !== "z") return;
  event.preventDefault();
  undo();
});
