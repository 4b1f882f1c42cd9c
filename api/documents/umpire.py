"""The umpire's documents: deadline, dice by hand, worklist, log, rulings, rewinds and branches."""

import msgspec
from django.urls import reverse
from django.utils import timezone

from api.documents.campaigns import campaign_link
from api.documents.events import RollPart, roll_part
from api.documents.scalars import Cursor, Moment, MonthOrSetUp, SideName, StageName
from api.documents.state import StackPart, stacks
from api.http.rule_json import HexName
from campaign import serialization
from campaign.access import journal_events, selectors
from campaign.models import Campaign, Deadline, Entry, Throw, UmpireLogEntry
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.prose.questions import describe_phase
from campaign.services.journal import rewind
from campaign.services.turns import timetable
from campaign.services.turns.timetable import Policy
from campaign.services.umpire.rulings import PreviewedRuling, awaited_throw
from campaign.web.console.console import WorklistSection
from campaign.web.console.rewind import JournalStep
from campaign.web.console.rulings import changes


class PowerLinks(msgspec.Struct, frozen=True):
    """The addresses of this, and of the campaign."""

    self: str
    campaign: str


class DeadlineDocument(msgspec.Struct, frozen=True):
    """The deadline of the month; `policy` and the times are null if there is none."""

    campaign: str
    month: MonthOrSetUp
    policy: Policy | None
    due_at: Moment | None
    grace_ends_at: Moment | None
    stage: StageName | None
    extended_hours: int
    extendable_hours: int
    paused: bool
    paused_at: Moment | None
    links: PowerLinks


class AwaitedThrowPart(msgspec.Struct, frozen=True):
    """The throw for which the campaign waits: `count` dice of `face_count` faces."""

    typed_count: int
    count: int
    face_count: int
    reason: str | None
    clause: str | None


class DiceByHandDocument(msgspec.Struct, frozen=True):
    """The setting for dice thrown by hand, and the throw that is awaited now."""

    dice_by_hand: bool
    throw: AwaitedThrowPart | None
    links: PowerLinks


class ItemPart(msgspec.Struct, frozen=True):
    """An item of the worklist."""

    text: str
    side: SideName | None
    hex: HexName | None


class SectionPart(msgspec.Struct, frozen=True):
    """Items of the worklist of one kind."""

    key: str
    title: str
    needs_action: bool
    items: tuple[ItemPart, ...]


class UmpireLogPart(msgspec.Struct, frozen=True):
    """An entry of the umpire log: an action outside the journal, and who took it."""

    month: MonthOrSetUp
    by: str
    text: str
    created_at: Moment


class ChangePart(msgspec.Struct, frozen=True):
    """A hex before and after, in words."""

    hex: HexName
    label: str
    before: str
    after: str


class RulingPreviewDocument(msgspec.Struct, frozen=True):
    """The effects of a ruling, in sentences and by hex. Nothing is thrown or stored."""

    texts: tuple[str, ...]
    changes: tuple[ChangePart, ...]


class CampaignLink(msgspec.Struct, frozen=True):
    """The address of the campaign."""

    campaign: str


class RulingDocument(msgspec.Struct, frozen=True):
    """A ruling: its entry, and the dice thrown for it."""

    cursor: Cursor
    rolls: tuple[RollPart, ...]
    links: CampaignLink


class BranchLinks(msgspec.Struct, frozen=True):
    """The addresses of a branch and of its entries."""

    self: str
    entries: str
    campaign: str


class BranchPart(msgspec.Struct, frozen=True, kw_only=True):
    """A branch: the entry it starts from, its reason, and its length."""

    branch: int
    parent_cursor: Cursor | None
    reason: str
    by: str
    created_at: Moment
    entry_count: int | None
    last_cursor: Cursor | None
    current: bool
    links: BranchLinks


class RewindPreviewDocument(msgspec.Struct, frozen=True):
    """The effects of a rewind: where the campaign would return, and what would be left behind."""

    month: MonthOrSetUp
    phase_label: str
    entry_count: int
    month_count: int
    changes: tuple[ChangePart, ...]


class EntryPart(msgspec.Struct, frozen=True):
    """An entry of the journal in words; send `cursor` to rewind to it."""

    cursor: Cursor
    month: MonthOrSetUp
    phase_label: str
    actor: str
    text: str


class BranchDocument(BranchPart, frozen=True, kw_only=True):
    """A branch, with the month, the phase and the position at its end."""

    month: MonthOrSetUp
    phase_label: str
    stacks: tuple[StackPart, ...]


