"""The parts of a game: steps, actions, events, and the outcome of an action."""

from typing import Any

import msgspec


class IllegalAction(Exception):
    """An action the rules do not allow; nothing has changed.

    `clause` forbids it, `reason` says why here, `remedy` what to do instead.
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
    """What somebody asks the game to do; every game has its own kinds."""


class Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True, tag_field="is"
):
    """What has happened; `rolls` are the indices, within its entry, of the dice behind it."""

    rolls: tuple[int, ...] = msgspec.field(default=(), name="by")


class AgendaRecorded(Event, frozen=True):
    """The end of every entry: the agenda and the open question after it.

    Every game narrows `question` to its own kinds in a subclass of this name.
    """

    agenda: tuple[Step, ...] = ()
    question: Any = None


class Outcome(msgspec.Struct, frozen=True):
    """What one action led to: the events in order and every throw of the dice."""

    events: tuple[Any, ...]
    rolls: tuple[Any, ...]
