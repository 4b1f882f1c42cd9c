"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.contract.brief import Brief
from battles.contract.engine import Book
from battles.core.dice import Dice
from battles.core.game import Outcome
from battles.engines.redcoats import actions as a
from battles.engines.redcoats import events as e
from battles.engines.redcoats import set_up
from battles.engines.redcoats.commander import answer
from battles.engines.redcoats.layout import lay_out
from battles.engines.redcoats.options import options
from battles.engines.redcoats.play import check, fold, play
from battles.engines.redcoats.report import report
from battles.engines.redcoats.state import State
from battles.engines.redcoats.view import view


def _drawn_up(brief: Brief) -> State:
    return set_up.drawn_up(lay_out(brief))


def _new_game(brief: Brief, dice: Dice) -> tuple[State, Outcome]:
    return set_up.new_game(lay_out(brief), dice)


engine = Book(
    "redcoats",
    "Redcoats and Dervishes",
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
