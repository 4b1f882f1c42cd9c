"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.contract.engine import Book
from battles.engines.restless import actions as a
from battles.engines.restless import events as e
from battles.engines.restless import set_up
from battles.engines.restless.commander import answer
from battles.engines.restless.layout import lay_out
from battles.engines.restless.options import options
from battles.engines.restless.play import check, fold, play
from battles.engines.restless.report import fates, winner
from battles.engines.restless.state import State
from battles.engines.restless.view import view

engine = Book(
    "restless",
    "Restless Natives",
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
