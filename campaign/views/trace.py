"""The trace: every clause of the book, where it is, what holds it, how often it was applied."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaign import fog, selectors, traced
from campaign.rules.trace import uses


class Line(NamedTuple):
    """A part of a clause, and how often it was applied where that is counted."""

    traced: traced.TracedPart
    times: int


class Clause(NamedTuple):
    traced: traced.Traced
    lines: tuple[Line, ...]
    times: int


class Chapter(NamedTuple):
    number: int
    title: str
    clauses: tuple[Clause, ...]


@require_safe
def trace(request: HttpRequest) -> HttpResponse:
    chapters = list(_chapters(Counter()))
    return render(request, "campaign/trace.html", {"here": "rules", "chapters": chapters})


@require_safe
def campaign_trace(request: HttpRequest, slug: str) -> HttpResponse:
    """The same with how often each clause has been applied in one campaign."""
    campaign = selectors.campaign_for(request.user, slug)
    hidden = not fog.sees_all(campaign, fog.viewer_of(request.user, campaign))
    counted = Counter[str]() if hidden else selectors.clauses_applied(campaign)
    about = {"campaign": campaign, "chapters": list(_chapters(counted)), "hidden": hidden}
    return render(request, "campaign/trace.html", about)


def _chapters(counted: Counter[str]) -> Iterator[Chapter]:
    for chapter in traced.chapters():
        clauses = tuple(_clause(one, counted) for one in chapter.clauses)
        yield Chapter(chapter.number, chapter.title, clauses)


def _clause(of: traced.Traced, counted: Counter[str]) -> Clause:
    lines = tuple(Line(one, counted[one.name]) for one in of.parts)
    return Clause(of, lines, uses(of.clause, counted))
