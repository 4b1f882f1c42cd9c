"""`make bench`: every figure as a ratio, with the number of repeats and the spread.

`python -m tests.bench PART ...` takes some parts alone: rows, storage, play, battles, sampled,
forecast, campaigns, load.
"""

import logging
import os
import platform
import statistics
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()
logging.disable(logging.INFO)

from django.db import connection

from tests.bench import battles, diplomacy_phase, fan_out, load, odds, rules, storage
from tests.bench.measure import REPEATS

PACKAGES = ["django", "msgspec", "networkx", "scipy", "numpy", "zstandard", "diplomacy"]
CAMPAIGNS = int(os.environ.get("BENCH_CAMPAIGNS", "100"))
PLAYOUTS = int(os.environ.get("BENCH_PLAYOUTS", "200"))
BATTLES = int(os.environ.get("BENCH_BATTLES", "1000"))
PAIRS = int(os.environ.get("BENCH_PAIRS", "3"))
PHASE_OF_REFERENCE = 0.9e-3
AIM_PER_SECOND = 5000


def main(parts: Sequence[str]) -> None:
    """Prints machine, versions and the parts of the table; SystemExit for one there is not."""
    if unknown := set(parts) - set(PARTS):
        raise SystemExit(f"No part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}.")
    print(
        f"{platform.machine()}, {fan_out.cores()} cores, Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    )
    print("Ratio of medians to the reference, (smallest to largest), repeats, median.")
    for part in parts or PARTS:
        PARTS[part]()


def _rows() -> None:
    for row in (*rules.rows(), *battles.rows(), *odds.rows()):
        print(row)
    print(f"{'largest state of a campaign, encoded':<58} {rules.state_size():8} bytes  aim 20480")


def _storage() -> None:
    connection.creation.create_test_db(verbosity=0)
    for row in storage.rows():
        print(row)


def _battles() -> None:
    """What of a battle the log costs, and two workers against half of one's time, by turns."""
    share, shares = battles.share_of_log()
    print(
        f"{'share of a battle that goes into its log':<58} {share:8.3f}  "
        f"({min(shares):.3f} to {max(shares):.3f})  n={len(shares)}  aim 1/3 = 0.333"
    )
    pairs = [(battles.many(BATTLES, 1), battles.many(BATTLES, 2)) for _ in range(PAIRS)]
    ratios = [two / (one / 2) for one, two in pairs]
    print(
        f"{f'{BATTLES} battles on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {statistics.median(one for one, _ in pairs):9.1f} s alone  aim 1.10"
    )


def _sampled_odds() -> None:
    """Odds that have to be sampled beside the same attacks played by the engine, by turns."""
    ratios = odds.sampled_by_engine()
    print(
        f"{'assaults of three waves sampled, by those the engine plays':<58} "
        f"{statistics.median(ratios):8.1f}  ({min(ratios):.1f} to {max(ratios):.1f})  "
        f"n={len(ratios)}  aim 50 times as fast"
    )


def _forecast() -> None:
    """Playouts of a forecast by two workers against half of one's time, by turns."""
    pairs = [(odds.forecast(PLAYOUTS, 1), odds.forecast(PLAYOUTS, 2)) for _ in range(PAIRS)]
    ratios = [two / (one / 2) for one, two in pairs]
    print(
        f"{f'a forecast of {PLAYOUTS} on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {statistics.median(one for one, _ in pairs):9.1f} s alone  aim 1.10"
    )


def _random_play() -> None:
    """Random lawful play beside the movement phases of another engine, by turns."""
    ours, theirs = _by_turns(rules.actions_a_second(), diplomacy_phase.seconds_a_phase())
    actions, phase = statistics.median(ours), statistics.median(theirs)
    aim = AIM_PER_SECOND * PHASE_OF_REFERENCE / phase
    print(
        f"{'random lawful play, validated actions a second':<58} {actions:8.0f}  "
        f"({min(ours):.0f} to {max(ours):.0f})  n={len(ours)}  aim {aim:.0f}, "
        f"with diplomacy at {phase * 1000:.2f} ms a movement phase"
    )


def _by_turns(
    ours: Callable[[], float], theirs: Callable[[], float]
) -> tuple[list[float], list[float]]:
    pairs = [(ours(), theirs()) for _ in range(REPEATS)]
    return [mine for mine, _ in pairs], [their for _, their in pairs]


def _fan_out() -> None:
    """Two workers against half of one's time, by turns."""
    pairs = [(fan_out.simulate(CAMPAIGNS, 1), fan_out.simulate(CAMPAIGNS, 2)) for _ in range(PAIRS)]
    alone = statistics.median(one for (one, _), _ in pairs)
    ratios = [two / (one / 2) for (one, _), (two, _) in pairs]
    memory = max(used for pair in pairs for _, used in pair)
    print(
        f"{f'{CAMPAIGNS} campaigns on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {alone:9.1f} s alone  aim 1.10"
    )
    print(f"{'one process of simulate':<58} {memory:8} MB  aim 150")


PARTS: dict[str, Callable[[], None]] = {
    "rows": _rows,
    "storage": _storage,
    "play": _random_play,
    "battles": _battles,
    "sampled": _sampled_odds,
    "forecast": _forecast,
    "campaigns": _fan_out,
    "load": partial(load.main, []),
}

if __name__ == "__main__":
    main(sys.argv[1:])
