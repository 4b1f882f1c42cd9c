"""The brief of a battle: the forces, the ground and the aims, in terms that all books share."""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

import msgspec

from battles.core.decoding import NumberOrNone, rest_name

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def month_in_words(month: str) -> str:
    """Return a month in words: `February 1884` for 1884-02; "" for ""."""
    year, _, number = month.partition("-")
    return f"{MONTHS[int(number) - 1]} {year}" if number else ""


class Side(StrEnum):
    EGYPTIAN = "egyptian"
    MAHDIST = "mahdist"

    @property
    def enemy(self) -> "Side":
        return _ENEMY[self]


_ENEMY = {Side.EGYPTIAN: Side.MAHDIST, Side.MAHDIST: Side.EGYPTIAN}


class Nation(StrEnum):
    EGYPTIAN = "egyptian"
    BRITISH = "british"
    INDIAN = "indian"
    AUSTRALIAN = "australian"
    MAHDIST = "mahdist"

    @property
    def side(self) -> Side:
        return _SIDES[self]


_SIDES = {nation: Side.MAHDIST if nation is Nation.MAHDIST else Side.EGYPTIAN for nation in Nation}


class TroopKind(StrEnum):
    INFANTRY = "infantry"
    SPEARS = "spears"
    CAVALRY = "cavalry"
    CAMEL_CORPS = "camel corps"
    GUN = "gun"
    ENGINEERS = "engineers"
    NAVAL = "naval infantry"
    SUPPLY = "supply"
    CAMEL = "camel"
    CIVILIANS = "civilians"
    LEADER = "leader"
    BOAT = "boat"
    GUNBOAT = "gunboat"
    FLEET = "fleet"


class Quality(StrEnum):
    """The quality of a unit: V veteran, L line, R rabble, F fanatic, or none."""

    VETERAN = "V"
    LINE = "L"
    RABBLE = "R"
    FANATIC = "F"
    NONE = ""


RIVER_CRAFT = frozenset({TroopKind.BOAT, TroopKind.GUNBOAT})
AFLOAT = RIVER_CRAFT | {TroopKind.FLEET}
UNCOUNTED = AFLOAT | {TroopKind.LEADER}
TRAIN = frozenset({TroopKind.SUPPLY, TroopKind.CAMEL})
CANNOT_MELEE = UNCOUNTED | TRAIN
MOUNTED = frozenset({TroopKind.CAVALRY, TroopKind.CAMEL_CORPS, TroopKind.CAMEL})


class Troop(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One unit of the campaign: `strength` in strength points of 200 to 250 men.

    A gun has its strength in batteries' worth, a leader has his `name` and `tactical` value.
    """

    id: int
    kind: TroopKind
    nation: Nation
    quality: Quality = Quality.NONE
    strength: int = 0
    disrupted: bool = False
    name: str = ""
    tactical: int = 0


class Party(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One side of the battle with all its units, craft and leaders included.

    `orders`: the aim of its commander ("attack" or "hold"), if given.
    """

    side: Side
    troops: tuple[Troop, ...]
    orders: Annotated[str, rest_name("aim")] = ""


class Bearing(StrEnum):
    """The direction of a hexside, of a hex with a flat top."""

    NORTH = "north"
    NORTH_EAST = "north-east"
    SOUTH_EAST = "south-east"
    SOUTH = "south"
    SOUTH_WEST = "south-west"
    NORTH_WEST = "north-west"


class BriefGround(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The terrain of the defender's hex.

    `relief` is "flat", "hill" or "mountain". `place` is the name and `settlement` the class of a
    place ("town", "village", "oasis" or empty); `river` and `sea` are the hexsides along which they
    run; `river_class` is the river's ("navigable", "seasonal", "unnavigable" or empty).
    """

    relief: str = "flat"
    cultivated: bool = False
    place: str = ""
    settlement: str = ""
    river: tuple[Bearing, ...] = ()
    river_class: str = ""
    sea: tuple[Bearing, ...] = ()


class Brief(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle to be fought. `id` is the same each time the same battle is asked for.

    `month` is written 1884-02. The attacker comes through the hexside `comes_from`, as seen from
    the defender; `and_from` are further hexsides where friends of the attacker are close. `zariba`:
    the defender has been there for a month. `sortie`: the attacker breaks out of a besieged place.
    `turns`: the number of turns until nightfall, or the book's own.
    """

    id: Annotated[str, rest_name("battle")]
    title: str
    attacker: Party
    defender: Party
    ground: BriefGround = BriefGround()
    month: str = ""
    comes_from: Bearing = Bearing.SOUTH
    and_from: tuple[Bearing, ...] = ()
    zariba: bool = False
    sortie: bool = False
    turns: NumberOrNone = 0

    def party(self, side: Side) -> Party:
        """Return the party of a side."""
        return self.attacker if self.attacker.side is side else self.defender

    def troops(self) -> Iterator[Troop]:
        """Yield the units of both sides."""
        yield from self.attacker.troops
        yield from self.defender.troops

    def tactical(self, numbers: Iterable[int]) -> int:
        """Return the greatest tactical value among these units, at least 0: no leader has to help.

        One leader's value counts for a side (*Dervish* 7.3).
        """
        troop_ids = set(numbers)
        return max((0, *(troop.tactical for troop in self.troops() if troop.id in troop_ids)))
