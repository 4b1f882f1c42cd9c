"""Rewind a campaign: choose an entry, preview the rewind, and list the branches."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.cartography import chart as drawn
from campaign.models import Campaign, Entry
from campaign.rules import fold
from campaign.rules.core.board import chart
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import State
from campaign.rules.prose.questions import describe_action, describe_phase
from campaign.rules.sight import Viewer
from campaign.services.journal import rewind
from campaign.web.console.console import campaign_of
from campaign.web.console.rulings import draw_changes
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import month_in
from campaign.web.visitor import head_seen, visitor
from ops.sent_once import sent_once

SET_UP = "Set-up"
MOST_STEPS = 200
"""Entries of a branch on its page: the last ones."""


class JournalStep(NamedTuple):
    """An entry of the journal in words: the action, the actor, the phase."""

    entry: Entry
    text: str
    phase: str


class AbandonedBranch(NamedTuple):
    """An abandoned branch: its last entries and its last state."""

    line: rewind.BranchSummary
    steps: tuple[JournalStep, ...]
    end: State


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sent_once
def rewind_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose an entry, preview the rewind to it, and rewind on POST."""
    campaign = campaign_of(request, slug)
    wrong = ""
    if request.method == "POST":
        try:
            return _go(request, campaign)
        except journal.Refused as refused:
            wrong = str(refused)
    return _show(request, campaign, wrong)


def _go(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    entry = _entry(campaign, request.POST.get("entry", ""))
    rewind.rewind_to(
        campaign.pk,
        visitor(request),
        entry,
        reason=request.POST.get("reason", ""),
        expected_head=head_seen(request.POST),
    )
    messages.success(request, "Rewound. What came after stays visible on its own branch.")
    return redirect("console", campaign.slug)


def _entry(campaign: Campaign, cursor: str) -> Entry:
    """Return the entry at the cursor `branch.number`. Raises Http404."""
    branch, _, number = cursor.partition(".")
    if not (branch.isdecimal() and number.isdecimal() and len(cursor) < 16):
        raise Http404(f"“{cursor}” is no entry: branch and number, such as 0.42.")
    entry = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if entry is None:
        raise Http404(f"This campaign has no entry {cursor}.")
    return entry


def _show(request: HttpRequest, campaign: Campaign, wrong: str) -> HttpResponse:
    chosen = request.POST.get("entry") or request.GET.get("entry", "")
    slug = request.GET.get("month", "")
    # A month that has only just begun has no entries: show the last month that has some.
    last = campaign.head.month if campaign.head else campaign.month
    month = month_in(campaign, slug) if slug else Month(last)
    way = rewind.preview_rewind(campaign, _entry(campaign, chosen)) if chosen else None
    context = {
        "campaign": campaign,
        "months": _months(campaign, month),
        "month": month_name(month) if month >= campaign.first_month else "Set-up",
        "steps": list(_steps(campaign, month)),
        "way": way,
        "stands": f"{month_name(way.state.month)}, {describe_phase(way.state)}" if way else "",
        "drawing": draw_changes(selectors.state_now(campaign), way.state) if way else "",
        "lines": rewind.branch_summaries(campaign),
        "wrong": wrong,
        "reason": request.POST.get("reason", ""),
        "head": campaign.head_id or 0,
    }
    status = 400 if wrong else 200
    return render(request, "campaign/console/rewind.html", context, status=status)


def _months(campaign: Campaign, shown: Month) -> list[tuple[str, str, bool]]:
    """Return slug and name of each month with entries, and whether it is the one shown."""
    return [
        (line.slug, line.name, line.month == shown)
        for line in selectors.months(campaign)
        if line.entries or line.current or line.slug == "set-up"
    ]


def _steps(campaign: Campaign, month: Month) -> Iterator[JournalStep]:
    """Yield the month's entries on the current line; the set-up has those before play."""
    setting_up = month < campaign.first_month
    played = selectors.entries_on(campaign).filter(month=max(month, campaign.first_month))
    for step in describe_steps(campaign, played):
        if (step.phase == SET_UP) is setting_up:
            yield step


def describe_steps(campaign: Campaign, entries: QuerySet[Entry]) -> Iterator[JournalStep]:
    """Yield consecutive entries in words, each by the state before it."""
    first = entries.first()
    if first is None:
        return
    line = selectors.line_of(campaign, first)
    before = selectors.entries_on(campaign, line).filter(number=first.number - 1).first()
    state = selectors.state_after(campaign, before) if before else _first(campaign)
    for entry in entries:
        description = describe_action(state, serialization.action_of(entry))
        yield JournalStep(entry, description, describe_phase(state))
        fold(state, serialization.events_of(entry))


def _first(campaign: Campaign) -> State:
    start = campaign.snapshots.get(entry=None)
    return serialization.state_of(start.document, start.document_hash)


@require_safe
@never_cache
def branches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all branches with their reasons."""
    campaign = selectors.campaign_for(request.user, slug)
    context = {
        "campaign": campaign,
        "lines": rewind.branch_summaries(campaign),
        "whole": fog_of_war.may_see_all(request.user, campaign),
    }
    return render(request, "campaign/console/branches.html", context)


@require_safe
@never_cache
def branch(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an abandoned branch: its last entries and its last map."""
    campaign = selectors.campaign_for(request.user, slug)
    left = abandoned_branch(campaign, number, fog_of_war.viewer_of(request.user, campaign))
    context = {
        "campaign": campaign,
        "line": left.line,
        "steps": left.steps,
        "drawing": mark_safe(drawn(chart(left.end), left.end, printed_map.address())),  # noqa: S308
        "ended": month_name(left.end.month),
    }
    return render(request, "campaign/console/branch.html", context)


def abandoned_branch(campaign: Campaign, number: int, viewer: Viewer) -> AbandonedBranch:
    """Return the branch with its last entries. Raises Http404 as `visible_branch`."""
    line = visible_branch(campaign, number, viewer)
    entries = campaign.entries.filter(branch=number).order_by("-number")[:MOST_STEPS]
    first = min((entry.number for entry in entries), default=0)
    last = campaign.entries.filter(branch=number, number__gte=first).order_by("number")
    return AbandonedBranch(line, tuple(describe_steps(campaign, last)), end_of(campaign, line))


def visible_branch(campaign: Campaign, number: int, viewer: Viewer) -> rewind.BranchSummary:
    """Return the branch of that number. Raises Http404 for others, and under the fog."""
    line = next(
        (
            summary
            for summary in rewind.branch_summaries(campaign)
            if summary.branch.number == number
        ),
        None,
    )
    if line is None or not fog_of_war.sees_all(campaign, viewer):
        raise Http404(f"This campaign has no branch {number} that you may see.")
    return line


def end_of(campaign: Campaign, line: rewind.BranchSummary) -> State:
    """Return the state at the end of the branch."""
    return selectors.state_after(campaign, line.last) if line.last else _first(campaign)
