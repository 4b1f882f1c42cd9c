"""Reinforcements and replacements: phase II (3.1 to 3.3, 8.24)."""

from collections.abc import Iterator

from battles.contract.brief import RIVER_CRAFT, Nation, Quality, Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseUnits, ToReinforce
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase, State, Unit, fallen_flag
from campaign.rules.effects_in_force import modifiers
from campaign.rules.map import HexId
from campaign.rules.march.arrival import occupy
from campaign.rules.march.fleet import REPAIR, fleet_returns
from campaign.rules.stacks import ids
from campaign.rules.tables.event_effects import ModifiableRoll, quantity
from campaign.rules.tables.rows import Draw
from campaign.rules.tables.scenario_blocks import area_hexes
from campaign.rules.tables.scenario_data import Rising
from campaign.rules.unit_losses import REPLACEMENT, counter_pile, free_counters, remove

DRAWN = "draw"


def reinforcement_phase(ledger: Ledger[State], side: str) -> None:
    """Run phase II: units that are due arrive, and their owner places them (5.2 II, 5.3 II)."""
    own_side = Side(side)
    if own_side is Side.EGYPTIAN:
        _monthly_supply(ledger)
        fleet_returns(ledger)
        ledger.then(Step("railway"), Step("place arrivals", (side,)))
    else:
        ledger.then(Step("mahdist draw"), Step("risings"), Step("place arrivals", (side,)))
    _remove_units_that_cannot_come(ledger, own_side)


def place_arrivals(ledger: Ledger[State], side: str) -> None:
    """Ask the side to place its arrivals, to withdraw units, and to end the phase."""
    ledger.ask(ToReinforce(Side(side)))


def groups_due(state: State, side: Side) -> dict[int, DueUnits]:
    """Return the groups due now, by their index in `state.due`, without those that must wait."""
    return {
        place: due
        for place, due in enumerate(state.due)
        if due.month <= state.month
        and due.units[0].side is side
        and not _must_wait(state, side, due)
    }


def groups_to_place(state: State, side: Side) -> dict[int, DueUnits]:
    """Return the groups due now that can be placed, by their index in `state.due`.

    A group stays due if a ruling gave all its places to the enemy after the phase began: whether it
    is lost is judged when the next phase begins (3.1).
    """
    return {
        place: due
        for place, due in groups_due(state, side).items()
        if landing_places(state, side, due, due.units)
    }


def _must_wait(state: State, side: Side, due: DueUnits) -> bool:
    """Return whether a siege alone keeps replacements out of their places (3.3)."""
    left = set(due.at) - board(state).occupied[side.enemy]
    return due.reason == REPLACEMENT and set() < left <= _shut_to_replacements(state, side)


def landing_places(state: State, side: Side, due: DueUnits, units: tuple[Unit, ...]) -> list[HexId]:
    """Return the hexes where these units may be placed: none held by the enemy (3.1)."""
    enemy = board(state).occupied[side.enemy]
    afloat = any(unit.kind in RIVER_CRAFT for unit in units)
    return [
        hex_id
        for hex_id in _places(state, side, due)
        if hex_id not in enemy
        and (not afloat or chart(state).river_at(hex_id))
        and (due.reason != REPAIR or _friendly_yard(state, side, hex_id, units))
        and (due.reason != REPLACEMENT or hex_id not in _shut_to_replacements(state, side))
    ]


def _places(state: State, side: Side, due: DueUnits) -> tuple[HexId, ...]:
    """Return the places of a group; drawn units join any stack present now (3.21)."""
    stacks = board(state).occupied[side]
    return tuple(sorted(stacks)) if due.reason == DRAWN and stacks else due.at


def _shut_to_replacements(state: State, side: Side) -> set[HexId]:
    """Return places that take replacements only while not under siege, and are besieged (3.3)."""
    names = scenario_of(state).replaced.unless_besieged
    hexes = {chart(state).spot(name) for name in names}
    return {hex_id for hex_id in hexes if board(state).besieged(side, hex_id)}


def _friendly_yard(state: State, side: Side, hex_id: HexId, units: tuple[Unit, ...]) -> bool:
    """Return whether a repaired hull can return here: some only to a place held (8.23)."""
    held_only = any(laws(state).wreck(unit.kind, unit.nation).only_if_held for unit in units)
    return not held_only or board(state).holds(side, hex_id)


def _remove_units_that_cannot_come(ledger: Ledger[State], side: Side) -> None:
    """Remove for good units whose places are all held by the enemy (3.1)."""
    # From the end, because a group that is settled leaves the list and moves later groups up.
    for place, due in reversed(groups_due(ledger.state, side).items()):
        if not landing_places(ledger.state, side, due, due.units):
            ledger.emit(e.Settled(place, ids(due.units), lost=True))


