"""First state of a campaign, and the free set-up before its first turn (2.0)."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Nation, Side, TroopKind
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, scenario_of
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.questions import ToSetUp
from campaign.rules.core.state import (
    OFF_MAP,
    RULES,
    VERSION,
    DueUnits,
    HandOff,
    InForce,
    Phase,
    State,
    Unit,
    open_question,
)
from campaign.rules.map import HexId, Map, NamedPlace, PlaceClass, is_printed
from campaign.rules.stacks import capitalise_first, describe_unit
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.editions import Edition, remember, shipped_edition
from campaign.rules.tables.scenario_blocks import area_hexes
from campaign.rules.tables.scenario_data import (
    ArrivalGroup,
    PositionTaken,
    Scenario,
    ScheduledCounter,
    StartingStack,
)


def new_game(slug: str, edition: Edition | None = None, hand_off: HandOff | None = None) -> State:
    """Return the first state of a campaign, in which both sides may change their set-up.

    It uses the tables and scenarios of the edition, by default the shipped one; `hand_off` says how
    its battles are fought, by default by its own table. Raise UnknownScenario when the edition has
    no such scenario.
    """
    played_by = remember(edition or shipped_edition())
    scenario, law = played_by.scenario(slug), played_by.book
    units = list(_units_on_map(scenario, law))
    due = list(_due(scenario, law, len(units) + 1))
    pool, box = _counters_off_map(scenario, law, units)
    state = State(
        version=VERSION,
        rules=RULES,
        scenario=slug,
        map=scenario.chart.digest,
        edition=played_by.digest,
        month=scenario.first_month,
        side=Side.EGYPTIAN,
        phase=Phase.SET_UP,
        units={unit.id: unit for unit in units},
        next_unit=1 + len(units) + sum(len(group.units) for group in due),
        pool=pool,
        box=box,
        control=_control(scenario, units),
        vacant=list(vacant_towns(scenario)),
        railheads=scenario.railheads,
        due=due,
        hand_off=hand_off,
        agenda=[Step("set up", (Side.MAHDIST,))],
        question=ToSetUp(Side.EGYPTIAN),
    )
    if scenario.taken_up is not None:
        _take_up(state, scenario.taken_up)
    return state


def _take_up(state: State, position: PositionTaken) -> None:
    """Give the state what the position has besides its units."""
    state.control = {
        **state.control,
        **{_hex(number): side for number, side in position.control.items()},
    }
    state.vacant = list(map(_hex, position.vacant))
    state.called, state.flags = list(position.called), list(position.flags)
    state.tallies = dict(position.tallies)
    state.pool, state.box = {**state.pool, **position.pool}, {**state.box, **position.box}
    state.in_force = [
        InForce(
            entry.side, entry.effect, entry.title, OFF_MAP if entry.hex is None else _hex(entry.hex)
        )
        for entry in position.in_force
    ]


def _hex(number: str) -> HexId:
    return HexId(int(number))


def _units_on_map(scenario: Scenario, law: CampaignTables) -> Iterator[Unit]:
    """Yield every unit on the map, numbered in the order of the set-up."""
    number = 1
    for stack in scenario.stack:
        for hex_id, spec in scenario.deployment(stack):
            for counter in spec.counters(law):
                yield as_unit(counter, UnitId(number), hex_id)
                number += 1


def as_unit(counter: ScheduledCounter, number: UnitId, hex_id: HexId, *, origin: str = "") -> Unit:
    """Return the counter as a unit in play."""
    return Unit(
        number,
        counter.kind,
        counter.nation,
        counter.quality,
        counter.strength,
        hex_id,
        counter.disrupted,
        counter.name,
        origin or counter.origin,
    )


def _due(scenario: Scenario, law: CampaignTables, number: int) -> Iterator[DueUnits]:
    for group in scenario.reinforcement:
        if group.when is not None:
            counters = [counter for spec in group.units for counter in spec.counters(law)]
            yield from scheduled_groups(scenario.chart, group, counters, number, group.when)
            number += len(counters)


def scheduled_groups(
    map_: Map, group: ArrivalGroup, counters: list[ScheduledCounter], number: int, when: Month
) -> Iterator[DueUnits]:
    """Yield the counters of a group, numbered from `number`, as due in a month.

    Counters that may not come to all of its places make up a group of their own.
    """
    origin = group.id if group.replaced_at else ""
    units = {
        place: as_unit(counter, UnitId(number + place), OFF_MAP, origin=origin)
        for place, counter in enumerate(counters)
    }
    for barred in dict.fromkeys(counter.not_at for counter in counters):
        hexes = tuple(map_.spot(name) for name in group.at if name not in barred)
        part = [units[n] for n, counter in enumerate(counters) if counter.not_at == barred]
        yield DueUnits(when, group.title, hexes, tuple(part))


def _counters_off_map(
    scenario: Scenario, law: CampaignTables, units: list[Unit]
) -> tuple[dict[TroopKind, int], dict[TroopKind, int]]:
    """Return the number of each kind of Mahdist counter in the pool and in the box (3.2)."""
    pool: dict[TroopKind, int] = {}
    box: dict[TroopKind, int] = {}
    for kind in (kind for kind in TroopKind if law.counters(kind)):
        on_map = sum(unit.kind is kind and unit.nation is Nation.MAHDIST for unit in units)
        pool[kind] = max(0, scenario.drawn.get(kind, 0) - on_map)
        box[kind] = law.counters(kind) - on_map - pool[kind]
    return pool, box


def _control(scenario: Scenario, units: list[Unit]) -> dict[HexId, Side]:
    """Return the holder of each place.

    That is its occupant, one ashore before one afloat, else the Mahdists where they are at home,
    else the Egyptians.
    """
    control = {place.hex: _at_home(scenario, place.hex) for place in _places(scenario.chart)}
    for unit in sorted(units, key=_is_free, reverse=True):
        if unit.hex in control:
            control[unit.hex] = unit.side
    return dict(sorted(control.items()))


@lru_cache(maxsize=64)
def vacant_towns(scenario: Scenario) -> tuple[HexId, ...]:
    """Return the Egyptian player's towns in which nobody stands by the set-up (3.2)."""
    manned = {hex_id for stack in scenario.stack for hex_id, _ in scenario.deployment(stack)}
    towns = {place.hex for place in _places(scenario.chart) if place.kind is PlaceClass.TOWN}
    empty = sorted(towns - manned)
    return tuple(hex_id for hex_id in empty if _at_home(scenario, hex_id) is Side.EGYPTIAN)


