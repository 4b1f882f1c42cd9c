"""Effects of random events on reinforcements, repairs, rolls, railways and the end of the game."""

from collections.abc import Iterator

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Roll
from battles.core.game import Ledger
from campaign.rules import victory
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import OFF_MAP, DueUnits, InForce, State
from campaign.rules.map import HexId
from campaign.rules.march.fleet import REPAIR
from campaign.rules.railways import OPEN, lines
from campaign.rules.random_events.running_effect import RunningEffect, choose_hex, how_many
from campaign.rules.set_up import scheduled_groups
from campaign.rules.stacks import countable_units
from campaign.rules.tables.event_effects import (
    Effect,
    EndGame,
    ForceEffect,
    NoMarch,
    RailsEffect,
    Reschedule,
    RollModifier,
    When,
    WreckReturn,
    quantity,
)
from campaign.rules.tables.scenario_data import ArrivalGroup, ScheduledCounter


def reschedule(ledger: Ledger[State], effect: Reschedule, now: RunningEffect) -> bool:
    """Postpone the side's next scheduled reinforcement, or bring it now."""
    state = ledger.state
    waiting = dict(_scheduled_groups(state, now.side))
    if not waiting:
        return False
    first = min(due.month for due in waiting.values())
    title = next(due.reason for due in waiting.values() if due.month == first)
    month = state.month if effect.now else Month(first + effect.months)
    for place, due in waiting.items():
        if due.reason == title:
            ledger.emit(e.Postponed(place, month))
    return True


def _scheduled_groups(state: State, side: Side) -> Iterator[tuple[int, DueUnits]]:
    titles = {group.title for group in scenario_of(state).reinforcement}
    for place, due in enumerate(state.due):
        if due.reason in titles and due.units[0].side is side:
            yield place, due


def repair_sooner(ledger: Ledger[State], effect: WreckReturn, now: RunningEffect) -> bool:
    """Bring every wrecked gunboat of the side back some months sooner."""
    repairs = [
        (place, due)
        for place, due in enumerate(ledger.state.due)
        if due.reason == REPAIR and due.units[0].side is now.side
    ]
    for place, due in repairs:
        ledger.emit(e.Postponed(place, Month(due.month - effect.sooner)))
    return bool(repairs)


def call_force(ledger: Ledger[State], effect: ForceEffect, now: RunningEffect) -> bool:
    """Call the next force; when all have been called, run the effects of `afterwards`."""
    state = ledger.state
    left = [name for name in effect.groups if name not in state.called]
    if not left:
        ledger.then(*now.steps("afterwards", len(effect.afterwards)))
        return True
    group = scenario_of(state).called(left[0])
    ledger.emit(e.ForceCalled(group.id))
    coming = [counter for counter in _counters(state, group) if _comes(state, group, counter)]
    _take_from_schedule(ledger, {counter.name for counter in coming if counter.name})
    for due in scheduled_groups(chart(state), group, coming, state.next_unit, state.month):
        ledger.emit(e.Waited(due))
    return True


def open_railway(ledger: Ledger[State]) -> None:
    """Allow a railway from the turn after the call of the force that opens it (3.41)."""
    state = ledger.state
    groups = {group.id: group for group in scenario_of(state).force}
    if OPEN not in state.flags and any(groups[name].opens_railway for name in state.called):
        ledger.emit(e.Flagged(OPEN))


def _counters(state: State, group: ArrivalGroup) -> Iterator[ScheduledCounter]:
    law = laws(state)
    return (counter for spec in group.units for counter in spec.counters(law))


def _comes(state: State, group: ArrivalGroup, counter: ScheduledCounter) -> bool:
    """Return whether the counter is free to come: not on the map, returning, or lost (2.3)."""
    on_map = {unit.name for unit in board(state).units}
    if counter.unless_in_play and counter.unless_in_play in on_map:
        return False
    if not counter.name:
        return True
    if counter.kind is TroopKind.LEADER and counter.name in _led_before(state, group):
        return False
    return counter.name not in on_map | _on_the_way_back(state)


