"""Exact odds beside a sample with numpy; sampled odds beside the journalled engine; forecasts."""

import time
from collections.abc import Iterator
from functools import partial

from battles.core.decoding import decode
from battles.core.dice import ChainedDice, derive_key
from battles.core.process_pool import pool_map
from campaign.odds.assault import SAMPLES, assault
from campaign.odds.combat import _combat_odds, combat_odds
from campaign.odds.forecast import playout
from campaign.odds.meeting import CombatPlan, combat_setup
from campaign.rules.core.board import laws
from campaign.rules.core.state import State
from campaign.rules.map import HexId
from tests.bench.measure import Row, Sizes, by_turns, seconds
from tests.bench.rules import a_month
from tests.bench.sampled_combat import sample, side, tables
from tests.odds.by_the_rules import Fray
from tests.odds.waves import played, three_columns, waves
from tests.positions import position


def rows(sizes: Sizes) -> Iterator[Row]:
    """Yield a combat of 12 against 12, cold and warm."""
    state = position(
        "0641: 10 infantry egyptian L, 2 guns egyptian", "0640: 9 spears 2F, 3 cavalry mahdist"
    )
    fray = Fray(state, (HexId(642), HexId(641)), HexId(640))
    law = laws(state)

    def exact() -> None:
        plans = CombatPlan(), CombatPlan()
        combat_odds(law, combat_setup(state, fray.attackers, fray.route, fray.target, plans))

    def cold() -> None:
        _combat_odds.cache_clear()
        exact()

    known = tables(law)
    forces = side(law, fray.attackers), side(law, fray.defenders)
    sampled = partial(sample, law, known, forces, sizes.sampled, 1)
    yield by_turns("exact odds, 12 against 12, cold", cold, sampled, aim="1", repeats=sizes.repeats)
    exact()
    again = "exact odds, 12 against 12, asked again"
    yield by_turns(again, exact, sampled, aim="0.1", repeats=sizes.repeats)


def sampled_by_engine(sizes: Sizes) -> list[float]:
    """Return how many times as fast an assault of three waves is sampled as played by the
    engine.
    """
    state = three_columns()
    three, defence = waves(state)
    dice = ChainedDice(derive_key(b"bench", "waves"))
    ratios = []
    for _ in range(sizes.repeats):
        ours = seconds(lambda: assault(state, three, defence)) / SAMPLES
        theirs = seconds(lambda: list(played(state, 3, dice, sizes.played))) / sizes.played
        ratios.append(theirs / ours)
    return ratios


def forecast(sizes: Sizes, workers: int) -> float:
    """Return seconds to play the siege on to its end so many times by so many processes."""
    opening, _ = a_month(sizes.scenario, sizes.months)
    began = time.perf_counter()
    for _ in pool_map(partial(play_on, opening), range(sizes.playouts), workers):
        pass
    return time.perf_counter() - began


def play_on(opening: bytes, number: int) -> int:
    """One playout of that position; how long it lasted."""
    return playout(decode(opening, State), derive_key(b"bench", number)).months
