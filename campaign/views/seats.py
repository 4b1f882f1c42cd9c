"""Who sits where: the roster of a campaign, invitations by link, registering, taking a seat."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from campaign import fog, selectors
from campaign.models import Campaign, Invitation, Seat
from campaign.rules.board import board
from campaign.rules.english.names import leader_name
from campaign.rules.english.words import listed
from campaign.rules.map import sudan
from campaign.rules.pieces import Kind, Side
from campaign.rules.sight import Onlooker, View, Viewer
from campaign.rules.state import State
from campaign.services import errors, seats
from campaign.views.offices import OFFICES, office_of
from campaign.views.visitor import visitor
from campaign.views.walk import view_for

PASSWORDS = "django.contrib.auth.backends.ModelBackend"
CLOSED = {"northeast_fill", "abyssinia"}
"""Regions nobody can be given: they are closed to play."""


class Place(NamedTuple):
    """A seat on the roster, in words."""

    seat: Seat
    office: str
    command: str
    holder: str
    mine: bool


class Offered(NamedTuple):
    """An open invitation, in words, and whether this visitor may withdraw it."""

    invitation: Invitation
    office: str
    command: str
    revocable: bool


class Registration(UserCreationForm):
    """A name and a password, and an address for those who want to be written to."""

    email = forms.EmailField(
        required=False,
        label="E-mail",
        help_text="If you want word when it is your turn. Nobody else sees it.",
    )

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")
        labels = {"username": "Name"}
        help_texts = {"username": "Letters, figures and @ . + - _, at most 150 of them."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields[
            "password1"
        ].help_text = "At least eight characters: not figures alone, no common word, not your name."
        self.fields["password2"].help_text = "The same once more."


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
        required=False, label="For whom", help_text="An address, so that you know the links apart."
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


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def roster(request: HttpRequest, slug: str) -> HttpResponse:
    """Who sits where; whoever may invite does it here, and sees the link this once."""
    campaign = selectors.campaign_for(request.user, slug)
    view = view_for(request, campaign)
    state = view.state
    may = _may_offer(request, campaign)
    form = Invite(may, list(_posts(state, may)), request.POST or None) if may else None
    link = ""
    if form is not None and request.method == "POST" and form.is_valid():
        link = _invite(request, campaign, form)
        form = Invite(may, list(_posts(state, may))) if link else form
    context = {
        "campaign": campaign,
        "places": list(_places(request, campaign, view)),
        "offered": list(_offered(campaign, state, may)),
        "form": form,
        "link": link,
        "mine": request.user.is_authenticated,
    }
    status = 400 if form is not None and form.errors else 200
    return render(request, "campaign/seats/roster.html", context, status=status)


def _may_offer(request: HttpRequest, campaign: Campaign) -> set[str]:
    return seats.offers_of(request.user, campaign) if isinstance(request.user, User) else set()


def _invite(request: HttpRequest, campaign: Campaign, form: Invite) -> str:
    """The whole link; nothing, with the reason in the form, when it is refused."""
    try:
        _, secret = seats.invite(campaign.pk, visitor(request), form.offer())
    except errors.Refused as refused:
        form.add_error(None, str(refused))
        return ""
    return request.build_absolute_uri(reverse("invitation", args=[secret]))


def _posts(state: State, roles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What there is to command: the leaders of the sides one may invite to, and the regions."""
    sides = [side for side in Side if side.value in set(roles)]
    for unit in board(state).units:
        if unit.kind is Kind.LEADER and unit.side in sides:
            yield str(unit.id), leader_name(unit.name)
    for region, title in sudan().regions.items():
        if region not in CLOSED:
            yield region, title


def _places(request: HttpRequest, campaign: Campaign, view: View) -> Iterator[Place]:
    """The seats; under fog what the enemy's commanders command is not told."""
    held = campaign.seats.select_related("user").order_by("role", "pk")
    for seat in sorted(held, key=lambda one: list(OFFICES).index(one.role)):
        holder = seat.user.get_username() if seat.user else "nobody: vacant"
        told = not view.fogged or view.viewer == seat.role
        yield Place(
            seat,
            office_of(seat),
            command_in_words(view.state, seat.command)
            if told or not seat.command
            else "part of the side",
            "the computer’s staff" if seat.staff else holder,
            request.user.is_authenticated and seat.user_id == request.user.pk,
        )


def _offered(campaign: Campaign, state: State, may: set[str]) -> Iterator[Offered]:
    if not may:
        return
    for one in seats.open_invitations(campaign).filter(role__in=may):
        yield Offered(one, office_of(one), command_in_words(state, one.command), True)


def command_in_words(state: State, command: list[int | str]) -> str:
    """`General Graham, Kordofan`; nothing where the seat commands all there is."""
    leaders = {str(unit.id): leader_name(unit.name) for unit in board(state).units}
    known = {**sudan().regions, **leaders}
    return listed([known.get(str(one), "a leader") for one in command])


@login_required
@require_POST
def revoke(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    try:
        seats.revoke(campaign.pk, visitor(request), number)
        messages.success(request, "The invitation is withdrawn: its link opens nothing now.")
    except errors.Refused as refused:
        messages.error(request, str(refused))
    return redirect("seats", slug)


@login_required
@require_POST
def leave(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    try:
        seat = seats.leave(campaign.pk, visitor(request), number)
        messages.success(request, f"You have left your seat: {office_of(seat)}.")
    except errors.Refused as refused:
        messages.error(request, str(refused))
    still = selectors.campaigns_for(request.user).filter(pk=campaign.pk).exists()
    return redirect("seats", slug) if still else redirect("front")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sensitive_variables("secret")
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """What a link offers, and the seat for whoever takes it."""
    try:
        offered = seats.invitation_of(secret)
    except seats.NoInvitation as nothing:
        return render(request, "campaign/seats/spent.html", {"reason": nothing}, status=410)
    wrong = ""
    if request.method == "POST" and isinstance(request.user, User):
        try:
            seat = seats.take_seat(secret, request.user)
        except errors.Refused as refused:
            wrong = str(refused)
        else:
            messages.success(request, f"You have taken your seat: {office_of(seat)}.")
            return redirect("campaign", offered.campaign.slug)
    state = fog.view_now(offered.campaign, _eyes(offered.role)).state
    context = {
        "offered": offered,
        "campaign": offered.campaign,
        "office": office_of(offered),
        "command": command_in_words(state, offered.command),
        "wrong": wrong,
        "here": "invitation",
    }
    return render(request, "campaign/seats/invitation.html", context, status=409 if wrong else 200)


def _eyes(role: str) -> Viewer:
    """What whoever takes the seat may see, as far as he may know it before."""
    return Side(role) if role in seats.SIDES else Onlooker.PUBLIC


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@csrf_protect
@never_cache
def register(request: HttpRequest) -> HttpResponse:
    """A new user, logged in at once and sent on to where he came from."""
    onward = _onward(request)
    if request.user.is_authenticated:
        return redirect(onward)
    form = Registration(request.POST or None)
    if request.method == "POST" and form.is_valid():
        login(request, form.save(), backend=PASSWORDS)
        return redirect(onward)
    context = {"form": form, "next": onward, "here": "login"}
    status = 400 if form.errors else 200
    return render(request, "campaign/seats/register.html", context, status=status)


def _onward(request: HttpRequest) -> str:
    """Where he goes next: an address of this site, else the front page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    safe = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if safe else reverse("front")
