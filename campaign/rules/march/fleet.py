"""Fleets: how far boats and gunboats sail, their wrecks at the cataracts, and the British fleet."""

from collections.abc import Sequence
from typing import NamedTuple

from battles.contract.brief import Nation, Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.state import OFF_MAP, DueUnits, MarchUnderWay, State, Unit
from campaign.rules.effects_in_force import modifiers, use_reroll
from campaign.rules.map import HexId, Map, Nav
from campaign.rules.march.reach import MarchReach, barrier_costs, reach
from campaign.rules.tables.event_effects import ModifiableRoll
from campaign.rules.unit_losses import WRECKED, is_replaced, remove

# Wrecks: the roll, the months of repair, and the place of return (8.23 II, IV).


REPAIR = "repair"


def roll_for_wreck(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    """Return whether the hull is wrecked; then it leaves the map for its repair (8.23)."""
    wrecked = roll_wreck(ledger, hull, where)
    if wrecked and not is_replaced(hull):
        repair(ledger, hull, months_away(ledger, hull))
    return wrecked


def roll_wreck(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    """Return whether the hull is wrecked; then it leaves the map, and no repair is scheduled."""
    wrecked = _roll(ledger, hull, where)
    if wrecked and use_reroll(ledger, hull):
        wrecked = _roll(ledger, hull, where)
    if wrecked:
        ledger.emit(e.Wrecked((hull.id,), hull.hex))
        remove(ledger, [hull.id], WRECKED)
    return wrecked


def _roll(ledger: Ledger[State], hull: Unit, where: str) -> bool:
    state = ledger.state
    row = laws(state).wreck(hull.kind, hull.nation)
    roll = ledger.roll(
        Roll(
            f"{hull.kind.capitalize()} at {where}",
            row.clause or "8.23",
            (0,) * row.dice,
            modifiers=wreck_modifiers(state, hull),
            table="wrecks",
            side=hull.side,
        )
    )
    wrecked = roll.total >= row.wrecked_from
    ledger.amend(roll, result="wrecked" if wrecked else "safe")
    return wrecked


def wreck_modifiers(state: State, hull: Unit) -> tuple[Modifier, ...]:
    """Return the modifiers of events to the wreck roll, which gunboats alone get."""
    return (
        modifiers(state, ModifiableRoll.GUNBOAT_WRECK, [hull])
        if hull.kind is TroopKind.GUNBOAT
        else ()
    )


def repair(ledger: Ledger[State], back: Unit, months: int) -> None:
    """Schedule the hull's return after `months`; with 0 it is lost for good (8.23 II)."""
    state = ledger.state
    if not months:
        return
    row = laws(state).wreck(back.kind, back.nation)
    hexes = (chart(state).place(row.returns_to).hex,)
    hull = back.as_new_counter(UnitId(state.next_unit))
    ledger.emit(e.Waited(DueUnits(Month(state.month + months), REPAIR, hexes, (hull,))))


def months_away(ledger: Ledger[State], hull: Unit) -> int:
    """Return the months until the hull is back, by two dice; 0, on a double, for its loss."""
    row = laws(ledger.state).wreck(hull.kind, hull.nation)
    if row.months.isdigit():
        return int(row.months)
    roll = ledger.roll(Roll(f"Repair of the {hull.kind}", "8.23 II", (0, 0), side=hull.side))
    lost = row.lost_on_double and roll.dice[0] == roll.dice[1]
    ledger.amend(roll, result="destroyed" if lost else f"back in {roll.total} months")
    return 0 if lost else roll.total


# The British fleet: it sails between Souakim and Trinkitat at no cost (8.25).


PORTS = ("Souakim", "Trinkitat")
AWAY = "fleet away"
_FOOT = (TroopKind.INFANTRY, TroopKind.NAVAL)


def legs(state: State, route: Sequence[HexId]) -> dict[HexId, int]:
    """Return the hexes where the fleet can land a stack that is aboard, each at cost 0.

    `route` is the stack's way this turn, from its start to where it is. A hex that is in it
    twice is none of them: as sailing costs nothing, a stack could sail without end (ruling 60).
    """
    ports, hex_id = landings(chart(state)), route[-1]
    if hex_id not in ports:
        return {}
    open_ports = ports - barrier_costs(state, Side.EGYPTIAN).blocked - {hex_id}
    return {port: 0 for port in open_ports if route.count(port) < 2}


def waiting_fleet(state: State, march: MarchUnderWay, hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the fleet in this hex that the marching stack may board."""
    if state.side is not Side.EGYPTIAN:
        return ()
    stack = board(state).stack(Side.EGYPTIAN, hex_id)
    ships = tuple([unit.id for unit in stack if _is_fleet(unit)])
    return () if ships and has_fleet(state, march) else ships


def embarkations(state: State, march: MarchUnderWay, route: Sequence[HexId]) -> dict[HexId, int]:
    """Return the hexes, not adjacent, that a stack at the fleet can sail to, each at cost 0.

    There are none unless the current march was rolled for. `route` is that of `legs`.
    """
    if not march.rolled or not waiting_fleet(state, march, route[-1]):
        return {}
    near = chart(state).neighbours[route[-1]]
    return {
        destination: cost
        for destination, cost in legs(state, route).items()
        if destination not in near
    }


def may_sail(state: State, march: MarchUnderWay) -> bool:
    """Return whether the stack can still go by sea, for which it needs no points."""
    return bool(
        legs(state, march.route)
        if has_fleet(state, march)
        else embarkations(state, march, march.route)
    )


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
    origin = march.route[-1]
    by_land = reach(state, state.side, origin, march.points)
    if board(state).besieged(state.side, origin):
        return by_land
    by_sea = sorted(embarkations(state, march, march.route).keys() - by_land.costs.keys())
    if not by_sea:
        return by_land
    costs = by_land.costs | dict.fromkeys(by_sea, 0)
    return MarchReach(origin, costs, by_land.before | dict.fromkeys(by_sea, origin))


def sea_reach(state: State, march: MarchUnderWay) -> MarchReach:
    """Return the hexes where the fleet can land the stack; none from under a siege (8.25, 9.12)."""
    origin = march.route[-1]
    if board(state).besieged(Side.EGYPTIAN, origin):
        return MarchReach(origin, {origin: 0}, {})
    by_sea = legs(state, march.route)
    return MarchReach(origin, {origin: 0, **by_sea}, dict.fromkeys(by_sea, origin))


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
    british = any(unit.kind in _FOOT and unit.nation is Nation.BRITISH for unit in garrison)
    if not british or not state.tallies.get(AWAY):
        return
    usual = laws(state).default(TroopKind.FLEET, Nation.BRITISH)
    number = UnitId(state.next_unit)
    fleet = Unit(number, TroopKind.FLEET, Nation.BRITISH, usual.quality, usual.strength, OFF_MAP)
    ledger.emit(e.Tallied(AWAY, 0))
    ledger.emit(e.Waited(DueUnits(state.month, "the British fleet", (harbour,), (fleet,))))


def _harbour(state: State) -> HexId:
    return chart(state).place("Souakim").hex


# The hexes that a boat or gunboat may sail on a class of water (8.23).


UNLIMITED = 10_000


def hexes_allowed(ledger: Ledger[State], hulls: Sequence[Unit], water: Nav, direction: int) -> int:
    """Return the smallest allowance of the hulls, by kind and nation (8.23)."""
    return min(_allowance(ledger, hull, water, direction) for hull in one_of_each(hulls))


def one_of_each(hulls: Sequence[Unit]) -> list[Unit]:
    """Return a hull of each kind and nation, in the order in which they roll (8.23)."""
    alike = {(hull.kind, hull.nation): hull for hull in hulls}
    return [hull for _, hull in sorted(alike.items())]


def _allowance(ledger: Ledger[State], hull: Unit, water: Nav, direction: int) -> int:
    state = ledger.state
    allowed = allowance_of(state, hull, water, direction)
    if not allowed.dice:
        return allowed.hexes(())
    roll = ledger.roll(
        Roll(
            f"{hull.kind.capitalize()} upstream on {water} water",
            "8.23",
            (0,) * allowed.dice,
            modifiers=allowed.modifiers,
            table="rivers",
            side=state.side,
        )
    )
    ledger.amend(roll, result=f"{roll.total} hexes")
    return roll.total


class HexesAllowed(NamedTuple):
    """Hexes of a class of water a hull may sail: the number of dice, and the modifiers."""

    dice: int
    modifiers: tuple[Modifier, ...]

    def hexes(self, thrown: Sequence[int]) -> int:
        """Return the hexes allowed for these dice."""
        return sum(thrown) + sum(modifier.value for modifier in self.modifiers)


def allowance_of(state: State, hull: Unit, water: Nav, direction: int) -> HexesAllowed:
    """Return the hull's allowance on that water, upstream where `direction` is -1 (8.23)."""
    table = laws(state).upstream if direction < 0 else laws(state).downstream
    allowed = table(hull.kind, water, hull.nation)
    add = UNLIMITED if allowed.unlimited else allowed.add
    certain = Modifier(add, "hexes that need no dice", "8.23")
    if allowed.unlimited or not allowed.dice:
        return HexesAllowed(0, (certain,))
    extra = (
        modifiers(state, ModifiableRoll.BOAT_UPSTREAM, [hull])
        if hull.kind is TroopKind.BOAT
        else ()
    )
    return HexesAllowed(allowed.dice, (*extra, certain))
