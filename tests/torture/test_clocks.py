"""Clocks that are wrong, and a deadline that passes while the site is being upgraded."""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.torture.club import Club, Hand, kill, until
from tests.torture.test_servers_gone import PAGE, SLUG, goes_on, told_in_words
from tests.torture.upgrade.renamed import LAST

POLICY = {"no_show": "staff", "grace_hours": 0}
WITHOUT, WITH = ("migrate", "campaign", LAST), ("migrate", "campaign", "renamed")
"""The commands that undo the migration of the tests, and that carry it out."""


def clock(moved: str) -> Mapping[str, str]:
    """Return the environment of a process whose clock is so much ahead (`+1h`) or behind
    (`-1h`).
    """
    found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not found:
        pytest.fail(
            "The tests of clocks need libfaketime: install it with 'apt install libfaketime'."
        )
    return {"LD_PRELOAD": str(found[0]), "FAKETIME": moved, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}


@pytest.mark.torture
@pytest.mark.parametrize("moved", ["+1h", "-1h"])
def test_a_month_left_by_a_worker_whose_clock_is_wrong_is_taken_up_by_the_next(
    club: Club, hand: Hand, moved: str
) -> None:
    hand("begin", slug=SLUG)
    hand("order", slug=SLUG)
    hand("ask", slug=SLUG, months=3)
    wrong = club.worker(name="wrong", more=clock(moved))
    until(lambda: hand("now", slug=SLUG)["status"] == "running", "nobody takes the months up")
    kill(wrong)
    left = hand("now", slug=SLUG)
    assert left["status"] == "running"
    began = time.monotonic()
    club.worker()
    goes_on(hand, 3)
    assert time.monotonic() - began < 300


@pytest.mark.torture
def test_two_workers_two_hours_apart_play_every_month_once(club: Club, hand: Hand) -> None:
    for moved in ("+1h", "-1h"):
        club.worker(name=f"worker{moved}", more=clock(moved))
    for number in range(4):
        hand("begin", slug=f"war-{number}")
        hand("order", slug=f"war-{number}")
        hand("ask", slug=f"war-{number}", months=3)

    def done() -> bool:
        hand("sweep")
        time.sleep(0.5)
        return not hand("under_way")

    until(done, "the months are not played")
    for number in range(4):
        assert hand("now", slug=f"war-{number}")["played"] == 3
        hand("whole", slug=f"war-{number}", by_rules=True)


@pytest.mark.torture
def test_a_clock_that_leaps_a_month_ahead_and_back_runs_each_deadline_once(
    club: Club, hand: Hand
) -> None:
    hand("begin", slug=SLUG, deadline_policy=POLICY)
    right = dict(club.environment)
    club.environment |= clock("+8d")
    assert "The month runs." in club.manage("deadlines_due")
    assert "The month runs." not in club.manage("deadlines_due")
    club.environment = right
    club.worker()
    until(lambda: hand("now", slug=SLUG)["status"] == "succeeded", "the month is not played")
    for moved in ("+1h", "-1h", "-8d"):
        club.environment |= clock(moved)
        club.manage("deadlines_due")
        time.sleep(1)
        assert hand("now", slug=SLUG)["jobs"] == hand("now", slug=SLUG)["played"] == 1, moved
    hand("whole", slug=SLUG, by_rules=True)


def other_version(database: str) -> Mapping[str, str]:
    """Return the environment of a program that knows the migration of the tests.

    Its database is `behind` it until that is carried out; the database of a program that does not
    know it is `ahead` from then on.
    """
    settings = "tests.torture.upgrade_settings"
    return {"DJANGO_SETTINGS_MODULE": settings, "SIRDAR_TEST_DATABASE": database}


@pytest.mark.torture
@pytest.mark.parametrize("database", ["behind", "ahead"])
def test_a_deadline_that_passes_during_an_upgrade_is_kept_once_it_is_over(
    club: Club, hand: Hand, database: str
) -> None:
    """The program is the new one and its database not yet, or the reverse; beat goes on as ever."""
    who = hand("begin", slug=SLUG, deadline_policy=POLICY)
    behind = database == "behind"
    if behind:
        club.environment |= other_version(database)
        club.manage(*WITH, "--fake")
    club.web()
    club.worker()
    hand("set_due", slug=SLUG, seconds=2)
    club.environment |= other_version(database)
    club.manage(*(WITHOUT if behind else WITH))
    beat(hand, 4)
    told_in_words(
        club.get(f"{PAGE}orders/{who['seats']['egyptian']}/", who["sessions"]["egyptian"]),
        "The site is being upgraded",
    )
    if behind:
        ready = club.get("/health/ready")
        assert (ready.status, ready.json()["status"]) == (503, "not ready")
        assert ready.json()["database"] == "not migrated: run manage.py migrate"
    agree = ("migrate",) if behind else WITHOUT
    upgrade = club.start((sys.executable, "manage.py", *agree), "upgrade")
    while upgrade.poll() is None:
        beat(hand, 1)
    assert upgrade.returncode == 0, club.log("upgrade")
    beat(hand, 3)
    until(lambda: hand("now", slug=SLUG)["status"] == "succeeded", "the month is not played")
    assert hand("now", slug=SLUG)["played"] == hand("now", slug=SLUG)["jobs"] == 1
    assert club.get("/health/ready").json()["database"] == "in order"
    hand("whole", slug=SLUG, by_rules=True)


def beat(hand: Hand, times: int) -> None:
    """Send the task that looks at the deadlines, more often than beat would."""
    for _ in range(times):
        hand("tick")
        time.sleep(1)
