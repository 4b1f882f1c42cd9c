"""The feed of a campaign's events by cursor, and the streams of campaigns, battles and jobs."""

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from rest_framework.request import Request

from accounts.models import Token
from api.documents import events
from api.documents.events import EventsDocument, despatch_part, event_part
from api.http.encoding import EventStream
from api.http.endpoint import OpenEndpoint, operation
from api.http.problems import Problem, invalid_parameters, unfit_parameters
from api.http.responses import limit_of
from api.resources.fights import NOT_FOUGHT
from api.streams import battle_stream, campaign_stream, job_stream
from api.streams.battle_stream import FIGHTS
from api.streams.campaign_stream import CAMPAIGNS
from api.streams.followers import MEDIA_TYPE, Follower, FollowerIdentity, Subject
from api.streams.hub import follow
from battles import access as battles
from battles import serialization
from battles.models import Battle
from campaign.access import fog_of_war, journal_events, selectors

# The feed of a campaign's events, which clients resume from a cursor.


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
        since = request.query_params.get("since") or journal_events.BEGINNING
        viewer = fog_of_war.viewer_of(request.user, campaign)
        new_events, cursor = events.events_since(campaign, since, limit, viewer, branch)
        current = branch in (None, campaign.branch)
        despatches = events.despatches_between(campaign, since, cursor, viewer) if current else ()
        query = {"since": cursor, "limit": str(limit)}
        if branch is not None:
            query["branch"] = str(branch)
        document = EventsDocument(
            campaign=slug,
            results=tuple(map(event_part, new_events)),
            despatches=tuple(map(despatch_part, despatches)),
            cursor=cursor,
            next=f"{reverse('api:campaign-events', args=[slug])}?{urlencode(query)}",
        )
        return self.answer(document)


def _branch(request: Request) -> int | None:
    """Return the branch asked for, None for the current one; Problem unless it is a number."""
    text = request.query_params.get("branch")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and int(text[:11]) < 2**31):
        raise invalid_parameters(branch=f"{text!r} will not do: give the `id` of a branch.")
    return int(text)


# Streams of server-sent events from campaigns, battles and jobs.


NO_PLACE = "No place in this stream: send an id back as it was given."


class Followed(OpenEndpoint):
    """An endpoint that answers with a stream."""

    parameters: ClassVar[frozenset[str]] = frozenset({"since"})
    renderer_classes = [EventStream]

    def followed(self, subject: Subject, place: str) -> HttpResponseBase:
        """Return a stream of the subject's messages from that place on."""
        return follow(self.request, partial(Follower, subject, _who(self.request), place))


class Stream(Followed):
    """The stream of a campaign."""

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Stream the events of a campaign.

        Events are sent as they happen, and the campaign's status after them. The id of a message is
        its place: reconnect with the last one as `Last-Event-ID`, or as `since`, and the stream
        goes on after it without repeats. Without either it begins with the next event; an empty
        `since` is the beginning of the campaign.
        """
        campaign = selectors.campaign_for(request.user, slug)
        place = _since(request)
        if place is None:
            place = campaign_stream.present(campaign, fog_of_war.viewer_of(request.user, campaign))
        elif not campaign_stream.is_place(campaign, place):
            raise unfit_parameters(since=NO_PLACE)
        return self.followed(Subject(CAMPAIGNS, campaign.pk), place)


class JobStream(Followed):
    """The stream of a job."""

    parameters: ClassVar[frozenset[str]] = frozenset()

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, id: UUID) -> HttpResponseBase:
        """Stream the progress of a job.

        Its status is sent at once, and each time it changes. `job` is the id of an advance, a
        simulation, a comparison, a rehearsal, a trial or a forecast. Messages always have the
        current status, so there is no place to resume from.
        """
        subject = job_stream.subject_of(request.user, id)
        if subject is None:
            raise Problem("not-found", f"There is no job {id} that you may see.")
        return self.followed(subject, "")


class FightStream(Followed):
    """The stream of a battle that players fight."""

    @operation("EventStream", media=MEDIA_TYPE)
    def get(self, request: Request, id: str) -> HttpResponseBase:
        """Stream the log of a battle that players fight.

        A message without a name is an entry of the log as you may read it; entries hidden from you
        are left out. The battle's status follows as `status`. Places work as in the stream of a
        campaign.

        `version` changes whenever there is anything new to see, even at the same place (a pause,
        another commander, a late side): fetch the fight when it differs from the last one.
        """
        battle = battles.battle_for(request.user, id)
        if battle.way != Battle.Way.PLAYERS or battle.head_id is None:
            raise Http404(NOT_FOUGHT)
        place = _since(request)
        if place is None:
            place = serialization.cursor_of(battle)
        elif not battle_stream.is_place(battle, place):
            raise unfit_parameters(since=NO_PLACE)
        return self.followed(Subject(FIGHTS, battle.pk), place)


def _since(request: Request) -> str | None:
    """Return the place to resume from, or None if the request names none."""
    since: str | None = request.headers.get("Last-Event-ID") or request.query_params.get("since")
    return since


def _who(request: Request) -> FollowerIdentity:
    """Return the follower's user and the token or session that authenticates them."""
    if not request.user.is_authenticated:
        return FollowerIdentity()
    user: Any = request.user
    if isinstance(request.auth, Token):
        return FollowerIdentity(user.pk, token=request.auth.pk)
    return FollowerIdentity(user.pk, session=request.session.session_key)
