"""A crowd of followers on one process, some of whom die, stall and come back."""

import asyncio
import socket
import threading
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from api.streams import doors, hub
from api.streams.followers import Follower, Head, News, Subject, Who
from api.streams.hub import Hub
from campaign.models import Campaign
from tests.loops import run
from tests.patience import PATIENCE, wait_until
from tests.streams.served import Reader, Served, following, served
from tests.streams.test_stream import happened, people, play, through, tokens, war  # noqa: F401  fixtures

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

    def readers(self, numbers: Collection[int]) -> Mapping[int, "Chatter"]:
        return dict.fromkeys(numbers, self)

    def news(self, follower: Follower) -> News:
        return News(follower, self.message, "", b"", more=True)


class Full:
    """A wire that nobody takes anything off until it is emptied."""

    def __init__(self) -> None:
        self.bytes, self.sent = hub.FULL, b""

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
    monkeypatch.setattr(hub, "LOOK", PATIENCE)
    chatter, wire, here = Chatter(b"news"), Full(), Hub()
    follower = Follower(Subject(chatter, 1), Who(), "", wire)
    rested = threading.Event()

    async def begin() -> None:
        here.add(follower)

    async def empty() -> None:
        wire.bytes = 0
        here.look_again()

    async def leave() -> None:
        here.drop(follower)

    async def rest() -> None:
        await asyncio.sleep(100 * hub.BREATH)
        rested.set()

    here.do(begin)
    wait_until(lambda: chatter.looks, "the first look")
    here.do(rest)
    assert rested.wait(PATIENCE)
    assert chatter.looks <= WAKES
    assert b"news" not in wire.sent
    here.do(empty)
    wait_until(lambda: b"news" in wire.sent, "the news to be sent once there is room")
    here.do(leave)


@pytest.mark.django_db(transaction=True)
def test_who_reads_no_more_loses_his_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """What waits for him is dropped too: his buffers and his descriptor are the server's."""
    for name, seconds in (("LOOK", 0.05), ("BEAT", 0.05), ("STUCK", 0.2)):
        monkeypatch.setattr(hub, name, seconds)
    monkeypatch.setattr(doors, "STUCK", 0.2)
    chatter = Chatter(b"x" * hub.FULL)
    his, ours = socket.socketpair()
    with his, ours:
        taken = doors.TakenOver(ours, lambda wire: Follower(Subject(chatter, 1), Who(), "", wire))
        assert list(taken) == []
        wait_until(lambda: chatter.looks > 1, "the first looks")
        wait_until(lambda: not stands(his), "the end of a connection nobody reads")


def stands(line: socket.socket) -> bool:
    """Whether the connection stands: a write fails as soon as its other end is closed."""
    line.setblocking(False)
    try:
        line.send(b"?")
    except BlockingIOError:
        return True
    except OSError:
        return False
    return True


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
            await one.until("standing")
        before = descriptors(server), server.memory()
        steady = await joined(server, token, STEADY)
        dying = await joined(server, token, DYING)
        stalling = await joined(server, token, STALLING)
        for one in (*steady, *dying, *stalling):
            await one.until("standing")
        hearing = asyncio.gather(*(through(one, MONTHS[0]) for one in (*steady, *dying)))
        await play(war)
        first = await hearing
        for one in dying:
            one.writer.transport.abort()
        hearing = asyncio.gather(*(through(one, MONTHS[1]) for one in steady))
        await play(war)
        second = await hearing
        crowd = descriptors(server), server.memory(), server.threads()
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
            lambda: descriptors(server) < before[0] + OF_THREADS,
            "every follower's descriptor to be closed",
        )
        assert crowd[2] < 20
        record_property(
            "figure",
            f"{STEADY + DYING + STALLING} followers on one process, {DYING} died and came back, "
            f"{STALLING} stalled for two months: {len(whole)} events each, none lost or doubled; "
            f"descriptors {before[0]}, then {crowd[0]}, {descriptors(server)} afterwards; "
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


def descriptors(server: Served) -> int:
    return len(list(Path(f"/proc/{server.worker}/fd").iterdir()))
