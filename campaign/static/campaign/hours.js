/* Show the hours of a page, which are written in another time zone, in the reader's own.
 *
 * A clock that nobody has set yet is offered in the reader's zone, if its list has that. As the default
 * of the field it takes the place of nothing that was typed. */

const PARTS = { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };
const MORE = { "": {}, weekday: { weekday: "long" }, seconds: { second: "2-digit" } };

function show(time) {
  time.title ||= time.textContent;
  const words = new Intl.DateTimeFormat("en-GB", { ...PARTS, ...MORE[time.dataset.hour] });
  time.textContent = words.format(new Date(time.dateTime)).replace(" at ", ", ");
}

/* Parts of a page are exchanged while it is read. */

function showWithin(node) {
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  if (node.matches("time[data-hour]")) show(node);
  else node.querySelectorAll("time[data-hour]").forEach(show);
}

showWithin(document.body);
new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(showWithin)))
  .observe(document.body, { childList: true, subtree: true });

const clock = document.querySelector("[data-offer-zone] input");
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (clock && [...clock.list.options].some(({ value }) => value === timeZone)) clock.defaultValue = timeZone;
