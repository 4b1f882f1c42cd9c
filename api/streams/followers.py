"""Those who follow campaigns, and what each may still be told."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from api.models import Token
from api.streams.telling import Told, standing, tell
from campaign import fog
from campaign.models import Campaign

T = TypeVar("T")


class Wire(Protocol):
    """What leads to a follower's program."""

    def send(self, data: bytes) -> None:
        """Pass the bytes on, without waiting until they have arrived."""

    def waiting(self) -> int:
        """How many bytes have not been taken off yet."""

    def close(self) -> None:
        """No more will come."""


class Who(NamedTuple):
    """Who follows: a user and the token or session he came with; nobody in particular else."""

    user: int | None = None
    token: int | None = None
    session: str | None = None


@dataclass(eq=False)
class Follower:
    """Somebody who follows a campaign, and how far he has been told of it."""

    campaign: int
    who: Who
    place: str
    wire: Wire
    stood: bytes = b""
    since: float = 0.0
    stuck: float = field(default=0.0, compare=False)


class News(NamedTuple):
    """What is to be sent to a follower, and where he stands with it; None: he is let go."""

    follower: Follower
    messages: bytes
    place: str
    stood: bytes
    more: bool


def news_for(followers: Collection[Follower]) -> tuple[list[News], list[Follower]]:
    """What each of them is told now, and those who may follow no longer.

    What several are told from the same place is read and written out once.
    """
    told, gone = [], []
    by_campaign: dict[int, list[Follower]] = defaultdict(list)
    for follower in followers:
        by_campaign[follower.campaign].append(follower)
    alive = _let_in(followers)
    campaigns = Campaign.objects.in_bulk(list(by_campaign))
    for number, group in by_campaign.items():
        reader = Reader(campaigns[number]) if number in campaigns else None
        for follower in group:
            news = reader.news(follower) if reader and follower in alive else None
            if news is None:
                gone.append(follower)
            else:
                told.append(news)
    return told, gone


class Reader:
    """One campaign, read to its followers at one moment."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._roles: dict[int | None, set[str]] = defaultdict(set)
        for user, role in campaign.seats.exclude(user=None).values_list("user", "role"):
            self._roles[user].add(role)
        self._told: dict[tuple[fog.Viewer, str], Told] = {}
        self._stands: dict[tuple[fog.Viewer, str], bytes] = {}

    def news(self, follower: Follower) -> News | None:
        """What he is told; None when the campaign is not for him to see."""
        roles = self._roles.get(follower.who.user, set())
        if not (self._campaign.public or roles):
            return None
        viewer = fog.eyes_of(roles)
        told = self._once(self._told, tell, viewer, follower.place)
        if told.more:
            return News(follower, told.messages, told.place, follower.stood, more=True)
        stands = self._once(self._stands, standing, viewer, told.place)
        said = b"" if stands == follower.stood else stands
        return News(follower, told.messages + said, told.place, stands, more=False)

    def _once(
        self,
        known: dict[tuple[fog.Viewer, str], T],
        say: Callable[[Campaign, str, fog.Viewer], T],
        viewer: fog.Viewer,
        place: str,
    ) -> T:
        if (viewer, place) not in known:
            known[viewer, place] = say(self._campaign, place, viewer)
        return known[viewer, place]


def _let_in(followers: Iterable[Follower]) -> set[Follower]:
    """Those whose account, token or session still lets them in."""
    followers = list(followers)
    who = [follower.who for follower in followers]
    users = User.objects.filter(pk__in={one.user for one in who if one.user}, is_active=True)
    tokens = Token.objects.filter(pk__in={one.token for one in who if one.token})
    sessions = Session.objects.filter(
        session_key__in={one.session for one in who if one.session},
        expire_date__gt=timezone.now(),
    )
    known = Known(
        set(users.values_list("pk", flat=True)),
        set(tokens.values_list("pk", flat=True)),
        set(sessions.values_list("session_key", flat=True)),
    )
    return {follower for follower in followers if known.lets_in(follower.who)}


class Known(NamedTuple):
    """The accounts, tokens and sessions that are good."""

    users: set[int]
    tokens: set[int]
    sessions: set[str]

    def lets_in(self, who: Who) -> bool:
        by_token = who.token is None or who.token in self.tokens
        by_session = who.session is None or who.session in self.sessions
        return (who.user is None or who.user in self.users) and by_token and by_session
