"""Read the letters of a campaign, as far as a user may.

A letter is read by its sender and by each seat that it has reached. Umpires also read every letter
of a campaign whose letters go by courier. When the campaign is over, its letters are a part of
the debrief, and everyone who sees the campaign reads them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from django.db.models import Count, F, Max, Min, Prefetch, Q, QuerySet

from battles import journal
from campaign.access import selectors
from campaign.access.selectors import Anybody, role_of
from campaign.models import Campaign, CampaignLetter, LetterCopy, Seat
from ops.prepared_queries import PreparedQuery

DELAY = 1
"""The months that a letter is on its way by courier, unless the umpire hurries or delays it."""
WRITERS = (Seat.Role.UMPIRE.value, Seat.Role.EGYPTIAN.value, Seat.Role.MAHDIST.value)

_HERE = Q(arrived__isnull=False) | Q(lost=False, arrival_month__lte=F("letter__campaign__month"))
"""The copies that have reached their seats: has_arrived() as a condition of a query."""


@dataclass(frozen=True)
class ReadableLetter:
    """A letter as one user may read it: their own copies and, for a courier's umpire, all."""

    letter: CampaignLetter
    sent: bool
    copies: tuple[LetterCopy, ...]
    unread: bool
    in_transit: tuple[LetterCopy, ...]
    abandoned: bool
    """It was written in a month that a rewind has undone, however far play has come since."""
    told_fates: bool
    """Its reader may know what became of every copy. The sender of one by courier may not."""


class CopyFate(NamedTuple):
    """The fate of a copy of a letter, as far as its reader may know."""

    arrival_month: int
    arrived: bool
    lost: bool
    read: datetime | None


def seats_of(campaign: Campaign, user: Anybody) -> list[Seat]:
    """Return the seats from which the user may write, in order."""
    if not user.is_authenticated:
        return []
    return list(campaign.seats.filter(user=user.pk, role__in=WRITERS).order_by("pk"))


def correspondents(campaign: Campaign, user: Anybody) -> list[Seat]:
    """Return the seats to which the user may write: those that other people hold."""
    seats = campaign.seats.filter(role__in=WRITERS, staff=False).exclude(user=None)
    return list(seats.exclude(user=user.pk).select_related("user").order_by("role", "pk"))


def has_arrived(campaign: Campaign, copy: LetterCopy) -> bool:
    """Return whether the copy has reached its seat. One that was read stays there."""
    if copy.arrived is not None:
        return True
    return not copy.lost and campaign.month >= copy.arrival_month


def letters_for(campaign: Campaign, user: Anybody) -> Iterator[ReadableLetter]:
    """Yield the letters that the user may read, the newest first."""
    return _readable(campaign, user, _with_copies(campaign))


def letter_for(campaign: Campaign, user: Anybody, number: int) -> ReadableLetter | None:
    """Return one letter that the user may read, None for any other."""
    return next(_readable(campaign, user, _with_copies(campaign).filter(pk=number)), None)


def _readable(
    campaign: Campaign, user: Anybody, letters: QuerySet[CampaignLetter]
) -> Iterator[ReadableLetter]:
    """Yield those of the letters that the user may read."""
    own = {seat.pk for seat in seats_of(campaign, user)}
    sees_all = campaign.finished or is_postmaster(campaign, user)
    last_month_of = cache(lambda branch: _last_month_kept(campaign, branch))
    for letter in letters:
        copies = tuple(letter.copies.all())
        own_copies = tuple(
            copy for copy in copies if copy.seat_id in own and has_arrived(campaign, copy)
        )
        sent = letter.sender_id in own
        if not (sent or own_copies or sees_all):
            continue
        yield ReadableLetter(
            letter,
            sent,
            copies if sent or sees_all else own_copies,
            any(copy.read is None for copy in own_copies),
            tuple(copy for copy in copies if not has_arrived(campaign, copy)) if sees_all else (),
            letter.branch != campaign.branch and letter.month > last_month_of(letter.branch),
            sees_all or not sent,
        )


