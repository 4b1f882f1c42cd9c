"""Battles played at random: what is offered is accepted, events fold, documents come back."""

from random import Random

import pytest

from battles.core.document import decode, encode
from battles.core.game import IllegalAction
from battles.engines.redcoats import actions as a
from battles.engines.redcoats.engine import engine
from battles.engines.redcoats.options import options
from battles.engines.redcoats.play import fold, play
from battles.engines.redcoats.set_up import drawn_up, new_game
from battles.engines.redcoats.state import State
from battles.engines.redcoats.trace import trace
from tests.redcoats.battles import BATTLES
from tests.redcoats.field import dice_of
from tests.redcoats.player import answers, moves

SEEDS = (1, 2)
ALL = [(name, seed) for name in BATTLES for seed in SEEDS]
CLAUSES = {clause.number for clause in trace()}


def checked(state: State) -> None:
    """What holds of every state whatever happens."""
    for one in state.units.values():
        assert 1 <= one.figures <= one.full
        assert one.square == -1 or state.field.holds(one.square)
    squares: dict[int, set[str]] = {}
    for one in state.units.values():
        if one.square >= 0 and not one.aboard:
            squares.setdefault(one.square, set()).add(one.side)
    fought = {state.units[combat.charged].square for combat in state.combats}
    assert {square for square, sides in squares.items() if len(sides) > 1} == fought
    pieces = len(state.units) + len(state.lost) + len(state.left)
    assert pieces == sum(state.strengths.values())
    assert all(len(hand) <= 3 for hand in state.hands.values())
    heroic = len(state.heroic) + len(state.discards) + sum(map(len, state.hands.values()))
    assert heroic == 54


@pytest.mark.parametrize(("name", "seed"), ALL)
def test_random_play_never_sticks_and_events_fold_to_the_state(name: str, seed: int) -> None:
    deployment = BATTLES[name]()
    folded = drawn_up(deployment)
    state, opening = new_game(deployment, dice_of(seed))
    fold(folded, opening.events)
    for number, (_, outcome) in enumerate(moves(state, seed)):
        fold(folded, decode(encode(outcome.events), tuple[engine.events, ...]))  # type: ignore[name-defined]
        assert {roll.clause for roll in outcome.rolls} <= CLAUSES
        checked(state)
        if number % 25 == 0:
            data = encode(state)
            assert encode(folded) == data
            assert encode(decode(data, State)) == data
    assert encode(folded) == encode(state)
    assert state.result is not None


@pytest.mark.parametrize("name", BATTLES)
def test_whatever_is_offered_would_be_accepted(name: str) -> None:
    state, _ = new_game(BATTLES[name](), dice_of(4))
    seen = 0
    for number, _ in enumerate(moves(state, 6)):
        offered = options(state)
        if number % 9 == 0 and offered is not None:
            for action in answers(offered, Random(number), 500):
                engine.check(state, action)
                seen += 1
    assert seen > 500


@pytest.mark.parametrize("name", BATTLES)
def test_the_same_dice_give_the_same_battle(name: str) -> None:
    one, _ = new_game(BATTLES[name](), dice_of(3))
    other, _ = new_game(BATTLES[name](), dice_of(3))
    for (action, outcome), (_, again) in zip(moves(one, 5), moves(other, 5), strict=True):
        assert encode(outcome.events) == encode(again.events), action
    assert encode(one) == encode(other)


def test_a_battle_that_is_over_takes_no_more_actions() -> None:
    state, _ = new_game(BATTLES["night"](), dice_of(1))
    for _ in moves(state, 1):
        pass
    assert engine.options(state) is None
    with pytest.raises(IllegalAction, match="The battle is over"):
        play(state, a.Done(), dice_of(1))


def test_an_answer_to_another_question_is_refused_with_what_would_do() -> None:
    state, _ = new_game(BATTLES["brigade"](), dice_of(1))
    with pytest.raises(IllegalAction, match="It can be answered by: Deploy, Done"):
        play(state, a.Pursue(), dice_of(1))


@pytest.mark.long
@pytest.mark.parametrize("name", BATTLES)
def test_many_battles_at_random_come_to_an_end(name: str) -> None:
    for seed in range(100, 140):
        state, _ = new_game(BATTLES[name](), dice_of(seed))
        for _ in moves(state, seed):
            checked(state)
        assert state.result is not None, seed
