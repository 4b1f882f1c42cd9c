"""Battles played at random: what is offered is accepted, events fold, documents come back."""

from itertools import combinations
from random import Random

import pytest

from battles.core.document import decode, encode
from battles.core.game import IllegalAction
from battles.engines.fuzzy_wuzzy import actions as a
from battles.engines.fuzzy_wuzzy import board
from battles.engines.fuzzy_wuzzy.engine import engine
from battles.engines.fuzzy_wuzzy.options import options
from battles.engines.fuzzy_wuzzy.play import fold, play
from battles.engines.fuzzy_wuzzy.set_up import drawn_up, new_game
from battles.engines.fuzzy_wuzzy.state import State
from battles.engines.fuzzy_wuzzy.trace import trace
from battles.open_table.field import on_table
from tests.fuzzy_wuzzy.battles import BATTLES
from tests.fuzzy_wuzzy.player import answers, dice_of, moves

ALL = [*((name, 1) for name in BATTLES), ("kirbekan", 2), ("river", 2)]
CLAUSES = {clause.number for clause in trace()}


def checked(state: State) -> None:
    """What holds of every state whatever happens."""
    here = [one for one in state.units.values() if one.id not in state.waiting]
    for one in here:
        figures = board.figures_of(one)
        assert one.markers
        assert all(0 <= markers <= figures for markers in one.markers)
        assert on_table(state.field, board.stands_of(one))
    for one, other in combinations(here, 2):
        if board.are_near(one, other):
            assert not board.lie_upon(board.stands_of(one), board.stands_of(other))
    roots = {one.of or one.id for one in (*state.units.values(), *state.lost, *state.left)}
    assert roots == set(state.drawn_from)


@pytest.mark.parametrize(("name", "seed"), ALL)
def test_random_play_never_sticks_and_events_fold_to_the_state(name: str, seed: int) -> None:
    deployment = BATTLES[name]()
    folded = drawn_up(deployment)
    state, opening = new_game(deployment, dice_of(seed))
    fold(folded, opening.events)
    for number, (_, outcome) in enumerate(moves(state, seed)):
        fold(folded, decode(encode(outcome.events), tuple[engine.events, ...]))  # type: ignore[name-defined]
        assert {roll.clause for roll in outcome.rolls} <= CLAUSES
        if number % 25 == 0:
            checked(state)
            data = encode(state)
            assert encode(folded) == data
            assert encode(decode(data, State)) == data
    assert encode(folded) == encode(state)
    assert state.result is not None


@pytest.mark.parametrize("name", list(BATTLES))
def test_whatever_is_offered_would_be_accepted(name: str) -> None:
    state, _ = new_game(BATTLES[name](), dice_of(4))
    seen = 0
    for number, _ in enumerate(moves(state, 6)):
        offered = options(state)
        if number % 9 == 0 and offered is not None:
            for action in answers(state, offered, Random(number), 6):
                engine.check(state, action)
                seen += 1
    assert seen > 100


@pytest.mark.parametrize("name", list(BATTLES))
def test_the_same_dice_give_the_same_battle(name: str) -> None:
    one, _ = new_game(BATTLES[name](), dice_of(3))
    other, _ = new_game(BATTLES[name](), dice_of(3))
    for (action, outcome), (_, again) in zip(moves(one, 5), moves(other, 5), strict=True):
        assert encode(outcome.events) == encode(again.events), action
    assert encode(one) == encode(other)


def test_a_state_holds_no_fractions() -> None:
    state, _ = new_game(BATTLES["kirbekan"](), dice_of(1))
    for _ in moves(state, 1):
        assert b"." not in encode({**{n: u.at for n, u in state.units.items()}, 0: state.paces})


def test_a_battle_that_is_over_takes_no_more_actions() -> None:
    state, _ = new_game(BATTLES["kirbekan"](), dice_of(1))
    for _ in moves(state, 1):
        pass
    assert engine.options(state) is None
    with pytest.raises(IllegalAction, match="The battle is over"):
        play(state, a.Done(), dice_of(1))


def test_an_answer_to_another_question_is_refused_with_what_would_do() -> None:
    state, _ = new_game(BATTLES["kirbekan"](), dice_of(1))
    with pytest.raises(IllegalAction, match="It can be answered by: Order, Done"):
        play(state, a.Fire(1, 2), dice_of(1))


@pytest.mark.long
@pytest.mark.parametrize("name", list(BATTLES))
def test_many_battles_at_random_come_to_an_end(name: str) -> None:
    for seed in range(100, 130):
        state, _ = new_game(BATTLES[name](), dice_of(seed))
        for number, _ in enumerate(moves(state, seed)):
            if number % 10 == 0:
                checked(state)
        assert state.result is not None, seed
