"""Every part of `make bench` runs to its end and prints its rows; what they say is left alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from campaign.rules.march import reach
from tests.bench.load import FOLLOWERS, QUICK
from tests.bench.measure import Sizes
from tests.bench.reference import march_graph
from tests.bench.rules import reach_of_one
from tests.played_once import made_once

ROOT = Path(__file__).parents[2]
ROWS = {
    "rows": [
        "a month of the siege, the rules alone",
        "a month of the siege by both staffs, in memory",
        "a siege by both staffs",
        "reach of one stack",
        "reach of all",
        "by the commanders of redcoats",
        "by the commanders of restless",
        "by the commanders of fuzzy-wuzzy",
        "exact odds, 12 against 12, cold",
        "exact odds, 12 against 12, asked again",
        "largest state of a campaign",
    ],
    "storage": ["a month of the siege by both staffs, everything saved", "saving a turn"],
    "play": ["random lawful play, validated actions a second", "the same with the choosing"],
    "battles": ["share of a battle that goes into its log", "battles on 2 workers"],
    "sampled": ["assaults of three waves sampled"],
    "forecast": ["a forecast of"],
    "campaigns": ["campaigns on 2 workers", "one process of simulate"],
    "load": QUICK,
}


TOGETHER = [part for part in ROWS if part != "load"]
DEPLOYED = ["gthread/state-304", "asgi/trivial", FOLLOWERS]
"""Rows of the two servers of a club's site. The others only show how much faster they might be."""


def run_bench(*command: str) -> str:
    """Return what the bench prints; it must run to its end."""
    ended = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout + ended.stderr


@pytest.fixture(scope="session")
def printed() -> str:
    """Return the output of all parts of the bench that measure in its own process."""

    def run(folder: Path) -> None:
        (folder / "rows").write_text(run_bench("-m", "tests.bench", "--quick", *TOGETHER))

    return (made_once("bench", run) / "rows").read_text()


@pytest.mark.parametrize("part", TOGETHER)
def test_a_part_of_the_bench_runs_to_its_end(printed: str, part: str) -> None:
    assert [row for row in ROWS[part] if row not in printed] == [], printed


def test_the_reach_that_is_timed_is_searched_each_time() -> None:
    reach_of_one(march_graph(), Sizes(repeats=2))
    searches = reach._reach.cache_info()
    assert searches.misses > 0 == searches.hits


def test_the_deployed_servers_are_measured_under_load() -> None:
    quick = f"from tests.bench import load; load.main({DEPLOYED}, quick=True)"
    said = run_bench("-c", quick)
    assert [row for row in DEPLOYED if row not in said] == [], said


@pytest.mark.long
def test_every_server_is_measured_under_load() -> None:
    said = run_bench("-m", "tests.bench", "--quick", "load")
    assert [row for row in ROWS["load"] if row not in said] == [], said


def test_every_part_of_the_bench_is_tried() -> None:
    command = [sys.executable, "-m", "tests.bench", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"some of {', '.join(ROWS)}" in " ".join(told.split())
