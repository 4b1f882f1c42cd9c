"""'Eres to You Fuzzy Wuzzy as one object for its entry point: its engine and its pages."""

from collections.abc import Mapping

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import form_answers, set_up, turn_form
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.commander import answer
from battles.books.fuzzy_wuzzy.drawing import Marks, scene_of
from battles.books.fuzzy_wuzzy.muster import fates_by_unit, winner
from battles.books.fuzzy_wuzzy.names import aim, muster_roll
from battles.books.fuzzy_wuzzy.observing import filter_event, view
from battles.books.fuzzy_wuzzy.options import options
from battles.books.fuzzy_wuzzy.play import SAMPLING, rules
from battles.books.fuzzy_wuzzy.set_up import lay_out
from battles.books.fuzzy_wuzzy.state import State
from battles.books.fuzzy_wuzzy.tale import Tale, begins_turn
from battles.contract.book import (
    Book,
    Drawing,
    Prose,
    TurnForms,
    UnitRemainder,
    Words,
    pages_from_files,
)
from battles.contract.casebook import CaseBook
from battles.contract.engine import ChapterEngine
from battles.contract.generic_book import no_cards
from battles.core.trace import Paragraph, Trace
from battles.turn_form import OPEN_TABLE

PACKAGE = "battles.books.fuzzy_wuzzy"
TRACE = Trace(PACKAGE, Paragraph, e.AnyEvent)
"""Its paragraphs, named by chapter and number ("Fire results 3"), their code, and the rulings."""

engine: ChapterEngine[set_up.Deployment, State, a.AnyAction, e.AnyEvent] = ChapterEngine(
    slug="fuzzy-wuzzy",
    title="’Eres to You Fuzzy Wuzzy",
    state=State,
    actions=a.AnyAction,
    events=e.AnyEvent,
    rules=rules,
    lay_out=lay_out,
    set_out=set_up.drawn_up,
    begin=set_up.new_game,
    options=options,
    view=view,
    answer=answer,
    fates=fates_by_unit,
    winner=winner,
)


WORDS = Words(
    figure="stand",
    shaken="in retreat",
    advice="A stand whose figures are wounded counts; one whose unit was overrun does not. A "
    "unit that has retreated off the table is in retreat.",
)


def count_units(state: State, left: Mapping[int, UnitRemainder]) -> None:
    """Leave in the state of a deployed battle what is left on a real table."""
    for number, unit in list(state.units.items()):
        remainder = left[number]
        unit.markers, unit.retreating = unit.markers[: remainder.figures], remainder.shaken
        if not remainder.figures:
            state.lost.append(state.units.pop(number))


BOOK = Book(
    engine=engine,
    author="Bob Cordery",
    words=WORDS,
    turn="Turn",
    measures=OPEN_TABLE.format(measure="a centimetre"),
    prose=Prose(Tale, begins_turn, muster_roll, aim),
    drawing=Drawing(scene_of, Marks, turn_form.zones),
    turn_forms=TurnForms(
        turn_form.turn_form,
        form_answers.read_action,
        form_answers.read_correction,
        filter_event,
        no_cards,
        form_answers.sequel,
        form_answers.repeat_orders,
        list_attempts=form_answers.list_attempts,
    ),
    pages=pages_from_files(
        TRACE,
        tables=lambda: tuple(book().tables.values()),
        cases=CaseBook(PACKAGE, engine, Tale),
        count_units=count_units,
    ),
    sampling=SAMPLING,
)
