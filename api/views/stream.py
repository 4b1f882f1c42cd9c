"""A campaign followed as it goes on: its events as server-sent events."""

from functools import partial
from typing import Any, ClassVar

from django.http import HttpResponseBase
from rest_framework.request import Request

from api.contract import operation
from api.encoding import EventStream
from api.endpoint import OpenEndpoint
from api.models import Token
from api.problems import invalid
from api.streams.doors import let_in
from api.streams.followers import Follower, Who, Wire
from api.streams.telling import MEDIA_TYPE, is_place, present
from campaign import fog, selectors
from campaign.models import Campaign


class Stream(OpenEndpoint):
    """The events as they happen, one message each, and how the campaign stands after them.

    The id of a message is the place that is reached with it: come back with the last one as
    `Last-Event-ID`, or as `since`, and you are told what comes after it, nothing twice. With
    neither you are told what happens from now on; an empty `since` is the beginning.
    """

    parameters: ClassVar[frozenset[str]] = frozenset({"since"})
    renderer_classes = [EventStream]

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        campaign = selectors.campaign_for(request.user, slug)
        place = self._place(request, campaign)
        introduce = partial(_follower, campaign.pk, _who(request), place)
        return let_in(request._request, introduce)

    def _place(self, request: Request, campaign: Campaign) -> str:
        """Where he goes on; Problem for what is no place."""
        since = request.headers.get("Last-Event-ID") or request.query_params.get("since")
        if since is None:
            return present(campaign, fog.viewer_of(request.user, campaign))
        if not is_place(campaign, since):
            raise invalid(since="No place in this stream: send an id back as it was given.")
        return since


def _follower(campaign: int, who: Who, place: str, wire: Wire) -> Follower:
    return Follower(campaign, who, place, wire)


def _who(request: Request) -> Who:
    """Who follows, and by what he is known."""
    if not request.user.is_authenticated:
        return Who()
    user: Any = request.user
    if isinstance(request.auth, Token):
        return Who(user.pk, token=request.auth.pk)
    return Who(user.pk, session=request._request.session.session_key)
