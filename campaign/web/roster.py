"""The roster of a campaign: seats, invitations by link, taking a seat and leaving it.

An invitation has a form, a link that is shown once, and a mail.
"""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods

from battles.access import display_name, is_guest
from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.access.saved_work import KEPT_FOR
from campaign.access.solo import leads_alone, plays_alone
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.core.board import board
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from campaign.rules.prose.names import leader_name
from campaign.rules.prose.phrases import capitalise, join_words
from campaign.rules.sight import View
from campaign.services import errors, mail_messages
from campaign.services.attendance import OFFICES, office_of
from campaign.services.umpire import invitations
from campaign.web import visitor as throttles
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

OFFERED = {
    Seat.Role.EGYPTIAN.value: OFFICES["egyptian"],
    Seat.Role.MAHDIST.value: OFFICES["mahdist"],
    Seat.Role.OBSERVER.value: OFFICES["observer"],
    Seat.Role.UMPIRE.value: "A further umpire, who sees everything",
}
"""Seats in the form's order: players' first, the most powerful last."""
SUBORDINATES = {side: f"Subordinate on the {side.title()} side" for side in Seat.SIDES}
"""The roles offered on a side that somebody commands."""


class CommandGroup(NamedTuple):
    """A group of commands on the form: a side's leaders, or the regions."""

    title: str
    side: str
    choices: tuple[tuple[str, str], ...]


class InviteForm(forms.Form):
    """The form for an invitation."""

    role = forms.ChoiceField(label="Seat")
    name = forms.CharField(
        max_length=60, required=False, label="Office", help_text="Such as Sirdar, or Governor."
    )
    command = forms.MultipleChoiceField(
        required=False, label="Commands", widget=forms.CheckboxSelectMultiple
    )
    email = forms.EmailField(
        max_length=mail_messages.LONGEST_ADDRESS,
        required=False,
        label="For whom",
        help_text="An e-mail address, to send the link to or to know the links apart. It is "
        "forgotten once the link is used, withdrawn or has run out.",
    )
    days = forms.IntegerField(min_value=1, max_value=60, initial=14, label="Valid for, in days")

    def __init__(
        self, campaign: Campaign, roles: Iterable[str], data: QueryDict | None = None
    ) -> None:
        may, held = set(roles), invitations.commands_held(campaign)
        super().__init__(data, initial={"role": _first_vacant_role(campaign, may)})
        self._led = {side for side in Seat.SIDES if invitations.WHOLE_SIDE in held[side]}
        role, command = self.fields["role"], self.fields["command"]
        if Seat.Role.UMPIRE in may:
            role.help_text = "An umpire sees everything, fog or not, and may change everything."
        cast(forms.ChoiceField, role).choices = [
            (offered_role, SUBORDINATES[offered_role] if offered_role in self._led else title)
            for offered_role, title in OFFERED.items()
            if offered_role in may
        ]
        self.groups = command_groups(campaign, may, held)
        command.help_text = (
            "Tick what the newcomer commands under the commander-in-chief."
            if may & set(Seat.SIDES) <= self._led
            else "Nothing ticked: the whole side, as its commander-in-chief."
        )
        cast(forms.ChoiceField, command).choices = [
            choice for group in self.groups for choice in group.choices
        ]

    def clean(self) -> dict[str, Any]:
        """Refuse a side that somebody commands already without a part of it."""
        data = super().clean() or {}
        if data.get("role") in self._led and not data.get("command") and not self.errors:
            self.add_error("command", "The side has its commander-in-chief. Tick a part of it.")
        return data

    @property
    def ticked(self) -> list[str]:
        """Return the ticked commands of a submitted form."""
        return list(self["command"].value() or ())

    def offer(self) -> invitations.SeatOffer:
        data = self.cleaned_data
        command = tuple(int(item) if item.isdecimal() else item for item in data["command"])
        return invitations.SeatOffer(
            data["role"], data["name"], command, data["email"], data["days"]
        )


class InvitationResult(NamedTuple):
    """The result of the form: a link to show, or the address of a mail.

    Empty if it was refused; the form has the error, and `wait` the seconds of a rate limit.
    """

    invitation: Invitation | None = None
    link: str = ""
    sent_to: str = ""
    undelivered: bool = False
    wait: int = 0


