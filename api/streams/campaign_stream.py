"""The streams of campaigns, filtered for each follower.

Every event is a message; the campaign's status follows when there is nothing more to send, and to a
player or an umpire whom letters have reached, how many are unread.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from django.db.models import Count, Max, Q, Sum

from api.documents.campaigns import status_of
from api.documents.events import event_part
from api.documents.jobs import ProgressPart
from api.documents.scalars import (
    CampaignStatus,
    Cursor,
    Moment,
    MonthOrSetUp,
    OrderStatusName,
    PhaseName,
    SideName,
    StatusName,
)
from api.http.encoding import encode
from api.http.rule_json import identifier
from api.streams.followers import (
    Follower,
    Head,
    MessageBatch,
    News,
    as_place,
    message,
    news_of,
    rewound,
)
from campaign.access import fog_of_war, journal_events, letters, selectors
from campaign.models import Campaign, Deadline, Job, LetterCopy, OrderSheet, Seat, Throw
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.attendance import attendance
from campaign.services.turns import timetable

AT_A_TIME = 500
"""The approximate number of events read at once for a follower who has to catch up."""


class RunningJobPart(msgspec.Struct, frozen=True):
    """The job that advances the campaign now."""

    uuid: UUID
    status: StatusName
    progress: ProgressPart


class OrderStatusPart(msgspec.Struct, frozen=True):
    """The status of a seat's orders for the month; their version is 0 until they are written."""

    seat_id: int
    order_status: OrderStatusName
    version: str


class CampaignStatusDocument(msgspec.Struct, frozen=True):
    """The status of a campaign: its month and phase, and in words what it waits for.

    `version` changes whenever a page of the campaign may look different, also when a seat changes
    hands; `position` with every entry of the journal. The month's orders are due at `due_at`, which
    is null without a deadline and while its clock is stopped. Only umpires receive
    `order_statuses`, of the seats that give orders.
    """

    version: str
    campaign: str
    cursor: Cursor
    position: int
    month: MonthOrSetUp
    month_name: str
    side: SideName
    phase: PhaseName
    waiting_for: str | None
    due_at: Moment | None
    adjourned: bool
    status: CampaignStatus
    outcome_text: str | None
    running_job: RunningJobPart | None
    order_statuses: tuple[OrderStatusPart, ...]


class LetterStatusDocument(msgspec.Struct, frozen=True):
    """The letters of a campaign that have reached you: how many are unread, and the newest."""

    unread_count: int
    newest_id: int


def messages_since(campaign: Campaign, place: str, viewer: Viewer) -> MessageBatch:
    """Return the messages since the place, as far as the viewer may know of them.

    After a rewind the first message is `rewound`; its id is the place to go on from.
    """
    try:
        before, skip = _first_cursor(campaign, place)
        events, cursor = journal_events.visible_events_since(campaign, before, AT_A_TIME, viewer)
    except journal_events.CursorLost as lost:
        return rewound(lost.common, str(lost))
    messages = [
        message(encode(event_part(event)), place) for event, place in _number_events(events)
    ][skip:]
    return MessageBatch(b"".join(messages), cursor, more=cursor != before)


def present(campaign: Campaign, viewer: Viewer) -> str:
    """Return the place after the last event that the viewer may know of now."""
    entries = selectors.entries_on(campaign)
    if fog_of_war.hears_late(campaign, viewer):
        entries = entries.filter(number__lt=journal_events.first_hidden_entry(campaign))
    last = entries.last()
    return journal_events.cursor_of(last) if last else journal_events.BEGINNING


def status_message(
    campaign: Campaign, place: str, viewer: Viewer, *, seats: Iterable[Seat]
) -> bytes:
    """Return the message with the campaign's status."""
    month = Month(campaign.month)
    rows = attendance(campaign) if viewer is Onlooker.UMPIRE else ()
    part = CampaignStatusDocument(
        version=fog_of_war.stamp(campaign, seats, viewer),
        campaign=campaign.slug,
        cursor=place or journal_events.BEGINNING,
        position=campaign.head_id or 0,
        month=month_slug(month),
        month_name=month_name(month),
        side=campaign.side,
        phase=identifier(campaign.phase),
        waiting_for=fog_of_war.waiting_for(campaign, viewer) or None,
        due_at=timetable.due_now(campaign),
        adjourned=campaign.adjourned,
        status=status_of(campaign),
        outcome_text=campaign.outcome or None,
        running_job=_running_job(campaign),
        order_statuses=tuple(
            OrderStatusPart(
                row.seat.pk, identifier(row.standing), str(row.sheet.revision if row.sheet else 0)
            )
            for row in rows
        ),
    )
    return message(encode(part), place, kind="status")


def _running_job(campaign: Campaign) -> RunningJobPart | None:
    job = selectors.job_under_way(campaign)
    if job is None:
        return None
    return RunningJobPart(job.uuid, job.status, ProgressPart(job.progress, job.total))


def is_place(campaign: Campaign, place: str) -> bool:
    """Return whether it is a place in the stream of this campaign, on any branch."""
    if place in ("", journal_events.BEGINNING):
        return True
    parts = as_place(place)
    if parts is None:
        return False
    branch, number = parts[:2]
    return campaign.entries.filter(branch=branch, number=number).exists()


