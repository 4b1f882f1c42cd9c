"""The web server of docs/deploy.md behind its proxy, under hundreds of clients that dribble, say
nothing or read nothing, while somebody looks at pages and at the state."""

import socket
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from tests.servers import Nginx, running
from tests.torture.club import CSRF, Club, Hand, quiet_port, until

pytestmark = pytest.mark.torture
MANY = 300
ASKED = 60
THREADS = 8
PAGES = ("/about/", "/campaigns/war/", "/api/v1/campaigns/war/months/current/state/")
POST = (
    b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nCookie: csrftoken="
    + CSRF.encode()
    + b"\r\nContent-Length: "
)
NO_THREAD = {
    "nothing": b"",
    "a head without an end": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    "a form of 60 kB": POST + b"60000\r\n\r\n",
}
"""What no thread is given, however many send it."""
LONG = POST + b"600000\r\n\r\n"
MAP = (
    b"GET /api/v1/maps/sudan.geojson HTTP/1.1\r\nHost: localhost\r\n"
    b"Accept-Encoding: identity\r\n\r\n"
)


class Crowd:
    """Clients that send a byte each time they are told to."""

    def __init__(self, port: int, many: int, begun: bytes) -> None:
        self._open = ExitStack()
        self.lines = [self._knock(port, begun) for _ in range(many)]

    def _knock(self, port: int, begun: bytes) -> socket.socket:
        line = self._open.enter_context(socket.socket())
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", port))
        line.sendall(begun)
        line.setblocking(False)
        return line

    def dribble(self, byte: bytes) -> None:
        for line in self.lines:
            with suppress(OSError):
                line.send(byte)

    def left(self) -> int:
        """Return how many the server has not hung up on, which takes what they were told."""
        return sum(map(_is_open, self.lines))

    def go(self) -> None:
        self._open.close()


def _is_open(line: socket.socket) -> bool:
    try:
        return line.recv(65_536) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


@pytest.fixture
def served(club: Club) -> Iterator[Club]:
    """The club's web server as it is deployed: nginx before two processes of four threads."""
    club.web()
    with running(Nginx, str(club.port), str(quiet_port())) as proxy:
        club.port = proxy.port
        yield club
    assert "Traceback" not in club.log("web")


@pytest.fixture
def session(served: Club, hand: Hand) -> str:
    """That of a player, who has looked at every page before."""
    found: str = hand("begin", slug="war")["sessions"]["egyptian"]
    looked(served, found)
    return found


def looked(club: Club, session: str) -> tuple[Counter[int], list[float]]:
    """Count the answers to a visitor of pages and the map by status, and time them."""
    statuses, waited = Counter[int](), []
    for number in range(ASKED):
        began = time.monotonic()
        statuses[club.get(PAGES[number % len(PAGES)], session).status] += 1
        waited.append(time.monotonic() - began)
    return statuses, waited


def in_figures(waited: list[float]) -> str:
    middle, slowest = statistics.median(waited), max(waited)
    return f"pages in {middle * 1000:.0f} ms (median), {slowest:.1f} s at most"


@pytest.mark.parametrize("begun", NO_THREAD.values(), ids=NO_THREAD)
def test_hundreds_who_dribble_hold_no_thread_and_are_hung_up_on(
    served: Club, session: str, tell: Callable[[str], None], begun: bytes
) -> None:
    crowd = Crowd(served.port, MANY, begun)
    statuses, waited = looked(served, session)
    there = crowd.left()
    assert statuses == {200: ASKED}
    assert there > MANY // 2, "they were to be there yet"
    began = time.monotonic()

    def gone() -> bool:
        """A head has to come within a time; of a body only something has to."""
        crowd.dribble(b"a" if begun.startswith(b"GET") else b"")
        time.sleep(0.5)
        return crowd.left() == 0

    until(gone, "they are still there", 60)
    kind = next(kind for kind, one in NO_THREAD.items() if one is begun)
    tell(
        f"{MANY} clients sending {kind}: {in_figures(waited)}; the last was hung up on "
        f"{time.monotonic() - began:.0f} s later"
    )
    crowd.go()


def test_hundreds_who_have_their_answers_and_stay_hold_nobody_up(
    served: Club, session: str, tell: Callable[[str], None]
) -> None:
    """A malformed request is refused, but more of it may come: the server has to wait."""
    crowd = Crowd(served.port, MANY, b"NONSENSE\r\n\r\n")
    statuses, waited = looked(served, session)
    assert statuses == {200: ASKED}
    tell(f"{MANY} clients that do not hang up after their answer: {in_figures(waited)}")
    crowd.go()


def test_more_long_bodies_than_threads_are_given_up(
    served: Club, session: str, tell: Callable[[str], None]
) -> None:
    crowd = Crowd(served.port, 2 * THREADS, LONG)
    statuses, waited = looked(served, session)
    assert statuses == {200: ASKED}
    until(lambda: crowd.left() == 0, "they are still there", 120)
    tell(f"{2 * THREADS} forms of 600 kB that do not come: {in_figures(waited)}")
    crowd.go()


def test_as_many_as_threads_who_read_nothing_are_left(
    served: Club, session: str, tell: Callable[[str], None]
) -> None:
    """They ask for more than lies between them and us, and take none of it."""
    crowd = Crowd(served.port, THREADS, MAP * 40)
    statuses, waited = looked(served, session)
    assert statuses == {200: ASKED}
    tell(f"{THREADS} readers who read nothing: {in_figures(waited)}")
    crowd.go()
