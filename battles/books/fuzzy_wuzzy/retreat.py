"""Retreats: away from the enemy, at once or move after move (sections 11, 14 and 16)."""

from collections.abc import Iterator

from battles.books.fuzzy_wuzzy import board, dice, movement, ways
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import SCALE, book, style_of
from battles.books.fuzzy_wuzzy.pieces import Purpose, Rate, Side
from battles.books.fuzzy_wuzzy.recovery import placed
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.dice import Roll
from battles.core.ledger import Ledger
from battles.tabletop.field import on_table
from battles.tabletop.formations import TableFormation, free_way
from battles.tabletop.geometry import TablePoint, ahead, bearing, distance

_TURNS = (0, 45, -45, 90, -90)
_BROKEN = {
    TableFormation.UNLIMBERED: TableFormation.LIMBERED,
    TableFormation.SQUARE: TableFormation.LINE,
}
"""The formation of a retreating unit: guns limber up, squares break into line."""


def throw_pace(ledger: Ledger[State], unit: Unit, rate: Rate, reason: str) -> int:
    """Roll a unit's distance at a rate, and return it in hundredths."""
    style = style_of(unit.troops, Purpose.MOVE)
    count, kind = movement.dice_of(style, unit.moves_as, rate)
    scores = dice.throw(ledger, count, kind)
    ledger.keep(
        Roll(
            reason,
            "Movement 1",
            scores,
            total=sum(scores),
            result=f"{sum(scores)} cm for unit {unit.id}",
            side=unit.side,
        )
    )
    return movement.distance(scores)


def go_back(ledger: Ledger[State], unit: Unit, rate: Rate) -> None:
    """Make the unit retreat as far as its dice allow, off the field if it gets there.

    A unit that cannot move back at all is hemmed in: each of its stands has another casualty.
    """
    if unit.id in ledger.state.retreated:
        return
    length = throw_pace(ledger, unit, rate, "retreat")
    state = ledger.state
    if unit.formation in _BROKEN:
        broken = _BROKEN[unit.formation]
        ledger.emit(
            e.Formed(unit=unit.id, formation=broken, cause="retreat", dismounted=unit.dismounted)
        )
    way, free = _way_out(state, unit, length)
    if free < SCALE:
        _hemmed_in(ledger, unit)
        return
    end = somewhere_free(state, unit, way, free)
    if end is None:
        cause = "wounded" if unit.wounded else "retreat"
        ledger.emit(e.Left(unit=unit.id, cause=cause))
        return
    ledger.emit(
        e.Moved(
            unit=unit.id,
            to=end,
            facing=way,
            rate=rate,
            cost=distance(unit.at, end),
            cause="retreat",
        )
    )


def retreats(ledger: Ledger[State], side: str) -> None:
    """Continue the retreats of units not rallied; the wounded march (phase 8)."""
    for unit in board.on_field(ledger.state, Side(side)):
        if unit.wounded:
            go_back(ledger, unit, Rate.MARCH)
        elif unit.retreating:
            go_back(ledger, unit, Rate.CHARGE)


def _way_out(state: State, unit: Unit, length: int) -> tuple[int, int]:
    """Return the bearing of the retreat, and its length free of enemies."""
    others = board.stands(
        enemy
        for enemy in board.enemies(state, unit.side, seen=False)
        if board.are_near(unit, enemy, length)
    )
    best = (0, -1)
    for way in _bearings(state, unit):
        if ways.is_wet(state.field, unit.at, ahead(unit.at, way, length)):
            continue
        free = free_way(board.stands_at(unit, unit.at, way), way, length, others).length
        if free >= length:
            return way, free
        if free > best[1]:
            best = way, free
    return best


def _bearings(state: State, unit: Unit) -> Iterator[int]:
    """Yield bearings straight away from the threat, then further aside, then homewards."""
    home = state.homes[unit.side]
    threat = unit.threat or _nearest(state, unit)
    away = home if threat is None or unit.wounded else bearing(threat, unit.at)
    yield from ((away + turn) % 360 for turn in _TURNS)
    yield home


def _nearest(state: State, unit: Unit) -> TablePoint | None:
    places = [enemy.at for enemy in board.enemies(state, unit.side)]
    return min(places, key=lambda at: (distance(at, unit.at), at), default=None)


def somewhere_free(state: State, unit: Unit, way: int, length: int) -> TablePoint | None:
    """Return the first free place at `length` along a bearing, or further.

    None beyond the edge of the field.
    """
    for more in range(0, state.field.width + state.field.height, board.SIDE):
        at = ahead(unit.at, way, length + more)
        if not on_table(state.field, board.stands_at(unit, at, way)):
            return None
        if ways.stands_freely(state, unit, at, way):
            return at
    return None


def _hemmed_in(ledger: Ledger[State], unit: Unit) -> None:
    each = book().number("hemmed in") * unit.stands
    take(ledger, unit, each, "hemmed in")


def take(ledger: Ledger[State], unit: Unit, casualties: int, cause: str = "casualties") -> None:
    """Place casualties on a unit; it is destroyed when it has no stand left."""
    after = placed(unit.markers, casualties, board.figures_of(unit))
    if not after.markers:
        ledger.emit(e.Lost(unit=unit.id, cause=cause))
        return
    ledger.emit(
        e.CasualtiesTaken(
            unit=unit.id, markers=after.markers, casualties=casualties, lost=after.lost
        )
    )
