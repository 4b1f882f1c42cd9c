"""By what way a follower is let in.

The program is served by threads, of which there are few; a follower must not keep one. Where the
server shows the connection (gunicorn does), it is taken over and the thread goes on to the next
request. An ASGI server waits by itself. By any other server what there is to tell is told at once
and the answer ends; a browser comes back for more by itself.
"""

import asyncio
import os
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from api.problems import Problem
from api.streams.followers import Follower, Wire, news_for
from api.streams.hub import FULL, STUCK, hub
from api.streams.messages import MEDIA_TYPE

OPENING = b"retry: 2000\n\n"
"""Milliseconds after which a browser comes back when the line was broken."""
MOST_AT_ONCE = 20
"""Readings of some hundred events in an answer that ends."""
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
Introduce = Callable[[Wire], Follower]


def let_in(request: HttpRequest, introduce: Introduce) -> HttpResponseBase:
    """The answer by which he follows whom `introduce` makes of a wire; Problem without room."""
    if isinstance(request, ASGIRequest):
        _check_room()
        return _streamed(introduce)
    connection = request.META.get("gunicorn.socket")
    if isinstance(connection, socket.socket) and not isinstance(connection, ssl.SSLSocket):
        _check_room()
        return TakenOver(connection, introduce)
    return HttpResponse(_told_at_once(introduce), content_type=MEDIA_TYPE, headers=_HEADERS)


def _check_room() -> None:
    if not hub().has_room():
        raise Problem("throttled", "Too many follow already.", headers={"Retry-After": "30"})


class TakenOver(HttpResponse):
    """An answer whose connection is taken over when the server comes to send it."""

    def __init__(self, connection: socket.socket, introduce: Introduce) -> None:
        super().__init__(content_type=MEDIA_TYPE, headers=_HEADERS)
        self._connection, self._introduce = connection, introduce

    def __iter__(self) -> Iterator[bytes]:
        taken, head = _taken_over(self._connection), self._head()
        hub().do(lambda: _attend(taken, head, self._introduce))
        return iter(())

    def _head(self) -> bytes:
        """Status line and headers, as the server would have sent them."""
        kept = [(name, value) for name, value in self.items() if name != "Content-Length"]
        lines = [f"{name}: {value}\r\n" for name, value in [*kept, ("Connection", "close")]]
        lines += [f"Set-Cookie: {one.OutputString()}\r\n" for one in self.cookies.values()]
        return "".join(["HTTP/1.1 200 OK\r\n", *lines, "\r\n"]).encode("latin-1")


def _taken_over(connection: socket.socket) -> socket.socket:
    """The connection; what the server still holds leads nowhere from now on.

    The server closes its own descriptor as after any answer. Were it still that of the
    connection, it would end the follower's line with it.
    """
    taken = connection.dup()
    nowhere, other = socket.socketpair()
    with nowhere, other:
        os.dup2(nowhere.fileno(), connection.fileno())
    return taken


async def _attend(taken: socket.socket, head: bytes, introduce: Introduce) -> None:
    taken.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.connect_accepted_socket(lambda: Line(head, introduce), taken)


class Line(asyncio.Protocol):
    """A connection that was taken over."""

    def __init__(self, head: bytes, introduce: Introduce) -> None:
        self._head, self._follower = head, introduce(self)
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.set_write_buffer_limits(high=FULL)
        transport.write(self._head + OPENING)
        hub().add(self._follower)

    def connection_lost(self, exc: Exception | None) -> None:
        hub().drop(self._follower)

    def resume_writing(self) -> None:
        """There is room again, after more was waiting than may."""
        hub().look_again()

    def send(self, data: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(data)

    def waiting(self) -> int:
        return int(self._transport.get_write_buffer_size())

    def close(self) -> None:
        """Close the connection once what is waiting has been taken off, or without that soon.

        A program that reads no more would otherwise keep its connection for as long as it likes.
        """
        self._transport.close()
        asyncio.get_running_loop().call_later(STUCK, self._transport.abort)


def _streamed(introduce: Introduce) -> StreamingHttpResponse:
    """Each message must go out when it comes: no middleware is to collect and compress them."""
    headers = _HEADERS | {"Content-Encoding": "identity"}
    return StreamingHttpResponse(_messages(introduce), content_type=MEDIA_TYPE, headers=headers)


async def _messages(introduce: Introduce) -> AsyncIterator[bytes]:
    wire = Queue(asyncio.get_running_loop())
    follower = introduce(wire)
    hub().do(lambda: _added(follower))
    try:
        yield OPENING
        while (data := await wire.next()) is not None:
            yield data
    finally:
        hub().do(lambda: _dropped(follower))


async def _added(follower: Follower) -> None:
    hub().add(follower)


async def _dropped(follower: Follower) -> None:
    hub().drop(follower)


async def _looked_again() -> None:
    hub().look_again()


class Queue:
    """A wire into the loop of an ASGI server."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0

    async def next(self) -> bytes | None:
        """What comes next; None when nothing will."""
        data = await self._queue.get()
        was_full = self._bytes >= FULL
        self._bytes -= len(data or b"")
        if was_full and self._bytes < FULL:
            hub().do(_looked_again)
        return data

    def send(self, data: bytes) -> None:
        self._bytes += len(data)
        self._put(data)

    def waiting(self) -> int:
        return self._bytes

    def close(self) -> None:
        self._put(None)

    def _put(self, data: bytes | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue.put_nowait, data)


def _told_at_once(introduce: Introduce) -> bytes:
    """Everything there is to tell, as one answer; what is left of very much comes in the next."""
    wire = Answer()
    follower = introduce(wire)
    for _ in range(MOST_AT_ONCE):
        told, _ = news_for([follower])
        for news in told:
            wire.send(news.messages)
            follower.place, follower.stood = news.place, news.stood
        if not (told and told[0].more):
            break
    return OPENING + wire.data


class Answer:
    """A wire that keeps what is sent."""

    def __init__(self) -> None:
        self.data = b""

    def send(self, data: bytes) -> None:
        self.data += data

    def waiting(self) -> int:
        return 0

    def close(self) -> None:
        """There is nothing to close: the answer ends by itself."""
