"""The chapters of the schema: what belongs together, in the order it is read."""

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import msgspec
from django.urls import reverse

from battles.core.reading import shaped

BOOK = Path(__file__).with_name("chapters.toml")
WEBHOOKS = "Webhooks"


class Chapter(msgspec.Struct, frozen=True):
    """A chapter: what it is about, and the patterns of its addresses."""

    title: str
    about: str
    addresses: tuple[str, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    """All of them, in their order."""
    told = tomllib.loads(BOOK.read_text(encoding="utf-8"))["chapter"]
    return shaped(told, tuple[Chapter, ...])


def chapter_of(path: str) -> str:
    """The title of the chapter an address stands in. Raises ValueError where none has it."""
    place = path.removeprefix(reverse("api:index"))
    fitting = [
        (len(pattern), chapter.title)
        for chapter in chapters()
        for pattern in chapter.addresses
        if fnmatchcase(place, pattern)
    ]
    if not fitting:
        raise ValueError(f"{path} stands in no chapter: put it into {BOOK.name}.")
    return max(fitting)[1]


def contents() -> list[dict[str, str]]:
    """The chapters as the schema lists them."""
    return [{"name": one.title, "description": one.about} for one in chapters()]
