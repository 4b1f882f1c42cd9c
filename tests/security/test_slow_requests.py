"""Requests that dribble in: the deployment's own server, and what of one it waits for where."""

import http.client
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import BinaryIO

import pytest
from django.http import UnreadablePostError
from django.test import RequestFactory

from api.problems import TYPES, problem_of
from campaign.views.errors import SpokenFailures
from sirdar.patient import SHORT, Hurried, Patient, missing
from tests.patience import PATIENCE, wait_until
from tests.servers import free_port

ROOT = Path(__file__).parents[2]
HEAD = b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
THREADS = 4


@pytest.mark.parametrize(
    ("come", "more"),
    [
        (b"G", 1),
        (HEAD, 1),
        (HEAD + b"\r\n", 0),
        (HEAD + b"Content-Length: 10\r\n\r\n", 10),
        (HEAD + b"content-length:10\r\n\r\n1234", 6),
        (HEAD + b"CONTENT-LENGTH: 10 \r\n\r\n1234567890GET /", 0),
        (HEAD + b"X-Content-Length: 10\r\n\r\n", 0),
        (HEAD + f"Content-Length: {SHORT}\r\n\r\n".encode(), 0),
        (HEAD + b"Content-Length: 10\r\nExpect: 100-continue\r\n\r\n", 0),
        (HEAD + b"Content-Length: ten\r\n\r\n", 0),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", 0),
        (HEAD + b"X: " + b"a" * SHORT, 0),
        (b"", 0),
    ],
)
def test_a_thread_gets_what_has_come_whole_and_what_is_not_waited_for(
    come: bytes, more: int
) -> None:
    assert missing(come) == more


def test_a_long_body_keeps_up_the_pace_or_is_left() -> None:
    here, there = socket.socketpair()
    with here, there:
        reader = Hurried.instead_of(Hurried(here))
        there.sendall(b"a" * 1000)
        before = reader.until
        assert reader.chunk(1000) == b"a" * 1000
        assert reader.until > before
        reader.until = 0.0
        with pytest.raises(TimeoutError):
            reader.chunk()


def test_what_did_not_come_whole_is_no_failure_of_ours() -> None:
    told = problem_of(UnreadablePostError("timed out"))
    assert TYPES[told.type].status == 400
    spoken = SpokenFailures(lambda _: pytest.fail("It was not to be asked again."))
    answer = spoken.process_exception(RequestFactory().post("/"), UnreadablePostError("slow"))
    assert answer is not None
    assert answer.status_code == 400


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Where one process of the deployment's server listens, with its four threads."""
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
        yield here
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
}


@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_more_slow_requests_than_threads_keep_nobody_out(port: int, begun: bytes) -> None:
    """Those who dribble are still connected when the others have had their answers."""
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
        assert not any(map(hung_up, slow))


def hung_up(one: socket.socket) -> bool:
    one.setblocking(False)
    try:
        return one.recv(1) == b""
    except BlockingIOError:
        return False


def test_who_is_gone_already_is_parted_from_at_once() -> None:
    here, there = socket.socketpair()
    with there:
        here.close()
        parting = Patient.__new__(Patient)
        parting.nr_conns = 1
        parting._part_from(SimpleNamespace(sock=here, close=here.close))
    assert parting.nr_conns == 0


ANSWERED = {
    "well": b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "nonsense": b"GET\r\n\r\n",
    "unread": b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Content-Length: 100000\r\n\r\n" + b"a" * 99_000,
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
    """The first line of an answer, the rest of it read too."""
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
