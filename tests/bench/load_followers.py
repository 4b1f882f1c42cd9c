"""Many who follow a campaign on one process of a server, and what they are told of a month."""

import asyncio
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.streams.served import Message, Reader, following

AT_ONCE = 50
QUIET = 3.0
"""Seconds without a message after which a month is taken to have been told."""


class Heard(NamedTuple):
    """The events that one of them was told, and when the last of them came."""

    events: list[tuple[str, Any]]
    last: float


def measure(port: int, followers: int, play_on: Callable[[], None]) -> None:
    """Prints whether everybody was told everything in order, and how far apart they heard it."""
    heard = asyncio.run(_followed(port, followers, play_on))
    first = heard[0].events
    same = sum(one.events == first for one in heard)
    times = sorted(one.last for one in heard)
    apart = (times[-1] - times[0]) * 1000
    print(
        f"  followers  {len(heard)} on one process, {len(first)} events each, "
        f"{same} told all of them in the same order; "
        f"from the first to the last who heard the last of them {apart:.0f} ms "
        f"(median {(statistics.median(times) - times[0]) * 1000:.0f} ms)",
        flush=True,
    )
    if same != len(heard) or not first:
        raise RuntimeError("Not everybody was told everything in order.")


async def _followed(port: int, followers: int, play_on: Callable[[], None]) -> list[Heard]:
    lines = [following(port, "load") for _ in range(followers)]
    everybody: list[Reader] = []
    for start in range(0, followers, AT_ONCE):
        some = lines[start : start + AT_ONCE]
        everybody += await asyncio.gather(*(line.__aenter__() for line in some))
    before = await asyncio.gather(*(one.until("status") for one in everybody))
    stood = before[0][-1].data
    if stood["status"] == "over":
        raise RuntimeError("The campaign is over: there is no month to be told of.")
    hearing = asyncio.gather(*(_heard(one, stood["month"]) for one in everybody))
    await asyncio.get_running_loop().run_in_executor(None, play_on)
    found = await hearing
    await asyncio.gather(*(line.__aexit__(None, None, None) for line in lines))
    return found


async def _heard(reader: Reader, month: str) -> Heard:
    """Return the events until the campaign is over or in another month, and nothing more comes."""
    told: list[tuple[str, Any]] = []
    last, moved = time.monotonic(), False
    while True:
        message = await _next(reader, patient=not moved)
        if message is None:
            return Heard(told, last)
        if message.kind == "status":
            moved = message.data["month"] != month or message.data["status"] == "over"
        else:
            told.append((message.id, message.data))
            last = time.monotonic()


async def _next(reader: Reader, *, patient: bool) -> Message | None:
    if patient:
        return await reader.message()
    try:
        return await asyncio.wait_for(reader.message(), QUIET)
    except TimeoutError:
        return None
