"""Columns that cross the desert by the rules of each edition, as evidence for its numbers.

`python -m tests.crossings` prints a table. The engine marches each column straight towards its
goal, three marches a month, with no enemy and no leader. Units that fall out stay with the column.
It drinks where the month ends, draws on supply when the roll might hurt it, and begins each month
in good order.
"""

from collections.abc import Iterator
from statistics import mean
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from battles.contract.brief import Side, TroopKind
from battles.core.dice import ChainedDice, derive_key
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core.board import chart, laws
from campaign.rules.core.options import options
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.stacks import countable_units
from campaign.rules.supply import attrition_line, attrition_modifiers
from campaign.rules.tables.editions import Edition, named_editions, remember, shipped_edition
from campaign.staff.scene import distances
from tests.positions import position

TRIALS, LONGEST = 300, 12


class Crossing(NamedTuple):
    """A march like one of history: from, to, the column in counters, its side."""

    start: str
    end: str
    column: str
    side: str


MOUNTED_COLUMN = "4 camel corps british, 2 cavalry british"
FOOT_COLUMN = "8 infantry british"
CROSSINGS = (
    Crossing("Korti", "Metemmeh", MOUNTED_COLUMN, "egyptian"),
    Crossing("Korti", "Metemmeh", f"{MOUNTED_COLUMN}, supply, camel", "egyptian"),
    Crossing("Korti", "Metemmeh", FOOT_COLUMN, "egyptian"),
    Crossing("Korti", "Metemmeh", f"{FOOT_COLUMN}, 2 supply", "egyptian"),
    Crossing("Souakim", "Berber", FOOT_COLUMN, "egyptian"),
    Crossing("Souakim", "Berber", f"{FOOT_COLUMN}, 2 supply", "egyptian"),
    Crossing("Duem", "El Obeid", "12 infantry egyptian", "egyptian"),
    Crossing("El Obeid", "Omdurman", "12 spears mahdist", "mahdist"),
)


class Arrival(NamedTuple):
    """The months until a column arrived, its share of fighters then, and the supply it used."""

    months: int
    share: float
    supply: int


def crossing(edition: Edition, wanted: Crossing, number: int) -> Arrival | None:
    """March a column until it arrives; None if it perishes or is not there in a year."""
    dice = ChainedDice(derive_key(b"crossing", wanted.start, wanted.column, number))
    state = _at(edition, wanted.start, wanted.column, wanted.side)
    units = list(state.units.values())
    fighters, supply = _fighters(units), _supply(units)
    for month in range(1, LONGEST + 1):
        here = _march(state, wanted, dice)
        if here == chart(state).place(wanted.end).hex:
            left = _fighters(list(state.units.values()))
            return Arrival(month, left / fighters, supply - _supply(list(state.units.values())))
        if not state.units:
            return None
        thirst = _drink(state, wanted, here, dice)
        if not _fighters(thirst):
            return None
        state = _at(edition, f"{here:04}", _words(thirst), wanted.side)
    return None


def _at(edition: Edition, where: str, column: str, side: str) -> State:
    state: State = position(f"{where}: {column}", side=side, month="1884-12")
    state.edition = edition.digest
    return state


def _march(state: State, wanted: Crossing, dice: ChainedDice) -> HexId:
    """March three times straight on to the goal; return where the column stops."""
    far = distances(state, frozenset([chart(state).place(wanted.end).hex]))
    units = tuple(sorted(state.units))
    here = next(iter(state.units.values())).hex
    for _ in range(3):
        offered = options(state)
        if offered is None or (state.march is not None and not offered.may_march):
            break
        rules.play(state, a.March(tuple(state.march.units) if state.march else units), dice)
        asked = options(state)
        if asked is not None and asked.count:
            steady_first = sorted(asked.units, key=lambda unit: state.units[unit].disrupted)
            rules.play(state, a.Pick(tuple(steady_first[: asked.count])), dice)
        onward = options(state)
        if onward is None or onward.reach is None or state.march is None:
            break
        reach = onward.reach
        best = min(reach.costs, key=lambda one: (far[one], one))
        if best != here:
            rules.play(state, a.Move(reach.path(best)), dice)
            here = best
    return HexId(here)


def _drink(state: State, wanted: Crossing, here: HexId, dice: ChainedDice) -> list[Unit]:
    """Return the units left after the attrition phase (10.1 to 10.3)."""
    side, law = Side(wanted.side), laws(state)
    line = attrition_line(state, side, here)
    units = sorted(state.units.values(), key=lambda unit: unit.kind is TroopKind.SUPPLY)
    spared = law.attrition(line, 1)
    if spared is None or spared >= len(countable_units(units)):
        return units
    supply = [unit for unit in units if unit.kind is TroopKind.SUPPLY]
    if supply:
        units.remove(supply[0])
        return units
    (face,) = dice.throw(1, 6)
    change = sum(one.value for one in attrition_modifiers(state, side, here))
    left = law.attrition(line, face + change) or 0
    return units if side is Side.MAHDIST else units[: max(left, 0)]


def _fighters(units: list[Unit]) -> int:
    return sum(unit.kind not in (TroopKind.SUPPLY, TroopKind.CAMEL) for unit in units)


def _supply(units: list[Unit]) -> int:
    return sum(unit.kind is TroopKind.SUPPLY for unit in units)


def _words(units: list[Unit]) -> str:
    return ", ".join(
        str(unit.kind)
        if unit.kind in (TroopKind.SUPPLY, TroopKind.CAMEL)
        else f"{unit.kind} {unit.nation}"
        for unit in units
    )


def lines(trials: int = TRIALS) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table: a crossing by one edition."""
    editions = [
        ("as shipped", shipped_edition()),
        *((one.title, one.edition) for one in named_editions()),
    ]
    for wanted in CROSSINGS:
        for title, edition in editions:
            remember(edition)
            tried = [crossing(edition, wanted, number) for number in range(trials)]
            came = [one for one in tried if one is not None]
            yield (
                f"{wanted.start} to {wanted.end}",
                wanted.column,
                title,
                f"{len(came) / trials:.0%}",
                f"{mean(one.months for one in came):.1f}" if came else "",
                f"{mean(one.share for one in came):.0%}" if came else "",
                f"{mean(one.supply for one in came):.1f}" if came else "",
            )


def main() -> None:
    table = Table("way", "column", "edition", "arrive", "months", "of the men", "supply")
    for line in lines():
        table.add_row(*line)
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
