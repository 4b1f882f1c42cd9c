"""The trace of a book: its clauses in our words, the code of each, and the tests of each.

A book keeps its clauses in one TOML file and its rulings in another. The name of a test begins with
the clause it tests.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property
from importlib.resources import files
from typing import Any, Generic, TypeVar, get_args

import msgspec

from battles.core.tables import Provenance, Source

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sentence of a clause that makes a rule of its own.

    `at`: the code that carries it out, as `module:name` of the book's package. `events`: the
    events that count as a use of it, as `Kind` or `Kind:cause`. `tests`: the names of tests that
    cover it where the clause has none.
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
    """A clause of a book; `source` holds for each part that has none of its own."""

    number: str
    title: str
    source: Provenance
    part: tuple[Part, ...]

    @property
    def anchor(self) -> str:
        """Return the clause as it appears in test names and page fragments: `8_23_iv`."""
        return "_".join(self.number.replace(".", " ").replace("-", " ").split()).lower()

    @property
    def rulings(self) -> tuple[int, ...]:
        """Return the numbers of the rulings on this clause."""
        return tuple(sorted({number for part in self.part for number in part.rulings}))

    def name(self, part: Part) -> str:
        """Return the name of a part: `8.21 a`."""
        return f"{self.number} {part.letter}"

    def source_of(self, part: Part) -> Provenance:
        """Return the source of a part."""
        return part.source or self.source


class Paragraph(Clause, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A paragraph of a book whose clauses are named by chapter and paragraph: "Charging 10"."""

    @property
    def chapter(self) -> str:
        """Return the chapter of the paragraph."""
        return self.number.rpartition(" ")[0]


C = TypeVar("C", bound=Clause)


class Ruling(msgspec.Struct, frozen=True):
    """A decision of ours on a point where the book is silent or unclear."""

    number: int
    clause: str
    text: str


class _Trace(msgspec.Struct, Generic[C], frozen=True, forbid_unknown_fields=True):
    clause: tuple[C, ...]


class _Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ruling: tuple[Ruling, ...]


class Trace(Generic[C]):
    """The trace of a book, read from trace.toml and rulings.toml of its package on first use.

    `events`: the union of the book's events.
    """

    def __init__(self, package: str, form: type[C], events: Any) -> None:
        self.package = package
        self._form = form
        self._kinds = frozenset(kind.__name__ for kind in get_args(events))

    def trace(self) -> tuple[C, ...]:
        """Return the clauses in the order of the book.

        Raises TableError with the line when the file is wrong.
        """
        return self._clauses

    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings by number.

        Raises TableError with the line when their file is wrong.
        """
        return self._rulings

    def read(self, source: Source) -> tuple[C, ...]:
        """Return the clauses of another file. Raises TableError for unknown rulings or events."""
        return read_clauses(source, self._form, self.rulings(), self._kinds)

    def clause_of_test(self, name: str) -> C | None:
        """Return the clause that a test such as `test_charging_10_...` names, or None."""
        return clause_of_test(self._by_anchor, name)

    @cached_property
    def _by_anchor(self) -> dict[str, C]:
        return by_anchor(self._clauses)

    @cached_property
    def _clauses(self) -> tuple[C, ...]:
        return self.read(self._file("trace.toml"))

    @cached_property
    def _rulings(self) -> tuple[Ruling, ...]:
        source = self._file("rulings.toml")
        return source.convert(source.document(), _Rulings).ruling

    def _file(self, name: str) -> Source:
        return Source(name, (files(self.package) / name).read_text(encoding="utf-8"))


def read_clauses(
    source: Source, form: type[C], rulings: Iterable[Ruling], events: Set[str]
) -> tuple[C, ...]:
    """Return the clauses of a file in its order.

    Raises TableError with the line for a doubled clause, wrong letters, and unknown rulings or
    events.
    """
    trace: _Trace[C] = source.convert(source.document(), _Trace[form])  # type: ignore[valid-type]
    ruling_numbers = {ruling.number for ruling in rulings}
    names: set[str] = set()
    for place, clause in enumerate(trace.clause):
        if clause.number in names:
            reason, remedy = f"clause {clause.number} stands here twice", "join the two"
            raise source.error(f"$.clause[{place}]", reason, remedy)
        names.add(clause.number)
        for reason, remedy in _clause_faults(clause, ruling_numbers, events):
            raise source.error(f"$.clause[{place}]", reason, remedy)
    return trace.clause


def by_anchor(clauses: Iterable[C]) -> dict[str, C]:
    """Return the clauses by the anchors that begin the names of their tests."""
    return {clause.anchor: clause for clause in clauses}


def clause_of_test(clauses: Mapping[str, C], name: str) -> C | None:
    """Return the clause that a test such as `test_8_21_hill_costs_two` holds; None if it has none.

    `clauses` are by anchor. The longest anchor that the name begins with counts.
    """
    test, *words = name.split("_")
    anchors = ("_".join(words[:count]) for count in range(len(words), 0, -1))
    matches = (clauses[anchor] for anchor in anchors if anchor in clauses)
    return next(matches, None) if test == "test" else None


def _clause_faults(
    clause: Clause, rulings: Set[int], events: Set[str]
) -> Iterator[tuple[str, str]]:
    letters = "".join(part.letter for part in clause.part)
    if letters != _LETTERS[: len(letters)] or not letters:
        yield f"the parts of {clause.number} are lettered {letters!r}", "letter them a, b, c"
    for part in clause.part:
        if bool(part.at) is part.not_yet:
            yield (
                f"{clause.name(part)} is carried out nowhere, or is not there yet and is",
                "give `at`, or `not_yet = true` and no `at`",
            )
        if missing := set(part.rulings) - rulings:
            yield f"there is no ruling {min(missing)}", "see rulings.toml"
        if strange := {event.partition(":")[0] for event in part.events} - events:
            yield f"there is no event {min(strange)}", "see events.py"
