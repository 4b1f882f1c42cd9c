"""The registered book of Redcoats and Dervishes: its engine, prose, drawing and pages."""

from collections.abc import Mapping

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats import form_answers, set_up, turn_form
from battles.books.redcoats.book import book
from battles.books.redcoats.commander import answer
from battles.books.redcoats.drawing import Marks, scene_of
from battles.books.redcoats.layout import lay_out
from battles.books.redcoats.muster import fates_by_unit, winner
from battles.books.redcoats.names import aim, muster_roll
from battles.books.redcoats.options import options
from battles.books.redcoats.play import SAMPLING, filter_event, rules, view
from battles.books.redcoats.state import State
from battles.books.redcoats.tale import Tale, begins_turn
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
from battles.core.trace import Paragraph, Trace

PACKAGE = "battles.books.redcoats"
TRACE = Trace(PACKAGE, Paragraph, e.AnyEvent)
"""Its paragraphs, named by chapter and number ("Charging 10"), their code, and the rulings."""

engine: ChapterEngine[set_up.Deployment, State, a.AnyAction, e.AnyEvent] = ChapterEngine(
    slug="redcoats",
    title="Redcoats and Dervishes",
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
    mahdist="Dervish",
    place="Square",
    advice="A unit that has left the table keeps its figures; one that was driven off it is "
    "disorganised.",
)


def count_units(state: State, left: Mapping[int, UnitRemainder]) -> None:
    """Leave in the state of a deployed battle what is left on a real table."""
    for number, unit in list(state.units.items()):
        remainder = left[number]
        unit.figures, unit.disorganised = remainder.figures, remainder.shaken
        if not remainder.figures:
            state.lost.append(state.units.pop(number))
    for number in list(state.leaders):
        if not left[number].figures:
            state.fallen.append(state.leaders.pop(number))


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
    prose=Prose(Tale, begins_turn, muster_roll, aim),
    drawing=Drawing(scene_of, Marks, turn_form.zones),
    turn_forms=TurnForms(
        turn_form.turn_form,
        form_answers.read_action,
        form_answers.read_correction,
        filter_event,
        form_answers.hand,
        form_answers.sequel,
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
