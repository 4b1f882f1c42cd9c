"""The parts of a game (steps, actions, events, outcomes) and the ledger that changes its state."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Generic, Protocol, TypeVar

import msgspec

from battles.core.decoding import rest_name
from battles.core.dice import Dice, DiceWanted, Modifier, Roll

# The parts of a game: steps, actions, events and outcomes.


class IllegalAction(Exception):
    """An action the rules do not allow; nothing has changed.

    `clause` forbids it, `reason` explains why, and `remedy` says what to do instead.
    """

    def __init__(self, clause: str, reason: str, remedy: str = "") -> None:
        super().__init__(reason if not remedy else f"{reason} {remedy}")
        self.clause = clause
        self.reason = reason
        self.remedy = remedy


class Step(msgspec.Struct, frozen=True, array_like=True):
    """A named step of the sequence of play that is still to come, with its arguments.

    An argument is a word, a number, or a row of these.
    """

    name: str
    args: tuple[str | int | tuple[str | int, ...], ...] = ()


class Action(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="type"):
    """An action of a player or commander; each game has its own kinds."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True, tag_field="type"
):
    """A change of state; `rolls` are the indices, within its entry, of the dice that caused it."""

    rolls: Annotated[tuple[int, ...], rest_name("roll_indices")] = ()


class AgendaRecorded(Event, frozen=True):
    """The event that closes every entry: the agenda and the open question after it.

    Each game narrows `question` to its own kinds in a subclass of this name.
    """

    agenda: tuple[Step, ...] = ()
    question: Any = None


class Outcome(msgspec.Struct, frozen=True):
    """The outcome of one action: its events in order, and every roll."""

    events: tuple[Any, ...]
    rolls: tuple[Any, ...]


# The ledger: a state being changed, and the four methods by which chapters change it.
#
# `emit` applies an event, `roll` throws dice and records them, `then` puts steps on the agenda,
# and `ask` stops until a question is answered. Chapters never assign to the state.


class Playable(Protocol):
    """The fields that every state of play has: the agenda and the open question."""

    agenda: list[Step]
    question: Any


S = TypeVar("S", bound=Playable)
Evolve = Callable[[S, Any], None]


class Ledger(Generic[S]):
    """One action being carried out on a state that the caller owns."""

    def __init__(self, state: S, dice: Dice, evolve: Evolve[S]) -> None:
        self.state = state
        self.events: list[Event] = []
        self.rolls: list[Roll] = []
        self._dice = dice
        self._evolve = evolve
        self._cited = 0

    def emit(self, event: Event) -> None:
        """Apply the event and record it, with the rolls since the last event as its cause."""
        if self._cited < len(self.rolls):
            event = msgspec.structs.replace(event, rolls=tuple(range(self._cited, len(self.rolls))))
            self._cited = len(self.rolls)
        self._evolve(self.state, event)
        self.events.append(event)

    def throw(self, count: int, sides: int = 6) -> tuple[int, ...]:
        """Return bare dice. The caller must `keep` the record."""
        return self._dice.throw(count, sides)

    def roll(self, record: Roll) -> Roll:
        """Throw the dice that `record` describes and return the completed record.

        `record.dice` is a tuple as long as the number of dice to throw; its values are ignored.
        """
        dice = self._thrown(record)
        return self.keep(
            msgspec.structs.replace(record, dice=dice, total=total(dice, record.modifiers))
        )

    def _thrown(self, record: Roll) -> tuple[int, ...]:
        """Return the dice of a record; DiceWanted carries the record's reason and clause."""
        try:
            return self.throw(len(record.dice), record.sides)
        except DiceWanted as error:
            error.reason, error.clause = record.reason, record.clause
            raise

    def keep(self, record: Roll) -> Roll:
        """Add the record of a roll to the journal and return it."""
        self.rolls.append(record)
        return record

    def amend(self, record: Roll, **changes: Any) -> Roll:
        """Replace fields of the last record kept, such as the table's result, and return it."""
        amended = msgspec.structs.replace(record, **changes)
        self.rolls[-1] = amended
        return amended

    def then(self, *steps: Step) -> None:
        """Put these steps on the agenda before all others."""
        self.state.agenda[:0] = steps

    def ask(self, question: Any) -> None:
        """Stop play until the question is answered."""
        self.state.question = question

    def answered(self) -> None:
        """Close the open question, so that the agenda goes on."""
        self.state.question = None

    def advance(self, steps: Mapping[str, Callable[..., None]]) -> None:
        """Carry out the agenda until a question is open or no step is left."""
        state = self.state
        while state.question is None and state.agenda:
            step = state.agenda.pop(0)
            steps[step.name](self, *step.args)

    def recorded(self, kind: type[AgendaRecorded]) -> Outcome:
        """Return the outcome, closed by an event of that kind that holds agenda and question."""
        state = self.state
        return self.outcome(kind(agenda=tuple(state.agenda), question=state.question))

    def outcome(self, closing: Event) -> Outcome:
        """Return the outcome, closed by that event."""
        self.emit(closing)
        return Outcome(tuple(self.events), tuple(self.rolls))


def record_agenda(state: Playable, event: AgendaRecorded) -> None:
    """Set the agenda and the open question to those recorded; every game uses this handler."""
    state.agenda = list(event.agenda)
    state.question = event.question


def total(dice: tuple[int, ...], modifiers: tuple[Modifier, ...]) -> int:
    """Return the sum of the dice and the modifiers."""
    return sum(dice) + sum(modifier.value for modifier in modifiers)
