"""The set-up before a battle: units allotted to commanders, and placed elsewhere."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives.actions import ToSetUp
from battles.books.restless_natives.board import contains
from battles.books.restless_natives.book import book
from battles.books.restless_natives.formations import may_take
from battles.books.restless_natives.movement import is_ground_for
from battles.books.restless_natives.state import State, Unit, asked
from battles.contract.brief import Side
from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from battles.tabletop.field import on_table
from battles.tabletop.formations import places
from battles.tabletop.geometry import TOUCH, Stands, gap, overlap


def set_up(ledger: Ledger[State], *sides: str) -> None:
    """Ask each of these sides in turn."""
    if sides:
        ledger.then(Step("set up", sides[1:]))
        ledger.ask(ToSetUp(Side(sides[0])))


def commanders(state: State, side: Side) -> tuple[int, ...]:
    """Return the commanders among whom a side's units are allotted."""
    return tuple(one.id for one in state.commanders.values() if one.side is side)


def own(state: State, side: Side) -> tuple[int, ...]:
    """Return the units of a side, those that wait off the field included."""
    return tuple(
        unit.id for unit in (*state.units.values(), *state.waiting.values()) if unit.side is side
    )


def check_allot(state: State, action: a.Allot) -> None:
    """Raise IllegalAction unless unit and commander belong to the asked side."""
    side = asked(state, ToSetUp).side
    if action.unit not in own(state, side) or action.commander not in commanders(state, side):
        raise IllegalAction(
            "One-off battles 5",
            "That unit and that commander are not both of this side.",
            "Choose one of your units and one of your commanders.",
        )


def allot(ledger: Ledger[State], action: a.Allot) -> None:
    """Put the unit under that commander."""
    ledger.emit(e.Allotted(unit=action.unit, commander=action.commander))


def check_deploy(state: State, action: a.Deploy) -> None:
    """Raise IllegalAction unless the side can place the unit there."""
    side = asked(state, ToSetUp).side
    unit = state.units.get(action.unit)
    if unit is None or unit.side is not side:
        raise IllegalAction(
            "One-off battles 6", f"{action.unit} is no unit of yours on the field.", "Choose one."
        )
    reason = refusal(state, unit, action)
    if reason:
        raise IllegalAction("One-off battles 6", reason, "Choose another place.")


def deploy(ledger: Ledger[State], action: a.Deploy) -> None:
    """Place the unit there."""
    ledger.emit(
        e.Deployed(unit=action.unit, at=action.at, facing=action.facing, formation=action.formation)
    )


def refusal(state: State, unit: Unit, action: a.Deploy) -> str:
    """Return why the unit cannot be placed so; "" when it can."""
    if not 0 <= action.facing < 360 or not may_take(unit, action.formation):
        return "The unit cannot stand in that formation with that facing."
    size = book().size(unit.kind)
    stands = places(action.formation, unit.stands, action.at, action.facing, size)
    zones = state.zones.get(unit.side, ())
    if not any(contains(zone, stands) for zone in zones) or not on_table(state.field, stands):
        return "That is not where this side may set up."
    if not is_ground_for(state.field, unit, stands):
        return "Vessels keep to the water and all others out of it."
    if any(_in_the_way(other, unit, stands) for other in state.units.values()):
        return "Another unit stands there, or an enemy close by."
    return ""


def _in_the_way(other: Unit, unit: Unit, stands: Stands) -> bool:
    if other is unit:
        return False
    theirs = places(other.formation, other.stands, other.at, other.facing, book().size(other.kind))
    if other.side is unit.side:
        return overlap(stands, theirs)
    return gap(stands, theirs) <= TOUCH
