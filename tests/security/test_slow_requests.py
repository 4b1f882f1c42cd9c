"""Requests that dribble in: the deployment's own server behind the proxy, which waits for them."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import pytest
from django.http import UnreadablePostError
from django.test import RequestFactory

from api.http.problems import TYPES, problem_of
from campaign.web.error_pages import ErrorPagesMiddleware
from tests.patience import PATIENCE, wait_until
from tests.servers import Caddy, Nginx, free_port, running

ROOT = Path(__file__).parents[2]
THREADS = 4


def test_what_did_not_come_whole_is_no_failure_of_ours() -> None:
    told = problem_of(UnreadablePostError("timed out"))
    assert TYPES[told.type].status == 400
    spoken = ErrorPagesMiddleware(lambda _: pytest.fail("It was not to be asked again."))
    answer = spoken.process_exception(RequestFactory().post("/"), UnreadablePostError("slow"))
    assert answer is not None
    assert answer.status_code == 400


@pytest.fixture(scope="module", params=[Nginx, Caddy])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the proxy, before one process of the deployment with its four threads."""
    folder, here = tmp_path_factory.mktemp("slow"), free_port()
    told = {
        "PATH": os.environ["PATH"],
        "SIRDAR_DATA": str(folder),
        "SIRDAR_BIND": f"127.0.0.1:{here}",
        "WEB_CONCURRENCY": "1",
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "deploy/gunicorn.conf.py"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=ROOT, env=told, stdout=log, stderr=log, start_new_session=True
        )
    try:
        wait_until(lambda: is_up(here), "the web server to listen", (folder / "log").read_text)
        with running(request.param, str(here), str(free_port())) as proxy:
            yield proxy.port
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait(PATIENCE)


def is_up(port: int) -> bool:
    with socket.socket() as knocking:
        return knocking.connect_ex(("127.0.0.1", port)) == 0


def ask(port: int, body: bytes | None = None, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/health/live", body, {"Host": "localhost", **headers})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


SLOW = {
    "silent": b"",
    "head": b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-",
    "body": b"POST /health/live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\na",
    "long": b"POST /health/live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000\r\n\r\n"
    + b"a" * 5_000_000,
}


@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_more_slow_requests_than_threads_keep_nobody_out(port: int, begun: bytes) -> None:
    with ExitStack() as open_:
        slow = [
            open_.enter_context(socket.create_connection(("127.0.0.1", port)))
            for _ in range(3 * THREADS)
        ]
        for one in slow:
            one.sendall(begun)
        assert [ask(port) for _ in range(5)] == [200] * 5
        for one in slow:
            one.sendall(b"a")
        assert [ask(port) for _ in range(5)] == [200] * 5


MAP = b"GET /api/v1/maps/sudan.geojson HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_more_who_read_nothing_than_threads_keep_nobody_out(port: int) -> None:
    with ExitStack() as open_:
        for _ in range(3 * THREADS):
            idle = open_.enter_context(socket.socket())
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.connect(("127.0.0.1", port))
            idle.sendall(MAP * 40)
        assert [ask(port) for _ in range(5)] == [200] * 5


ANSWERED = {
    "well": b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "nonsense": b"GET\r\n\r\n",
}


@pytest.mark.parametrize("request_", ANSWERED.values(), ids=ANSWERED)
def test_who_has_his_answer_and_does_not_hang_up_keeps_nobody_out(
    port: int, request_: bytes
) -> None:
    """A hundred of them: one after the other they would be waited for longer than anybody asks."""
    with ExitStack() as open_:
        for _ in range(100):
            staying = open_.enter_context(
                socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            )
            staying.sendall(request_)
            assert staying.recv(100).startswith(b"HTTP/1.1 ")
        assert [ask(port) for _ in range(5)] == [200] * 5


def test_a_request_in_pieces_is_answered_when_it_is_whole(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as slow:
        for piece in (b"GET /health", b"/live HTTP/1.1\r\nHost: local", b"host\r\n\r\n"):
            slow.sendall(piece)
            ask(port)
        assert slow.recv(100).startswith(b"HTTP/1.1 200")


def test_two_requests_at_once_and_one_after_them_are_answered_on_one_line(port: int) -> None:
    request = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    line = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    with line, line.makefile("rb") as reader:
        line.sendall(request * 2)
        answers = [answered(reader), answered(reader)]
        line.sendall(request)
        assert [*answers, answered(reader)] == [b"HTTP/1.1 200 OK\r\n"] * 3


def answered(reader: BinaryIO) -> bytes:
    """Return the first line of an answer, the rest of it read too."""
    first, *head = iter(reader.readline, b"\r\n")
    told = dict(one.lower().split(b": ", 1) for one in head)
    reader.read(int(told[b"content-length"]))
    return first


def test_long_bodies_and_those_who_hang_up_half_way_do_no_harm(port: int) -> None:
    assert ask(port, b"a" * 200_000) == 200
    assert ask(port, b"a" * 2000, Expect="100-continue") == 200
    for begun in SLOW.values():
        with socket.create_connection(("127.0.0.1", port)) as gone:
            gone.sendall(begun)
    assert ask(port) == 200
