"""Read campaigns: those a user may see, their state at any month, their events and despatches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Count, F, FilteredRelation, Model, Q, QuerySet
from django.http import Http404

from battles import journal
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.journal import BranchSpan
from campaign import rules, serialization
from campaign.models import Campaign, Entry, Job, Seat, Snapshot
from campaign.rules.core.events import AnyEvent, MonthBegan, PhaseBegan
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.core.state import Phase, State
from campaign.rules.prose.despatches import chronicle
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.sight import SideKnowledge
from campaign.services.pending_battle import PendingBattle, awaited_battle
from ops.prepared_queries import PreparedQuery

Anybody = User | AnonymousUser
T = TypeVar("T")
M = TypeVar("M", bound=Model)
Played = tuple[Sequence[AnyEvent], Sequence[Roll]]


class NotVisible(Http404):
    """A thing this user may not see; the error does not reveal whether it exists."""


def first_visible(rows: QuerySet[M], message: str) -> M:
    """Return the first of the rows that a user may see. Raises NotVisible with the message."""
    row = rows.first()
    if row is None:
        raise NotVisible(message)
    return row


class NoSuchMonth(Http404):
    """A month the campaign was never in."""


@dataclass(frozen=True)
class MonthLine:
    """A month of the timeline. The month before the first stands for the set-up."""

    month: Month
    name: str
    slug: str
    entries: int
    current: bool


@dataclass(frozen=True)
class Despatch:
    """The events of one phase of one side's turn, in sentences."""

    month: Month
    side: Side
    phase: Phase
    sentences: tuple[DespatchSentence, ...]


def campaigns_for(user: Anybody) -> QuerySet[Campaign]:
    """Return the campaigns the user may see: the public ones and those they sit in."""
    campaigns = Campaign.objects.filter(_may_be_seen_by(user.pk))
    return campaigns.select_related("umpire").defer(*_HEAVY)


def _may_be_seen_by(user_id: int | None) -> Q:
    """Return the rule who may see a campaign; None stands for those who are not logged in."""
    visible = Q(public=True)
    if user_id is not None:
        visible |= Q(pk__in=Seat.objects.filter(user=user_id).values("campaign"))
    return visible


_HEAVY = ("document", "secret_seed")


class CampaignVersion(NamedTuple):
    """A campaign's row as far as it makes up the version, once for each role of a user in it."""

    rows: tuple[tuple[Any, ...], ...]

    @property
    def campaign(self) -> Campaign:
        """Return the campaign with the columns of its version."""
        values = self.rows[0][: len(_VERSION_COLUMNS)]
        return Campaign.from_db(DEFAULT_DB_ALIAS, _VERSION_COLUMNS, values)

    @property
    def roles(self) -> set[str]:
        """Return the roles of the user."""
        return {role for row in self.rows for role in row[len(_VERSION_COLUMNS) :] if role}


def version_for(user: Anybody, slug: str) -> CampaignVersion:
    """Return the version of a campaign and the user's roles, by one query.

    Raises NotVisible unless the user may see it.
    """
    rows = _visible(user, slug, _VERSION_FOR_ANYBODY.rows, _VERSION_FOR_USER.rows)
    return CampaignVersion(tuple(rows))


_VERSION_COLUMNS = tuple(
    column.attname
    for column in Campaign._meta.concrete_fields
    if column.primary_key or column.attname in Campaign.VERSIONED
)
"""The columns of a campaign that `version_for` reads: texts, whole numbers and booleans."""


def _version(slug: str, user_id: int | None = None) -> QuerySet[Campaign, Any]:
    """Return the campaign of that slug, once for each role of the user, if they may see it."""
    campaigns = _campaign(slug, user_id)
    if user_id is None:
        return campaigns.values_list(*_VERSION_COLUMNS)
    own = FilteredRelation("seats", condition=Q(seats__user=user_id))
    return campaigns.annotate(own_seat=own).values_list(*_VERSION_COLUMNS, "own_seat__role")


_VERSION_FOR_ANYBODY = PreparedQuery(Campaign, _version, str)
_VERSION_FOR_USER = PreparedQuery(Campaign, _version, str, int)


def campaign_for(user: Anybody, slug: str) -> Campaign:
    """Return the campaign of that slug. Raises NotVisible unless the user may see it."""
    campaign = _visible(user, slug, _CAMPAIGN_FOR_ANYBODY.run, _CAMPAIGN_FOR_USER.run)[0]
    serialization.play_on_map_of(campaign)
    return campaign


def _visible(
    user: Anybody, slug: str, for_anybody: Callable[..., list[T]], for_user: Callable[..., list[T]]
) -> list[T]:
    """Return what the query for anybody or for the user finds. Raises NotVisible for nothing."""
    # PostgreSQL takes no NUL, not even to look for it.
    slug = slug.replace("\0", "\ufffd")
    found = for_anybody(slug) if user.pk is None else for_user(slug, user.pk)
    if not found:
        raise NotVisible(f"There is no campaign {slug!r} that you may see.")
    return found


