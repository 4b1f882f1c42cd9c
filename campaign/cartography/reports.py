"""Stacks of the enemy that are known by their size alone, or that were seen in an earlier month."""

from collections.abc import Iterable, Iterator

from battles.drawing.pen import element, group
from campaign.cartography.sheet import Sheet
from campaign.rules.english.sightings import marker_in_words
from campaign.rules.pieces import Month, month_name
from campaign.rules.sight import Sighting, Size

HALF = 38
_MARKS = {Size.HANDFUL: "1–3", Size.BODY: "4–9", Size.FORCE: "10–19", Size.HOST: "20+"}


def reported(sheet: Sheet, seen: Iterable[Sighting], now: Month) -> Iterator[str]:
    """A blank card for each, with its size, and with the month where that is not this one."""
    for one in seen:
        yield _card(sheet, one, now)


def _card(sheet: Sheet, seen: Sighting, now: Month) -> str:
    x, y = sheet.centre(seen.hex)
    old = seen.month < now or seen.passing
    card = element(
        "g",
        element("rect", x=-HALF, y=-HALF, width=2 * HALF, height=2 * HALF),
        element("text", "?", class_="unknown", y=-4),
        element("text", _MARKS[seen.size], class_="size", y=28),
        element("text", short_month(seen.month), class_="seen-in", y=HALF + 24) if old else "",
        class_="c",
    )
    return group(
        f"stack report {seen.side}{' old' if old else ''}",
        card,
        transform=f"translate({x},{y})",
        data_hex=f"{seen.hex:04d}",
        data_side=seen.side,
        tabindex=0,
        role="button",
        aria_label=marker_in_words(seen, now),
    )


def short_month(month: Month) -> str:
    """`Mar 84`."""
    name, year = month_name(month).split()
    return f"{name[:3]} {year[2:]}"
