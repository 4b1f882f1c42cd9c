"""The reconnaissance phase: who observes whom (section 6)."""

from collections.abc import Iterable

from battles.books.fuzzy_wuzzy import board, reconnaissance
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Arm, Purpose, Rate, Side
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.books.fuzzy_wuzzy.troop_types import style_of
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger
from battles.open_table.points import distance

_OPEN = Modifier(book().number("open terrain"), "open terrain", "Reconnaissance 4")


def reconnoitre(ledger: Ledger[State], side: str) -> None:
    """Each unit of the side that has moved throws; who stands still keeps a look-out."""
    for unit in board.on_field(ledger.state, Side(side)):
        if unit.arm is Arm.TRANSPORT or not _hidden(ledger.state, unit.side):
            continue
        if reconnaissance.may_reconnoitre(ledger.state.moved.get(unit.id, Rate.STATIONARY)):
            _throw(ledger, unit)
        elif unit.id not in ledger.state.moved:
            score = book().number("look-out")
            _observe(ledger, unit, seen_by(ledger.state, unit, score), "look-out")


def by_contact(ledger: Ledger[State], side: str) -> None:
    """Who stands against the enemy is observed, if he was not before."""
    state = ledger.state
    for unit in board.on_field(state, Side(side)):
        if not unit.seen:
            touched = board.in_contact(state, unit)
            if touched:
                ledger.emit(e.Observed(units=(unit.id,), observer=touched[0].id, cause="contact"))


def seen_by(state: State, unit: Unit, die: int) -> tuple[int, ...]:
    """The enemies not observed before that the unit observes with such a score of the die."""
    style = style_of(unit.troops, Purpose.RECONNOITRE)
    return tuple(
        enemy.id
        for enemy in _hidden(state, unit.side)
        if _apart(unit, enemy)
        <= reconnaissance.observed_at(
            style,
            reconnaissance.size_of(enemy.stands),
            die,
            open_terrain=board.open_at(state.field, enemy.at),
        )
    )


def _throw(ledger: Ledger[State], unit: Unit) -> None:
    roll = ledger.roll(
        Roll("reconnaissance", "Reconnaissance 1", (0,), side=unit.side, result=f"unit {unit.id}")
    )
    found = seen_by(ledger.state, unit, roll.dice[0])
    if any(board.open_at(ledger.state.field, ledger.state.units[one].at) for one in found):
        ledger.amend(roll, modifiers=(_OPEN,), total=roll.total + _OPEN.value)
    _observe(ledger, unit, found, "reconnaissance")


def _observe(ledger: Ledger[State], unit: Unit, found: Iterable[int], cause: str) -> None:
    units = tuple(found)
    if units:
        ledger.emit(e.Observed(units=units, observer=unit.id, cause=cause))


def _hidden(state: State, side: Side) -> list[Unit]:
    return [one for one in board.enemies(state, side, seen=False) if not one.seen]


def _apart(unit: Unit, enemy: Unit) -> int:
    """About from edge to edge."""
    near = min(distance(unit.at, stand.at) for stand in board.stands_of(enemy))
    return near - board.SIDE
