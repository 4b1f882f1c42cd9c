"""Read a campaign's journal: its events from a cursor on, clauses applied, and seals of dice.

`visible_events_since` limits the events to what a viewer learns of.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from battles import journal
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.journal import BranchSpan, Refused
from campaign import rules, serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.rules import sight
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.sight import Viewer
from campaign.rules.trace import clause_uses

LONGEST_CURSOR = 19
BEGINNING = "0.0"
"""The cursor before the first entry; an empty one means the same."""
FEWEST_ENTRIES = 100
"""The least number of entries searched per call, because some hold no event to show."""


class CursorLost(Refused):
    """A cursor that a rewind has cut off; `common` is the last cursor both lines share."""

    def __init__(self, common: str) -> None:
        super().__init__(
            f"The campaign has been rewound: forget what came after {common!r} "
            "and read on from there."
        )
        self.common = common


class EventSelection(NamedTuple):
    """The events to read: those of `branch` (None: the current one), before the entry `before`.

    `heard` filters the events of each entry, in order.
    """

    heard: Callable[[Entry], Iterable[AnyEvent]] = serialization.events_of
    before: int | None = None
    branch: int | None = None


EVERYTHING = EventSelection()


def events_since(
    campaign: Campaign, cursor: str, limit: int, selection: EventSelection = EVERYTHING
) -> tuple[list[dict[str, Any]], str]:
    """Return the events since the cursor, and the cursor for the next call.

    The empty cursor stands for the BEGINNING. Entries are returned whole: as many as fit into
    `limit` events, and one at least. Each event has its entry, month, side, actor and dice. Raises
    Refused for an invalid cursor and CursorLost for one that is not on the line of the branch.
    """
    cursor = cursor or BEGINNING
    branch = selection.branch
    line = (
        selectors.line_of(campaign)
        if branch is None
        else selectors.line_of_branch(campaign, branch)
    )
    number = _read_cursor(campaign, cursor, line)
    all_events: list[dict[str, Any]] = []
    entries = selectors.entries_on(campaign, line).filter(number__gt=number)
    if selection.before is not None:
        entries = entries.filter(number__lt=selection.before)
    for entry in entries[: max(limit, FEWEST_ENTRIES)]:
        events = list(_public_events(entry, selection.heard(entry)))
        if all_events and len(all_events) + len(events) > limit:
            break
        all_events += events
        cursor = cursor_of(entry)
    return all_events, cursor


def cursor_of(entry: Entry) -> str:
    """Return the cursor of a client that has read as far as the entry."""
    return f"{entry.branch}.{entry.number}"


def _read_cursor(campaign: Campaign, cursor: str, line: Sequence[BranchSpan]) -> int:
    if cursor == BEGINNING:
        return 0
    branch, _, number = cursor.partition(".")
    if len(cursor) > LONGEST_CURSOR or not (branch.isdecimal() and number.isdecimal()):
        raise Refused(f"{cursor!r} is no cursor: send one back as it was given.")
    entry = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if entry is None:
        raise Refused(f"{cursor!r} is no cursor of this campaign.")
    if not any(on.branch == entry.branch and entry.number <= on.upto for on in line):
        last = journal.last_shared_entry(line, selectors.line_of(campaign, entry))
        raise CursorLost("{}.{}".format(*last) if last else BEGINNING)
    return entry.number


def _public_events(entry: Entry, heard: Iterable[AnyEvent]) -> Iterator[dict[str, Any]]:
    rolls = serialization.rolls_of(entry)
    for event in heard:
        if not isinstance(event, AgendaRecorded):
            yield {
                "entry": entry.pk,
                "cursor": cursor_of(entry),
                "month": month_slug(Month(entry.month)),
                "side": entry.side,
                "actor": entry.actor,
                "event": msgspec.to_builtins(event, str_keys=True),
                "rolls": [msgspec.to_builtins(rolls[index]) for index in event.rolls],
            }


def clauses_applied(campaign: Campaign) -> Counter[str]:
    """Return how often each traced clause, and part of one, was applied on the present line."""
    counts: Counter[str] = Counter()
    for entry in selectors.entries_on(campaign).iterator():
        counts.update(clause_uses(serialization.events_of(entry), serialization.rolls_of(entry)))
    return counts


@dataclass(frozen=True)
class PublicSeal:
    """The public part of a month's seal; link and salts only once it is closed."""

    branch: int
    month: Month
    anchor: str
    place: int
    """The number of times the link must be hashed to give the anchor."""
    commitments: dict[str, str]
    salted_by: str
    link: str | None
    salts: dict[str, str] | None