def _first_cursor(campaign: Campaign, place: str) -> tuple[str, int]:
    """Return the cursor to read on from, and the number of events after it already sent."""
    if place.count(".") < 2:
        return place or journal_events.BEGINNING, 0
    cursor, _, sent_count = place.rpartition(".")
    branch, number = map(int, cursor.split("."))
    entries = selectors.entries_on(campaign)
    if not entries.filter(branch=branch, number=number).exists():
        return cursor, 0
    before = entries.filter(number=number - 1).first()
    return (journal_events.cursor_of(before) if before else journal_events.BEGINNING), int(
        sent_count
    )


def _number_events(all_events: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    """Return each event with its place; the last one of an entry has the entry's cursor."""
    placed = []
    for cursor, group in groupby(all_events, key=itemgetter("cursor")):
        events = list(group)
        placed += [(event, f"{cursor}.{number}") for number, event in enumerate(events[:-1], 1)]
        placed.append((events[-1], cursor))
    return placed


T = TypeVar("T")


class CampaignFeed:
    """All campaigns, by primary key."""

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        versions = "pk", "public", "document_hash", "deadline_policy", *Campaign.STAMPED
        rows = Campaign.objects.filter(pk__in=numbers).values_list(*versions)
        seats: dict[int, set[Head]] = defaultdict(set)
        for campaign, *seat in Seat.objects.filter(campaign__in=numbers).values_list(
            "campaign", "pk", "role", "user", "staff"
        ):
            seats[campaign].add(tuple(seat))
        jobs = Job.objects.filter(campaign__in=numbers, status__in=Job.UNFINISHED)
        at_work = {job[0]: job for job in jobs.values_list("campaign", "pk", "status", "progress")}
        written = {counts[0]: counts for counts in _sheet_counts(numbers)}
        throws = Throw.objects.filter(campaign__in=numbers)
        awaited = {throw[0]: throw for throw in throws.values_list("campaign", "head", "count")}
        clocks = Deadline.objects.filter(campaign__in=numbers, done=None)
        due = {clock[0]: clock for clock in clocks.values_list("campaign", "due", "paused")}
        posted = {marks[0]: marks for marks in _letter_marks(numbers)}
        return {
            row[0]: (
                *row[1:],
                seats[row[0]],
                at_work.get(row[0]),
                written.get(row[0]),
                awaited.get(row[0]),
                due.get(row[0]),
                posted.get(row[0]),
            )
            for row in rows
        }

    def readers(self, numbers: Collection[int]) -> Mapping[int, "CampaignReader"]:
        campaigns = Campaign.objects.in_bulk(list(numbers))
        return {number: CampaignReader(campaign) for number, campaign in campaigns.items()}


def _sheet_counts(numbers: Collection[int]) -> Iterable[Head]:
    """Yield the counts of pending order sheets by campaign: written, saved, submitted, ready."""
    sheets = OrderSheet.objects.filter(campaign__in=numbers, begun=None, withdrawn=False)
    counts = (
        sheets.order_by("campaign")
        .values("campaign")
        .annotate(
            written=Count("pk"),
            saved=Sum("revision"),
            sent=Count("submitted"),
            done=Count("pk", filter=Q(ready=True)),
        )
    )
    return counts.values_list("campaign", "written", "saved", "sent", "done")


def _letter_marks(numbers: Collection[int]) -> Iterable[Head]:
    """Yield values by campaign that change when a letter is sent, routed or read."""
    copies = LetterCopy.objects.filter(letter__campaign__in=numbers).order_by("letter__campaign")
    marks = copies.values("letter__campaign").annotate(
        sent=Max("pk"),
        here=Count("arrived"),
        seen=Count("read"),
        gone=Count("pk", filter=Q(lost=True)),
        due=Sum("arrival_month"),
    )
    return marks.values_list("letter__campaign", "sent", "here", "seen", "gone", "due")


class CampaignReader:
    """A campaign at one moment, as it is read to its followers."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._seats = seats = list(campaign.seats.all())
        self._roles: dict[int | None, set[str]] = defaultdict(set)
        for seat in seats:
            if seat.user_id is not None:
                self._roles[seat.user_id].add(seat.role)
        self._batches: dict[tuple[Viewer, str], MessageBatch] = {}
        self._statuses: dict[tuple[Viewer, str], bytes] = {}
        self._letters: dict[int, tuple[int, int]] | None = None

    def news(self, follower: Follower) -> News | None:
        """Return the follower's news; None if they may not see the campaign."""
        roles = self._roles.get(follower.who.user, set())
        if not (self._campaign.public or roles):
            return None
        viewer = fog_of_war.viewer_of_roles(roles)
        batch = self._once(self._batches, messages_since, viewer, follower.place)
        make_status = partial(status_message, seats=self._seats)

        def present_messages() -> tuple[bytes, ...]:
            status = self._once(self._statuses, make_status, viewer, batch.place)
            return (status, *self._letters_of(follower.who.user, batch.place))

        return news_of(follower, batch, present_messages)

    def _letters_of(self, user: int | None, place: str) -> tuple[bytes, ...]:
        """Return the message about the letters of that user; none for one without letters."""
        if self._letters is None:
            self._letters = letters.arrivals(self._campaign)
        if user is None or user not in self._letters:
            return ()
        part = LetterStatusDocument(*self._letters[user])
        return (message(encode(part), place, kind="letters"),)

    def _once(
        self,
        cache: dict[tuple[Viewer, str], T],
        make: Callable[[Campaign, str, Viewer], T],
        viewer: Viewer,
        place: str,
    ) -> T:
        if (viewer, place) not in cache:
            cache[viewer, place] = make(self._campaign, place, viewer)
        return cache[viewer, place]


CAMPAIGNS = CampaignFeed()
