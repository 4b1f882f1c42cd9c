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
from battles.books.fuzzy_wuzzy.play import SAMPLING, check, fold, play, play_chosen
from battles.books.fuzzy_wuzzy.set_up import lay_out
from battles.books.fuzzy_wuzzy.state import State
from battles.books.fuzzy_wuzzy.tale import Tale, begins_turn
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
from battles.contract.generic_book import no_cards
from battles.contract.report import BattleResult
from battles.core.trace import Paragraph, Trace
from battles.prose import Extract, PlaySheetSection, sections_of, terms_of
from battles.turn_form import OPEN_TABLE

TRACE = Trace("battles.books.fuzzy_wuzzy", Paragraph, e.AnyEvent)
"""Its paragraphs, named by chapter and number ("Fire results 3"), their code, and the rulings."""
trace, rulings = TRACE.trace, TRACE.rulings

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
    play_chosen,
    fold,
    view,
    answer,
    fates_by_unit,
    winner,
)


__all__ = ["Extract", "PlaySheetSection", "sections"]


def sections() -> tuple[PlaySheetSection, ...]:
    """Return the sections of the play sheet. Raises TableError when its file is damaged."""
    return sections_of("battles.books.fuzzy_wuzzy")


WORDS = Words(
    figure="stand",
    shaken="in retreat",
    advice="A stand whose figures are wounded counts; one whose unit was overrun does not. A "
    "unit that has retreated off the table is in retreat.",
)


def end(state: State, left: Mapping[int, UnitRemainder], ended: Ended) -> None:
    """Set the state to the end of the battle, as far as the report needs it."""
    for number, unit in list(state.units.items()):
        remainder = left[number]
        unit.markers, unit.retreating = unit.markers[: remainder.figures], remainder.shaken
        if not remainder.figures:
            state.lost.append(state.units.pop(number))
    state.turn = ended.turns
    state.result = BattleResult(ended.winner, "broke off", ended.ending)
    state.question, state.agenda = None, []


PAGES = BookPages(
    tables=lambda: tuple(book().tables.values()),
    trace=trace,
    rulings=rulings,
    cases=CaseBook("battles.books.fuzzy_wuzzy", engine, Tale),
    play_sheet=sections,
    terms=lambda: terms_of("battles.books.fuzzy_wuzzy"),
    end=end,
)


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
    pages=PAGES,
    sampling=SAMPLING,
)
