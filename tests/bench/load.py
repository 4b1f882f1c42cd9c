"""`python -m tests.bench.load [ROW ...]`: map and state under load, beside a trivial view.

Two web workers, connections closed after every answer so that both of them work, every row by turns
with what it is laid beside. A row is printed as soon as it is measured; by naming some (`gthread`,
`granian/state-*`, `followers`) one goes on where a run was broken off. Beside the rate stands the
processor time that the server took for an answer: on a busy machine it can still be compared. The
rows of `postgres` are those of `gthread` that ask the database, on a PostgreSQL of their own. It
needs wrk, and says so where there is none. With `in-process` before the rows it measures processor
time instead of rates.
"""

import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from tests.bench import load_followers
from tests.servers import Postgres, free_port, running

ROOT = Path(__file__).resolve().parent.parent.parent
CONNECTIONS = 16
MISSING = "No figures under load: wrk is missing; install it with 'apt install wrk'."
DEPLOYED = "gunicorn sirdar.wsgi --worker-class gthread --threads 4"
STREAMS = "gunicorn sirdar.asgi --worker-class asgi"
"""The two servers of a club's site; at home the second serves the pages too."""
STREAMING = "asgi"
SERVERS = {
    "gthread": DEPLOYED,
    STREAMING: STREAMS,
    "granian": "granian sirdar.wsgi:application --interface wsgi --no-ws --backpressure 64",
}
POSTGRES = "postgres"
ASKING = "trivial", "state*"
"""The rows that ask the database, and what they are laid beside."""
FOLLOWERS = "followers"
IN_PROCESS = "in-process"
FIGURE = re.compile(r"Requests/sec:\s+([\d.]+)")
ANSWERS = re.compile(r"(\d+) requests in ")
TICKS = os.sysconf("SC_CLK_TCK") / 1000  # of processor time, in a millisecond
LATENCY = re.compile(r"\s(50|99)%\s+([\d.]+)(us|ms|s|m)\b")
TO_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}
BAD = re.compile(r"Non-2xx or 3xx responses: (\d+)")
SETTLED = 0.03  # seconds within which an idle server answers
PATIENCE = 60.0  # seconds in which one gets through with what it was still asked


class Asked(NamedTuple):
    """A request: an address and its headers, over so many connections at once."""

    path: str
    headers: tuple[str, ...] = ()
    connections: int = CONNECTIONS


class Row(NamedTuple):
    """A figure: what is asked for, what that is laid beside, and what is aimed at."""

    name: str
    asked: Asked
    beside: Asked
    aim: str


class Run(NamedTuple):
    """The figures of a run: answers a second, and the median and 99th percentile (ms).

    `cost` is the processor time of the server for an answer, in ms.
    """

    rate: float
    half: float
    most: float
    answers: int
    cost: float = 0.0


class Server(NamedTuple):
    """A server that runs: its port, and the group of its processes."""

    port: int
    group: int

    def busy(self) -> float:
        """Return the milliseconds of processor time that its processes have taken so far."""
        spent = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                told = path.read_text().rpartition(")")[2].split()
                if int(told[2]) == self.group:
                    spent += int(told[11]) + int(told[12])
        return spent / TICKS


class Effort(NamedTuple):
    """The seconds and rounds for which a row is measured, and the number of followers."""

    seconds: int = int(os.environ.get("BENCH_LOAD_SECONDS", "1"))
    rounds: int = int(os.environ.get("BENCH_LOAD_ROUNDS", "3"))
    followers: int = 500
    months: int = 4
    """Months that the campaign is on when it is read."""
    workers: int = 2
    """Processes of a server; the followers are always on one."""
    rough: bool = False
    """True if server and address are neither warmed up nor left to settle, and a row is laid
    beside itself, which is not measured again."""


class Site(NamedTuple):
    """A database with a campaign: what a server needs to know, and the token of a reader."""

    environment: dict[str, str]
    token: str


TRIVIAL = Asked("/bench/trivial/")
CALLER = "/bench/caller/"
"""A trivial view that reads whose token was sent: no work of an authenticated request is less."""
PAGES = {"map": "/api/v1/maps/sudan/", "state": "/api/v1/campaigns/load/months/current/state/"}
SERIALIZED = {
    "map": {"serializer": "/bench/map/"},
    "state": {"serializer": "/bench/state/load/", "serializer-in-memory": "/bench/state/"},
}
"""The same by a serializer: the map, which never changes, lies in memory there; a state is read."""
PACKED = ("br", "gzip", "zstd")
CLUB = "50/s"
"""A club asks for tens of documents a second at most."""
FEW = 2
"""Connections on which the slow rows are asked for: more would be waited for long afterwards."""


QUICK = ["gthread/state-304", "asgi/trivial", "granian/trivial", f"{POSTGRES}/state", FOLLOWERS]
"""Rows that show, of every server and kind of row, that it runs."""


