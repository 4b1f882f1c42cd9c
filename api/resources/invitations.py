"""Invitations to seats: create, send, list, revoke, inspect and accept them."""

from typing import Annotated, Any, Literal

from django.contrib.auth.models import User
from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from msgspec import Meta, structs
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.seats import (
    InvitationDocument,
    NewInvitationDocument,
    OfferDocument,
    SeatDocument,
    invitation_document,
    offer_document,
    seat_document,
)
from api.http.bodies import EmailAddress, EmptyBody, RequestBody, check_email
from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.problems import Problem
from api.http.throttles import InvitationThrottle
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Invitation
from campaign.rules.core.pieces import UnitId
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.mail import invitation_mail
from campaign.services.orders.order_status import office_of
from campaign.services.umpire import invitations
from campaign.web.error_pages import AGAIN
from campaign.web.seats.invitation_page import too_many, wait_for_letter

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

    @operation(Listed[InvitationDocument])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the open invitations that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
        found = invitations.open_invitations(campaign).filter(role__in=may)
        return self.tell({"results": [invitation_document(campaign, one, view) for one in found]})

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
        made, secret = invitations.invite(campaign.pk, user, offer)
        view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(user, campaign))
        document = invitation_document(campaign, made, view)
        without = NewInvitationDocument(**structs.asdict(document), secret=None, page=None)
        here = document.links.self
        if offer.email:
            return WriteResult(201, without, here, after=lambda: _send(made, secret, user))
        page = request.build_absolute_uri(reverse("invitation", args=[secret]))
        told = structs.replace(without, secret=secret, page=page)
        return WriteResult(201, told, here).keep(without)

    def finalize_response(
        self, request: Request, response: HttpResponseBase, *args: Any, **kwargs: Any
    ) -> HttpResponseBase:
        response = super().finalize_response(request, response, *args, **kwargs)
        if request.method == "POST":
            response["Cache-Control"] = "no-store"
        return response


class OneInvitation(OwnEndpoint):
    """An invitation to a campaign."""

    @operation(InvitationDocument)
    def get(
        self,
        request: Request,
        slug: str,
        id: int,
    ) -> HttpResponse:
        """Retrieve an open invitation that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        found = invitations.open_invitations(campaign).filter(role__in=may, pk=id).first()
        if found is None:
            raise Problem("not-found", "There is no such invitation that you may revoke.")
        view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
        return self.tell(invitation_document(campaign, found, view))

    @operation(status=204, problems=("invitation-spent",))
    def delete(
        self,
        request: Request,
        slug: str,
        id: int,
    ) -> Response:
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
        found = invitations.invitation_of(secret)
        return self.tell(
            offer_document(found, fog_of_war.view_now(found.campaign, _eyes(found.role)))
        )

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
        return _taken(secret, request.user)


def _send(invitation: Invitation, secret: str, user: User) -> None:
    """Send the link, or revoke the invitation: nobody else can know it."""
    if invitation_mail.send_invitation(invitation, secret, office_of(invitation)):
        return
    invitations.revoke(invitation.campaign_id, user, invitation.pk)
    raise Problem(
        "unavailable",
        "The letter could not be sent, so nothing is offered. Send it again later, or make a link "
        "and pass it on yourself.",
        headers={"Retry-After": AGAIN},
    )


def _taken(secret: str, user: User) -> WriteResult:
    seat = invitations.take_seat(secret, user)
    campaign = Campaign.objects.get(pk=seat.campaign_id)
    view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(user, campaign))
    document = seat_document(campaign, seat, user, view)
    return WriteResult(201, document, document.links.self)


def _eyes(role: str) -> Viewer:
    """Return the viewer for the offer: the side of a player's seat, otherwise the public."""
    return Side(role) if role in invitations.SIDES else Onlooker.PUBLIC
