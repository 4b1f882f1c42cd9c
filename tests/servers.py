"""PostgreSQL, Redis, nginx and Caddy themselves, from Debian's packages, for the tests that need
the real thing: each on a free port in a folder of its own.

The fixtures `postgres` and `redis_server` are shared by all tests of a process; `own_postgres` and
`own_redis` belong to one test, which may stop them, kill them or start them again as it likes.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest
import redis

from tests.patience import PATIENCE, wait_until

MISSING = "The tests of the deployment need {0}: install it with 'apt install {0}'."


class Server(ABC):
    """A server process: started, stopped, killed and started again on the same port and folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = free_port()
        self.log = folder.with_suffix(".log")
        self.process: subprocess.Popen[bytes] | None = None

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command that starts the server."""

    @abstractmethod
    def answers(self) -> bool:
        """Return whether it does what it is there for."""

    def start(self) -> None:
        """Start it and come back when it answers."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder
            )
        name = type(self).__name__
        wait_until(self.answers, f"{name} to answer", lambda: self.log.read_text()[-2000:])

    def stop(self, number: int = signal.SIGINT) -> None:
        """Have it end at once but in order: what it has taken is kept."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        """End it as a power cut would, if it runs."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        self.stop()
        self.start()


class Postgres(Server):
    """PostgreSQL, which refuses to run as root: root lends it the user of Debian's package."""

    def __init__(self, folder: Path, *options: str) -> None:
        super().__init__(folder, *options)
        subprocess.run(
            [*as_nobody_special(folder), _postgres_program("initdb"), "--pgdata", str(folder),
             "--username", "sirdar", "--auth", "trust", "--encoding", "UTF8", "--no-sync",
             "--no-locale"],
            check=True, capture_output=True, cwd=folder,
        )  # fmt: skip

    def command(self) -> list[str]:
        options = ["fsync=off", f"unix_socket_directories={self.folder}", *self.options]
        return [
            *as_nobody_special(self.folder), _postgres_program("postgres"), "-D", str(self.folder),
            "-h", "127.0.0.1", "-p", str(self.port),
            *(word for option in options for word in ("-c", option)),
        ]  # fmt: skip

    def answers(self) -> bool:
        try:
            with psycopg.connect(self.url("postgres"), connect_timeout=2):
                return True
        except psycopg.OperationalError:
            return False

    def kill(self) -> None:
        """Have all of it drop what it is at, so that the next start has to recover."""
        self.stop(signal.SIGQUIT)

    def url(self, name: str) -> str:
        """Return DATABASE_URL for the database of that name."""
        return f"postgresql://sirdar@127.0.0.1:{self.port}/{name}"

    def fresh(self, name: str, template: str = "template1") -> str:
        """Return the address of a database of that name, made anew: empty, or a copy of
        `template`.
        """
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return self.url(name)


class Redis(Server):
    """Redis, which keeps nothing over a restart unless its options say so."""

    def command(self) -> list[str]:
        program = shutil.which("redis-server") or pytest.fail(MISSING.format("redis-server"))
        return [
            *_ending_with_us(), program, "--bind", "127.0.0.1", "--port", str(self.port),
            "--dir", str(self.folder), "--save", "", *self.options,
        ]  # fmt: skip

    def answers(self) -> bool:
        try:
            with redis.Redis(port=self.port, socket_timeout=2) as connection:
                return bool(connection.ping())
        except redis.RedisError:
            return False

    def url(self, number: int = 0) -> str:
        """Return REDIS_URL for the database of that number (0 to 15)."""
        return f"redis://127.0.0.1:{self.port}/{number}"

    def fresh(self, number: int = 0) -> str:
        """Return REDIS_URL for a database without what an earlier test has left in its queues."""
        with redis.Redis(port=self.port, db=number) as connection:
            connection.flushdb()
        return self.url(number)


