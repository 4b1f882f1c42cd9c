"""Redis as a broker: a worker that loses it with a task in hand takes the next one all the same."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from django.conf import settings

from tests.deploy.queue_app import HOLD
from tests.patience import PATIENCE, wait_until
from tests.servers import Redis

WORKER = "celery --app tests.deploy.queue_app worker --queues interactive --loglevel info"
POOLS = {"solo": ["--pool", "solo"], "prefork": ["--pool", "prefork", "--concurrency", "1"]}


@pytest.fixture(params=POOLS.values(), ids=list(POOLS))
def worker(
    own_redis: Redis, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[subprocess.Popen[bytes]]:
    """A worker of one process as the settings have it, up."""
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "sirdar.settings",
        "SIRDAR_DATA": str(tmp_path),
        "REDIS_URL": own_redis.url(),
        "SIRDAR_BEAT": "1",
    }
    log = tmp_path / "worker.log"
    command = [sys.executable, "-m", *WORKER.split(), *request.param]
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=settings.BASE_DIR, env=environment, stdout=said, stderr=said
        )
    try:
        wait_until(lambda: " ready." in log.read_text(), "the worker to come up", log.read_text)
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.mark.usefixtures("worker")
def test_a_worker_that_cannot_acknowledge_a_task_takes_the_next(
    own_redis: Redis, tmp_path: Path
) -> None:
    log = (tmp_path / "worker.log").read_text
    with Celery(broker=own_redis.url(), set_as_current=False) as queue:
        first = [tmp_path / "first", tmp_path / "first-over"]
        queue.send_task(HOLD, [str(one) for one in first], queue="interactive")
        wait_until(first[0].exists, "the first task to be taken", log)
        own_redis.kill()
        first[1].touch()
        wait_until(lambda: "succeeded" in log(), "the first task to be over", log)
        own_redis.start()
        second = [tmp_path / "second", first[1]]
        queue.send_task(HOLD, [str(one) for one in second], queue="interactive")
        wait_until(second[0].exists, "the second task to be taken", log)


@pytest.mark.usefixtures("worker")
def test_a_worker_takes_no_more_than_it_has_processes(own_redis: Redis, tmp_path: Path) -> None:
    log = (tmp_path / "worker.log").read_text
    over = tmp_path / "over"
    with Celery(broker=own_redis.url(), set_as_current=False) as queue:
        for name in "abc":
            queue.send_task(HOLD, [str(tmp_path / name), str(over)], queue="interactive")
        wait_until((tmp_path / "a").exists, "a task to be taken", log)
        with queue.connection_for_read() as connection:
            client = connection.default_channel.client
            assert client.llen("interactive") == 2
        over.touch()
        wait_until((tmp_path / "c").exists, "all tasks to be taken", log)
