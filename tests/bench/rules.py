"""The rules without a database: a month, reach, random play, the size of a state."""

import time
from collections.abc import Callable, Iterator
from itertools import chain, count

import networkx as nx

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ChainedDice, ScriptedDice, derive_key
from campaign.rules import State, new_game, play
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.board import board
from campaign.rules.march import reach as march_reach
from campaign.rules.march.reach import reach, reach_of_all
from campaign.simulations.campaign_runs import play_campaign
from campaign.staff import answer, assaults, combat_estimate
from tests.bench.measure import Row, Sizes, by_turns
from tests.bench.reference import POINTS, march_graph, search_all, starts
from tests.conformance.player import RandomPlayer

SIEGE = "siege-of-khartoum"
SEED = 424242
Script = list[tuple[AnyAction, tuple[int, ...]]]


def rows(sizes: Sizes) -> Iterator[Row]:
    """Yield the figures that need no database."""
    graph = march_graph()
    hexes = starts(graph)
    opening, script = a_month(SIEGE, sizes.months)
    yield by_turns(
        "a month of the siege, the rules alone",
        lambda: carry_out(opening, script),
        lambda: search_all(graph, hexes),
        aim="1 R",
        repeats=sizes.repeats,
    )
    yield by_turns(
        "a month of the siege by both staffs, in memory",
        lambda: _to_month(*_opened(opening)),
        lambda: search_all(graph, hexes),
        aim="0.3 R",
        repeats=sizes.repeats,
        prepare=forget_estimates,
    )
    number = count(1)
    yield by_turns(
        "a siege by both staffs, each time another",
        lambda: play_campaign(sizes.scenario, SEED, next(number)),
        lambda: search_all(graph, hexes),
        aim="3 R",
        repeats=sizes.repeats,
        prepare=forget_estimates,
    )
    yield reach_of_one(graph, sizes)
    yield _reach_of_all(graph, sizes)


def forget_estimates() -> None:
    """Drop the staff's cached odds and reaches, as in a process that has just begun.

    The distances of the map stay, and the losses by head count, which are the table's.
    """
    estimates = chain(vars(combat_estimate).values(), vars(assaults).values())
    for cached in (*estimates, march_reach._reach, march_reach.costs_with_barriers):
        if hasattr(cached, "cache_clear"):
            cached.cache_clear()


def _opened(opening: bytes) -> tuple[State, ChainedDice, int]:
    state = decode(opening, State)
    return state, ChainedDice(derive_key(b"bench", 0)), state.month + 1


def a_month(slug: str, months: int) -> tuple[bytes, Script]:
    """Return the month that follows so many others: the state before, actions and dice.

    It is of the first campaign that is still going on after it.
    """
    for seed in range(100):
        state, dice = new_game(slug), ChainedDice(derive_key(b"bench", seed))
        last = state.month + months
        _to_month(state, dice, last)
        opening = encode(state)
        script = _to_month(state, dice, last + 1)
        if state.question is not None:
            return opening, script
    raise SystemExit("No campaign lasts so long.")


def _to_month(state: State, dice: ChainedDice, month: int) -> Script:
    """The staff plays until that month has begun; what it did, with the faces that fell."""
    script: Script = []
    while state.month < month and state.question is not None:
        action = answer(state)
        outcome = play(state, action, dice)
        script.append((action, tuple(face for roll in outcome.rolls for face in roll.dice)))
    return script


def carry_out(opening: bytes, script: Script) -> None:
    """The recorded month again by the rules alone."""
    state = decode(opening, State)
    for action, faces in script:
        play(state, action, ScriptedDice(*faces))


def reach_of_one(graph: "nx.DiGraph[int]", sizes: Sizes) -> Row:
    """Time the reach of a stack from each of the reference's hexes, none of it kept."""
    state = new_game(SIEGE)
    free = [h for h in starts(graph) if not board(state).besieged(Side.EGYPTIAN, h)]

    def ours() -> None:
        march_reach._reach.cache_clear()
        for hex_id in free:
            reach(state, Side.EGYPTIAN, hex_id, POINTS)

    return by_turns(
        "reach of one stack, by networkx's search from the same hex",
        ours,
        lambda: search_all(graph, free),
        aim="1/3 = 0.333",
        repeats=sizes.repeats,
    )


def _reach_of_all(graph: "nx.DiGraph[int]", sizes: Sizes) -> Row:
    state = new_game(SIEGE)
    stacks = sorted(board(state).occupied[Side.EGYPTIAN] | board(state).occupied[Side.MAHDIST])

    def ours() -> None:
        for side in Side:
            reach_of_all(state, side)

    return by_turns(
        f"reach of all {len(stacks)} stacks of both sides, by as many such searches",
        ours,
        lambda: search_all(graph, stacks),
        aim="1/15 = 0.067",
        repeats=sizes.repeats,
    )


def actions_a_second(scenario: str, actions: int) -> Callable[[], tuple[float, float]]:
    """Validated actions a second of random lawful play: without and with the choosing."""

    def once() -> tuple[float, float]:
        chosen, spent, played, seed = 0.0, 0.0, 0, 0
        while played < actions:
            seed += 1
            for choosing, playing in _random_campaign(scenario, seed):
                chosen, spent, played = chosen + choosing, spent + playing, played + 1
        return played / spent, played / (chosen + spent)

    return once


def _random_campaign(scenario: str, seed: int) -> Iterator[tuple[float, float]]:
    """Yield the seconds to choose and to play every action of a campaign at random."""
    state, player = new_game(scenario), RandomPlayer(seed, trusting=True)
    dice = ChainedDice(derive_key(b"bench", seed))
    while state.question is not None:
        start = time.perf_counter()
        action = player.choose(state)
        chosen = time.perf_counter()
        play(state, action, dice)
        yield chosen - start, time.perf_counter() - chosen


def state_size(scenario: str) -> int:
    """Return the largest state of a campaign by the staff, encoded, in bytes."""
    state, largest = new_game(scenario), 0
    dice = ChainedDice(derive_key(b"bench", "size"))
    while state.question is not None:
        play(state, answer(state), dice)
        largest = max(largest, len(encode(state)))
    return largest
