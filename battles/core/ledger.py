"""The ledger: the working copy of a state and the four verbs that chapters speak.

`emit` makes an event happen, `roll` throws dice and keeps the record, `then` puts named steps
on the agenda, `ask` stops until somebody has answered. Chapters never assign to the state.
"""

from collections.abc import Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from battles.core.dice import Dice, DiceWanted, Modifier, Roll
from battles.core.game import AgendaRecorded, Event, Outcome, Step


class Playable(Protocol):
    """What every state of play holds: what comes next, and what is waited for."""

    agenda: list[Step]
    question: Any


S = TypeVar("S", bound=Playable)
Evolve = Callable[[S, Any], None]


class Ledger(Generic[S]):
    """One action being carried out on a state that belongs to the caller."""

    def __init__(self, state: S, dice: Dice, evolve: Evolve[S]) -> None:
        self.state = state
        self.events: list[Event] = []
        self.rolls: list[Roll] = []
        self._dice = dice
        self._evolve = evolve
        self._cited = 0

    def emit(self, event: Event) -> None:
        """The event happens; the throws since the last event are kept as its cause."""
        if self._cited < len(self.rolls):
            event = msgspec.structs.replace(event, rolls=tuple(range(self._cited, len(self.rolls))))
            self._cited = len(self.rolls)
        self._evolve(self.state, event)
        self.events.append(event)

    def throw(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """Bare dice; whoever throws them must `keep` the record."""
        return self._dice.throw(count, sides)

    def roll(self, record: Roll) -> Roll:
        """Throws `record.dice` many dice as it describes; gives back the finished record.

        `record.dice` is a tuple as long as the dice to throw (its values are not looked at).
        """
        dice = self._thrown(record)
        return self.keep(
            msgspec.structs.replace(record, dice=dice, total=total(dice, record.modifiers))
        )

    def _thrown(self, record: Roll) -> tuple[int, ...]:
        """The dice; whoever throws by hand is told what for."""
        try:
            return self.throw(len(record.dice), record.sides)
        except DiceWanted as wanted:
            wanted.reason, wanted.clause = record.reason, record.clause
            raise

    def keep(self, record: Roll) -> Roll:
        """Return the record of a throw goes into the journal."""
        self.rolls.append(record)
        return record

    def amend(self, record: Roll, **changes: Any) -> Roll:
        """Return the last record kept, with what the table gave for it."""
        amended = msgspec.structs.replace(record, **changes)
        self.rolls[-1] = amended
        return amended

    def then(self, *steps: Step) -> None:
        """These steps come next, before whatever was on the agenda."""
        self.state.agenda[:0] = steps

    def ask(self, question: Any) -> None:
        """Play stops here until the question is answered."""
        self.state.question = question

    def answered(self) -> None:
        """The open question is closed; the agenda goes on."""
        self.state.question = None

    def advance(self, steps: Mapping[str, Callable[..., None]]) -> None:
        """Carries out the agenda until something is asked or nothing is left."""
        state = self.state
        while state.question is None and state.agenda:
            step = state.agenda.pop(0)
            steps[step.name](self, *step.args)

    def recorded(self, kind: type[AgendaRecorded]) -> Outcome:
        """Return what happened, closed by an event of that kind with agenda and question."""
        state = self.state
        return self.outcome(kind(agenda=tuple(state.agenda), question=state.question))

    def outcome(self, closing: Event) -> Outcome:
        """Return what happened, closed by that event."""
        self.emit(closing)
        return Outcome(tuple(self.events), tuple(self.rolls))


def record_agenda(state: Playable, event: AgendaRecorded) -> None:
    """Set the agenda and the open question to those recorded: the handler for every game."""
    state.agenda = list(event.agenda)
    state.question = event.question


def total(dice: tuple[int, ...], modifiers: tuple[Modifier, ...]) -> int:
    """Return the sum of the dice and of every modifier."""
    return sum(dice) + sum(modifier.value for modifier in modifiers)
