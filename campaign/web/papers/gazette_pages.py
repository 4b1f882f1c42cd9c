"""The gazettes published for the viewer, to read or to print."""

from itertools import groupby
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from battles.contract.brief import Side
from campaign.access import fog_of_war, month_reports, selectors
from campaign.cartography import above
from campaign.gazette import NEWSPAPERS, Newspaper
from campaign.models import Campaign
from campaign.rules.core.board import chart
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.sight import Onlooker, Viewer
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import month_in, month_slug_of

UNREAD = "No such paper has come out for you."


class IssueCopy(NamedTuple):
    """A published issue with its URL."""

    edition: Newspaper
    url: str


class MonthIssues(NamedTuple):
    """The issues of a month."""

    name: str
    copies: tuple[IssueCopy, ...]


@require_safe
@never_cache
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every issue published for the viewer, the newest month first."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    out = groupby(month_reports.gazette_issues(campaign, viewer), key=lambda issue: issue.month)
    shelves = [
        MonthIssues(month_name(Month(month)), tuple(_copy(campaign, issue) for issue in numbers))
        for month, numbers in out
    ]
    return render(
        request, "campaign/papers/gazettes.html", {"campaign": campaign, "shelves": shelves}
    )


def _copy(campaign: Campaign, number: month_reports.GazetteIssue) -> IssueCopy:
    return IssueCopy(number.edition, address("paper", campaign, number.month, number.edition.whose))


def address(name: str, campaign: Campaign, month: int, viewer: Viewer) -> str:
    """Return the URL of an issue, or of its map."""
    return reverse(name, args=[campaign.slug, month_slug_of(campaign, Month(month)), viewer.value])


@require_safe
@never_cache
def paper(request: HttpRequest, slug: str, month: str, whose: str) -> HttpResponse:
    """Show an issue. Raises Http404 if it is not published for the viewer."""
    campaign = selectors.campaign_for(request.user, slug)
    when, reader = month_in(campaign, month), _reader(whose)
    if reader not in month_reports.papers(
        campaign, fog_of_war.viewer_of(request.user, campaign), when
    ):
        raise Http404(UNREAD)
    context = {
        "campaign": campaign,
        "paper": month_reports.gazette_issue(campaign, when, reader),
        "map": address("paper-map", campaign, when, reader),
        "sheet": printed_map.address(),
        "view": month_reports.month_as_reported(campaign, when, reader),
    }
    return render(request, "campaign/papers/gazette.html", context)


@require_safe
@cache_control(private=True, max_age=60)
def picture(request: HttpRequest, slug: str, month: str, whose: str) -> HttpResponse:
    """Return the map at the month's end as that paper's readers believed it to be.

    The umpire's map is the true one, for viewers who may see everything.
    """
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    when, reader = month_in(campaign, month), _reader(whose)
    allowed = month_reports.papers(campaign, viewer, when)
    if reader not in allowed and not fog_of_war.sees_all(campaign, viewer):
        raise Http404(UNREAD)
    view = month_reports.month_as_reported(campaign, when, reader)
    drawing = above(chart(view.state), view.state, (*view.sightings, *view.markers))
    return HttpResponse(
        drawing,
        content_type="image/svg+xml",
        headers={"Content-Security-Policy": printed_map.POLICY},
    )


def _reader(name: str) -> Viewer:
    readers: dict[str, Viewer] = {reader.value: reader for reader in (*Side, *Onlooker)}
    if name not in readers:
        papers = ", ".join(edition.whose.value for edition in NEWSPAPERS.values())
        raise Http404(f"There is no paper {name!r}; there are {papers}.")
    return readers[name]
