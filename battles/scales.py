"""Tables of scale: what the campaign's units fight as in a book, and who takes the field at all."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from importlib.resources import files
from typing import Annotated, Generic, TypeVar

import msgspec

from battles.contract.brief import Ground, Troop
from battles.contract.troops import RIVER_CRAFT, Kind, Nation, Quality
from battles.core.tables import Row, Source, read_table
from battles.muster import Body, Size, muster

Positive = Annotated[int, msgspec.Meta(ge=1)]


class Scale(Row, frozen=True, kw_only=True):
    """What some units of the campaign fight as; without nations, qualities or names, any.

    `full`: the strength points of a full unit of the book.
    """

    units: tuple[Kind, ...]
    full: Positive
    nations: tuple[Nation, ...] = ()
    qualities: tuple[Quality, ...] = ()
    named: tuple[str, ...] = ()

    def fits(self, troop: Troop) -> bool:
        """Whether the unit is one of these."""
        return (
            troop.kind in self.units
            and (not self.nations or troop.nation in self.nations)
            and (not self.qualities or troop.quality in self.qualities)
            and (not self.named or any(word in troop.name.lower() for word in self.named))
        )


R = TypeVar("R", bound=Scale)


class Scales(Generic[R]):
    """The scale of a book: scale.toml of its package. TableError when the file is wrong."""

    def __init__(self, package: str, form: type[R]) -> None:
        text = (files(package) / "scale.toml").read_text(encoding="utf-8")
        self.rows = read_table(Source("scale.toml", text), form).rows

    def of(self, troop: Troop) -> R:
        """The first row that fits. LookupError when the table has none."""
        for row in self.rows:
            if row.fits(troop):
                return row
        raise LookupError(f"scale.toml has no row for {troop.nation} {troop.kind} {troop.quality}.")

    def bodies(self, troops: Iterable[Troop], size: Size) -> Iterator[Body]:
        """The troops as they stand together, row by row of the table."""
        alike: dict[R, list[Troop]] = {}
        for troop in troops:
            alike.setdefault(self.of(troop), []).append(troop)
        for row in self.rows:
            yield from muster(alike.get(row, ()), size)


def takes_the_field(troop: Troop, ground: Ground) -> bool:
    """Whether it is one of the units; a vessel only where there is water that carries it."""
    if troop.kind in RIVER_CRAFT:
        return bool(ground.river) and ground.river_class == "navigable"
    if troop.kind is Kind.FLEET:
        return bool(ground.sea)
    return troop.kind is not Kind.LEADER


def share(of_a_full_unit: int, strength: int, full: int) -> int:
    """The figures or stands of so many strength points, rounded; one at least."""
    return max(1, int(Fraction(of_a_full_unit * strength, full) + Fraction(1, 2)))


def name_of(body: Body) -> str:
    """What a unit is called that a body fights as: the names of all in it."""
    return " and ".join(dict.fromkeys(member.name for member in body.members if member.name))
