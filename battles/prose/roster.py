"""Units in tables: the roster of a field, the casualty return and the play sheets."""

from collections import Counter
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from battles.contract import Brief, Fate, Report, Side, Troop, TroopKind
from battles.core.tables import Source


class RosterLine(NamedTuple):
    """A unit or a leader, on the field or off it. `came` and `left` count figures."""

    number: int
    side: Side
    name: str
    what: str
    where: str
    facing: str
    formation: str
    came: int
    left: int
    state: str
    fate: str

    @property
    def lost(self) -> int:
        """Return the figures lost; all of a destroyed unit."""
        return self.came - self.left


class Returned(NamedTuple):
    """Equal units of the campaign, as they came to the battle and as they go back."""

    side: Side
    many: int
    name: str
    came: str
    fate: Fate


class Brought(NamedTuple):
    """Equal units of the campaign, as they were brought to the battle."""

    side: Side
    many: int
    name: str
    disrupted: bool


def order_of_battle(brief: Brief) -> tuple[Brought, ...]:
    """Return both sides' units, equal ones counted together."""
    counted = Counter(
        (troop.nation.side, troop_name(troop), troop.disrupted) for troop in brief.troops()
    )
    return tuple(Brought(key[0], many, *key[1:]) for key, many in counted.items())


def returned(brief: Brief, report: Report) -> tuple[Returned, ...]:
    """Return the units that go back to the campaign, equal ones counted together."""
    counted: Counter[tuple[Side, str, str, Fate]] = Counter()
    for troop in brief.troops():
        came = "disrupted" if troop.disrupted else "good order"
        key = troop.nation.side, troop_name(troop), came, report.fates[troop.id]
        counted[key] += 1
    return tuple(Returned(key[0], many, *key[1:]) for key, many in counted.items())


def troop_name(troop: Troop) -> str:
    """Return a troop's name: `Egyptian infantry 2R`, `Graham`, `Sussex, British infantry 3V`."""
    if troop.kind is TroopKind.LEADER and troop.name:
        return troop.name
    value = f"{troop.strength or ''}{troop.quality}"
    what = f"{troop.nation.title()} {troop.kind} {value}".strip()
    return f"{troop.name}, {what}" if troop.name else what


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some columns of a table."""

    name: str
    columns: tuple[str, ...]


class PlaySheetSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section of the play sheet: lines to read, and tables of the book."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Extract, ...] = ()


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: tuple[PlaySheetSection, ...]
    term: tuple["BookTerm", ...] = ()


class BookTerm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of a book, and what it means."""

    word: str
    means: str

    @property
    def slug(self) -> str:
        """Return the word as the end of an anchor."""
        return self.word.lower().replace(" ", "-")


@cache
def terms_of(package: str) -> tuple[BookTerm, ...]:
    """Return the terms of a package's play sheet, in the order of the alphabet.

    Raises TableError when the file is damaged.
    """
    return tuple(sorted(_sheet(package).term, key=lambda one: one.slug))


@cache
def sections_of(package: str) -> tuple[PlaySheetSection, ...]:
    """Return the sections of a package's play sheet.

    Raises TableError when the file is damaged.
    """
    return _sheet(package).section


def _sheet(package: str) -> "_Sheet":
    text = (files(package) / "play_sheet.toml").read_text(encoding="utf-8")
    source = Source("play_sheet.toml", text)
    return source.convert(source.document(), _Sheet)
