"""The umpire's documents: deadline, dice by hand, worklist, log, rulings and branches."""

from typing import Any

import msgspec
from django.urls import reverse
from django.utils import timezone

from api.documents.events import RollPart, roll_part
from api.documents.scalars import Cursor, HexName, Moment, MonthOrSetUp, SideOrNone, StageName
from api.documents.state import StackPart, stacks
from campaign import serialization
from campaign.access import selectors
from campaign.models import Branch, Campaign, Deadline, Entry, Throw, UmpireLogEntry
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.prose.questions import describe_phase
from campaign.services.journal import pending_dice, rewind
from campaign.services.turns import timetable
from campaign.services.turns.timetable import Policy
from campaign.services.umpire.rulings import PreviewedRuling
from campaign.web.console.console import WorklistSection
from campaign.web.console.rewind import AbandonedBranch, JournalStep
from campaign.web.console.rulings import changes


class DeadlineDocument(msgspec.Struct, frozen=True):
    """The deadline of the month; `policy` and the times are null if there is none.

    `extended` is the total extension in minutes, `to_extend` the hours by which it may still be
    extended.
    """

    campaign: str
    month: MonthOrSetUp
    policy: Policy | None
    due: Moment | None
    grace_until: Moment | None
    stage: StageName | None
    extended: int
    to_extend: int
    paused: Moment | None
    links: dict[str, str]


class DiceByHand(msgspec.Struct, frozen=True):
    """The dice typed in by the umpire, and the pending throw, if there is one.

    `typed_in` dice have been entered; `count` more of `sides` faces are needed.
    """

    by_hand: bool
    waiting: bool
    typed_in: int
    count: int
    sides: int
    reason: str
    clause: str


class ItemPart(msgspec.Struct, frozen=True):
    """An item of the worklist: a line of text, and its hex."""

    said: str
    side: SideOrNone
    hex: HexName | None


class SectionPart(msgspec.Struct, frozen=True):
    """Items of one kind, `key` in a word; `needs` says whether someone has to act."""

    key: str
    title: str
    needs: bool
    items: tuple[ItemPart, ...]


class UmpireLogPart(msgspec.Struct, frozen=True):
    """An entry of the umpire log: an action outside the journal, and who took it."""

    month: MonthOrSetUp
    by: str
    said: str
    created: Moment


class ChangePart(msgspec.Struct, frozen=True):
    """A hex before and after, in words."""

    hex: HexName
    place: str
    before: str
    after: str


class PreviewDocument(msgspec.Struct, frozen=True):
    """The effects of a ruling, in sentences and by hex. Nothing is thrown or stored."""

    head: int
    said: tuple[str, ...]
    changes: tuple[ChangePart, ...]


class RulingDocument(msgspec.Struct, frozen=True):
    """A ruling: its entry, and the dice thrown for it."""

    head: int
    cursor: Cursor
    rolls: tuple[RollPart, ...]
    links: dict[str, str]


class BranchPart(msgspec.Struct, frozen=True):
    """A branch: the entry it starts from, its reason, and its length."""

    number: int
    parent: Cursor | None
    reason: str
    by: str
    created: Moment
    entries: int | None
    last: Cursor | None
    present: bool


class WayDocument(msgspec.Struct, frozen=True):
    """The effects of a rewind: the month and phase to which the campaign would return.

    `entries` and `months` are the numbers left behind; `changes` is the map, hex by hex. `head` is
    that of the campaign now.
    """

    head: int
    month: MonthOrSetUp
    phase: str
    entries: int
    months: int
    changes: tuple[ChangePart, ...]


class EntryPart(msgspec.Struct, frozen=True):
    """An entry of the journal in words; send `cursor` to rewind to it."""

    cursor: Cursor
    month: MonthOrSetUp
    phase: str
    actor: str
    said: str


class BranchDocument(BranchPart, frozen=True):
    """An abandoned branch: the month, the phase and the position at its end.

    `steps` are its last actions.
    """

    month: MonthOrSetUp
    phase: str
    steps: tuple[EntryPart, ...]
    stacks: tuple[StackPart, ...]


