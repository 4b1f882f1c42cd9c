"""A backup taken in the middle of months and put back, as docs/deploy.md says."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.servers import Postgres
from tests.torture.club import ROOT, Club, Hand, until

pytestmark = pytest.mark.torture
PAGE = ROOT / "docs" / "deploy.md"
NAME, PASSWORD = "wingate", "the-Mudir-of-Dongola"
MONTHS = 3
WAYS: dict[str, dict[str, Any]] = {
    "war-1": {},
    "war-2": {"battles": "redcoats", "fog": True},
    "war-3": {"battles": "redcoats", "scenario": "relief-of-el-obeid"},
}


def line(beginning: str) -> str:
    """Return the one command of the page that begins so."""
    (found,) = re.findall(rf"^    ({re.escape(beginning)}.*)$", PAGE.read_text(), re.MULTILINE)
    return str(found)


def carry_out(command: str, club: Club, within: Path, **more: str) -> None:
    environment = club.environment | more
    subprocess.run(["sh", "-c", command], cwd=within, env=environment, check=True, timeout=PATIENCE)


class Season:
    """The site that is backed up: campaigns in mid-month, one before a battle."""

    def __init__(self, club: Club, hand: Hand) -> None:
        hand("enrol", name=NAME, password=PASSWORD)
        self._met = hand("meet")
        self._about = {slug: hand("begin", slug=slug, **way) for slug, way in WAYS.items()}
        self._handed_in = {slug: hand("order", slug=slug) for slug in WAYS}
        for slug in WAYS:
            hand("ask", slug=slug, months=MONTHS)
        hand("ask", slug=self._met)
        club.worker()
        until(lambda: self._in_the_middle(hand), "no month is ever in its middle")

    def _in_the_middle(self, hand: Hand) -> bool:
        """Of a month that is not the first, so that one is over as well."""
        return any(
            now["status"] == "running" and 0 < now["played"] < MONTHS
            for now in (hand("now", slug=slug) for slug in WAYS)
        )

    def goes_on(self, club: Club, hand: Hand) -> None:
        """All of it is there and well on the club that it was put back on, and is played on."""
        assert self._met in hand("under_way"), "the backup was taken after all was over"
        assert "as written" in club.manage("validate_campaigns", "--all")
        self._lets_people_in(club)
        for slug, sheets in self._handed_in.items():
            hand("whole", slug=slug, by_rules=True)
            there = hand("sheets", slug=slug)
            for told in sheets:
                assert there[f"{told['month']}.{told['seat']}"][1] == told["hash"]
        club.worker()
        until(lambda: self._over(hand), "the months are not played after all")
        for slug in WAYS:
            now = hand("now", slug=slug)
            assert now["played"] == MONTHS or now["finished"]
            hand("whole", slug=slug, by_rules=True)
            assert hand("proof", slug=slug) == now["played"] + now["finished"]
        assert hand("fought", slug=self._met)

    @staticmethod
    def _over(hand: Hand) -> bool:
        hand("sweep")
        return not hand("under_way")

    def _lets_people_in(self, club: Club) -> None:
        club.web()
        form = {"username": NAME, "password": PASSWORD}
        assert club.post("/accounts/login/", form).status == 302
        for slug, about in self._about.items():
            for role in ("umpire", "egyptian", "mahdist"):
                page = club.get(f"/campaigns/{slug}/", about["sessions"][role])
                assert page.status == 200
            desk = f"/campaigns/{slug}/orders/{about['seats']['egyptian']}/"
            assert club.get(desk, about["sessions"]["egyptian"]).status == 200
            state = f"/api/v1/campaigns/{slug}/months/current/state/"
            assert club.get(state, token=about["tokens"]["egyptian"]).status == 200
            assert club.get(state, token="srd_none").status == 401


@pytest.fixture
def again(tmp_path: Path, club: Club, postgres: Postgres) -> Iterator[Club]:
    """The site on the database that the backup is put back into."""
    folder = tmp_path / "again"
    folder.mkdir()
    redis = club.environment["REDIS_URL"]
    found = Club(folder, postgres.url("sirdar_restored"), redis)
    yield found
    found.end()


def test_a_dump_of_postgresql_in_mid_month_gives_everything_back(
    club: Club, hand: Hand, again: Club, postgres: Postgres
) -> None:
    season = Season(club, hand)
    server = {"PGHOST": "127.0.0.1", "PGPORT": str(postgres.port), "PGUSER": "sirdar"}
    carry_out(line("pg_dump"), club, club.folder, **server)
    club.end()
    (dump,) = club.folder.glob("sirdar-*.dump")
    carry_out(line("createdb"), again, club.folder, **server)
    restore = line("pg_restore").replace("sirdar-2027-01-01.dump", dump.name)
    carry_out(restore, again, club.folder, **server)
    carry_out(line("redis-cli"), again, club.folder)
    again.manage("migrate", "-v0")
    season.goes_on(again, Hand(again))


def test_a_copy_of_the_folder_s_database_in_mid_month_gives_everything_back(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    club = Club(var, "", "")
    try:
        club.manage("migrate", "-v0")
        season = Season(club, Hand(club))
        copy = line('.venv/bin/python -c "import sqlite3').replace(
            ".venv/bin/python", sys.executable
        )
        carry_out(copy, club, tmp_path)
        club.end()
        (tmp_path / "sirdar.backup").rename(var / "sirdar.sqlite3")
        for beside in ("sirdar.sqlite3-wal", "sirdar.sqlite3-shm"):
            (var / beside).unlink(missing_ok=True)
        shutil.rmtree(var / "broker")
        again = Club(var, "", "")
        again.manage("migrate", "-v0")
        season.goes_on(again, Hand(again))
        again.end()
    finally:
        club.end()
