"""Effects of random events in force until the end of their side's turn (5.2 I, 5.3 I).

Also the hexes that an effect covers, from its description in the table.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from battles.contract.brief import TRAIN, UNCOUNTED, Side
from battles.core.dice import Modifier
from battles.core.game import Ledger
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart
from campaign.rules.core.state import InForce, State, Unit
from campaign.rules.map import GroundClass, HexId, PlaceClass
from campaign.rules.tables.event_effects import (
    EffectArea,
    LeaderValue,
    ModifiableRoll,
    NoMarch,
    RerollWreck,
    RollModifier,
    Where,
)

EXTENSION = "souakim_extension"


def reaches(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    """Return whether the hex matches `where`; `side` owns the units that stand there."""
    return all(holds(state, where, hex_id, side) for holds in _TESTS)


def hexes_meant(state: State, where: Where, side: Side) -> list[HexId]:
    """Return the hexes that match and that units of the side may enter, sorted by number."""
    enemy, fields = board(state).occupied[side.enemy], chart(state).hexes
    hexes = [
        hex_id
        for hex_id in sorted(_candidates(state, where))
        if hex_id not in enemy and not fields[hex_id].sea and not fields[hex_id].closed
    ]
    # Test by test over all hexes, because the first tests leave few for the others.
    for holds in _TESTS:
        hexes = [hex_id for hex_id in hexes if holds(state, where, hex_id, side)]
    return hexes


def _candidates(state: State, where: Where) -> Iterable[HexId]:
    ground = chart(state)
    if where.places:
        centres = [ground.place(name).hex for name in where.places]
        return {near for centre in centres for near in ground.within(centre, where.within)}
    if where.leaders:
        leaders = [board(state).leader(name) for name in where.leaders]
        return {leader.hex for leader in leaders if leader is not None}
    return ground.hexes


def _in_area(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.area is None or _AREAS[where.area](state, hex_id)


def _near_places(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    ground = chart(state)
    centres = [ground.place(name).hex for name in where.places]
    return not centres or any(ground.distance(centre, hex_id) <= where.within for centre in centres)


def _north(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    ground = chart(state)
    if not where.north_of:
        return True
    return ground.hexes[hex_id].lat > ground.hexes[ground.place(where.north_of).hex].lat


def _with_leader(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    leaders = [board(state).leader(name) for name in where.leaders]
    return not leaders or any(leader is not None and leader.hex == hex_id for leader in leaders)


def _is_held(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.held_by is None or board(state).holds(where.held_by, hex_id)


def _near_towns(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    owner = where.next_to_towns_of
    if owner is None:
        return True
    return any(
        _is_town(state, near) and board(state).holds(owner, near)
        for near in chart(state).neighbours[hex_id]
    )


def _is_besieged(state: State, where: Where, hex_id: HexId, side: Side) -> bool:
    return where.besieged is None or board(state).besieged(side, hex_id) is where.besieged


def _is_town(state: State, hex_id: HexId) -> bool:
    return board(state).in_town(hex_id, PlaceClass.TOWN)


def _is_settled(state: State, hex_id: HexId) -> bool:
    return board(state).in_town(hex_id, PlaceClass.TOWN, PlaceClass.VILLAGE)


def _is_river_town(state: State, hex_id: HexId) -> bool:
    return _is_town(state, hex_id) and bool(chart(state).river_at(hex_id))


def _is_outside_towns(state: State, hex_id: HexId) -> bool:
    return not _is_town(state, hex_id)


def _is_desert(state: State, hex_id: HexId) -> bool:
    return chart(state).hexes[hex_id].ground is GroundClass.DESERT


def _is_beside_river(state: State, hex_id: HexId) -> bool:
    return bool(chart(state).river_at(hex_id))


def _is_extension(state: State, hex_id: HexId) -> bool:
    return EXTENSION in chart(state).hexes[hex_id].regions


_TESTS: tuple[Callable[[State, Where, HexId, Side], bool], ...] = (
    _in_area,
    _near_places,
    _north,
    _with_leader,
    _is_held,
    _near_towns,
    _is_besieged,
)

_AREAS: dict[EffectArea, Callable[[State, HexId], bool]] = {
    EffectArea.TOWNS: _is_town,
    EffectArea.TOWNS_AND_VILLAGES: _is_settled,
    EffectArea.RIVER_TOWNS: _is_river_town,
    EffectArea.OUTSIDE_TOWNS: _is_outside_towns,
    EffectArea.DESERT: _is_desert,
    EffectArea.RIVER: _is_beside_river,
    EffectArea.EXTENSION: _is_extension,
}


CLAUSES = {Side.EGYPTIAN: "5.2 I", Side.MAHDIST: "5.3 I"}


def modifiers(state: State, throw: ModifiableRoll, units: Sequence[Unit]) -> tuple[Modifier, ...]:
    """Return the modifiers of events to a roll for these units.

    Without units: to a roll of the side to move.
    """
    return tuple(
        Modifier(effect.value, lasting.title, CLAUSES[lasting.side])
        for lasting in state.in_force
        if isinstance(effect := lasting.effect, RollModifier)
        and effect.roll_kind is throw
        and _touches(state, lasting, effect, units)
    )


def strategic_now(state: State, name: str, printed: int) -> int:
    """Return a leader's strategic value this turn; `printed` unless an event changes it (7.1)."""
    effects = (lasting.effect for lasting in state.in_force)
    changed = [
        effect for effect in effects if isinstance(effect, LeaderValue) and effect.leader == name
    ]
    return changed[-1].strategic if changed else printed


