"""`make bench`: every figure as a ratio, with the number of repeats and the spread.

`python -m tests.bench PART ...` takes some parts alone: rows, storage, play, battles, sampled,
forecast, campaigns, load. With `--quick` each of them takes a few seconds: the figures then mean
nothing, but a part that no longer runs is seen.
"""

import logging
import os
import platform
import statistics
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()
logging.disable(logging.INFO)

from django.db import connection

from tests.bench import battles, diplomacy_phase, fan_out, load, odds, rules, storage
from tests.bench.measure import QUICK, Sizes

PACKAGES = ["django", "msgspec", "networkx", "scipy", "numpy", "zstandard", "diplomacy"]
PHASE_OF_REFERENCE = 0.9e-3
AIM_PER_SECOND = 5000
AIM_WITH_CHOICE = 10_000


def main() -> None:
    """Print machine, versions and the parts of the table that the command line names, or all."""
    parser = ArgumentParser(prog="python -m tests.bench", description="Take the figures.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="show only that every part runs")
    wanted = parser.parse_args()
    if unknown := set(wanted.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    print(
        f"{platform.machine()}, {fan_out.cores()} cores, Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    )
    print("Ratio of medians to the reference, (smallest to largest), repeats, median.")
    for part in wanted.parts or PARTS:
        PARTS[part](QUICK if wanted.quick else Sizes())


def _rows(sizes: Sizes) -> None:
    for row in (*rules.rows(sizes), *battles.rows(sizes), *odds.rows(sizes)):
        print(row)
    largest = rules.state_size(sizes.scenario)
    print(f"{'largest state of a campaign, encoded':<58} {largest:8} bytes  aim 20480")


def _storage(sizes: Sizes) -> None:
    connection.creation.create_test_db(verbosity=0)
    for row in storage.rows(sizes):
        print(row)


def _battles(sizes: Sizes) -> None:
    """Time the log's share of a battle, and two workers against half of one's time, by turns."""
    share, shares = battles.share_of_log(sizes)
    print(
        f"{'share of a battle that goes into its log':<58} {share:8.3f}  "
        f"({min(shares):.3f} to {max(shares):.3f})  n={len(shares)}  aim 1/3 = 0.333"
    )
    many = sizes.battles
    pairs = [(battles.many(many, 1), battles.many(many, 2)) for _ in range(sizes.pairs)]
    ratios = [two / (one / 2) for one, two in pairs]
    print(
        f"{f'{many} battles on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {statistics.median(one for one, _ in pairs):9.1f} s alone  aim 1.10"
    )


def _sampled_odds(sizes: Sizes) -> None:
    """Odds that have to be sampled beside the same attacks played by the engine, by turns."""
    ratios = odds.sampled_by_engine(sizes)
    print(
        f"{'assaults of three waves sampled, by those the engine plays':<58} "
        f"{statistics.median(ratios):8.1f}  ({min(ratios):.1f} to {max(ratios):.1f})  "
        f"n={len(ratios)}  aim 50 times as fast"
    )


def _forecast(sizes: Sizes) -> None:
    """Playouts of a forecast by two workers against half of one's time, by turns."""
    pairs = [(odds.forecast(sizes, 1), odds.forecast(sizes, 2)) for _ in range(sizes.pairs)]
    ratios = [two / (one / 2) for one, two in pairs]
    print(
        f"{f'a forecast of {sizes.playouts} on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {statistics.median(one for one, _ in pairs):9.1f} s alone  aim 1.10"
    )


def _random_play(sizes: Sizes) -> None:
    """Random lawful play beside the movement phases of another engine, by turns."""
    play = rules.actions_a_second(sizes.scenario, sizes.actions)
    phases = diplomacy_phase.seconds_a_phase(sizes.phases)
    pairs = [(play(), phases()) for _ in range(sizes.repeats)]
    phase = statistics.median(their for _, their in pairs)
    aims = (AIM_PER_SECOND * PHASE_OF_REFERENCE / phase, AIM_WITH_CHOICE)
    names = ("random lawful play, validated actions a second", "the same with the choosing")
    for place, name in enumerate(names):
        ours = [mine[place] for mine, _ in pairs]
        print(
            f"{name:<58} {statistics.median(ours):8.0f}  ({min(ours):.0f} to {max(ours):.0f})  "
            f"n={len(ours)}  aim {aims[place]:.0f}, "
            f"with diplomacy at {phase * 1000:.2f} ms a movement phase"
        )


def _fan_out(sizes: Sizes) -> None:
    """Two workers against half of one's time, by turns."""
    many = sizes.campaigns
    run = partial(fan_out.simulate, sizes.scenario, many)
    pairs = [(run(1), run(2)) for _ in range(sizes.pairs)]
    alone = statistics.median(one for (one, _), _ in pairs)
    ratios = [two / (one / 2) for (one, _), (two, _) in pairs]
    memory = max(used for pair in pairs for _, used in pair)
    print(
        f"{f'{many} campaigns on 2 workers, by half the time of one':<58} "
        f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})  "
        f"n={len(ratios)}  {alone:9.1f} s alone  aim 1.10"
    )
    print(f"{'one process of simulate':<58} {memory:8} MB  aim 150")


def _load(sizes: Sizes) -> None:
    load.main([], quick=sizes is QUICK)


PARTS: dict[str, Callable[[Sizes], None]] = {
    "rows": _rows,
    "storage": _storage,
    "play": _random_play,
    "battles": _battles,
    "sampled": _sampled_odds,
    "forecast": _forecast,
    "campaigns": _fan_out,
    "load": _load,
}

if __name__ == "__main__":
    main()
