"""Restless Natives as one object for its entry point: its engine and its pages."""

from collections.abc import Mapping

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives import form_answers, set_up, turn_form
from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander import answer
from battles.books.restless_natives.drawing import Marks, scene_of
from battles.books.restless_natives.generator import computers_side, higher_die, roll_brief
from battles.books.restless_natives.layout_plans import lay_out
from battles.books.restless_natives.muster import fates_by_unit, winner
from battles.books.restless_natives.names import aim, muster_roll
from battles.books.restless_natives.options import options
from battles.books.restless_natives.play import SAMPLING, filter_event, rules, view
from battles.books.restless_natives.state import State
from battles.books.restless_natives.tale import Tale, begins_turn
from battles.contract.book import (
    BattleGenerator,
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
from battles.turn_form import OPEN_TABLE

PACKAGE = "battles.books.restless_natives"
TRACE = Trace(PACKAGE, Paragraph, e.AnyEvent)
"""Its paragraphs, named by chapter and number ("Close combat 6"), their code, and the rulings."""

engine: ChapterEngine[set_up.Deployment, State, a.AnyAction, e.AnyEvent] = ChapterEngine(
    slug="restless",
    title="Restless Natives",
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
    egyptian="British",
    mahdist="Native",
    figure="stand",
    turn="card",
    until=", until the second joker",
    shaken="ran away",
    advice="A unit that has left the table by its exit keeps its stands; one that fell back "
    "off it, or was removed because it could not fall back, ran away.",
)


def count_units(state: State, left: Mapping[int, UnitRemainder]) -> None:
    """Leave in the state of a deployed battle what is left on a real table."""
    for lot in (state.units, state.waiting):
        for number, unit in list(lot.items()):
            remainder = left[number]
            unit.stands = remainder.figures
            if not remainder.figures:
                state.lost[number] = lot.pop(number)
            elif remainder.shaken:
                state.away[number] = lot.pop(number)


BOOK = Book(
    engine=engine,
    author="Bob Cordery",
    words=WORDS,
    turn="Card",
    measures=OPEN_TABLE.format(measure="an inch"),
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
        corrects_shaken=False,
    ),
    pages=pages_from_files(
        TRACE,
        tables=lambda: tuple(book().tables.values()),
        cases=CaseBook(PACKAGE, engine, Tale, {"the higher die": higher_die}),
        count_units=count_units,
    ),
    sampling=SAMPLING,
    generator=BattleGenerator(higher_die, computers_side, roll_brief),
)
