"""Reminders for a seat: e-mail preferences, and deadlines as a calendar file."""

from collections.abc import Iterator
from datetime import UTC, datetime

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

from campaign.models import Campaign, Deadline, Mailing, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.services import mail, mail_messages
from campaign.web.visitor import visitor

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