class Nginx(Server):
    """The proxy as deploy/nginx.conf has it, without TLS; `options` are the ports of the pages and
    of the streams behind it."""

    def command(self) -> list[str]:
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        site = _deployed(
            "nginx.conf", self.options,
            ("listen 443 ssl;", f"listen 127.0.0.1:{self.port};"),
            ("sirdar.example.org", "localhost"),
        ).partition("server {\n    listen 80;")[0]  # fmt: skip
        lines = [line for line in site.splitlines() if "ssl_certificate" not in line]
        places = (f"{name}_temp_path {self.folder}/{name};" for name in _TEMPORARY)
        (self.folder / "nginx.conf").write_text(
            "\n".join(
                [
                    "user root;" if os.geteuid() == 0 else "",
                    "daemon off; worker_processes 1; error_log stderr;",
                    f"pid {self.folder}/pid;",
                    "events { worker_connections 4096; }",
                    "http { access_log off;",
                    *places,
                    *lines,
                    "}",
                ]
            )
        )
        return [
            *_ending_with_us(), program or pytest.fail(MISSING.format("nginx")),
            "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"),
        ]  # fmt: skip

    def answers(self) -> bool:
        return _is_open(self.port)


_BUFFERS = "buffer_requests\n\t\t\tbuffer_responses\n\t\t\tmax_buffer_size 50MiB\n"
_LATER_BUFFERS = "request_buffers 50MiB\n\t\t\tresponse_buffers 50MiB\n"
"""The same from Caddy 2.8 on, as the file says."""


class Caddy(Server):
    """The proxy as deploy/Caddyfile has it, without TLS; `options` are as of Nginx."""

    def command(self) -> list[str]:
        program = shutil.which("caddy") or pytest.fail(MISSING.format("caddy"))
        told = subprocess.run((program, "version"), capture_output=True, text=True, check=True)
        version = [int(part) for part in told.stdout.lstrip("v").split(" ")[0].split(".")[:2]]
        site = _deployed(
            "Caddyfile", self.options,
            ("sirdar.example.org {", f"http://localhost:{self.port} {{\n\tbind 127.0.0.1"),
            ("\n{\n", "\n{\n\tadmin off\n"),
            *((_BUFFERS, _LATER_BUFFERS) for _ in range(version >= [2, 8])),
        )  # fmt: skip
        (self.folder / "Caddyfile").write_text(site)
        return [
            *_ending_with_us(), "env", f"XDG_DATA_HOME={self.folder}",
            f"XDG_CONFIG_HOME={self.folder}", program, "run", "--config", "Caddyfile",
        ]  # fmt: skip

    def answers(self) -> bool:
        return _is_open(self.port)


def _deployed(name: str, behind: tuple[str, ...], *changes: tuple[str, str]) -> str:
    """Return that file of deploy/, with the two ports behind the proxy and the changes made."""
    site = (Path(__file__).resolve().parent.parent / "deploy" / name).read_text()
    ports = [
        (f"127.0.0.1:{told}", f"127.0.0.1:{here}")
        for told, here in zip((8000, 8001), behind, strict=True)
    ]
    for told, here in (*ports, *changes):
        assert told in site
        site = site.replace(told, here)
    return site


def _is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


_TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
S = TypeVar("S", bound=Server)


def free_port() -> int:
    """Return a port of this machine that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def as_nobody_special(folder: Path) -> list[str]:
    """Return the prefix of a command that root may not run: nothing unless we are root.

    The folder is given to the user that it will run as.
    """
    if os.geteuid() != 0:
        return _ending_with_us()
    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        pytest.fail(MISSING.format("postgresql"))
    os.chown(folder, user.pw_uid, user.pw_gid)
    return [*_ending_with_us(), "--reuid=postgres", "--regid=postgres", "--init-groups"]


def _ending_with_us() -> list[str]:
    """Return the prefix by which Linux ends a command when the tests are killed."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "INT"] if setpriv else []


def _postgres_program(name: str) -> str:
    """Debian keeps the server's programs out of the path, by version."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=_version)
    program = str(found[-1]) if found else shutil.which(name)
    return program or pytest.fail(MISSING.format("postgresql"))


def _version(program: Path) -> int:
    return int(program.parts[-3])


@contextmanager
def running(kind: type[S], *options: str) -> Iterator[S]:
    """A server of that kind, up; stopped and its folder gone when it is needed no longer."""
    with tempfile.TemporaryDirectory(prefix="sirdar-server-") as outer:
        Path(outer).chmod(0o755)
        folder = Path(outer) / kind.__name__.lower()
        folder.mkdir(mode=0o700)
        server = kind(folder, *options)
        try:
            server.start()
            yield server
        finally:
            server.kill()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running(Postgres) as server:
        yield server


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Redis]:
    with running(Redis) as server:
        yield server


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    with running(Postgres) as server:
        yield server


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    with running(Redis) as server:
        yield server
