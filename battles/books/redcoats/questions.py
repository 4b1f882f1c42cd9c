"""What a battle can wait for. Each question names the side that must answer."""

import msgspec

from battles.books.redcoats.pieces import Heroic
from battles.contract.troops import Side


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToSetUp(Asked, frozen=True):
    """Stand units elsewhere within the side's set-up squares, then be ready. Deploy, Done."""


class ToCoordinate(Asked, frozen=True):
    """Whether the Leader's one card shall serve for units near him (Turn 1). Coordinate, Done."""

    leader: int
    units: tuple[int, ...]


class ToMoor(Asked, frozen=True):
    """Whether this vessel lies still for the turn, to load or unload. Moor, Done."""

    craft: int


class ToChooseNext(Asked, frozen=True):
    """Which of those the Leader co-ordinates acts next (Turn 7). Activate."""

    leader: int
    choices: tuple[int, ...]


class ToAct(Asked, frozen=True):
    """The activated unit moves and fires, or stops. `unit` may be a Leader on his own."""

    unit: int


class ToPlayCard(Asked, frozen=True):
    """Whether to play this Heroic Leadership card for this unit. PlayCard, Done.

    Asked where it is not the unit's own activation: hand-to-hand combat, and recovery.
    """

    unit: int
    card: Heroic


class ToPursue(Asked, frozen=True):
    """Whether a unit that has driven another back goes after it (Charging 16). Pursue, Done."""

    unit: int
    pursued: int


Question = ToSetUp | ToCoordinate | ToMoor | ToChooseNext | ToAct | ToPlayCard | ToPursue
