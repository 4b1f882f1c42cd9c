"""Redcoats and Dervishes as one object: what its entry point names."""

from battles.books.redcoats import turn_form
from battles.books.redcoats.drawing import Marks, scene_of
from battles.books.redcoats.engine import engine
from battles.books.redcoats.muster_roll import muster_roll
from battles.books.redcoats.pages import PAGES, WORDS
from battles.books.redcoats.tale import Tale, begins_turn
from battles.contract.book import Book, Drawing, Prose, TurnForms

BOOK = Book(
    engine=engine,
    author="Bob Cordery",
    words=WORDS,
    turn="Turn",
    measures=(
        "A square is one number: 100 for each row from the north and 1 for each column from the "
        "west, both from 0 (304 is E4; -1 is off the field). A facing is a number from 0, north, "
        "clockwise to 7, north-west. Rounds that need not be counted are -1."
    ),
    prose=Prose(Tale, begins_turn, muster_roll),
    drawing=Drawing(scene_of, Marks),
    turn_forms=TurnForms(
        turn_form.turn_form,
        turn_form.composed,
        turn_form.corrected,
        turn_form.overheard,
        turn_form.hand,
    ),
    pages=PAGES,
)