def _monthly_supply(ledger: Ledger[State]) -> None:
    """Add the supply units that come every turn from a certain month on (3.3)."""
    state = ledger.state
    monthly = scenario_of(state).monthly_supply
    if monthly is None or state.month < monthly.first_month:
        return
    units = tuple(
        Unit(
            UnitId(state.next_unit + place),
            TroopKind.SUPPLY,
            Nation.BRITISH,
            Quality.NONE,
            1,
            OFF_MAP,
        )
        for place in range(laws(state).number("supply.monthly"))
    )
    hexes = tuple(chart(state).spot(name) for name in monthly.at)
    ledger.emit(e.Waited(DueUnits(state.month, "monthly supply", hexes, units)))


def risings(ledger: Ledger[State]) -> None:
    """Raise each leader and his spears once the place in his way has fallen (2.2)."""
    for rising in scenario_of(ledger.state).rising:
        flag = f"rising:{rising.leader}"
        if _has_fallen(ledger.state, rising.place) and flag not in ledger.state.flags:
            ledger.emit(e.Flagged(flag))
            _rise(ledger, rising)


def _has_fallen(state: State, place: str) -> bool:
    """Return whether the Mahdists hold the place, or have taken it and lost it again."""
    is_held = board(state).holds(Side.MAHDIST, chart(state).place(place).hex)
    return is_held or fallen_flag(place) in state.flags


def _rise(ledger: Ledger[State], rising: Rising) -> None:
    state = ledger.state
    count = quantity(rising.quantity)
    roll = ledger.roll(
        Roll(f"Spears with {rising.leader}", rising.clause, (0,) * count.dice, side=Side.MAHDIST)
    )
    total = min(roll.total + count.plus, free_counters(state, TroopKind.SPEARS))
    spears = tuple(_fresh(state, TroopKind.SPEARS, place + 1) for place in range(total))
    leader = Unit(
        UnitId(state.next_unit),
        TroopKind.LEADER,
        Nation.MAHDIST,
        Quality.NONE,
        0,
        OFF_MAP,
        name=rising.leader,
    )
    hexes = tuple(sorted(area_hexes(rising.area, chart(state))))
    ledger.emit(e.Waited(DueUnits(state.month, "rising", hexes, (leader, *spears))))


def mahdist_draw(ledger: Ledger[State]) -> None:
    """Roll a die that removes Mahdists, changes nothing, or draws units from the pool (3.21)."""
    state = ledger.state
    roll = ledger.roll(
        Roll(
            "Mahdist reinforcement",
            "3.21",
            (0,),
            modifiers=tuple(_draw_modifiers(state)),
            table="mahdist_reinforcement",
            side=Side.MAHDIST,
        )
    )
    result = laws(state).mahdist_draw(roll.total)
    ledger.amend(roll, result=result)
    if result is Draw.REMOVE:
        _send_home(ledger)
    elif result is Draw.ADD:
        _draw(ledger)


def _draw_modifiers(state: State) -> Iterator[Modifier]:
    law, ground, position = laws(state), chart(state), board(state)
    yield from modifiers(state, ModifiableRoll.MAHDIST_REINFORCEMENT, position.units[:0])
    if position.holds(Side.MAHDIST, ground.place("Khartoum").hex):
        yield law.modifier("draw.khartoum")
    if position.holds(Side.EGYPTIAN, ground.place("Berber").hex):
        yield law.modifier("draw.berber")


def _send_home(ledger: Ledger[State]) -> None:
    state = ledger.state
    mahdists = [unit for unit in board(state).units if unit.side is Side.MAHDIST]
    present = [unit for unit in mahdists if unit.kind is not TroopKind.LEADER]
    if len(present) < laws(state).number("draw.fewest"):
        return
    count = min(ledger.roll(_how_many("go home")).total, len(present))
    ledger.ask(ToChooseUnits(Side.MAHDIST, "units go home", "3.21", ids(present), count))


def units_go_home(ledger: Ledger[State], *units: UnitId) -> None:
    """Remove the Mahdist units chosen, which leave for their homes (3.21)."""
    remove(ledger, units, "gone home")


def _draw(ledger: Ledger[State]) -> None:
    state = ledger.state
    count = ledger.roll(_how_many("come")).total
    stacks = tuple(sorted(board(state).occupied[Side.MAHDIST]))
    kinds = counter_pile(state)
    drawn = []
    for _ in range(min(count, len(kinds))):
        roll = ledger.roll(Roll("Counter drawn", "3.2", (0,), sides=len(kinds), side=Side.MAHDIST))
        kind = kinds.pop(roll.total - 1)
        ledger.amend(roll, result=kind)
        drawn.append(kind)
    if drawn and stacks:
        units = tuple(_fresh(state, kind, place) for place, kind in enumerate(drawn))
        ledger.emit(e.Waited(DueUnits(state.month, DRAWN, stacks, units)))


def _how_many(verb: str) -> Roll:
    return Roll(f"Mahdist units that {verb}", "3.21", (0,), side=Side.MAHDIST)


def _fresh(state: State, kind: TroopKind, place: int) -> Unit:
    usual = laws(state).default(kind, Nation.MAHDIST)
    number = UnitId(state.next_unit + place)
    return Unit(number, kind, Nation.MAHDIST, usual.quality, usual.strength, OFF_MAP)


