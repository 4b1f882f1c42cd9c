"""The book as it is played at random by the tests that hold of every book."""

from itertools import combinations

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.play import answers
from battles.books.fuzzy_wuzzy.registration import TRACE, engine
from battles.books.fuzzy_wuzzy.state import State
from battles.core.dice import ChainedDice, derive_key
from battles.tabletop.field import on_table
from battles.tabletop.geometry import TablePoint
from tests.books.played import Named, Offers, Played
from tests.fuzzy_wuzzy.battles import BATTLES


def dice_of(seed: int) -> ChainedDice:
    """Return the dice of a battle played at random."""
    return ChainedDice(derive_key(b"fuzzy", "random", seed))


def checked(state: State) -> None:
    """Assert the invariants of every state."""
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


PLAYED = Played(
    engine,
    TRACE,
    Named(
        "test_fire_results_3_regulars",
        "Fire results 3",
        "Fire results",
        "test_every_row_of_every_table",
    ),
    BATTLES,
    (*((name, 1) for name in BATTLES), ("kirbekan", 2), ("river", 2)),
    dice_of,
    answers,
    checked,
    checked_each=25,
    offers=Offers(each=9, most=6, at_least=100),
    wrong=(a.Fire(999, 998), a.Recover(999), a.Close(999, 998), a.Move(999, TablePoint(0, 0), 0)),
    over=("kirbekan", a.Done()),
    other=("kirbekan", a.Fire(1, 2), "Deploy, Restore, Done"),
)
