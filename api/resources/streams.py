"""Campaigns, battles and jobs followed as they go on, by server-sent events."""

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.http import Http404, HttpResponseBase
from rest_framework.request import Request

from api.http.encoding import EventStream
from api.http.endpoint import OpenEndpoint, operation
from api.http.problems import Problem, invalid
from api.models import Token
from api.resources.fights import NOT_FOUGHT
from api.streams import battle_stream, campaign_stream, job_stream
from api.streams.battle_stream import FIGHTS
from api.streams.campaign_stream import CAMPAIGNS
from api.streams.followers import Follower, FollowerIdentity, Subject
from api.streams.messages import MEDIA_TYPE
from api.streams.transports import follow
from battles.access import selectors as battles
from battles.history import branches
from battles.models import Battle
from campaign.access import fog_of_war, selectors

NO_PLACE = "No place in this stream: send an id back as it was given."


class Followed(OpenEndpoint):
    """Something that is followed as it goes on."""

    parameters: ClassVar[frozenset[str]] = frozenset({"since"})
    renderer_classes = [EventStream]

    def followed(self, subject: Subject, place: str) -> HttpResponseBase:
        """Return the answer by which the caller follows it from that place on."""
        return follow(self.request, partial(Follower, subject, _who(self.request), place))


class Stream(Followed):
    """The events as they happen, one message each, and how the campaign stands after them.

    The id of a message is the place that is reached with it: come back with the last one as
    `Last-Event-ID`, or as `since`, and you are told what comes after it, nothing twice. With
    neither you are told what happens from now on; an empty `since` is the beginning.
    """

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        campaign = selectors.campaign_for(request.user, slug)
        place = _since(request)
        if place is None:
            place = campaign_stream.present(campaign, fog_of_war.viewer_of(request.user, campaign))
        elif not campaign_stream.is_place(campaign, place):
            raise invalid(since=NO_PLACE)
        return self.followed(Subject(CAMPAIGNS, campaign.pk), place)


class JobStream(Followed):
    """How far a job has come, by its own id: at once, and each time that changes.

    Months to be played, a trial on the bench, a comparison and an inquiry are all jobs here. What
    is told is always how it stands now, so there is no place to come back to.
    """

    parameters: ClassVar[frozenset[str]] = frozenset()

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, job: UUID) -> HttpResponseBase:
        subject = job_stream.subject_of(request.user, job)
        if subject is None:
            raise Problem("not-found", "There is no such job that you may see.")
        return self.followed(subject, "")


class FightStream(Followed):
    """The log of a battle that players fight as it grows, and how the battle stands after it.

    A message without a name is an entry of the log as you may read it; those that say nothing to
    you do not come. Places are as in the stream of a campaign.

    `standing` tells `battle`, `place`, `turn`, `waits_for`, `paused`, `over` and `tag`. `place` is
    that of the fight: its ETag begins with it. `tag` has no meaning of its own, and is no ETag: it
    is another whenever there is anything new to see, at the same place too (a pause, another
    leader, a side that is late). Fetch the fight when it is not the one that you heard last.
    """

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, uuid: str) -> HttpResponseBase:
        battle = battles.battle_for(request.user, uuid)
        if battle.way != Battle.Way.PLAYERS or battle.head_id is None:
            raise Http404(NOT_FOUGHT)
        place = _since(request)
        if place is None:
            place = branches.place_of(battle)
        elif not battle_stream.is_place(battle, place):
            raise invalid(since=NO_PLACE)
        return self.followed(Subject(FIGHTS, battle.pk), place)


def _since(request: Request) -> str | None:
    """Return where he goes on, as he says; None for one who says nothing."""
    since: str | None = request.headers.get("Last-Event-ID") or request.query_params.get("since")
    return since


def _who(request: Request) -> FollowerIdentity:
    """Who follows, and by what he is known."""
    if not request.user.is_authenticated:
        return FollowerIdentity()
    user: Any = request.user
    if isinstance(request.auth, Token):
        return FollowerIdentity(user.pk, token=request.auth.pk)
    return FollowerIdentity(user.pk, session=request.session.session_key)
