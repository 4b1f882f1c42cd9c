"""The trace: every clause of the book in our words, with the code and tests that implement it.

trace.toml holds the clauses. Tests show by their names which clause they check (`clause_of_test`);
cases of the case book name a part of a clause. `clause_uses` yields the clauses used in a stretch
of play.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from battles.core import trace as core
from battles.core.dice import Roll
from battles.core.trace import Part, Ruling
from campaign.rules.core import events as e

__all__ = [
    "CampaignClause",
    "Part",
    "Ruling",
    "clause_of_test",
    "clause_uses",
    "parts",
    "read_trace",
    "rulings",
    "trace",
    "uses",
]


class CampaignClause(core.Clause, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A numbered clause of the book."""

    @property
    def chapter(self) -> int:
        """Return the chapter of the clause."""
        return int(self.number.partition(".")[0])


_BOOK = core.Trace("campaign.rules", CampaignClause, e.AnyEvent)
trace, rulings, read_trace = _BOOK.trace, _BOOK.rulings, _BOOK.read
clause_of_test = _BOOK.clause_of_test


@cache
def parts() -> dict[str, tuple[CampaignClause, Part]]:
    """Return every part by its name, such as `8.21 a`."""
    return {clause.name(part): (clause, part) for clause in trace() for part in clause.part}


def clause_uses(events: Iterable[e.AnyEvent], rolls: Sequence[Roll]) -> Iterator[str]:
    """Yield each use of a clause in a stretch of play: by a roll, a modifier, an event, the end.

    Clauses come by number, parts that count events by name.
    """
    for roll in rolls:
        yield roll.clause
        yield from (modifier.clause for modifier in roll.modifiers)
    parts = _parts_by_event()
    for event in events:
        if isinstance(event, e.CampaignEnded):
            yield event.result.clause
        part = parts.get(_with_cause(event)) or parts.get(type(event).__name__)
        if part is not None:
            yield part


def uses(clause: CampaignClause, counts: Counter[str]) -> int:
    """Return how often a clause was applied: by its rolls and modifiers, or by its parts' events.

    The greater number counts, because a roll and an event are often the same use.
    """
    happened = sum(counts[clause.name(part)] for part in clause.part)
    return max(counts[clause.number], happened)


@cache
def _parts_by_event() -> dict[str, str]:
    """Return the part that each kind of event, or each kind and cause, counts for."""
    return {event: name for name, (_, part) in parts().items() for event in part.events}


def _with_cause(event: e.AnyEvent) -> str:
    lost = "lost" if getattr(event, "lost", False) else ""
    return f"{type(event).__name__}:{getattr(event, 'cause', lost)}"
