"""The feed of a campaign's events, which clients resume from a cursor."""

from typing import ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from rest_framework.request import Request

from api.documents import events
from api.documents.events import EventsDocument, despatch_part, event_part
from api.http.endpoint import OpenEndpoint, operation
from api.http.paging import limit_of
from api.http.problems import invalid_parameters
from campaign.access import fog_of_war, selectors

USUAL, MOST = 200, 1000


class Events(OpenEndpoint):
    """The events of a campaign."""

    parameters: ClassVar[frozenset[str]] = frozenset({"since", "limit", "branch"})

    @operation(EventsDocument, problems=("cursor-lost",))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the events of a campaign after the cursor `since`.

        The despatches of the phases that ended with them come along. Follow `next` to read on, now
        or later: each event comes once, in order.
        """
        campaign = selectors.campaign_for(request.user, slug)
        limit, branch = limit_of(request, default=USUAL, most=MOST), _branch(request)
        since = request.query_params.get("since") or selectors.BEGINNING
        viewer = fog_of_war.viewer_of(request.user, campaign)
        found, cursor = events.events_since(campaign, since, limit, viewer, branch)
        current = branch in (None, campaign.branch)
        told = events.despatches_between(campaign, since, cursor, viewer) if current else ()
        query = {"since": cursor, "limit": str(limit)}
        if branch is not None:
            query["branch"] = str(branch)
        document = EventsDocument(
            campaign=slug,
            results=tuple(map(event_part, found)),
            despatches=tuple(map(despatch_part, told)),
            cursor=cursor,
            next=f"{reverse('api:campaign-events', args=[slug])}?{urlencode(query)}",
        )
        return self.tell(document)


def _branch(request: Request) -> int | None:
    """Return the branch asked for, None for the current one; Problem unless it is a number."""
    text = request.query_params.get("branch")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:11]) < 2**31):
        raise invalid_parameters(branch=f"{text!r} will not do: give the `id` of a branch.")
    return int(text)