def seals_of(campaign: Campaign) -> list[PublicSeal]:
    """Return the public seals of every month, on every branch."""
    anchors = dict(campaign.branches.values_list("number", "anchor"))
    return [
        PublicSeal(
            seal.branch,
            Month(seal.month),
            anchors[seal.branch],
            seal.month - campaign.first_month + 1,
            seal.commitments,
            seal.salted_by,
            seal.link,
            seal.salts if seal.link else None,
        )
        for seal in campaign.seals.all()
    ]


def visible_events_since(
    campaign: Campaign, cursor: str, limit: int, viewer: Viewer, branch: int | None = None
) -> tuple[list[dict[str, Any]], str]:
    """Return events as `events_since`, limited to the viewer's.

    The public's come late. An abandoned branch is read only by viewers who see everything; raises
    NotVisible for others.
    """
    if fog_of_war.sees_all(campaign, viewer):
        return events_since(campaign, cursor, limit, EventSelection(branch=branch))
    if branch not in (None, campaign.branch):
        raise selectors.NotVisible(f"There is no branch {branch} that you may see.")
    if fog_of_war.hears_late(campaign, viewer):
        selection = EventSelection(before=first_hidden_entry(campaign))
    else:
        selection = EventSelection(NewsFilter(campaign, viewer))
    return events_since(campaign, cursor, limit, selection)


def rolls_learnt(campaign: Campaign, entry: Entry, viewer: Viewer) -> tuple[Roll, ...]:
    """Return the dice of an entry on the present line, limited to the viewer's.

    An answer may end a turn, and then holds dice of the enemy's. A side learns of the dice behind
    the events that it learns of, and of those that lead to a question put to it.
    """
    rolls = serialization.rolls_of(entry)
    if not rolls or fog_of_war.sees_all(campaign, viewer):
        return rolls
    if not isinstance(viewer, Side):
        return ()
    learnt = {index for event in NewsFilter(campaign, viewer)(entry) for index in event.rolls}
    closing = serialization.events_of(entry)[-1]
    if isinstance(closing, AgendaRecorded) and closing.question and closing.question.side is viewer:
        learnt.update(closing.rolls)
    return tuple(roll for index, roll in enumerate(rolls) if index in learnt)


def first_hidden_entry(campaign: Campaign) -> int:
    """Return the number of the first entry that the public may not read yet.

    That is the one in which its first hidden month begins: its events belong to both months.
    """
    month = fog_of_war.last_public_month(campaign) + 1
    return selectors.entry_that_begins(campaign, month) if month >= campaign.first_month else 0


class NewsFilter:
    """A filter of the events that a viewer learns of, for entries read in order."""

    def __init__(self, campaign: Campaign, viewer: Viewer) -> None:
        self._campaign, self._viewer = campaign, viewer
        self._state: State | None = None
        self._audience: tuple[sight.SideKnowledge, ...] = ()

    def __call__(self, entry: Entry) -> Iterator[AnyEvent]:
        """Yield the events of the entry that the viewer learns of."""
        events = serialization.events_of(entry)
        state = self._state or self._before(entry)
        for event in events:
            if all(sight.learns_of(knowledge, state, event) for knowledge in self._audience):
                yield event
            self._happens(state, event)

    def _before(self, entry: Entry) -> State:
        """Return the state before the first entry, and teach the audience all that came before."""
        month = entry.month
        if _is_of_set_up(self._campaign, entry):
            month = self._campaign.first_month - 1
        self._audience = tuple(fog_of_war.audience(self._campaign, month, self._viewer))
        state, entries = selectors.since_beginning(self._campaign, month)
        for earlier, events in entries:
            if earlier.number >= entry.number:
                break
            for event in events:
                self._happens(state, event)
        self._state = state
        return state

    def _happens(self, state: State, event: AnyEvent) -> None:
        rules.fold(state, [event])
        for knowledge in self._audience:
            sight.learn(knowledge, state, event)


def _is_of_set_up(campaign: Campaign, entry: Entry) -> bool:
    """Return whether the entry was played before the first month began, or began it."""
    if entry.month > campaign.first_month:
        return False
    began = campaign.snapshots.filter(month=campaign.first_month).exclude(entry=None)
    return not began.filter(entry__number__lt=entry.number).exists()
