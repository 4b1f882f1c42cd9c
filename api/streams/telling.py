"""What a follower of a campaign is told, as server-sent events.

Every event is one message, and so is how the campaign stands when there is nothing more to tell.
"""

from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec

from api.documents.news import event_part
from api.encoding import encode
from api.streams.messages import Told, as_place, message, rewound
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.pieces import Month, month_name, month_slug
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.orders.order_status import Standing, attendance

AT_A_TIME = 500
"""Events, about, that are read at once for somebody who has much to catch up with."""


class AtWorkPart(msgspec.Struct, frozen=True):
    """How far the job that plays the campaign on has come."""

    id: str
    status: str
    progress: int
    total: int


class DeskPart(msgspec.Struct, frozen=True):
    """How far a seat is with its orders for the month."""

    seat: int
    standing: Standing


class StandingPart(msgspec.Struct, frozen=True):
    """How a campaign stands: its month, its phase, and in words what it waits for.

    `tag` is another whenever a page of the campaign may show something else than before, who
    holds its seats included. It has no meaning of its own, and no ETag is like it.
    """

    tag: str
    campaign: str
    cursor: str
    head: int
    month: str
    month_name: str
    side: str
    phase: str
    waiting_for: str
    adjourned: bool
    finished: bool
    outcome: str
    job: AtWorkPart | None
    desks: tuple[DeskPart, ...]
    """Of every seat that gives orders; an umpire alone is told of them."""


def tell(campaign: Campaign, place: str, viewer: Viewer) -> Told:
    """What has happened since the place, as far as he gets to know of it.

    After a rewind the first message is `rewound`; its id is where he goes on.
    """
    try:
        before, skip = _begun(campaign, place)
        found, cursor = fog_of_war.events_since(campaign, before, AT_A_TIME, viewer)
    except selectors.CursorLost as lost:
        return rewound(lost.common, str(lost))
    messages = [_message(*one) for one in _numbered(found)][skip:]
    return Told(b"".join(messages), cursor, more=cursor != before)


def present(campaign: Campaign, viewer: Viewer) -> str:
    """The place at which everything has been told that may be by now."""
    entries = selectors.entries_on(campaign)
    if fog_of_war.hears_late(campaign, viewer):
        entries = entries.filter(month__lte=campaign.month - campaign.public_delay)
    last = entries.last()
    return selectors.cursor_of(last) if last else ""


def standing(campaign: Campaign, place: str, viewer: Viewer, *, tag: str) -> bytes:
    """The message of how the campaign stands."""
    month = Month(campaign.month)
    part = StandingPart(
        tag=tag,
        campaign=campaign.slug,
        cursor=place,
        head=campaign.head_id or 0,
        month=month_slug(month),
        month_name=month_name(month),
        side=campaign.side,
        phase=campaign.phase,
        waiting_for=fog_of_war.waiting_for(campaign, viewer),
        adjourned=campaign.adjourned,
        finished=campaign.finished,
        outcome=campaign.outcome,
        job=_at_work(campaign),
        desks=_desks(campaign) if viewer is Onlooker.UMPIRE else (),
    )
    return message(encode(part), place, kind="standing")


def _at_work(campaign: Campaign) -> AtWorkPart | None:
    job = selectors.job_under_way(campaign)
    return AtWorkPart(str(job.uuid), job.status, job.progress, job.total) if job else None


def _desks(campaign: Campaign) -> tuple[DeskPart, ...]:
    return tuple(DeskPart(one.seat.pk, one.standing) for one in attendance(campaign))


def is_place(campaign: Campaign, place: str) -> bool:
    """Whether it is a place in the stream of this campaign, on whatever branch."""
    parts = as_place(place) if place else (0, 0)
    if parts is None:
        return False
    branch, number = parts[:2]
    return not place or campaign.entries.filter(branch=branch, number=number).exists()


def _begun(campaign: Campaign, place: str) -> tuple[str, int]:
    """The cursor to read on from, and how many of what comes then have been told already."""
    if place.count(".") < 2:
        return place, 0
    cursor, _, told = place.rpartition(".")
    branch, number = map(int, cursor.split("."))
    entries = selectors.entries_on(campaign)
    if not entries.filter(branch=branch, number=number).exists():
        return cursor, 0
    before = entries.filter(number=number - 1).first()
    return (selectors.cursor_of(before) if before else ""), int(told)


def _numbered(found: list[dict[str, Any]]) -> list[tuple[dict[str, Any], str]]:
    """Each event with its place: the last one of an entry has that of the entry."""
    placed = []
    for cursor, group in groupby(found, key=itemgetter("cursor")):
        events = list(group)
        placed += [(event, f"{cursor}.{told}") for told, event in enumerate(events[:-1], 1)]
        placed.append((events[-1], cursor))
    return placed


def _message(event: dict[str, Any], place: str) -> bytes:
    return message(encode(event_part(event)), place)
