"""The British fleet: from Souakim to Trinkitat and back for nothing (8.25)."""

from campaign.rules.board import board, chart
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import Reach, bars
from campaign.rules.pieces import Kind, Side
from campaign.rules.state import March, State

PORTS = ("Souakim", "Trinkitat")


def sea_legs(state: State, march: March) -> frozenset[HexId]:
    """The hexes the stack can sail between while the fleet is in it; empty without the fleet."""
    here = march.route[-1]
    if not has_fleet(state, march) or here not in landings(chart(state)):
        return frozenset()
    return landings(chart(state)) - bars(state, Side.EGYPTIAN).blocked | {here}


def has_fleet(state: State, march: March) -> bool:
    """Whether the fleet goes with the stack."""
    return any(unit.kind is Kind.FLEET for unit in board(state).named(march.units))


def sea_reach(state: State, march: March) -> Reach:
    """Where the fleet can put the stack ashore; nowhere from under a siege (8.25, 9.12)."""
    here = march.route[-1]
    if board(state).besieged(Side.EGYPTIAN, here):
        return Reach(here, {here: 0}, {})
    legs = exits(sea_legs(state, march), here)
    return Reach(here, {here: 0, **legs}, dict.fromkeys(legs, here))


def landings(ground: Map) -> frozenset[HexId]:
    """Souakim, Trinkitat, and the coast beside either: ships do not go inland."""
    ports = [ground.place(name).hex for name in PORTS]
    near = {hex_id for port in ports for hex_id in (port, *ground.neighbours[port])}
    return frozenset(hex_id for hex_id in near if ground.hexes[hex_id].coast)


def exits(sea_legs: frozenset[HexId], here: HexId) -> dict[HexId, int]:
    """Where the fleet can put the stack ashore from `here`, for no points at all."""
    return dict.fromkeys(sea_legs - {here}, 0) if here in sea_legs else {}
