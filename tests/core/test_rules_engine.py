"""The engine of all games: what answers what is asked, what is refused, and what is left alone."""

from typing import Any

import msgspec
import pytest

from battles.core.dice import ScriptedDice
from battles.core.game import (
    Action,
    AgendaRecorded,
    Event,
    IllegalAction,
    Ledger,
    Step,
    record_agenda,
)
from battles.core.rules_engine import Answers, Handlers, Play, Refusals, RulesEngine


class ToCount(msgspec.Struct, frozen=True):
    side: str = "red"


class Count(Action, frozen=True):
    by: int = 1


class Note(Action, frozen=True):
    pass


class Other(Action, frozen=True):
    pass


class Counted(Event, frozen=True):
    number: int


class Tally(msgspec.Struct):
    count: int = 0
    agenda: list[Step] = []
    question: ToCount | None = ToCount()


evolve = Handlers[Tally, [], None]("evolve")
evolve.on(AgendaRecorded)(record_agenda)


@evolve.on(Counted)
def _counted(state: Tally, event: Counted) -> None:
    state.count += event.number


def ask_again(ledger: Ledger[Tally], most: int) -> None:
    if ledger.state.count < most:
        ledger.ask(ToCount())


def _check_count(state: Tally, action: Count) -> None:
    if action.by < 1:
        raise IllegalAction("1", "Count up.")


def count(ledger: Ledger[Tally], action: Count) -> None:
    ledger.emit(Counted(number=action.by))


def note(ledger: Ledger[Tally], action: Note) -> None:
    ledger.emit(Counted(number=0))


def engine() -> RulesEngine[Tally]:
    answers = Answers[Tally]()
    answers.on(Count, ToCount, check=_check_count, then=(Step("again", (3,)),))(count)
    answers.always(Note)(note)
    play = Play(evolve, {"again": ask_again}, AgendaRecorded)
    return RulesEngine(answers, play, Refusals(over="9", other="2", game="game"))


def test_an_answer_closes_the_question_and_the_agenda_asks_the_next() -> None:
    state = Tally()
    outcome = engine().play(state, Count(by=2), ScriptedDice())
    assert (state.count, state.question) == (2, ToCount())
    assert [type(event) for event in outcome.events] == [Counted, AgendaRecorded]
    engine().play(state, Count(), ScriptedDice())
    assert (state.count, state.question) == (3, None)


def test_what_is_always_allowed_leaves_the_question_open() -> None:
    state = Tally()
    engine().play(state, Note(), ScriptedDice())
    assert state.question == ToCount()


def test_apply_leaves_the_state_as_it_was() -> None:
    state = Tally()
    after, _ = engine().apply(state, Count(), ScriptedDice())
    assert (state.count, after.count) == (0, 1)


def test_stored_events_lead_to_the_same_state() -> None:
    state, again = Tally(), Tally()
    outcome = engine().play(state, Count(by=2), ScriptedDice())
    engine().fold(again, outcome.events)
    assert again == state


@pytest.mark.parametrize(
    ("state", "action", "clause", "said"),
    [
        (Tally(), Count(by=0), "1", "Count up."),
        (Tally(), Other(), "2", "The game waits for something else of the red side. Choose"),
        (Tally(question=None), Count(), "9", "The game is over."),
        (Tally(question=None), Note(), "9", "The game is over."),
    ],
)
def test_a_refusal_names_clause_and_reason(
    state: Tally, action: Any, clause: str, said: str
) -> None:
    for attempt in (engine().check, lambda now, do: engine().play(now, do, ScriptedDice())):
        with pytest.raises(IllegalAction, match=said) as refused:
            attempt(state, action)
        assert refused.value.clause == clause
    assert state.count == 0


def test_an_answer_is_registered_once() -> None:
    answers = engine().answers
    assert answers.to(ToCount()) == (Count,)
    with pytest.raises(ValueError, match="Count is registered twice"):
        answers.on(Count, ToCount)(count)