def deadline_document(campaign: Campaign) -> DeadlineDocument:
    deadline, policy = timetable.standing(campaign), timetable.policy_of(campaign)
    clock = timetable.clock_of(deadline) if deadline else None
    known = clock is not None and policy is not None
    return DeadlineDocument(
        campaign=campaign.slug,
        month=month_slug(Month(campaign.month)),
        policy=policy,
        due=deadline.due if deadline else None,
        grace_until=deadline.grace_until if deadline else None,
        stage=_stage(policy, deadline),
        extended=deadline.extended if deadline else 0,
        to_extend=timetable.left_to_extend(policy, clock) // 60 if policy and clock else 0,
        paused=deadline.paused if deadline and known else None,
        links={
            "self": reverse("api:campaign-deadline", args=[campaign.slug]),
            "policy": reverse("api:campaign-deadline-policy", args=[campaign.slug]),
            "extensions": reverse("api:campaign-extensions", args=[campaign.slug]),
            "pause": reverse("api:campaign-pause", args=[campaign.slug]),
        },
    )


def _stage(policy: Policy | None, deadline: Deadline | None) -> str | None:
    if policy is None or deadline is None:
        return None
    return timetable.stage(policy, timetable.clock_of(deadline), timezone.now()).value


def dice_by_hand(campaign: Campaign) -> DiceByHand:
    throw = pending_dice.waiting(campaign)
    if throw is None:
        return DiceByHand(campaign.dice_by_hand, False, 0, 0, 0, "", "")
    return _throw(campaign, throw)


def _throw(campaign: Campaign, throw: Throw) -> DiceByHand:
    return DiceByHand(
        by_hand=campaign.dice_by_hand,
        waiting=True,
        typed_in=len(throw.faces),
        count=throw.count,
        sides=throw.sides,
        reason=throw.reason,
        clause=throw.clause,
    )


def section_part(section: WorklistSection) -> SectionPart:
    items = tuple(
        ItemPart(one.said, one.side, f"{one.hex:04d}" if one.hex else None) for one in section.items
    )
    return SectionPart(section.key, section.title, section.needs and bool(items), items)


def umpire_log_part(entry: UmpireLogEntry) -> UmpireLogPart:
    return UmpireLogPart(month_slug(Month(entry.month)), entry.by, entry.said, entry.created)


def preview_document(campaign: Campaign, seen: PreviewedRuling) -> PreviewDocument:
    changed = _changes(seen.before, seen.after)
    return PreviewDocument(campaign.head_id or 0, seen.said, changed)


def way_document(campaign: Campaign, way: rewind.RewindPreview) -> WayDocument:
    """Return the effects of a rewind, for a viewer who sees everything."""
    return WayDocument(
        head=campaign.head_id or 0,
        month=month_slug(Month(way.state.month)),
        phase=describe_phase(way.state),
        entries=way.entries,
        months=way.months,
        changes=_changes(selectors.state_now(campaign), way.state),
    )


def _changes(before: State, after: State) -> tuple[ChangePart, ...]:
    return tuple(
        ChangePart(f"{one.hex:04d}", one.place, one.before, one.after)
        for one in changes(before, after)
    )


def ruling_document(campaign: Campaign, entry: Entry) -> RulingDocument:
    return RulingDocument(
        head=entry.pk,
        cursor=f"{entry.branch}.{entry.number}",
        rolls=tuple(map(roll_part, serialization.rolls_of(entry))),
        links={"campaign": reverse("api:campaign", args=[campaign.slug])},
    )


def branch_part(line: rewind.BranchSummary, *, counted: bool) -> BranchPart:
    """Return a branch; its length is given only to viewers who see everything."""
    return BranchPart(**_line(line, counted=counted))


def branch_document(left: AbandonedBranch) -> BranchDocument:
    return BranchDocument(
        **_line(left.line, counted=True),
        month=month_slug(Month(left.end.month)),
        phase=describe_phase(left.end),
        steps=tuple(map(entry_part, left.steps)),
        stacks=stacks(left.end),
    )


def _line(line: rewind.BranchSummary, *, counted: bool) -> dict[str, Any]:
    return {
        "number": line.branch.number,
        "parent": _parent(line.branch),
        "reason": line.branch.reason,
        "by": line.branch.by,
        "created": line.branch.created,
        "entries": line.entries if counted else None,
        "last": f"{line.last.branch}.{line.last.number}" if counted and line.last else None,
        "present": line.present,
    }


def _parent(branch: Branch) -> str | None:
    return f"{branch.parent.branch}.{branch.parent.number}" if branch.parent else None


def entry_part(step: JournalStep) -> EntryPart:
    return EntryPart(
        cursor=f"{step.entry.branch}.{step.entry.number}",
        month=month_slug(Month(step.entry.month)),
        phase=step.phase,
        actor=step.entry.actor,
        said=step.said,
    )
