"""The events that all books share, and the result of a battle."""

from typing import Any

import msgspec

from battles.contract.brief import Side
from battles.core.game import Event


class BattleResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a battle; `winner` is None for a draw.

    `how` is "destroyed", "broke off", "nightfall", "objective", "cards" or "second joker", as far
    as the book has such an end.
    """

    winner: Side | None
    how: str
    reason: str


class BattleEnded(Event, frozen=True):
    """The battle is over."""

    result: BattleResult


class Corrected(Event, frozen=True):
    """The umpire has corrected a unit: `now` is its new value, or it is removed with nothing left.

    Each book narrows `now` to its own units in a subclass of this name.
    """

    unit: int
    now: Any
