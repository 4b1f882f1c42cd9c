"""Play sheets: what one wants beside the table, in our own words, and tables of the book."""

from functools import cache
from importlib.resources import files

import msgspec

from battles.core.tables import Source


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some columns of a table."""

    name: str
    columns: tuple[str, ...]


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A heading of the play sheet: lines to read, and tables of the book."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Extract, ...] = ()


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: tuple[Section, ...]


@cache
def sections_of(package: str) -> tuple[Section, ...]:
    """The play sheet that lies in a package, heading by heading. TableError when it is damaged."""
    text = (files(package) / "play_sheet.toml").read_text(encoding="utf-8")
    source = Source("play_sheet.toml", text)
    return source.convert(source.document(), _Sheet).section
