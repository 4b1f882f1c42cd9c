"""Tables as data: read and check TOML files.

Each table and row names its source. Errors name the file and the line.
"""

import re
import tomllib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from typing import Any, Generic, TypeVar

import msgspec

from battles.core.decoding import convert_to
from battles.core.validation import PartialReader, hidden_characters_in, line_of


class Provenance(StrEnum):
    """The source of a table, or of one of its rows."""

    BOOK = "book"
    TABLES_SHEET = "tables-sheet"
    RULING = "ruling"
    RECONSTRUCTED = "reconstructed"
    UMPIRE = "umpire"


class TableError(Exception):
    """An error in a table: `path` and `line` say where it is, `remedy` what to do.

    `where` is the part of the file, such as `$.row[3].low`, if it is known.
    """

    def __init__(self, path: str, line: int, reason: str, remedy: str, *, where: str = "") -> None:
        super().__init__(f"{path}:{line}: {reason}; {remedy}")
        self.path = path
        self.line = line
        self.reason = reason
        self.remedy = remedy
        self.where = where


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields that any row of any table may have."""

    provenance: Provenance | None = None
    clause: str = ""


class KeyedRow(Row, frozen=True, kw_only=True):
    """A row that is looked up by its key."""

    key: str


class NumberRow(KeyedRow, frozen=True, kw_only=True):
    """A number from the text of the rules, or from a ruling."""

    number: int
    meaning: str


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a table above its rows; each row is converted separately."""

    id: str
    title: str
    clause: str
    provenance: Provenance
    note: str = ""
    row: list[dict[str, Any]]


FORMAT = 1
"""The form of TOML files that this program reads; one without `format` is of form 1."""
MOST_DOTS = 200
"""The most dots a line may have: more than any real name or row of numbers needs."""
T = TypeVar("T")
R = TypeVar("R", bound=Row)


@dataclass(frozen=True)
class Source:
    """The text of a TOML file, and the line of each part of it."""

    path: str
    text: str

    def document(self) -> Mapping[str, Any]:
        """Return the file as nested dicts, for reading only: they are shared.

        Raises TableError with the line when it is not TOML, or of a later format.
        """
        return _document(self)

    def error(self, where: str, reason: str, remedy: str) -> TableError:
        """Return a TableError at the line of a part named like `$.row[3].low`."""
        return TableError(self.path, line_of(self.text, where), reason, remedy, where=where)

    def convert(self, value: object, into: type[T], at: str = "$") -> T:
        """Return `value`, found at the path `at`, as `into`.

        Raises TableError when it does not fit.
        """
        try:
            return convert_to(value, into, str_keys=True)
        except msgspec.ValidationError as error:
            raise self.errors(value, into, at)[0] from error

    def errors(self, value: object, into: Any, at: str = "$") -> list[TableError]:
        """Return a TableError for every part of `value`, found at `at`, that does not fit."""
        reader = PartialReader()
        reader.read(value, into, at)
        return [self.error(*part) for part in reader.wrong]


@lru_cache(maxsize=400)  # the files of a few editions: each edition has most of them unchanged
def _document(source: Source) -> Mapping[str, Any]:
    _check_names(source)
    document = _parse_toml(source)
    _check_format(source, document.get("format"))
    for where, text in _texts(document):
        if hidden := hidden_characters_in(text):
            reason = f"`{where}` contains the invisible character {hidden}"
            raise source.error(where, reason, "write it without")
    return document


def _check_names(source: Source) -> None:
    """Raise TableError for a key of very many parts: parsing it takes quadratic time."""
    for number, line in enumerate(source.text.splitlines(), 1):
        if line.count(".") > MOST_DOTS:
            reason = f"this line has more than {MOST_DOTS} dots"
            raise TableError(source.path, number, reason, "split it up")


def _check_format(source: Source, number: object) -> None:
    """Raise TableError for a file of a later format, before its new fields are taken for faults."""
    if isinstance(number, int) and number > FORMAT:
        raise source.error(
            "$.format",
            f"the file is of format {number}, and this program reads formats up to {FORMAT}",
            "bring the program up to date",
        )


def _parse_toml(source: Source) -> dict[str, Any]:
    path, text = source.path, source.text
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line, reason = _syntax(str(error), text)
        raise TableError(
            path, line, f"this is not TOML: {reason}", "correct the line or the one above"
        ) from error
    except (ValueError, RecursionError) as error:
        lines = text.splitlines()
        line = 1 + max(range(len(lines)), key=lambda place: len(lines[place]))
        raise TableError(
            path, line, "this is larger or deeper than it can be read", "make it shorter"
        ) from error


def _texts(value: Any, at: str = "$") -> Iterator[tuple[str, str]]:
    """Yield the path and text of every key and string of a document."""
    if isinstance(value, str):
        yield at, value
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from _texts(part, f"{at}[{place}]")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield at, key
            yield from _texts(part, f"{at}.{key}")


@dataclass(frozen=True)
class Table(Generic[R]):
    """One table: its source and its rows in order."""

    id: str
    title: str
    clause: str
    provenance: Provenance
    note: str
    rows: tuple[R, ...]
    source: Source

    def error(self, row: int, reason: str, remedy: str) -> TableError:
        """Return a TableError at a row, counted from 0."""
        return self.source.error(f"$.row[{row}]", reason, remedy)


