"""The British fleet: from Souakim to Trinkitat and back for nothing (8.25)."""

from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, chart, laws
from campaign.rules.losses import remove
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import Reach, bars
from campaign.rules.pieces import Kind, Nation, Side, UnitId
from campaign.rules.state import OFF_MAP, Due, March, State, Unit

PORTS = ("Souakim", "Trinkitat")
AWAY = "fleet away"


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


def fleet_leaves(ledger: Ledger[State], hex_id: HexId) -> None:
    """The fleet goes when Souakim falls (8.25)."""
    state = ledger.state
    fleet = [unit.id for unit in board(state).units if unit.kind is Kind.FLEET]
    if fleet and hex_id == _harbour(state):
        remove(ledger, fleet, "harbour lost")
        ledger.emit(e.Tallied(AWAY, 1))


def fleet_returns(ledger: Ledger[State]) -> None:
    """The fleet comes back once British infantry stand in Souakim again (8.25)."""
    state = ledger.state
    harbour = _harbour(state)
    garrison = board(state).stack(Side.EGYPTIAN, harbour)
    british = any((one.kind, one.nation) == (Kind.INFANTRY, Nation.BRITISH) for one in garrison)
    if not british or not state.tallies.get(AWAY):
        return
    usual = laws(state).default(Kind.FLEET, Nation.BRITISH)
    number = UnitId(state.next_unit)
    fleet = Unit(number, Kind.FLEET, Nation.BRITISH, usual.quality, usual.strength, OFF_MAP)
    ledger.emit(e.Tallied(AWAY, 0))
    ledger.emit(e.Waited(Due(state.month, "the British fleet", (harbour,), (fleet,))))


def _harbour(state: State) -> HexId:
    return chart(state).place("Souakim").hex
