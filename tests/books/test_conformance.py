"""Battles of every book at random: what is offered is accepted, events fold, documents return."""

from random import Random

import pytest

from battles.core.decoding import decode, encode
from battles.core.game import IllegalAction
from tests.books.played import Played, keep_outcomes
from tests.books.shelf import BOOKS

BATTLES = [
    pytest.param(book, name, id=f"{slug}-{name}")
    for slug, book in BOOKS.items()
    for name in book.battles
]
ONE_OF_EACH = [
    pytest.param(book, next(iter(book.battles)), id=slug) for slug, book in BOOKS.items()
]
RANDOM = [
    pytest.param(book, name, seed, id=f"{slug}-{name}-{seed}")
    for slug, book in BOOKS.items()
    for name, seed in book.random
]


@pytest.mark.parametrize(("book", "name", "seed"), RANDOM)
def test_random_play_never_sticks_and_events_fold_to_the_state(
    book: Played, name: str, seed: int
) -> None:
    deployment, engine = book.battles[name](), book.engine
    happened = tuple[engine.events, ...]  # type: ignore[name-defined]
    folded = engine.set_out(deployment)
    state, opening = engine.begin(deployment, book.dice_of(seed))
    engine.fold(folded, opening.events)
    outcomes = [opening]
    for number, (_, outcome) in enumerate(book.moves(state, seed)):
        outcomes.append(outcome)
        engine.fold(folded, decode(encode(outcome.events), happened))
        assert {roll.clause for roll in outcome.rolls} <= book.clauses
        if number % book.checked_each == 0:
            book.checked(state)
        if number % 25 == 0:
            data = encode(state)
            assert encode(folded) == data
            assert encode(decode(data, engine.state)) == data
    assert encode(folded) == encode(state)
    assert state.result is not None
    keep_outcomes(book, name, seed, tuple(outcomes))


@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_whatever_is_offered_would_be_accepted(book: Played, name: str) -> None:
    state, seen = book.begun(name, 4), 0
    for number, _ in enumerate(book.moves(state, 6)):
        if number % book.offers.each == 0:
            for action in book.answers(state, Random(number), book.offers.most):
                book.engine.check(state, action)
                seen += 1
    assert seen > book.offers.at_least


@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_what_is_refused_has_a_clause_and_changes_nothing(book: Played, name: str) -> None:
    state, refused = book.begun(name, 4), 0
    for number, _ in enumerate(book.moves(state, 7)):
        if number % 9 or state.question is None:
            continue
        before = encode(state)
        for action in book.wrong:
            with pytest.raises(IllegalAction) as caught:
                book.engine.play(state, action, book.dice_of(number))
            assert caught.value.clause in book.clauses
            refused += 1
        assert encode(state) == before
    assert refused > 50


@pytest.mark.parametrize(("book", "name"), ONE_OF_EACH)
def test_the_same_dice_give_the_same_battle(book: Played, name: str) -> None:
    one, other = book.begun(name, 3), book.begun(name, 3)
    played = zip(book.moves(one, 5), book.moves(other, 5), strict=True)
    for (action, outcome), (_, again) in played:
        assert encode(outcome.events) == encode(again.events), action
    assert encode(one) == encode(other)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_a_battle_that_is_over_takes_no_more_actions(book: Played) -> None:
    name, action = book.over
    state = book.begun(name, 1)
    for _ in book.moves(state, 1):
        pass
    assert book.engine.options(state) is None
    with pytest.raises(IllegalAction, match="The battle is over"):
        book.engine.play(state, action, book.dice_of(1))


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_an_answer_to_another_question_is_refused_in_words_of_no_program(book: Played) -> None:
    name, action, kinds = book.other
    with pytest.raises(
        IllegalAction, match="Choose one of the answers that are offered"
    ) as refused:
        book.engine.play(book.begun(name, 1), action, book.dice_of(1))
    assert not [kind for kind in kinds.split(", ") if kind in str(refused.value)]


@pytest.mark.long
@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_many_battles_at_random_come_to_an_end(book: Played, name: str) -> None:
    for seed in range(100, 140):
        state = book.begun(name, seed)
        for number, _ in enumerate(book.moves(state, seed)):
            if number % book.checked_each == 0:
                book.checked(state)
        assert state.result is not None, seed
