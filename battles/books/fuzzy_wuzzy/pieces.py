"""The terms for units, orders and dice."""

from enum import StrEnum


class Arm(StrEnum):
    """The arm of a unit (section 2)."""

    COMMAND = "command"
    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    ARTILLERY = "artillery"
    MACHINE_GUN = "machine gun"
    TRANSPORT = "transport"


class Troops(StrEnum):
    """The nation of a unit; section 17 says what each does as regulars and what as irregulars."""

    BRITISH = "british"
    EGYPTIAN = "egyptian"
    INDIAN = "indian"
    IRREGULAR = "irregular"
    MAHDIST = "mahdist"


class Style(StrEnum):
    REGULAR = "regular"
    IRREGULAR = "irregular"


class Purpose(StrEnum):
    """A purpose for which troops count as regulars or irregulars (section 17)."""

    MOVE = "move"
    RECONNOITRE = "reconnoitre"
    FIRE = "fire"
    CLOSE_COMBAT = "close combat"
    RALLY = "rally"


class Weapon(StrEnum):
    """The weapon a unit fires with; NONE for spears, swords and Commanders."""

    NONE = "none"
    SINGLE_SHOT = "single-shot rifles"
    MAGAZINE = "magazine rifles"
    MACHINE_GUN = "machine guns"
    MOUNTAIN = "mountain artillery"
    FIELD = "field artillery"
    MEDIUM = "medium artillery"
    HEAVY = "heavy artillery"


class Rate(StrEnum):
    """The rate of a unit's move."""

    STATIONARY = "stationary"
    MARCH = "march"
    DOUBLE = "double"
    CHARGE = "charge"


class Change(StrEnum):
    """Formation change orders (section 4)."""

    MARCH_COLUMN = "column of march"
    LINE = "line"
    SQUARE = "square"
    LIMBER = "limber"
    UNLIMBER = "unlimber"
    MOUNT = "mount"
    DISMOUNT = "dismount"
    RALLY = "rally"
    REORGANISE = "reorganisation"


class Combat(StrEnum):
    """Combat orders (section 4), and the two kinds of combat."""

    FIRE = "fire"
    CLOSE = "close combat"


class Grading(StrEnum):
    LIGHT = "light"
    MEDIUM = "medium"
    HEAVY = "heavy"


class Band(StrEnum):
    SHORT = "short"
    EFFECTIVE = "effective"
    LONG = "long"


class Size(StrEnum):
    """The apparent size of a unit (section 6)."""

    COMPANY = "company"
    BATTALION = "battalion"
    BRIGADE = "brigade"


class Compared(StrEnum):
    """Casualties caused against casualties suffered (sections 11 and 14)."""

    MORE = "caused more"
    AS_MANY = "caused as many"
    FEWER = "suffered more"
    TWICE = "suffered twice as many"


class Does(StrEnum):
    """A unit's duty or choice as the result of a combat."""

    MAY_ADVANCE = "may advance at once"
    MAY_CLOSE = "may close next move"
    MAY_CONTINUE = "may continue next move"
    RETREATS = "retreats at once"
    RETREATS_NEXT = "retreats next move"
    HALTS = "may not move next move"


GUNS = frozenset({Arm.ARTILLERY, Arm.MACHINE_GUN})
FIGHTING = frozenset({Arm.INFANTRY, Arm.CAVALRY})
"""The arms that charge and pursue; the results call the rest other units."""
