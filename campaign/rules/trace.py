"""The trace: every clause of the book in our words, where it is carried out, and what holds it.

trace.toml holds the clauses; tests say by their names which clause they hold (`clause_of_test`),
cases of the case book name a part of one. `applied` counts how often a stretch of play has used
each clause.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import get_args

from battles.core import trace as core
from battles.core.dice import Roll
from battles.core.tables import Source
from battles.core.trace import Part, Ruling
from campaign.rules import events as e

__all__ = [
    "Clause",
    "Part",
    "Ruling",
    "applied",
    "clause_of_test",
    "parts",
    "read_trace",
    "rulings",
    "trace",
    "uses",
]

_KINDS = frozenset(kind.__name__ for kind in get_args(e.AnyEvent))


class Clause(core.Clause, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A numbered clause of the book."""

    @property
    def chapter(self) -> int:
        """The chapter it stands in."""
        return int(self.number.partition(".")[0])


@cache
def trace() -> tuple[Clause, ...]:
    """The clauses in the order of the book. TableError with the line when the file is wrong."""
    return read_trace(_file("trace.toml"))


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings by number. TableError with the line when their file is wrong."""
    return core.read_rulings(_file("rulings.toml"))


def read_trace(source: Source) -> tuple[Clause, ...]:
    """The clauses of a file. TableError for one that names what there is not."""
    return core.read_clauses(source, Clause, rulings(), _KINDS)


def parts() -> dict[str, tuple[Clause, Part]]:
    """Every part by its name, such as `8.21 a`."""
    return {clause.name(part): (clause, part) for clause in trace() for part in clause.part}


def clause_of_test(name: str) -> Clause | None:
    """The clause that a test such as `test_8_21_hill_costs_two` holds; None when it names none."""
    return core.clause_of_test(trace(), name)


def applied(events: Iterable[e.AnyEvent], rolls: Sequence[Roll]) -> Iterator[str]:
    """Each use of a clause in a stretch of play: by a throw, a modifier, an event, the end.

    Clauses come by number, parts that count events by name.
    """
    for roll in rolls:
        yield roll.clause
        yield from (modifier.clause for modifier in roll.modifiers)
    counted = _counted()
    for event in events:
        if isinstance(event, e.CampaignEnded):
            yield event.result.clause
        part = counted.get(_with_cause(event)) or counted.get(type(event).__name__)
        if part is not None:
            yield part


def uses(clause: Clause, counted: Counter[str]) -> int:
    """How often a clause was applied: by its throws and modifiers, or by what has happened under
    its parts, whichever is more, for one often tells of the other.
    """
    happened = sum(counted[clause.name(part)] for part in clause.part)
    return max(counted[clause.number], happened)


@cache
def _counted() -> dict[str, str]:
    """The part that each kind of event, or kind and cause, counts for."""
    return {event: name for name, (_, part) in parts().items() for event in part.events}


def _with_cause(event: e.AnyEvent) -> str:
    lost = "lost" if getattr(event, "lost", False) else ""
    return f"{type(event).__name__}:{getattr(event, 'cause', lost)}"


def _file(name: str) -> Source:
    return Source(name, (files("campaign.rules") / name).read_text(encoding="utf-8"))
