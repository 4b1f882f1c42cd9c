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
from battles.books.redcoats.play import SAMPLING, check, filter_event, fold, play, play_chosen, view
from battles.books.redcoats.state import State
from battles.books.redcoats.tale import Tale, begins_turn
from battles.contract.book import (
    Book,
    BookPages,
    Drawing,
    Ended,
    Prose,
    TurnForms,
    UnitRemainder,
    Words,
)
from battles.contract.casebook import CaseBook
from battles.contract.engine import ChapterEngine
from battles.contract.report import BattleResult
from battles.core.trace import Paragraph, Trace
from battles.prose import Extract, PlaySheetSection, sections_of, terms_of

TRACE = Trace("battles.books.redcoats", Paragraph, e.AnyEvent)
"""Its paragraphs, named by chapter and number ("Charging 10"), their code, and the rulings."""
trace, rulings = TRACE.trace, TRACE.rulings

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
    play_chosen,
    fold,
    view,
    answer,
    fates_by_unit,
    winner,
)


__all__ = ["Extract", "PlaySheetSection", "sections"]


def sections() -> tuple[PlaySheetSection, ...]:
    """Return the play sheet by headings. Raises TableError when its file is damaged."""
    return sections_of("battles.books.redcoats")


WORDS = Words(
    mahdist="Dervish",
    place="Square",
    advice="A unit that has left the table keeps its figures; one that was driven off it is "
    "disorganised.",
)


def end(state: State, left: Mapping[int, UnitRemainder], ended: Ended) -> None:
    """Turn the state into that at the end of a battle on a table, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        remainder = left[number]
        unit.figures, unit.disorganised = remainder.figures, remainder.shaken
        if not remainder.figures:
            state.lost.append(state.units.pop(number))
    for number in list(state.leaders):
        if not left[number].figures:
            state.fallen.append(state.leaders.pop(number))
    state.turn = ended.turns
    state.result = BattleResult(ended.winner, "broke off", ended.ending)
    state.question, state.agenda = None, []


PAGES = BookPages(
    tables=lambda: tuple(book().tables.values()),
    trace=trace,
    rulings=rulings,
    cases=CaseBook("battles.books.redcoats", engine, Tale),
    play_sheet=sections,
    terms=lambda: terms_of("battles.books.redcoats"),
    end=end,
)


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
    pages=PAGES,
    sampling=SAMPLING,
)
