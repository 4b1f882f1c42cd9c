"""What a campaign changes on the map: railways, who holds what, sieges, and the stacks."""

from collections import Counter
from collections.abc import Iterable, Iterator

from battles.drawing.pen import element, group, text
from campaign.cartography.cartouche import month_at
from campaign.cartography.marks import symbols
from campaign.cartography.places import rank, where
from campaign.cartography.reports import reported
from campaign.cartography.sheet import Sheet
from campaign.cartography.stacks import drawn, stacks
from campaign.cartography.ways import railway
from campaign.rules.board import scenario_of
from campaign.rules.map import HexId
from campaign.rules.pieces import Side, month_name
from campaign.rules.railways import lines
from campaign.rules.sight import Sighting
from campaign.rules.state import State


def standing(
    sheet: Sheet, state: State, hex_url: str | None = None, seen: Iterable[Sighting] = ()
) -> str:
    """All that is drawn over the printed map at this moment, as one group.

    `seen` are stacks that are known by their size alone.
    """
    return element(
        "g",
        element("defs", symbols()),
        _month(sheet, state),
        group("layer-railways", *_railways(sheet, state)),
        group("layer-control", *_flags(sheet, state)),
        group("layer-counters", *reported(sheet, seen, state.month), *_stacks(sheet, state)),
        id="standing",
        data_hex_url=hex_url,
    )


def held(state: State) -> frozenset[HexId]:
    """The hexes in which a stack stands."""
    return frozenset(stack.hex for stack in stacks(state))


def _month(sheet: Sheet, state: State) -> str:
    x, y = month_at(sheet)
    words = month_name(state.month).upper()
    return element("text", text(words), class_="month", x=x, y=y)


def _railways(sheet: Sheet, state: State) -> Iterator[str]:
    """The lines as far as they run, and the railhead of one that is being built."""
    hexes = lines(state)
    printed = {line.id for line in scenario_of(state).line if line.built}
    for line, count in state.railheads.items():
        done = hexes[line][:count]
        if len(done) > 1:
            yield railway(sheet, done)
        if line not in printed and done:
            x, y = sheet.centre(done[-1])
            yield element("use", href="#u-railhead", x=x, y=y)


def _flags(sheet: Sheet, state: State) -> Iterator[str]:
    """The flag of the side that holds each place."""
    for place in sheet.map.places.values():
        side = state.control.get(place.hex)
        if side is not None and sheet.map.hexes[place.hex].place == place.name:
            x, y = where(sheet, place)
            flag = element("use", href="#u-flag", transform="translate(-9,-5)scale(.7)")
            yield group(
                f"flag flag-{side} rank-{rank(place)}",
                element("g", flag, class_="k"),
                transform=f"translate({x},{y})",
            )


def _stacks(sheet: Sheet, state: State) -> Iterator[str]:
    """Every stack once, those besieged and the Egyptian player's drawn last, on top."""
    all_stacks = stacks(state)
    sharing = Counter(stack.hex for stack in all_stacks)
    ranked = sorted(all_stacks, key=lambda s: (s.besieged, s.side is Side.EGYPTIAN, s.hex))
    for stack in ranked:
        yield drawn(sheet, stack, shared=sharing[stack.hex] > 1)
