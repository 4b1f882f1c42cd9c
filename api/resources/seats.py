"""Seats, their holders, and the invitations to them."""

from typing import Annotated, ClassVar, Literal

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType, structs
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from api.documents.seats import (
    InvitationDocument,
    NewInvitationDocument,
    OfferDocument,
    SeatDocument,
    invitation_document,
    offer_document,
    seat_document,
)
from api.http.authentication import check_umpire_scope
from api.http.encoding import EmailAddress, EmptyBody, Reason, RequestBody, check_email
from api.http.endpoint import Endpoint, Listed, OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem, unfit
from api.http.throttles import InvitationThrottle
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.core.pieces import UnitId
from campaign.services import mail_messages
from campaign.services.attendance import office_of
from campaign.services.umpire import invitations, seat_control
from campaign.services.umpire.rulings import umpire_of
from campaign.web.error_pages import AGAIN
from campaign.web.roster import too_many, wait_for_letter

# Seats and their holders: list, retrieve, hand over and leave them, and add umpires.


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
        seats = campaign.seats.select_related("user").order_by("pk")
        ordered_seats = sorted(seats, key=lambda seat: ORDER.index(seat.role))
        return self.answer_list(_document(request, campaign, seat) for seat in ordered_seats)

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
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """Retrieve a seat."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.answer(_document(request, campaign, seat_of(campaign, id)))

    @operation(SeatDocument, takes=SeatChange, once=True)
    def patch(self, request: Request, slug: str, id: int) -> WriteResult:
        """Change the holder of a seat, or hand it to the staff (umpire); or leave your own seat.

        With a `holder` of null you leave your seat; a campaign that you play alone is deleted then,
        as by DELETE. An umpire replaces or removes the holder of a player's seat, and removes an
        observer, whose seat is deleted. Orders of the last holder that are not carried out yet
        never will be. With `staff`, the computer plays the seat until it is handed back; its holder
        keeps it. In a fog of war the staff knows what its side may know.
        """
        campaign = selectors.campaign_for(request.user, slug)
        change, seat = SeatChange.read(request), seat_of(campaign, id)
        is_own = seat.user_id == request.user.pk
        if is_own and change.holder is None and change.staff is UNSET:
            return _leave_seat(request, campaign, id)
        _check_umpire(request, campaign)
        with transaction.atomic():
            _change(campaign, request.user, seat, change)
        changed = campaign.seats.filter(pk=id).select_related("user").first()
        if changed is None:  # an observer's seat is deleted with its holder's removal
            changed, seat.user = seat, None
        return WriteResult(200, _document(request, campaign, changed))


def _leave_seat(request: Request, campaign: Campaign, seat_id: int) -> WriteResult:
    """Vacate the caller's seat, and return it as it was left."""
    view = fog_of_war.view_for(request.user, campaign)  # read before the campaign may be deleted
    left = invitations.leave(campaign.pk, request.user, seat_id)
    left.pk, left.user = seat_id, None  # the seat of an observer or umpire is deleted
    return WriteResult(200, seat_document(campaign, left, request.user, view))


def _check_umpire(request: Request, campaign: Campaign) -> None:
    """Raise NotAllowed for anyone who is not an umpire, and Problem for a token of a player."""
    umpire_of(campaign, request.user)
    check_umpire_scope(request)


def _change(campaign: Campaign, user: User, seat: Seat, change: SeatChange) -> None:
    """Carry out an umpire's changes. Raises Problem where the reason is missing."""
    explained = change.holder is not UNSET or change.staff is True
    if explained and change.reason is None:
        raise unfit(reason="Say why: everyone who sees the campaign can read it.")
    reason = change.reason or ""
    if change.holder is None:
        seat_control.remove_player(campaign.pk, user, seat.pk, reason=reason)
    elif change.holder is not UNSET:
        seat_control.replace_player(campaign.pk, user, seat.pk, change.holder, reason=reason)
    if change.staff is True:
        seat_control.hand_to_staff(campaign.pk, user, seat.pk, reason=reason)
    elif change.staff is False and seat_of(campaign, seat.pk).staff:
        seat_control.take_back_from_staff(campaign.pk, user, seat.pk)


def seat_of(campaign: Campaign, seat_id: int) -> Seat:
    """Return the seat of that id. Problem if the campaign has none."""
    seats = campaign.seats.filter(pk=seat_id).select_related("user")
    return selectors.first_visible(seats, f"This campaign has no seat {seat_id}.")


def _document(request: Request, campaign: Campaign, seat: Seat) -> SeatDocument:
    view = fog_of_war.view_for(request.user, campaign)
    return seat_document(campaign, seat, request.user, view)


# Invitations to seats: create, send, list, revoke, inspect and accept them.


RegionName = Annotated[str, Meta(min_length=1, max_length=60)]


