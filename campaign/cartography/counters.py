"""Counters: units, stacks and sightings, drawn as half-inch cards.

It also describes a stack in a line, and holds the symbols that a campaign draws repeatedly.
"""

from dataclasses import dataclass
from itertools import product
from math import ceil, sqrt

from battles.contract.brief import CANNOT_MELEE, Nation, Side, TroopKind
from battles.drawing.pieces import (
    arms,
    card,
    card_symbol,
    disrupted_symbol,
    draw_disrupted_mark,
    flag_symbol,
    pictogram,
    symbol_id,
)
from battles.drawing.svg import element, group, path, text
from campaign.cartography.sheet import MapSheet, width
from campaign.rules.core.board import board, is_land, laws
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId, Map
from campaign.rules.prose.names import describe_stack
from campaign.rules.prose.situation import describe_marker
from campaign.rules.sight import Sighting, StackSize
from campaign.rules.tables.book import CampaignTables, book

SIDE = 100
"""Width and height of a single counter, tilted or not."""

NAME_ROOM = 68
TILT = -10


def counter(unit: Unit, law: CampaignTables | None = None) -> str:
    """Return a single counter as a small SVG document whose inks are those of ink.css.

    A leader's ratings are those of the tables in `law`, by default the shipped ones.
    """
    half, words = SIDE // 2, value(unit, law)
    return element(
        "svg",
        _unit(
            unit,
            words,
            card(),
            pictogram(unit.kind, **_pictogram_place(unit, words)),
            draw_disrupted_mark(),
        ),
        xmlns="http://www.w3.org/2000/svg",
        class_="counter",
        viewBox=f"-{half} -{half} {SIDE} {SIDE}",
        width=SIDE // 2,
        height=SIDE // 2,
        aria_hidden="true",
    )


def counter_from_symbols(unit: Unit, law: CampaignTables, at: tuple[int, int] = (0, 0)) -> str:
    """Return the same counter made of the symbols of an overlay, placed at a point."""
    words = value(unit, law)
    drawn = _unit(
        unit,
        words,
        element("use", href="#u-card"),
        element("use", href=f"#{symbol_id(unit.kind)}", **_pictogram_place(unit, words)),
        element("use", href="#u-disrupted"),
    )
    return drawn if at == (0, 0) else element("g", drawn, transform=f"translate({at[0]},{at[1]})")


def value(unit: Unit, law: CampaignTables | None = None) -> str:
    """Return the large print: strength and quality, or a leader's ratings."""
    if unit.kind is TroopKind.LEADER:
        ratings = (law or book()).leader(unit.name)
        return f"{ratings.strategic}·{ratings.tactical}"
    return "" if unit.kind in CANNOT_MELEE or not unit.quality else f"{unit.strength}{unit.quality}"


def _unit(unit: Unit, words: str, card_: str, sign: str, alarm: str) -> str:
    return group(
        f"unit {unit.nation}",
        card_,
        _band(unit.nation),
        sign,
        _name(unit, words),
        _value(unit, words),
        element("g", alarm, transform="translate(-30,29)scale(.85)") if unit.disrupted else "",
        transform=f"rotate({TILT})" if unit.disrupted else None,
    )


def _pictogram_place(unit: Unit, words: str) -> dict[str, str]:
    """Return the pictogram's position: above the figures, or large where there are none."""
    if words:
        return {"transform": "translate(0,-19)scale(.85)" if unit.name else "translate(0,-16)"}
    return {"transform": f"translate(0,{-6 if unit.name else 0})scale(1.15)"}


def _band(nation: Nation) -> str:
    """Return the band that tells apart the two nations in khaki."""
    colours = {Nation.INDIAN: "band-indian", Nation.AUSTRALIAN: "band-australian"}
    return path("M-33-37h66l4 4v3h-74v-3z", colours[nation]) if nation in colours else ""


def _name(unit: Unit, words: str) -> str:
    if not unit.name:
        return ""
    tight = width(unit.name, 12) > NAME_ROOM
    return element(
        "text",
        text(unit.name),
        class_="unit-name",
        y=10 if words else 32,
        textLength=NAME_ROOM if tight else None,
        lengthAdjust="spacingAndGlyphs" if tight else None,
    )


def _value(unit: Unit, words: str) -> str:
    return (
        element("text", text(words), class_="ratings" if unit.name else "value", y=34)
        if words
        else ""
    )


APART = 22
"""Distance from the centre of a hex for each of two stacks of different sides."""

FAN_STEP = 90
WORDS = {
    TroopKind.INFANTRY: ("infantry", "infantry"),
    TroopKind.SPEARS: ("spearmen", "spearmen"),
    TroopKind.CAVALRY: ("cavalry", "cavalry"),
    TroopKind.CAMEL_CORPS: ("camel corps", "camel corps"),
    TroopKind.GUN: ("gun", "guns"),
    TroopKind.ENGINEERS: ("engineers", "engineers"),
    TroopKind.NAVAL: ("naval infantry", "naval infantry"),
    TroopKind.SUPPLY: ("supply", "supplies"),
    TroopKind.CAMEL: ("camel", "camels"),
    TroopKind.CIVILIANS: ("civilians", "civilians"),
    TroopKind.BOAT: ("boat", "boats"),
    TroopKind.GUNBOAT: ("gunboat", "gunboats"),
    TroopKind.FLEET: ("fleet", "fleets"),
}


@dataclass(frozen=True)
class CounterStack:
    """All units of one side in one hex, the topmost first."""

    hex: HexId
    side: Side
    units: tuple[Unit, ...]
    besieged: bool
    law: CampaignTables

    @property
    def disrupted(self) -> int:
        """Return the number of its disrupted units."""
        return sum(unit.disrupted for unit in self.units)

    @property
    def leaders(self) -> list[Unit]:
        """Return its leaders."""
        return [unit for unit in self.units if unit.kind is TroopKind.LEADER]