def _campaign(slug: str, user_id: int | None = None) -> QuerySet[Campaign]:
    """Return the campaign of that slug, if the user may see it."""
    return Campaign.objects.filter(_may_be_seen_by(user_id), slug=slug).order_by()


_CAMPAIGN_FOR_ANYBODY = PreparedQuery(Campaign, _campaign, str)
_CAMPAIGN_FOR_USER = PreparedQuery(Campaign, _campaign, str, int)


def role_of(user: Anybody, campaign: Campaign) -> set[str]:
    """Return the user's roles in the campaign; an empty set for a stranger."""
    if user.pk is None:
        return set()
    return {role for (role,) in _ROLES.rows(campaign.pk, user.pk)}


def _roles(campaign_id: int, user_id: int) -> QuerySet[Seat, Any]:
    return Seat.objects.filter(campaign=campaign_id, user=user_id).order_by().values_list("role")


_ROLES = PreparedQuery(Seat, _roles, int, int)


def state_now(campaign: Campaign) -> State:
    """Return the present state."""
    return serialization.state_of(campaign.document, campaign.document_hash)


def state_at(campaign: Campaign, month: int) -> State:
    """Return the state at the end of that month; the present one for the current month.

    The month before the first is the set-up. Raises NoSuchMonth for any other.
    """
    _check_month(campaign, month)
    if month == campaign.month or campaign.phase == Phase.SET_UP:
        return state_now(campaign)
    snapshots = _snapshots_on(campaign, line_of(campaign))
    beginning = snapshots.filter(month=month + 1).last()
    if beginning is None:
        lost = month_slug(Month(month + 1))
        raise journal.Damaged(f"The state at the beginning of {lost} is lost.")
    return serialization.state_of(beginning.document, beginning.document_hash)


def _check_month(campaign: Campaign, month: int) -> None:
    if not campaign.first_month - 1 <= month <= campaign.month:
        raise NoSuchMonth(f"The campaign was never in {month_name(Month(month))}.")


def _snapshots_on(campaign: Campaign, line: Sequence[BranchSpan]) -> QuerySet[Snapshot]:
    """Return the snapshots of a line, the oldest first, with the one of the creation."""
    chosen = journal.on_line(line, "entry__") | Q(entry=None)
    oldest_first = F("entry__number").asc(nulls_first=True), "skip"
    return campaign.snapshots.filter(chosen).select_related("entry").order_by(*oldest_first)


def line_of(campaign: Campaign, entry: Entry | None = None) -> list[BranchSpan]:
    """Return the spans of the line that ends with the entry, or at the campaign's head.

    The head is that of the row that was read. An entry written since is not on the line, so that
    everything made from a campaign belongs to one `version` of it.
    """
    if entry is not None:
        return journal.lineage(parents_of(campaign), entry.branch, entry.number)
    # A page asks for the line once for every month, and the line of a head never changes.
    head_of_line, line = getattr(campaign, "_line", (None, []))
    if head_of_line != (campaign.branch, campaign.head_id):
        head = journal.position(campaign.entries.all(), campaign.head_id)
        line = journal.lineage(parents_of(campaign), campaign.branch, head.number)
        campaign._line = (campaign.branch, campaign.head_id), line  # type: ignore[attr-defined]
    return list(line)


def line_of_branch(campaign: Campaign, branch: int) -> list[BranchSpan]:
    """Return the spans of the line that ends with a branch. Raises NotVisible if there is none."""
    parents = parents_of(campaign)
    if branch not in parents:
        raise NotVisible(f"There is no branch {branch} of this campaign that you may see.")
    if branch == campaign.branch:
        return line_of(campaign)
    return journal.lineage(parents, branch)


def parents_of(campaign: Campaign) -> dict[int, tuple[int, int] | None]:
    """Return, for each branch, branch and number of the entry it started from."""
    rows: Iterable[tuple[int, int | None, int | None]] = campaign.branches.values_list(
        "number", "parent__branch", "parent__number"
    )
    return {
        number: None if branch is None or entry is None else (branch, entry)
        for number, branch, entry in rows
    }


def entries_on(campaign: Campaign, line: Sequence[BranchSpan] | None = None) -> QuerySet[Entry]:
    """Return the entries of a line (the present one unless given), the oldest first."""
    return campaign.entries.filter(journal.on_line(line or line_of(campaign))).order_by("number")


def state_after(campaign: Campaign, entry: Entry) -> State:
    """Return the state after that entry, on any branch."""
    line = line_of(campaign, entry)
    snapshots = list(_snapshots_on(campaign, line))
    nearest = max(snapshots, key=_place)
    state = serialization.state_of(nearest.document, nearest.document_hash)
    for _, events in _since(campaign, nearest, line):
        rules.fold(state, events)
    return state


def _place(snapshot: Snapshot) -> tuple[int, int]:
    return (snapshot.entry.number if snapshot.entry else 0), snapshot.skip


def _since(
    campaign: Campaign, snapshot: Snapshot, line: Sequence[BranchSpan] | None = None
) -> Iterator[tuple[Entry, Sequence[AnyEvent]]]:
    """Yield the entries of the line since the snapshot, each with its events after the snapshot."""
    number, skip = _place(snapshot)
    for entry in entries_on(campaign, line).filter(number__gte=number):
        events = serialization.events_of(entry)
        yield entry, events[skip:] if entry.number == number else events


