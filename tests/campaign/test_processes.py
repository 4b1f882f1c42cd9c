"""Real processes on a database of their own: killed in the middle, two at once, no broker."""

import shutil
from pathlib import Path

import pytest

from tests.campaign.place import SLUG, Place
from tests.patience import ended, wait_until
from tests.played_once import made_once


@pytest.fixture(scope="module")
def begun(migrated: Path) -> Path:
    """A folder in which a campaign has begun."""

    def begin(folder: Path) -> None:
        shutil.copytree(migrated, folder, dirs_exist_ok=True)
        here = Place(folder)
        assert here.run("newcampaign", "relief-of-el-obeid", "--slug", SLUG).returncode == 0

    return made_once("begun", begin)


@pytest.fixture
def place(begun: Path, tmp_path: Path) -> Place:
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    return Place(tmp_path)


def test_a_process_killed_in_mid_month_loses_nothing(place: Place) -> None:
    running = place.start("advance", SLUG, "--months", "3")
    wait_until(lambda: place.entries() > 15 or running.poll() is not None, "sixteen entries")
    running.kill()
    running.communicate()
    written = place.entries()
    assert running.returncode != 0
    assert written > 15
    assert place.run("replay", SLUG, "--check").returncode == 0
    again = place.run("advance", SLUG, "--months", "3")
    assert again.returncode == 0, again.stderr
    assert place.entries() > written
    assert place.run("replay", SLUG, "--check").returncode == 0
    assert place.run("verify_dice", SLUG).returncode == 0


def test_a_month_advanced_twice_at_once_is_advanced_once(place: Place) -> None:
    both = [place.start("advance", SLUG, "--months", "2") for _ in range(2)]
    told = [ended(process, "the end of advancing two months") for process in both]
    failed = [err for code, _, err in told if code]
    assert all("Traceback" not in err for _, _, err in told)
    assert failed == []
    assert place.month() in {2, 4}
    assert place.run("replay", SLUG, "--check").returncode == 0


def test_a_broker_that_cannot_be_reached_is_told_and_nothing_is_lost(place: Place) -> None:
    script = (
        "from campaign.models import Campaign; from campaign.services.turns import advance_jobs;"
        f"job = advance_jobs.request_advance(Campaign.objects.get(slug='{SLUG}').pk, None);"
        "print(job.status, job.message)"
    )
    place.environment["REDIS_URL"] = "redis://127.0.0.1:1/0"
    said = place.run("shell", "-v0", "-c", script)
    assert said.returncode == 0, said.stderr
    assert said.stdout.startswith("pending No worker can be told"), said.stdout
    assert place.run("advance", SLUG).returncode == 0
    assert place.month() == 1


def test_a_database_that_was_never_migrated_is_one_clear_line(tmp_path: Path) -> None:
    said = Place(tmp_path).run("advance", SLUG)
    assert said.returncode == 1
    assert len(said.stderr.splitlines()) == 1
    assert "manage.py migrate" in said.stderr
