"""The ledger: events happen and are kept, dice are cited, steps and questions take turns."""

from typing import Any

import msgspec
import pytest

from battles.core.dice import Modifier, Roll, ScriptedDice
from battles.core.game import Event, IllegalAction, Ledger, Step


class Counted(Event, frozen=True):
    more: int


class Position(msgspec.Struct):
    total: int = 0
    agenda: list[Step] = []
    question: Any = None


def evolve(state: Position, event: Counted) -> None:
    state.total += event.more


def ledger(*dice: int) -> Ledger[Position]:
    return Ledger(Position(), ScriptedDice(*dice), evolve)


def test_an_event_changes_the_state_and_is_kept() -> None:
    book = ledger()
    book.emit(Counted(more=3))
    book.emit(Counted(more=4))
    assert book.state.total == 7
    assert [event.more for event in book.events if isinstance(event, Counted)] == [3, 4]


def test_a_roll_keeps_its_dice_modifiers_and_total() -> None:
    book = ledger(2, 5)
    modifiers = (Modifier(1, "a leader", "7.1"), Modifier(-3, "the heat", "8.31"))
    roll = book.roll(Roll("march", "8.31", (0, 0), modifiers=modifiers))
    assert roll.dice == (2, 5)
    assert roll.total == 5
    assert book.rolls == [roll]


def test_an_event_cites_the_dice_since_the_event_before() -> None:
    book = ledger(1, 2, 3)
    book.emit(Counted(more=1))
    book.roll(Roll("one", "1", (0,)))
    book.roll(Roll("two", "1", (0,)))
    book.emit(Counted(more=2))
    book.roll(Roll("three", "1", (0,)))
    book.emit(Counted(more=3))
    assert [event.rolls for event in book.events] == [(), (0, 1), (2,)]


def test_the_last_record_can_be_given_its_result() -> None:
    book = ledger(6)
    roll = book.roll(Roll("wreck", "8.23", (0,)))
    amended = book.amend(roll, result="wrecked")
    assert book.rolls == [amended]
    assert amended.result == "wrecked"


def test_bare_dice_are_recorded_by_whoever_throws_them() -> None:
    book = ledger(4, 4)
    dice = book.throw(2)
    assert book.rolls == []
    book.keep(Roll("repair", "8.23", dice))
    assert book.rolls[0].dice == (4, 4)


def test_steps_come_before_what_was_on_the_agenda() -> None:
    book = ledger()
    said: list[str] = []

    def first(of: Ledger[Position]) -> None:
        said.append("first")
        of.then(Step("third", ("x",)), Step("fourth"))

    steps: Any = {
        "first": first,
        "second": lambda of: said.append("second"),
        "third": lambda of, what: said.append(f"third {what}"),
        "fourth": lambda of: said.append("fourth"),
    }
    book.then(Step("first"), Step("second"))
    book.advance(steps)
    assert said == ["first", "third x", "fourth", "second"]


def test_a_question_stops_the_agenda_until_it_is_answered() -> None:
    book = ledger()
    steps: Any = {"ask": lambda of: of.ask("who?"), "go": lambda of: of.emit(Counted(more=1))}
    book.then(Step("ask"), Step("go"))
    book.advance(steps)
    assert book.state.question == "who?"
    assert book.state.total == 0
    book.answered()
    book.advance(steps)
    assert book.state.total == 1
    assert book.state.agenda == []


def test_an_outcome_ends_with_the_closing_event() -> None:
    book = ledger(3)
    book.roll(Roll("one", "1", (0,)))
    outcome = book.outcome(Counted(more=0))
    assert isinstance(outcome.events[-1], Counted)
    assert outcome.events[-1].rolls == (0,)
    assert len(outcome.rolls) == 1


def test_a_refusal_speaks_reason_and_remedy() -> None:
    refusal = IllegalAction("8.3", "The stack has marched.", "Choose another.")
    assert str(refusal) == "The stack has marched. Choose another."
    assert (refusal.clause, refusal.reason, refusal.remedy) == (
        "8.3",
        "The stack has marched.",
        "Choose another.",
    )
    with pytest.raises(IllegalAction, match=r"^Only this\.$"):
        raise IllegalAction("1", "Only this.")
