"""Inviting somebody to a seat: the form, the link that is shown once, the letter that brings it."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from django import forms
from django.contrib.auth.models import User
from django.http import HttpRequest, QueryDict
from django.urls import reverse

from campaign.models import Campaign
from campaign.rules.board import board
from campaign.rules.english.names import leader_name
from campaign.rules.map import sudan
from campaign.rules.pieces import Kind, Side
from campaign.rules.state import State
from campaign.services import errors, posting, seats
from campaign.views import throttles
from campaign.views.offices import OFFICES, office_of
from campaign.views.visitor import visitor

CLOSED = {"northeast_fill", "abyssinia"}
"""Regions nobody can be given: they are closed to play."""


class Invite(forms.Form):
    """An offer of a seat."""

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
    days = forms.IntegerField(min_value=1, max_value=60, initial=14, label="Good for, in days")

    def __init__(
        self, roles: Iterable[str], posts: list[tuple[str, str]], data: QueryDict | None = None
    ) -> None:
        super().__init__(data)
        offered = [(one, OFFICES[one]) for one in OFFICES if one in set(roles)]
        cast(forms.ChoiceField, self.fields["role"]).choices = offered
        cast(forms.ChoiceField, self.fields["command"]).choices = posts

    def offer(self) -> seats.Offer:
        given = self.cleaned_data
        command = tuple(int(one) if one.isdecimal() else one for one in given["command"])
        return seats.Offer(given["role"], given["name"], command, given["email"], given["days"])


class Made(NamedTuple):
    """What has become of the wish for an invitation: a link to show, or a letter that went out.

    Nothing at all where it was refused, with the reason in the form, and perhaps seconds to wait.
    """

    link: str = ""
    sent_to: str = ""
    undelivered: bool = False
    wait: int = 0


def make(request: HttpRequest, campaign: Campaign, form: Invite) -> Made:
    """Make the invitation the form asks for, and send its link where a letter is wanted."""
    by_mail, email = "mail" in request.POST, form.cleaned_data["email"]
    if by_mail and not email:
        form.add_error("email", "Say to which address the letter goes.")
        return Made()
    if by_mail and (seconds := wait_for_letter(request, visitor(request), email)):
        form.add_error(None, too_many(seconds))
        return Made(wait=seconds)
    try:
        invitation, secret = seats.invite(campaign.pk, visitor(request), form.offer())
    except errors.Refused as refused:
        form.add_error(None, str(refused))
        return Made()
    if by_mail and posting.send_link(invitation, secret, office_of(invitation)):
        return Made(sent_to=email)
    link = request.build_absolute_uri(reverse("invitation", args=[secret]))
    return Made(link, undelivered=by_mail)


def wait_for_letter(request: HttpRequest, user: User, email: str) -> int:
    """Seconds until this user may have another letter sent there; 0: now, and it is counted."""
    return throttles.wait(
        request,
        ("post-link", str(user.pk)),
        ("post-link-to", email.casefold()),
        ("post-link-all", throttles.EVERYBODY),
    )


def too_many(seconds: int) -> str:
    """What is said to whoever has to wait so long."""
    return (
        "Many letters have gone out already: the next may go in "
        f"{throttles.in_words(seconds)}. Make a link instead, and pass it on yourself."
    )


def posts(state: State, roles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What there is to command: the leaders of the sides one may invite to, and the regions."""
    sides = [side for side in Side if side.value in set(roles)]
    for unit in board(state).units:
        if unit.kind is Kind.LEADER and unit.side in sides:
            yield str(unit.id), leader_name(unit.name)
    for region, title in sudan().regions.items():
        if region not in CLOSED:
            yield region, title
