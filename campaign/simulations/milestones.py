"""Note when the events of history happen in a campaign, and compare them with the record.

The record is a yardstick and no script: nothing in the rules or in the staff follows it. It stands
in the scenario's `plans.toml`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart
from campaign.rules.core.pieces import Month, UnitId, month_from_text, month_name
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.stacks import keeps_alive
from campaign.staff.plans import RecordedEvent, plans_of


class Milestones:
    """The months in which the recorded events of a scenario have happened, by their titles."""

    def __init__(self, state: State) -> None:
        self.months: dict[str, int] = {}
        self._record = plans_of(state).record
        self._arrived = set(_leaders(state))
        self._names = {unit.id: unit.name for unit in board(state).units if unit.name}
        self._month = state.month
        self._fighting: dict[Side, frozenset[str]] = {}

    def watch(self, state: State, happened: Iterable[e.AnyEvent]) -> None:
        """Note the combats and retreats among these events; call it after each action."""
        for event in happened:
            if isinstance(event, e.MonthBegan):
                self._month = event.month
            elif isinstance(event, e.Arrived):
                self._names |= {unit.id: unit.name for unit in event.units if unit.name}
            elif isinstance(event, e.CombatBegan):
                attacking, defending = map(self._names_of, (event.attacking, event.defending))
                self._fighting = {event.side: attacking, event.side.enemy: defending}
            elif isinstance(event, e.CombatEnded) and event.winner is not None:
                for kind, side in (("wins", event.winner), ("beaten", event.winner.enemy)):
                    self._record_combat(state, kind, self._fighting.get(side), event.defender)
            elif isinstance(event, e.Retreated):
                self._record_combat(state, "withdraws", self._names_of(event.units), event.path[-1])

    def _names_of(self, units: Iterable[UnitId]) -> frozenset[str]:
        """Return the names of the units, those of leaders among them."""
        return frozenset(self._names[unit] for unit in units if unit in self._names)

    def _record_combat(
        self, state: State, kind: str, led_by: frozenset[str] | None, hex_id: HexId
    ) -> None:
        for event in self._record:
            if event.event != kind or event.leader not in (led_by or ()):
                continue
            if not event.place or _within(state, event, hex_id):
                self.months.setdefault(event.title, self._month)

    def note(self, state: State) -> None:
        """Note what has happened by now; call it at the end of each month."""
        present = _leaders(state)
        self._arrived |= present
        for event in self._record:
            if event.title in self.months or event.event not in _HAPPENED:
                continue
            if _HAPPENED[event.event](self, state, event, present):
                self.months[event.title] = state.month - (state.question is not None)

    def _is_taken(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        place = chart(state).place(event.place).hex
        is_taken = board(state).holds(Side.MAHDIST, place)
        # A campaign may end with a garrison's destruction, before the victors walk in.
        won = state.result is not None and state.result.winner is Side.MAHDIST
        return is_taken or (won and not _is_manned(state, place))

    def _is_retaken(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        return board(state).holds(Side.EGYPTIAN, chart(state).place(event.place).hex)

    def _is_lost(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        if event.leader not in present:
            return event.leader in self._arrived
        # It may end before a leader whose stack is destroyed leaves the map, too (4.2, 7.2).
        leader = board(state).leader(event.leader)
        alone = leader is not None and not _is_manned(state, leader.hex)
        return alone and state.result is not None and state.result.winner is Side.MAHDIST

    def _is_here(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        return event.leader in present

    def _are_still_here(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        in_time = state.month >= month_from_text(event.month)
        return in_time and {event.leader, event.also} <= present

    def _is_near(self, state: State, event: RecordedEvent, present: set[str]) -> bool:
        return any(
            unit.name == event.leader and _within(state, event, unit.hex)
            for unit in board(state).units
        )


_HAPPENED: Mapping[str, Callable[[Milestones, State, RecordedEvent, set[str]], bool]] = {
    "taken": Milestones._is_taken,
    "lost": Milestones._is_lost,
    "arrives": Milestones._is_here,
    "near": Milestones._is_near,
    "still": Milestones._are_still_here,
    "retaken": Milestones._is_retaken,
}
"""The events that a position shows; those of combats are noted as they happen."""


def _within(state: State, event: RecordedEvent, hex_id: HexId) -> bool:
    """Return whether the hex is as near the event's place as the record wants."""
    place = chart(state).place(event.place).hex
    return chart(state).distance(hex_id, place) <= event.hexes


def _is_manned(state: State, hex_id: HexId) -> bool:
    """Return whether Egyptian or British troops are left in this hex (4.2)."""
    return keeps_alive(board(state).stack(Side.EGYPTIAN, hex_id))


def _leaders(state: State) -> set[str]:
    return {unit.name for unit in board(state).units if unit.name}


class MilestoneLine(NamedTuple):
    """An event beside the record: in how many campaigns it happened, and when."""

    title: str
    record: str
    happened: int
    campaigns: int
    first: str
    middle: str
    last: str


def beside_the_record(
    record: Sequence[RecordedEvent], runs: Sequence[Mapping[str, int]]
) -> list[MilestoneLine]:
    """Return each event of the record with its first, median and last month in the campaigns."""
    lines = []
    for event in record:
        months = sorted(milestones[event.title] for milestones in runs if event.title in milestones)
        when = [months[0], round(median(months)), months[-1]] if months else []
        first, middle, last = [month_name(Month(month)) for month in when] or ("–", "–", "–")
        recorded = month_name(month_from_text(event.month)) if event.month else "never"
        lines.append(
            MilestoneLine(event.title, recorded, len(months), len(runs), first, middle, last)
        )
    return lines
