"""What happens in a campaign, as a feed to be read on from where one stopped."""

from typing import Any, ClassVar

from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from rest_framework.request import Request

from api.answers import ASK_AGAIN_ALONE, Document, respond
from api.documents.news import EventsDocument, event_part
from api.endpoint import OpenEndpoint
from api.pages import limit_of
from api.problems import Problem, invalid
from battles.journal import Refused
from campaign import selectors
from campaign.models import Campaign

USUAL, MOST = 200, 1000


class Events(OpenEndpoint):
    """The events since the cursor `since`, at most about `limit` of them, with their dice."""

    parameters: ClassVar[frozenset[str]] = frozenset({"since", "limit"})

    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        limit = limit_of(request, default=USUAL, most=MOST)
        found, cursor = _since(campaign, request.query_params.get("since", ""), limit)
        here = reverse("api:campaign-events", args=[slug])
        document = EventsDocument(
            campaign=slug,
            results=tuple(map(event_part, found)),
            cursor=cursor,
            next=f"{here}?{urlencode({'since': cursor, 'limit': str(limit)})}",
        )
        return respond(request, Document(document), ASK_AGAIN_ALONE)


def _since(campaign: Campaign, cursor: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    try:
        return selectors.events_since(campaign, cursor, limit)
    except selectors.CursorLost as lost:
        raise Problem("cursor-lost", str(lost), cursor=lost.common) from lost
    except Refused as refused:
        raise invalid(since=str(refused)) from refused
