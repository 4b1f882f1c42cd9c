"""Seats, their holders and the umpire's powers over them."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.documents.scalars import Moment, RoleName
from api.http.endpoint import Listed, OpenEndpoint, OwnEndpoint, UmpireEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.inputs import Empty, Input, ReasonInput
from api.http.problems import Problem
from campaign.access import fog_of_war, selectors
from campaign.access.selectors import Anybody
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.sight import View
from campaign.services.orders.order_status import office_of
from campaign.services.umpire import invitations, seat_control
from campaign.web.seats.roster import command_in_words


class SeatPart(msgspec.Struct, frozen=True):
    """A seat: its holder (null: nobody) and its command (empty: the whole side).

    `office` is its title; with `staff`, the computer's staff plays it and sees through the fog.
    `command` has leaders, by the numbers of their units, and regions, by name; `commands` says the
    same in words. Under fog the enemy's commands are hidden: `command` is null.
    """

    number: int
    role: RoleName
    office: str
    holder: str | None
    staff: bool
    vacated: Moment | None
    command: tuple[int | str, ...] | None
    commands: str
    yours: bool
    links: dict[str, str]


class InvitationPart(msgspec.Struct, frozen=True):
    """An open invitation; its link is shown only when it is created."""

    number: int
    role: RoleName
    office: str
    command: tuple[int | str, ...]
    commands: str
    email: str
    expires: Moment
    links: dict[str, str]


class NewInvitation(msgspec.Struct, frozen=True):
    """A new invitation; `secret` and `page` are shown only in this answer."""

    number: int
    secret: str
    page: str
    expires: Moment
    links: dict[str, str]


class OfferDocument(msgspec.Struct, frozen=True):
    """The seat that an invitation offers."""

    campaign: str
    title: str
    role: RoleName
    office: str
    command: tuple[int | str, ...]
    commands: str
    expires: Moment


def seat_part(campaign: Campaign, seat: Seat, user: Anybody, view: View) -> SeatPart:
    """Return the seat as the view's owner may know it."""
    told = not view.fogged or view.viewer == seat.role or not seat.command
    words = command_in_words(view.state, seat.command) if told else "part of the side"
    return SeatPart(
        number=seat.pk,
        role=seat.role,
        office=office_of(seat),
        holder=seat.user.get_username() if seat.user else None,
        staff=seat.staff,
        vacated=seat.vacated,
        command=tuple(seat.command) if told else None,
        commands=words,
        yours=user.is_authenticated and seat.user_id == user.pk,
        links={
            "self": reverse("api:seat", args=[campaign.slug, seat.pk]),
            "campaign": reverse("api:campaign", args=[campaign.slug]),
        },
    )


def invitation_part(campaign: Campaign, one: Invitation, view: View) -> InvitationPart:
    return InvitationPart(
        number=one.pk,
        role=one.role,
        office=office_of(one),
        command=tuple(one.command),
        commands=command_in_words(view.state, one.command),
        email=one.email,
        expires=one.expires,
        links={"self": reverse("api:campaign-invitation", args=[campaign.slug, one.pk])},
    )


def offer_document(one: Invitation, view: View) -> OfferDocument:
    return OfferDocument(
        campaign=one.campaign.slug,
        title=one.campaign.title,
        role=one.role,
        office=office_of(one),
        command=tuple(one.command),
        commands=command_in_words(view.state, one.command),
        expires=one.expires,
    )


ORDER = [role.value for role in Seat.Role]


class Holder(ReasonInput):
    """The username of the new holder, and the reason."""

    username = serializers.CharField(max_length=150)


class AccountInput(Input):
    """The username of an existing account."""

    username = serializers.CharField(max_length=150)