def hexes_barred_from_marching(state: State, side: Side) -> frozenset[HexId]:
    """Return the hexes whose stacks may not march this turn."""
    return frozenset(
        lasting.hex
        for lasting in state.in_force
        if lasting.side is side and isinstance(lasting.effect, NoMarch)
    )


def use_reroll(ledger: Ledger[State], hull: Unit) -> bool:
    """Use up a reroll for this wrecked hull; return whether there was one."""
    place = reroll_for(ledger.state.in_force, hull)
    if place is None:
        return False
    left = used_once(ledger.state.in_force[place])
    ledger.emit(e.Lapsed(place))
    if left is not None:
        ledger.emit(e.CameIntoForce(left))
    return True


def reroll_for(in_force: Sequence[InForce], hull: Unit) -> int | None:
    """Return the index of the first effect that allows a reroll for this hull, or None."""
    places = (place for place, lasting in enumerate(in_force) if _saves(lasting, hull))
    return next(places, None)


def used_once(lasting: InForce) -> InForce | None:
    """Return the effect with one use less; None after its last use."""
    times = lasting.effect.times if isinstance(lasting.effect, RerollWreck) else 0
    if times < 2:
        return None
    again = msgspec.structs.replace(lasting.effect, times=times - 1)
    return msgspec.structs.replace(lasting, effect=again)


def _saves(lasting: InForce, hull: Unit) -> bool:
    effect = lasting.effect
    if not isinstance(effect, RerollWreck) or effect.kind is not hull.kind:
        return False
    right_nation = not effect.nations or hull.nation in effect.nations
    return lasting.side is hull.side and right_nation


def _touches(state: State, lasting: InForce, effect: RollModifier, units: Sequence[Unit]) -> bool:
    if not units:
        return lasting.side is state.side
    hex_id = units[0].hex
    if units[0].side is not lasting.side or not reaches(state, effect.where, hex_id, lasting.side):
        return False
    if effect.one_stack and lasting.hex != _set_out_from(state, hex_id):
        return False
    return not effect.nations or any(unit.nation in effect.nations for unit in _troops(units))


def _set_out_from(state: State, hex_id: HexId) -> HexId:
    """Return the hex in which the stack was at the event: the start of its march."""
    return hex_id if state.march is None else state.march.route[0]


def _troops(units: Sequence[Unit]) -> Sequence[Unit]:
    """Return the troops that decide the stack's nation, or all units when it has no troops."""
    troops = [unit for unit in units if unit.kind not in UNCOUNTED | TRAIN]
    return troops or units
