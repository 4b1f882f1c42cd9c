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
from campaign.access import fog_of_war, selectors

USUAL, MOST = 200, 1000


class Events(OpenEndpoint):
    """The events of a campaign."""

    parameters: ClassVar[frozenset[str]] = frozenset({"since", "limit"})

    @operation(EventsDocument, problems=("cursor-lost",))
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the events of a campaign.

        They are those after the cursor `since`, about `limit` of them, with the despatches of the
        phases that ended with them.
        """
        campaign = selectors.campaign_for(request.user, slug)
        limit = limit_of(request, default=USUAL, most=MOST)
        since = request.query_params.get("since", "")
        viewer = fog_of_war.viewer_of(request.user, campaign)
        found, cursor = events.events_since(campaign, since, limit, viewer)
        told = events.despatches_between(campaign, since, cursor, viewer)
        here = reverse("api:campaign-events", args=[slug])
        document = EventsDocument(
            campaign=slug,
            results=tuple(map(event_part, found)),
            despatches=tuple(map(despatch_part, told)),
            cursor=cursor,
            next=f"{here}?{urlencode({'since': cursor, 'limit': str(limit)})}",
        )
        return self.tell(document)
