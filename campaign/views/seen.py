"""What a visitor has seen of a campaign: kept in a cookie of his own, by campaign."""

from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaign.models import Campaign

COOKIE = "seen"
A_YEAR = 365 * 24 * 3600  # seconds


class Look(NamedTuple):
    """When a visitor looked last: the month, branch and last entry he was shown."""

    month: int
    branch: int
    head: int

    def is_new(self, campaign: Campaign, month: int) -> bool:
        """Whether something of that month has happened since."""
        if (self.branch, self.head) == (campaign.branch, campaign.head_id or 0):
            return False
        return self.month <= month <= campaign.month


def last(request: HttpRequest, campaign: Campaign) -> Look | None:
    """When the visitor looked last; None when he never did, or the cookie is no cookie of ours."""
    parts = request.COOKIES.get(COOKIE, "").split(".")
    if len(parts) != len(Look._fields) + 1 or not all(part.isdecimal() for part in parts):
        return None
    number, *look = map(int, parts)
    return Look(*look) if number == campaign.pk else None


def note(response: HttpResponse, campaign: Campaign) -> None:
    """He has seen the campaign as it stands now."""
    value = f"{campaign.pk}.{campaign.month}.{campaign.branch}.{campaign.head_id or 0}"
    response.set_cookie(
        COOKIE,
        value,
        max_age=A_YEAR,
        path=reverse("campaign", args=[campaign.slug]),
        httponly=True,
        samesite="Lax",
    )
