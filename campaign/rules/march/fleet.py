"""The British fleet: from Souakim to Trinkitat and back for nothing (8.25)."""

from campaign.rules.board import board, chart
from campaign.rules.map import HexId, Map
from campaign.rules.pieces import Kind
from campaign.rules.state import March, State

PORTS = ("Souakim", "Trinkitat")


def sea_legs(state: State, march: March) -> frozenset[HexId]:
    """The hexes the stack can sail between while the fleet is in it; empty without the fleet."""
    fleet = any(unit.kind is Kind.FLEET for unit in board(state).named(march.units))
    return landings(chart(state)) if fleet else frozenset()


def landings(ground: Map) -> frozenset[HexId]:
    """Souakim, Trinkitat, and the land beside either."""
    ports = [ground.place(name).hex for name in PORTS]
    near = {hex_id for port in ports for hex_id in (port, *ground.neighbours[port])}
    return frozenset(hex_id for hex_id in near if not ground.hexes[hex_id].sea)


def exits(sea_legs: frozenset[HexId], here: HexId) -> dict[HexId, int]:
    """Where the fleet can put the stack ashore from `here`, for no points at all."""
    return dict.fromkeys(sea_legs - {here}, 0) if here in sea_legs else {}
