"""Battles by the commanders: one with its log, the share of the log, and many on two processes."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from battles.contract import Brief, Nation, Side, TroopKind, fight
from battles.contract.book import book
from battles.core.dice import ChainedDice, derive_key
from battles.services.record import fight_out
from tests.bench.fan_out import ROOT
from tests.bench.measure import Row, Sizes, by_turns, seconds
from tests.bench.reference import march_graph, search_all, starts
from tests.redcoats_commander.armies import meeting, troop

MANY = Path("battles") / "briefs" / "kirbekan.toml"
BOOK = "redcoats"
AIMS = dict.fromkeys(("redcoats", "restless", "fuzzy-wuzzy"), "0.4 R")
"""The books, and what a battle by each of them may take."""


def rows(sizes: Sizes) -> Iterator[Row]:
    """Yield the battle of 10 against 14 by each book, written down as the journal wants it, by
    R.
    """
    graph = march_graph()
    hexes = starts(graph)
    brief = ten_against_fourteen()
    for slug, aim in AIMS.items():
        engine, numbers = book(slug).engine, count()
        yield by_turns(
            f"a battle of 10 against 14 units by the commanders of {slug}, log included",
            lambda engine=engine, numbers=numbers: fight_out(  # type: ignore[misc]
                engine, brief, _key(next(numbers))
            ),
            lambda: search_all(graph, hexes),
            aim=aim,
            repeats=sizes.repeats,
        )


def share_of_log(sizes: Sizes) -> tuple[float, list[float]]:
    """Return how much of a battle goes into writing it down: the median, and every pair's."""
    engine, brief = book(BOOK).engine, ten_against_fourteen()
    shares = []
    for number in range(sizes.repeats):
        key = _key(number)
        written = seconds(lambda key=key: fight_out(engine, brief, key))  # type: ignore[misc]
        bare = seconds(lambda key=key: fight(engine, brief, ChainedDice(key)))  # type: ignore[misc]
        shares.append(1 - bare / written)
    return statistics.median(shares), shares


def many(battles: int, workers: int) -> float:
    """Return seconds that `manage.py fight` takes for so many battles, as a person runs it."""
    command = [sys.executable, "manage.py", "fight", str(MANY), "--seed", "1"]
    command += ["--battles", str(battles), "--workers", str(workers)]
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def ten_against_fourteen() -> Brief:
    """Six battalions, a regiment, three batteries and Graham; twelve rubs, horse and Osman."""
    british = [troop(number, TroopKind.INFANTRY, strength=3) for number in range(1, 7)]
    british += [
        troop(7, TroopKind.CAVALRY, strength=2),
        troop(8, TroopKind.GUN),
        troop(9, TroopKind.GUN),
        troop(10, TroopKind.GUN, name="Machine guns"),
        troop(11, TroopKind.LEADER, strength=0, name="Graham"),
    ]
    dervishes = [troop(number, TroopKind.SPEARS, Nation.MAHDIST, 3) for number in range(20, 29)]
    dervishes += [troop(number, TroopKind.INFANTRY, Nation.MAHDIST, 3) for number in range(30, 33)]
    dervishes += [troop(number, TroopKind.CAVALRY, Nation.MAHDIST, 2) for number in (40, 41)]
    dervishes.append(troop(50, TroopKind.LEADER, Nation.MAHDIST, 0, name="Osman Digma"))
    return meeting(british, dervishes, attacker=Side.MAHDIST, id="ten-against-fourteen")


def _key(number: int) -> bytes:
    return derive_key(b"bench", "battle", number)
