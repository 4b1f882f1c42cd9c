"""The terms for units: kinds, troops, styles and formations."""

from enum import StrEnum

UNLIMITED = -1


class Kind(StrEnum):
    """The kind of a unit. Craft have flotation points instead of figures."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    CAMELRY = "camelry"
    ARTILLERY = "artillery"
    MACHINE_GUN = "machine gun"
    TRANSPORT = "transport"
    GUNBOAT = "gunboat"
    RIVER_BOAT = "river boat"


class Troops(StrEnum):
    """The troops of a unit, which decide its weapons and its temper (tables/troops.toml)."""

    BRITISH = "british"
    EGYPTIAN = "egyptian"
    SUDANESE = "sudanese"
    DERVISH = "dervish"
    BASHI_BAZOUKS = "bashi-bazouks"
    BAZINGERS = "bazingers"
    GENDARMERIE = "gendarmerie"


class Style(StrEnum):
    """The two styles of fighting; a unit's troops decide which is theirs."""

    ANGLO_EGYPTIAN = "anglo-egyptian"
    DERVISH = "dervish"


class Formation(StrEnum):
    """Tactical formations; the only one of craft is afloat."""

    LINE = "line"
    MARCH_COLUMN = "march column"
    COLUMN = "column"
    SQUARE = "square"
    EN_MASSE = "en masse"
    DEPLOYED = "deployed"
    LIMBERED = "limbered"
    TRANSPORT = "transport"
    AFLOAT = "afloat"


class Heroic(StrEnum):
    """The five types of Heroic Leadership card."""

    HARD_LUCK = "dashed hard luck"
    FIREPOWER = "enhanced firepower"
    MOVEMENT = "faster movement"
    FIGHTING = "hand-to-hand fighting"
    RECOVER = "recover"


class Special(StrEnum):
    """Special rules of single scenarios.

    ASLEEP: the Mahdist side of the battle is dealt no cards until it wakes (Night march 3 to 5).
    MERCY: Gendarmerie forced back by a charge may plead for mercy (Marching 4).
    """

    ASLEEP = "asleep"
    MERCY = "mercy"


GUNS = frozenset({Kind.ARTILLERY, Kind.MACHINE_GUN})
MOUNTS = frozenset({Kind.CAVALRY, Kind.CAMELRY})
AFLOAT = frozenset({Kind.GUNBOAT, Kind.RIVER_BOAT})
