"""What a visitor has read of a campaign: kept in a cookie of his own, a campaign each."""

from collections.abc import Iterable
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaign.models import Campaign

COOKIE = "seen"
A_YEAR = 365 * 24 * 3600  # seconds
MOST = 60
"""Unread months kept; nobody misses the mark on an older one."""


class Look(NamedTuple):
    """How the campaign stood when the visitor looked last, and which months he has not read."""

    campaign: int
    branch: int
    head: int
    month: int
    unread: frozenset[int]


def look(request: HttpRequest, campaign: Campaign) -> Look:
    """How the campaign stands to this visitor now; at his first visit nothing is unread."""
    branch, head = campaign.branch, campaign.head_id or 0
    last = _last(request, campaign.pk)
    unread = last.unread if last else frozenset()
    if last and (last.branch, last.head) != (branch, head):
        unread |= set(range(last.month, campaign.month + 1))
    return Look(campaign.pk, branch, head, campaign.month, unread)


def note(response: HttpResponse, campaign: Campaign, at: Look, read: Iterable[int]) -> None:
    """He has now read these months."""
    left = sorted(at.unread - set(read))[-MOST:]
    numbers = (at.campaign, at.branch, at.head, at.month, *left)
    response.set_cookie(
        COOKIE,
        ".".join(map(str, numbers)),
        max_age=A_YEAR,
        path=reverse("campaign", args=[campaign.slug]),
        httponly=True,
        samesite="Lax",
    )


def _last(request: HttpRequest, campaign: int) -> Look | None:
    """How it stood when he looked last; None when he never did, or the cookie is not ours."""
    parts = request.COOKIES.get(COOKIE, "").split(".")
    if not all(part.isdecimal() and len(part) < 12 for part in parts):
        return None
    numbers = [int(part) for part in parts]
    if len(numbers) < len(Look._fields) - 1 or numbers[0] != campaign:
        return None
    return Look(numbers[0], numbers[1], numbers[2], numbers[3], frozenset(numbers[4:]))
