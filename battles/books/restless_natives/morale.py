"""Morale: the test after every loss, falling back and running away (Morale)."""

from collections.abc import Sequence

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import all_stands, centre, on_field, stands_of
from battles.books.restless_natives.book import book
from battles.books.restless_natives.movement import is_ground_for
from battles.books.restless_natives.pieces import Troops
from battles.books.restless_natives.state import State, Unit
from battles.core.dice import Roll
from battles.core.ledger import Ledger
from battles.open_table.field import edge_ahead, rough
from battles.open_table.points import MEASURE, ahead, bearing
from battles.open_table.stands import nearest_to
from battles.open_table.travel import Around, FallBack, fall_back, moved


def needs(troops: Troops) -> int:
    """The score that passes: 8 British, 12 British Allied, 16 Native (Morale 2 to 4)."""
    return book().troops(troops).passes


def passes(troops: Troops, scores: Sequence[int]) -> bool:
    """Whether a unit passes with these dice, one for each stand that is left."""
    return sum(scores) >= needs(troops)


def test(ledger: Ledger[State], unit: Unit) -> bool:
    """The unit throws for each stand it has left; failing, it falls back or runs away at once.

    Gives back whether it has passed.
    """
    wanted = needs(unit.troops)
    clause = book().troops(unit.troops).clause
    roll = ledger.roll(Roll("morale", clause, (0,) * unit.stands, table="troops", side=unit.side))
    passed = passes(unit.troops, roll.dice)
    ledger.amend(roll, result="passes" if passed else "fails")
    ledger.emit(e.MoraleTested(unit=unit.id, score=roll.total, needs=wanted, passed=passed))
    if not passed:
        give_way(ledger, unit)
    return passed


def nearest_enemy(state: State, unit: Unit) -> Unit | None:
    """The enemy unit whose stands are nearest to the unit's; None when there is none."""
    theirs = {foe.id: stands_of(foe) for foe in on_field(state, unit.side.enemy)}
    number = nearest_to(stands_of(unit), theirs)
    return None if number is None else state.units[number]


def give_way(ledger: Ledger[State], unit: Unit) -> None:
    """The unit falls back 4D6 inches directly away from the nearest enemy, or runs away.

    It runs away where another unit or water bars the way, or where it leaves the field.
    """
    state = ledger.state
    enemy = nearest_enemy(state, unit)
    if enemy is None:
        return
    roll = ledger.roll(
        Roll("fall back", "Morale 5", (0,) * book().number("fall back"), side=unit.side)
    )
    way = way_back(state, unit, enemy, roll.total * MEASURE)
    if way.blocked or way.off:
        place = edge_ahead(state.field, unit.at, way.facing)
        cause = "barred" if way.blocked else "off the field"
        ledger.emit(e.RanAway(unit=unit.id, at=place, cause=cause))
    else:
        ledger.emit(e.FellBack(unit=unit.id, at=way.end, bearing=way.facing, length=way.length))


def way_back(state: State, unit: Unit, enemy: Unit, length: int) -> FallBack:
    """The way of a unit that falls back so many hundredths of an inch from an enemy.

    It may not go through another unit, nor into water, nor a vessel on to land.
    """
    stands = stands_of(unit)
    others = all_stands(other for other in state.units.values() if other is not unit)
    back = ahead(unit.at, bearing(centre(unit), centre(enemy)), MEASURE)
    way = fall_back(stands, unit.at, back, length, Around(state.field, others))
    if way.blocked or way.off:
        return way
    ends = moved(stands, way.facing, way.length)
    wet = rough(state.field, unit.at, way.end, book().water)
    afloat = book().kind(unit.kind).afloat
    barred = not is_ground_for(state.field, unit, ends) or (wet > 0 and not afloat)
    return way._replace(blocked=barred)
