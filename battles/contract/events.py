"""Events that mean the same in every book of battles, and the result that one of them holds."""

from typing import Any

import msgspec

from battles.contract.brief import Side
from battles.core.game import Event


class BattleResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a battle ended: `winner` is None for a draw.

    `how` is "destroyed", "broke off", "nightfall", "objective", "cards" or "second joker", as far
    as the book knows such an end.
    """

    winner: Side | None
    how: str
    reason: str


class BattleEnded(Event, frozen=True):
    """The battle is over."""

    result: BattleResult


class Corrected(Event, frozen=True):
    """The umpire has set a unit right: it is `now` as this says, or no more with nothing left.

    Every book narrows `now` to its own units in a subclass of this name.
    """

    unit: int
    now: Any
