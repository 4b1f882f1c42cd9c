"""The offers and messages to players of every book: lawful answers, and whole sentences."""

import ast
import inspect
import re
from collections.abc import Iterator
from random import Random
from typing import Any, get_args

import pytest
from django.http import QueryDict

from battles.books.fuzzy_wuzzy import actions as fuzzy
from battles.books.fuzzy_wuzzy import form_answers as fuzzy_answers
from battles.books.fuzzy_wuzzy import turn_form as fuzzy_form
from battles.books.fuzzy_wuzzy.movement import LEAST as CENTIMETRES
from battles.books.redcoats import actions as redcoats
from battles.books.redcoats import form_answers as redcoats_answers
from battles.books.redcoats import turn_form as redcoats_form
from battles.books.restless_natives import actions as restless
from battles.books.restless_natives import form_answers as restless_answers
from battles.books.restless_natives import turn_form as restless_form
from battles.books.restless_natives.movement import LEAST as INCHES
from battles.books.restless_natives.movement import way_length
from battles.books.restless_natives.state import acting_unit
from battles.contract import Side
from battles.contract.book import book as book_of
from battles.core.decoding import decode, encode
from battles.core.game import Outcome
from battles.prose import Sentence
from battles.replay import Narrator
from battles.tabletop.geometry import distance
from battles.turn_form import QuestionKind, TurnForm
from tests.books.played import Played, outcomes_of
from tests.books.test_conformance import BATTLES, RANDOM

MOST = 4
"""Units that are looked at, and places that are tried, at one question."""
BROKEN = re.compile(
    r"  |\(\)|^“?[^\w“]|^[a-z]|number \d|\b0 (cm|inch)|[ (]\.|\.\.|None|for nothing| thrown\."
)
"""A name or a number that is missing, a throw that is told as nothing or not at all."""


def turn_forms(book: Played, state: Any) -> Iterator[TurnForm]:
    """Yield the turn forms of the asked side, one for each unit it may look at."""
    forms, side = book_of(book.engine.slug).turn_forms, state.question.side
    first = forms.form(state, side, 0)
    assert first is not None
    yield first
    for pick in first.units[:MOST]:
        other = forms.form(state, side, pick.unit)
        assert other is not None
        yield other


def actions(book: Played, state: Any, form: TurnForm) -> Iterator[Any]:
    """Yield every choice, and what the turn forms come to."""
    yield from (one.action for one in form.choices)
    asks = book_of(book.engine.slug).turn_forms
    for words in form.ordering.together if form.ordering else ():
        yield asks.read_action(state, {"unit": str(form.unit), "order": words})
    for place, _, _ in form.placing.places[:MOST] if form.placing else ():
        yield asks.read_action(state, {"unit": str(form.unit), "place": place, "facing": "3"})
    if form.several:
        ticked = "&".join(f"several={one.unit}" for one in form.several.units)
        yield asks.read_action(state, QueryDict(ticked))


@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_every_answer_of_a_turn_form_is_lawful_and_of_its_own_words(
    book: Played, name: str
) -> None:
    state, seen = book.begun(name, 4), 0
    for number, _ in enumerate(book.moves(state, 8)):
        if number % book.offers.each or state.question is None:
            continue
        for form in turn_forms(book, state):
            words = [(one.kind, f"{one.label}: {one.detail}") for one in form.choices]
            assert len(set(words)) == len(words)
            assert not [one for _, one in words if re.search(r"\b0 (cm|inch)", one)]
            for action in actions(book, state, form):
                book.engine.check(state, action)
                seen += 1
    assert seen > book.offers.at_least


@pytest.mark.parametrize(
    ("actions", "chapters"),
    [
        (redcoats, (redcoats_form, redcoats_answers)),
        (restless, (restless_form, restless_answers)),
        (fuzzy, (fuzzy_form, fuzzy_answers)),
    ],
    ids=["redcoats", "restless", "fuzzy-wuzzy"],
)
def test_whatever_a_book_allows_a_person_can_choose(actions: Any, chapters: Any) -> None:
    called = {
        # `read_deployment` makes the Deploy of a book on an open table.
        ast.unparse(node.func).removeprefix("a.").replace("read_deployment", "Deploy")
        for chapter in chapters
        for node in ast.walk(ast.parse(inspect.getsource(chapter)))
        if isinstance(node, ast.Call)
    }
    assert {one.__name__ for one in get_args(actions.AnyAction)} - called == set()


