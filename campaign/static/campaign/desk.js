/* The campaign page: the scrubber, the way from a despatch to the map, the sheet on a telephone. */

const narrow = matchMedia("(max-width: 60rem)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/* The scrubber goes where the months' own links lead. */

function setUpScrubber() {
  const timeline = document.querySelector("#timeline");
  const scrubber = timeline.querySelector(".scrubber");
  const range = scrubber.querySelector("input");
  const months = [...timeline.querySelectorAll(".ruler li")];
  const links = months.map((month) => month.querySelector("a")).filter(Boolean);
  const name = (place) => links[place].title;
  range.max = links.length - 1;
  const share = narrow.matches ? 1 : links.length / months.length;
  range.style.width = `calc(${100 * share}%)`;
  range.oninput = () => {
    scrubber.querySelector("output").textContent = name(range.value);
    range.setAttribute("aria-valuetext", name(range.value));
  };
  range.onchange = () => links[range.value].click();
  scrubber.hidden = false;
  timeline.classList.add("live-scrubber");
}

/* A hex named in the papers is shown on the map and told about, as if it had been pressed there. */

function showOnMap(event) {
  const link = event.target.closest("a.to-hex");
  const map = document.querySelector("#map");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  if (!map.dataset.ready && map.dataset.ready !== "") return;
  event.preventDefault();
  map.dispatchEvent(new CustomEvent("show", { detail: { hex: link.dataset.hex } }));
}

document.addEventListener("click", showOnMap);
setUpScrubber();
