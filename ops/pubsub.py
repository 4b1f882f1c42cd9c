"""Wake the listeners of a topic, such as a campaign, in every process.

A wake says that there is something new about its topic, not what: listeners look in the database,
and they look again after a timeout anyway. So a wake may be lost or come twice without harm.
Between processes it travels by Redis where REDIS_URL is set, else by one file per topic in the data
folder, which every process on that machine polls.
"""

import asyncio
import logging
import os
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol

from django.conf import settings

LOOK = 0.2  # seconds between two polls of the files
logger = logging.getLogger(__name__)


def wake(topic: str) -> None:
    """Wake all listeners of the topic, here and elsewhere; call it after the commit.

    It never fails for its caller, because listeners look again after their timeout.
    """
    _hub().wake(topic)


@contextmanager
def subscribe(topic: str) -> Iterator[threading.Event]:
    """Yield an event that every wake of the topic sets; clear it before you look for news."""
    woken = threading.Event()
    with _hub().telling(topic, woken.set):
        yield woken


@asynccontextmanager
async def subscribed_async(topic: str) -> AsyncIterator[asyncio.Event]:
    """Yield the same for a coroutine: an event of the running loop."""
    woken, loop = asyncio.Event(), asyncio.get_running_loop()
    with _hub().telling(topic, lambda: _set_in(loop, woken)):
        yield woken


def _set_in(loop: asyncio.AbstractEventLoop, woken: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(woken.set)


class Wire(Protocol):
    """The transport of wakes between processes."""

    def send(self, topic: str) -> None:
        """Wake the other processes."""

    def hear(self, tell: Callable[[str | None], None], going_on: Callable[[], bool]) -> None:
        """Call `tell` with the topic of every wake while `going_on()`; None: some may be lost."""


class WakeHub:
    """The listeners of this process, and the one thread that receives wakes for all of them."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._lock = threading.Lock()
        self._listeners: dict[str, set[Callable[[], None]]] = defaultdict(set)
        self._hearing: threading.Thread | None = None

    def wake(self, topic: str) -> None:
        self._wake_listeners(topic)
        self._wire.send(topic)

    @contextmanager
    def telling(self, topic: str, listener: Callable[[], None]) -> Iterator[None]:
        """Call the listener at every wake of the topic, inside the block."""
        with self._lock:
            self._listeners[topic].add(listener)
            if self._hearing is None:
                self._hearing = threading.Thread(target=self._hear, name="wake", daemon=True)
                self._hearing.start()
        try:
            yield
        finally:
            with self._lock:
                self._listeners[topic].discard(listener)
                if not self._listeners[topic]:
                    del self._listeners[topic]

    def _hear(self) -> None:
        self._wire.hear(self._wake_listeners, self._is_listened_to)

    def _is_listened_to(self) -> bool:
        """Return whether there is a listener left.

        If not, the thread ends, and the next listener starts another.
        """
        with self._lock:
            if not self._listeners:
                self._hearing = None
            return bool(self._listeners)

    def _wake_listeners(self, topic: str | None) -> None:
        with self._lock:
            topics = [topic] if topic is not None else list(self._listeners)
            listeners = [listener for name in topics for listener in self._listeners.get(name, ())]
        for listener in listeners:
            listener()


class FileWire:
    """A transport that touches a file per topic and polls the files' times."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def send(self, topic: str) -> None:
        path = self._folder / topic
        now = time.time_ns()
        try:
            path.touch()
            os.utime(path, ns=(now, now))
        except OSError as error:
            logger.warning("Nobody elsewhere was woken for %s: %s", topic, error)

    def hear(self, tell: Callable[[str | None], None], going_on: Callable[[], bool]) -> None:
        seen = self._times()
        tell(None)
        while going_on():
            time.sleep(LOOK)
            times = self._times()
            for topic, touched in times.items():
                if seen.get(topic) != touched:
                    tell(topic)
            seen = times

    def _times(self) -> dict[str, int]:
        try:
            return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(self._folder)}
        except OSError as error:
            logger.warning("Wakes are not heard: %s", error)
            return {}


def wire_of(redis_url: str, data: Path) -> Wire:
    """Return the transport by Redis where there is one, by files in the data folder otherwise."""
    if not redis_url:
        return FileWire(data / "wake")
    wire: Wire = import_module("ops.redis_backends").RedisWire(redis_url)
    return wire


@cache
def _hub() -> WakeHub:
    return WakeHub(wire_of(settings.REDIS_URL, settings.DATA))
