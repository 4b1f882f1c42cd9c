/* The explanation of a word opens beside the word, within the window. */

const GAP = 6; // pixels between a word and its explanation, and from the window's edge

let opened = null; // the word that was pressed last

function place({ target, newState }) {
  if (newState !== "open" || !target.matches(".term-means") || !opened) return;
  const [word, means] = [opened.getBoundingClientRect(), target.getBoundingClientRect()];
  const below = word.bottom + GAP;
  const top = below + means.height <= innerHeight ? below : word.top - GAP - means.height;
  const left = Math.min(word.left, innerWidth - GAP - means.width);
  Object.assign(target.style, { top: `${Math.max(top, GAP)}px`, left: `${Math.max(left, GAP)}px` });
}

export function placeTerms() {
  document.addEventListener("click", ({ target }) => (opened = target.closest(".term") ?? opened), true);
  document.addEventListener("toggle", place, true);
}
