"""Restless Natives as one object: what its entry point names."""

from battles.books.restless_natives import turn_form
from battles.books.restless_natives.drawing import Marks, scene_of
from battles.books.restless_natives.engine import engine
from battles.books.restless_natives.muster_roll import muster_roll
from battles.books.restless_natives.pages import PAGES, WORDS
from battles.books.restless_natives.tale import Tale, begins_turn
from battles.contract.book import Book, Drawing, Prose, TurnForms
from battles.turn_form.table import OPEN_TABLE

BOOK = Book(
    engine=engine,
    author="Bob Cordery",
    words=WORDS,
    turn="Card",
    measures=OPEN_TABLE.format(measure="an inch"),
    prose=Prose(Tale, begins_turn, muster_roll),
    drawing=Drawing(scene_of, Marks),
    turn_forms=TurnForms(
        turn_form.turn_form,
        turn_form.composed,
        turn_form.corrected,
        turn_form.overheard,
        turn_form.hand,
        corrects_shaken=False,
    ),
    pages=PAGES,
)
