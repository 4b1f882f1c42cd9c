"""What a follower of a campaign is told, as server-sent events.

Every event is one message, and so is how the campaign stands when there is nothing more to tell.
The id of a message is the place that has been reached with it: whoever comes back with the last
one he has is told what comes after it, nothing twice and nothing left out.
"""

from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from api.documents.news import event_part
from api.encoding import encode
from campaign import fog, selectors
from campaign.models import Campaign
from campaign.rules.pieces import Month, month_name, month_slug
from campaign.rules.sight import Viewer

MEDIA_TYPE = "text/event-stream"
AT_A_TIME = 500
"""Events, about, that are read at once for somebody who has much to catch up with."""
HEARTBEAT = b": still here\n\n"


class Told(NamedTuple):
    """Messages, the place that is reached with them, and whether there may be more to tell."""

    messages: bytes
    place: str
    more: bool


class StandingPart(msgspec.Struct, frozen=True):
    """How a campaign stands: its month, its phase, and in words what it waits for."""

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


def tell(campaign: Campaign, place: str, viewer: Viewer) -> Told:
    """What has happened since the place, as far as he gets to know of it.

    After a rewind the first message is `rewound`; its id is where he goes on.
    """
    try:
        before, skip = _begun(campaign, place)
        found, cursor = fog.events_since(campaign, before, AT_A_TIME, viewer)
    except selectors.CursorLost as lost:
        return Told(_rewound(lost), lost.common, more=True)
    messages = [_message(*one) for one in _numbered(found)][skip:]
    return Told(b"".join(messages), cursor, more=cursor != before)


def present(campaign: Campaign, viewer: Viewer) -> str:
    """The place at which everything has been told that may be by now."""
    entries = selectors.entries_on(campaign)
    if fog.hears_late(campaign, viewer):
        entries = entries.filter(month__lte=campaign.month - campaign.public_delay)
    last = entries.last()
    return selectors.cursor_of(last) if last else ""


def standing(campaign: Campaign, place: str, viewer: Viewer) -> bytes:
    """The message of how the campaign stands."""
    month = Month(campaign.month)
    part = StandingPart(
        campaign=campaign.slug,
        cursor=place,
        head=campaign.head_id or 0,
        month=month_slug(month),
        month_name=month_name(month),
        side=campaign.side,
        phase=campaign.phase,
        waiting_for=fog.waiting_for(campaign, viewer),
        adjourned=campaign.adjourned,
        finished=campaign.finished,
        outcome=campaign.outcome,
    )
    return message(encode(part), place, kind="standing")


def message(data: bytes, place: str, *, kind: str = "") -> bytes:
    """One message; those of a kind of their own are heard by that name."""
    named = f"event: {kind}\n".encode() if kind else b""
    return b"%sid: %s\ndata: %s\n\n" % (named, place.encode(), data)


def is_place(campaign: Campaign, place: str) -> bool:
    """Whether it is a place in the stream of this campaign, on whatever branch."""
    parts = place.split(".") if place else ["0", "0"]
    if len(parts) not in (2, 3) or not all(map(_is_number, parts)):
        return False
    branch, number = map(int, parts[:2])
    return not place or campaign.entries.filter(branch=branch, number=number).exists()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


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


def _rewound(lost: selectors.CursorLost) -> bytes:
    said = {"cursor": lost.common, "words": str(lost)}
    return message(encode(said), lost.common, kind="rewound")
