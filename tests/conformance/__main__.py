"""The soak: `make soak`, or `python -m tests.conformance --campaigns 2000 --minutes 60`.

Campaigns of every scenario at random, every action tried for all that must hold, until there are
so many or the time is over; then the figures. What breaks leaves a file: `--again FILE` tries it
once more, `manage.py import FILE` makes a campaign of it to be looked at in the browser.

`--battles N` fights N random battles by each book instead (or by `--book` alone).
"""

import argparse
import sys
from pathlib import Path

from tests.books.shelf import BOOKS
from tests.conformance.battles import fight_many
from tests.conformance.game import load, try_again
from tests.conformance.soak import SCENARIOS, Soak, Tally, soak


def main() -> int:
    asked = _parser().parse_args()
    if asked.again:
        try_again(load(asked.again))
        _say("It does not happen any more.")
        return 0
    if asked.battles:
        return _fight(asked)
    plan = Soak(asked.campaigns, asked.minutes * 60, asked.seed, asked.workers)
    tallies = [soak(scenario, plan, _say) for scenario in asked.scenario or SCENARIOS]
    for tally in tallies:
        _report(tally)
    return int(any(tally.crashes for tally in tallies))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance")
    parser.add_argument("--campaigns", type=int, default=2000, help="of each scenario, at most")
    parser.add_argument("--minutes", type=float, default=30, help="for each scenario, at most")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument("--scenario", action="append", choices=SCENARIOS, help="one only")
    parser.add_argument("--battles", type=int, default=0, help="of each book, and no campaigns")
    parser.add_argument("--book", action="append", choices=list(BOOKS), help="one only")
    parser.add_argument("--again", type=Path, help="a file that a crash has left")
    return parser


def _fight(asked: argparse.Namespace) -> int:
    broken = 0
    for slug in asked.book or BOOKS:
        tally = fight_many(slug, asked.battles, asked.seed, asked.workers)
        _say(f"{slug}: {tally.in_words()}")
        for fault in tally.faults:
            _say(f"  {fault}")
        broken += len(tally.faults)
    return int(broken > 0)


def _report(tally: Tally) -> None:
    _say(f"{tally.scenario}: {tally.in_words()}")
    for ending, times in tally.endings.most_common():
        _say(f"  {times:6}  {ending}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
