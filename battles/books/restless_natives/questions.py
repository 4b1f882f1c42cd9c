"""What a battle can wait for. Each question names the side that must answer."""

import msgspec

from battles.contract.troops import Side


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToSetUp(Asked, frozen=True):
    """Allot units to commanders, stand them elsewhere, then be ready. Allot, Deploy, Done."""


class ToCommand(Asked, frozen=True):
    """A card of the side's colour: this commander activates a unit of his, or nobody; the
    Commander-in-Chief may pass the initiative on. Activate, Rally, PassOn, Done."""

    commander: int


class ToAct(Asked, frozen=True):
    """What the activated unit does next. PlayCard, March, Fire, Form, Fight, Done."""

    unit: int


class ToMove(Asked, frozen=True):
    """Where the unit goes with the dice it has thrown. Move, Charge, Leave, Done.

    `most` hundredths of an inch in the open, `rough` where the way is rough or barred by an
    obstacle; `moves` are the moves thrown for.
    """

    unit: int
    most: int
    rough: int
    moves: int = 1


Question = ToSetUp | ToCommand | ToAct | ToMove
