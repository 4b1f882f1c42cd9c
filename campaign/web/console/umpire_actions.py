"""Carry out the umpire's actions from the console: advance the campaign, seats, rules."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.messages.storage.base import BaseStorage
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.contract.brief import Side
from battles.core.game import IllegalAction
from campaign.access import fog_of_war, permissions, selectors
from campaign.models import Campaign, Job, Seat
from campaign.rules import umpire_rulings as ruling_events
from campaign.rules.core.actions import Ruled
from campaign.rules.core.state import RULES
from campaign.rules.prose.phrases import capitalise
from campaign.services import errors
from campaign.services.attendance import holder_name, name_of
from campaign.services.errors import UnfitRequest
from campaign.services.turns import advance_jobs, deadlines, timetable
from campaign.services.umpire import rules_version as played
from campaign.services.umpire import rulings, seat_control
from campaign.staff.levels import TEXTS, Level
from campaign.web.console.console import campaign_of, show
from campaign.web.console.umpire_forms import (
    AccountForm,
    DeadlinesForm,
    EndingForm,
    ExtensionForm,
    FacesForm,
)
from campaign.web.visitor import visitor
from ops.http_policy import posts_to
from ops.sent_once import sent_once

# Advance the campaign, and show the progress of the job.


@posts_to("campaign", "slug")
@sent_once
def advance_months(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, slug)
    user = request.user
    if "stop" in request.POST:
        return _stop(request, campaign)
    may = permissions.may_advance(user, campaign) or permissions.may_restart(user, campaign)
    if not isinstance(user, User) or not may:
        raise PermissionDenied("Only the umpire of this campaign may advance it.")
    try:
        job = _ask(request, campaign, user)
    except journal.Refused as refused:
        messages.error(request, str(refused))
        return _go(request, reverse("campaign", args=[slug]))
    if "HX-Request" in request.headers:
        return _progress(request, job)
    return redirect("job", slug, job.uuid)


def _stop(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Stop the month that is being played."""
    job = selectors.job_under_way(campaign)
    try:
        if job is not None:
            advance_jobs.stop_job(request.user, job)
            messages.success(request, "The month is stopped. What was played is kept.")
    except errors.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    return redirect("campaign", campaign.slug)


def _ask(request: HttpRequest, campaign: Campaign, user: User) -> Job:
    months = _whole(request.POST.get("months", "1"), "Advance by whole months.")
    unseen = "The form does not say which month you saw: load the page again."
    month = _whole(request.POST.get("month", ""), unseen)
    return advance_jobs.request_advance(campaign.pk, user, months=months, expected_month=month)


@require_safe
@never_cache
def progress(request: HttpRequest, slug: str, number: UUID) -> HttpResponse:
    job = selectors.job_for(request.user, number)
    if job.campaign.slug != slug:
        raise selectors.NotVisible("This campaign has no such job.")
    return _progress(request, job)


def _progress(request: HttpRequest, job: Job) -> HttpResponse:
    """Return the fragment while the page polls; afterwards redirect to the page that asked."""
    on_console = "console" in request.GET
    if job.status in Job.UNFINISHED:
        name = "_job.html" if "HX-Request" in request.headers else "console/job.html"
        context = {"job": job, "campaign": job.campaign, "on_console": on_console}
        return render(request, f"campaign/{name}", context)
    level = messages.SUCCESS if job.status == Job.Status.SUCCEEDED else messages.ERROR
    _add_message_once(
        request,
        level,
        fog_of_war.job_message(job, fog_of_war.viewer_of(request.user, job.campaign)),
    )
    return _go(request, reverse("console" if on_console else "campaign", args=[job.campaign.slug]))


def _add_message_once(request: HttpRequest, level: int, words: str) -> None:
    """Add a message, unless it is waiting already: two polls may see the job's end."""
    waiting = messages.get_messages(request)
    texts = {str(message) for message in waiting}
    # Iterating marked the messages as read: keep them for the next page.
    if isinstance(waiting, BaseStorage):
        waiting.used = False
    if words not in texts:
        messages.add_message(request, level, words)


def _go(request: HttpRequest, url: str) -> HttpResponse:
    """Redirect the browser, by a header if htmx sent the request.

    A page that is there already is loaded again, which keeps the place to which it was scrolled.
    """
    if "HX-Request" not in request.headers:
        return redirect(url)
    is_there = urlsplit(request.headers.get("HX-Current-URL", "")).path == url
    header = {"HX-Refresh": "true"} if is_there else {"HX-Redirect": url}
    return HttpResponse(status=204, headers=header)


