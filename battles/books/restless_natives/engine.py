"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives import set_up
from battles.books.restless_natives.commander import answer
from battles.books.restless_natives.layout import lay_out
from battles.books.restless_natives.options import options
from battles.books.restless_natives.play import check, fold, play
from battles.books.restless_natives.report import fates, winner
from battles.books.restless_natives.state import State
from battles.books.restless_natives.view import view
from battles.contract.engine import ChapterEngine

engine = ChapterEngine(
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