def read_table(source: Source, row: type[R]) -> Table[R]:
    """Return the table in a TOML file, its rows typed.

    Raises TableError with the line when it is wrong.
    """
    heading = source.convert(source.document(), Heading)
    if not heading.title.strip():
        raise source.error("$.title", "the table has no title", "write one")
    if not heading.row:
        raise source.error("$", "the table has no rows", "write each as [[row]]")
    rows = tuple(source.convert(raw, row, f"$.row[{n}]") for n, raw in enumerate(heading.row))
    return Table(
        heading.id, heading.title, heading.clause, heading.provenance, heading.note, rows, source
    )


def digest(sources: Mapping[str, Source]) -> str:
    """Return the SHA-256, in hex, of the values in these files, not of comments or layout."""
    documents = {name: sources[name].document() for name in sorted(sources)}
    return sha256(msgspec.json.encode(documents, order="deterministic")).hexdigest()


Span = tuple[int | None, int | None]


def check_steps(table: Table[R], span: Callable[[R], Span]) -> None:
    """Check that rows run on without gap or overlap, from "or less" to "or more"."""
    spans = [span(row) for row in table.rows]
    for place, (low, high) in enumerate(spans):
        _check_open(table, place, (low, high))
        if low is not None and high is not None and low > high:
            raise table.error(place, f"the row runs from {low} to {high}", "put the lower first")
        before = spans[place - 1][1] if place else None
        if before is not None and low is not None:
            _check_joins(table, place, before, low)


def _check_open(table: Table[R], place: int, span: Span) -> None:
    first, last = place == 0, place == len(table.rows) - 1
    if first != (span[0] is None):
        reason = "rolls below the first row have no result" if first else "`low` is missing"
        remedy = "leave `low` out of the first row, which then reads ‘or less’, and of no other"
        raise table.error(place, reason, remedy)
    if last != (span[1] is None):
        reason = "rolls above the last row have no result" if last else "`high` is missing"
        remedy = "leave `high` out of the last row, which then reads ‘or more’, and of no other"
        raise table.error(place, reason, remedy)


def _check_joins(table: Table[R], place: int, before: int, low: int) -> None:
    if low > before + 1:
        raise table.error(
            place,
            f"nothing covers {run_of(before + 1, low - 1)}",
            f"let the row begin at {before + 1} or add one before it",
        )
    if low <= before:
        raise table.error(
            place,
            f"{low} is covered by this row and by the one before",
            f"let the row begin at {before + 1}",
        )


def check_cover(
    table: Table[R], spans: Sequence[tuple[int, int, int]], results: Sequence[int]
) -> None:
    """Check that spans (row, low, high) cover each wanted result once, and no other."""
    missing = set(results) - check_spans(table, spans, results)
    if missing:
        raise uncovered_results_error(table, spans, sorted(missing))


def uncovered_results_error(
    table: Table[R], spans: Sequence[tuple[int, int, int]], missing: Sequence[int]
) -> TableError:
    """Return the error for results that no row covers, at the last row before the first of them."""
    after = max((row for row, low, _ in spans if low < missing[0]), default=0)
    return table.error(
        after, f"nothing covers {', '.join(map(str, missing))}", "add a row or widen one"
    )


def check_spans(
    table: Table[R], spans: Sequence[tuple[int, int, int]], results: Sequence[int]
) -> set[int]:
    """Return the results that spans (row, low, high) cover.

    Raises TableError for a result covered twice, and for one that is not wanted.
    """
    for fault in span_faults(table, spans, results):
        raise fault
    return {result for _, low, high in spans for result in results if low <= result <= high}


def span_faults(
    table: Table[R], spans: Sequence[tuple[int, int, int]], results: Sequence[int]
) -> Iterator[TableError]:
    """Yield an error for each span that is none of these results, or covers one again."""
    owner: dict[int, int] = {}
    for row, low, high in spans:
        if low not in results or high not in results or low > high:
            reason = f"{low} to {high} is no run of results of these dice"
            remedy = f"give results from {results[0]} to {results[-1]}, the lower first"
            yield table.error(row, reason, remedy)
            continue
        covered = [result for result in results if low <= result <= high]
        again = next((result for result in covered if result in owner), None)
        if again is not None:
            reason = f"{again} is covered twice, here and in row {owner[again] + 1}"
            yield table.error(row, reason, "let each result stand in one row")
        owner |= dict.fromkeys((result for result in covered if result not in owner), row)


def check_keys(
    table: Table[R], key: Callable[[R], Hashable], required: Iterable[Hashable] = ()
) -> None:
    """Check that all keys differ and that every wanted key has a row."""
    first_rows: dict[Hashable, int] = {}
    for place, row in enumerate(table.rows):
        name = key(row)
        if name in first_rows:
            raise table.error(
                place,
                f"{_row_name(name)} has a row already, row {first_rows[name] + 1}",
                "keep one of the two",
            )
        first_rows[name] = place
    for name in required:
        if name not in first_rows:
            raise table.source.error("$", f"{_row_name(name)} has no row", "add one")


def _row_name(key: Hashable) -> str:
    parts = key if isinstance(key, tuple) else (key,)
    return " ".join(str(part) for part in parts if part) or "the row without a name"


def run_of(low: int, high: int) -> str:
    """Return a run of results in words: `4`, `2 to 5`."""
    return str(low) if low == high else f"{low} to {high}"


def _syntax(message: str, text: str) -> tuple[int, str]:
    """Return the line (by default the file's last) and reason in a parser's message."""
    reason, _, where = message.partition(" (at ")
    line_number = re.search(r"line (\d+)", where)
    line = int(line_number[1]) if line_number else text.count("\n") + 1
    return line, reason[:1].lower() + reason[1:]
