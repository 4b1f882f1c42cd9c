"""Serve all streams of this process on the event loop of its server.

A follower costs a connection and some hundred bytes, no thread. When pub/sub wakes the hub, or a
while has passed, it compares the subjects' heads and sends news to their followers.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TypeVar

from django.db import close_old_connections

from api.streams import NEWS_TOPIC
from api.streams.followers import Follower, Head, News, Subject, heads_of, news_for
from api.streams.messages import HEARTBEAT
from ops.pubsub import subscribed_async

MOST = 2000
"""The most followers in one process."""
LOOK = 3.0
"""The seconds after which the hub polls the database although nothing has woken it."""
CATCH_UP_PAUSE = 0.01
"""The seconds between two readings for followers who are catching up."""
HEARTBEAT_EVERY = 15.0
"""The seconds between heartbeats, at which credentials are checked again too."""
LONGEST = 1800.0
"""The seconds after which a stream ends; the client reconnects and authenticates again."""
FULL = 256 * 1024
"""The bytes that may wait for a follower; back-pressure stops further news beyond them."""
STUCK_TIMEOUT = 60.0
"""The seconds for which a follower may take nothing before they are disconnected."""

logger = logging.getLogger(__name__)
T = TypeVar("T")
U = TypeVar("U")


class Hub:
    """The followers of a process; its task runs for as long as there are any.

    All methods but `has_room` must be called on the event loop that serves them.
    """

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._database = ThreadPoolExecutor(max_workers=1, thread_name_prefix="followers")
        self._followers: set[Follower] = set()
        self._behind: set[Follower] = set()
        self._heads: dict[Subject, Head] = {}
        self._beaten = 0.0
        self._task: asyncio.Task[None] | None = None

    def has_room(self) -> bool:
        """Return whether there is room for another follower; callable from any thread."""
        return len(self._followers) < MOST

    def add(self, follower: Follower) -> None:
        """Add a follower."""
        follower.since = follower.stuck = asyncio.get_running_loop().time()
        self._followers.add(follower)
        self._behind.add(follower)
        self._woken.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go_on())

    def look_again(self) -> None:
        """Wake the hub to check for news."""
        self._woken.set()

    def drop(self, follower: Follower) -> None:
        """Remove a follower."""
        self._followers.discard(follower)
        self._behind.discard(follower)

    async def _go_on(self) -> None:
        async with subscribed_async(NEWS_TOPIC) as self._woken:
            while self._followers:
                await self._wait()
                try:
                    await self._look()
                except Exception:
                    logger.exception("The followers could not be told; it is tried again.")
                    await asyncio.sleep(LOOK)
        self._heads = {}

    async def _wait(self) -> None:
        """Wait for a wake-up or a timeout, which is short if a follower is catching up.

        A follower whose buffer is full does not count: their connection wakes the hub when it
        drains.
        """
        hurried = any(one.wire.waiting() < FULL for one in self._behind)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), CATCH_UP_PAUSE if hurried else LOOK)
        self._woken.clear()

    async def _look(self) -> None:
        """Send news to followers of changed subjects, to those behind, and on a beat to all."""
        now = asyncio.get_running_loop().time()
        beat = now - self._beaten >= HEARTBEAT_EVERY
        heads = await self._ask(heads_of, {one.subject for one in self._followers})
        moved = {one for one in heads if heads[one] != self._heads.get(one)}
        chosen = {one for one in self._followers if beat or one.subject in moved} | self._behind
        ready = [one for one in chosen if self._is_ready(one, now)]
        if ready:
            told, gone = await self._ask(news_for, ready)
            self._tell(told)
            self._let_go(gone)
        self._behind |= chosen.difference(ready) & self._followers
        self._heads = heads
        if beat:
            self._beaten = now
            self._keep_alive(now)

    async def _ask(self, question: Callable[[T], U], about: T) -> U:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._database, _asked, question, about)

    def _is_ready(self, follower: Follower, now: float) -> bool:
        """Return whether the follower's buffer has room; disconnect one stuck for too long."""
        if follower.wire.waiting() < FULL:
            follower.stuck = now
        elif now - follower.stuck > STUCK_TIMEOUT:
            self._let_go([follower])
        return follower.wire.waiting() < FULL

    def _tell(self, told: list[News]) -> None:
        for news in told:
            follower = news.follower
            if follower not in self._followers:
                continue
            follower.place, follower.stood = news.place, news.stood
            if news.messages:
                follower.wire.send(news.messages)
            (self._behind.add if news.more else self._behind.discard)(follower)

    def _keep_alive(self, now: float) -> None:
        old = [one for one in self._followers if now - one.since > LONGEST]
        self._let_go(old)
        for follower in list(self._followers):
            follower.wire.send(HEARTBEAT)

    def _let_go(self, followers: list[Follower]) -> None:
        for follower in followers:
            self.drop(follower)
            follower.wire.close()


@cache
def hub() -> Hub:
    """Return the hub of this process."""
    return Hub()


def _asked(question: Callable[[T], U], about: T) -> U:
    """Return the answer to a query, on a database connection that is still usable."""
    close_old_connections()
    try:
        return question(about)
    finally:
        close_old_connections()