def fate_of(campaign: Campaign, readable_letter: ReadableLetter, copy: LetterCopy) -> CopyFate:
    """Return what has become of a copy of the letter, as far as its reader may know.

    The sender of a letter by courier knows when it is due, and not what the umpire does with it.
    """
    written = readable_letter.letter.month
    if readable_letter.told_fates or copy.arrival_month == written:
        arrived = has_arrived(campaign, copy)
        return CopyFate(copy.arrival_month, arrived, copy.lost, copy.read)
    due = written + DELAY
    return CopyFate(due, campaign.month >= due, lost=False, read=None)


def _last_month_kept(campaign: Campaign, branch: int) -> int:
    """Return the month of an earlier branch in which the present line left it."""
    lines = selectors.line_of(campaign), selectors.line_of_branch(campaign, branch)
    shared = journal.last_shared_entry(*lines)
    if shared is None:
        return campaign.first_month
    parent_branch, parent_number = shared
    begun_there = campaign.branches.filter(
        parent__branch=parent_branch, parent__number=parent_number
    )
    seals = campaign.seals.filter(branch__in=begun_there.values("number"))
    month: int | None = seals.aggregate(first=Min("month"))["first"]
    return campaign.month if month is None else month


def is_postmaster(campaign: Campaign, user: Anybody) -> bool:
    """Return whether the user may read and route every letter: an umpire, of letters by courier."""
    by_courier = campaign.letter_post == Campaign.LetterPost.BY_COURIER
    return by_courier and Seat.Role.UMPIRE in role_of(user, campaign)


def unread_for(user: Anybody, campaign: Campaign) -> int:
    """Return the number of letters that have reached the user and are not read."""
    return len(_UNREAD.rows(campaign.pk, user.pk)) if user.pk else 0


def _unread(campaign_id: int, user_id: int) -> QuerySet[LetterCopy, Any]:
    copies = arrived_copies(campaign_id).filter(read=None, seat__user=user_id)
    return copies.order_by().values_list("pk")


_UNREAD = PreparedQuery(LetterCopy, _unread, int, int)
"""A prepared query, because every page of a campaign shows the number twice."""


def unread_copies(campaign: Campaign, since: datetime) -> QuerySet[LetterCopy]:
    """Return the copies that have arrived since then, or by courier lately, and are not read."""
    # A courier arrives with a later month, however many days after the letter was written.
    by_courier = Q(arrival_month__gt=F("letter__month"), arrival_month__gte=campaign.month - 1)
    lately = Q(letter__created__gte=since) | Q(arrived__gte=since) | by_courier
    return arrived_copies(campaign.pk).filter(lately, read=None)


def arrivals(campaign: Campaign) -> dict[int, tuple[int, int]]:
    """Return by user how many letters that reached them are unread, and the newest letter's key.

    Users whom no letter has reached are left out.
    """
    copies = arrived_copies(campaign.pk).filter(seat__role__in=WRITERS).exclude(seat__user=None)
    rows = copies.order_by("seat__user").values_list("seat__user")
    totals = rows.annotate(unread=Count("pk", filter=Q(read=None)), newest=Max("letter"))
    return {user: (unread, newest) for user, unread, newest in totals}


def arrived_copies(campaign_id: int) -> QuerySet[LetterCopy]:
    return LetterCopy.objects.filter(_HERE, letter__campaign=campaign_id)


def unread_by_campaign(user: Anybody) -> dict[int, int]:
    """Return the number of unread letters of the user, by the key of the campaign."""
    if not user.is_authenticated:
        return {}
    copies = LetterCopy.objects.filter(_HERE, seat__user=user.pk, read=None)
    rows = copies.order_by("letter__campaign").values_list("letter__campaign")
    return dict(rows.annotate(unread=Count("pk")))


def _with_copies(campaign: Campaign) -> QuerySet[CampaignLetter]:
    copies = LetterCopy.objects.select_related("seat__user")
    return campaign.letters.select_related("sender__user").prefetch_related(
        Prefetch("copies", copies)
    )
