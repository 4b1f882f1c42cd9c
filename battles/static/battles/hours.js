/* Days and hours that are written in UTC, said as the clock of whoever reads them has them. */

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
