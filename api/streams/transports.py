"""Serve a follower: as a stream by an ASGI server, as a finite answer by any other.

`StreamingApplication` lets Django authenticate the request and check access, and ends the request
there: its thread and its database connection are free before the first message is sent. A follower
then costs a connection and a task.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Self

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from api.http.problems import Problem
from api.streams.followers import Follower, FollowerConnection, news_for
from api.streams.hub import FULL, STUCK_TIMEOUT, hub
from api.streams.messages import MEDIA_TYPE

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
    headers = [one for one in start["headers"] if one[0].lower() != b"content-length"]
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
        was_full = self._bytes >= FULL
        self._bytes -= len(data or b"")
        if was_full and self._bytes < FULL:
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
        told, _ = news_for([follower])
        for news in told:
            wire.send(news.messages)
            follower.place, follower.stood = news.place, news.stood
        if not (told and told[0].more):
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
