"""Group campaign units into a book's units, and turn a book's losses into campaign fates."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib.resources import files
from itertools import groupby
from typing import Annotated, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from battles.contract.brief import (
    CANNOT_MELEE,
    RIVER_CRAFT,
    UNCOUNTED,
    Brief,
    BriefGround,
    Nation,
    Party,
    Quality,
    Side,
    Troop,
    TroopKind,
)
from battles.contract.report import Fate
from battles.core.tables import Row, Source, read_table

Size = Callable[[Troop], int]
"""The strength points of a full body of such troops."""


class Sort(NamedTuple):
    """The traits by which units are grouped; losses carry over between bodies of one sort."""

    nation: Nation
    kind: TroopKind
    quality: Quality


class Body(NamedTuple):
    """Campaign units that form one unit of a book; all of them are disrupted, or none.

    `full` is the strength of a full body, in strength points.
    """

    sort: Sort
    members: tuple[Troop, ...]
    full: int

    @property
    def strength(self) -> int:
        """Return the strength points; a unit without any (a camel, a supply unit) counts as one."""
        return sum(map(weight, self.members))

    @property
    def disrupted(self) -> bool:
        """Return whether these units came to the battle disrupted."""
        return self.members[0].disrupted


class Aftermath(NamedTuple):
    """The end of a body: the share of its figures lost, and whether it is unfit.

    `shaken` covers a book's own terms: disorganised, in retreat, routed, off the field.
    """

    lost: Fraction
    shaken: bool = False


def muster(troops: Iterable[Troop], size: Size) -> tuple[Body, ...]:
    """Return the troops grouped by sort into bodies of up to `size` strength points.

    Disrupted troops form bodies of their own; remainders stay small, and a unit stronger than a
    full body forms one alone. Raises ValueError when a full body would have no strength.
    """
    ranked = sorted(troops, key=_rank)
    return tuple(
        body for _, alike in groupby(ranked, key=_fellows) for body in _bodies(list(alike), size)
    )


def share_out(ends: Sequence[tuple[Body, Aftermath]]) -> dict[int, Fate]:
    """Return the fate of every member of the bodies (9.7).

    A body that lost the share x of its figures owes x of its strength. Whole units pay, the weakest
    first; a remainder smaller than any unit carries over to the next body of the sort. The
    survivors of a body that is shaken or has lost more than half are disrupted, or eliminated if
    they were disrupted before. Raises ValueError for a share below 0 or above 1.
    """
    dead = {number for alike in _by_sort(ends) for number in _pay_losses(alike)}
    return {
        member.id: Fate.ELIMINATED if member.id in dead else _fate_of_survivor(member, after)
        for body, after in ends
        for member in body.members
    }


def beaten(party: Party, fates: Mapping[int, Fate]) -> bool:
    """Return whether half its units or more, leaders and craft aside, are unfit or gone (9.8)."""
    unfit, all_of_them = count_unfit(party, fates)
    return 2 * unfit >= all_of_them


def count_unfit(party: Party, fates: Mapping[int, Fate]) -> tuple[int, int]:
    """Return how many units are disrupted or gone, of how many, leaders and craft aside (9.8)."""
    troop_ids = [troop.id for troop in party.troops if troop.kind not in UNCOUNTED]
    return sum(fates[number] is not Fate.GOOD for number in troop_ids), len(troop_ids)


def wiped_out(party: Party, fates: Mapping[int, Fate]) -> bool:
    """Return whether only leaders and craft are left; never for a party of nothing else."""
    troop_ids = [troop.id for troop in party.troops if troop.kind not in UNCOUNTED]
    return bool(troop_ids) and all(fates[number] is Fate.ELIMINATED for number in troop_ids)


def can_fight(party: Party, fates: Mapping[int, Fate]) -> bool:
    """Return whether a unit is left that can go into melee: a side without one cannot win (9.4)."""
    men = [troop.id for troop in party.troops if troop.kind not in CANNOT_MELEE]
    return any(fates[number] is not Fate.ELIMINATED for number in men)


def winner_by_losses(
    brief: Brief, fates: Mapping[int, Fate], losers: Sequence[Side]
) -> Side | None:
    """Return the last side left, or the enemy of the only loser, if it can still fight (9.8)."""
    standing = [side for side in Side if not wiped_out(brief.party(side), fates)]
    winner = standing[0] if len(standing) == 1 else None
    if winner is None and len(losers) == 1:
        winner = losers[0].enemy
    return winner if winner is not None and can_fight(brief.party(winner), fates) else None


def explain_winner(
    brief: Brief, fates: Mapping[int, Fate], winner: Side | None, by_the_book: Side | None
) -> str:
    """Return why losses made another side win than the book's, or nobody; "" if they did not."""
    if winner is by_the_book:
        return ""
    if winner is not None:
        if wiped_out(brief.party(winner.enemy), fates):
            return "The losers have no unit left."
        return "Of the losers alone half the units or more are lost or disrupted."
    if by_the_book is not None and beaten(brief.party(by_the_book), fates):
        return "But half the units or more of the other side are lost or disrupted too."
    if not any(beaten(brief.party(side), fates) for side in Side):
        return "But neither side has half its units or more lost or disrupted: nobody has won."
    return "But the other side has nobody left who can hold the field."


