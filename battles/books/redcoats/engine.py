"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import set_up
from battles.books.redcoats.commander import answer
from battles.books.redcoats.layout import lay_out
from battles.books.redcoats.options import options
from battles.books.redcoats.play import check, fold, play
from battles.books.redcoats.report import fates, winner
from battles.books.redcoats.state import State
from battles.books.redcoats.view import view
from battles.contract.engine import ChapterEngine

engine = ChapterEngine(
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
