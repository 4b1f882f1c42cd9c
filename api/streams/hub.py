"""Serve followers: streams on the event loop of an ASGI server, finite answers elsewhere."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import Any, Self, TypeVar

from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from api.http.problems import Problem
from api.streams import NEWS_TOPIC
from api.streams.followers import (
    HEARTBEAT,
    MEDIA_TYPE,
    Follower,
    FollowerConnection,
    Head,
    News,
    Subject,
    heads_of,
    news_for,
)
from ops.pubsub import subscribed_async

# Serve all streams of this process on the event loop of its server.
#
# A follower costs a connection and some hundred bytes, no thread. When pub/sub wakes the hub, or
# a while has passed, it compares the subjects' heads and sends news to their followers.


MOST_FOLLOWERS = 2000
"""The most followers in one process."""
POLL_EVERY = 3.0
"""The seconds after which the hub polls the database although nothing has woken it."""
CATCH_UP_PAUSE = 0.01
"""The seconds between two readings for followers who are catching up."""
HEARTBEAT_EVERY = 15.0
"""The seconds between heartbeats, at which credentials are checked again too."""
LONGEST_STREAM = 1800.0
"""The seconds after which a stream ends; the client reconnects and authenticates again."""
MOST_WAITING_BYTES = 256 * 1024
"""The bytes that may wait for a follower; back-pressure stops further news beyond them."""
STUCK_TIMEOUT = 60.0
"""The seconds for which a follower may take nothing before they are disconnected."""

logger = logging.getLogger(__name__)
T = TypeVar("T")
U = TypeVar("U")


class Hub:
    """The followers of a process; its task runs for as long as there are any.

    All methods but `has_room` must be called on the event loop that serves them.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="followers")
        self._followers: set[Follower] = set()
        self._behind: set[Follower] = set()
        self._heads: dict[Subject, Head] = {}
        self._beaten = 0.0
        self._task: asyncio.Task[None] | None = None

    def has_room(self) -> bool:
        """Return whether there is room for another follower; callable from any thread."""
        return len(self._followers) < MOST_FOLLOWERS

    def add(self, follower: Follower) -> None:
        """Add a follower."""
        follower.since = follower.stuck = asyncio.get_running_loop().time()
        self._followers.add(follower)
        self._behind.add(follower)
        self._woken.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go_on())

    def look_again(self) -> None:
        """Wake the hub to check for news."""
        self._woken.set()

    def drop(self, follower: Follower) -> None:
        """Remove a follower."""
        self._followers.discard(follower)
        self._behind.discard(follower)

    async def _go_on(self) -> None:
        async with subscribed_async(NEWS_TOPIC) as self._woken:
            while self._followers:
                await self._wait()
                try:
                    await self._send_news()
                except Exception:
                    logger.exception("The followers could not be told; it is tried again.")
                    await asyncio.sleep(POLL_EVERY)
        self._heads = {}

    async def _wait(self) -> None:
        """Wait for a wake-up or a timeout, which is short if a follower is catching up.

        A follower whose buffer is full does not count: their connection wakes the hub when it
        drains.
        """
        hurried = any(follower.wire.waiting() < MOST_WAITING_BYTES for follower in self._behind)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), CATCH_UP_PAUSE if hurried else POLL_EVERY)
        self._woken.clear()

    async def _send_news(self) -> None:
        """Send news to followers of changed subjects, to those behind, and on a beat to all."""
        now = asyncio.get_running_loop().time()
        beat = now - self._beaten >= HEARTBEAT_EVERY
        heads = await self._ask(heads_of, {follower.subject for follower in self._followers})
        moved = {subject for subject in heads if heads[subject] != self._heads.get(subject)}
        chosen = {
            follower for follower in self._followers if beat or follower.subject in moved
        } | self._behind
        ready = [follower for follower in chosen if self._is_ready(follower, now)]
        if ready:
            updates, gone = await self._ask(news_for, ready)
            self._send(updates)
            self._let_go(gone)
        self._behind |= chosen.difference(ready) & self._followers
        self._heads = heads
        if beat:
            self._beaten = now
            self._keep_alive(now)

    async def _ask(self, question: Callable[[T], U], about: T) -> U:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._database, _query, question, about)

    def _is_ready(self, follower: Follower, now: float) -> bool:
        """Return whether the follower's buffer has room; disconnect one stuck for too long."""
        if follower.wire.waiting() < MOST_WAITING_BYTES:
            follower.stuck = now
        elif now - follower.stuck > STUCK_TIMEOUT:
            self._let_go([follower])
        return follower.wire.waiting() < MOST_WAITING_BYTES

    def _send(self, updates: list[News]) -> None:
        for news in updates:
            follower = news.follower
            if follower not in self._followers:
                continue
            follower.place, follower.stood = news.place, news.stood
            if news.messages:
                follower.wire.send(news.messages)
            (self._behind.add if news.more else self._behind.discard)(follower)

    def _keep_alive(self, now: float) -> None:
        old = [follower for follower in self._followers if now - follower.since > LONGEST_STREAM]
        self._let_go(old)
        for follower in list(self._followers):
            follower.wire.send(HEARTBEAT)

    def _let_go(self, followers: list[Follower]) -> None:
        for follower in followers:
            self.drop(follower)
            follower.wire.close()


@cache
def hub() -> Hub:
    """Return the hub of this process."""
    return Hub()


