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

import msgspec

from battles.core.dice import Roll
from battles.core.tables import Provenance, Source
from campaign.rules import events as e

_KINDS = frozenset(kind.__name__ for kind in get_args(e.AnyEvent))
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sentence of a clause that says something of its own.

    `at`: where it is carried out, as `module:function` of campaign.rules. `events`: what counts as
    a use of it, as `Kind` or `Kind:cause`. `tests`: tests by name that hold it where no case of
    the case book does.
    """

    letter: str
    says: str
    at: tuple[str, ...]
    source: Provenance | None = None
    rulings: tuple[int, ...] = ()
    events: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    not_yet: bool = False


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A numbered clause of the book; `source` holds for those of its parts that name none."""

    number: str
    title: str
    source: Provenance
    part: tuple[Part, ...]

    @property
    def anchor(self) -> str:
        """The clause as a name for tests and for fragments of pages: `8_23_iv`."""
        return self.number.replace(".", "_").replace(" ", "_").lower()

    @property
    def chapter(self) -> int:
        """The chapter it stands in."""
        return int(self.number.partition(".")[0])

    @property
    def rulings(self) -> tuple[int, ...]:
        """The numbers of the rulings that bear on it."""
        return tuple(sorted({number for part in self.part for number in part.rulings}))

    def name(self, part: Part) -> str:
        """How cases name a part: `8.21 a`."""
        return f"{self.number} {part.letter}"

    def source_of(self, part: Part) -> Provenance:
        """Where a part comes from."""
        return part.source or self.source


class Ruling(msgspec.Struct, frozen=True):
    """A point on which the book is silent or unclear, and how it is decided here."""

    number: int
    clause: str
    text: str


class _Trace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clause: tuple[Clause, ...]


class _Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruling: tuple[Ruling, ...]


@cache
def trace() -> tuple[Clause, ...]:
    """The clauses in the order of the book. TableError with the line when the file is wrong."""
    return read_trace(_file("trace.toml"))


@cache
def rulings() -> tuple[Ruling, ...]:
    """The rulings by number. TableError with the line when their file is wrong."""
    source = _file("rulings.toml")
    return source.convert(source.document(), _Rulings).ruling


def read_trace(source: Source) -> tuple[Clause, ...]:
    """The clauses of a file. TableError for one that names what there is not."""
    clauses = source.convert(source.document(), _Trace).clause
    seen: set[str] = set()
    for place, clause in enumerate(clauses):
        if clause.number in seen:
            reason, remedy = f"clause {clause.number} stands here twice", "join the two"
            raise source.error(f"$.clause[{place}]", reason, remedy)
        seen.add(clause.number)
        for reason, remedy in _amiss(clause):
            raise source.error(f"$.clause[{place}]", reason, remedy)
    return clauses


def parts() -> dict[str, tuple[Clause, Part]]:
    """Every part by its name, such as `8.21 a`."""
    return {clause.name(part): (clause, part) for clause in trace() for part in clause.part}


def clause_of_test(name: str) -> Clause | None:
    """The clause that a test such as `test_8_21_hill_costs_two` holds; None when it names none."""
    named = [clause for clause in trace() if f"{name}_".startswith(f"test_{clause.anchor}_")]
    return max(named, key=lambda clause: len(clause.anchor), default=None)


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


def _amiss(clause: Clause) -> Iterator[tuple[str, str]]:
    known = {ruling.number for ruling in rulings()}
    letters = "".join(part.letter for part in clause.part)
    if letters != _LETTERS[: len(letters)] or not letters:
        yield f"the parts of {clause.number} are lettered {letters!r}", "letter them a, b, c"
    for part in clause.part:
        if bool(part.at) is part.not_yet:
            yield (
                f"{clause.name(part)} is carried out nowhere, or is not there yet and is",
                "give `at`, or `not_yet = true` and no `at`",
            )
        if missing := set(part.rulings) - known:
            yield f"there is no ruling {min(missing)}", "see rulings.toml"
        if strange := {event.partition(":")[0] for event in part.events} - _KINDS:
            yield f"there is no event {min(strange)}", "see events.py"


def _file(name: str) -> Source:
    return Source(name, (files("campaign.rules") / name).read_text(encoding="utf-8"))
