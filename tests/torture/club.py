"""A club's whole site as it is deployed: web processes and workers beside PostgreSQL and Redis."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import urllib3

from tests.patience import PATIENCE
from tests.servers import Postgres, Redis, running

ROOT = Path(__file__).resolve().parent.parent.parent
THEIRS = ("DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE", "SIRDAR_DATA")
CSRF = "t" * 32
WORKER = (
    "celery --app sirdar worker --pool solo --concurrency 1 --loglevel info --without-gossip"
    " --without-mingle"
)
WEB = "gunicorn --config deploy/gunicorn.conf.py --graceful-timeout 5 --bind"


@contextmanager
def club_of_its_own(name: str) -> Iterator["Club"]:
    """A site beside a PostgreSQL and a Redis that nobody else uses, all gone in the end.

    AssertionError where one of its processes has died by itself meanwhile.
    """
    with (
        running(Postgres) as database,
        running(Redis) as redis,
        tempfile.TemporaryDirectory() as folder,
    ):
        club = Club(Path(folder), database.fresh(name), redis.url())
        try:
            club.manage("migrate", "-v0")
            yield club
        finally:
            club.end()
        said = "\n".join(log.read_text(errors="replace") for log in Path(folder).glob("*.log"))
        assert "SIGSEGV" not in said, said[-2000:]


class Failed(Exception):
    """Error for a task that a hand could not do."""


class Hand:
    """A process that does things in the club's database when it is asked to."""

    def __init__(self, club: "Club") -> None:
        command = (sys.executable, "-m", "tests.torture.hand")
        self._process = club.start(command, "hand", stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __call__(self, do: str, **about: Any) -> Any:
        """Return the result. Raise Failed with the error's name and words."""
        self.tell(do, **about)
        return self.hear()

    def tell(self, do: str, **about: Any) -> None:
        """Have it begin, and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": do, "with": about}).encode() + b"\n")
        self._process.stdin.flush()

    def hear(self) -> Any:
        """Return the result of the first task."""
        assert self._process.stdout is not None
        said = json.loads(self._process.stdout.readline())
        if "failed" in said:
            raise Failed(said["failed"])
        return said["came"]


class Club:
    """Processes of one site: started with its environment, all of them gone at the end."""

    def __init__(self, folder: Path, database: str, redis: str, **more: str) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in THEIRS}
        self.folder = folder
        self.environment = {
            **kept,
            "DJANGO_SETTINGS_MODULE": "tests.torture.settings",
            "SIRDAR_DATA": str(folder),
            "DATABASE_URL": database,
            **({"REDIS_URL": redis} if redis else {}),
            "SECRET_KEY": "torture-" * 8,
            **more,
        }
        self.database = database
        self.port = quiet_port()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._http = urllib3.PoolManager(maxsize=64, retries=False, timeout=PATIENCE)

    def start(
        self, command: tuple[str, ...], name: str, more: Mapping[str, str] = {}, **how: Any
    ) -> subprocess.Popen[bytes]:
        """Return a process of the site, with `more` in its environment; what it says goes to a
        file.
        """
        with (self.folder / f"{name}.log").open("ab") as log:
            options: dict[str, Any] = {"stdout": log, "stderr": log, "start_new_session": True}
            process = subprocess.Popen(
                command, env=self.environment | dict(more), cwd=ROOT, **(options | how)
            )
        self._processes.append(process)
        return process

    def worker(self, *more: str, name: str = "worker", **how: Any) -> subprocess.Popen[bytes]:
        """Return a worker of both queues, ready for work some seconds later."""
        return self.start((sys.executable, "-m", *WORKER.split(), *more), name, **how)

    def web(self, **how: Any) -> subprocess.Popen[bytes]:
        """Return the web server, answering."""
        address = f"127.0.0.1:{self.port}"
        process = self.start((sys.executable, "-m", *WEB.split(), address), "web", **how)
        until(
            lambda: process.poll() is not None or self.get("/about/").status == 200,
            "the web server does not answer",
        )
        assert process.poll() is None, f"the web server does not come up: {self.log('web')[-2000:]}"
        return process

    def manage(self, *words: str) -> str:
        """Return the output of the command. Raise CalledProcessError."""
        done = subprocess.run(
            (sys.executable, "manage.py", *words),
            env=self.environment, cwd=ROOT, check=True, capture_output=True, text=True,
            timeout=PATIENCE,
        )  # fmt: skip
        return done.stdout

    def log(self, name: str) -> str:
        """Return everything the processes of that name have said."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def get(self, path: str, session: str = "", token: str = "") -> urllib3.BaseHTTPResponse:
        """The answer; status 0 stands for a server that did not answer at all."""
        return self._ask("GET", path, _who(session, token))

    def post(
        self, path: str, body: Mapping[str, Any], session: str = "", token: str = "", key: str = ""
    ) -> urllib3.BaseHTTPResponse:
        """Return the answer to JSON; to a form where the path is a page's."""
        who = {**_who(session, token), "X-CSRFToken": CSRF}
        who |= {"Idempotency-Key": key} if key else {}
        if path.startswith("/api/"):
            who["Content-Type"] = "application/json"
            return self._ask("POST", path, who, body=json.dumps(body))
        return self._ask("POST", path, who, fields=dict(body), encode_multipart=False)

    def change(
        self, method: str, path: str, body: Mapping[str, Any], session: str, version: int
    ) -> urllib3.BaseHTTPResponse:
        """Return the answer to a change of what a browser has read in that version."""
        who = {**_who(session, ""), "X-CSRFToken": CSRF, "If-Match": f'"{version}.0"'}
        who["Content-Type"] = "application/json"
        return self._ask(method, path, who, body=json.dumps(body))

    def _ask(
        self, method: str, path: str, headers: Mapping[str, str], **what: Any
    ) -> urllib3.BaseHTTPResponse:
        url = f"http://127.0.0.1:{self.port}{path}"
        try:
            return self._http.request(method, url, headers=headers, redirect=False, **what)
        except urllib3.exceptions.HTTPError:
            return urllib3.HTTPResponse(status=0)

    def ask_database(self, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query that only looks."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            return connection.execute(query.encode()).fetchall()

    def end(self) -> None:
        """Kill whatever still runs, with all it has started."""
        for process in self._processes:
            kill(process)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()
        self._http.clear()


def quiet_port() -> int:
    """Return a port that nothing listens on, and that no client's connection is given by the
    system.

    Those who knock while the server is down would otherwise come to sit on its port themselves.
    """
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port


def _who(session: str, token: str) -> dict[str, str]:
    cookies = [f"csrftoken={CSRF}"] + ([f"sessionid={session}"] if session else [])
    who = {"Cookie": "; ".join(cookies)}
    return who | ({"Authorization": f"Bearer {token}"} if token else {})


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL for it and its children."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    finally:
        process.wait(PATIENCE)


def until(holds: Callable[[], object], otherwise: str, patience: float = PATIENCE) -> None:
    """Come back once it holds; AssertionError with those words when patience is at its end."""
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end, otherwise
        time.sleep(0.05)
