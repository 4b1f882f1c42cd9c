"""What the pages of a book's rules are made of: its tables, its rulings, its trace."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import msgspec

from battles.core.table_pages import TablePage, table_page
from battles.core.tables import Source, Table
from battles.core.trace import Clause, Ruling
from battles.engines.redcoats.book import book as redcoats

T = TypeVar("T", bound=msgspec.Struct)


class Shelf(NamedTuple):
    """What is printed of one book. Its author, and the package in which it lies."""

    slug: str
    title: str
    author: str
    package: str


class _Rulings(msgspec.Struct, frozen=True):
    ruling: tuple[Ruling, ...] = ()


class _Trace(msgspec.Struct, frozen=True):
    clause: tuple[Clause, ...] = ()


SHELVES = {
    "redcoats": Shelf(
        "redcoats", "Redcoats and Dervishes", "Bob Cordery", "battles.engines.redcoats"
    ),
}
_TABLES = {"redcoats": lambda: tuple(redcoats().tables.values())}


@cache
def tables(slug: str) -> tuple[TablePage, ...]:
    """Every table of the book as it is printed, in its order."""
    return tuple(map(_printed, _TABLES[slug]()))


def extract(slug: str, name: str, columns: Sequence[str]) -> TablePage:
    """These columns of a table of the book. KeyError when it has none of that name."""
    page = {page.id: page for page in tables(slug)}[name]
    kept = [page.columns.index(column) for column in columns]
    rows = (tuple(row[place] for place in kept) for row in page.rows)
    return msgspec.structs.replace(page, columns=tuple(columns), rows=tuple(rows))


@cache
def rulings(slug: str) -> tuple[Ruling, ...]:
    """The rulings on the book by number; nothing while there are none."""
    return _read(slug, "rulings.toml", _Rulings).ruling


@cache
def trace(slug: str) -> tuple[Clause, ...]:
    """Every clause of the book, in its order; nothing while it has none."""
    return _read(slug, "trace.toml", _Trace).clause


def _read(slug: str, name: str, form: type[T]) -> T:
    file = files(SHELVES[slug].package) / name
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    source = Source(name, text)
    return source.convert(source.document(), form)


def _printed(of: Table[Any]) -> TablePage:
    """The table; where the rows are known to the program by a key, without it."""
    page = table_page(of)
    if page.columns[0] != "key":
        return page
    return msgspec.structs.replace(
        page, columns=page.columns[1:], rows=tuple(row[1:] for row in page.rows)
    )
