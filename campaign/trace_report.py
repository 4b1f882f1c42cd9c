"""Join the trace of the rules with its cases and tests, for its page and docs/rules/trace.md."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from campaign.rules.casebook import Case, cases
from campaign.rules.trace import CampaignClause, Part, clause_of_test, trace

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "rules" / "trace.md"
TESTS = ROOT / "tests" / "rules"
CHAPTERS = {
    1: "The pieces",
    2: "Setting up",
    3: "Reinforcements and railways",
    4: "How to win",
    5: "The turn",
    6: "Stacking",
    7: "Leaders",
    8: "Marching",
    9: "Combat and sieges",
    10: "Supply and attrition",
}
_PREAMBLE = (
    "Written by `manage.py trace --write` from campaign/rules/trace.toml; change that file.",
    "Chapters 1 to 10 of the book in our words, sentence by sentence: where each is carried out",
    "(modules of `campaign.rules`), the cases of the [case book](casebook.md) that show it, and",
    "the tests that name it. A part comes from the book unless it says otherwise; numbered rulings",
    "stand in campaign/rules/rulings.toml.",
)
_TEST = re.compile(r"^def (test_\w+)\(", re.MULTILINE)


class TracedPart(NamedTuple):
    """A part of a clause with the cases that show it."""

    name: str
    part: Part
    source: str
    cases: tuple[Case, ...]


class TracedClause(NamedTuple):
    """A clause with its parts, and the tests that name it, by module."""

    clause: CampaignClause
    parts: tuple[TracedPart, ...]
    tests: dict[str, tuple[str, ...]]

    @property
    def held(self) -> int:
        """Return the number of tests that name the clause."""
        return sum(map(len, self.tests.values()))


class TraceChapter(NamedTuple):
    """The clauses of a chapter of the book."""

    number: int
    title: str
    clauses: tuple[TracedClause, ...]


@cache
def chapters() -> tuple[TraceChapter, ...]:
    """Return the whole trace, chapter by chapter.

    The tests are missing where they are not installed.
    """
    return tuple(
        TraceChapter(
            number,
            title,
            tuple(_trace_clause(clause) for clause in trace() if clause.chapter == number),
        )
        for number, title in CHAPTERS.items()
    )


def document() -> str:
    """Return the text of docs/rules/trace.md."""
    return "\n".join(_lines()) + "\n"


def _trace_clause(clause: CampaignClause) -> TracedClause:
    parts = tuple(_part(clause, part) for part in clause.part)
    return TracedClause(clause, parts, tests_by_clause().get(clause.number, {}))


def _part(clause: CampaignClause, part: Part) -> TracedPart:
    name = clause.name(part)
    shown = tuple(case for case in cases() if case.clause == name)
    return TracedPart(name, part, clause.source_of(part), shown)


@cache
def tests_by_clause() -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the tests that name each clause, by its number and then by module."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for module, names in tests_on_disk().items():
        for name in names:
            if clause := clause_of_test(name):
                of_clause = found.setdefault(clause.number, {})
                of_clause[module] = (*of_clause.get(module, ()), name)
    return found


@cache
def tests_on_disk() -> dict[str, tuple[str, ...]]:
    """Return the tests of the rules by module; nothing where they are not installed."""
    return {
        path.stem: tuple(_TEST.findall(path.read_text(encoding="utf-8")))
        for path in sorted(TESTS.glob("test_*.py"))
    }


def _lines() -> Iterator[str]:
    yield "# Every clause, and where it is"
    yield ""
    yield from _PREAMBLE
    for chapter in chapters():
        yield ""
        yield f"## {chapter.number} {chapter.title}"
        for traced in chapter.clauses:
            yield from _clause(traced)


def _clause(traced: TracedClause) -> Iterator[str]:
    yield ""
    yield f"### {traced.clause.number} {traced.clause.title}"
    yield ""
    for line in traced.parts:
        yield f"- **{line.part.letter}** {line.part.says}{_origin(line)}"
        yield f"  {_place(line)}"
    if traced.tests:
        modules = ", ".join(f"`{module}`" for module in traced.tests)
        yield ""
        yield f"Tests `test_{traced.clause.anchor}_…` in {modules}."


def _origin(line: TracedPart) -> str:
    marks = [f"ruling {number}" for number in line.part.rulings]
    if line.source not in ("book", "ruling"):
        marks.insert(0, line.source)
    return f" ({', '.join(marks)})" if marks else ""


def _place(line: TracedPart) -> str:
    if line.part.not_yet:
        return "Not there yet."
    code = ", ".join(f"`{place}`" for place in line.part.at)
    numbers = ", ".join(case.number for case in line.cases)
    return f"{code}; cases {numbers}." if numbers else f"{code}."