def _query(question: Callable[[T], U], about: T) -> U:
    """Return the answer to a query, on a database connection that is still usable."""
    close_old_connections()
    try:
        return question(about)
    finally:
        close_old_connections()


# Serve a follower: as a stream by an ASGI server, as a finite answer by any other.
#
# `StreamingApplication` lets Django authenticate the request and check access, and ends the
# request there: its thread and its database connection are free before the first message is sent.
# A follower then costs a connection and a task.


SUFFIX = "/stream/"
"""The end of every stream's address, by which a proxy routes it to the ASGI server."""
OPENING = b"retry: 2000\n\n"
"""The reconnection delay for browsers, in milliseconds."""
MOST_AT_ONCE = 20
"""The most readings, of some hundred events each, in a finite answer."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_OPENED = "sirdar.opened"
"""The key of an ASGI scope under which a view leaves the follower it has admitted."""

Introduce = Callable[[FollowerConnection], Follower]
Message = Mapping[str, Any]
Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


def follow(request: Request | HttpRequest, introduce: Introduce) -> HttpResponse:
    """Return the answer for the follower that `introduce` makes of a connection.

    Raises Problem if this process has no room for another stream.
    """
    opened = getattr(request, "scope", {}).get(_OPENED)
    if opened is None or request.method != "GET":
        return HttpResponse(_read_at_once(introduce), content_type=MEDIA_TYPE, headers=_HEADERS)
    if not hub().has_room():
        raise Problem("throttled", "Too many follow already.", headers={"Retry-After": "30"})
    opened.append(introduce)
    return HttpResponse(content_type=MEDIA_TYPE, headers=_HEADERS)


class StreamingApplication:
    """An ASGI application around Django's that continues streams after Django is done."""

    def __init__(self, django: Application) -> None:
        self._django = django

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(SUFFIX):
            await self._django(scope, receive, send)
            return
        opened: list[Introduce] = []
        answer: list[Message] = []

        async def keep(message: Message) -> None:
            answer.append(message)

        with Listener(receive) as listen:
            await self._django({**scope, _OPENED: opened}, listen, keep)
            if opened and answer and answer[0]["status"] == 200:
                await _stream(opened[0], answer[0], listen, send)
                return
        for message in answer:
            await send(message)


class Listener:
    """The `receive` of Django and of the stream after it.

    Django cancels its last `receive`, which waits for the client to disconnect. A server may take
    the cancellation for the end of the connection (gunicorn does), so it is called only once.
    """

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._whole = False
        self._last: asyncio.Future[Message] | None = None

    async def __call__(self) -> Message:
        if not self._whole:
            message = await self._receive()
            self._whole = not message.get("more_body", False)
            return message
        self._last = self._last or asyncio.ensure_future(self._receive())
        return await asyncio.shield(self._last)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_trouble: object) -> None:
        if self._last is not None:
            self._last.cancel()


async def _stream(introduce: Introduce, start: Message, receive: Receive, send: Send) -> None:
    """Send the follower's messages until the hub lets them go, or their program hangs up."""
    # Django has set the length of its own empty body; the stream has none.
    headers = [header for header in start["headers"] if header[0].lower() != b"content-length"]
    wire = QueueWire()
    follower = introduce(wire)
    hub().add(follower)
    tasks = [
        asyncio.create_task(_send_messages(wire, {**start, "headers": headers}, send)),
        asyncio.create_task(_hung_up(receive)),
    ]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        hub().drop(follower)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _send_messages(wire: "QueueWire", start: Message, send: Send) -> None:
    """Send the messages of the connection until its end.

    A client that stops reading ends it too, or it could keep its connection for ever.
    """
    with suppress(TimeoutError):
        await send(start)
        data: bytes | None = OPENING
        while data is not None:
            async with asyncio.timeout(STUCK_TIMEOUT):
                await send({"type": "http.response.body", "body": data, "more_body": True})
            data = await wire.next()
        async with asyncio.timeout(STUCK_TIMEOUT):
            await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class QueueWire:
    """A connection that queues messages until the server takes them."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0

    async def next(self) -> bytes | None:
        """Return the next message; None at the end."""
        data = await self._queue.get()
        was_full = self._bytes >= MOST_WAITING_BYTES
        self._bytes -= len(data or b"")
        if was_full and self._bytes < MOST_WAITING_BYTES:
            hub().look_again()
        return data

    def send(self, data: bytes) -> None:
        self._bytes += len(data)
        self._queue.put_nowait(data)

    def waiting(self) -> int:
        return self._bytes

    def close(self) -> None:
        self._queue.put_nowait(None)


def _read_at_once(introduce: Introduce) -> bytes:
    """Return all news up to a limit; the rest comes in the next answer."""
    wire = CollectedMessages()
    follower = introduce(wire)
    for _ in range(MOST_AT_ONCE):
        updates, _ = news_for([follower])
        for news in updates:
            wire.send(news.messages)
            follower.place, follower.stood = news.place, news.stood
        if not (updates and updates[0].more):
            break
    return OPENING + wire.data


class CollectedMessages:
    """A connection that collects its messages."""

    def __init__(self) -> None:
        self.data = b""

    def send(self, data: bytes) -> None:
        self.data += data

    def waiting(self) -> int:
        return 0

    def close(self) -> None:
        """Do nothing: the answer ends by itself."""
