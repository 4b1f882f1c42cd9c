"""The parts of a game: steps, actions, events and outcomes."""

from typing import Annotated, Any

import msgspec

from battles.core.decoding import rest_name


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


class Action(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="do"):
    """An action of a player or commander; each game has its own kinds."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True, tag_field="is"
):
    """A change of state; `rolls` are the indices, within its entry, of the dice that caused it."""

    rolls: Annotated[tuple[int, ...], rest_name("roll_indices")] = msgspec.field(
        default=(), name="by"
    )


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