def _places(map_: Map) -> list[NamedPlace]:
    """Return the places that can be held, without those in hexes that a layer has closed."""
    layered = not is_printed(map_)
    return [p for p in map_.places.values() if not (layered and map_.hexes[p.hex].closed)]


def _at_home(scenario: Scenario, hex_id: HexId) -> Side:
    return (
        Side.MAHDIST
        if hex_id in area_hexes(scenario.mahdist_places, scenario.chart)
        else Side.EGYPTIAN
    )


def may_choose_hexes(state: State, side: Side) -> bool:
    """Return whether the scenario lets the side choose where any of its stacks stands (2.1)."""
    return not all(stack.is_fixed for stack in scenario_of(state).stack if stack.side is side)


def set_up_choices(state: State, side: Side) -> dict[UnitId, tuple[HexId, ...]]:
    """Return for each unit of the side the other hexes in which it may set up (2.1)."""
    alike: dict[tuple[str, bool, bool], tuple[HexId, ...]] = {}
    elsewhere: dict[tuple[tuple[str, bool, bool], HexId], tuple[HexId, ...]] = {}
    choices = {}
    stacks, counts = starting_stacks(scenario_of(state)), _count_against_limits(state, side)
    for unit in (unit for unit in board(state).units if unit.side is side):
        stack = stacks[unit.id]
        kind = stack.id, _is_free(unit), unit.kind in RIVER_CRAFT
        if kind not in alike:
            most = 0 if _is_free(unit) else stack.area.most
            full = {hex_id for hex_id, count in counts.items() if most and count >= most}
            alike[kind] = tuple(sorted(_lawful(state, unit) - full))
        key = kind, unit.hex
        if key not in elsewhere:
            elsewhere[key] = tuple([hex_id for hex_id in alike[kind] if hex_id != unit.hex])
        if elsewhere[key]:
            choices[unit.id] = elsewhere[key]
    return choices


