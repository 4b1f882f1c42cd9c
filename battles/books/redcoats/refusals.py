"""Why a unit cannot fire at an enemy or charge it now: the first condition that fails."""

from battles.books.redcoats import craft, offers
from battles.books.redcoats import movement as points
from battles.books.redcoats.board import board, sees, squares_fought_in
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import (
    ARMAMENTS,
    figures_firing,
    in_arc,
    is_masked,
    weapon_range,
)
from battles.books.redcoats.charging import may_charge, routes
from battles.books.redcoats.field import APART
from battles.books.redcoats.names import unit_name
from battles.books.redcoats.pieces import AFLOAT, Formation, Kind
from battles.books.redcoats.reach import least_cost
from battles.books.redcoats.state import State, Unit, current_activation
from battles.core.game import IllegalAction
from battles.prose import agree, capital

STANCES = {
    Formation.EN_MASSE: "en masse",
    Formation.DEPLOYED: "while deployed",
    Formation.LIMBERED: "while limbered",
    Formation.TRANSPORT: "as transport",
    Formation.AFLOAT: "while afloat",
}
"""Formations as phrases of a sentence; a unit is in the others."""
NEITHER = "A unit whose side breaks off neither fires nor charges."


def no_shot(state: State, number: int, target: int) -> IllegalAction:
    """Return the refusal of a shot that `offers.shots_of` does not offer."""
    unit, enemy = state.units.get(number), state.units.get(target)
    reason = "The unit cannot fire at that now."
    if unit is not None and enemy is not None and enemy.side is not unit.side:
        reason = _no_shot_at(state, unit, enemy) or reason
    return IllegalAction("Firing 1", reason)


def no_charge(state: State, target: int) -> IllegalAction:
    """Return the refusal of a charge that `offers.attacks` does not offer."""
    unit, enemy = offers.acting_unit(state), state.units.get(target)
    reason = "The unit cannot charge that enemy now."
    if unit is not None and enemy is not None and enemy.side is not unit.side:
        reason = _no_charge_at(state, unit, enemy) or reason
    return IllegalAction("Charging 2", reason)


def _no_shot_at(state: State, unit: Unit, enemy: Unit) -> str:
    if offers.withdraws(state, unit):
        return NEITHER
    if unit.is_craft:
        return _no_broadside(state, unit, enemy)
    if not offers.is_on_field(state):
        return ""
    return _cannot_fire(state, unit) or _is_no_target(state, unit, enemy)


def _no_broadside(state: State, unit: Unit, enemy: Unit) -> str:
    """Return why a vessel does not fire at the enemy."""
    if unit.kind is not Kind.GUNBOAT:
        return _of(unit, "has no guns.")
    if not craft.may_fire(state, unit):
        return _of(unit, "does not fire with a unit aboard.")
    if set(ARMAMENTS) <= set(current_activation(state).fired):
        return _of(unit, "has fired its guns and its machine gun.")
    return f"Nothing that {unit_name(unit)} can still fire bears on {unit_name(enemy)}."


def _cannot_fire(state: State, unit: Unit) -> str:
    """Return why the unit fires at nobody."""
    if unit.square in squares_fought_in(state):
        return _of(unit, "is fighting hand to hand.")
    if not (unit.armed or unit.is_gun):
        return _of(unit, "has no firearms.")
    if not figures_firing(unit):
        return _of(unit, f"does not fire {_stance(unit)}.")
    if not unit.shots:
        return _of(unit, "has no ammunition left.")
    return _no_terms(state, unit)


def _stance(unit: Unit) -> str:
    return STANCES.get(unit.formation, f"in {unit.formation}")


def _no_terms(state: State, unit: Unit) -> str:
    """Return why the unit has no shot left, or no points for one."""
    current = current_activation(state)
    if offers.firing_terms(state, current, unit) is not None:
        return ""
    if current.fired.count(str(unit.id)) >= offers.times(unit):
        return _of(unit, "has fired as often as it may in this turn.")
    cost, left = book().points("fire"), points.points_left(current)
    return f"A shot costs {cost} action points: it has {left} left."


def _is_no_target(state: State, unit: Unit, enemy: Unit) -> str:
    """Return why the enemy is no target of a unit that can fire."""
    foe, square = unit_name(enemy), enemy.square
    if square in squares_fought_in(state):
        return _of(enemy, "is fighting hand to hand.")
    far, reach = APART[square - unit.square], weapon_range(unit)
    if far > reach:
        squares = "square" if reach == 1 else "squares"
        return _of(unit, f"fires {reach} {squares} far: {foe} {agree(foe, 'is')} {far} away.")
    if not in_arc(unit, square):
        return _of(unit, f"does not face {foe}.")
    if not sees(state.field, unit.square, square):
        return _of(unit, f"does not see {foe}.")
    return f"Friends stand before {foe}." if is_masked(state, unit, square) else ""


def _no_charge_at(state: State, unit: Unit, enemy: Unit) -> str:
    if offers.withdraws(state, unit):
        return NEITHER
    if not may_charge(unit):
        return _of(unit, f"may not charge {_stance(unit)}.")
    if {unit.square, enemy.square} & squares_fought_in(state):
        return "One of the two is fighting hand to hand."
    if enemy.kind in AFLOAT:
        return "Vessels cannot be charged."
    return _no_way(state, unit, enemy)


def _no_way(state: State, unit: Unit, enemy: Unit) -> str:
    """Return why no way leads to an enemy that can be charged, or only to its front."""
    foe, left = unit_name(enemy), points.movement_left(current_activation(state))
    least = least_cost(enemy.square - unit.square, unit.facing)
    if least > left:
        return f"The way to {foe} costs {least} action points at least: it has {left} left."
    if board(state)[enemy.square][0] is not enemy:
        return f"Another unit stands in front of {foe}."
    ways = routes(state, unit, left, [enemy])
    if any(enemy.square * 8 + way in ways.costs for way in range(8)):
        return _of(unit, f"may charge {foe} only in flank or rear, or once it is disorganised.")
    return f"No open way to {foe} costs {left} action points or fewer."


def _of(unit: Unit, phrase: str) -> str:
    name = unit_name(unit)
    return f"{capital(name)} {agree(name, phrase)}"
