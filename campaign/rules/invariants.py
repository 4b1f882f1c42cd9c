"""Invariants of a position: no event of the rules breaks them, and no ruling may."""

from collections import Counter
from collections.abc import Iterable

from battles.contract.brief import RIVER_CRAFT, Nation, Side, TroopKind
from battles.core.game import IllegalAction
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import meet_ashore
from campaign.rules.core.state import State, Unit
from campaign.rules.map import HexId
from campaign.rules.railways import railway_hexes
from campaign.rules.stacks import capitalise_first, describe_unit


def check_position(state: State) -> None:
    """Raise IllegalAction, with clause and remedy, for the first broken invariant."""
    for unit in board(state).units:
        _check_ground(state, unit)
    for hex_id in sorted({unit.hex for unit in board(state).units}):
        _check_one_side(state, hex_id)
    _check_leaders(state)
    _check_counters(state)


def _check_ground(state: State, unit: Unit) -> None:
    field = chart(state).hexes.get(unit.hex)
    subject = capitalise_first(describe_unit(unit))
    if field is None or field.closed:
        raise IllegalAction(
            "1.2", f"{subject} would stand off the map.", "Choose a hex that is open."
        )
    where = chart(state).describe(unit.hex)
    if field.sea:
        raise IllegalAction("6.0", f"{subject} would stand in the sea, {where}.", "Choose land.")
    if unit.hex in scenario_of(state).forbidden(unit.side):
        raise IllegalAction(
            "2.2",
            f"The {unit.side} side may not be in {where} in this scenario.",
            "Choose another.",
        )
    if unit.kind in RIVER_CRAFT and not _floats(state, unit):
        raise IllegalAction("8.23", f"{subject} would lie on dry land, {where}.", "Choose a river.")
    if unit.kind is TroopKind.FLEET and not field.coast:
        raise IllegalAction("8.25", f"The fleet would be away from the sea, {where}.")


def _floats(state: State, craft: Unit) -> bool:
    """Return whether the craft is beside a river, or on a railway that carries it."""
    return bool(chart(state).river_at(craft.hex)) or craft.hex in railway_hexes(state)


def _check_one_side(state: State, hex_id: HexId) -> None:
    """Raise IllegalAction when land units of one side share a hex with the enemy ashore."""
    kinds = ([unit.kind for unit in board(state).stack(side, hex_id)] for side in Side)
    if meet_ashore(*kinds):
        where = chart(state).describe(hex_id)
        raise IllegalAction(
            "6.0", f"Both sides would stand in {where}.", "Remove or move the one side first."
        )


def _check_leaders(state: State) -> None:
    leader_names = {leader.name for leader in laws(state).leaders()}
    names = [unit.name for unit in board(state).units if unit.kind is TroopKind.LEADER]
    for name, count in Counter(names).items():
        if count > 1:
            raise IllegalAction("7.0", f"{name} would be in two places.", "Move him instead.")
        if name not in leader_names:
            raise IllegalAction("7.0", f"There is no leader {name!r}.", "Name one of the book’s.")


def _check_counters(state: State) -> None:
    """Raise IllegalAction for more Mahdist counters than the mix has (3.2)."""
    for kind in TroopKind:
        pile = state.pool.get(kind, 0), state.box.get(kind, 0)
        if min(pile) < 0:
            raise IllegalAction(
                "3.2",
                f"The Mahdists have no more than {laws(state).counters(kind)} counters of {kind}, "
                f"and {_count_held(state.units.values(), kind)} would be on the map.",
                "Remove others first.",
            )


def _count_held(units: Iterable[Unit], kind: TroopKind) -> int:
    return sum(unit.kind is kind and unit.nation is Nation.MAHDIST for unit in units)
