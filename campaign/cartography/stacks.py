"""Stacks as counters: who stands together, what lies on top, and how it is said in a line."""

from collections import Counter
from dataclasses import dataclass
from itertools import product
from math import ceil, sqrt

from battles.drawing.pen import element, group, path
from campaign.cartography.counters import used
from campaign.cartography.sheet import Sheet
from campaign.rules.board import board, is_land, laws
from campaign.rules.book import Book
from campaign.rules.map import HexId, Map
from campaign.rules.pieces import CANNOT_MELEE, Kind, Side
from campaign.rules.state import State, Unit

APART = 22
"""How far each of two stacks of different sides in one hex stands from its centre."""

FAN_STEP = 90

WORDS = {
    Kind.INFANTRY: ("infantry", "infantry"),
    Kind.SPEARS: ("spearmen", "spearmen"),
    Kind.CAVALRY: ("cavalry", "cavalry"),
    Kind.CAMEL_CORPS: ("camel corps", "camel corps"),
    Kind.GUN: ("gun", "guns"),
    Kind.ENGINEERS: ("engineers", "engineers"),
    Kind.NAVAL: ("naval infantry", "naval infantry"),
    Kind.SUPPLY: ("supply", "supplies"),
    Kind.CAMEL: ("camel", "camels"),
    Kind.CIVILIANS: ("civilians", "civilians"),
    Kind.BOAT: ("boat", "boats"),
    Kind.GUNBOAT: ("gunboat", "gunboats"),
    Kind.FLEET: ("fleet", "fleets"),
}
ORDER = tuple(WORDS)


@dataclass(frozen=True)
class Stack:
    """All units of one side in one hex, the topmost first."""

    hex: HexId
    side: Side
    units: tuple[Unit, ...]
    besieged: bool
    law: Book

    @property
    def disrupted(self) -> int:
        """How many of its units are disrupted."""
        return sum(unit.disrupted for unit in self.units)

    @property
    def leaders(self) -> list[Unit]:
        """Its leaders."""
        return [unit for unit in self.units if unit.kind is Kind.LEADER]


def stacks(state: State) -> list[Stack]:
    """Every stack on the map, in the order of the hexes."""
    position = board(state)
    found = [_stack(state, hex_id, side) for side in Side for hex_id in position.hexes(side)]
    return sorted(found, key=lambda stack: (stack.hex, stack.side))


def _stack(state: State, hex_id: HexId, side: Side) -> Stack:
    units = board(state).stack(side, hex_id)
    invested = board(state).besieged(side, hex_id) and any(is_land(unit) for unit in units)
    return Stack(hex_id, side, tuple(sorted(units, key=_topmost)), invested, laws(state))


def _topmost(unit: Unit) -> tuple[bool, bool, int, int]:
    """Fighting units before the rest, the strongest first, leaders last: their flag shows them."""
    rest = unit.kind in CANNOT_MELEE or unit.kind is Kind.CIVILIANS
    return (unit.kind is Kind.LEADER, rest, -unit.strength, unit.id)


def said(stack: Stack, chart: Map) -> str:
    """The stack in a line: "Khartoum: 8 Egyptian infantry, 2 Egyptian guns, Gordon; besieged"."""
    parts = [*_counted(stack), *(leader.name for leader in stack.leaders)]
    line = f"{chart.describe(stack.hex)}: {', '.join(parts)}"
    if stack.disrupted:
        line += f"; {stack.disrupted} of {len(stack.units)} disrupted"
    return line + ("; besieged" if stack.besieged else "")


def _counted(stack: Stack) -> list[str]:
    troops = [unit for unit in stack.units if unit.kind is not Kind.LEADER]
    counts = Counter((unit.nation, unit.kind) for unit in troops)
    ranked = sorted(counts, key=lambda key: (key[0], ORDER.index(key[1])))
    return [
        f"{counts[nation, kind]} {nation.title()} {WORDS[kind][counts[nation, kind] > 1]}"
        for nation, kind in ranked
    ]


def drawn(sheet: Sheet, stack: Stack, *, shared: bool) -> str:
    """The stack on the map; `shared` where the enemy stands in the same hex."""
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
        aria_label=said(stack, sheet.map),
        aria_expanded="false" if len(stack.units) > 1 else None,
    )


def _pile(stack: Stack) -> list[str]:
    top, size = stack.units[0], len(stack.units)
    below = [
        group(f"unit {top.nation}", element("use", href="#u-card", x=off, y=-off))
        for off in (10, 5)
        if size > off // 5
    ]
    marks = [
        element("use", href="#u-siege") if stack.besieged else "",
        _flag(stack) if stack.leaders and top.kind is not Kind.LEADER else "",
    ]
    return [*marks, *below, used(top, stack.law), _alarm(stack), _count(size)]


def _flag(stack: Stack) -> str:
    nation = stack.leaders[0].nation
    return group(f"unit {nation}", element("use", href="#u-flag", x=-34, y=-30))


def _alarm(stack: Stack) -> str:
    """The mark of a stack with disrupted units below one in good order."""
    if not stack.disrupted or stack.units[0].disrupted:
        return ""
    return element("use", href="#u-disrupted", x=-28, y=30)


def _count(size: int) -> str:
    if size == 1:
        return ""
    number = element("text", str(size), y=8)
    disc = element("circle", r=17)
    return group("count", disc, number, transform="translate(36,-36)")


def _fan(stack: Stack) -> str:
    """All counters side by side, shown when the stack is opened."""
    size = len(stack.units)
    if size == 1:
        return ""
    columns = ceil(sqrt(1.5 * size))
    rows = ceil(size / columns)
    west, north = -FAN_STEP * (columns - 1) // 2, -FAN_STEP * (rows - 1) // 2
    places = product(range(rows), range(columns))
    cards = [
        used(unit, stack.law, (west + FAN_STEP * column, north + FAN_STEP * row))
        for (row, column), unit in zip(places, stack.units, strict=False)
    ]
    wide, high = FAN_STEP * columns + 24, FAN_STEP * rows + 24
    tray = path(f"M{-wide // 2} {-high // 2}h{wide}v{high}h-{wide}z", "tray")
    return group("fan", tray, *cards)
