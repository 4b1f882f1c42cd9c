"""A gunicorn worker whose threads do not wait for the slow.

A thread is given a request when all of its head has come, and all of a short body: until then the
connection waits in the main loop, which waits for a thousand as easily as for one, and hangs up on
what has not come in time. A long body has to come at a pace, and whoever reads no answer is left.
So is whoever has his answer and does not hang up: nothing stands still for him either.
"""

import re
import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.http.unreader import SocketUnreader
from gunicorn.workers.gthread import ThreadWorker

WAITING = 10.0  # seconds in which a head and a short body have to come
SHORT = 65_536  # bytes of both together that are waited for
PACE = 20_000  # bytes a second of a longer body, after as many seconds of grace as above
READING = 30.0  # seconds in which each part of an answer has to be taken
PARTING = 2.0  # seconds in which whoever has not said all may come to his end after the answer
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class Patient(ThreadWorker):
    """Threads for requests that are there."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.parting: deque[Any] = deque()

    def enqueue_req(self, conn: Any) -> None:
        """Give the connection to a thread when it has a request; until then it waits here."""
        conn.seen = 0
        if is_there(conn):
            self._to_thread(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + WAITING
        self.pending_conns.append(conn)
        readable = partial(self.on_pending_socket_readable, conn)
        self.poller.register(conn.sock, EVENT_READ, readable)

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:
        if is_there(conn):
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self._to_thread(conn)

    def _to_thread(self, conn: Any) -> None:
        conn.data_ready = True
        _wake_at(conn.sock, 1)
        super().enqueue_req(conn)

    def handle(self, conn: Any) -> Any:
        conn.init()
        conn.parser.unreader = Hurried.instead_of(conn.parser.unreader)
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Any) -> Any:
        conn.sock.settimeout(READING)
        try:
            return super().handle_request(req, conn)
        except TimeoutError as slow:
            raise StopIteration from slow
        finally:
            conn.heard_out = getattr(req.body.reader, "length", None) == 0

    def finish_request(self, conn: Any, fs: Any) -> None:
        if fs.cancelled() or fs.exception() is not None or fs.result():
            super().finish_request(conn, fs)
        else:
            self._part_from(conn)

    def _part_from(self, conn: Any) -> None:
        """Hang up; where something unread may come yet, when it has come or after some time.

        A connection closed with anything unread is reset, and may lose the end of the answer.
        """
        with suppress(OSError):  # what broke in mid-answer is closed already
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        if has_ended(conn.sock, heard_out=getattr(conn, "heard_out", False)):
            self._hang_up(conn)
            return
        conn.timeout = time.monotonic() + PARTING
        self.parting.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self._on_more, conn))

    def _on_more(self, conn: Any, client: socket.socket) -> None:
        """Something comes from one who has been answered, or he hangs up."""
        if has_ended(client):
            self.parting.remove(conn)
            self._leave(conn)

    def murder_pending(self) -> None:
        super().murder_pending()
        now = time.monotonic()
        while self.parting and self.parting[0].timeout <= now:
            self._leave(self.parting.popleft())

    def _leave(self, conn: Any) -> None:
        self.poller.unregister(conn.sock)
        self._hang_up(conn)

    def _hang_up(self, conn: Any) -> None:
        self.nr_conns -= 1
        conn.close()


class Hurried(SocketUnreader):
    """Reads a connection as long as it keeps up the pace."""

    @classmethod
    def instead_of(cls, other: SocketUnreader) -> "Hurried":
        """The same connection, with what has been read of it and not used, and time anew."""
        made = cls(other.sock)
        made.unread(other.take_buffered())
        made.until = time.monotonic() + WAITING
        return made

    until: float

    def chunk(self, size_hint: int | None = None) -> bytes:
        left, before = self.until - time.monotonic(), self.sock.gettimeout()
        if left <= 0:
            raise TimeoutError("The request has come too slowly.")
        self.sock.settimeout(left if before is None else min(left, before))
        try:
            found: bytes = super().chunk(size_hint)
        finally:
            self.sock.settimeout(before)
        self.until += len(found) / PACE
        return found


def is_there(conn: Any) -> bool:
    """Whether a thread would not have to wait for the request; if so, what it would wait for.

    What has come stays where it is. The main loop is woken when enough has come to look again.
    """
    if conn.parser is not None and conn.parser.unreader.buf.getvalue():
        return True
    try:
        come = conn.sock.recv(SHORT, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
    more = missing(come)
    if not more or len(come) <= conn.seen:
        return True
    conn.seen = len(come)
    _wake_at(conn.sock, len(come) + more)
    return False


def has_ended(connection: socket.socket, *, heard_out: bool = False) -> bool:
    """Whether the other end says no more: it has hung up, or nothing is there and `heard_out`.

    What is there is thrown away.
    """
    try:
        return connection.recv(SHORT) == b""
    except BlockingIOError:
        return heard_out
    except OSError:
        return True


def missing(come: bytes) -> int:
    """So many bytes of the request have to come yet, at the least; 0: a thread can begin."""
    if not come or len(come) >= SHORT:
        return 0
    head, ended, _ = come.partition(b"\r\n\r\n")
    if not ended:
        return 1
    told = _LENGTH.search(head + b"\r\n")
    whole = len(head) + len(ended) + (int(told[1]) if told else 0)
    if whole > SHORT or _EXPECTS.search(head):
        return 0
    return max(0, whole - len(come))


def _wake_at(connection: socket.socket, count: int) -> None:
    """Have the loop be told of the connection when so many bytes of it lie there to be read."""
    with suppress(OSError):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)
