"""Battles played at random: what is offered is accepted, events fold, documents come back."""

from random import Random

import pytest

from battles.core.document import decode, encode
from battles.core.game import IllegalAction
from battles.engines.restless import actions as a
from battles.engines.restless.board import stands_of
from battles.engines.restless.engine import engine
from battles.engines.restless.options import options
from battles.engines.restless.pieces import Formation, Special
from battles.engines.restless.play import fold, play
from battles.engines.restless.set_up import drawn_up, new_game
from battles.engines.restless.state import State
from battles.engines.restless.trace import trace
from battles.open_table.field import on_table
from battles.open_table.points import Point
from tests.restless.battles import BATTLES
from tests.restless.field import dice_of
from tests.restless.player import answers, moves

SEEDS = (1, 2)
ALL = [(name, seed) for name in BATTLES for seed in SEEDS]
NOWHERE = Point(-100_000, -100_000)
WRONG = (
    a.Allot(999, 1),
    a.Deploy(999, NOWHERE, 0, Formation.LINE),
    a.Activate(999),
    a.Rally(999),
    a.PassOn(999),
    a.PlayCard(Special.RALLY),
    a.March(9),
    a.Move((NOWHERE,), 0),
    a.Move((), 400),
    a.Charge(999),
    a.Fire((999,)),
    a.Fire(()),
    a.Form(Formation.LIMBERED),
    a.Fight(999),
)
CLAUSES = {clause.number for clause in trace()}


def checked(state: State) -> None:
    """What holds of every state whatever happens."""
    for unit in state.units.values():
        assert 1 <= unit.stands <= unit.full
        assert on_table(state.field, stands_of(unit))
        assert unit.command in state.commanders
        assert state.commanders[unit.command].side is unit.side
    for contact in state.contacts:
        sides = {state.units[number].side for number in (contact.one, contact.other)}
        assert len(sides) == 2
    lists = (state.units, state.waiting, state.away, state.exited, state.lost)
    numbers = [number for there in lists for number in there]
    assert len(numbers) == len(set(numbers))
    hands = [card for one in state.commanders.values() for card in one.hand]
    assert all(len(one.hand) <= 3 for one in state.commanders.values())
    if state.turn:
        assert len(state.special) + len(state.discards) + len(hands) == 51
        assert len(state.pack) + len(state.turned) + (state.card is not None) == 54


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
        if number % 5 == 0 and offered is not None:
            for action in answers(offered, Random(number), 20):
                engine.check(state, action)
                seen += 1
    assert seen > 60


@pytest.mark.parametrize("name", ["village", "patrol"])
def test_what_is_refused_has_a_clause_and_changes_nothing(name: str) -> None:
    state, _ = new_game(BATTLES[name](), dice_of(4))
    refused = 0
    for number, _ in enumerate(moves(state, 7)):
        if number % 4 or state.question is None:
            continue
        before = encode(state)
        for action in WRONG:
            with pytest.raises(IllegalAction) as caught:
                play(state, action, dice_of(number))
            assert caught.value.clause in CLAUSES
            refused += 1
        assert encode(state) == before
    assert refused > 100


@pytest.mark.parametrize("name", BATTLES)
def test_the_same_dice_give_the_same_battle(name: str) -> None:
    one, _ = new_game(BATTLES[name](), dice_of(3))
    other, _ = new_game(BATTLES[name](), dice_of(3))
    for (action, outcome), (_, again) in zip(moves(one, 5), moves(other, 5), strict=True):
        assert encode(outcome.events) == encode(again.events), action
    assert encode(one) == encode(other)


def test_a_battle_that_is_over_takes_no_more_actions() -> None:
    state, _ = new_game(BATTLES["patrol"](), dice_of(1))
    for _ in moves(state, 1):
        pass
    assert engine.options(state) is None
    with pytest.raises(IllegalAction, match="The battle is over"):
        play(state, a.Done(), dice_of(1))


def test_an_answer_to_another_question_is_refused_with_what_would_do() -> None:
    state, _ = new_game(BATTLES["village"](), dice_of(1))
    with pytest.raises(IllegalAction, match="It can be answered by: Allot, Deploy, Done"):
        play(state, a.March(), dice_of(1))


@pytest.mark.long
@pytest.mark.parametrize("name", BATTLES)
def test_many_battles_at_random_come_to_an_end(name: str) -> None:
    for seed in range(100, 140):
        state, _ = new_game(BATTLES[name](), dice_of(seed))
        for _ in moves(state, seed):
            checked(state)
        assert state.result is not None, seed
