"""Invitations to seats: create, send, list, revoke, inspect and accept them."""

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, StructField, WholeNumber
from api.http.problems import Problem
from api.http.throttles import InvitationThrottle
from api.resources.seats import (
    InvitationPart,
    NewInvitation,
    OfferDocument,
    SeatPart,
    invitation_part,
    offer_document,
    seat_part,
)
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.sight import Onlooker, Viewer
from campaign.services.mail import invitation_mail
from campaign.services.orders.order_status import office_of
from campaign.services.umpire import invitations
from campaign.web.error_pages import AGAIN
from campaign.web.seats.invitation_page import too_many, wait_for_letter


class NewOffer(Input):
    """The seat to offer; without `command`, a player commands the whole side.

    `command` has leaders of the side, by their units' numbers, and regions, by name.
    """

    role = serializers.ChoiceField(Seat.Role.values)
    name = serializers.CharField(max_length=60, default="", allow_blank=True)
    command = StructField(tuple[int | str, ...], default=())
    email = serializers.EmailField(default="", allow_blank=True)
    days = WholeNumber(min_value=1, max_value=invitations.LONGEST, default=14)


class NewLetter(NewOffer):
    """A seat to offer by e-mail."""

    email = serializers.EmailField()


class Invitations(OwnEndpoint):
    """The invitations to a campaign."""

    @operation(Listed[InvitationPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the open invitations that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
        found = invitations.open_invitations(campaign).filter(role__in=may)
        return self.tell({"results": [invitation_part(campaign, one, view) for one in found]})

    @operation(NewInvitation, status=201, takes=NewOffer)
    def post(self, request: Request, slug: str) -> Response:
        """Create an invitation.

        Its secret is shown only in this answer.
        """
        campaign = selectors.campaign_for(request.user, slug)
        offer = invitations.SeatOffer(**NewOffer.read(request))
        made, secret = invitations.invite(campaign.pk, request.user, offer)
        here = reverse("api:campaign-invitation", args=[slug, made.pk])
        page = request.build_absolute_uri(reverse("invitation", args=[secret]))
        links = {"self": here, "offer": reverse("api:invitation", args=[secret])}
        told = NewInvitation(made.pk, secret, page, made.expires, links)
        return Response(told, status=201, headers={"Location": here, "Cache-Control": "no-store"})


class InvitationLetters(OwnEndpoint):
    """Invitations by e-mail."""

    @operation(
        InvitationPart,
        status=201,
        takes=NewLetter,
        once=True,
        problems=("throttled", "unavailable"),
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Create an invitation and send its link by e-mail.

        The answer does not have the link. The e-mails are rate-limited.
        """
        campaign = selectors.campaign_for(request.user, slug)
        offer = invitations.SeatOffer(**NewLetter.read(request))
        user = request.user
        if seconds := wait_for_letter(request, user, offer.email):
            raise Problem("throttled", too_many(seconds), headers={"Retry-After": str(seconds)})
        made, secret = invitations.invite(campaign.pk, user, offer)
        part = invitation_part(
            campaign, made, fog_of_war.view_now(campaign, fog_of_war.viewer_of(user, campaign))
        )
        return WriteResult(201, part, part.links["self"], after=lambda: _send(made, secret, user))


class OneInvitation(OwnEndpoint):
    """An invitation to a campaign."""

    @operation(InvitationPart)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Retrieve an invitation that you may revoke."""
        campaign = selectors.campaign_for(request.user, slug)
        may = invitations.offers_of(request.user, campaign)
        found = invitations.open_invitations(campaign).filter(role__in=may, pk=number).first()
        if found is None:
            raise Problem("not-found", "There is no such invitation that you may withdraw.")
        view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
        return self.tell(invitation_part(campaign, found, view))

    @operation(status=204, problems=("invitation-spent",))
    def delete(self, request: Request, slug: str, number: int) -> Response:
        """Revoke an invitation.

        Its link stops working.
        """
        campaign = selectors.campaign_for(request.user, slug)
        invitations.revoke(campaign.pk, request.user, number)
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
        SeatPart,
        status=201,
        takes=Empty,
        once=True,
        problems=("invitation-spent", "not-authenticated"),
    )
    def post(self, request: Request, secret: str) -> WriteResult:
        """Accept an invitation.

        You take the seat, and the invitation is used up.
        """
        Empty.read(request)
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
    part = seat_part(campaign, seat, user, view)
    return WriteResult(201, part, part.links["self"])


def _eyes(role: str) -> Viewer:
    """Return the viewer for the offer: the side of a player's seat, otherwise the public."""
    return Side(role) if role in invitations.SIDES else Onlooker.PUBLIC
