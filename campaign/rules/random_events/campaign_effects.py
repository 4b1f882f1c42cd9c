"""Effects on what is due: reinforcements sooner or later, forces called, hulls repaired sooner.

Effects that last until the end of the player turn.

Effects on the railway, and on whether the campaign goes on.
"""

from collections.abc import Iterator

import msgspec

from battles.contract.brief import Kind, Side
from battles.core.dice import Roll
from battles.core.ledger import Ledger
from campaign.rules import victory
from campaign.rules.core import events as e
from campaign.rules.core.board import board, laws, scenario_of
from campaign.rules.core.pieces import Month
from campaign.rules.core.state import OFF_MAP, DueUnits, InForce, State
from campaign.rules.map import HexId
from campaign.rules.march.wrecks import REPAIR
from campaign.rules.railways import OPEN, lines
from campaign.rules.random_events.running_effect import RunningEffect, choose_hex, how_many
from campaign.rules.set_up import dues
from campaign.rules.stacks import countable_units
from campaign.rules.tables.event_effects import (
    Effect,
    EndGame,
    ForceEffect,
    LeaderValue,
    NoMarch,
    RailsEffect,
    RerollWreck,
    Reschedule,
    RollModifier,
    When,
    WreckReturn,
    quantity,
)
from campaign.rules.tables.scenario_data import ArrivalGroup, ScheduledCounter


def reschedule(ledger: Ledger[State], effect: Reschedule, now: RunningEffect) -> bool:
    """Return the side's next scheduled reinforcement comes later, or now."""
    state = ledger.state
    waiting = dict(_scheduled(state, now.side))
    if not waiting:
        return False
    first = min(due.month for due in waiting.values())
    title = next(due.reason for due in waiting.values() if due.month == first)
    month = state.month if effect.now else Month(first + effect.months)
    for place, due in waiting.items():
        if due.reason == title:
            ledger.emit(e.Postponed(place, month))
    return True


def _scheduled(state: State, side: Side) -> Iterator[tuple[int, DueUnits]]:
    titles = {group.title for group in scenario_of(state).reinforcement}
    for place, due in enumerate(state.due):
        if due.reason in titles and due.units[0].side is side:
            yield place, due


def repair_sooner(ledger: Ledger[State], effect: WreckReturn, now: RunningEffect) -> bool:
    """Return every wrecked gunboat of the side comes back some months before its time."""
    repairs = [
        (place, due)
        for place, due in enumerate(ledger.state.due)
        if due.reason == REPAIR and due.units[0].side is now.side
    ]
    for place, due in repairs:
        ledger.emit(e.Postponed(place, Month(due.month - effect.sooner)))
    return bool(repairs)


def call_force(ledger: Ledger[State], effect: ForceEffect, now: RunningEffect) -> bool:
    """Return the next force not yet called comes this turn; when all have been, what is said for
    that.
    """
    state = ledger.state
    left = [name for name in effect.groups if name not in state.called]
    if not left:
        ledger.then(*now.steps("afterwards", len(effect.afterwards)))
        return True
    group = scenario_of(state).called(left[0])
    ledger.emit(e.ForceCalled(group.id))
    coming = [counter for counter in _counters(state, group) if _comes(state, group, counter)]
    _take_from_schedule(ledger, {counter.name for counter in coming if counter.name})
    for due in dues(group, coming, state.next_unit, state.month):
        ledger.emit(e.Waited(due))
    return True


def open_railway(ledger: Ledger[State]) -> None:
    """From the turn after the force that opens it was called, a railway may be begun (3.41)."""
    state = ledger.state
    groups = {group.id: group for group in scenario_of(state).force}
    if OPEN not in state.flags and any(groups[name].opens_railway for name in state.called):
        ledger.emit(e.Flagged(OPEN))


def _counters(state: State, group: ArrivalGroup) -> Iterator[ScheduledCounter]:
    law = laws(state)
    return (counter for spec in group.units for counter in spec.counters(law))


