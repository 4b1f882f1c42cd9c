"""Find what waits for a user: the page of each campaign, and how many things there are in all."""

from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from battles.access import waiting_for
from campaign.access.selectors import orders_have_begun
from campaign.models import AT_TABLE, Campaign, OrderSheet, Seat, Throw
from campaign.services.journal.dice import waiting_throw
from campaign.services.order_sheets import sheet_of
from ops.prepared_queries import PreparedQuery


def players_first(seats: list[Seat]) -> list[Seat]:
    """Return the seats with umpires last: a player's orders come before a run."""
    return sorted(seats, key=lambda seat: seat.role == Seat.Role.UMPIRE)


def awaited_page(campaign: Campaign, seat: Seat) -> str:
    """Return the URL of the page on which the campaign waits for the holder of the seat.

    That is the unsubmitted sheet, the open question of live play, the result of a battle fought by
    hand, or an umpire's console; empty if nothing waits. A question whose answer waits for dice of
    the umpire's is not open.
    """
    if campaign.finished or campaign.adjourned or seat.role == Seat.Role.OBSERVER:
        return ""
    if seat.role == Seat.Role.UMPIRE:
        return reverse("console", args=[campaign.slug])
    if campaign.battle:
        at_table = campaign.awaited == AT_TABLE
        return reverse("battle-result", args=[campaign.slug, campaign.battle]) if at_table else ""
    if campaign.mode == Campaign.Mode.LIVE and campaign.awaited == seat.role and not seat.staff:
        is_answered = waiting_throw(campaign) is not None
        return "" if is_answered else reverse("live", args=[campaign.slug])
    if campaign.mode == Campaign.Mode.ORDERS and not seat.staff:
        sheet = sheet_of(campaign, seat, campaign.month)
        submitted = sheet is not None and sheet.submitted is not None
        if not (submitted or orders_have_begun(campaign)):
            return reverse("order-sheet", args=[campaign.slug, seat.pk])
    return ""


def turn_count(user: User) -> int:
    """Return how many campaigns and battles wait for the user, by one query.

    It counts what `awaited_page` finds, without reading a campaign.
    """
    return len(_WAITING.rows(user.pk))


def _waiting(user_id: int) -> QuerySet[Seat, Any]:
    """Return a number for every campaign and every battle that waits for that user."""
    user = User(pk=user_id)
    own = Q(submitted__isnull=False, seat=OuterRef("pk"), withdrawn=False)
    sent = OrderSheet.objects.filter(
        own | Q(begun__isnull=False),  # of whichever seat: the month has begun for all
        campaign=OuterRef("campaign"),
        branch=OuterRef("campaign__branch"),
        month=OuterRef("campaign__month"),
    )
    by_hand = Throw.objects.filter(
        campaign=OuterRef("campaign"),
        campaign__dice_by_hand=True,
        head=Coalesce("campaign__head", 0),
    )
    live = Q(campaign__mode=Campaign.Mode.LIVE, campaign__awaited=F("role")) & ~Exists(by_hand)
    by_sheet = Q(campaign__mode=Campaign.Mode.ORDERS) & ~Exists(sent)
    playing = Q(campaign__battle="", staff=False) & (live | by_sheet)
    at_table = ~Q(campaign__battle="") & Q(campaign__awaited=AT_TABLE)
    seats = Seat.objects.filter(user=user, campaign__finished=False, campaign__adjourned=False)
    waiting = seats.filter(
        Q(role=Seat.Role.UMPIRE) | (~Q(role=Seat.Role.OBSERVER) & (playing | at_table))
    )
    fights = waiting_for(user).order_by().annotate(number=-F("pk"))
    campaigns = waiting.order_by().annotate(number=F("campaign"))
    return campaigns.values_list("number").union(fights.values_list("number"))


_WAITING = PreparedQuery(Seat, _waiting, int)
"""Every page with a banner asks for it."""


@require_safe
@never_cache
def turn_count_text(request: HttpRequest) -> HttpResponse:
    """Return the number as plain text, for the title of a page that stays open."""
    count = turn_count(request.user) if isinstance(request.user, User) else 0
    return HttpResponse(str(count), content_type="text/plain")
