"""The book as the contract wants it: one object with everything a battle is asked."""

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import set_up
from battles.books.fuzzy_wuzzy.commander import answer
from battles.books.fuzzy_wuzzy.layout import lay_out
from battles.books.fuzzy_wuzzy.options import options
from battles.books.fuzzy_wuzzy.play import check, fold, play
from battles.books.fuzzy_wuzzy.report import fates, winner
from battles.books.fuzzy_wuzzy.state import State
from battles.books.fuzzy_wuzzy.view import view
from battles.contract.engine import ChapterEngine

engine = ChapterEngine(
    "fuzzy-wuzzy",
    "’Eres to You Fuzzy Wuzzy",
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
