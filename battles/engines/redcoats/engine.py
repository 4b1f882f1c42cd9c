"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.contract.engine import Book
from battles.engines.redcoats import actions as a
from battles.engines.redcoats import events as e
from battles.engines.redcoats import set_up
from battles.engines.redcoats.commander import answer
from battles.engines.redcoats.layout import lay_out
from battles.engines.redcoats.options import options
from battles.engines.redcoats.play import check, fold, play
from battles.engines.redcoats.report import fates, winner
from battles.engines.redcoats.state import State
from battles.engines.redcoats.view import view

engine = Book(
    "redcoats",
    "Redcoats and Dervishes",
    State,
    a.AnyAction,
    e.AnyEvent,
    lay_out,
    set_up.drawn_up,
    set_up.new_game,
    options,
    check,
    play,
    fold,
    view,
    answer,
    fates,
    winner,
)
