"""All who follow campaigns, battles and jobs in this process, on the event loop of its server.

A follower costs a connection and some hundred bytes, no thread. When the hub is woken, or a while
has gone by, it looks what has gone on and tells those who follow it on the spot.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TypeVar

from django.db import close_old_connections

from api.streams import GOING_ON
from api.streams.followers import Follower, Head, News, Subject, heads_of, news_for
from api.streams.messages import HEARTBEAT
from ops.pubsub import subscribed_async

MOST = 2000
"""So many may follow in one process."""
LOOK = 3.0
"""Seconds after which the database is looked at though nobody has woken the hub."""
BREATH = 0.01
"""Seconds between two readings for those who have much to catch up with."""
BEAT = 15.0
"""Seconds after which a follower hears that the line still holds, and is looked at again."""
LONGEST = 1800.0
"""Seconds after which he is let go, to come back with his last id and show again who he is."""
FULL = 256 * 1024
"""Bytes that may wait for a follower; more are kept back until he has taken them off."""
STUCK = 60.0
"""Seconds for which he may take nothing off."""

logger = logging.getLogger(__name__)
T = TypeVar("T")
U = TypeVar("U")


class Hub:
    """The followers of a process. It goes on for as long as there are any.

    All but `has_room` is for the event loop that serves them.
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
        """Return whether one more may follow; from any thread."""
        return len(self._followers) < MOST

    def add(self, follower: Follower) -> None:
        """Begin to tell the follower."""
        follower.since = follower.stuck = asyncio.get_running_loop().time()
        self._followers.add(follower)
        self._behind.add(follower)
        self._woken.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._go_on())

    def look_again(self) -> None:
        """Look whether there is anything to tell."""
        self._woken.set()

    def drop(self, follower: Follower) -> None:
        """Tell the follower no more."""
        self._followers.discard(follower)
        self._behind.discard(follower)

    async def _go_on(self) -> None:
        async with subscribed_async(GOING_ON) as self._woken:
            while self._followers:
                await self._wait()
                try:
                    await self._look()
                except Exception:
                    logger.exception("The followers could not be told; it is tried again.")
                    await asyncio.sleep(LOOK)
        self._heads = {}

    async def _wait(self) -> None:
        """Until there is something to look for; those who are behind wait for nobody else.

        One who takes nothing off is not looked at until he has: his wire wakes the hub then.
        """
        hurried = any(one.wire.waiting() < FULL for one in self._behind)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._woken.wait(), BREATH if hurried else LOOK)
        self._woken.clear()

    async def _look(self) -> None:
        """Tell those whose subject has gone on, those who are behind, and at times everybody."""
        now = asyncio.get_running_loop().time()
        beat = now - self._beaten >= BEAT
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
        """Return whether he has taken off what was sent; he is let go when that has taken too long."""
        if follower.wire.waiting() < FULL:
            follower.stuck = now
        elif now - follower.stuck > STUCK:
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
    """Return the answer, on a connection to the database that still holds."""
    close_old_connections()
    try:
        return question(about)
    finally:
        close_old_connections()