def main(wanted: list[str], *, quick: bool = False) -> None:
    """Print the figures that are wanted: all where none is named, few and rough ones if quick."""
    if IN_PROCESS in wanted[:1]:
        with _site({}, Effort().months) as site:
            command = [sys.executable, "-m", "tests.bench.load_in_process", site.token, *wanted[1:]]
            subprocess.run(
                command, env=site.environment, cwd=ROOT, check=True, stderr=subprocess.DEVNULL
            )
        return
    if shutil.which("wrk") is None:
        print(MISSING)
        return
    effort = Effort()
    if quick:
        effort = Effort(rounds=1, followers=20, months=1, workers=1, rough=True)
        wanted = wanted or QUICK
    _measure_all(wanted, effort)
    asking = {name for name in _rows_of(POSTGRES, wanted) if _is_one_of(name, ASKING)}
    _measure_asking(asking, effort)


def _measure_all(wanted: list[str], effort: Effort) -> None:
    """Every server, and the followers, on SQLite."""
    servers = {server: found for server in SERVERS if (found := _rows_of(server, wanted))}
    followed = _is_wanted(FOLLOWERS, wanted)
    if not servers and not followed:
        return
    with _site({}, effort.months) as site:

        def follow(port: int) -> None:
            load_followers.measure(port, effort.followers, lambda: _play_on(site))

        beside = followed and effort.workers == 1 and STREAMING in servers
        for server, names in servers.items():
            after = follow if beside and server == STREAMING else None
            _measure_server(server, site, names, effort, after)
        if followed and not beside:
            with serving(STREAMS, site.environment, 1) as streams:
                follow(streams.port)


def _measure_asking(names: set[str], effort: Effort) -> None:
    """Measure the rows that query the database, on PostgreSQL."""
    if not names:
        return
    with (
        running(Postgres) as server,
        _site({"DATABASE_URL": server.fresh("load")}, effort.months) as site,
    ):
        _measure_server(POSTGRES, site, names, effort)


def _rows_of(server: str, wanted: list[str]) -> set[str]:
    """Return the names of the server's rows that are wanted."""
    names = [row.name for row in rows("", "", "")]
    return {name for name in names if _is_wanted(f"{server}/{name}", wanted)}


def _is_one_of(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, one) for one in patterns)


def _is_wanted(name: str, wanted: list[str]) -> bool:
    """Return whether it is named, by itself or with all of its server; everything is where nothing
    is.
    """
    return not wanted or any(fnmatch(name, one) or fnmatch(name, f"{one}/*") for one in wanted)


def _measure_server(
    server: str,
    site: Site,
    names: set[str],
    effort: Effort,
    after: Callable[[int], None] | None = None,
) -> None:
    """Print the rows of a server; then do `after` on the port of the same one."""
    with serving(SERVERS.get(server, DEPLOYED), site.environment, effort.workers) as started:
        map_tag, state_tag = (_tag(started.port, path) for path in PAGES.values())
        how = f"n={effort.rounds} of {effort.seconds} s"
        print(f"{server}, {effort.workers} workers, connections closed; {how}", flush=True)
        for row in rows(map_tag, state_tag, site.token):
            if row.name in names:
                pairs = measure(started, row, effort)
                print(_told(f"{server}/{row.name}", row, pairs, effort), flush=True)
        if after is not None:
            after(started.port)


def rows(map_tag: str, state_tag: str, token: str) -> Iterator[Row]:
    """Yield all that is measured of a server."""
    yield Row("trivial", TRIVIAL, TRIVIAL, "1")
    authorized = f"Authorization: Bearer {token}"
    for name, tag in (("map", map_tag), ("state", state_tag)):
        path, known = PAGES[name], f"If-None-Match: {tag}"
        yield Row(name, Asked(path), TRIVIAL, CLUB)
        for one in PACKED:
            packed = Asked(path, (f"Accept-Encoding: {one}",))
            yield Row(f"{name}-{one}", packed, TRIVIAL, CLUB)
        yield Row(f"{name}-304", Asked(path, (known,)), TRIVIAL, CLUB)
        if name == "state":
            yield Row(f"{name}-token", Asked(path, (authorized,)), TRIVIAL, CLUB)
            yield Row(f"{name}-304-token", Asked(path, (authorized, known)), TRIVIAL, CLUB)
            caller = Asked(CALLER, (authorized,))
            yield Row(f"{name}-token-caller", Asked(path, (authorized,)), caller, CLUB)
            yield Row(f"{name}-304-token-caller", Asked(path, (authorized, known)), caller, CLUB)
        for kind, where in SERIALIZED[name].items():
            slow = Asked(where, connections=FEW)
            yield Row(f"{name}-{kind}", slow, Asked(path, connections=FEW), "less than 1")


def measure(server: Server, row: Row, effort: Effort) -> list[tuple[Run, Run]]:
    """Return the row and what it is laid beside, by turns, each warmed once."""

    def run(asked: Asked, seconds: int) -> Run:
        before = server.busy()
        measured = wrk(server.port, asked, seconds=seconds)
        cost = (server.busy() - before) / max(measured.answers, 1)
        if not effort.rough:
            _settle(server.port)
        return measured._replace(cost=cost)

    if not effort.rough:
        for asked in (row.beside, row.asked):
            run(asked, 1)
    pairs = []
    for _ in range(effort.rounds):
        measured = run(row.asked, effort.seconds)
        pairs.append((measured, measured if effort.rough else run(row.beside, effort.seconds)))
    return pairs


