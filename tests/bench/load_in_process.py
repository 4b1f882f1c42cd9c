"""`python -m tests.bench.load in-process [ROW ...]`: processor time of requests, without a server.

The rows are those of `tests.bench.load`, each by turns with what it is laid beside, in one process.
On a busy machine rates say little; processor time, in many short turns, can still be compared.
"""

import io
import statistics
import sys
from collections.abc import Callable
from time import process_time
from typing import Any

from sirdar.wsgi import application
from tests.bench.load import CONNECTIONS, PAGES, Asked, rows

TURNS = 80
CALLS = 25
"""Calls in a turn: a turn is short, so that the two of a pair meet the same conditions."""


def measure_all(token: str, wanted: list[str]) -> None:
    """Print the rows that are wanted: all without names."""
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