class Seats(OpenEndpoint):
    """The seats of a campaign."""

    @operation(Listed[SeatPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the seats of a campaign."""
        campaign = selectors.campaign_for(request.user, slug)
        held = campaign.seats.select_related("user").order_by("pk")
        told = sorted(held, key=lambda one: ORDER.index(one.role))
        return self.tell({"results": [_part(request, campaign, seat) for seat in told]})


class OneSeat(OpenEndpoint):
    """A seat of a campaign."""

    @operation(SeatPart)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Retrieve a seat."""
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(_part(request, campaign, seat_of(campaign, number)))


class SeatAction(UmpireEndpoint):
    """An umpire's action on a seat; the answer is the seat afterwards."""

    def change(self, slug: str, number: int, do: Callable[[Campaign], Any]) -> WriteResult:
        """Apply `do` to the campaign and return the seat."""
        campaign = selectors.campaign_for(self.request.user, slug)
        seat_of(campaign, number)
        do(campaign)
        return WriteResult(200, _part(self.request, campaign, seat_of(campaign, number)))


class StaffOfSeat(SeatAction):
    """The staff's control of a seat."""

    @operation(SeatPart, takes=ReasonInput, once=True)
    def put(self, request: Request, slug: str, number: int) -> WriteResult:
        """Hand the seat to the staff (umpire).

        Its holder keeps it. The computer sees through the fog: its staff knows every position.
        """
        why = ReasonInput.read(request)["reason"]
        do = seat_control.hand_to_staff
        return self.change(slug, number, lambda one: do(one.pk, request.user, number, reason=why))

    @operation(SeatPart, once=True)
    def delete(self, request: Request, slug: str, number: int) -> WriteResult:
        """Take the seat back from the staff (umpire).

        Its holder plays it again.
        """
        return self.change(
            slug,
            number,
            lambda one: seat_control.take_back_from_staff(one.pk, request.user, number),
        )


class HolderOfSeat(SeatAction):
    """The holder of a seat."""

    @operation(SeatPart, takes=Holder, once=True)
    def put(self, request: Request, slug: str, number: int) -> WriteResult:
        """Replace the holder of a seat (umpire).

        Orders of the last holder are never carried out.
        """
        given = Holder.read(request)
        return self.change(
            slug,
            number,
            lambda one: seat_control.replace_player(
                one.pk, request.user, number, given["username"], reason=given["reason"]
            ),
        )


class RemovalFromSeat(SeatAction):
    """The removal of a seat's holder."""

    @operation(SeatPart, takes=ReasonInput, once=True)
    def post(self, request: Request, slug: str, number: int) -> WriteResult:
        """Remove the holder of a seat (umpire).

        None of their orders is carried out.
        """
        why = ReasonInput.read(request)["reason"]
        do = seat_control.remove_player
        return self.change(slug, number, lambda one: do(one.pk, request.user, number, reason=why))


class DepartureFromSeat(OwnEndpoint):
    """Your departure from a seat."""

    @operation(status=204, takes=Empty)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Leave your seat.

        Your orders that are not carried out yet never will be.
        """
        campaign = selectors.campaign_for(request.user, slug)
        Empty.read(request)
        seat_of(campaign, number)
        invitations.leave(campaign.pk, request.user, number)
        return Response(status=204)


class Umpires(UmpireEndpoint):
    """Further umpires."""

    @operation(SeatPart, status=201, takes=AccountInput, once=True)
    def post(self, request: Request, slug: str) -> WriteResult:
        """Add an umpire, with the same powers as yours (umpire)."""
        campaign = selectors.campaign_for(request.user, slug)
        name = AccountInput.read(request)["username"]
        part = _part(request, campaign, seat_control.second_umpire(campaign.pk, request.user, name))
        return WriteResult(201, part, part.links["self"])


def seat_of(campaign: Campaign, number: int) -> Seat:
    """Return the seat of that number. Problem if the campaign has none."""
    seat = campaign.seats.filter(pk=number).select_related("user").first()
    if seat is None:
        raise Problem("not-found", f"This campaign has no seat {number}.")
    return seat


def _part(request: Request, campaign: Campaign, seat: Seat) -> SeatPart:
    view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
    return seat_part(campaign, seat, request.user, view)
