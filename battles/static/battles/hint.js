/* A hint that is longer than its room: the whole of it by a press. */

/* Make the hint of a new question a button where it is cut; once opened it stays so until the next. */

export function foldHint() {
  const hint = document.querySelector("#hint");
  if (!hint || hint.classList.contains("whole")) return;
  const isCut = hint.scrollHeight > hint.clientHeight + 1;
  hint.classList.toggle("cut", isCut);
  if (!isCut) return ["role", "tabindex", "aria-expanded"].forEach((name) => hint.removeAttribute(name));
  hint.setAttribute("role", "button");
  hint.setAttribute("tabindex", "0");
  hint.setAttribute("aria-expanded", "false");
}

function unfold(event) {
  const hint = event.target.closest("#hint.cut");
  if (!hint || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  const isWhole = hint.classList.toggle("whole");
  hint.setAttribute("aria-expanded", String(isWhole));
}

for (const kind of ["click", "keydown"]) document.addEventListener(kind, unfold);
