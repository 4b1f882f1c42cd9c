"""Gunboats against enemy craft that no land units are with (6.1)."""

from collections.abc import Sequence

from campaign.rules.board import board, chart, is_land
from campaign.rules.map import HexId
from campaign.rules.pieces import RIVER_CRAFT, Kind
from campaign.rules.state import Combat, Force, State, Unit, on_march


def craft_targets(state: State) -> list[HexId]:
    """The next hexes of the river where only enemy craft lie, for a stack with a gunboat (6.1)."""
    march = on_march(state)
    if not any(unit.kind is Kind.GUNBOAT for unit in board(state).named(march.units)):
        return []
    here, ground = march.route[-1], chart(state)
    along = {move.to for move in ground.river_moves.get(here, ())}
    return [
        hex_id
        for hex_id in ground.neighbours[here]
        if hex_id in along and is_afloat(board(state).stack(state.side.enemy, hex_id))
    ]


def is_afloat(units: Sequence[Unit]) -> bool:
    """Whether there are boats or gunboats among the units and nothing that stands on land."""
    craft = any(unit.kind in RIVER_CRAFT for unit in units)
    return craft and not any(is_land(unit) or unit.kind is Kind.FLEET for unit in units)


def is_shelled(state: State, combat: Combat, testers: Force) -> bool:
    """Whether the stack tests under the guns of gunboats alone: only in a fight for craft (6.1)."""
    enemy = board(state).named(combat.force(testers.side.enemy).units)
    gunboat = any(unit.kind is Kind.GUNBOAT for unit in enemy)
    return gunboat and is_afloat(board(state).named(combat.defender.units))


def has_sunk(state: State, force: Force) -> bool:
    """Whether no hull is left of a stack in which nothing counts towards losing (9.8)."""
    return not any(unit.kind in RIVER_CRAFT for unit in board(state).named(force.units))
