/* The umpire's console: show hexes of the worklist on the map. */

const narrow = matchMedia("(max-width: 60rem)");
const map = document.querySelector("#map");

function press(event) {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button;
  if (elsewhere || !("ready" in map.dataset)) return;
  const link = event.target.closest("a.to-hex");
  if (link) {
    event.preventDefault();
    if (narrow.matches) map.scrollIntoView({ block: "start" });
    map.dispatchEvent(new CustomEvent("show", { detail: { hex: link.dataset.hex } }));
  } else if (event.target.closest("#hex .close")) {
    event.preventDefault();
    document.querySelector("#hex").replaceChildren();
    map.focus({ preventScroll: true });
  }
}

/* Do not swap in an unchanged worklist, so that it keeps its focus and its open sections. */

let told = document.querySelector("#worklist")?.innerHTML;

document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "worklist") return;
  const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  const fresh = page.querySelector("#worklist")?.innerHTML;
  if (fresh === told) detail.shouldSwap = false;
  told = fresh;
});

/* A new ruling begins with the chosen hex. */

map.addEventListener("hex", ({ detail }) => {
  const ruling = document.querySelector("#make-a-ruling");
  if (ruling) ruling.search = `?hex=${detail.hex}`;
});
document.addEventListener("click", press);
