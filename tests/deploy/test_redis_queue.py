"""Redis as a broker: a worker that loses it with a task in hand takes the next one all the same."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from celery import Celery
from django.conf import settings

from tests.deploy.queue_app import HOLD
from tests.patience import PATIENCE, wait_until
from tests.servers import Redis, running

WORKER = "celery --app tests.deploy.queue_app worker --queues interactive --loglevel info"
POOLS = {"solo": ["--pool", "solo"], "prefork": ["--pool", "prefork", "--concurrency", "1"]}


class Queue(NamedTuple):
    """A Redis, the log of a worker of one process that takes tasks from it, and their folder."""

    redis: Redis
    log: Path
    folder: Path

    def send(self, tasks: Celery, name: str) -> Path:
        """Send a task that says by a file that it is taken, and holds until `over` is there."""
        taken = self.folder / name
        tasks.send_task(HOLD, [str(taken), str(self.folder / "over")], queue="interactive")
        return taken

    def wait(self, holds: Callable[[], object], what: str) -> None:
        wait_until(holds, what, self.log.read_text)


@pytest.fixture(scope="module", params=POOLS.values(), ids=list(POOLS))
def queue(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Queue]:
    """A queue with a worker as the settings have it, up."""
    folder = tmp_path_factory.mktemp("queue")
    command = [sys.executable, "-m", *WORKER.split(), *request.param]
    with running(Redis) as server:
        found = Queue(server, folder / "worker.log", folder)
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "sirdar.settings",
            "SIRDAR_DATA": str(folder),
            "REDIS_URL": server.url(),
            "SIRDAR_BEAT": "1",
        }
        with found.log.open("wb") as said:
            process = subprocess.Popen(
                command, cwd=settings.BASE_DIR, env=environment, stdout=said, stderr=said
            )
        try:
            found.wait(lambda: " ready." in found.log.read_text(), "the worker to come up")
            yield found
        finally:
            process.terminate()
            process.wait(PATIENCE)


def test_a_worker_takes_no_more_than_it_has_processes(queue: Queue) -> None:
    with Celery(broker=queue.redis.url(), set_as_current=False) as tasks:
        taken = [queue.send(tasks, name) for name in "abc"]
        queue.wait(taken[0].exists, "a task to be taken")
        with tasks.connection_for_read() as connection:
            client = connection.default_channel.client
            assert client.llen("interactive") == 2
        (queue.folder / "over").touch()
        queue.wait(taken[2].exists, "all tasks to be taken")
        queue.wait(lambda: queue.log.read_text().count("succeeded") == 3, "all tasks to be over")


def test_a_worker_that_cannot_acknowledge_a_task_takes_the_next(queue: Queue) -> None:
    (queue.folder / "over").unlink(missing_ok=True)
    before = queue.log.read_text().count("succeeded")
    with Celery(broker=queue.redis.url(), set_as_current=False) as tasks:
        first = queue.send(tasks, "first")
        queue.wait(first.exists, "the first task to be taken")
        queue.redis.kill()
        (queue.folder / "over").touch()
        queue.wait(
            lambda: queue.log.read_text().count("succeeded") > before, "the first task to be over"
        )
        queue.redis.start()
        queue.wait(queue.send(tasks, "second").exists, "the second task to be taken")
