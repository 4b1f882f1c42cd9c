"""Properties of the reports of all books: they add up, and there is none before the end."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.contract import Fate, Report, fight
from battles.core.dice import ChainedDice, derive_key
from tests.books.aftermath import two_battalions
from tests.books.played import Played
from tests.books.shelf import BOOKS
from tests.redcoats_commander.armies import random_brief

EACH = pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)


def fought(book: Played, seed: int, most: int = 12) -> Report:
    """Return a random battle, by the commanders; `fight` raises when its report does not add up."""
    dice = ChainedDice(derive_key(b"conservation", seed))
    return fight(book.engine, random_brief(seed, most), dice)


@EACH
def test_a_battle_that_goes_on_has_no_report(book: Played) -> None:
    state = book.engine.drawn_up(two_battalions(9))
    with pytest.raises(ValueError, match="not over"):
        book.engine.report(state)


@EACH
def test_a_battle_without_a_brief_has_no_report(book: Played) -> None:
    state, _ = book.engine.new_game(two_battalions(9), book.dice_of(1))
    for _ in book.moves(state, 1):
        pass
    state.brief = None
    with pytest.raises(ValueError, match="no brief"):
        book.engine.report(state)


@EACH
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_9_7_units_in_are_units_out_whatever_is_brought(book: Played, seed: int) -> None:
    brief, told = random_brief(seed), fought(book, seed)
    assert set(told.fates) == {one.id for one in brief.troops()}
    for one in brief.troops():
        if one.disrupted:
            assert told.fates[one.id] in (Fate.DISRUPTED, Fate.ELIMINATED)


@pytest.mark.long
@EACH
def test_9_7_nothing_is_created_in_ten_thousand_battles(book: Played) -> None:
    for seed in range(10_000):
        assert fought(book, seed, most=8).battle == f"random-{seed}"
