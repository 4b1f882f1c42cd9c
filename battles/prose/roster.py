"""Units in a table, a line each: the field for whoever reads it, and the casualty return.

Play sheets: what one wants beside the table, in our own words, and tables of the book.
"""

from collections import Counter
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import msgspec

from battles.contract import Brief, Fate, Kind, Report, Side, Troop
from battles.core.tables import Source


class RosterLine(NamedTuple):
    """A unit or a leader, wherever he is by now. `came` and `left` count figures."""

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
        """Return figures that are not there any more; of a unit that is destroyed, all."""
        return self.came - self.left


class Returned(NamedTuple):
    """So many units of the campaign alike, as they came, and how they go back."""

    side: Side
    many: int
    name: str
    came: str
    fate: Fate


class Brought(NamedTuple):
    """So many units of the campaign alike, as they were brought to the battle."""

    side: Side
    many: int
    name: str
    disrupted: bool


def order_of_battle(brief: Brief) -> tuple[Brought, ...]:
    """What both sides bring, those alike counted together."""
    counted = Counter(
        (troop.nation.side, troop_name(troop), troop.disrupted) for troop in brief.troops()
    )
    return tuple(Brought(key[0], many, *key[1:]) for key, many in counted.items())


def returned(brief: Brief, report: Report) -> tuple[Returned, ...]:
    """What goes back to whoever has handed the battle over, those alike counted together."""
    counted: Counter[tuple[Side, str, str, Fate]] = Counter()
    for troop in brief.troops():
        came = "disrupted" if troop.disrupted else "good order"
        key = troop.nation.side, troop_name(troop), came, report.fates[troop.id]
        counted[key] += 1
    return tuple(Returned(key[0], many, *key[1:]) for key, many in counted.items())


def troop_name(troop: Troop) -> str:
    """`Egyptian infantry 2R`, `Graham`, `Sussex, British infantry 3V`."""
    if troop.kind is Kind.LEADER and troop.name:
        return troop.name
    value = f"{troop.strength or ''}{troop.quality}"
    what = f"{troop.nation.title()} {troop.kind} {value}".strip()
    return f"{troop.name}, {what}" if troop.name else what


class Extract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some columns of a table."""

    name: str
    columns: tuple[str, ...]


class PlaySheetSection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A heading of the play sheet: lines to read, and tables of the book."""

    title: str
    lines: tuple[str, ...] = ()
    tables: tuple[Extract, ...] = ()


class _Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: tuple[PlaySheetSection, ...]


@cache
def sections_of(package: str) -> tuple[PlaySheetSection, ...]:
    """Return the play sheet that lies in a package, heading by heading.

    TableError when it is damaged.
    """
    text = (files(package) / "play_sheet.toml").read_text(encoding="utf-8")
    source = Source("play_sheet.toml", text)
    return source.convert(source.document(), _Sheet).section
