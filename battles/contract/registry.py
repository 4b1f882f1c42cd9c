"""Which books there are: those of the house, and those a club has installed as packages."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from battles.contract.engine import Engine

GROUP = "sirdar.battles"
"""The entry point group under which a package offers a book of its own."""

OURS = {
    "redcoats": "battles.books.redcoats:engine",
    "restless": "battles.books.restless_natives:engine",
    "fuzzy-wuzzy": "battles.books.fuzzy_wuzzy:engine",
}


class NoSuchBook(LookupError):
    """There is no book of that name; the message names those there are."""


def books() -> tuple[str, ...]:
    """The slugs of all books, ours first."""
    return (*OURS, *sorted(set(_theirs()) - set(OURS)))


@cache
def book(slug: str) -> Engine:
    """The book of that slug. Raises NoSuchBook, for one that cannot be loaded too."""
    where = OURS.get(slug) or _theirs().get(slug)
    if where is None:
        raise NoSuchBook(f"There is no book {slug!r}: choose one of {', '.join(books())}.")
    module, _, name = where.partition(":")
    try:
        found: Engine = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise NoSuchBook(f"The book {slug!r} is there and cannot be loaded: {error}.") from error
    return found


@cache
def _theirs() -> dict[str, str]:
    return {one.name: one.value for one in entry_points(group=GROUP)}
