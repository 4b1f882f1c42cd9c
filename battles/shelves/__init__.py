"""The books as the pages know them: a module each, named as the package of its engine.

A module has `SHELF`: all that a page needs of a book beyond the engine. A book of a club's own
that has no such module can be fought by; its battles are shown without a field.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from battles.contract import Side
from battles.contract.registry import OURS
from battles.core.tables import Table
from battles.core.trace import Clause, Ruling
from battles.narrator import Narrator, Teller
from battles.prose.play_sheet import Section


class Words(NamedTuple):
    """What the pages of a book call its sides and what is counted, and what they ask about."""

    egyptian: str = "Anglo-Egyptian"
    mahdist: str = "Mahdist"
    figure: str = "figure"
    turn: str = "turn"
    place: str = "Place"
    shaken: str = "disorganised"
    advice: str = ""
    """How to count on a real table what has left it or been driven off it."""

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class Left(NamedTuple):
    """What is left of a unit at the end; of a Leader, `figures` is 1 while he is well."""

    figures: int
    shaken: bool = False


class Ended(NamedTuple):
    """How the battle ended: who won, why it was over, after how many turns."""

    winner: Side | None
    ending: str
    turns: int


class Shelf(NamedTuple):
    """A book whose rules can be read here, and whose battles can be told.

    `end(state, left, ended)` makes of a state drawn up the one at the end, as far as the report
    needs it.
    """

    slug: str
    title: str
    author: str
    words: Words
    teller: Teller
    tables: Callable[[], tuple[Table[Any], ...]]
    trace: Callable[[], tuple[Clause, ...]]
    rulings: Callable[[], tuple[Ruling, ...]]
    sections: Callable[[], tuple[Section, ...]]
    end: Callable[[Any, Mapping[int, Left], Ended], None]

    def narrator(self, state: Any) -> Narrator:
        """Somebody to tell of the battle that begins with this state."""
        return Narrator(state, self.teller)


def has_shelf(slug: str) -> bool:
    """Whether it is one of our books that pages know more of than its engine."""
    return slug in OURS and find_spec(_module(slug)) is not None


@cache
def shelf(slug: str) -> Shelf:
    """The shelf of one of our books. Raises KeyError for any other."""
    found: Shelf = import_module(_module(slug)).SHELF
    return found


def _module(slug: str) -> str:
    engine, _, _ = OURS[slug].partition(":")
    return f"{engine}.pages"


def shelves() -> tuple[Shelf, ...]:
    """The shelves of all our books."""
    return tuple(shelf(slug) for slug in OURS if has_shelf(slug))


def words_of(slug: str) -> Words:
    """The words for battles by a book; plain ones where it is none of ours."""
    return shelf(slug).words if has_shelf(slug) else Words()
