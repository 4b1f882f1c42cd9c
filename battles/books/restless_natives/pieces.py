"""The terms for units, weapons and cards, and the goals of a battle (Scenarios)."""

from enum import StrEnum
from typing import Annotated

import msgspec

from battles.contract.brief import Side
from battles.core.decoding import rest_name
from battles.tabletop.deployment import Outline


class Kind(StrEnum):
    """The kind of a unit (tables/kinds.toml). A commander is the stand of one, with his staff."""

    INFANTRY = "infantry"
    CAVALRY = "cavalry"
    CAMELRY = "camelry"
    ARTILLERY = "artillery"
    MACHINE_GUNS = "machine guns"
    COMMANDER = "commander"
    TRANSPORT = "transport"
    TRAIN = "train"
    SAILING_VESSEL = "sailing vessel"
    STEAMSHIP = "steamship"
    GUNBOAT = "gunboat"
    CIVILIANS = "civilians"


class Troops(StrEnum):
    """The nation of a unit: its organisation and its steadiness (tables/troops.toml)."""

    BRITISH = "british"
    AUSTRALIAN = "australian"
    INDIAN = "indian"
    EGYPTIAN = "egyptian"
    SUDANESE = "sudanese"
    IRREGULAR = "irregular"
    NATIVE = "native"


class Style(StrEnum):
    """One of the book's two styles of moving and forming up."""

    BRITISH = "british"
    NATIVE = "native"


class Weapon(StrEnum):
    """The weapon a unit fires with (tables/weapons.toml)."""

    NONE = ""
    SPEARS = "spears"
    MUSKETS = "muskets"
    SINGLE_SHOT = "single-shot rifles"
    MAGAZINE = "magazine rifles"
    MACHINE_GUNS = "machine guns"
    SMOOTHBORE = "smoothbore field artillery"
    RIFLED = "rifled field artillery"


class Special(StrEnum):
    """The eight texts of the Special Event Cards (tables/special.toml)."""

    HARD_LUCK = "dashed hard luck"
    FIREPOWER = "enhanced firepower 1D6"
    FIREPOWER_2 = "enhanced firepower 2D6"
    MOVEMENT = "faster movement 1D6"
    MOVEMENT_2 = "faster movement 2D6"
    COMBAT = "heroic close combat 1D6"
    COMBAT_2 = "heroic close combat 2D6"
    RALLY = "rally once again"


class Deed(StrEnum):
    """A thing that an activated unit has done."""

    MOVED = "moved"
    FIRED = "fired"
    FORMED = "formed"
    FOUGHT = "fought"


class Hold(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """`side` wins by holding `need` of the areas at the end; otherwise the other side wins.

    The holder of an area is the side that alone has stands in it, else its last holder; when the
    battle begins, it is the other side.
    """

    side: Side
    areas: tuple[Outline, ...]
    need: Annotated[int, rest_name("needed_count")] = 1


class Exit(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """`side` wins when more than `percent` of its stands have left the field by the area."""

    side: Side
    area: Annotated[Outline, rest_name("corners")]
    percent: int = 50


class Remain(msgspec.Struct, frozen=True, tag=True, tag_field="type"):
    """A side with `percent` or more of its stands on the field wins when the other has fewer."""

    percent: int = 50


Goal = Hold | Exit | Remain
