"""Random play by hand: `python -m tests.conformance --games 20 --seed 1`, or `--again FILE`.

With `--checks` every action is tried for all that must hold, as the tests do; without them only
the rules are at work, and the actions a second are theirs and the player's.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from campaign import rules
from campaign.rules.state import State
from tests.conformance.game import Crashed, Game, action_key, carry_out, load, try_again
from tests.conformance.player import RandomPlayer
from tests.positions import RELIEF, SIEGE


def main() -> int:
    asked = _parser().parse_args()
    if asked.again:
        try_again(load(asked.again))
        _say("It does not happen any more.")
        return 0
    return max(_play(scenario, asked) for scenario in (SIEGE, RELIEF))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance")
    parser.add_argument("--games", type=int, default=20, help="campaigns of each scenario")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--checks", action="store_true", help="try every action for everything")
    parser.add_argument("--again", type=Path, help="a file that a crash has left")
    return parser


def _play(scenario: str, asked: argparse.Namespace) -> int:
    endings: Counter[str] = Counter()
    began, actions, broken = perf_counter(), 0, 0
    for seed in range(asked.seed, asked.seed + asked.games):
        try:
            played, state = _checked(scenario, seed) if asked.checks else _plain(scenario, seed)
        except Crashed as crash:
            _say(str(crash))
            broken = 1
            continue
        actions += played
        endings[_ending(state)] += 1
    _report(scenario, endings, actions, perf_counter() - began)
    return broken


def _checked(scenario: str, seed: int) -> tuple[int, State]:
    game = Game(scenario, seed)
    game.play_out()
    return len(game.actions), game.state


def _plain(scenario: str, seed: int) -> tuple[int, State]:
    state, player = rules.new_game(scenario), RandomPlayer(seed)
    number = 0
    while state.question is not None:
        carry_out(state, player.choose(state), action_key(seed, number))
        number += 1
    return number, state


def _ending(state: State) -> str:
    if state.result is None:
        return "none"
    return f"{state.result.winner or 'draw'}: {state.result.reason}"


def _report(scenario: str, endings: Counter[str], actions: int, seconds: float) -> None:
    _say(f"{scenario}: {actions} actions in {seconds:.1f} s, {actions / seconds:.0f} a second")
    for line in _lines(endings):
        _say(f"  {line}")


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _lines(endings: Counter[str]) -> Iterator[str]:
    for ending, times in endings.most_common():
        yield f"{times:4}  {ending}"


if __name__ == "__main__":
    sys.exit(main())
