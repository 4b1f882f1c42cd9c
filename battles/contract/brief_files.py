"""Read briefs from TOML files, refuse wrong ones by line, and list those that ship."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import Annotated, Any, NamedTuple

import msgspec

from battles.contract.brief import (
    CANNOT_MELEE,
    Bearing,
    Brief,
    BriefGround,
    Nation,
    Party,
    Quality,
    Side,
    Troop,
    TroopKind,
)
from battles.core.decoding import decode, encode
from battles.core.tables import Source
from battles.core.validation import PartialReader, WrongPart

# Read briefs from TOML files, and refuse wrong ones with line and reason.
#
# Troops may be given without numbers and several at a time (`count`); they are numbered in the
# order of the file. A historical battle may give its real result, for comparison.


Positive = Annotated[int, msgspec.Meta(ge=1)]
Natural = Annotated[int, msgspec.Meta(ge=0)]
MOST_TROOPS = 600
"""More units than one hex of the campaign can hold."""


class Rank(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A number of like units as written in a file; `id` is for a single unit.

    `strength` defaults to 1 for units that can fight, and to 0 for leaders, craft and train.
    """

    kind: TroopKind
    nation: Nation
    quality: Quality = Quality.NONE
    strength: Annotated[int, msgspec.Meta(ge=0, le=40)] | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_TROOPS)] = 1
    id: Positive | None = None
    disrupted: bool = False
    name: str = ""
    tactical: Annotated[int, msgspec.Meta(ge=-5, le=5)] = 0


class Host(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One side as written in a file."""

    side: Side
    troops: Annotated[tuple[Rank, ...], msgspec.Meta(min_length=1)]
    orders: str = ""


class HistoricalLosses(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The men present and the men lost, wounded included; `said` where there is no count."""

    men: Positive
    lost: Natural | None = None
    said: str = ""

    @property
    def in_words(self) -> str:
        """Return the share of the men lost, in percent, or what is `said` instead."""
        return self.said if self.lost is None else f"{self.lost / self.men:.0%}"


class History(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The real result of a historical battle."""

    winner: Side
    egyptian: HistoricalLosses
    mahdist: HistoricalLosses

    def toll(self, side: Side) -> HistoricalLosses:
        """Return the numbers and losses of a side."""
        return self.egyptian if side is Side.EGYPTIAN else self.mahdist


class BriefFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    attacker: Host
    defender: Host
    id: Annotated[str, msgspec.Meta(max_length=100)] = ""
    note: str = ""
    ground: BriefGround = BriefGround()
    month: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}-(0[1-9]|1[0-2]))?$")] = ""
    comes_from: Bearing = Bearing.SOUTH
    and_from: tuple[Bearing, ...] = ()
    zariba: bool = False
    sortie: bool = False
    turns: Natural = 0
    history: History | None = None


class WrittenBrief(msgspec.Struct, frozen=True):
    """A brief from a file, with the file's note and history."""

    brief: Brief
    note: str = ""
    history: History | None = None


def read_brief(source: Source) -> WrittenBrief:
    """Return the brief in a TOML file.

    Raises TableError with line, reason and remedy when it is wrong.
    """
    file = source.convert(source.document(), BriefFile)
    for fault in _faults(file):
        raise source.error(*fault)
    numbers = _unused_numbers(file)
    brief = Brief(
        id=file.id or PurePath(source.path).stem,
        title=file.title,
        attacker=_party(file.attacker, numbers),
        defender=_party(file.defender, numbers),
        ground=file.ground,
        month=file.month,
        comes_from=file.comes_from,
        and_from=file.and_from,
        zariba=file.zariba,
        sortie=file.sortie,
        turns=file.turns,
    )
    return WrittenBrief(brief, file.note, file.history)


def faults_of_brief(brief: Brief) -> list[WrongPart]:
    """Return what no file can hold of a brief that comes from elsewhere, by its paths."""
    reader = PartialReader()
    file = reader.read(decode(encode(brief), dict), BriefFile)
    return reader.wrong or list(_faults(file))


def _faults(file: BriefFile) -> Iterator[WrongPart]:
    """Yield what is wrong with the two sides; Egyptians may serve as rebels."""
    if file.attacker.side is file.defender.side:
        reason = f"both parties are {file.defender.side}"
        yield WrongPart("$.defender.side", reason, "let one be egyptian, the other mahdist")
    taken: set[int] = set()
    for where, side, rank in _ranks(file):
        if rank.nation.side is not side and rank.nation is not Nation.EGYPTIAN:
            reason = f"{rank.nation} troops do not serve on the {side} side"
            yield WrongPart(where, reason, "correct `nation`, or move them to the other party")
        if rank.id in taken:
            yield WrongPart(where, f"there is a unit {rank.id} already", "number each but once")
        if rank.id and rank.count > 1:
            reason = f"{rank.count} units share the number {rank.id}"
            yield WrongPart(where, reason, "leave `id` out")
        taken |= {rank.id} if rank.id else set()
    if sum(rank.count for _, _, rank in _ranks(file)) > MOST_TROOPS:
        reason = f"there are more than {MOST_TROOPS} units"
        yield WrongPart("$.attacker", reason, "bring fewer, but stronger")


def _ranks(file: BriefFile) -> Iterator[tuple[str, Side, Rank]]:
    """Yield the units of both sides as written, with their paths and sides."""
    for where, host in (("$.attacker", file.attacker), ("$.defender", file.defender)):
        for place, rank in enumerate(host.troops):
            yield f"{where}.troops[{place}]", host.side, rank


def _unused_numbers(file: BriefFile) -> Iterator[int]:
    """Yield numbers for units without one, skipping those that are given."""
    taken = {rank.id for _, _, rank in _ranks(file)}
    return (number for number in range(1, 10**6) if number not in taken)


def _party(host: Host, numbers: Iterator[int]) -> Party:
    troops = tuple(
        Troop(id=rank.id or next(numbers), **_traits(rank))
        for rank in host.troops
        for _ in range(rank.count)
    )
    return Party(host.side, troops, host.orders)


def _traits(rank: Rank) -> dict[str, Any]:
    traits = msgspec.structs.asdict(rank)
    del traits["id"], traits["count"]
    if rank.strength is None:
        traits["strength"] = int(rank.kind not in CANNOT_MELEE)
    return traits


# The ready battles that ship with the program: those of history and the books' scenarios.


class ReadyBattle(NamedTuple):
    """A battle that ships with the program."""

    slug: str
    written: WrittenBrief

    @property
    def brief(self) -> Brief:
        return self.written.brief

    @property
    def note(self) -> str:
        return self.written.note


@cache
def ready_battles() -> tuple[ReadyBattle, ...]:
    """Return the ready battles in order of date. Raises TableError when a file is damaged."""
    return tuple(sorted(_shipped_battles(), key=lambda battle: (battle.brief.month, battle.slug)))


def find_ready_battle(slug: str) -> ReadyBattle | None:
    """Return the battle of that slug, if there is one."""
    return next((battle for battle in ready_battles() if battle.slug == slug), None)


def _shipped_battles() -> Iterator[ReadyBattle]:
    for file in (files("battles") / "briefs").iterdir():
        slug, _, kind = file.name.rpartition(".")
        if kind == "toml":
            yield ReadyBattle(slug, read_brief(Source(file.name, file.read_text(encoding="utf-8"))))
