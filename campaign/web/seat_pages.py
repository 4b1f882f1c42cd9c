"""The pages of a seat: its handover brief, e-mail preferences, and deadlines as a calendar file.

The brief gives a side's position to a player who takes over a seat.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Deadline, Mailing, Seat
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from campaign.rules.prose.names import describe_hex, describe_stack
from campaign.rules.prose.phase_report import NEWS
from campaign.rules.prose.situation import describe_marker, situation
from campaign.rules.stacks import countable_units
from campaign.services import mail, mail_messages
from campaign.services.attendance import name_of
from campaign.web.console.console import clockface
from campaign.web.map.campaign_page import CampaignPage
from campaign.web.visitor import visitor

MOST_NEWS = 12


class BriefStack(NamedTuple):
    """A stack: its place, units and condition."""

    hex: HexId
    place: str
    units: str
    disrupted: int
    size: int
    besieged: bool


@require_safe
@never_cache
def brief(request: HttpRequest, slug: str, role: str) -> HttpResponse:
    """Show the brief of a side to its players and the umpire."""
    campaign = selectors.campaign_for(request.user, slug)
    side = _side(request, campaign, role)
    view = fog_of_war.view_now(campaign, side)
    chart = CampaignPage(campaign, Month(campaign.month), side)
    before = max(campaign.first_month - 1, campaign.month - 1)
    context = {
        "campaign": campaign,
        "chart": chart,
        "side": side,
        "seats": [(name_of(seat), seat) for seat in campaign.seats.filter(role=side)],
        "standing": situation(view.state, view.counted),
        "asked": fog_of_war.waiting_for(campaign, side),
        "posts": list(posts(view.state, side)),
        "enemy": list(posts(view.state, side.enemy)),
        "reports": [
            describe_marker(sighting, view.state.month)
            for sighting in (*view.sightings, *view.markers)
        ],
        "before": month_name(Month(before)) if before >= campaign.first_month else "the set-up",
        "news": list(news(campaign, before, side)),
        "clock": clockface(campaign),
        "left": left_a_sheet(campaign, side),
    }
    return render(request, "campaign/seats/handover_brief.html", context)


def _side(request: HttpRequest, campaign: Campaign, role: str) -> Side:
    """Return the side if the user may have its brief. Raises Http404."""
    roles = selectors.role_of(request.user, campaign)
    if role not in Seat.SIDES or not roles & {role, Seat.Role.UMPIRE.value}:
        raise Http404("There is no such brief that you may see.")
    return Side(role)


def left_a_sheet(campaign: Campaign, side: Side) -> bool:
    """Return whether a former holder left a sheet for this month."""
    of_side = campaign.sheets.filter(seat__role=side.value, withdrawn=True)
    return of_side.filter(branch=campaign.branch, month=campaign.month).exists()


def posts(state: State, side: Side) -> Iterator[BriefStack]:
    position = board(state)
    for hex_id in position.hexes(side):
        units = position.stack(side, hex_id)
        yield BriefStack(
            hex_id,
            describe_hex(hex_id),
            describe_stack(units),
            sum(unit.disrupted for unit in units),
            len(countable_units(units)),
            position.besieged(side, hex_id),
        )


def news(campaign: Campaign, month: int, side: Side) -> Iterator[str]:
    """Yield the important news of the month before, as the side knows it."""
    sentences = (
        sentence
        for despatch in fog_of_war.despatches(campaign, month, side)
        for sentence in despatch.sentences
        if sentence.weight >= NEWS
    )
    for _, sentence in zip(range(MOST_NEWS), sentences, strict=False):
        yield sentence.text


# Choose which mails to receive, by the link in each mail, without logging in.


WORDS = {
    mail.TURN: "when it is my turn, with the receipts for my orders",
    mail.DEADLINE: "when a deadline nears",
    mail.GAZETTE: "when a month is out, with its paper",
}
ONE_CLICK = "List-Unsubscribe"
"""The field that mail programs send to unsubscribe with one click (RFC 8058)."""


@require_safe
@login_required
def own_mail(request: HttpRequest) -> HttpResponse:
    """Redirect to the user's own preferences."""
    return redirect("mail", mail_messages.mailing_of(visitor(request)).token)


