"""Those who follow campaigns, battles and jobs, and what each may still be told."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.utils import timezone

from api.http.authentication import good_tokens
from api.streams.messages import MessageBatch
from battles.access.owners import Anybody

Head = tuple[object, ...]


class FollowerConnection(Protocol):
    """What leads to a follower's program."""

    def send(self, data: bytes) -> None:
        """Pass the bytes on, without waiting until they have arrived."""

    def waiting(self) -> int:
        """How many bytes have not been taken off yet."""

    def close(self) -> None:
        """No more will come. What has not been taken off may be dropped after a while."""


class FollowerIdentity(NamedTuple):
    """Who follows: a user and the token or session he came with; nobody in particular else."""

    user: int | None = None
    token: int | None = None
    session: str | None = None


class Subject(NamedTuple):
    """What is followed: one of a course, by its number."""

    course: "Feed"
    number: int


@dataclass(eq=False)
class Follower:
    """Somebody who follows something, and how far he has been told of it."""

    subject: Subject
    who: FollowerIdentity
    place: str
    wire: FollowerConnection
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


class Reader(Protocol):
    """One campaign, battle or job, read to its followers at one moment."""

    def news(self, follower: Follower) -> News | None:
        """What he is told; None when it is not for him to see."""


class Feed(Protocol):
    """What may be followed, all of one kind, each under its number."""

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        """By what it is seen that one has gone on; nothing for what there is no more."""

    def readers(self, numbers: Collection[int]) -> Mapping[int, Reader]:
        """Who reads each of them to its followers; nobody for what there is no more."""


def heads_of(subjects: Iterable[Subject]) -> dict[Subject, Head]:
    """By what it is seen of each that it has gone on."""
    heads: dict[Subject, Head] = {}
    for course, numbers in _by_course(subjects).items():
        found = course.heads(numbers)
        heads |= {Subject(course, number): found.get(number, ()) for number in numbers}
    return heads


def news_for(followers: Collection[Follower]) -> tuple[list[News], list[Follower]]:
    """What each of them is told now, and those who may follow no longer.

    What several are told from the same place is read and written out once.
    """
    told, gone = [], []
    alive = _let_in(followers)
    readers = {
        Subject(course, number): reader
        for course, numbers in _by_course(one.subject for one in followers).items()
        for number, reader in course.readers(numbers).items()
    }
    for follower in followers:
        reader = readers.get(follower.subject)
        news = reader.news(follower) if reader and follower in alive else None
        if news is None:
            gone.append(follower)
        else:
            told.append(news)
    return told, gone


def _by_course(subjects: Iterable[Subject]) -> dict[Feed, set[int]]:
    found: dict[Feed, set[int]] = defaultdict(set)
    for course, number in subjects:
        found[course].add(number)
    return found


def news_of(follower: Follower, told: MessageBatch, stands: Callable[[], bytes]) -> News:
    """What has happened, and after it, where that is new to him, how all of it stands."""
    if told.more:
        return News(follower, told.messages, told.place, follower.stood, more=True)
    standing = stands()
    said = b"" if standing == follower.stood else standing
    return News(follower, told.messages + said, told.place, standing, more=False)


def person(number: int | None) -> Anybody:
    """Return the user of that number; a stranger where there is none."""
    found = None if number is None else User.objects.filter(pk=number).first()
    return found or AnonymousUser()


def _let_in(followers: Iterable[Follower]) -> set[Follower]:
    """Return those whose account, token or session still lets them in."""
    followers = list(followers)
    who = [follower.who for follower in followers]
    users = User.objects.filter(pk__in={one.user for one in who if one.user}, is_active=True)
    tokens = good_tokens().filter(pk__in={one.token for one in who if one.token})
    sessions = Session.objects.filter(
        session_key__in={one.session for one in who if one.session},
        expire_date__gt=timezone.now(),
    )
    known = ValidCredentials(
        set(users.values_list("pk", flat=True)),
        set(tokens.values_list("pk", flat=True)),
        set(sessions.values_list("session_key", flat=True)),
    )
    return {follower for follower in followers if known.lets_in(follower.who)}


class ValidCredentials(NamedTuple):
    """The accounts, tokens and sessions that are good."""

    users: set[int]
    tokens: set[int]
    sessions: set[str]

    def lets_in(self, who: FollowerIdentity) -> bool:
        by_token = who.token is None or who.token in self.tokens
        by_session = who.session is None or who.session in self.sessions
        return (who.user is None or who.user in self.users) and by_token and by_session
