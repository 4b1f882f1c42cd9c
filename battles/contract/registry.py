"""The installed books: each is an entry point, the program's own and a club's alike.

    [project.entry-points."sirdar.battles"]
    hussars = "hussars.book:BOOK"

The value names a `battles.contract.book.Book`, the name is its slug.
"""

import tomllib
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from battles.contract.book import Book, Words
from battles.contract.engine import Engine

GROUP = "sirdar.battles"
"""The entry point group under which a package offers a book."""
PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"

AnyBook = Book[Any, Any, Any]
"""A book whose types of state, action and event the caller does not need to know."""
AnyEngine = Engine[Any, Any, Any]
"""The engine of such a book."""


class NoSuchBook(LookupError):
    """There is no book of that name; the message lists the existing ones."""


def books() -> tuple[str, ...]:
    """Return the slugs of all books, the program's own first."""
    return tuple(book_entry_points())


def book(slug: str) -> AnyBook:
    """Return the book of that slug. Raises NoSuchBook if it is unknown or cannot be loaded."""
    entry_point = book_entry_points().get(slug)
    if entry_point is None:
        raise NoSuchBook(f"There is no book {slug!r}: choose one of {', '.join(books())}.")
    try:
        loaded_book = entry_point.load()
    except (ImportError, AttributeError) as error:
        raise NoSuchBook(f"The book {slug!r} is there and cannot be loaded: {error}.") from error
    if not isinstance(loaded_book, Book) or loaded_book.slug != slug:
        raise NoSuchBook(
            f"{entry_point.value}, which {slug!r} names, is not the book of that name."
        )
    return loaded_book


def every_book() -> tuple[AnyBook, ...]:
    """Return all books that can be loaded, the program's own first."""
    candidates = map(find_book, books())
    return tuple(book for book in candidates if book is not None)


def find_book(slug: str) -> AnyBook | None:
    """Return the book of that slug; None if it is not installed, or for an empty slug."""
    try:
        return book(slug)
    except NoSuchBook:
        return None


def words_of(slug: str) -> Words:
    """Return a book's words; generic ones if it is not installed."""
    book = find_book(slug)
    return Words() if book is None else book.words


@cache
def book_entry_points() -> dict[str, EntryPoint]:
    """Return the entry points of pyproject.toml, then those of other packages, by slug.

    The program runs from its source tree without being installed, so its own entry points are read
    from there.
    """
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    own = project["entry-points"][GROUP]
    installed = {
        entry_point.name: entry_point
        for entry_point in entry_points(group=GROUP)
        if entry_point.name not in own
    }
    return {name: EntryPoint(name, value, GROUP) for name, value in own.items()} | dict(
        sorted(installed.items())
    )