def measured(state: Any, action: Any) -> float | None:
    """Return the share of the least distance of its book that a move goes, None for no way."""
    match action:
        case fuzzy.Move():
            unit = state.units[action.unit]
            return None if action.to == unit.at else distance(unit.at, action.to) / CENTIMETRES
        case restless.Move():
            unit = acting_unit(state)
            return way_length(unit, action.path) / INCHES if action.path else None
        case redcoats.Move():
            return float(len(set(action.path))) if action.path else None
    return None


@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_no_move_is_offered_that_is_too_short_to_be_measured(book: Played, name: str) -> None:
    state, chance, ways = book.begun(name, 5), Random(5), 0
    for number, _ in enumerate(book.moves(state, 9)):
        if number % book.offers.each or state.question is None:
            continue
        offered = list(book.answers(state, chance, 12))
        offered += [one.action for form in turn_forms(book, state) for one in form.choices]
        far = [share for one in offered if (share := measured(state, one)) is not None]
        assert [share for share in far if share < 1] == []
        ways += len(far)
    assert ways > 0


def carried_out(book: Played, state: Any, action: Any, plan: str) -> int:
    """Carry out an action and what follows by its plan; return the number of actions."""
    beside, side = decode(encode(state), book.engine.state), state.question.side
    following = book_of(book.engine.slug).turn_forms.sequel(state, action, plan)
    planned, number = action, 0
    while planned is not None and beside.question is not None and beside.question.side is side:
        book.engine.check(beside, planned)
        book.engine.play(beside, planned, book.dice_of(number))
        number += 1
        planned = following(beside)
    return number


@pytest.mark.parametrize(("book", "name"), BATTLES)
def test_every_plan_that_a_turn_form_offers_is_lawful_to_its_end(book: Played, name: str) -> None:
    state, most = book.begun(name, 4), 0
    for number, _ in enumerate(book.moves(state, 8)):
        if number % book.offers.each or state.question is None:
            continue
        for form in turn_forms(book, state):
            plans = [(one.action, one.then) for one in form.choices if one.then]
            moves = [one.action for one in form.choices if one.kind is QuestionKind.GO]
            line = form.line or (form.free.line if form.free else "")
            plans += [(move, line) for move in moves[:MOST] if line]
            for action, plan in plans[:MOST] + plans[-MOST:]:
                most = max(most, carried_out(book, state, action, plan))
    assert most


def tales(book: Played, state: Any, outcome: Outcome) -> Iterator[Sentence]:
    """Carry out an action, and return what each side and the umpire read of it."""
    prose = book_of(book.engine.slug).prose
    heard = {eye: prose.tale(state) for eye in (None, *Side)}
    asks = book_of(book.engine.slug).turn_forms
    for event in outcome.events:
        cited = tuple(outcome.rolls[number] for number in event.rolls)
        for eye, tale in heard.items():
            known = (event, cited) if eye is None else asks.filter_event(state, event, cited, eye)
            if known[0] is not None:
                tale.hear(*known)
        book.engine.fold(state, (event,))
    for tale in heard.values():
        yield from tale.tell()


@pytest.mark.parametrize(("book", "name", "seed"), RANDOM)
def test_every_sentence_of_the_log_is_whole_and_no_throw_is_told_as_nothing(
    book: Played, name: str, seed: int
) -> None:
    beside = book.engine.set_out(book.battles[name]())
    said: list[Sentence] = []
    for outcome in outcomes_of(book, name, seed):
        said += tales(book, beside, outcome)
    assert said
    assert [one.text for one in said if BROKEN.search(one.text)] == []


@pytest.mark.parametrize(("book", "name", "seed"), RANDOM)
def test_every_sentence_of_a_turn_is_whole(book: Played, name: str, seed: int) -> None:
    narrator = Narrator(book_of(book.engine.slug), book.engine.set_out(book.battles[name]()))
    said: list[Sentence] = []
    for outcome in outcomes_of(book, name, seed):
        for event in outcome.events:
            cited = [outcome.rolls[number] for number in event.rolls]
            if narrator.begins_turn(event) is not None:
                narrator.note(cited)
                said += narrator.picture(0).sentences
                cited = []
            narrator.hear(event, cited)
            book.engine.fold(narrator.state, (event,))
    said += narrator.picture(0).sentences
    assert said
    assert [one.text for one in said if BROKEN.search(one.text)] == []