class NewInvitation(RequestBody, frozen=True):
    """The seat to offer; without leaders and regions, a player commands the whole side.

    With `email` the link is sent there, and the answer does not have it.
    """

    role: Literal["umpire", "egyptian", "mahdist", "observer"]
    office: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    leader_ids: Annotated[tuple[UnitId, ...], Meta(max_length=100)] = ()
    region_names: Annotated[tuple[RegionName, ...], Meta(max_length=100)] = ()
    email: EmailAddress | None = None
    valid_days: Annotated[int, Meta(ge=1, le=invitations.LONGEST)] = 14

    def __post_init__(self) -> None:
        if self.email is not None:
            check_email(self.email)

    def offer(self) -> invitations.SeatOffer:
        """Return the offer for the services."""
        command: tuple[int | str, ...] = (*self.leader_ids, *self.region_names)
        return invitations.SeatOffer(
            self.role, self.office or "", command, self.email or "", self.valid_days
        )


class Invitations(OwnEndpoint):
    """The invitations to a campaign."""

    has_secrets: ClassVar[bool] = True

    @operation(Listed[InvitationDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the open invitations that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        view = fog_of_war.view_for(request.user, campaign)
        open_invitations = invitations.open_invitations(campaign).filter(role__in=may)
        return self.answer_list(
            invitation_document(campaign, invitation, view) for invitation in open_invitations
        )

    @operation(
        NewInvitationDocument,
        status=201,
        takes=NewInvitation,
        once=True,
        problems=("throttled", "unavailable"),
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Create an invitation, and send its link if an e-mail address is given.

        Otherwise the answer has the link: `page` for a browser, and its `secret`. They are shown
        only once. The e-mails are rate-limited.
        """
        campaign = selectors.campaign_for(request.user, slug)
        offer, user = NewInvitation.read(request).offer(), request.user
        if offer.email and (seconds := wait_for_letter(request, user, offer.email)):
            raise Problem("throttled", too_many(seconds), headers={"Retry-After": str(seconds)})
        invitation, secret = invitations.invite(campaign.pk, user, offer)
        view = fog_of_war.view_for(user, campaign)
        document = invitation_document(campaign, invitation, view)
        without = NewInvitationDocument(**structs.asdict(document), secret=None, page=None)
        location = document.links.self
        if offer.email:
            return WriteResult(
                201, without, location, after=lambda: _send(invitation, secret, user)
            )
        page = request.build_absolute_uri(reverse("invitation", args=[secret]))
        answer = structs.replace(without, secret=secret, page=page)
        return WriteResult(201, answer, location).keep(without)


class OneInvitation(OwnEndpoint):
    """An invitation to a campaign."""

    @operation(InvitationDocument)
    def get(self, request: Request, slug: str, id: int) -> HttpResponse:
        """Retrieve an open invitation that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        invitation = selectors.first_visible(
            invitations.open_invitations(campaign).filter(role__in=may, pk=id),
            f"There is no invitation {id} that you may revoke.",
        )
        view = fog_of_war.view_for(request.user, campaign)
        return self.answer(invitation_document(campaign, invitation, view))

    @operation(status=204, problems=("invitation-spent",))
    def delete(self, request: Request, slug: str, id: int) -> Response:
        """Revoke an invitation.

        Its link stops working.
        """
        campaign = selectors.campaign_for(request.user, slug)
        invitations.revoke(campaign.pk, request.user, id)
        return Response(status=204)


class InvitationOffer(OpenEndpoint):
    """An invitation, for anyone with its secret."""

    throttle_classes = [*OpenEndpoint.throttle_classes, InvitationThrottle]

    @operation(OfferDocument, problems=("invitation-spent",))
    def get(self, request: Request, secret: str) -> HttpResponse:
        """Retrieve the seat that an invitation offers."""
        invitation = invitations.invitation_of(secret)
        viewer = invitations.invited_viewer(invitation.role)
        view = fog_of_war.view_now(invitation.campaign, viewer)
        return self.answer(offer_document(invitation, view))

    @operation(
        SeatDocument,
        status=201,
        takes=EmptyBody,
        once=True,
        problems=("invitation-spent", "not-authenticated"),
    )
    def post(self, request: Request, secret: str) -> WriteResult:
        """Accept an invitation.

        You take the seat, and the invitation is used up.
        """
        EmptyBody.read(request)
        if not isinstance(request.user, User):
            raise Problem(
                "not-authenticated",
                "Log in first: a seat is taken by somebody.",
                headers={"WWW-Authenticate": self.get_authenticate_header(request)},
            )
        return _take_seat(secret, request.user)


def _send(invitation: Invitation, secret: str, user: User) -> None:
    """Send the link, or revoke the invitation: nobody else can know it."""
    if mail_messages.send_invitation(invitation, secret, office_of(invitation)):
        return
    invitations.revoke(invitation.campaign_id, user, invitation.pk)
    raise Problem(
        "unavailable",
        "The letter could not be sent, so nothing is offered. Send it again later, or make a link "
        "and pass it on yourself.",
        headers={"Retry-After": AGAIN},
    )


def _take_seat(secret: str, user: User) -> WriteResult:
    seat = invitations.take_seat(secret, user)
    view = fog_of_war.view_for(user, seat.campaign)
    document = seat_document(seat.campaign, seat, user, view)
    return WriteResult(201, document, document.links.self)
