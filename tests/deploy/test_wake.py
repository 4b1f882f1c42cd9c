"""Waiting for news ends by a message of the same process and of another, with Redis or not."""

import asyncio
import threading

import pytest

from ops.pubsub import FileWire, WakeHub, _set_in
from ops.redis_backends import RedisWire
from tests.patience import PATIENCE
from tests.streams.served import run


@pytest.fixture(params=["files", "redis"])
def wires(request, tmp_path):
    """Return a function that makes a wire, the same for each process."""
    if request.param == "files":
        return lambda: FileWire(tmp_path / "wake")
    url = request.getfixturevalue("redis_server").url()
    return lambda: RedisWire(url)


def test_a_wake_reaches_another_process_and_only_who_listens_to_its_topic(wires):
    here, there = WakeHub(wires()), WakeHub(wires())
    woken, other = threading.Event(), threading.Event()
    with there.telling("campaign-1", woken.set):
        assert woken.wait(PATIENCE)  # told of everything it may have missed before it heard
        woken.clear()
        with there.telling("campaign-2", other.set):
            here.wake("campaign-1")
            assert woken.wait(PATIENCE)
            assert not other.is_set()


def test_who_has_stopped_listening_is_left_alone_and_the_next_is_woken(wires):
    hub, woken = WakeHub(wires()), threading.Event()
    with hub.telling("campaign-1", woken.set):
        assert woken.wait(PATIENCE)
    woken.clear()
    hub.wake("campaign-1")
    assert not woken.is_set()
    with hub.telling("campaign-1", woken.set):
        hub.wake("campaign-1")
        assert woken.wait(PATIENCE)


def test_a_coroutine_is_woken_in_its_own_loop(wires):
    here, there = WakeHub(wires()), WakeHub(wires())

    async def wait_for_it() -> None:
        woken, loop = asyncio.Event(), asyncio.get_running_loop()
        with there.telling("campaign-1", lambda: _set_in(loop, woken)):
            await asyncio.wait_for(woken.wait(), PATIENCE)
            woken.clear()
            here.wake("campaign-1")
            await asyncio.wait_for(woken.wait(), PATIENCE)

    run(wait_for_it())


def test_listeners_hear_again_when_redis_comes_back(own_redis):
    here, there = WakeHub(RedisWire(own_redis.url())), WakeHub(RedisWire(own_redis.url()))
    woken = threading.Event()
    with there.telling("campaign-1", woken.set):
        assert woken.wait(PATIENCE)
        own_redis.stop()
        here.wake("campaign-1")  # nobody hears it, and nothing fails
        woken.clear()
        own_redis.start()
        assert woken.wait(PATIENCE)
        woken.clear()
        here.wake("campaign-1")
        assert woken.wait(PATIENCE)
