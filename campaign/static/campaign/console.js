/* The umpire's console: what the worklist names is shown on the map. */

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

/* A worklist that comes anew and is as it was is left alone: what is pressed, focused or unfolded there
   stays so. */

let told = document.querySelector("#worklist")?.innerHTML;

document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "worklist") return;
  const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  const anew = page.querySelector("#worklist")?.innerHTML;
  if (anew === told) detail.shouldSwap = false;
  told = anew;
});

/* A ruling begins with the hex that is looked at. */

map.addEventListener("hex", ({ detail }) => {
  const ruling = document.querySelector("#make-a-ruling");
  if (ruling) ruling.search = `?hex=${detail.hex}`;
});
document.addEventListener("click", press);