def check_place(state: State, action: a.Place) -> None:
    """Raise IllegalAction when these arrivals may not be placed there (3.1)."""
    side = state.side
    due = groups_due(state, side).get(action.group)
    if due is None:
        raise IllegalAction("3.1", f"No group {action.group} has arrived for the {side} side.")
    units = units_placed(due, action)
    if not units or (action.units and len(units) < len(set(action.units))):
        raise IllegalAction("3.1", "Only units of the group can be placed with it.")
    if action.hex not in landing_places(state, side, due, units):
        raise IllegalAction(
            "3.1",
            f"These units may not arrive in hex {action.hex:04d}.",
            "Choose one of the places named for them that the enemy does not hold.",
        )


def units_placed(due: DueUnits, action: a.Place) -> tuple[Unit, ...]:
    """Return the units of the group that the action places: the named ones, or all."""
    unit_ids = set(action.units)
    return tuple(unit for unit in due.units if not unit_ids or unit.id in unit_ids)


def place(ledger: Ledger[State], action: a.Place) -> None:
    """Put the arrivals on the map (3.1)."""
    due = ledger.state.due[action.group]
    units = units_placed(due, action)
    ledger.emit(e.Settled(action.group, ids(units)))
    arrivals = tuple(unit.as_new_counter(unit.id, action.hex) for unit in units)
    ledger.emit(e.Arrived(arrivals, due.reason))
    occupy(ledger, action.hex, ledger.state.side)
    ledger.then(Step("place arrivals", (ledger.state.side,)))


def may_withdraw(state: State, side: Side) -> tuple[UnitId, ...]:
    """Return the side's units on the map, any of which may be withdrawn (3.1)."""
    return tuple(sorted(unit.id for unit in board(state).units if unit.side is side))


def check_withdraw(state: State, action: a.Withdraw) -> None:
    """Raise IllegalAction when these units are not the side's own on the map (3.1)."""
    if not action.units or not set(action.units) <= set(may_withdraw(state, state.side)):
        raise IllegalAction(
            "3.1", "Only your own units on the map can be withdrawn.", "Leave the others out."
        )


def withdraw(ledger: Ledger[State], action: a.Withdraw) -> None:
    """Take the units off the map; they count as destroyed (3.1)."""
    remove(ledger, action.units, "withdrawn")
    ledger.then(Step("place arrivals", (ledger.state.side,)))


def may_dismount(state: State, side: Side) -> tuple[tuple[UnitId, ...], ...]:
    """Return the Camel Corps of a stack and quality that have not marched, by stack (8.24)."""
    together: dict[tuple[HexId, Quality], list[UnitId]] = {}
    corps = TroopKind.CAMEL_CORPS
    for unit in [unit for unit in board(state).units if unit.kind is corps]:
        if unit.side is side and unit.id not in state.marched:
            together.setdefault((unit.hex, unit.quality), []).append(unit.id)
    needed = laws(state).number("camel.dismount")
    return tuple(
        tuple(sorted(riders)) for _, riders in sorted(together.items()) if len(riders) >= needed
    )


def check_dismount(state: State, action: a.Dismount) -> None:
    """Raise IllegalAction unless these are two Camel Corps units alike, in one hex (8.24)."""
    units = board(state).named(action.units)
    needed = laws(state).number("camel.dismount")
    riders = all(unit.kind is TroopKind.CAMEL_CORPS and unit.side is state.side for unit in units)
    together = len({(unit.hex, unit.quality) for unit in units}) == 1
    if len(set(action.units)) != needed or len(units) != needed or not together or not riders:
        raise IllegalAction(
            "8.24",
            f"{needed} Camel Corps units of one quality that stand together dismount.",
            "Name two of one hex and one quality.",
        )
    if set(action.units) & set(state.marched):
        raise IllegalAction("8.24", "These Camel Corps have marched this turn.", "Wait a month.")


def dismount(ledger: Ledger[State], action: a.Dismount) -> None:
    """Turn Camel Corps into infantry for good, and leave a camel to carry supply (8.24)."""
    units = board(ledger.state).named(action.units)
    for unit in units:
        ledger.emit(e.Improved(unit.id, unit.quality, TroopKind.INFANTRY))
    number = UnitId(ledger.state.next_unit)
    camel = Unit(number, TroopKind.CAMEL, Nation.BRITISH, Quality.NONE, 1, units[0].hex)
    ledger.emit(e.Arrived((camel,), "dismounted"))
    on_the_march = ledger.state.phase is Phase.MARCH
    ledger.then(Step("march goes on" if on_the_march else "place arrivals", (ledger.state.side,)))


def check_placed_all(state: State) -> None:
    """Raise IllegalAction while arrivals are not yet placed (5.2 II)."""
    if groups_to_place(state, state.side):
        raise IllegalAction(
            "5.2 II", "Units that have arrived must be placed.", "Place every group first."
        )
