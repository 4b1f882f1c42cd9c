"""A crowd of followers on one process, some of whom die, stall and come back."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.streams import hub
from api.streams.followers import Follower, FollowerIdentity, Head, News, Subject
from api.streams.hub import Hub
from campaign.models import Campaign
from tests.patience import PATIENCE, wait_until
from tests.streams.served import Reader, Served, following, run, served
from tests.streams.test_stream import happened, play, through, tokens, war  # noqa: F401  fixtures

STEADY, DYING, STALLING = 240, 80, 80
OF_THREADS = 20
"""Descriptors that the threads of a server may open for themselves: databases, and what wakes."""
WAKES = 3
"""By a follower who comes, by a line that listens from now on, and one more."""
MONTHS = ("1884-03", "1884-04", "1884-05")


class Chatter:
    """Something to follow that always has more to tell, and counts how often it is looked at."""

    def __init__(self, message: bytes = b"") -> None:
        self.looks, self.message = 0, message

    def heads(self, numbers: Collection[int]) -> Mapping[int, Head]:
        self.looks += 1
        return dict.fromkeys(numbers, (0,))

    def looked(self) -> bool:
        return self.looks > 0

    def readers(self, numbers: Collection[int]) -> Mapping[int, "Chatter"]:
        return dict.fromkeys(numbers, self)

    def news(self, follower: Follower) -> News:
        return News(follower, self.message, "", (), more=True)


class Full:
    """A wire that nobody takes anything off until it is emptied."""

    def __init__(self) -> None:
        self.bytes, self.sent = hub.MOST_WAITING_BYTES, b""

    def send(self, data: bytes) -> None:
        self.sent += data

    def waiting(self) -> int:
        return self.bytes

    def close(self) -> None:
        """There is nothing behind it."""


@pytest.mark.django_db(transaction=True)
def test_who_takes_nothing_off_is_not_looked_at_until_he_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "POLL_EVERY", PATIENCE)
    chatter, wire = Chatter(b"news"), Full()
    follower = Follower(Subject(chatter, 1), FollowerIdentity(), "", wire)

    async def go() -> None:
        here = Hub()
        here.add(follower)
        await until(lambda: chatter.looks, "the first look")
        await asyncio.sleep(100 * hub.CATCH_UP_PAUSE)
        assert chatter.looks <= WAKES
        assert b"news" not in wire.sent
        wire.bytes = 0
        here.look_again()
        await until(lambda: b"news" in wire.sent, "the news to be sent once there is room")
        here.drop(follower)

    run(go())


@pytest.mark.django_db(transaction=True)
def test_a_hub_ends_with_its_last_follower_and_begins_again_with_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(hub, "POLL_EVERY", 0.05)

    async def go() -> None:
        here = Hub()
        for _ in range(2):
            chatter = Chatter()
            follower = Follower(Subject(chatter, 1), FollowerIdentity(), "", hub.QueueWire())
            here.add(follower)
            await until(chatter.looked, "the first look")
            here.drop(follower)
            async with asyncio.timeout(PATIENCE):
                while len(asyncio.all_tasks()) > 1:
                    await asyncio.sleep(0.01)

    run(go())


async def until(holds: Callable[[], object], what: str) -> None:
    await asyncio.to_thread(wait_until, holds, what)


def test_who_reads_no_more_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that can send no more waits in `send`."""
    monkeypatch.setattr(hub, "STUCK_TIMEOUT", 0.05)
    start = {"type": "http.response.start", "status": 200, "headers": []}
    begun: list[str] = []

    async def send(message: Any) -> None:
        begun.append(message["type"])
        if len(begun) > 1:
            await asyncio.Event().wait()

    async def go() -> None:
        sending = hub._send_messages(hub.QueueWire(), start, send)
        await asyncio.wait_for(sending, PATIENCE)

    run(go())
    assert begun == ["http.response.start", "http.response.body"]


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_four_hundred_who_die_stall_and_come_back_miss_nothing_and_leave_nothing_behind(
    war: Campaign,  # noqa: F811
    tokens: dict[str, str],  # noqa: F811
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    async def go(server: Served) -> None:
        token = tokens["umpire"]
        async with following(server.port, "war", token) as one:
            await one.until("status")
        before = server.descriptors(), server.memory()
        steady = await joined(server, token, STEADY)
        dying = await joined(server, token, DYING)
        stalling = await joined(server, token, STALLING)
        for one in (*steady, *dying, *stalling):
            await one.until("status")
        hearing = asyncio.gather(*(through(one, MONTHS[0]) for one in (*steady, *dying)))
        await play(war)
        first = await hearing
        for one in dying:
            one.writer.transport.abort()
        hearing = asyncio.gather(*(through(one, MONTHS[1]) for one in steady))
        await play(war)
        second = await hearing
        crowd = server.descriptors(), server.memory(), server.threads()
        lasts = [told[-1].id for told in first[STEADY:]]
        back = await joined(server, token, DYING, lasts)
        hearing = asyncio.gather(*(through(one, MONTHS[2]) for one in (*steady, *back, *stalling)))
        await play(war)
        third = await hearing
        whole = happened([*first[0], *second[0], *third[0]])
        assert len(whole) > 30
        for n in range(STEADY):
            assert happened([*first[n], *second[n], *third[n]]) == whole
        for n in range(DYING):
            assert happened([*first[STEADY + n], *third[STEADY + n]]) == whole
        for told in third[STEADY + DYING :]:
            assert happened(told) == whole
        for one in (*steady, *back, *stalling):
            one.writer.transport.abort()
        await asyncio.to_thread(
            wait_until,
            lambda: server.descriptors() < before[0] + OF_THREADS,
            "every follower's descriptor to be closed",
        )
        assert crowd[2] < 20
        record_property(
            "figure",
            f"{STEADY + DYING + STALLING} followers on one process, {DYING} died and came back, "
            f"{STALLING} stalled for two months: {len(whole)} events each, none lost or doubled; "
            f"descriptors {before[0]}, then {crowd[0]}, {server.descriptors()} afterwards; "
            f"{crowd[2]} threads; memory {before[1] >> 20}, {crowd[1] >> 20}, "
            f"{server.memory() >> 20} MB",
        )

    with served(tmp_path) as server:
        run(go(server))


async def joined(server: Served, token: str, number: int, lasts: Any = None) -> list[Reader]:
    """So many more who follow, fifty at a time; each from the place he has reached."""
    found: list[Reader] = []
    for start in range(0, number, 50):
        places = (lasts or [""] * number)[start : start + 50]
        lines = [following(server.port, "war", token, last=place) for place in places]
        found += await asyncio.gather(*(line.__aenter__() for line in lines))
        _KEPT.extend(lines)
    return found


_KEPT: list[Any] = []
"""A generator that is forgotten closes its connection."""
