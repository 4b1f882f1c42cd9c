"""The words for troops that the campaign and every book of battles share."""

from enum import StrEnum


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
    """V veteran, L line, R rabble, F fanatic; empty for what has none."""

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
