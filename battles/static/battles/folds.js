/* Keep what a reader has opened, and what an umpire has begun to write, while the page around it is exchanged. */

const FOLDS = ["#on-field", ".exact", ".key", ".keys", "#in-words", ".terms", "#umpire"];
const unfolded = new Set(); // of these folds: those that are open
const FIELDS = ":is(input:not([type=hidden]), select)";
let written = []; // fields of the umpire's forms in which something was written

export function noteFolds() {
  for (const fold of FOLDS) {
    const now = document.querySelector(fold);
    if (now) unfolded[now.open ? "add" : "delete"](fold);
  }
}

/* Note the fields of every form but the one that was `sent`. */

export function noteFields(sent) {
  const forms = [...document.querySelectorAll("#umpire form[class]")].filter((form) => form !== sent);
  const fields = forms.map((form) => [...form.querySelectorAll(FIELDS)]);
  written = fields.filter((some) => some.some(isWritten)).flat().map(({ id, value, checked }) => ({ id, value, checked }));
}

const isWritten = (field) => (field.options ? field.selectedIndex > 0 : field.value !== field.defaultValue || field.checked !== field.defaultChecked);

/* A unit or an entry that is not offered any more leaves its list without a choice. */

export function restoreFolds() {
  for (const fold of FOLDS) document.querySelector(fold)?.toggleAttribute("open", unfolded.has(fold));
  for (const { id, value, checked } of written) {
    const field = document.getElementById(id);
    if (field) Object.assign(field, { value, checked });
  }
  written = [];
}
