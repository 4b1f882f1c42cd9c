"""Who sits where, and what an umpire or a holder does about a seat."""

from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.contract import Listed, operation
from api.documents.seats import SeatPart, seat_part
from api.endpoint import OpenEndpoint, OwnEndpoint, UmpireEndpoint
from api.inputs import Empty, Input, Reason
from api.problems import Problem
from api.repeats import Done
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Seat
from campaign.services.umpire import invitations, seat_control

ORDER = [role.value for role in Seat.Role]


class Holder(Reason):
    """Who shall sit there, by the name of the account, and why."""

    username = serializers.CharField(max_length=150)


class Account(Input):
    """Somebody who has an account here."""

    username = serializers.CharField(max_length=150)


class Seats(OpenEndpoint):
    """Every seat of a campaign."""

    @operation(Listed[SeatPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        held = campaign.seats.select_related("user").order_by("pk")
        told = sorted(held, key=lambda one: ORDER.index(one.role))
        return self.tell({"results": [_part(request, campaign, seat) for seat in told]})


class OneSeat(OpenEndpoint):
    """One seat of a campaign."""

    @operation(SeatPart)
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(_part(request, campaign, seat_of(campaign, number)))


class SeatAction(UmpireEndpoint):
    """Something an umpire does about a seat; the answer is the seat as it is then."""

    def change(self, slug: str, number: int, do: Callable[[Campaign], Any]) -> Done:
        """Do it, and tell of the seat."""
        campaign = selectors.campaign_for(self.request.user, slug)
        seat_of(campaign, number)
        do(campaign)
        return Done(200, _part(self.request, campaign, seat_of(campaign, number)))


class StaffOfSeat(SeatAction):
    """Whether the computer's staff plays the seat."""

    @operation(SeatPart, takes=Reason, once=True)
    def put(self, request: Request, slug: str, number: int) -> Done:
        """Hand the seat to the staff; whoever sits there keeps it.

        The computer sees through the fog: it plays knowing where everything stands.
        """
        why = Reason.read(request)["reason"]
        do = seat_control.hand_to_staff
        return self.change(slug, number, lambda one: do(one.pk, request.user, number, reason=why))

    @operation(SeatPart, once=True)
    def delete(self, request: Request, slug: str, number: int) -> Done:
        """Take the seat back from the staff: whoever sits there plays it again."""
        return self.change(
            slug,
            number,
            lambda one: seat_control.take_back_from_staff(one.pk, request.user, number),
        )


class HolderOfSeat(SeatAction):
    """Who sits there."""

    @operation(SeatPart, takes=Holder, once=True)
    def put(self, request: Request, slug: str, number: int) -> Done:
        """Put somebody else in a seat; what the last holder has ordered is never carried out."""
        given = Holder.read(request)
        return self.change(
            slug,
            number,
            lambda one: seat_control.replace_player(
                one.pk, request.user, number, given["username"], reason=given["reason"]
            ),
        )


class RemovalFromSeat(SeatAction):
    """Taking the seat from whoever sits there."""

    @operation(SeatPart, takes=Reason, once=True)
    def post(self, request: Request, slug: str, number: int) -> Done:
        """Empty the seat; no order of its last holder is carried out."""
        why = Reason.read(request)["reason"]
        do = seat_control.remove_player
        return self.change(slug, number, lambda one: do(one.pk, request.user, number, reason=why))


class DepartureFromSeat(OwnEndpoint):
    """Leaving one's own seat."""

    @operation(status=204, takes=Empty)
    def post(self, request: Request, slug: str, number: int) -> Response:
        """Leave your seat; orders of yours that are not carried out yet never will be."""
        campaign = selectors.campaign_for(request.user, slug)
        Empty.read(request)
        seat_of(campaign, number)
        invitations.leave(campaign.pk, request.user, number)
        return Response(status=204)


class Umpires(UmpireEndpoint):
    """The umpires beside the first."""

    @operation(SeatPart, status=201, takes=Account, once=True)
    def post(self, request: Request, slug: str) -> Done:
        """Make somebody an umpire too, with the same powers."""
        campaign = selectors.campaign_for(request.user, slug)
        name = Account.read(request)["username"]
        part = _part(request, campaign, seat_control.second_umpire(campaign.pk, request.user, name))
        return Done(201, part, part.links["self"])


def seat_of(campaign: Campaign, number: int) -> Seat:
    """The seat of that number. Problem where the campaign has none."""
    seat = campaign.seats.filter(pk=number).select_related("user").first()
    if seat is None:
        raise Problem("not-found", f"This campaign has no seat {number}.")
    return seat


def _part(request: Request, campaign: Campaign, seat: Seat) -> SeatPart:
    view = fog_of_war.view_now(campaign, fog_of_war.viewer_of(request.user, campaign))
    return seat_part(campaign, seat, request.user, view)
