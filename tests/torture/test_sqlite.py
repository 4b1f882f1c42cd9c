"""The site of one folder on SQLite, as `make play` runs it: a full disk, and processes killed."""

import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.torture.club import Club, Hand, kill, until
from tests.torture.test_servers_gone import goes_on, save, told_in_words

SLUG, BESIDE = "war", "other"
ROOM = 96  # megabytes
ROUNDS = 12
READ = (
    *("/", f"/campaigns/{SLUG}/", f"/campaigns/{SLUG}/papers/", "/about/", "/accounts/login/"),
    *(
        "/metrics",
        "/health/live",
        "/health/ready",
        f"/api/v1/campaigns/{SLUG}/months/current/state/",
    ),
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own, little and empty, which only root may lay out."""
    found = tmp_path / "disk"
    found.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}m", "tmpfs", found], check=True)
    try:
        yield found
    finally:
        subprocess.run(["umount", "--lazy", found], check=True)


def _site(tmp_path: Path, data: Path) -> Club:
    """Return a site whose database, queue and figures lie in that folder, and its logs
    elsewhere.
    """
    logs = tmp_path / "logs"
    logs.mkdir()
    club = Club(logs, f"sqlite:///{data / 'sirdar.sqlite3'}", "", SIRDAR_DATA=str(data))
    club.manage("migrate", "-v0")
    return club


@pytest.fixture
def cramped(tmp_path: Path, disk: Path) -> Iterator[Club]:
    """A site on that disk."""
    club = _site(tmp_path, disk)
    yield club
    club.end()


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Club]:
    """A site in a folder."""
    (tmp_path / "var").mkdir()
    club = _site(tmp_path, tmp_path / "var")
    yield club
    club.end()


@pytest.mark.torture
def test_a_full_disk_is_told_of_and_everything_goes_on_when_there_is_room(
    cramped: Club, disk: Path
) -> None:
    """It is full in mid-month and mid-battle, three times, while somebody writes a sheet."""
    hand = Hand(cramped)
    who, other, meeting = hand("begin", slug=SLUG), hand("begin", slug=BESIDE), hand("meet")
    hand("order", slug=SLUG)
    web, worker = cramped.web(), cramped.worker()
    until(lambda: " ready." in cramped.log("worker"), "the worker does not come up")
    hand("ask", slug=SLUG, months=4)
    hand("ask", slug=meeting)
    until(lambda: hand("running"), "no worker takes the months up")
    ballast, kept = disk / "ballast", 0
    for _ in range(3):
        with ballast.open("wb", buffering=0) as file:
            while free := shutil.disk_usage(disk).free:
                file.write(bytes(free))
        kept = _until_refused(cramped, other, kept)
        seen = {path: cramped.get(path, who["sessions"]["umpire"]).status for path in READ}
        assert set(seen.values()) == {200}, seen
        assert (web.poll(), worker.poll()) == (None, None)
        ballast.unlink()
        assert save(cramped, other, kept, BESIDE).status == 200
        kept += 1
    goes_on(hand, 4)
    until(lambda: hand("now", slug=meeting)["status"] == "succeeded", "the battle is not fought")
    assert hand("fought", slug=meeting)
    hand("proof", slug=meeting)
    assert sum(revision for revision, _ in hand("sheets", slug=BESIDE).values()) == kept
    hand("whole", slug=BESIDE)


def _until_refused(club: Club, other: dict[str, Any], revision: int) -> int:
    """Have a sheet written until the full disk refuses it, in words; its last revision kept."""
    for _ in range(500):
        answer = save(club, other, revision, BESIDE)
        if answer.status != 200:
            told_in_words(answer, "There is no room left on the disk")
            return revision
        revision += 1
    raise AssertionError("a full disk refuses nothing")


class Writer(threading.Thread):
    """Somebody who writes his sheet again and again, and remembers what was acknowledged."""

    def __init__(self, club: Club, who: dict[str, Any], slug: str) -> None:
        super().__init__(daemon=True)
        self._about = club, who, slug
        self.acknowledged = self.unanswered = 0
        self.wrong: list[str] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        club, who, slug = self._about
        revision = 0
        while not self.stopped.is_set():
            answer = save(club, who, revision, slug)
            if answer.status == 200:
                revision += 1
                self.acknowledged = revision
            elif answer.status == 412:
                # One write, whose answer was lost with its server, may have been kept.
                revision += 1
            elif answer.status in (0, 502, 503):
                self.unanswered += 1
                self.stopped.wait(0.2)
            elif answer.status == 429:
                self.stopped.wait(float(answer.headers["Retry-After"]))
            else:
                self.wrong.append(f"{answer.status} {answer.data[:300]!r}")
                return


@pytest.mark.torture
def test_processes_killed_beside_writers_lose_nothing_that_was_acknowledged(
    alone: Club, tell: Callable[[str], None]
) -> None:
    chance, hand = random.Random(12), Hand(alone)
    hand("begin", slug=SLUG, scenario="relief-of-el-obeid", by_sheets=False)
    slugs = [f"club-{number}" for number in range(4)]
    writers = [Writer(alone, hand("begin", slug=slug), slug) for slug in slugs]
    web, worker = alone.web(), alone.worker()
    for writer in writers:
        writer.start()
    hand("ask", slug=SLUG, months=6)
    killed = 0
    for turn in range(ROUNDS):
        time.sleep(chance.uniform(1, 4))
        killed += 1 + (turn % 3 == 2)
        if turn % 3 != 1:
            kill(worker)
            worker = alone.worker()
        if turn % 3 != 0:
            kill(web)
            web = alone.web()
    for writer in writers:
        writer.stopped.set()
        writer.join(90)
    assert [writer.wrong for writer in writers] == [[]] * len(writers)
    for slug, writer in zip(slugs, writers, strict=True):
        ((revision, _),) = hand("sheets", slug=slug).values()
        assert writer.acknowledged <= revision <= writer.acknowledged + 1, slug
        hand("whole", slug=slug)
    goes_on(hand, 6)
    hand("proof", slug=SLUG)
    for log in ("web", "worker"):
        assert "database is locked" not in alone.log(log)
    written = [writer.acknowledged for writer in writers]
    assert all(written)
    tell(
        f"SQLite: {killed} kills beside {len(writers)} writers, {sum(written)} sheets "
        f"acknowledged, {sum(writer.unanswered for writer in writers)} not answered, none lost"
    )
