"""Every part of `make bench` runs to its end and prints its rows; what they say is left alone."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.load import QUICK

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


@pytest.mark.parametrize("part", ROWS)
def test_a_part_of_the_bench_runs_to_its_end(part: str) -> None:
    command = [sys.executable, "-m", "tests.bench", "--quick", part]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert [row for row in ROWS[part] if row not in ended.stdout] == [], ended.stdout + ended.stderr


def test_every_part_of_the_bench_is_tried() -> None:
    command = [sys.executable, "-m", "tests.bench", "--help"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert f"some of {', '.join(ROWS)}" in " ".join(told.split())