def weight(troop: Troop) -> int:
    """Return the strength points a unit counts as, at least one."""
    return max(1, troop.strength)


def sort_of(troop: Troop) -> Sort:
    """Return the sort of a unit."""
    return Sort(troop.nation, troop.kind, troop.quality)


def _fellows(troop: Troop) -> tuple[Sort, bool]:
    return sort_of(troop), troop.disrupted


def _rank(troop: Troop) -> tuple[Sort, bool, int, int]:
    return sort_of(troop), troop.disrupted, -weight(troop), troop.id


def _bodies(alike: Sequence[Troop], size: Size) -> Iterator[Body]:
    """Return bodies filled by placing each troop, strongest first, in the first with room."""
    full = size(alike[0])
    if full < 1:
        raise ValueError(f"A full body of {alike[0].kind} needs a strength point at least.")
    filled: list[list[Troop]] = []
    room: list[int] = []
    for troop in alike:
        place = next((index for index, left in enumerate(room) if left >= weight(troop)), len(room))
        if place == len(room):
            filled.append([])
            room.append(full)
        filled[place].append(troop)
        room[place] -= weight(troop)
    return (Body(sort_of(alike[0]), tuple(members), full) for members in filled)


def _by_sort(ends: Sequence[tuple[Body, Aftermath]]) -> Iterator[list[tuple[Body, Aftermath]]]:
    ranked = sorted(ends, key=lambda end: end[0].sort)
    for _, alike in groupby(ranked, key=lambda end: end[0].sort):
        yield list(alike)


def _pay_losses(alike: Sequence[tuple[Body, Aftermath]]) -> Iterator[int]:
    """Yield the units eliminated to pay for the losses of the bodies of one sort."""
    owed = Fraction(0)
    spared: list[Troop] = []
    for body, after in alike:
        if not 0 <= after.lost <= 1:
            raise ValueError(f"A body cannot lose {after.lost} of its figures.")
        owed += after.lost * body.strength
        for member in sorted(body.members, key=_weakest):
            if weight(member) <= owed:
                owed -= weight(member)
                yield member.id
            else:
                spared.append(member)
    for member in sorted(spared, key=_weakest):
        if weight(member) <= owed:
            owed -= weight(member)
            yield member.id


def _weakest(troop: Troop) -> tuple[int, int]:
    return weight(troop), troop.id


def _fate_of_survivor(member: Troop, after: Aftermath) -> Fate:
    hurt = after.shaken or after.lost > Fraction(1, 2)
    if not hurt:
        return Fate.DISRUPTED if member.disrupted else Fate.GOOD
    return Fate.ELIMINATED if member.disrupted else Fate.DISRUPTED


Positive = Annotated[int, msgspec.Meta(ge=1)]


class ScaleRow(Row, frozen=True, kw_only=True):
    """A row of scale.toml: the units of the campaign that fight as one kind of unit.

    An empty list of nations, qualities or names matches any. `full`: the strength points of a full
    unit of the book.
    """

    units: tuple[TroopKind, ...]
    full: Positive
    nations: tuple[Nation, ...] = ()
    qualities: tuple[Quality, ...] = ()
    named: tuple[str, ...] = ()

    def fits(self, troop: Troop) -> bool:
        """Return whether the row applies to the unit."""
        return (
            troop.kind in self.units
            and (not self.nations or troop.nation in self.nations)
            and (not self.qualities or troop.quality in self.qualities)
            and (not self.named or any(word in troop.name.lower() for word in self.named))
        )


