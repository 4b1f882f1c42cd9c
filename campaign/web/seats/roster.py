"""The roster of a campaign: seats, invitations by link, taking a seat and leaving it."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from battles.access import display_name
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.core.board import board
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from campaign.rules.prose.names import leader_name
from campaign.rules.prose.phrases import join_words
from campaign.rules.sight import View
from campaign.services import errors
from campaign.services.orders.order_status import OFFICES, office_of
from campaign.services.umpire import invitations
from campaign.web.seats.invitation_page import InvitationResult, InviteForm, make
from campaign.web.visitor import visitor
from ops.http_policy import posts_to


class RosterSeat(NamedTuple):
    """A seat of the roster, in words."""

    seat: Seat
    office: str
    command: str
    holder: str
    is_own: bool


class OpenInvitation(NamedTuple):
    """An open invitation, in words."""

    invitation: Invitation
    office: str
    command: str

    @property
    def side(self) -> str:
        """Return the side of the seat; empty for umpires and observers."""
        return self.invitation.role if self.invitation.role in Seat.SIDES else ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the roster; make an invitation on POST, and show its link this once."""
    campaign = selectors.campaign_for(request.user, slug)
    view = fog_of_war.view_for(request.user, campaign)
    state = view.state
    user = request.user
    may = invitations.offers_of(user, campaign) if isinstance(user, User) else set()
    if request.method == "POST" and not may:
        raise PermissionDenied("You have no seat here to which you may invite somebody.")
    form = InviteForm(campaign, may, request.POST or None) if may else None
    offered = invitations.open_invitations(campaign).filter(role__in=may)
    result = InvitationResult()
    if form is not None and request.method == "POST" and form.is_valid():
        result = make(request, campaign, form)
        form = InviteForm(campaign, may) if result.invitation else form
    context = {
        "campaign": campaign,
        "places": list(_places(request, campaign, view)),
        "offered": [_offer(invitation, state) for invitation in offered],
        "form": form,
        "made": _offer(result.invitation, state) if result.invitation else None,
        "rivals": result.invitation is not None and invitations.rivals(result.invitation),
        "link": result.link,
        "sent_to": result.sent_to,
        "undelivered": result.undelivered,
        "mine": user.is_authenticated,
    }
    status = 429 if result.wait else 400 if form is not None and form.errors else 200
    response = render(request, "campaign/seats/roster.html", context, status=status)
    if result.wait:
        response["Retry-After"] = str(result.wait)
    return response


def _places(request: HttpRequest, campaign: Campaign, view: View) -> Iterator[RosterSeat]:
    """Yield the seats; under the fog without the commands of the enemy's seats."""
    seats = campaign.seats.select_related("user").order_by("role", "pk")
    for seat in sorted(seats, key=lambda seat: list(OFFICES).index(seat.role)):
        holder = display_name(seat.user) if seat.user else "nobody: vacant"
        is_known = not view.fogged or view.viewer == seat.role
        yield RosterSeat(
            seat,
            office_of(seat),
            command_in_words(view.state, seat.command)
            if is_known or not seat.command
            else "part of the side",
            "the computer’s staff" if seat.staff else holder,
            request.user.is_authenticated and seat.user_id == request.user.pk,
        )


def _offer(invitation: Invitation, state: State) -> OpenInvitation:
    return OpenInvitation(
        invitation, office_of(invitation), command_in_words(state, invitation.command)
    )


def command_in_words(state: State, command: list[int | str]) -> str:
    """Return a command, `General Graham, Kordofan`; empty for the whole side."""
    leaders = {str(unit.id): leader_name(unit.name) for unit in board(state).units}
    titles = {**sudan().regions, **leaders}
    return join_words([titles.get(str(item), "a leader") for item in command])


@login_required
@posts_to("seats", "slug")
def revoke(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    try:
        invitations.revoke(campaign.pk, visitor(request), number)
        messages.success(request, "The invitation is withdrawn: its link no longer works.")
    except errors.Refused as refused:
        messages.error(request, str(refused))
    return redirect("seats", slug)


@login_required
@posts_to("seats", "slug")
def leave(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    try:
        seat = invitations.leave(campaign.pk, visitor(request), number)
        messages.success(request, f"You have left your seat: {office_of(seat)}.")
    except errors.Refused as refused:
        messages.error(request, str(refused))
    still = selectors.campaigns_for(request.user).filter(pk=campaign.pk).exists()
    return redirect("seats", slug) if still else redirect("front")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the seat that a link offers, and take it on POST."""
    try:
        offered = invitations.invitation_of(secret)
    except invitations.InvitationSpent as nothing:
        return render(request, "campaign/seats/spent.html", {"reason": nothing}, status=410)
    wrong = ""
    if request.method == "POST" and isinstance(request.user, User):
        try:
            seat = invitations.take_seat(secret, request.user)
        except errors.Refused as refused:
            wrong = str(refused)
        else:
            messages.success(request, f"You have taken your seat: {office_of(seat)}.")
            return redirect("campaign", offered.campaign.slug)
    state = fog_of_war.view_now(offered.campaign, invitations.invited_viewer(offered.role)).state
    context = {
        "offered": offered,
        "campaign": offered.campaign,
        "office": office_of(offered),
        "command": command_in_words(state, offered.command),
        "wrong": wrong,
        "here": "invitation",
    }
    return render(request, "campaign/seats/invitation.html", context, status=409 if wrong else 200)
