"""`python -m tests.bench.load in-process [ROW ...]`: processor time of requests, without a server.

The rows are those of `tests.bench.load`, each by turns with what it is laid beside, in one process.
On a busy machine rates say little; processor time, in many short turns, can still be compared. The
row `parts` says what the 304 of a map and of a state consist of, beside the trivial view.
"""

import io
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable
from time import process_time, thread_time_ns
from typing import Any

import django

django.setup()

from django.core.handlers.base import BaseHandler
from django.db.backends.utils import CursorWrapper

from api.http import endpoint
from campaign.access import selectors
from sirdar.wsgi import application
from tests.bench.load import CONNECTIONS, PAGES, TRIVIAL, Asked, rows

TURNS = 80
CALLS = 25
"""Calls in a turn: a turn is short, so that the two of a pair meet the same conditions."""
PARTS = "parts"
REQUESTS = 1500
TIMED: tuple[tuple[str, Any, str], ...] = (
    ("the address", BaseHandler, "resolve_request"),
    ("the view", endpoint.ReadyEndpoint, "dispatch"),
    ("the query that checks access", selectors, "version_for"),
    ("cursor.execute", CursorWrapper, "execute"),
    ("the answer and its headers", endpoint, "respond"),
)
"""The functions that do the parts of a request, each within those before it or beside them."""


def measure_all(token: str, wanted: list[str]) -> None:
    """Print the rows that are wanted: all without names."""
    if wanted == [PARTS]:
        measure_parts()
        return
    print(f"in one process; least and median of {TURNS} turns of {CALLS} calls", flush=True)
    for row in rows(tag(PAGES["map"]), tag(PAGES["state"]), token):
        if row.asked.connections != CONNECTIONS or (wanted and row.name not in wanted):
            continue
        pairs = [(clock(row.asked), clock(row.beside)) for _ in range(TURNS)]
        asked, beside = (min(times) for times in zip(*pairs, strict=True))
        ratios = statistics.quantiles([other / one for one, other in pairs], n=10)
        print(
            f"  {row.name:<24} {asked:.3f} ms, {row.beside.path:<16} {beside:.3f} ms: "
            f"{beside / asked:.2f}; {ratios[4]:.2f} ({ratios[0]:.2f} to {ratios[8]:.2f})",
            flush=True,
        )


def measure_parts() -> None:
    """Print the processor time of the parts of a 304, in microseconds, of kinds in turn."""
    known = {name: f"If-None-Match: {tag(path)}" for name, path in PAGES.items()}
    kinds = {name: Asked(path, (known[name],)) for name, path in PAGES.items()}
    spent: dict[tuple[str, str], list[int]] = defaultdict(list)
    kind = ""

    def timed(part: str, do: Callable[..., Any]) -> Callable[..., Any]:
        def measured(*args: Any, **named: Any) -> Any:
            begun = thread_time_ns()
            try:
                return do(*args, **named)
            finally:
                spent[kind, part].append(thread_time_ns() - begun)

        return measured

    for part, where, name in TIMED:
        setattr(where, name, timed(part, getattr(where, name)))
    whole = timed("the whole request", call)
    for turn in range(-50, REQUESTS):
        if not turn:
            spent.clear()
        for kind, asked in {"trivial": TRIVIAL, **kinds}.items():  # noqa: B007  measured() reads it
            whole(asked)
    for (about, part), times in sorted(spent.items()):
        low, *_, middle, _, _, _, high = statistics.quantiles(times, n=10)
        print(
            f"  {about:<8} {part:<30} {middle / 1000:7.1f} us ({low / 1000:.1f} to "
            f"{high / 1000:.1f}), n={len(times)}",
            flush=True,
        )


def tag(path: str) -> str:
    """Return the ETag of what stands there."""
    found: dict[str, str] = {}
    call(Asked(path), found.update)
    return found["ETag"]


def clock(asked: Asked) -> float:
    """Return the milliseconds of processor time that a request takes."""
    begun = process_time()
    for _ in range(CALLS):
        call(asked)
    return (process_time() - begun) / CALLS * 1000


def call(asked: Asked, heard: Callable[[Any], object] = lambda _: None) -> None:
    """Send a request to the program. Raises RuntimeError for an answer that is no success."""

    def start(status: str, headers: list[tuple[str, str]], failure: Any = None) -> None:
        if status[0] not in "23":
            raise RuntimeError(f"{asked.path}: {status}")
        heard(dict(headers))

    sent = dict(header.split(": ", 1) for header in asked.headers)
    environ = {
        "REQUEST_METHOD": "GET", "PATH_INFO": asked.path, "SCRIPT_NAME": "", "QUERY_STRING": "",
        "SERVER_NAME": "localhost", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(), "wsgi.errors": sys.stderr,
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in sent.items()},
    }  # fmt: skip
    answer: Any = application(environ, start)
    list(answer)
    answer.close()


if __name__ == "__main__":
    measure_all(sys.argv[1], sys.argv[2:])
