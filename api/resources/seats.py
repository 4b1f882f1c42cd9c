"""Seats and their holders: list, retrieve, hand over and leave them, and add umpires."""

from typing import Annotated

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from accounts.models import Scope
from api.documents.seats import SeatDocument, seat_document
from api.http.bodies import Reason, RequestBody
from api.http.endpoint import Endpoint, Listed, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem, not_in_scope, unfit
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Seat
from campaign.services.umpire import invitations, seat_control
from campaign.services.umpire.umpire_log import umpire_of

ORDER = [role.value for role in Seat.Role]
Username = Annotated[str, Meta(min_length=1, max_length=150, pattern="^[^\\x00]*$")]


class NewUmpire(RequestBody, frozen=True):
    """The username of a further umpire."""

    holder: Username


class SeatChange(RequestBody, frozen=True):
    """Changes of a seat; what is left out stays as it is.

    `reason` is required of an umpire who replaces or removes a holder, or hands a seat to the
    staff.
    """

    holder: Username | UnsetType | None = UNSET
    staff: bool | UnsetType = UNSET
    reason: Reason | None = None


class Seats(Endpoint):
    """The seats of a campaign; POST adds an umpire."""

    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(Listed[SeatDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the seats of a campaign."""
        campaign = selectors.campaign_for(request.user, slug)
        held = campaign.seats.select_related("user").order_by("pk")
        told = sorted(held, key=lambda one: ORDER.index(one.role))
        return self.tell({"results": [_document(request, campaign, seat) for seat in told]})

    @operation(SeatDocument, status=201, takes=NewUmpire, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Add an umpire, with the same powers as yours (umpire).

        The other seats are offered by invitation.
        """
        campaign = selectors.campaign_for(request.user, slug)
        name = NewUmpire.read(request).holder
        seat = seat_control.second_umpire(campaign.pk, request.user, name)
        document = _document(request, campaign, seat)
        return WriteResult(201, document, document.links.self)


class OneSeat(Endpoint):
    """A seat of a campaign."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(SeatDocument)
    def get(
        self,
        request: Request,
        slug: str,
        id: int,
    ) -> HttpResponse:
        """Retrieve a seat."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(_document(request, campaign, seat_of(campaign, id)))

    @operation(SeatDocument, takes=SeatChange, once=True)
    def patch(
        self,
        request: Request,
        slug: str,
        id: int,
    ) -> WriteResult:
        """Change the holder of a seat, or hand it to the staff (umpire); or leave your own seat.

        With a `holder` of null you leave your seat. An umpire replaces or removes the holder of any
        seat. Orders of the last holder that are not carried out yet never will be. With `staff`,
        the computer plays the seat until it is handed back; its holder keeps it. In a fog
        of war the staff knows what its side may know.
        """
        campaign = selectors.campaign_for(request.user, slug)
        given, seat = SeatChange.read(request), seat_of(campaign, id)
        if given.holder is None and seat.user_id == request.user.pk:
            return _left(request, campaign, id)
        _check_umpire(request, campaign)
        with transaction.atomic():
            _change(campaign, request.user, seat, given)
        return WriteResult(200, _document(request, campaign, seat_of(campaign, id)))


def _left(request: Request, campaign: Campaign, seat_id: int) -> WriteResult:
    """Vacate the caller's seat, and return it as it was left."""
    left = invitations.leave(campaign.pk, request.user, seat_id)
    left.pk, left.user = seat_id, None  # the seat of an observer or umpire is deleted
    return WriteResult(200, _document(request, campaign, left))


def _check_umpire(request: Request, campaign: Campaign) -> None:
    """Raise NotAllowed for anyone who is not an umpire, and Problem for a token of a player."""
    umpire_of(campaign, request.user)
    scopes = getattr(request.auth, "scopes", None)
    if scopes is not None and Scope.UMPIRE not in scopes:
        raise not_in_scope(Scope.UMPIRE)


def _change(campaign: Campaign, user: User, seat: Seat, given: SeatChange) -> None:
    """Carry out an umpire's changes. Raises Problem where the reason is missing."""
    explained = given.holder is not UNSET or given.staff is True
    if explained and given.reason is None:
        raise unfit(reason="Say why: everyone who sees the campaign can read it.")
    why = given.reason or ""
    if given.holder is None:
        seat_control.remove_player(campaign.pk, user, seat.pk, reason=why)
    elif given.holder is not UNSET:
        seat_control.replace_player(campaign.pk, user, seat.pk, given.holder, reason=why)
    if given.staff is True:
        seat_control.hand_to_staff(campaign.pk, user, seat.pk, reason=why)
    elif given.staff is False and seat_of(campaign, seat.pk).staff:
        seat_control.take_back_from_staff(campaign.pk, user, seat.pk)


def seat_of(campaign: Campaign, seat_id: int) -> Seat:
    """Return the seat of that id. Problem if the campaign has none."""
    seat = campaign.seats.filter(pk=seat_id).select_related("user").first()
    if seat is None:
        raise Problem("not-found", f"This campaign has no seat {seat_id}.")
    return seat


def _document(request: Request, campaign: Campaign, seat: Seat) -> SeatDocument:
    view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
    return seat_document(campaign, seat, request.user, view)
