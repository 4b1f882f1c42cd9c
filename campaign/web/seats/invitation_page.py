"""Invite somebody to a seat: the form, the link that is shown once, and the mail."""

from collections.abc import Iterable
from typing import NamedTuple, cast

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from battles.contract.brief import Side
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.prose.names import leader_name
from campaign.services import errors, mail_messages
from campaign.services.orders.order_status import OFFICES, office_of
from campaign.services.umpire import invitations
from campaign.web import visitor as throttles
from campaign.web.visitor import visitor

OFFERED = {
    Seat.Role.EGYPTIAN.value: OFFICES["egyptian"],
    Seat.Role.MAHDIST.value: OFFICES["mahdist"],
    Seat.Role.OBSERVER.value: OFFICES["observer"],
    Seat.Role.UMPIRE.value: "A further umpire, who sees everything",
}
"""Seats in the form's order: players' first, the most powerful last."""


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
        required=False,
        label="Commands",
        widget=forms.CheckboxSelectMultiple,
        help_text="Nothing ticked: the whole side, as its commander-in-chief.",
    )
    email = forms.EmailField(
        required=False,
        label="For whom",
        help_text="An e-mail address, to send the link to or to know the links apart. It is "
        "forgotten once the link is used, withdrawn or has run out.",
    )
    days = forms.IntegerField(min_value=1, max_value=60, initial=14, label="Valid for, in days")

    def __init__(
        self, campaign: Campaign, roles: Iterable[str], data: QueryDict | None = None
    ) -> None:
        may = set(roles)
        super().__init__(data, initial={"role": _first_vacant_role(campaign, may)})
        role, command = self.fields["role"], self.fields["command"]
        if Seat.Role.UMPIRE in may:
            role.help_text = "An umpire sees everything, fog or not, and may change everything."
        cast(forms.ChoiceField, role).choices = [
            (offered_role, title) for offered_role, title in OFFERED.items() if offered_role in may
        ]
        self.groups = groups(campaign, may)
        cast(forms.ChoiceField, command).choices = [
            choice for group in self.groups for choice in group.choices
        ]

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


def make(request: HttpRequest, campaign: Campaign, form: InviteForm) -> InvitationResult:
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


def groups(campaign: Campaign, roles: set[str]) -> list[CommandGroup]:
    """Return the commands on offer: leaders of the user's sides, and regions."""
    command_groups = []
    for side in Side:
        if side.value in roles:
            leaders = invitations.leaders_of(campaign, side)
            choices = tuple((str(leader.id), leader_name(leader.name)) for leader in leaders)
            command_groups.append(CommandGroup(f"{side.title()} leaders", side.value, choices))
    return [
        *command_groups,
        CommandGroup("Regions", "", tuple(invitations.regions(campaign).items())),
    ]


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
