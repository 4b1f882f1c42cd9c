"""Real processes that fight a campaign's battles: killed in one, two at once; to its end."""

import sqlite3
from pathlib import Path

import pytest

from tests.campaign.place import SLUG, Place
from tests.patience import PATIENCE, ended, wait_until

MOST_MONTHS = 12
"""By then a campaign has had a battle, whatever its dice."""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder with a campaign whose battles are fought out by redcoats."""
    here = Place(tmp_path)
    assert here.run("migrate", "-v0").returncode == 0
    begun = here.run("newcampaign", "siege-of-khartoum", "--slug", SLUG, "--resolution", "redcoats")
    assert begun.returncode == 0, begun.stderr
    return here


def battles(place: Place) -> int:
    with sqlite3.connect(place.database, timeout=PATIENCE) as connection:
        found = connection.execute("SELECT count(*) FROM battles_battle WHERE reported IS NOT NULL")
        return int(found.fetchone()[0])


def settled(place: Place) -> int:
    with sqlite3.connect(place.database, timeout=PATIENCE) as connection:
        wanted = "SELECT count(*) FROM campaign_entry WHERE key LIKE 'battle:%'"
        return int(connection.execute(wanted).fetchone()[0])


@pytest.mark.long
def test_a_process_killed_at_its_battles_leaves_none_half_fought(place):
    running = place.start("advance", SLUG, "--months", "3")
    wait_until(lambda: battles(place) or running.poll() is not None, "a battle fought out")
    running.kill()
    running.communicate()
    assert place.run("replay", SLUG, "--check").returncode == 0
    for months in ("3", *["1"] * MOST_MONTHS):
        again = place.run("advance", SLUG, "--months", months)
        assert again.returncode == 0, again.stderr
        if battles(place):
            break
    assert battles(place) == settled(place) > 0
    assert place.run("replay", SLUG, "--check").returncode == 0
    proof = place.run("verify_dice", SLUG)
    assert f"{settled(place)} battle(s) fought again end as they ended." in proof.stdout


@pytest.mark.long
def test_two_at_once_fight_every_battle_once(place):
    both = [place.start("advance", SLUG, "--months", "2") for _ in range(2)]
    told = [ended(process, "the end of advancing two months") for process in both]
    assert [err for code, _, err in told if code] == []
    assert battles(place) == settled(place)
    assert place.run("replay", SLUG, "--check").returncode == 0
