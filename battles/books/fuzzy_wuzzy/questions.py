"""What a battle can wait for. Each question names the side that must answer."""

import msgspec

from battles.contract.troops import Side


class Asked(msgspec.Struct, frozen=True, omit_defaults=True, tag=True, tag_field="asks"):
    """A question to one side."""

    side: Side


class ToOrder(Asked, frozen=True):
    """Orders for the units of the side (section 4). Order as often as one likes, then Done."""


class ToMove(Asked, frozen=True):
    """Units that have thrown for their distance go where they shall. Move, Close, Done."""


class ToFire(Asked, frozen=True):
    """These units, ordered to fire and with a target, choose it (section 10). Fire, Done."""

    units: tuple[int, ...] = ()


class ToAdvance(Asked, frozen=True):
    """A unit may go forward at once: after fire, or after the enemy it fought. Move, Close, Done.

    `cause` is "impulse" (section 11) or "pursuit" (section 14).
    """

    unit: int
    cause: str


class ToRecover(Asked, frozen=True):
    """Units that stood apart may recover casualties (section 16). Recover, Done."""


Question = ToOrder | ToMove | ToFire | ToAdvance | ToRecover