def check_deploy(state: State, action: a.Deploy) -> None:
    """Raise IllegalAction when these units may not start in that hex (2.1, 2.2, 2.3)."""
    side = open_question(state, ToSetUp).side
    units = board(state).named(action.units)
    if not units or len(units) < len(action.units) or any(unit.side is not side for unit in units):
        raise IllegalAction("2.1", "Only units of your own on the map can be set up.")
    for unit in units:
        if action.hex not in _lawful(state, unit):
            raise IllegalAction(
                "2.1",
                f"{capitalise_first(describe_unit(unit))} may not set up in "
                f"{_name(state, action.hex)}.",
                "Keep within the area that the scenario gives it.",
            )
    if not _fits(state, units, action.hex):
        raise IllegalAction(
            "2.3",
            f"{_name(state, action.hex)} would hold more units than the scenario lets it.",
            "Spread them over more hexes.",
        )


def deploy(ledger: Ledger[State], action: a.Deploy) -> None:
    """Set the units up in the hex, and adapt the control of places left and entered (2.1)."""
    state = ledger.state
    side = open_question(state, ToSetUp).side
    left = {unit.hex for unit in board(state).named(action.units)}
    ledger.emit(e.Deployed(action.units, action.hex))
    for hex_id in sorted({*left, action.hex} & set(state.control)):
        holder = side if board(state).stack(side, hex_id) else _at_home(scenario_of(state), hex_id)
        manned = hex_id in state.vacant and hex_id == action.hex
        if manned or state.control[hex_id] is not holder:
            ledger.emit(e.ControlChanged(hex_id, holder))
    ledger.ask(ToSetUp(side))


def _lawful(state: State, unit: Unit) -> frozenset[HexId]:
    """Return the hexes in which the unit may set up, regardless of its own side's units there."""
    stack = starting_stacks(scenario_of(state))[unit.id]
    hexes = scenario_of(state).set_up_hexes(stack) - board(state).occupied[unit.side.enemy]
    if unit.kind in RIVER_CRAFT:
        return frozenset(hex_id for hex_id in hexes if chart(state).river_at(hex_id))
    return hexes


def _fits(state: State, units: list[Unit], hex_id: HexId) -> bool:
    """Return whether the hex would hold no more than the scenario allows (2.3)."""
    stacks = starting_stacks(scenario_of(state))
    most = {stacks[unit.id].area.most for unit in units} - {0}
    stack = board(state).stack(units[0].side, hex_id)
    together = {unit.id for unit in (*stack, *units) if not _is_free(unit)}
    return not most or len(together) <= min(most)


def _count_against_limits(state: State, side: Side) -> Counter[HexId]:
    """Return for each hex the number of the side's units that count against its limit (2.3)."""
    return Counter(
        unit.hex for unit in board(state).units if unit.side is side and not _is_free(unit)
    )


def _is_free(unit: Unit) -> bool:
    """Return whether the unit is exempt from a hex's limit: leaders and boats (2.3)."""
    return unit.kind in AFLOAT or unit.kind is TroopKind.LEADER


@lru_cache(maxsize=64)
def starting_stacks(scenario: Scenario) -> dict[UnitId, StartingStack]:
    """Return the scenario's stack to which each unit on the map at the start belongs."""
    stacks: dict[UnitId, StartingStack] = {}
    for stack in scenario.stack:
        for spec in stack.units:
            for _ in range(spec.count):
                stacks[UnitId(len(stacks) + 1)] = stack
    return stacks


def _name(state: State, hex_id: HexId) -> str:
    if hex_id not in chart(state).hexes:
        return f"hex {hex_id:04d}"
    return f"hex {hex_id:04d} ({chart(state).describe(hex_id)})"
