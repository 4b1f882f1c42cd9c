/* Show times that are written in UTC in the reader's time zone. */

const said = new Intl.DateTimeFormat("en-GB", {
  weekday: "long", day: "numeric", month: "long", year: "numeric",
  hour: "2-digit", minute: "2-digit", timeZoneName: "short",
});

export function tellHours(within) {
  for (const time of within.querySelectorAll("time[data-hour]")) {
    time.title = time.title || time.textContent;
    time.textContent = said.format(new Date(time.dateTime)).replace(" at ", ", ");
  }
}
