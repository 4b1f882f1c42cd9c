"""The pieces and the calendar: words every chapter shares (1.4, 2.2, 2.3)."""

from enum import StrEnum
from typing import NewType

UnitId = NewType("UnitId", int)
Month = NewType("Month", int)


class Side(StrEnum):
    EGYPTIAN = "egyptian"
    MAHDIST = "mahdist"

    @property
    def enemy(self) -> "Side":
        return Side.MAHDIST if self is Side.EGYPTIAN else Side.EGYPTIAN


class Nation(StrEnum):
    EGYPTIAN = "egyptian"
    BRITISH = "british"
    INDIAN = "indian"
    AUSTRALIAN = "australian"
    MAHDIST = "mahdist"

    @property
    def side(self) -> Side:
        return Side.MAHDIST if self is Nation.MAHDIST else Side.EGYPTIAN


class Kind(StrEnum):
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
    VETERAN = "V"
    LINE = "L"
    RABBLE = "R"
    FANATIC = "F"
    NONE = ""


RIVER_CRAFT = frozenset({Kind.BOAT, Kind.GUNBOAT})
AFLOAT = RIVER_CRAFT | {Kind.FLEET}
UNCOUNTED = AFLOAT | {Kind.LEADER}
TRAIN = frozenset({Kind.SUPPLY, Kind.CAMEL})
CANNOT_MELEE = UNCOUNTED | TRAIN
MOUNTED = frozenset({Kind.CAVALRY, Kind.CAMEL_CORPS, Kind.CAMEL})

_NAMES = [
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
]


def month(year: int, number: int) -> Month:
    """The month as one integer that grows by one a turn (1.2); `number` is 1 to 12."""
    return Month(year * 12 + number - 1)


def month_from_text(text: str) -> Month:
    """The month written `1884-02`; ValueError when it is not one."""
    year, number = text.split("-")
    if not 1 <= int(number) <= 12:
        raise ValueError(f"{text!r} is not a month: write it like 1884-02")
    return month(int(year), int(number))


def month_number(when: Month) -> int:
    """1 for January to 12 for December."""
    return when % 12 + 1


def month_slug(when: Month) -> str:
    """`1884-02`, as files and addresses write it."""
    return f"{when // 12}-{month_number(when):02d}"


def month_name(when: Month) -> str:
    """`February 1884`."""
    return f"{_NAMES[when % 12]} {when // 12}"