# Carry out the umpire's actions from the console, and choose the version of the rules.


class UmpireRequest(NamedTuple):
    """A request by an umpire: the campaign, the user and the form."""

    campaign: Campaign
    user: User
    given: QueryDict

    @property
    def reason(self) -> str:
        return self.given.get("reason", "")

    @property
    def seat(self) -> int:
        """Return the number of the seat in the form. Raises UnfitRequest without one."""
        return _whole(self.given.get("seat", ""), "The form names no seat: load the page again.")


def _whole(text: str, wrong: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise UnfitRequest(wrong)
    return int(text)


@login_required
@posts_to("console", "slug")
@sent_once
def act(request: HttpRequest, slug: str) -> HttpResponse:
    """Do what the pressed button says, and show a message about it."""
    campaign = campaign_of(request, slug)
    do = _DOES.get(request.POST.get("do", ""))
    try:
        if do is None:
            raise UnfitRequest("The form does not say what to do: load the page again.")
        messages.success(request, do(UmpireRequest(campaign, visitor(request), request.POST)))
    except (journal.Refused, IllegalAction) as refused:
        messages.error(request, str(refused))
        return show(request, campaign, request.POST)
    return redirect("console", slug)


def _advance(request: UmpireRequest) -> str:
    months = _whole(request.given.get("months", "1"), "Advance by whole months.")
    advance_jobs.request_advance(
        request.campaign.pk, request.user, months=months, expected_month=_month(request)
    )
    return "The month runs."


def _phase(request: UmpireRequest) -> str:
    advance_jobs.request_advance(
        request.campaign.pk, request.user, phase=True, expected_month=_month(request)
    )
    return "The phase is played."


def _month(request: UmpireRequest) -> int:
    return _whole(request.given.get("month", ""), "The form does not say which month you saw.")


def _extend(request: UmpireRequest) -> str:
    form = ExtensionForm(request.given)
    data = _form_data(form)
    deadlines.extend(
        request.campaign.pk, request.user, data["hours"], seen=data["seen"], reason=data["reason"]
    )
    return deadlines.describe_extension(request.campaign, data["hours"])


def _form_data(form: Form) -> dict[str, Any]:
    """Return the form's data. Raises UnfitRequest with the first error."""
    if form.is_valid():
        return form.cleaned_data
    name, errors = next(iter(form.errors.items()))
    raise UnfitRequest(f"{name.capitalize()}: {errors[0]}")


def _pause(request: UmpireRequest) -> str:
    deadlines.pause(request.campaign.pk, request.user, reason=request.reason)
    return "The clock is stopped: nothing is due until you start it again."


def _go_on(request: UmpireRequest) -> str:
    deadlines.resume_clock(request.campaign.pk, request.user)
    return f"The clock goes on: the month is {timetable.due_in_words(request.campaign)}."


def _keep_to(request: UmpireRequest) -> str:
    form = DeadlinesForm(request.given)
    if not form.is_valid():
        raise UnfitRequest(" ".join(str(error[0]) for error in form.errors.values()))
    campaign = deadlines.set_policy(request.campaign.pk, request.user, form.policy())
    kept = f"Orders are due {deadlines.describe_policy(form.policy())}."
    due = timetable.due_in_words(campaign)
    return f"{kept} This month is {due}." if due else kept


def _no_deadlines(request: UmpireRequest) -> str:
    deadlines.set_policy(request.campaign.pk, request.user, None)
    return "Months run when you say so."


def _type_in(request: UmpireRequest) -> str:
    data = _form_data(FacesForm(request.given))
    next_throw = rulings.type_in(
        request.campaign.pk, request.user, data["faces"], expected=data["expected"]
    )
    return (
        "More dice are wanted." if next_throw else "The dice are entered, and the campaign goes on."
    )


def _by_hand(request: UmpireRequest, *, yes: bool) -> str:
    rulings.throw_by_hand(request.campaign.pk, request.user, yes=yes)
    return "You throw the dice from now on." if yes else "The campaign throws its own dice again."


def _public_delay(request: UmpireRequest) -> str:
    months = _whole(request.given.get("delay", ""), "Choose a delay.")
    rulings.set_public_delay(request.campaign.pk, request.user, months)
    return "Spectators see the war with that delay from now on."


def _staff_level(request: UmpireRequest) -> str:
    campaign = rulings.set_staff_level(
        request.campaign.pk, request.user, request.given.get("level", "")
    )
    title = TEXTS[Level(campaign.staff_level)].title.lower()
    return f"The computer’s staff plays as: {title}, from now on."


@transaction.atomic
def _name(request: UmpireRequest) -> str:
    title, public = request.given.get("title", ""), bool(request.given.get("public"))
    campaign = rulings.rename_campaign(request.campaign.pk, request.user, title)
    rulings.set_public(campaign.pk, request.user, public=public)
    audience = "anyone may watch it" if public else "only its players and umpires see it"
    return f"The campaign is called “{campaign.title}”, and {audience}."


def _to_staff(request: UmpireRequest) -> str:
    seat = seat_control.hand_to_staff(
        request.campaign.pk, request.user, request.seat, reason=request.reason
    )
    return f"The staff plays {name_of(seat)}."


def _from_staff(request: UmpireRequest) -> str:
    seat = seat_control.take_back_from_staff(request.campaign.pk, request.user, request.seat)
    return f"{holder_name(seat)} plays {name_of(seat)} again."


def _remove(request: UmpireRequest) -> str:
    seat = seat_control.remove_player(
        request.campaign.pk, request.user, request.seat, reason=request.reason
    )
    if seat.role == Seat.Role.OBSERVER:
        return f"{capitalise(holder_name(seat))} is no longer an observer."
    return f"{capitalise(name_of(seat))} is vacant; no order of its last holder is carried out."


def _replace(request: UmpireRequest) -> str:
    seat = seat_control.replace_player(
        request.campaign.pk,
        request.user,
        request.seat,
        request.given.get("username", ""),
        reason=request.reason,
    )
    return f"{holder_name(seat)} sits as {name_of(seat)}, with a brief of how it stands."


def _second_umpire(request: UmpireRequest) -> str:
    data = _form_data(AccountForm(request.given))
    seat = seat_control.second_umpire(request.campaign.pk, request.user, data["username"])
    return f"{holder_name(seat)} is an umpire too."


def _adjourn(request: UmpireRequest) -> str:
    seat_control.adjourn(request.campaign.pk, request.user, reason=request.reason)
    return "The campaign is adjourned: nothing runs until you resume it."


def _take_up(request: UmpireRequest) -> str:
    campaign = seat_control.take_up(request.campaign.pk, request.user)
    due = timetable.due_in_words(campaign)
    return f"The campaign goes on{due and ', and its month is ' + due}."


def _end(request: UmpireRequest) -> str:
    data = _form_data(EndingForm(request.given))
    state = selectors.state_now(request.campaign)
    winner = Side(data["winner"]) if data["winner"] else None
    reason = data["reason"]
    ruling = Ruled(reason, ruling_events.end(state, winner, reason))
    rulings.rule(request.campaign.pk, request.user, ruling)
    return "The campaign is over."


_DOES: dict[str, Callable[[UmpireRequest], str]] = {
    "advance": _advance,
    "phase": _phase,
    "extend": _extend,
    "pause": _pause,
    "go on": _go_on,
    "deadlines": _keep_to,
    "no deadlines": _no_deadlines,
    "dice": _type_in,
    "dice by hand": partial(_by_hand, yes=True),
    "public delay": _public_delay,
    "staff level": _staff_level,
    "name": _name,
    "own dice": partial(_by_hand, yes=False),
    "to the staff": _to_staff,
    "from the staff": _from_staff,
    "remove": _remove,
    "replace": _replace,
    "second umpire": _second_umpire,
    "adjourn": _adjourn,
    "take up": _take_up,
    "end": _end,
}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def rules_version(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how these rules differ from the campaign's, and let the umpire choose."""
    campaign = campaign_of(request, slug)
    if request.method != "POST":
        return _show(request, campaign)
    try:
        way = _way(request.POST.get("way", ""))
        played.choose(campaign.pk, visitor(request), way, reason=request.POST.get("reason", ""))
    except journal.Refused as refused:
        return _show(request, campaign, str(refused))
    messages.success(request, "Chosen, and written in the umpire log.")
    return redirect("console", slug)


def _way(choice: str) -> played.MigrationChoice:
    try:
        return played.MigrationChoice(choice)
    except ValueError as error:
        raise errors.UnfitRequest("Choose whether it is kept, migrated or pinned.") from error


def _show(request: HttpRequest, campaign: Campaign, wrong: str = "") -> HttpResponse:
    verdict = played.check_replay(campaign)
    context = {
        "campaign": campaign,
        "ours": RULES,
        "verdict": verdict,
        "ways": played.migration_choices(verdict),
        "wrong": wrong,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "campaign/console/rules_version.html", context)