def _comes(state: State, group: ArrivalGroup, counter: ScheduledCounter) -> bool:
    """Return whether the counter is there to come: not on the map, not on its way back, not gone
    (2.3).
    """
    on_map = {unit.name for unit in board(state).units}
    if counter.unless_in_play and counter.unless_in_play in on_map:
        return False
    if not counter.name:
        return True
    if counter.kind is Kind.LEADER and counter.name in _led_before(state, group):
        return False
    return counter.name not in on_map | _on_the_way_back(state)


def _on_the_way_back(state: State) -> set[str]:
    """Return the names of counters that are due, but for those that were scheduled from the start."""
    scheduled = {place for side in Side for place, _ in _scheduled(state, side)}
    return {
        unit.name
        for place, due in enumerate(state.due)
        if place not in scheduled
        for unit in due.units
    }


def _led_before(state: State, group: ArrivalGroup) -> set[str]:
    """Return leaders who came with an earlier force: if they are gone they do not come again (3.3)."""
    earlier = [other for other in scenario_of(state).force if other.id in state.called]
    return {spec.name for other in earlier if other is not group for spec in other.units}


def _take_from_schedule(ledger: Ledger[State], names: set[str]) -> None:
    """Counters that come now do not come a second time with a later reinforcement (2.3)."""
    waiting = {place: due for side in Side for place, due in _scheduled(ledger.state, side)}
    for place in sorted(waiting, reverse=True):
        units = tuple(unit.id for unit in waiting[place].units if unit.name in names)
        if units:
            ledger.emit(e.Settled(place, units))


Lasting = RollModifier | RerollWreck | LeaderValue | NoMarch


def change_roll(ledger: Ledger[State], effect: RollModifier, now: RunningEffect) -> bool:
    """A modifier comes into force; the owner chooses the stack if it is for one only."""
    if not effect.one_stack:
        return put_in_force(ledger, effect, now)
    own = board(ledger.state).occupied[now.side]
    return choose_hex(ledger, now, sorted(own))


def stay(ledger: Ledger[State], effect: NoMarch, now: RunningEffect) -> bool:
    """The largest stack may not march; of stacks as large the owner chooses."""
    return choose_hex(ledger, now, _largest(ledger.state, effect, now))


def put_in_force(
    ledger: Ledger[State], effect: Effect, now: RunningEffect, hex_id: HexId = OFF_MAP
) -> bool:
    """The effect holds until the turn ends, for the stack of one hex or for all."""
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
        if not effect.without_leader or all(unit.kind is not Kind.LEADER for unit in stack)
    }
    most = max(sizes.values(), default=0)
    return [hex_id for hex_id, size in sizes.items() if size == most]


def tear_up(ledger: Ledger[State], effect: RailsEffect, now: RunningEffect) -> bool:
    """Return the last hexes built of a stretch are destroyed, if nobody stands on it; its start
    stays.
    """
    state = ledger.state
    exposed = [line for line in effect.stretches if _is_exposed(state, line)]
    if not exposed:
        return False
    count = how_many(ledger, now, quantity(effect.count))
    ledger.emit(e.RailLost(exposed[0], min(count, state.railheads[exposed[0]] - 1)))
    return True


def _is_exposed(state: State, line: str) -> bool:
    """Return whether something of the line has been built beyond its start, and nothing stands on
    it.

    Craft on their way by rail and leaders keep it too.
    """
    known = {one.id for one in scenario_of(state).line if not one.built}
    if line not in known:
        return False
    built = lines(state)[line][1 : state.railheads.get(line, 0)]
    manned = {hex_id for side in Side for hex_id in board(state).hexes(side)}
    return bool(built) and manned.isdisjoint(built)


def end_game(ledger: Ledger[State], effect: EndGame, now: RunningEffect) -> bool:
    """One die; on some faces the campaign is over."""
    row = now.row(ledger.state)
    roll = ledger.roll(Roll(row.title, now.clause, (0,), side=now.side))
    over = roll.total in effect.faces
    ledger.amend(roll, result=effect.reason if over else "the campaign goes on")
    if over:
        reason = effect.reason[:1].upper() + effect.reason[1:]
        victory.end(ledger, effect.winner, f"{reason}.", now.clause)
    return True
