"""Read a campaign's journal: its events from a cursor on, clauses applied, and seals of dice."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from battles.history import journal
from battles.history.journal import BranchSpan, Refused
from campaign import serialization
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.events import AgendaRecorded, AnyEvent
from campaign.rules.core.pieces import Month, month_slug
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
