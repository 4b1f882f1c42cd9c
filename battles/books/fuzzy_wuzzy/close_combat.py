"""Close combat, and the results of fire and close combat (12 and 13)."""

from collections.abc import Iterable
from typing import NamedTuple

from battles.books.fuzzy_wuzzy import board, firing
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import ResultRow, book, style_of
from battles.books.fuzzy_wuzzy.names import casualties_in_words
from battles.books.fuzzy_wuzzy.pieces import (
    Arm,
    Combat,
    Compared,
    Does,
    Grading,
    Purpose,
    Rate,
    Style,
)
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.core.game import Ledger
from battles.tabletop.geometry import ahead, bearing_between

# The results of fire and of close combat (sections 11 and 14).


class Result(NamedTuple):
    """A unit's duty or choice after a combat, its rate, and whether it lasts until rallied."""

    does: Does
    rate: Rate | None = None
    until_rallied: bool = False
    clause: str = ""

    @property
    def forced(self) -> bool:
        """Return whether it is a duty and leaves the Commander no choice."""
        return self.does in (Does.RETREATS, Does.RETREATS_NEXT, Does.HALTS)


class ResultCase(NamedTuple):
    """A unit after a combat; `enemy_retreats`, of the enemies it fought, is for close combat."""

    combat: Combat
    compared: Compared
    style: Style
    arm: Arm
    enemy_retreats: bool = False


def compare(caused: int, suffered: int) -> Compared:
    """Return casualties caused against casualties suffered; any against none are twice as many."""
    if caused > suffered:
        return Compared.MORE
    if caused == suffered:
        return Compared.AS_MANY
    return Compared.FEWER if suffered < 2 * caused else Compared.TWICE


def needs_die(case: ResultCase) -> bool:
    """Return whether the result needs a normal die."""
    return bool(_rows(case)[0].scores)


def result(case: ResultCase, die: int = 0) -> Result:
    """Return the result for such a unit, with a `die` where one is needed.

    Raises LookupError for a score that the table does not have.
    """
    for row in _rows(case):
        if not row.scores or die in row.scores:
            return Result(row.does, row.rate, row.until_rallied, row.clause)
    raise LookupError(f"A normal die shows 1 to 6, and this one {die}.")


def _rows(case: ResultCase) -> tuple[ResultRow, ...]:
    return book().results(
        case.combat, case.compared, case.style, case.arm, retreats=case.enemy_retreats
    )


# Close combat: opponents, dice and casualties.


def casualties(style: Style, defender: Grading, score: int) -> int:
    """Return casualties of one die: a normal one for regulars, an average one for irregulars."""
    row = book().close(style, score)
    if row is None:
        return 0
    count: int = getattr(row, defender.value)
    return count


def casualties_of(style: Style, dice: Iterable[int], defender: Grading = Grading.LIGHT) -> int:
    """Return casualties of all the dice of a unit."""
    return sum(casualties(style, defender, score) for score in dice)


class Bout(NamedTuple):
    """A unit's fight with one enemy: the target, and the unwounded figures against it."""

    target: int
    figures: int


def bouts(state: State, unit: Unit) -> tuple[Bout, ...]:
    """Return the enemies that a unit fights: each of its stands the first that it touches."""
    used_places: set[int] = set()
    fights = []
    for enemy in board.in_contact(state, unit):
        places = {place for place, _ in board.contacts(unit, enemy)} - used_places
        used_places |= places
        figures = sum(board.fit(unit, place) for place in places)
        if figures:
            fights.append(Bout(enemy.id, figures))
    return tuple(fights)


def fight(ledger: Ledger[State], side: str) -> None:
    """Roll for every unit of the side in contact; casualties are placed after both sides."""
    for unit in board.on_field(ledger.state, Side(side)):
        for bout in bouts(ledger.state, unit):
            _throw(ledger, unit, bout)


def grading_of(state: State, unit: Unit, target: Unit) -> str:
    """Return the target's cover: works count if it has not moved this turn."""
    if target.id in state.moved:
        return "open"
    way = bearing_between(target.at, unit.at)
    out = ahead(target.at, way, 2 * book().number("cover") * 100)
    return board.shelter(state.field, out, target.at)


def _throw(ledger: Ledger[State], unit: Unit, bout: Bout) -> None:
    state = ledger.state
    style = style_of(unit.troops, Purpose.CLOSE_COMBAT)
    grading = firing.defence_grading(grading_of(state, unit, state.units[bout.target]))
    scores = firing.throw(ledger, bout.figures, firing.unusual(style))
    hit = casualties_of(style, scores, grading)
    ledger.keep(
        Roll(
            "close combat",
            "Close combat 2",
            scores,
            total=sum(scores),
            result=f"{casualties_in_words(hit)}, {grading} target",
            side=unit.side,
        )
    )
    ledger.emit(e.Fought(unit=unit.id, target=bout.target, casualties=hit))
