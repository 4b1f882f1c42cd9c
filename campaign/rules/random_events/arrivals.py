"""Effects on what is due: reinforcements sooner or later, forces called, hulls repaired sooner."""

from collections.abc import Iterator

from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, laws, scenario_of
from campaign.rules.effects import Force, Reschedule, WreckReturn
from campaign.rules.march.wrecks import REPAIR
from campaign.rules.pieces import Kind, Month, Side
from campaign.rules.railways import OPEN
from campaign.rules.random_events.happening import Happening
from campaign.rules.scenario import Counter, Group
from campaign.rules.set_up import dues
from campaign.rules.state import Due, State


def reschedule(ledger: Ledger[State], effect: Reschedule, now: Happening) -> bool:
    """The side's next scheduled reinforcement comes later, or now."""
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


def _scheduled(state: State, side: Side) -> Iterator[tuple[int, Due]]:
    titles = {group.title for group in scenario_of(state).reinforcement}
    for place, due in enumerate(state.due):
        if due.reason in titles and due.units[0].side is side:
            yield place, due


def repair_sooner(ledger: Ledger[State], effect: WreckReturn, now: Happening) -> bool:
    """Every wrecked gunboat of the side comes back some months before its time."""
    repairs = [
        (place, due)
        for place, due in enumerate(ledger.state.due)
        if due.reason == REPAIR and due.units[0].side is now.side
    ]
    for place, due in repairs:
        ledger.emit(e.Postponed(place, Month(due.month - effect.sooner)))
    return bool(repairs)


def call_force(ledger: Ledger[State], effect: Force, now: Happening) -> bool:
    """The next force not yet called comes this turn; when all have been, what is said for that."""
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


def _counters(state: State, group: Group) -> Iterator[Counter]:
    law = laws(state)
    return (counter for spec in group.units for counter in spec.counters(law))


def _comes(state: State, group: Group, counter: Counter) -> bool:
    """Whether the counter is there to come: not on the map, not on its way back, not gone (2.3)."""
    on_map = {unit.name for unit in board(state).units}
    if counter.unless_in_play and counter.unless_in_play in on_map:
        return False
    if not counter.name:
        return True
    if counter.kind is Kind.LEADER and counter.name in _led_before(state, group):
        return False
    return counter.name not in on_map | _on_the_way_back(state)


def _on_the_way_back(state: State) -> set[str]:
    """The names of counters that are due, but for those that were scheduled from the start."""
    scheduled = {place for side in Side for place, _ in _scheduled(state, side)}
    return {
        unit.name
        for place, due in enumerate(state.due)
        if place not in scheduled
        for unit in due.units
    }


def _led_before(state: State, group: Group) -> set[str]:
    """Leaders who came with an earlier force: if they are gone they do not come again (3.3)."""
    earlier = [other for other in scenario_of(state).force if other.id in state.called]
    return {spec.name for other in earlier if other is not group for spec in other.units}


def _take_from_schedule(ledger: Ledger[State], names: set[str]) -> None:
    """Counters that come now do not come a second time with a later reinforcement (2.3)."""
    waiting = {place: due for side in Side for place, due in _scheduled(ledger.state, side)}
    for place in sorted(waiting, reverse=True):
        units = tuple(unit.id for unit in waiting[place].units if unit.name in names)
        if units:
            ledger.emit(e.Settled(place, units))
