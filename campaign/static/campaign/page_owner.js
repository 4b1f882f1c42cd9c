/* Load a page again that the browser shows from its memory, after Back, if somebody else is logged in by now.
 *
 * The browser may keep a page as it stood, scripts and all, and asks no server before it shows it. So
 * every page notes for whom it was made.
 */

const NOTE = "page-owner";
const { owner } = document.documentElement.dataset;

function note(act) {
  try {
    return act(localStorage);
  } catch {
    return owner; // a browser that stores nothing
  }
}

addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return void note((kept) => kept.setItem(NOTE, owner));
  if (note((kept) => kept.getItem(NOTE)) === owner) return;
  document.body.hidden = true;
  location.reload();
});
