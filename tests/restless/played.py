"""The book as it is played at random by the tests that hold of every book."""

from random import Random

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.board import stands_of
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.play import answers
from battles.books.restless_natives.registration import TRACE, engine
from battles.books.restless_natives.state import State
from battles.tabletop.field import on_table
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint
from tests.books.played import Named, Offers, Played
from tests.restless.battles import BATTLES
from tests.restless.field import dice_of

NOWHERE = TablePoint(-100_000, -100_000)
WRONG = (
    a.Allot(999, 1),
    a.Deploy(999, NOWHERE, 0, TableFormation.LINE),
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
    a.Form(TableFormation.LIMBERED),
    a.Fight(999),
)


def checked(state: State) -> None:
    """Assert the invariants of every state."""
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


def choose(state: State, offered: list[a.AnyAction], chance: Random) -> a.AnyAction:
    """Return one of the answers; Done seldom, where there are others."""
    others = [action for action in offered if not isinstance(action, a.Done)]
    if isinstance(state.question, a.ToSetUp) and chance.random() < 0.3:
        return a.Done()
    return chance.choice(others if others and chance.random() < 0.9 else offered)


PLAYED = Played(
    engine,
    TRACE,
    Named(
        "test_close_combat_6_in_contact",
        "Close combat 6",
        "Close combat",
        "test_close_combat_example_1",
    ),
    BATTLES,
    tuple((name, seed) for name in BATTLES for seed in (1, 2)),
    dice_of,
    answers,
    checked,
    checked_each=1,
    offers=Offers(each=5, most=20, at_least=60),
    wrong=WRONG,
    over=("patrol", a.Done()),
    other=("village", a.March(), "Allot, Deploy, Restore, Done"),
    choose=choose,
)
