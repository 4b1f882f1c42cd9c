"""A gunicorn worker whose threads do not wait for the slow.

A thread is given a request when all of its head has come, and all of a short body: until then the
connection waits in the main loop, which waits for a thousand as easily as for one, and hangs up on
what has not come in time. A long body has to come at a pace, and whoever reads no answer is left.
"""

import re
import socket
import time
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
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
_EXPECTS = re.compile(rb"\r\nexpect:", re.IGNORECASE)


class Patient(ThreadWorker):
    """Threads for requests that are there."""

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
