"""Campaigns as they are followed: each read to its followers, to each with his own eyes."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TypeVar

from django.db.models import Count, Q

from api.streams.followers import Follower, Head, News, news_of
from api.streams.messages import Told
from api.streams.telling import standing, tell
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Job, OrderSheet, Seat

T = TypeVar("T")
Tellings = dict[tuple[fog_of_war.Viewer, str], Told]


class Campaigns:
    """All campaigns, by their keys."""

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        versions = "pk", "public", *Campaign.VERSIONED
        rows = Campaign.objects.filter(pk__in=numbers).values_list(*versions)
        held: dict[int, set[Head]] = defaultdict(set)
        for campaign, *seat in Seat.objects.filter(campaign__in=numbers).values_list(
            "campaign", "pk", "role", "user", "staff"
        ):
            held[campaign].add(tuple(seat))
        jobs = Job.objects.filter(campaign__in=numbers, status__in=Job.UNFINISHED)
        at_work = {one[0]: one for one in jobs.values_list("campaign", "pk", "status", "progress")}
        written = {one[0]: one for one in _written(numbers)}
        return {
            row[0]: (*row[1:], held[row[0]], at_work.get(row[0]), written.get(row[0]))
            for row in rows
        }

    def readers(self, numbers: Collection[int]) -> Mapping[int, "Reader"]:
        found = Campaign.objects.in_bulk(list(numbers))
        return {number: Reader(campaign) for number, campaign in found.items()}


def _written(numbers: Collection[int]) -> Iterable[Head]:
    """How many order sheets each has that are not carried out yet, submitted and ready ones too."""
    sheets = OrderSheet.objects.filter(campaign__in=numbers, begun=None, withdrawn=False)
    counted = (
        sheets.order_by("campaign")
        .values("campaign")
        .annotate(
            written=Count("pk"), sent=Count("submitted"), done=Count("pk", filter=Q(ready=True))
        )
    )
    return counted.values_list("campaign", "written", "sent", "done")


class Reader:
    """One campaign, read to its followers at one moment."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        seats = list(campaign.seats.all())
        self._stamp = selectors.stamp(campaign, seats)
        self._roles: dict[int | None, set[str]] = defaultdict(set)
        for seat in seats:
            if seat.user_id is not None:
                self._roles[seat.user_id].add(seat.role)
        self._told: Tellings = {}
        self._stands: dict[tuple[fog_of_war.Viewer, str], bytes] = {}

    def news(self, follower: Follower) -> News | None:
        """What he is told; None when the campaign is not for him to see."""
        roles = self._roles.get(follower.who.user, set())
        if not (self._campaign.public or roles):
            return None
        viewer = fog_of_war.viewer_of_roles(roles)
        told = self._once(self._told, tell, viewer, follower.place)
        stand = partial(standing, tag=self._stamp)
        return news_of(follower, told, lambda: self._once(self._stands, stand, viewer, told.place))

    def _once(
        self,
        known: dict[tuple[fog_of_war.Viewer, str], T],
        say: Callable[[Campaign, str, fog_of_war.Viewer], T],
        viewer: fog_of_war.Viewer,
        place: str,
    ) -> T:
        if (viewer, place) not in known:
            known[viewer, place] = say(self._campaign, place, viewer)
        return known[viewer, place]


CAMPAIGNS = Campaigns()