def stacks(state: State) -> list[CounterStack]:
    """Return every stack on the map, in the order of the hexes."""
    position = board(state)
    counter_stacks = [
        _stack(state, hex_id, side) for side in Side for hex_id in position.hexes(side)
    ]
    return sorted(counter_stacks, key=lambda stack: (stack.hex, stack.side))


def _stack(state: State, hex_id: HexId, side: Side) -> CounterStack:
    units = board(state).stack(side, hex_id)
    invested = board(state).besieged(side, hex_id) and any(is_land(unit) for unit in units)
    return CounterStack(hex_id, side, tuple(sorted(units, key=_topmost)), invested, laws(state))


def _topmost(unit: Unit) -> tuple[bool, bool, int, int]:
    """Return the sort key: fighting units, the strongest first; leaders last, shown by a flag."""
    rest = unit.kind in CANNOT_MELEE or unit.kind is TroopKind.CIVILIANS
    return (unit.kind is TroopKind.LEADER, rest, -unit.strength, unit.id)


def describe_counter_stack(stack: CounterStack, chart: Map) -> str:
    """Return the stack in a line.

    For example "Khartoum: eight Egyptian battalions, two guns and General Gordon; besieged".
    """
    line = f"{chart.describe(stack.hex)}: {describe_stack(stack.units)}"
    if stack.disrupted:
        line += f"; {stack.disrupted} of {len(stack.units)} disrupted"
    return line + ("; besieged" if stack.besieged else "")


def draw_stack(sheet: MapSheet, stack: CounterStack, *, shared: bool) -> str:
    """Return the stack on the map; `shared` if the enemy stands in the same hex."""
    x, y = sheet.centre(stack.hex)
    if shared:
        x += APART if stack.side is Side.MAHDIST else -APART
    return group(
        f"stack {stack.side}",
        element("g", *_pile(stack), _fan(stack), class_="c"),
        transform=f"translate({x},{y})",
        data_hex=f"{stack.hex:04d}",
        data_side=stack.side,
        tabindex=0,
        role="button",
        aria_label=describe_counter_stack(stack, sheet.map),
        aria_expanded="false" if len(stack.units) > 1 else None,
    )


def _pile(stack: CounterStack) -> list[str]:
    top, size = stack.units[0], len(stack.units)
    below = [
        group(f"unit {top.nation}", element("use", href="#u-card", x=off, y=-off))
        for off in (10, 5)
        if size > off // 5
    ]
    marks = [
        element("use", href="#u-siege") if stack.besieged else "",
        _flag(stack) if stack.leaders and top.kind is not TroopKind.LEADER else "",
    ]
    return [*marks, *below, counter_from_symbols(top, stack.law), _alarm(stack), _count(size)]


def _flag(stack: CounterStack) -> str:
    nation = stack.leaders[0].nation
    return group(f"unit {nation}", element("use", href="#u-flag", x=-34, y=-30))


def _alarm(stack: CounterStack) -> str:
    """Return the mark of a stack with disrupted units below one in good order."""
    if not stack.disrupted or stack.units[0].disrupted:
        return ""
    return element("use", href="#u-disrupted", x=-28, y=30)


def _count(size: int) -> str:
    if size == 1:
        return ""
    number = element("text", str(size), y=8)
    disc = element("circle", r=17)
    return group("count", disc, number, transform="translate(36,-36)")


def _fan(stack: CounterStack) -> str:
    """Return all counters side by side, shown when the stack is opened."""
    size = len(stack.units)
    if size == 1:
        return ""
    columns = ceil(sqrt(1.5 * size))
    rows = ceil(size / columns)
    west, north = -FAN_STEP * (columns - 1) // 2, -FAN_STEP * (rows - 1) // 2
    places = product(range(rows), range(columns))
    cards = [
        counter_from_symbols(unit, stack.law, (west + FAN_STEP * column, north + FAN_STEP * row))
        for (row, column), unit in zip(places, stack.units, strict=False)
    ]
    wide, high = FAN_STEP * columns + 24, FAN_STEP * rows + 24
    tray = path(f"M{-wide // 2} {-high // 2}h{wide}v{high}h-{wide}z", "tray")
    return group("fan", tray, *cards)


HALF = 38
_MARKS = {
    StackSize.HANDFUL: "1–3",
    StackSize.BODY: "4–9",
    StackSize.FORCE: "10–19",
    StackSize.HOST: "20+",
}


def draw_sighting(sheet: MapSheet, seen: Sighting, now: Month) -> str:
    """Return a blank card with the size of a sighting, and its month if it is an old one."""
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
        aria_label=describe_marker(seen, now),
    )


def short_month(month: Month) -> str:
    """Return a month as `Mar 84`."""
    name, year = month_name(month).split()
    return f"{name[:3]} {year[2:]}"


def symbols() -> str:
    """Return card, pictograms and marks, to be used by their ids."""
    railhead = path("M-20-14v28M20-14v28M-20 0h40", "railhead", id="u-railhead")
    return f"{arms()}{card_symbol()}{flag_symbol()}{disrupted_symbol()}{_siege()}{railhead}"


def _siege() -> str:
    """Return siege works: a broken ring with teeth towards the place."""
    ring = element("circle", r=62, class_="siege")
    teeth = "M0-62v12M0 62v-12M-62 0h12M62 0h-12M-44-44l9 9M44 44l-9-9M-44 44l9-9M44-44l-9 9"
    return element("g", ring, path(teeth, "siege-teeth"), id="u-siege")
