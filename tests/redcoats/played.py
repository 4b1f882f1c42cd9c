"""The book as it is played at random by the tests that hold of every book."""

from battles.books.redcoats import actions as a
from battles.books.redcoats.hand_to_hand import weight
from battles.books.redcoats.play import answers
from battles.books.redcoats.registration import TRACE, engine
from battles.books.redcoats.state import State
from tests.books.played import Named, Offers, Played
from tests.redcoats.battles import BATTLES
from tests.redcoats.field import dice_of

WRONG = (
    a.Deploy(999, 0, 0),
    a.Activate(999),
    a.Charge(999),
    a.Enter(9999, 0),
    a.Move((9999,), 0),
    a.Load(999),
)


def checked(state: State) -> None:
    """Assert the invariants of every state."""
    for one in state.units.values():
        assert 1 <= one.figures <= one.full
        assert one.square == -1 or state.field.holds(one.square)
    squares: dict[int, set[str]] = {}
    for one in state.units.values():
        if one.square >= 0 and not one.aboard:
            squares.setdefault(one.square, set()).add(one.side)
    fought = {state.units[combat.charged].square for combat in state.combats}
    assert {square for square, sides in squares.items() if len(sides) > 1} == fought
    everybody = [*state.units.values(), *state.lost, *state.left]
    assert sum(map(weight, everybody)) == sum(state.strengths.values())
    assert all(len(hand) <= 3 for hand in state.hands.values())
    heroic = len(state.heroic) + len(state.discards) + sum(map(len, state.hands.values()))
    assert heroic == 54


PLAYED = Played(
    engine,
    TRACE,
    Named(
        "test_charging_10_what_is_added",
        "Charging 10",
        "Charging",
        "test_charging_example_1_scores",
    ),
    BATTLES,
    tuple((name, seed) for name in BATTLES for seed in (1, 2)),
    dice_of,
    answers,
    checked,
    checked_each=1,
    offers=Offers(each=9, most=500, at_least=500),
    wrong=WRONG,
    over=("night", a.Done()),
    other=("brigade", a.Pursue(), "Deploy, Restore, Done"),
)
