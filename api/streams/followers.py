"""The followers of campaigns, battles and jobs, and the server-sent events each receives."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import msgspec
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.tokens import valid_tokens
from api.documents.scalars import Cursor
from api.http.encoding import encode
from battles.access import Anybody

# Server-sent events, each with the place reached after it.
#
# The id of a message is that place: a client that resumes with its last one gets the messages
# after it, each exactly once.


MEDIA_TYPE = "text/event-stream"
HEARTBEAT = b": still here\n\n"


class MessageBatch(NamedTuple):
    """Messages, the place reached after them, and whether more may follow."""

    messages: bytes
    place: str
    more: bool


def message(data: bytes, place: str, *, kind: str = "") -> bytes:
    """Return one message; `kind` is its event name, "" for an event or log entry."""
    event_line = f"event: {kind}\n".encode() if kind else b""
    return b"%sid: %s\ndata: %s\n\n" % (event_line, place.encode(), data)


class RewoundPart(msgspec.Struct, frozen=True):
    """A rewind: the last cursor that still holds, to go on from, and a sentence about it."""

    cursor: Cursor
    text: str


def rewound(place: str, text: str) -> MessageBatch:
    """Return the message of a rewind, with the place from which the follower goes on."""
    data = encode(RewoundPart(place, text))
    return MessageBatch(message(data, place, kind="rewound"), place, more=True)


def as_place(text: str) -> tuple[int, ...] | None:
    """Return the two or three numbers of a place; None for anything else."""
    parts = text.split(".")
    return tuple(map(int, parts)) if len(parts) in (2, 3) and all(map(_is_number, parts)) else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


# The followers of campaigns, battles and jobs, and the messages each may receive.


Head = tuple[object, ...]


class FollowerConnection(Protocol):
    """The connection to a follower's program."""

    def send(self, data: bytes) -> None:
        """Queue the bytes without waiting for their delivery."""

    def waiting(self) -> int:
        """Return the number of bytes that the client has not taken yet."""

    def close(self) -> None:
        """Close the connection; bytes that are not taken in time may be dropped."""


class FollowerIdentity(NamedTuple):
    """A follower's user, with the token or session that authenticates them; or nobody."""

    user: int | None = None
    token: int | None = None
    session: str | None = None


class Subject(NamedTuple):
    """The thing that is followed: a feed and a primary key in it."""

    course: "Feed"
    number: int


@dataclass(eq=False)
class Follower:
    """A follower of a subject, and the place up to which they have received it."""

    subject: Subject
    who: FollowerIdentity
    place: str
    wire: FollowerConnection
    stood: tuple[bytes, ...] = ()
    since: float = 0.0
    stuck: float = field(default=0.0, compare=False)


class News(NamedTuple):
    """The messages for a follower, and the place and status that they then have."""

    follower: Follower
    messages: bytes
    place: str
    stood: tuple[bytes, ...]
    more: bool


class Reader(Protocol):
    """A campaign, battle or job at one moment, as it is read to its followers."""

    def news(self, follower: Follower) -> News | None:
        """Return the follower's news; None if they may not see the subject."""


class Feed(Protocol):
    """A kind of thing that can be followed, by primary key."""

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        """Return values that change whenever the subjects do; deleted ones are left out."""

    def readers(self, numbers: Collection[int]) -> Mapping[int, Reader]:
        """Return a reader for each subject; deleted ones are left out."""


def heads_of(subjects: Iterable[Subject]) -> dict[Subject, Head]:
    """Return the current head of every subject."""
    heads: dict[Subject, Head] = {}
    for course, numbers in _by_course(subjects).items():
        feed_heads = course.heads(numbers)
        heads |= {Subject(course, number): feed_heads.get(number, ()) for number in numbers}
    return heads


def news_for(followers: Collection[Follower]) -> tuple[list[News], list[Follower]]:
    """Return the news of each follower, and the followers who may no longer follow.

    News that several followers need from the same place is read and encoded once.
    """
    updates, gone = [], []
    alive = _let_in(followers)
    readers = {
        Subject(course, number): reader
        for course, numbers in _by_course(follower.subject for follower in followers).items()
        for number, reader in course.readers(numbers).items()
    }
    for follower in followers:
        reader = readers.get(follower.subject)
        news = reader.news(follower) if reader and follower in alive else None
        if news is None:
            gone.append(follower)
        else:
            updates.append(news)
    return updates, gone


def _by_course(subjects: Iterable[Subject]) -> dict[Feed, set[int]]:
    by_course: dict[Feed, set[int]] = defaultdict(set)
    for course, number in subjects:
        by_course[course].add(number)
    return by_course


def news_of(
    follower: Follower, batch: MessageBatch, present_messages: Callable[[], tuple[bytes, ...]]
) -> News:
    """Return the messages, followed by those about the present that the follower lacks."""
    if batch.more:
        return News(follower, batch.messages, batch.place, follower.stood, more=True)
    standing = present_messages()
    additions = b"".join(message for message in standing if message not in follower.stood)
    return News(follower, batch.messages + additions, batch.place, standing, more=False)


def person(number: int | None) -> Anybody:
    """Return the user of that number; an anonymous one if there is none."""
    user = None if number is None else User.objects.filter(pk=number).first()
    return user or AnonymousUser()


def _let_in(followers: Iterable[Follower]) -> set[Follower]:
    """Return the followers whose account, token or session is still valid."""
    followers = list(followers)
    identities = [follower.who for follower in followers]
    users = User.objects.filter(
        pk__in={identity.user for identity in identities if identity.user}, is_active=True
    )
    tokens = valid_tokens().filter(
        pk__in={identity.token for identity in identities if identity.token}
    )
    sessions = Session.objects.filter(
        session_key__in={identity.session for identity in identities if identity.session},
        expire_date__gt=timezone.now(),
    )
    credentials = ValidCredentials(
        set(users.values_list("pk", flat=True)),
        set(tokens.values_list("pk", flat=True)),
        set(sessions.values_list("session_key", flat=True)),
    )
    return {follower for follower in followers if credentials.lets_in(follower.who)}


class ValidCredentials(NamedTuple):
    """The valid accounts, tokens and sessions."""

    users: set[int]
    tokens: set[int]
    sessions: set[str]

    def lets_in(self, identity: FollowerIdentity) -> bool:
        by_token = identity.token is None or identity.token in self.tokens
        by_session = identity.session is None or identity.session in self.sessions
        return (identity.user is None or identity.user in self.users) and by_token and by_session
