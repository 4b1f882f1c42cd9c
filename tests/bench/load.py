"""`python -m tests.bench.load`: map and state under load, beside a trivial view of the same server.

Two web workers, connections closed after every answer so that both of them work, all rows of a
server by turns. It needs wrk, and says so where there is none.
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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent.parent
CONNECTIONS = 16
SECONDS = int(os.environ.get("BENCH_LOAD_SECONDS", "2"))
ROUNDS = int(os.environ.get("BENCH_LOAD_ROUNDS", "5"))
MISSING = "No figures under load: wrk is missing; install it with 'apt install wrk'."
SERVERS = {
    "gunicorn sync": "gunicorn sirdar.wsgi --worker-class sync",
    "gunicorn gthread": "gunicorn sirdar.wsgi --worker-class gthread --threads 4",
    "granian": "granian sirdar.wsgi:application --interface wsgi --no-ws --backpressure 64",
}
FIGURE = re.compile(r"Requests/sec:\s+([\d.]+)")
LATENCY = re.compile(r"\s(50|99)%\s+([\d.]+)(us|ms|s)\b")
TO_MS = {"us": 0.001, "ms": 1.0, "s": 1000.0}
BAD = re.compile(r"Non-2xx or 3xx responses: (\d+)")


class Row(NamedTuple):
    """What is asked for: its name, its address, the headers, and the least part of the trivial."""

    name: str
    path: str
    headers: tuple[str, ...] = ()
    aim: float | None = None


class Run(NamedTuple):
    """What wrk has measured: answers a second, and how long half and nearly all took (ms)."""

    rate: float
    half: float
    most: float


TRIVIAL = "trivial view"
MAP, STATE = "/api/v1/maps/sudan/", "/api/v1/campaigns/load/state/"
SERIALIZED = {"map": "map by serializers", "state": "state by serializers"}


def rows(port: int) -> list[Row]:
    """All that is measured of a server; what has an aim is laid beside the trivial view."""
    return [
        Row(TRIVIAL, "/bench/trivial/"),
        *(
            row
            for name, path in (("map", MAP), ("state", STATE))
            for row in (
                Row(f"{name}, as it is", path, (), 0.6),
                *(Row(f"{name}, {one}", path, (f"Accept-Encoding: {one}",), 0.8) for one in PACKED),
                Row(f"{name}, 304", path, (f"If-None-Match: {_tag(port, path)}",), 0.9),
                Row(SERIALIZED[name], f"/bench/{name}/"),
            )
        ),
    ]


PACKED = ("br", "gzip")


def main() -> None:
    """Prints the figures, server by server."""
    if shutil.which("wrk") is None:
        print(MISSING)
        return
    with tempfile.TemporaryDirectory(prefix="sirdar-load-") as folder:
        environment = _site(Path(folder))
        for name, command in SERVERS.items():
            with serving(command, environment) as port:
                _print(name, measure(port))


def measure(port: int) -> dict[Row, list[Run]]:
    """Every row, by turns, so that all see one machine."""
    found: dict[Row, list[Run]] = defaultdict(list)
    asked = rows(port)
    for row in asked:
        wrk(port, row, seconds=1)
    for _ in range(ROUNDS):
        for row in asked:
            found[row].append(wrk(port, row))
    return found


def wrk(port: int, row: Row, *, seconds: int = SECONDS) -> Run:
    """One run of a row. Raises RuntimeError where an answer was none of success."""
    headers = ["Connection: close", *row.headers]
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency"]
    command += [word for header in headers for word in ("-H", header)]
    address = f"http://127.0.0.1:{port}{row.path}"
    said = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    if bad := BAD.search(said):
        raise RuntimeError(f"{row.name}: {bad.group()}")
    times = {name: float(value) * TO_MS[unit] for name, value, unit in LATENCY.findall(said)}
    (rate,) = FIGURE.findall(said)
    return Run(float(rate), times["50"], times["99"])


def _print(server: str, found: dict[Row, list[Run]]) -> None:
    print(f"{server}, 2 workers, {CONNECTIONS} connections, closed; n={ROUNDS} of {SECONDS} s")
    rates = {row.name: statistics.median(run.rate for run in runs) for row, runs in found.items()}
    for row, runs in found.items():
        half = statistics.median(run.half for run in runs)
        most = statistics.median(run.most for run in runs)
        ratio = statistics.median(
            run.rate / max(first.rate, 1 / SECONDS)
            for run, first in zip(runs, found[_first(found)], strict=True)
        )
        aim = f"aim {row.aim}" if row.aim else ""
        low, high = min(run.rate for run in runs), max(run.rate for run in runs)
        print(
            f"  {row.name:<24} {rates[row.name]:7.0f}/s ({low:.0f} to {high:.0f})  "
            f"{ratio:6.3f} of the trivial {aim:<8} p50 {half:6.1f} ms  p99/p50 {most / half:4.1f}"
        )
    for name, serialized in SERIALIZED.items():
        times = rates[f"{name}, as it is"] / max(rates[serialized], 1 / SECONDS)
        print(f"  {name} as it is, times the rate of its serializers: {times:.1f}, aim 8")


def _first(found: dict[Row, list[Run]]) -> Row:
    return next(iter(found))


def _tag(port: int, path: str) -> str:
    """The ETag of what stands there."""
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
def serving(command: str, environment: dict[str, str]) -> Iterator[int]:
    """The site by that server, with two workers, on a port of its own."""
    port = _free_port()
    words = command.split()
    bind = ["--bind", f"127.0.0.1:{port}"] if words[0] == "gunicorn" else ["--port", str(port)]
    quiet = ["--log-level", "warning"]
    process = subprocess.Popen(
        [sys.executable, "-m", *words, *bind, *quiet, "--workers", "2"],
        env=environment, cwd=ROOT, start_new_session=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        _wait_for(port, process)
        yield port
    finally:
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


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _site(folder: Path) -> dict[str, str]:
    """A database of its own with a public campaign, six months on; what a server needs to know."""
    kept = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment = kept | {
        "SIRDAR_DATA": str(folder),
        "DJANGO_SETTINGS_MODULE": "tests.bench.load_settings",
    }
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, env=environment, cwd=ROOT, check=True)
    subprocess.run(
        [sys.executable, "-m", "tests.bench.load_campaign"], env=environment, cwd=ROOT, check=True
    )
    return environment


if __name__ == "__main__":
    main()
