"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.contract.brief import Brief
from battles.contract.engine import Book
from battles.core.dice import Dice
from battles.core.game import Outcome
from battles.engines.restless import actions as a
from battles.engines.restless import events as e
from battles.engines.restless import set_up
from battles.engines.restless.commander import answer
from battles.engines.restless.layout import lay_out
from battles.engines.restless.options import options
from battles.engines.restless.play import check, fold, play
from battles.engines.restless.report import report
from battles.engines.restless.state import State
from battles.engines.restless.view import view


def _drawn_up(brief: Brief) -> State:
    return set_up.drawn_up(lay_out(brief))


def _new_game(brief: Brief, dice: Dice) -> tuple[State, Outcome]:
    return set_up.new_game(lay_out(brief), dice)


engine = Book(
    "restless",
    "Restless Natives",
    State,
    a.AnyAction,
    e.AnyEvent,
    _drawn_up,
    _new_game,
    options,
    check,
    play,
    fold,
    view,
    answer,
    report,
)
