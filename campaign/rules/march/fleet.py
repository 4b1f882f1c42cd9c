"""The British fleet: it sails between Souakim and Trinkitat at no cost (8.25)."""

from collections.abc import Sequence

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.ledger import Ledger
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, DueUnits, MarchUnderWay, State, Unit
from campaign.rules.losses import remove
from campaign.rules.map import HexId, Map
from campaign.rules.march.reach import MarchReach, barrier_costs, reach

PORTS = ("Souakim", "Trinkitat")
AWAY = "fleet away"
_FOOT = (TroopKind.INFANTRY, TroopKind.NAVAL)


def legs(state: State, here: HexId) -> dict[HexId, int]:
    """Return the hexes where the fleet can land a stack that is aboard, each at cost 0."""
    ports = landings(chart(state))
    open_ports = (
        ports - barrier_costs(state, Side.EGYPTIAN).blocked if here in ports else frozenset()
    )
    return dict.fromkeys(open_ports - {here}, 0)


def waiting_fleet(state: State, march: MarchUnderWay, here: HexId) -> tuple[UnitId, ...]:
    """Return the fleet in this hex that the marching stack may board."""
    if state.side is not Side.EGYPTIAN or has_fleet(state, march):
        return ()
    return tuple(unit.id for unit in board(state).stack(Side.EGYPTIAN, here) if _is_fleet(unit))


def embarkations(state: State, march: MarchUnderWay, here: HexId) -> dict[HexId, int]:
    """Return the hexes, not adjacent, that a stack at the fleet can sail to, each at cost 0.

    There are none unless the current march was rolled for.
    """
    if not march.rolled or not waiting_fleet(state, march, here):
        return {}
    near = chart(state).neighbours[here]
    return {there: cost for there, cost in legs(state, here).items() if there not in near}


def may_sail(state: State, march: MarchUnderWay) -> bool:
    """Return whether the stack can still go by sea, for which it needs no points."""
    here = march.route[-1]
    return bool(legs(state, here) if has_fleet(state, march) else embarkations(state, march, here))


def has_fleet(state: State, march: MarchUnderWay) -> bool:
    """Return whether the fleet goes with the stack."""
    return any(_is_fleet(unit) for unit in board(state).named(march.units))


def is_fleet_alone(units: Sequence[Unit]) -> bool:
    """Return whether nobody is aboard: the fleet by itself does not march."""
    return all(_is_fleet(unit) for unit in units)


def _is_fleet(unit: Unit) -> bool:
    return unit.kind is TroopKind.FLEET


def reach_with_fleet(state: State, march: MarchUnderWay) -> MarchReach:
    """Return the reach of the marching stack, by land or with the fleet by sea (8.2, 8.25).

    A hex within reach by land has its way by land, which may continue from there.
    """
    if has_fleet(state, march):
        return sea_reach(state, march)
    here = march.route[-1]
    found = reach(state, state.side, here, march.points)
    if not board(state).besieged(state.side, here):
        by_sea = sorted(embarkations(state, march, here).keys() - found.costs.keys())
        found.costs.update(dict.fromkeys(by_sea, 0))
        found.before.update(dict.fromkeys(by_sea, here))
    return found


def sea_reach(state: State, march: MarchUnderWay) -> MarchReach:
    """Return the hexes where the fleet can land the stack; none from under a siege (8.25, 9.12)."""
    here = march.route[-1]
    if board(state).besieged(Side.EGYPTIAN, here):
        return MarchReach(here, {here: 0}, {})
    by_sea = legs(state, here)
    return MarchReach(here, {here: 0, **by_sea}, dict.fromkeys(by_sea, here))


def landings(ground: Map) -> frozenset[HexId]:
    """Return Souakim, Trinkitat, and the coastal hexes beside them."""
    ports = [ground.place(name).hex for name in PORTS]
    near = {hex_id for port in ports for hex_id in (port, *ground.neighbours[port])}
    return frozenset(hex_id for hex_id in near if ground.hexes[hex_id].coast)


def fleet_leaves(ledger: Ledger[State], hex_id: HexId) -> None:
    """Remove the fleet when Souakim falls (8.25)."""
    state = ledger.state
    fleet = [unit.id for unit in board(state).units if unit.kind is TroopKind.FLEET]
    if fleet and hex_id == _harbour(state):
        remove(ledger, fleet, "harbour lost")
        ledger.emit(e.Tallied(AWAY, 1))


def fleet_returns(ledger: Ledger[State]) -> None:
    """Bring the fleet back once British infantry stand in Souakim again (8.25)."""
    state = ledger.state
    harbour = _harbour(state)
    garrison = board(state).stack(Side.EGYPTIAN, harbour)
    british = any(one.kind in _FOOT and one.nation is Nation.BRITISH for one in garrison)
    if not british or not state.tallies.get(AWAY):
        return
    usual = laws(state).default(TroopKind.FLEET, Nation.BRITISH)
    number = UnitId(state.next_unit)
    fleet = Unit(number, TroopKind.FLEET, Nation.BRITISH, usual.quality, usual.strength, OFF_MAP)
    ledger.emit(e.Tallied(AWAY, 0))
    ledger.emit(e.Waited(DueUnits(state.month, "the British fleet", (harbour,), (fleet,))))


def _harbour(state: State) -> HexId:
    return chart(state).place("Souakim").hex
