"""Checks that hold after every action: they stand behind all the rules' tests.

They are written from the book and share nothing with the code of the rules but the map, the
tables and the words of state and events.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from battles.contract.brief import AFLOAT, CANNOT_MELEE, RIVER_CRAFT, Nation, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.game import Outcome
from campaign import rules
from campaign.rules.core import events as e
from campaign.rules.core.board import laws, scenario_of
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import HexId, sudan
from campaign.rules.railways import railway_hexes
from campaign.rules.tables.editions import edition
from campaign.rules.tables.scenario_data import Scenario


def check_action(before: bytes, state: State, outcome: Outcome) -> None:
    """The state after an action is what its events make of the bytes before, and is lawful."""
    copy = decode(before, State)
    events = decode(encode(list(outcome.events)), list[e.AnyEvent])
    for event in events:
        _check_event(copy, event)
        known = dict(copy.units)
        evolve(copy, event)
        _check_no_conjuring(known, copy, event)
    after = encode(state)
    assert encode(copy) == after, "the events do not lead to the state"
    assert encode(decode(after, State)) == after, "the state changes when it is read back"
    cited = [place for event in events for place in event.rolls]
    assert cited == sorted(set(cited)), "a throw is the cause of two events"
    assert all(place < len(outcome.rolls) for place in cited), "an event cites dice not thrown"
    check_state(state)


def check_state(state: State) -> None:
    """Units are conserved and stand where they can; marches are counted; somebody is asked."""
    units = list(state.units.values())
    _check_counters(state)
    for side in Side:
        banned = _banned(scenario_of(state), side)
        inside = {unit.hex for unit in units if unit.hex in banned and unit.side is side}
        assert not inside, f"the {side} side stands in {inside}, where it may not go (2.2)"
    for hex_id, stack in _stacks(state).items():
        _check_place(state, hex_id, {unit.kind for unit in stack})
    _check_two_sides(state)
    _check_march(state)
    names = Counter(unit.name for unit in state.units.values() if unit.kind is TroopKind.LEADER)
    assert all(count == 1 for count in names.values()), f"a leader stands twice: {names}"
    if state.result is not None:
        assert state.question is None, "the campaign is over and still asks"
        assert not state.agenda, "the campaign is over and goes on"
    else:
        assert state.question is not None or not state.agenda, "nobody is asked"


@cache
def _banned(here: Scenario, side: Side) -> frozenset[HexId]:
    return here.forbidden(side)


def _check_counters(state: State) -> None:
    """Mahdist counters on the map, due, in the pile and beside it stay as many as there were.

    At the beginning they are the counter mix (3.2), in a scenario of our own with what it has due.
    """
    counted, at_first = _counters(state), _counters_at_first(state.scenario, state.edition)
    for kind in TroopKind:
        pile, beside = state.pool.get(kind, 0), state.box.get(kind, 0)
        assert pile >= 0 <= beside, f"{kind}: {pile} in the pile, {beside} beside it"
        if kind is TroopKind.LEADER:
            assert pile == beside == 0, "leaders are not drawn from a pile"
            continue
        assert counted[kind] == at_first[kind], f"{counted[kind]} Mahdist {kind} counters"


def _counters(state: State) -> Counter[TroopKind]:
    waiting = [unit for due in state.due for unit in due.units]
    held = [unit for unit in [*state.units.values(), *waiting] if unit.nation is Nation.MAHDIST]
    return Counter(unit.kind for unit in held) + Counter(state.pool) + Counter(state.box)


@cache
def _counters_at_first(scenario: str, book: str) -> Counter[TroopKind]:
    return _counters(rules.new_game(scenario, edition(book)))


def _stacks(state: State) -> dict[HexId, list[Unit]]:
    found: dict[HexId, list[Unit]] = {}
    for unit in state.units.values():
        found.setdefault(unit.hex, []).append(unit)
    return found


def _check_place(state: State, hex_id: HexId, kinds: set[TroopKind]) -> None:
    ground = sudan()
    assert hex_id in ground.hexes, f"{kinds} are not on the map"
    field = ground.hexes[hex_id]
    assert not field.sea, f"{kinds} stand in the sea at {hex_id}"
    assert not field.closed, f"{kinds} stand at {hex_id}, where the map is closed"
    if kinds & RIVER_CRAFT:
        afloat = bool(ground.river_at(hex_id)) or hex_id in railway_hexes(state)
        assert afloat, f"craft at {hex_id}, neither beside a river nor on a railway"
    if TroopKind.FLEET in kinds:
        assert field.coast, f"the fleet is away from the coast at {hex_id}"


def _check_two_sides(state: State) -> None:
    """No hex holds land units or leaders of both sides, save leaders aboard."""
    for hex_id, stack in _stacks(state).items():
        if len({unit.nation is Nation.MAHDIST for unit in stack}) < 2:
            continue
        afloat = {unit.side for unit in stack if unit.kind in AFLOAT}
        ashore = [unit for unit in stack if unit.kind not in AFLOAT]
        standing = [u for u in ashore if u.kind is not TroopKind.LEADER or u.side not in afloat]
        fighting = any(unit.kind is not TroopKind.LEADER for unit in standing)
        sides = {unit.side for unit in standing}
        assert not fighting or len(sides) < 2, f"both sides stand in {hex_id}"


def _check_march(state: State) -> None:
    march = state.march
    assert set(state.marched) <= set(state.units), "a unit that is gone has marched"
    if march is None:
        return
    most = laws(state).number("march.marches")
    assert march.marches <= most, f"a stack has marched more than {most} times (8.3)"
    assert march.points >= 0, "a stack has spent more points than it had (8.2)"
    marching = [state.units[unit_id] for unit_id in march.units]
    assert len({unit.hex for unit in marching}) <= 1, "the marching stack is scattered"
    again = {unit.id for unit in marching if unit.kind is not TroopKind.FLEET} & set(state.marched)
    assert not again, f"{again} march again in the same turn (8.3)"


def _check_no_conjuring(known: dict[UnitId, Unit], state: State, event: e.AnyEvent) -> None:
    """Units come by `Arrived` and go by `Removed`, and nothing else brings or takes them."""
    came, went = set(state.units) - set(known), set(known) - set(state.units)
    if came:
        assert isinstance(event, e.Arrived), f"{type(event).__name__} brought {came}"
        assert came == {unit.id for unit in event.units}
    if went:
        assert isinstance(event, e.Removed), f"{type(event).__name__} took {went}"
        assert went == set(event.units)


def _check_event(state: State, event: e.AnyEvent) -> None:
    """Movement as the book has it, judged by the state just before it."""
    if isinstance(event, e.Moved):
        _check_moved(state, event)
    elif isinstance(event, e.WentByRail):
        _check_train(state, event)
    elif isinstance(event, e.Sailed):
        _check_voyage(state, event)
    elif isinstance(event, e.Retreated):
        _check_retreat(state, event)
    elif isinstance(event, e.CombatBegan):
        _check_combat(state, event)
    elif isinstance(event, e.SailedAway):
        _check_flight(state, event)
    elif isinstance(event, e.Disrupted):
        shaken = [unit_id for unit_id in event.units if state.units[unit_id].disrupted]
        assert not shaken, f"{shaken} are disrupted twice and stay (9.7)"
    elif isinstance(event, e.MonthBegan):
        assert event.month == state.month + 1


def _marchers(state: State) -> tuple[list[Unit], HexId]:
    assert state.march is not None
    units = [state.units[unit_id] for unit_id in state.march.units]
    return units, state.march.route[-1]


def _check_moved(state: State, event: e.Moved) -> None:
    units, here = _marchers(state)
    side = units[0].side
    if any(unit.kind is TroopKind.FLEET for unit in units):
        assert event.cost == 0, "the fleet carries for nothing (8.25)"
        return
    assert not any(unit.kind in RIVER_CRAFT for unit in units), "craft march by land (6.0)"
    cost = 0
    for there in event.path:
        _check_leaves(state, units, here)
        cost += _step(state, side, here, there)
        here = there
    _check_enters(state, side, here)
    assert cost == event.cost, f"the way costs {cost}, not {event.cost}"
    assert state.march is not None
    assert cost <= state.march.points, "not points enough (8.2)"


def _step(state: State, side: Side, here: HexId, there: HexId) -> int:
    ground = sudan()
    assert there in ground.neighbours[here], f"{here} to {there} skips hexes (8.2)"
    assert not _holds(state, side.enemy, there), f"{there} is the enemy's"
    cost = {"flat": 1, "hill": 2, "mountain": 3}[ground.hexes[there].relief]
    if (here, there) not in ground.sides:
        return cost
    for watched in (here, there):
        near = {watched, *ground.neighbours[watched]}
        guards = _where(state, side.enemy, {TroopKind.GUNBOAT})
        assert not near & guards, "a gunboat guards that crossing (8.21)"
    ferries = _where(state, side, RIVER_CRAFT)
    return cost if {here, there} & ferries else cost + laws(state).number("river.crossing")


def _check_train(state: State, event: e.WentByRail) -> None:
    units, here = _marchers(state)
    assert not any(unit.kind is TroopKind.FLEET for unit in units), "the fleet goes by rail"
    _check_leaves(state, units, here)
    rails = railway_hexes(state)
    assert here in rails, "the train leaves from no railway (8.22)"
    for there in event.path:
        assert there in sudan().neighbours[here]
        assert there in rails, "the train leaves the railway (8.22)"
        assert not _holds(state, units[0].side.enemy, there), "a train runs into the enemy (8.22)"
        here = there


def _check_voyage(state: State, event: e.Sailed) -> None:
    units, here = _marchers(state)
    side = units[0].side
    hulls = set(event.hulls) & {unit.id for unit in units}
    assert state.march is not None
    if not state.march.sailed:
        assert not hulls & set(state.hulls_used), "a hull is used twice in a turn (8.23)"
        aboard = [unit for unit in units if unit.kind not in RIVER_CRAFT | {TroopKind.LEADER}]
        assert len(aboard) <= len(hulls), "more aboard than the hulls carry (8.23)"
        assert not any(unit.kind is TroopKind.CIVILIANS for unit in aboard), (
            "civilians aboard (8.23)"
        )
        _check_leaves(state, aboard, here)
    for there in event.path:
        moves = {move.to for move in sudan().river_moves.get(here, ())}
        assert there in moves, f"no river leads from {here} to {there} (8.23)"
        assert not _holds(state, side.enemy, there)
        here = there


def _check_retreat(state: State, event: e.Retreated) -> None:
    units = [state.units[unit_id] for unit_id in event.units]
    side = units[0].side
    fleet = any(unit.kind is TroopKind.FLEET for unit in units)
    here = units[0].hex
    for there in event.path:
        field = sudan().hexes[there]
        assert not field.sea, f"a retreat into the sea at {there} (9.8)"
        assert not field.closed, f"a retreat off the map at {there}"
        assert not _holds(state, side.enemy, there), f"a retreat into the enemy at {there} (9.8)"
        assert fleet or there in sudan().neighbours[here], "a retreat by a leap (9.8)"
        here = there


def _check_combat(state: State, event: e.CombatBegan) -> None:
    """Units of both sides meet from hex to hex, all of them, on one bank save in a sortie."""
    attacking = [state.units[unit_id] for unit_id in event.attacking]
    defending = [state.units[unit_id] for unit_id in event.defending]
    assert {unit.hex for unit in attacking} == {event.attacker}
    there = [u.id for u in state.units.values() if u.hex == event.defender and u.side != event.side]
    assert {unit.id for unit in defending} == set(there), "some are kept out of the combat (9.1)"
    assert event.defender in sudan().neighbours[event.attacker], "not next to each other (9.1)"
    ashore = {unit.id for unit in attacking if unit.kind is not TroopKind.FLEET}
    assert not ashore & set(state.marched), "who has marched attacks (8.3)"
    if all(unit.kind in AFLOAT | {TroopKind.LEADER} for unit in defending):
        gunboat = any(unit.kind is TroopKind.GUNBOAT for unit in attacking)
        assert gunboat, "something else than a gunboat attacks craft (6.1)"
        return
    assert any(unit.kind not in CANNOT_MELEE for unit in attacking), "nobody can melee (9.1)"
    assert event.sortie or (event.attacker, event.defender) not in sudan().sides, "over a river"
    if event.sortie:
        assert _besieged(state, event.side, event.attacker), "a sortie from no siege (9.12)"


def _check_flight(state: State, event: e.SailedAway) -> None:
    """Driven craft go one hex along the river, not into the enemy (6.1)."""
    for unit_id in event.units:
        unit = state.units[unit_id]
        near = {move.to for move in sudan().river_moves.get(unit.hex, ())}
        assert event.hex in near, f"craft flee from {unit.hex} to {event.hex}"
        assert not _holds(state, unit.side.enemy, event.hex), "craft flee into the enemy (6.1)"


def _check_leaves(state: State, units: Sequence[Unit], here: HexId) -> None:
    ashore = [unit for unit in units if unit.kind not in AFLOAT | {TroopKind.LEADER}]
    if ashore and sudan().hexes[here].place:
        assert not _besieged(state, units[0].side, here), "the stack is under siege (9.12)"


def _check_enters(state: State, side: Side, there: HexId) -> None:
    if sudan().hexes[there].place and _holds(state, side, there):
        assert not _besieged(state, side, there), "a stack enters a place under siege (9.12)"


def _besieged(state: State, side: Side, here: HexId) -> bool:
    near = set(sudan().neighbours[here])
    return any(
        unit.hex in near
        for unit in state.units.values()
        if unit.side is side.enemy and unit.kind not in CANNOT_MELEE | {TroopKind.CIVILIANS}
    )


def _holds(state: State, side: Side, hex_id: HexId) -> bool:
    return any(
        unit.hex == hex_id and unit.kind not in AFLOAT | {TroopKind.LEADER}
        for unit in state.units.values()
        if unit.side is side
    )


def _where(state: State, side: Side, kinds: Iterable[TroopKind]) -> set[HexId]:
    wanted = set(kinds)
    return {
        unit.hex
        for unit in state.units.values()
        if unit.side is side and unit.kind in wanted and unit.hex != OFF_MAP
    }
