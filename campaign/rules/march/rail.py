"""Railways as a way to march (8.22)."""

from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.board import board, chart
from campaign.rules.map import HexId
from campaign.rules.march.arrival import marches_ashore, occupy
from campaign.rules.march.marching import begin, check_marches_left, marching_units
from campaign.rules.pieces import Kind, Side
from campaign.rules.railways import built
from campaign.rules.state import State


def open_rails(state: State, side: Side) -> frozenset[HexId]:
    """The built railway hexes that no enemy land unit holds."""
    return built(state) - board(state).occupied[side.enemy]


def stations(state: State, side: Side, start: HexId) -> dict[HexId, HexId]:
    """The hexes a train from `start` can come to, each with the hex before it."""
    rails = open_rails(state, side)
    if start not in rails or board(state).besieged(side, start):
        return {}
    before: dict[HexId, HexId] = {}
    ends = [start]
    while ends:
        here = ends.pop()
        for there in chart(state).neighbours[here]:
            new = there in rails and there not in before and there != start
            if new and not _enters_siege(state, side, there):
                before[there] = here
                ends.append(there)
    return before


def _enters_siege(state: State, side: Side, hex_id: HexId) -> bool:
    return board(state).besieged(side, hex_id) and bool(board(state).land(side, hex_id))


def check_rail(state: State, action: a.Rail) -> None:
    """Whether these units can go by rail to that hex as one march (8.22)."""
    units = marching_units(state, action.units)
    check_marches_left(state)
    if any(unit.kind is Kind.FLEET for unit in units):
        raise IllegalAction("8.25", "The fleet does not go by rail.", "Leave it in its harbour.")
    if action.hex not in stations(state, state.side, units[0].hex):
        raise IllegalAction(
            "8.22",
            f"No open railway leads from hex {units[0].hex:04d} to hex {action.hex:04d}.",
            "Go along built railway hexes without enemies.",
        )


def rail(ledger: Ledger[State], action: a.Rail) -> None:
    """The stack goes by rail: one march, no roll, any distance (8.22)."""
    state = ledger.state
    start = state.units[action.units[0]].hex
    begin(ledger, action.units)
    before = stations(state, state.side, start)
    path = [action.hex]
    while before[path[-1]] != start:
        path.append(before[path[-1]])
    ledger.then(Step("march goes on", (state.side,)))
    ledger.emit(e.WentByRail(tuple(reversed(path))))
    if marches_ashore(state):
        for hex_id in reversed(path):
            occupy(ledger, hex_id, state.side)
