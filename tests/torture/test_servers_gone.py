"""PostgreSQL and Redis that go: stopped, killed, locked, full; people are told, months go on."""

import itertools
import json
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import urllib3

from tests.servers import Postgres, Redis, running
from tests.torture.club import Club, Failed, Hand, until

SLUG = "war"
PAGE = f"/campaigns/{SLUG}/"
STATE = f"/api/v1/campaigns/{SLUG}/months/current/state/"


@pytest.fixture
def there(fragile: Club) -> Hand:
    return Hand(fragile)


def told_in_words(answer: urllib3.BaseHTTPResponse, words: str) -> None:
    """The page or the problem document says what is wrong and when to come again."""
    said = answer.data.decode()
    assert answer.status == 503, (answer.status, said[:300])
    assert words in said
    assert "Traceback" not in said
    assert int(answer.headers["Retry-After"]) > 0
    if answer.headers["Content-Type"] == "application/problem+json":
        assert json.loads(said)["type"].endswith("/api/v1/problems/unavailable/")
    else:
        assert "<h1>Sirdar is not available at the moment</h1>" in said


def goes_on(hand: Hand, played: int, slug: str = SLUG) -> None:
    """Assert that the months are played, or all that the game had, without another request."""

    def done() -> bool:
        hand("sweep")
        time.sleep(0.5)
        return bool(hand("now", slug=slug)["status"] == "succeeded")

    until(done, "the months do not go on")
    now = hand("now", slug=slug)
    assert now["played"] == played or (now["finished"] and now["played"] < played), now
    hand("whole", slug=slug, by_rules=True)


def save(
    club: Club, who: dict[str, Any], revision: int, slug: str = SLUG
) -> urllib3.BaseHTTPResponse:
    """The Egyptian player's page keeps his sheet."""
    path = f"/api/v1/campaigns/{slug}/seats/{who['seats']['egyptian']}/sheets/{who['name']}/"
    return club.change("PUT", path, {"orders": []}, who["sessions"]["egyptian"], revision)


def test_a_redis_that_goes_and_comes_back_empty_loses_no_month(
    fragile: Club, there: Hand, own_redis: Redis
) -> None:
    who = there("begin", slug=SLUG)
    fragile.web()
    fragile.worker()
    umpire = who["sessions"]["umpire"]
    own_redis.kill()
    assert fragile.get(PAGE, umpire).status == 200
    assert save(fragile, who, 0).status == 200
    asked = fragile.post(f"{PAGE}advance/", {"months": "2", "month": str(who["month"])}, umpire)
    assert asked.status == 302
    waiting = fragile.get(str(asked.headers["Location"]), umpire)
    assert "No worker can be told: the task queue does not answer." in waiting.data.decode()
    assert fragile.get(STATE, token=who["tokens"]["umpire"]).status == 200
    guessed = fragile.post("/api/v1/tokens/", {"username": "egyptian", "password": "wrong"})
    told_in_words(guessed, "does not answer")
    own_redis.start()
    assert fragile.get(STATE, token=who["tokens"]["umpire"]).status == 200
    goes_on(there, 2)
    assert there("sheets", slug=SLUG)[f"{who['month']}.{who['seats']['egyptian']}"][0] == 1


@pytest.mark.torture
def test_a_database_that_is_restarted_in_mid_month_is_told_of_and_the_month_goes_on(
    fragile: Club, there: Hand, own_postgres: Postgres
) -> None:
    who = there("begin", slug=SLUG)
    there("order", slug=SLUG)
    fragile.web()
    fragile.worker()
    there("ask", slug=SLUG, months=2)
    until(lambda: there("running"), "no worker takes the month up")
    own_postgres.kill()
    umpire = who["sessions"]["umpire"]
    told_in_words(fragile.get(PAGE, umpire), "The database does not answer.")
    told_in_words(fragile.get(STATE, token=who["tokens"]["umpire"]), "The database does not")
    told_in_words(save(fragile, who, 2), "The database does not answer.")
    told_in_words(fragile.get("/accounts/login/", umpire), "The database does not answer.")
    own_postgres.start()
    assert fragile.get(PAGE, umpire).status == 200
    goes_on(there, 2)


@pytest.mark.torture
def test_a_database_and_a_redis_killed_twenty_times_each_lose_nothing(
    fragile: Club, there: Hand, own_postgres: Postgres, own_redis: Redis,
    tell: Callable[[str], None],
) -> None:  # fmt: skip
    chance, months, began = random.Random(20), 0, time.monotonic()
    wars = (f"{SLUG}-{number}" for number in itertools.count(1))
    there("begin", slug=(slug := next(wars)), scenario="relief-of-el-obeid")
    fragile.worker("--pool", "prefork", "--concurrency", "2")
    for turn in range(40):
        server: Postgres | Redis = own_redis if turn % 2 else own_postgres
        if there("now", slug=slug)["finished"]:
            goes_on(there, there("now", slug=slug)["asked"], slug)
            there("begin", slug=(slug := next(wars)), scenario="relief-of-el-obeid")
        if there("now", slug=slug)["status"] in ("succeeded", ""):
            there("order", slug=slug)
            there("ask", slug=slug, months=1)
            months += 1
        time.sleep(chance.uniform(0, 1.5))
        server.kill()
        time.sleep(chance.uniform(0, 1.0))
        server.start()
        swept(there)
        there("whole", slug=slug)
    goes_on(there, there("now", slug=slug)["asked"], slug)
    tell(
        f"PostgreSQL and Redis killed by turns: {turn + 1} times in {months} months, "
        f"{time.monotonic() - began:.0f} s"
    )