@csrf_exempt  # the token in the address is what proves that the reader of the letter sends it
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def choice(request: HttpRequest, token: str) -> HttpResponse:
    """Show and store the preferences; one click in a mail program ends all mails."""
    mailing = Mailing.objects.select_related("user").filter(token=token).first()
    if mailing is None:
        raise Http404("This link is not known here, or is incomplete.")
    if request.method != "POST":
        kinds = [(kind, words, getattr(mailing, kind)) for kind, words in WORDS.items()]
        shown = {"mailing": mailing, "kinds": kinds}
        return render(request, "campaign/seats/mail_preferences.html", shown)
    for kind in mail.KINDS:
        setattr(mailing, kind, kind in request.POST and ONE_CLICK not in request.POST)
    mailing.save(update_fields=mail.KINDS)
    messages.success(request, "Your choice is saved.")
    return redirect("mail", token)


# The deadlines of a user's campaigns as a calendar (iCalendar, RFC 5545).
#
# A calendar program reads the address without logging in. Its token is made from the user's
# password hash, so that a new password also closes the old address.


SALT = "sirdar.calendar"
NO_CALENDAR = "There is no such calendar. Take the address again from the page of your deadlines."
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n", "\r": ""})


@login_required
@require_safe
@never_cache
def calendar(request: HttpRequest) -> HttpResponse:
    """Show the user's deadlines, and the address of their calendar."""
    user = visitor(request)
    link = request.build_absolute_uri(reverse("calendar-feed", args=[token_of(user)]))
    context = {"here": "front", "link": link, "deadlines": list(deadlines_of(user))}
    return render(request, "campaign/seats/calendar.html", context)


@require_safe
@never_cache
def calendar_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Return the calendar of the user whose token it is."""
    number, _, _ = token.partition("-")
    is_number = number.isascii() and number.isdigit() and len(number) < 19
    user = User.objects.filter(pk=number, is_active=True).first() if is_number else None
    if user is None or not constant_time_compare(token, token_of(user)):
        raise Http404(NO_CALENDAR)
    lines = [
        *("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sirdar//Deadlines//EN"),
        *("METHOD:PUBLISH", "X-WR-CALNAME:Sirdar"),
        *(line for deadline in deadlines_of(user) for line in _event(request, deadline)),
        "END:VCALENDAR",
    ]
    text = "".join(f"{folded}\r\n" for line in lines for folded in _fold(line))
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


def token_of(user: User) -> str:
    """Return the token of the user's calendar."""
    return f"{user.pk}-{salted_hmac(SALT, f'{user.pk} {user.password}').hexdigest()}"


def deadlines_of(user: User) -> Iterator[Deadline]:
    """Yield the open deadlines of the campaigns that the user umpires or plays, the next first."""
    roles = [Seat.Role.UMPIRE, *Seat.SIDES]
    seats = Seat.objects.filter(user=user, role__in=roles, staff=False)
    campaigns = Campaign.objects.filter(pk__in=seats.values("campaign"), finished=False)
    deadlines = Deadline.objects.filter(campaign__in=campaigns, done=None, paused=None)
    for deadline in deadlines.select_related("campaign").order_by("due"):
        if (deadline.branch, deadline.month) == (deadline.campaign.branch, deadline.campaign.month):
            yield deadline


def _event(request: HttpRequest, deadline: Deadline) -> Iterator[str]:
    campaign = deadline.campaign
    month = month_name(Month(deadline.month))
    page = request.build_absolute_uri(reverse("campaign", args=[campaign.slug]))
    yield "BEGIN:VEVENT"
    yield f"UID:{campaign.slug}-{deadline.branch}-{deadline.month}@{request.get_host()}"
    yield f"DTSTAMP:{_moment(timezone.now())}"
    yield f"DTSTART:{_moment(deadline.due)}"
    yield f"SUMMARY:{f'{campaign.title}: orders for {month} are due'.translate(_ESCAPED)}"
    yield f"URL:{page}"
    yield "END:VEVENT"


def _moment(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _fold(line: str) -> Iterator[str]:
    """Yield the line in parts of at most 75 bytes, the later ones with a space before them."""
    part = ""
    for character in line:
        if len((part + character).encode()) > 75:
            yield part
            part = " "
        part += character
    yield part