def deadline_document(campaign: Campaign) -> DeadlineDocument:
    deadline, policy = timetable.standing_deadline(campaign), timetable.policy_of(campaign)
    clock = timetable.clock_of(deadline) if deadline else None
    paused = deadline.paused if deadline and policy else None
    return DeadlineDocument(
        campaign=campaign.slug,
        month=month_slug(Month(campaign.month)),
        policy=policy,
        due_at=deadline.due if deadline else None,
        grace_ends_at=deadline.grace_until if deadline else None,
        stage=_stage(policy, deadline),
        extended_hours=deadline.extended // 60 if deadline else 0,
        extendable_hours=timetable.left_to_extend(policy, clock) // 60 if policy and clock else 0,
        paused=paused is not None,
        paused_at=paused,
        links=_links(campaign, "deadline"),
    )


def _links(campaign: Campaign, name: str) -> PowerLinks:
    address = reverse(f"api:campaign-{name}", args=[campaign.slug])
    return PowerLinks(address, campaign_link(campaign.slug))


def _stage(policy: Policy | None, deadline: Deadline | None) -> str | None:
    if policy is None or deadline is None:
        return None
    return timetable.stage(policy, timetable.clock_of(deadline), timezone.now()).value


def dice_by_hand_document(campaign: Campaign) -> DiceByHandDocument:
    throw = awaited_throw(campaign)
    return DiceByHandDocument(
        campaign.dice_by_hand, _throw(throw) if throw else None, _links(campaign, "dice-by-hand")
    )


def _throw(throw: Throw) -> AwaitedThrowPart:
    return AwaitedThrowPart(
        typed_count=len(throw.faces),
        count=throw.count,
        face_count=throw.sides,
        reason=throw.reason or None,
        clause=throw.clause or None,
    )


def section_part(section: WorklistSection) -> SectionPart:
    items = tuple(
        ItemPart(item.text, item.side or None, f"{item.hex:04d}" if item.hex else None)
        for item in section.items
    )
    return SectionPart(section.key, section.title, section.needs and bool(items), items)


def umpire_log_part(entry: UmpireLogEntry) -> UmpireLogPart:
    return UmpireLogPart(month_slug(Month(entry.month)), entry.by, entry.said, entry.created)


def ruling_preview(seen: PreviewedRuling) -> RulingPreviewDocument:
    return RulingPreviewDocument(seen.effects, _changes(seen.before, seen.after))


def rewind_preview(campaign: Campaign, seen: rewind.RewindPreview) -> RewindPreviewDocument:
    """Return the effects of a rewind, for a viewer who sees everything."""
    return RewindPreviewDocument(
        month=month_slug(Month(seen.state.month)),
        phase_label=describe_phase(seen.state),
        entry_count=seen.entries,
        month_count=seen.months,
        changes=_changes(selectors.state_now(campaign), seen.state),
    )


def _changes(before: State, after: State) -> tuple[ChangePart, ...]:
    return tuple(
        ChangePart(f"{change.hex:04d}", change.place, change.before, change.after)
        for change in changes(before, after)
    )


def ruling_document(campaign: Campaign, entry: Entry) -> RulingDocument:
    return RulingDocument(
        cursor=journal_events.cursor_of(entry),
        rolls=tuple(map(roll_part, serialization.rolls_of(entry))),
        links=CampaignLink(campaign_link(campaign.slug)),
    )


def branch_part(campaign: Campaign, line: rewind.BranchSummary, *, counted: bool) -> BranchPart:
    """Return a branch; its length is given only to viewers who see everything."""
    args = [campaign.slug, line.branch.number]
    parent = line.branch.parent
    return BranchPart(
        branch=line.branch.number,
        parent_cursor=journal_events.cursor_of(parent) if parent else None,
        reason=line.branch.reason,
        by=line.branch.by,
        created_at=line.branch.created,
        entry_count=line.entries if counted else None,
        last_cursor=journal_events.cursor_of(line.last) if counted and line.last else None,
        current=line.present,
        links=BranchLinks(
            reverse("api:campaign-branch", args=args),
            reverse("api:campaign-branch-entries", args=args),
            campaign_link(campaign.slug),
        ),
    )


def branch_document(campaign: Campaign, line: rewind.BranchSummary, end: State) -> BranchDocument:
    """Return a branch with the position at its end, for a viewer who sees everything."""
    return BranchDocument(
        **msgspec.structs.asdict(branch_part(campaign, line, counted=True)),
        month=month_slug(Month(end.month)),
        phase_label=describe_phase(end),
        stacks=stacks(end),
    )


def entry_part(step: JournalStep) -> EntryPart:
    return EntryPart(
        cursor=journal_events.cursor_of(step.entry),
        month=month_slug(Month(step.entry.month)),
        phase_label=step.phase,
        actor=step.entry.actor,
        text=step.text,
    )