def swept(hand: Hand) -> None:
    """Sweep, as often as it takes for the hand to find the database again."""

    def sweeps() -> bool:
        try:
            hand("sweep")
        except Failed:
            return False
        return True

    until(sweeps, "the database is not found again")


@pytest.mark.torture
def test_a_row_that_somebody_keeps_locked_makes_nobody_wait_for_ever(
    club: Club, hand: Hand
) -> None:
    who = hand("begin", slug=SLUG)
    hand("order", slug=SLUG)
    hand("begin", slug="other")
    club.web()
    club.worker()
    with psycopg.connect(club.database) as connection:
        connection.execute("SELECT 1 FROM campaign_campaign WHERE slug = 'war' FOR UPDATE")
        told_in_words(save(club, who, 2), "Another process has blocked the database")
        assert club.get(PAGE, who["sessions"]["umpire"]).status == 200
        hand("ask", slug="other")
        until(lambda: hand("now", slug="other")["status"] == "succeeded", "the others wait too")
    hand("ask", slug=SLUG)
    goes_on(hand, 1)


@pytest.mark.torture
def test_a_month_whose_campaign_is_locked_says_so_and_goes_on_afterwards(
    club: Club, hand: Hand
) -> None:
    hand("begin", slug=SLUG)
    hand("order", slug=SLUG)
    hand("ask", slug=SLUG)
    with psycopg.connect(club.database) as connection:
        connection.execute("SELECT 1 FROM campaign_campaign WHERE slug = 'war' FOR UPDATE")
        club.worker()
        words = "Another process has blocked the database for too long."
        until(lambda: words in hand("now", slug=SLUG)["message"], "nobody says what is wrong")
    goes_on(hand, 1)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 160 MB, which only root may lay out, and on which servers are started."""
    with tempfile.TemporaryDirectory(prefix="sirdar-") as folder:
        disk = Path(folder)
        size = ("-o", "size=160m,mode=755")
        subprocess.run(["mount", "-t", "tmpfs", *size, "tmpfs", folder], check=True)
        try:
            monkeypatch.setattr(tempfile, "tempdir", folder)
            yield disk
        finally:
            monkeypatch.undo()
            subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.torture
def test_a_disk_that_is_full_stops_the_month_until_there_is_room(
    tmp_path: Path, own_redis: Redis, small: Path
) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    options = "min_wal_size=32MB", "max_wal_size=48MB", "autovacuum=off"
    with running(Postgres, *options) as server:
        club = Club(folder, server.fresh("torture_full"), own_redis.url())
        try:
            club.manage("migrate", "-v0")
            _fill_up(club, server, small)
        finally:
            club.end()


def _fill_up(club: Club, server: Postgres, disk: Path) -> None:
    """The disk is full in the middle of a month, while somebody writes in another campaign."""
    hand = Hand(club)
    hand("begin", slug=SLUG)
    other = hand("begin", slug="other")
    hand("order", slug=SLUG)
    club.web()
    club.worker()
    hand("ask", slug=SLUG, months=6)
    until(lambda: hand("running"), "no worker takes the months up")
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        file.write(bytes(shutil.disk_usage(disk).free))
    kept = _until_refused(club, other)
    ballast.unlink()
    if not server.answers():
        server.kill()
        server.start()
    swept(hand)
    goes_on(hand, 6)
    there = hand("sheets", slug="other")
    assert sum(revision for revision, _ in there.values()) == kept
    hand("whole", slug="other")


def _until_refused(club: Club, other: dict[str, Any]) -> int:
    """Have a sheet written until the full disk refuses it, in words; how often it was kept."""
    for revision in range(500):
        answer = save(club, other, revision, "other")
        if answer.status == 503:
            said = answer.data.decode()
            assert "no room left" in said or "does not answer" in said
            return revision
        assert answer.status == 200, answer.data
    raise AssertionError("a full disk refuses nothing")


@pytest.mark.torture
def test_a_worker_looks_at_the_clocks_by_itself_after_redis_was_gone(
    fragile: Club, there: Hand, own_redis: Redis
) -> None:
    """Nobody but the worker sweeps here: what was asked while no queue was there is begun."""
    there("begin", slug=SLUG)
    fragile.worker()
    until(lambda: " ready." in fragile.log("worker"), "the worker does not come up")
    own_redis.kill()
    assert "No worker can be told" in there("ask", slug=SLUG)["message"]
    time.sleep(5)
    own_redis.start()
    played = lambda: there("now", slug=SLUG)["status"] == "succeeded"  # noqa: E731
    until(played, "nobody looks at the clocks", 300)
    there("whole", slug=SLUG, by_rules=True)
