"""’Eres to You Fuzzy Wuzzy as one object: what its entry point names."""

from battles.books.fuzzy_wuzzy import turn_form
from battles.books.fuzzy_wuzzy.drawing import Marks, scene_of
from battles.books.fuzzy_wuzzy.engine import engine
from battles.books.fuzzy_wuzzy.muster_roll import muster_roll
from battles.books.fuzzy_wuzzy.pages import PAGES, WORDS
from battles.books.fuzzy_wuzzy.tale import Tale, begins_turn
from battles.contract.book import Book, Drawing, Prose, TurnForms
from battles.turn_form.table import OPEN_TABLE

BOOK = Book(
    engine=engine,
    author="Bob Cordery",
    words=WORDS,
    turn="Turn",
    measures=OPEN_TABLE.format(measure="a centimetre"),
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