def months(campaign: Campaign) -> list[MonthLine]:
    """Return the set-up and every month so far, the oldest first, with the number of entries."""
    counts = entries_on(campaign).order_by("month").values_list("month").annotate(n=Count("pk"))
    entries = dict(counts)
    setting_up = MonthLine(Month(campaign.first_month - 1), "Set-up", "set-up", 0, current=False)
    run = range(campaign.first_month, campaign.month + 1)
    return [setting_up] + [
        MonthLine(
            Month(month),
            month_name(Month(month)),
            month_slug(Month(month)),
            entries.get(month, 0),
            current=month == campaign.month,
        )
        for month in run
    ]


def despatches(
    campaign: Campaign, month: int, audience: Sequence[SideKnowledge] = ()
) -> list[Despatch]:
    """Return the month's despatches, phase by phase; for the month before the first, the set-up's.

    Where there is an audience, only what all of them learn of; their knowledge is updated.
    """
    _check_month(campaign, month)
    sentences = chronicle(*played_in(campaign, month), audience)
    phases = groupby(sentences, key=lambda line: (line.month, line.turn, line.phase))
    return [Despatch(*when, tuple(group)) for when, group in phases]


def played_in(campaign: Campaign, month: int) -> tuple[State, Iterator[Played]]:
    """Return the state as the month began, and events and rolls of each entry in it."""
    setting_up = month < campaign.first_month
    began = campaign.snapshots.get(entry=None) if setting_up else _began(campaign, month)
    if began is None:
        return state_now(campaign), iter(())
    state = serialization.state_of(began.document, began.document_hash)
    return state, _entries_of_month(campaign, month, began)


def since_beginning(
    campaign: Campaign, month: int
) -> tuple[State, Iterator[tuple[Entry, Sequence[AnyEvent]]]]:
    """Return the state as the month began (the set-up: as created), and the entries since."""
    began = _began(campaign, month) or campaign.snapshots.get(entry=None)
    state = serialization.state_of(began.document, began.document_hash)
    return state, _since(campaign, began, line_of(campaign))


def _entries_of_month(campaign: Campaign, month: int, began: Snapshot) -> Iterator[Played]:
    """Yield events and rolls of each entry since the snapshot, as far as they lie in the month."""
    setting_up = month < campaign.first_month
    following = _began(campaign, month + 1)
    upto = following.entry if following else None
    for entry, events in _since(campaign, began, line_of(campaign, upto)):
        later = (place for place, event in enumerate(events) if _later(event, month, setting_up))
        end = next(later, len(events))
        yield events[:end], serialization.rolls_of(entry)
        if end < len(events):
            return


def _began(campaign: Campaign, month: int) -> Snapshot | None:
    """Return the snapshot at which the month's play began; None while the set-up goes on."""
    line = line_of(campaign)
    return _snapshots_on(campaign, line).filter(month=month).exclude(entry=None).last()


def entry_that_begins(campaign: Campaign, month: int) -> int:
    """Return the number of the entry in which that month begins; 0 while it has not begun."""
    began = _began(campaign, month)
    return began.entry.number if began and began.entry else 0


def branch_that_ends(campaign: Campaign, month: int) -> int:
    """Return the branch on which that month ended; a rewind to a later point leaves it so."""
    following = _began(campaign, month + 1)
    last = following.entry if following else campaign.head
    return last.branch if last else campaign.branch


def _later(event: AnyEvent, month: int, setting_up: bool) -> bool:
    """Return whether the event begins the next month, or ends the set-up."""
    if isinstance(event, MonthBegan):
        return event.month > month
    return setting_up and isinstance(event, PhaseBegan)


def job_for(user: Anybody, number: str | UUID) -> Job:
    """Return the job of that number. Raises NotVisible unless the user may see it."""
    try:
        return jobs_for(user).get(uuid=number)
    except (Job.DoesNotExist, ValidationError) as error:
        raise NotVisible(f"There is no job {number} that you may see.") from error


def jobs_for(user: Anybody) -> QuerySet[Job]:
    """Return the jobs of all campaigns the user may see."""
    seen = campaigns_for(user).values("pk")
    return Job.objects.filter(campaign__in=seen).select_related("campaign")


def job_under_way(campaign: Campaign) -> Job | None:
    """Return the campaign's unfinished job, if any."""
    return Job.objects.filter(campaign=campaign, status__in=Job.UNFINISHED).first()


def orders_have_begun(campaign: Campaign, month: int | None = None) -> bool:
    """Return whether the orders of the month, by default the current one, are carried out."""
    begun = campaign.sheets.filter(branch=campaign.branch, begun__isnull=False)
    return begun.filter(month=campaign.month if month is None else month).exists()


def battle_awaited(campaign: Campaign) -> PendingBattle | None:
    """Return the battle the campaign waits for, with its external number, or None."""
    return awaited_battle(campaign.branch, state_now(campaign)) if campaign.battle else None