def make_invitation(request: HttpRequest, campaign: Campaign, form: InviteForm) -> InvitationResult:
    """Make the invitation, and mail its link if asked."""
    by_mail, email = "mail" in request.POST, form.cleaned_data["email"]
    if by_mail and not email:
        form.add_error("email", "Enter the address for the e-mail.")
        return InvitationResult()
    if by_mail and (seconds := wait_for_letter(request, visitor(request), email)):
        form.add_error(None, too_many(seconds))
        return InvitationResult(wait=seconds)
    try:
        invitation, secret = invitations.invite(campaign.pk, visitor(request), form.offer())
    except errors.Refused as refused:
        form.add_error(None, str(refused))
        return InvitationResult()
    if by_mail and mail_messages.send_invitation(invitation, secret, office_of(invitation)):
        return InvitationResult(invitation, sent_to=email)
    link = request.build_absolute_uri(reverse("invitation", args=[secret]))
    return InvitationResult(invitation, link, undelivered=by_mail)


def wait_for_letter(request: HttpRequest, user: User, email: str) -> int:
    """Return the seconds until this user may mail this address; 0 counts one mail."""
    return throttles.seconds_to_wait(
        request,
        ("post-link", str(user.pk)),
        ("post-link-to", email.casefold()),
        ("post-link-all", throttles.EVERYBODY),
    )


def too_many(seconds: int) -> str:
    """Return the message about a wait of so many seconds."""
    return (
        "Many e-mails have gone out already: the next may go in "
        f"{throttles.duration_text(seconds)}. Make a link instead, and pass it on yourself."
    )


def command_groups(
    campaign: Campaign, roles: set[str], held: Mapping[str, Container[int | str]]
) -> list[CommandGroup]:
    """Return the commands on offer: the leaders of the user's sides, if any, and regions.

    What people of a side command already is not offered on it again.
    """
    sides = [side for side in Side if side.value in roles]
    command_groups = []
    for side in sides:
        leaders = [
            leader
            for leader in invitations.leaders_of(campaign, side)
            if leader.id not in held[side.value]
        ]
        choices = tuple((str(leader.id), leader_name(leader.name)) for leader in leaders)
        command_groups.append(CommandGroup(f"{side.title()} leaders", side.value, choices))
    regions = tuple(
        (region, title)
        for region, title in invitations.regions(campaign).items()
        if any(region not in held[side.value] for side in sides)
    )
    command_groups.append(CommandGroup("Regions", "", regions))
    return [group for group in command_groups if group.choices]


def _first_vacant_role(campaign: Campaign, roles: set[str]) -> str:
    """Return the first vacant seat of a commander-in-chief, else an observer's.

    A seat that an open link offers already counts as taken.
    """
    seats = campaign.seats.filter(command=[]).exclude(user=None, staff=False)
    offered = invitations.open_invitations(campaign).filter(command=[])
    taken_roles = {
        role for rows in (seats, offered) for role in rows.values_list("role", flat=True)
    }
    vacant = [side for side in Seat.SIDES if side in roles - taken_roles]
    return next(
        (role for role in (*vacant, Seat.Role.OBSERVER.value, *OFFERED) if role in roles), ""
    )


class RosterSeat(NamedTuple):
    """A seat of the roster, in words."""

    seat: Seat
    office: str
    command: str
    holder: str
    is_own: bool
    farewell: str
    """Tells its holder what leaving the seat means."""


@dataclass(frozen=True)
class OpenInvitation:
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
@sent_once
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the roster; make an invitation on POST, and show its link this once."""
    if request.method == "POST" and not request.user.is_authenticated:
        return redirect_to_login(request.path)
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
        result = make_invitation(request, campaign, form)
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
        "alone": plays_alone(user, campaign),
        "leads_alone": leads_alone(user, campaign),
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
            _farewell(campaign, seat),
        )


def _farewell(campaign: Campaign, seat: Seat) -> str:
    """Return what leaving the seat means.

    An umpire gives it back, and a subordinate's also the commander-in-chief.
    """
    givers = ["an umpire"] if campaign.umpire_id is not None else []
    givers += ["a commander-in-chief"] if seat.command else []
    giver = f"only {' or '.join(givers)}" if givers else "nobody"
    if seat.role in Seat.SIDES:
        return f"Its orders are withdrawn, and {giver} gives it back to you."
    return f"{capitalise(giver)} gives it back to you."


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
    except errors.Refused as refused:
        messages.error(request, str(refused))
        return redirect("seats", slug)
    left = f"You have left your seat: {office_of(seat)}."
    if Campaign.objects.filter(pk=campaign.pk).exists():
        messages.success(request, left)
    elif is_guest(request.user):
        messages.success(request, f"{left} {campaign.title} is deleted.")
    else:
        days = KEPT_FOR.days
        where = f"For {days} days you can restore it on this page."
        messages.success(request, f"{left} {campaign.title} is deleted. {where}")
        return redirect("import")
    still = selectors.campaigns_for(request.user).filter(pk=campaign.pk).exists()
    return redirect("seats", slug) if still else redirect("front")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
@sent_once
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
