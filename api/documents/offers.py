"""Battles that are there to be fought, as documents."""

from collections.abc import Iterator

import msgspec

from api.documents.scalars import MonthName
from battles.contract.registry import books
from battles.offers import offers


class OfferLine(msgspec.Struct, frozen=True):
    """A battle that anybody may have fought, and the books it can be fought by."""

    battle: str
    title: str
    month: MonthName
    note: str
    books: tuple[str, ...]


def offer_lines() -> Iterator[OfferLine]:
    """Every one, in the order of time."""
    known = tuple(books())
    for one in offers():
        yield OfferLine(one.slug, one.brief.title, one.brief.month, one.note, known)
