"""Battles that anybody may have fought: those of history, and the scenarios of a book."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from battles.contract import Brief
from battles.core.tables import Source
from battles.written_briefs import Written, read_brief


class Offer(NamedTuple):
    """A battle that is there to be fought."""

    slug: str
    written: Written

    @property
    def brief(self) -> Brief:
        return self.written.brief

    @property
    def note(self) -> str:
        return self.written.note


@cache
def offers() -> tuple[Offer, ...]:
    """Every battle of history, in the order of time. TableError when a file is damaged."""
    return tuple(sorted(_offers(), key=lambda one: (one.brief.month, one.slug)))


def offer(slug: str) -> Offer | None:
    """The battle of that name, if there is one."""
    return next((one for one in offers() if one.slug == slug), None)


def _offers() -> Iterator[Offer]:
    for file in (files("battles") / "briefs").iterdir():
        slug, _, kind = file.name.rpartition(".")
        if kind == "toml":
            yield Offer(slug, read_brief(Source(file.name, file.read_text(encoding="utf-8"))))