def wrk(port: int, asked: Asked, *, seconds: int) -> Run:
    """One run. Raises RuntimeError where an answer was none of success."""
    headers = ["Connection: close", *asked.headers]
    command = ["wrk", "-t1", f"-c{asked.connections}", f"-d{seconds}s", "--latency"]
    command += ["--timeout", f"{PATIENCE:.0f}s"]
    command += [word for header in headers for word in ("-H", header)]
    address = f"http://127.0.0.1:{port}{asked.path}"
    said = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    if bad := BAD.search(said):
        raise RuntimeError(f"{asked.path}: {bad.group()}")
    times = {name: float(value) * TO_MS[unit] for name, value, unit in LATENCY.findall(said)}
    (rate,), (answers,) = FIGURE.findall(said), ANSWERS.findall(said)
    return Run(float(rate), times.get("50", 0.0), times.get("99", 0.0), int(answers))


def _settle(port: int) -> None:
    """Wait until the server is through with what it was still asked as wrk went away."""
    end = time.monotonic() + PATIENCE
    quick = 0
    while quick < 2 * CONNECTIONS and time.monotonic() < end:
        begun = time.monotonic()
        with urlopen(f"http://127.0.0.1:{port}{TRIVIAL.path}", timeout=PATIENCE) as answer:
            answer.read()
        quick = quick + 1 if time.monotonic() - begun < SETTLED else 0


def _told(name: str, row: Row, pairs: list[tuple[Run, Run]], effort: Effort) -> str:
    ratios = [one.rate / max(other.rate, 1 / effort.seconds) for one, other in pairs]
    rate = statistics.median(one.rate for one, _ in pairs)
    half = statistics.median(one.half for one, _ in pairs)
    most = statistics.median(one.most for one, _ in pairs)
    cost = statistics.median(one.cost for one, _ in pairs)
    shares = [other.cost / max(one.cost, 1 / TICKS / 1000) for one, other in pairs]
    beside = {TRIVIAL.path: "the trivial", CALLER: "the trivial with a token"}.get(
        row.beside.path, "it as it is"
    )
    return (
        f"  {name:<34} {rate:7.0f}/s  {statistics.median(ratios):6.3f} of {beside} "
        f"({min(ratios):.3f} to {max(ratios):.3f}), aim {row.aim:<11}  "
        f"p50 {half:7.1f} ms  p99/p50 {most / (half or 1):4.1f}  processor {cost:6.3f} ms, "
        f"{statistics.median(shares):.3f} ({min(shares):.3f} to {max(shares):.3f})"
    )


def _play_on(site: Site) -> None:
    """The campaign's next month, by another process."""
    command = [sys.executable, "-m", "tests.bench.load_campaign", "on", "1"]
    subprocess.run(command, env=site.environment, cwd=ROOT, check=True, capture_output=True)


def _tag(port: int, path: str) -> str:
    """Return the ETag of what stands there."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as door:
        door.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()
        )
        head = b"".join(iter(lambda: door.recv(65536), b"")).decode(errors="replace")
    found = re.search(r"^etag: (\S+)\s*$", head, re.IGNORECASE | re.MULTILINE)
    if found is None:
        raise RuntimeError(f"{path} has no ETag: {head[:200]}")
    return found.group(1)


@contextmanager
def serving(command: str, environment: dict[str, str], workers: int) -> Iterator[Server]:
    """The site by that server, with so many workers, on a port of its own."""
    port = free_port()
    words = command.split()
    bind = ["--bind", f"127.0.0.1:{port}"] if words[0] == "gunicorn" else ["--port", str(port)]
    quiet = ["--log-level", "warning"]
    process = subprocess.Popen(
        [sys.executable, "-m", *words, *bind, *quiet, "--workers", str(workers)],
        env=environment, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait_for(port, process)
        yield Server(port, process.pid)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(120)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        if process.poll() is not None:
            raise RuntimeError(f"The server ended with {process.returncode}.")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError(f"Nobody answers on port {port}.")


@contextmanager
def _site(database: dict[str, str], months: int) -> Iterator[Site]:
    """A public campaign so many months on, in that database; otherwise in one of its own."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    settings = {"DJANGO_SETTINGS_MODULE": "tests.bench.load_settings"}
    with tempfile.TemporaryDirectory(prefix="sirdar-load-") as folder:
        environment = kept | settings | database | {"SIRDAR_DATA": folder}
        begin = [sys.executable, "-m", "tests.bench.load_campaign", "begin", str(months)]
        said = subprocess.run(
            begin, env=environment, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE
        )
        yield Site(environment, said.stdout.split()[-1])


if __name__ == "__main__":
    main(sys.argv[1:])