def _on_the_way_back(state: State) -> set[str]:
    """Return the names of counters due, except those scheduled from the start."""
    scheduled = {place for side in Side for place, _ in _scheduled_groups(state, side)}
    return {
        unit.name
        for place, due in enumerate(state.due)
        if place not in scheduled
        for unit in due.units
    }


def _led_before(state: State, group: ArrivalGroup) -> set[str]:
    """Return leaders of earlier forces, who do not come again once they are gone (3.3)."""
    earlier = [other for other in scenario_of(state).force if other.id in state.called]
    return {spec.name for other in earlier if other is not group for spec in other.units}


def _take_from_schedule(ledger: Ledger[State], names: set[str]) -> None:
    """Remove counters that come now from later reinforcements (2.3)."""
    waiting = {place: due for side in Side for place, due in _scheduled_groups(ledger.state, side)}
    # From the end, because a group that is settled leaves the list and moves later groups up.
    for place in sorted(waiting, reverse=True):
        units = tuple(unit.id for unit in waiting[place].units if unit.name in names)
        if units:
            ledger.emit(e.Settled(place, units))


def change_roll(ledger: Ledger[State], effect: RollModifier, now: RunningEffect) -> bool:
    """Put a modifier into force; the owner chooses the stack if it is for one only."""
    if not effect.one_stack:
        return put_in_force(ledger, effect, now)
    own = board(ledger.state).occupied[now.side]
    return choose_hex(ledger, now, sorted(own))


def stay(ledger: Ledger[State], effect: NoMarch, now: RunningEffect) -> bool:
    """Keep the largest stack from marching; the owner chooses between equal ones."""
    return choose_hex(ledger, now, _largest(ledger.state, effect, now))


def put_in_force(
    ledger: Ledger[State], effect: Effect, now: RunningEffect, hex_id: HexId = OFF_MAP
) -> bool:
    """Put the effect into force until the turn ends, for the stack of one hex or for all."""
    bare = msgspec.structs.replace(effect, when=When(), otherwise=())
    title = now.row(ledger.state).title
    ledger.emit(e.CameIntoForce(InForce(now.side, bare, title, hex_id)))
    return True


def _largest(state: State, effect: NoMarch, now: RunningEffect) -> list[HexId]:
    stacks = {
        hex_id: board(state).stack(now.side, hex_id)
        for hex_id in sorted(board(state).occupied[now.side])
    }
    sizes = {
        hex_id: len(countable_units(stack))
        for hex_id, stack in stacks.items()
        if not effect.without_leader or all(unit.kind is not TroopKind.LEADER for unit in stack)
    }
    most = max(sizes.values(), default=0)
    return [hex_id for hex_id, size in sizes.items() if size == most]


def tear_up(ledger: Ledger[State], effect: RailsEffect, now: RunningEffect) -> bool:
    """Destroy the last hexes built of a stretch without units on it; its start remains."""
    state = ledger.state
    exposed = [line for line in effect.stretches if _is_exposed(state, line)]
    if not exposed:
        return False
    count = how_many(ledger, now, quantity(effect.quantity))
    ledger.emit(e.RailLost(exposed[0], min(count, state.railheads[exposed[0]] - 1)))
    return True


def _is_exposed(state: State, line: str) -> bool:
    """Return whether the line is built beyond its start, and no units stand on it.

    Leaders, and craft moving by rail, protect it too.
    """
    line_ids = {railway.id for railway in scenario_of(state).line if not railway.built}
    if line not in line_ids:
        return False
    built = lines(state)[line][1 : state.railheads.get(line, 0)]
    manned = {hex_id for side in Side for hex_id in board(state).hexes(side)}
    return bool(built) and manned.isdisjoint(built)


def end_game(ledger: Ledger[State], effect: EndGame, now: RunningEffect) -> bool:
    """Roll a die; on some faces the campaign is over."""
    row = now.row(ledger.state)
    roll = ledger.roll(Roll(row.title, now.clause, (0,), side=now.side))
    over = roll.total in effect.faces
    ledger.amend(roll, result=effect.reason if over else "the campaign goes on")
    if over:
        reason = effect.reason[:1].upper() + effect.reason[1:]
        victory.end(ledger, effect.winner, f"{reason}.", now.clause)
    return True