R = TypeVar("R", bound=ScaleRow)


class Scales(Generic[R]):
    """The scale of a book, from scale.toml of its package.

    Raises TableError when the file is wrong.
    """

    def __init__(self, package: str, form: type[R]) -> None:
        text = (files(package) / "scale.toml").read_text(encoding="utf-8")
        self.rows = read_table(Source("scale.toml", text), form).rows

    def of(self, troop: Troop) -> R:
        """Return the first row that fits. Raises LookupError when the table has none."""
        for row in self.rows:
            if row.fits(troop):
                return row
        raise LookupError(f"scale.toml has no row for {troop.nation} {troop.kind} {troop.quality}.")

    def bodies(self, troops: Iterable[Troop], size: Size) -> Iterator[Body]:
        """Yield the bodies that the troops form, row by row of the table."""
        alike: dict[R, list[Troop]] = {}
        for troop in troops:
            alike.setdefault(self.of(troop), []).append(troop)
        for row in self.rows:
            yield from muster(alike.get(row, ()), size)


def takes_the_field(troop: Troop, ground: BriefGround) -> bool:
    """Return whether a unit takes part; vessels do only on water that carries them."""
    if troop.kind in RIVER_CRAFT:
        return bool(ground.river) and ground.river_class == "navigable"
    if troop.kind is TroopKind.FLEET:
        return bool(ground.sea)
    return troop.kind is not TroopKind.LEADER


def share(strength_of_full_unit: int, strength: int, full: int) -> int:
    """Return the figures or stands for a strength, rounded; at least one."""
    return max(1, int(Fraction(strength_of_full_unit * strength, full) + Fraction(1, 2)))


def name_of(body: Body) -> str:
    """Return the name of a body: the names of all its members."""
    return " and ".join(dict.fromkeys(member.name for member in body.members if member.name))


class _Numbered(Protocol):
    @property
    def id(self) -> int: ...


U = TypeVar("U", bound=_Numbered)
Parts = Iterable[tuple[Body, tuple[int, ...]]]
"""For each body of campaign units, the numbers of the book's units that stand for it."""


def aftermaths(
    units: Iterable[U], parts: Parts, aftermath: Callable[[Sequence[U]], Aftermath]
) -> Iterator[tuple[Body, Aftermath]]:
    """Yield each body with its aftermath, reckoned from the units it began the battle as."""
    began = {unit.id: unit for unit in units}
    for body, numbers in parts:
        yield body, aftermath([began[number] for number in numbers])


def fates_by_unit(
    brief: Brief, ended: Iterable[tuple[Body, Aftermath]], fallen: Iterable[int]
) -> dict[int, Fate]:
    """Return the fate of every unit of the brief, in its order.

    A unit that did not take the field is as it came. `fallen` are leaders who fell; all leaders of
    a side that is wiped out fall too. Of a fleet only launches come inshore: it is out of reach
    (8.25).
    """
    bodies = list(ended)
    fates = {troop.id: fate_as_it_came(troop) for troop in brief.troops()}
    for party in map(brief.party, Side):
        own = {troop.id for troop in party.troops}
        fates |= share_out([end for end in bodies if end[0].members[0].id in own])
    fates |= {troop.id: Fate.GOOD for troop in brief.troops() if troop.kind is TroopKind.FLEET}
    fates |= dict.fromkeys(fallen, Fate.ELIMINATED)
    for party in map(brief.party, Side):
        if wiped_out(party, fates):
            led = (troop.id for troop in party.troops if troop.kind is TroopKind.LEADER)
            fates |= dict.fromkeys(led, Fate.ELIMINATED)
    return {troop.id: fates[troop.id] for troop in brief.troops()}


def fate_as_it_came(troop: Troop) -> Fate:
    """Return the fate of a unit to which nothing has happened."""
    return Fate.DISRUPTED if troop.disrupted else Fate.GOOD
