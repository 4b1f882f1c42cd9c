"""A web server of its own on the database of the tests, and those who follow a campaign there."""

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from django.conf import settings
from django.db import connection

from tests.patience import PATIENCE, wait_until
from tests.servers import free_port

PAGES = ("sirdar.wsgi", "--worker-class", "gthread", "--threads", "4")
STREAMS = ("sirdar.asgi", "--worker-class", "asgi", "--graceful-timeout", "1")
"""The two servers of a deployment; that of the streams serves the pages too, as at home."""


class Message(NamedTuple):
    """One server-sent event."""

    kind: str
    id: str
    data: Any


class Served(NamedTuple):
    """A server with one process that answers."""

    port: int
    process: subprocess.Popen[bytes]

    @property
    def worker(self) -> int:
        """Return the one process that answers, a child of the one that was started."""
        told = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int(told.split()[0])

    def threads(self) -> int:
        return len(list(Path(f"/proc/{self.worker}/task").iterdir()))

    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.worker}/fd").iterdir()))

    def memory(self) -> int:
        """Bytes of the worker that are in memory."""
        pages = int(Path(f"/proc/{self.worker}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def served(folder: Path, *how: str, port: int = 0, **more: str) -> Iterator[Served]:
    """Serve the program on the tests' own database, by gunicorn with one process.

    `how` is PAGES or STREAMS, the default. The port is a free one where none is given.
    """
    port = port or free_port()
    command = [sys.executable, "-m", "gunicorn", *(how or STREAMS)]
    command += ["--workers", "1", "--bind", f"127.0.0.1:{port}", "--no-control-socket"]
    with (folder / "web.log").open("ab") as log:
        process = subprocess.Popen(
            command, env=_environment(folder) | more, stdout=log, stderr=log, cwd=settings.BASE_DIR
        )
    try:
        wait_until(
            lambda: _answers(port), "the web server to listen", (folder / "web.log").read_text
        )
        yield Served(port, process)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    return kept | {
        "DATABASE_URL": database_url(),
        "SIRDAR_DATA": str(settings.DATA),
        "SECRET_KEY": settings.SECRET_KEY,
        "DJANGO_SETTINGS_MODULE": "sirdar.settings",
    }


def database_url() -> str:
    """Return the address of the database in which the tests run."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    secret = f"{quote(told['USER'])}:{quote(told['PASSWORD'])}@"
    return f"postgres://{secret}{quote(told['HOST'], safe='')}:{told['PORT']}/{told['NAME']}"


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return bool(probe.connect_ex(("127.0.0.1", port)) == 0)


class Reader:
    """One who follows: the messages as they come."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self.writer = reader, writer
        self.head = b""

    async def open(self, path: str, headers: dict[str, str]) -> "Reader":
        # By HTTP/1.1 the stream would come in chunks, which this does not read.
        lines = [f"GET {path} HTTP/1.0", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode())
        self.head = await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), PATIENCE)
        return self

    async def message(self) -> Message:
        """Return the next message. Raises IncompleteReadError when the line has ended.

        Raises TimeoutError when nothing but heartbeats came for as long as a test waits.
        """
        return await asyncio.wait_for(self._message(), PATIENCE)

    async def _message(self) -> Message:
        while True:
            block = await self._reader.readuntil(b"\n\n")
            fields = [line.partition(": ") for line in block.decode().strip().split("\n")]
            found = {name: value for name, _, value in fields if name}
            if "data" in found:
                data = json.loads(found["data"])
                return Message(found.get("event", ""), found["id"], data)

    async def until(self, wanted: str) -> list[Message]:
        """Return the messages up to the first of that kind."""
        told = [await self.message()]
        while told[-1].kind != wanted:
            told.append(await self.message())
        return told

    async def ended(self) -> bool:
        """Return whether the other side has hung up, after whatever else it has said."""
        await asyncio.wait_for(self._reader.read(-1), PATIENCE)
        return self._reader.at_eof()


@asynccontextmanager
async def following(
    port: int, slug: str, token: str = "", since: str | None = None, last: str = ""
) -> AsyncIterator[Reader]:
    """Somebody who follows the campaign."""
    asked = "" if since is None else f"?since={since}"
    more = {"Last-Event-ID": last} if last else {}
    path = f"/api/v1/campaigns/{slug}/events/stream/{asked}"
    async with following_at(port, path, token, **more) as reader:
        yield reader


@asynccontextmanager
async def following_at(port: int, path: str, token: str = "", **more: str) -> AsyncIterator[Reader]:
    """Somebody who follows what is told at that address, with more headers where they are given."""
    headers = ({"Authorization": f"Bearer {token}"} if token else {}) | more
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    try:
        yield await Reader(reader, writer).open(path, headers)
    finally:
        writer.close()


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run the coroutine to its end in its own thread: a browser's loop may hold this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()
