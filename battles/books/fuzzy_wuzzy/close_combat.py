"""Close combat: opponents, dice and casualties."""

from collections.abc import Iterable
from typing import NamedTuple

from battles.books.fuzzy_wuzzy import board, dice, fire_combat
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import book, style_of
from battles.books.fuzzy_wuzzy.pieces import Grading, Purpose, Side, Style
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.dice import Roll
from battles.core.ledger import Ledger
from battles.tabletop.geometry import ahead, bearing


def casualties(style: Style, defender: Grading, score: int) -> int:
    """Return casualties of one die: a normal one for regulars, an average one for irregulars."""
    row = book().close(style, score)
    if row is None:
        return 0
    found: int = getattr(row, defender.value)
    return found


def casualties_of(style: Style, dice: Iterable[int], defender: Grading = Grading.LIGHT) -> int:
    """Return casualties of all the dice of a unit."""
    return sum(casualties(style, defender, score) for score in dice)


class Bout(NamedTuple):
    """A unit's fight with one enemy: the target, and the unwounded figures against it."""

    target: int
    figures: int


def bouts(state: State, unit: Unit) -> tuple[Bout, ...]:
    """Return the enemies that a unit fights: each of its stands the first that it touches."""
    taken: set[int] = set()
    found = []
    for enemy in board.in_contact(state, unit):
        places = {mine for mine, _ in board.contacts(unit, enemy)} - taken
        taken |= places
        figures = sum(board.fit(unit, place) for place in places)
        if figures:
            found.append(Bout(enemy.id, figures))
    return tuple(found)


def fight(ledger: Ledger[State], side: str) -> None:
    """Roll for every unit of the side in contact; casualties are placed after both sides."""
    for unit in board.on_field(ledger.state, Side(side)):
        for bout in bouts(ledger.state, unit):
            _throw(ledger, unit, bout)


def grading_of(state: State, unit: Unit, target: Unit) -> str:
    """Return the target's cover: works count if it has not moved this turn."""
    if target.id in state.moved:
        return "open"
    way = bearing(target.at, unit.at)
    out = ahead(target.at, way, 2 * book().number("cover") * 100)
    return board.shelter(state.field, out, target.at)


def _throw(ledger: Ledger[State], unit: Unit, bout: Bout) -> None:
    state = ledger.state
    style = style_of(unit.troops, Purpose.CLOSE_COMBAT)
    grading = fire_combat.defence_grading(grading_of(state, unit, state.units[bout.target]))
    scores = dice.throw(ledger, bout.figures, dice.unusual(style))
    hit = casualties_of(style, scores, grading)
    ledger.keep(
        Roll(
            "close combat",
            "Close combat 2",
            scores,
            total=sum(scores),
            result=f"{hit} casualties on {grading}",
            side=unit.side,
        )
    )
    ledger.emit(e.Fought(unit=unit.id, target=bout.target, casualties=hit))
