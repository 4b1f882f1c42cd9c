"""The number behind a sentence: a throw of the dice in words."""

from battles.core.dice import Modifier, Roll
from campaign.rules.english.words import signed

_EACH = "recovery"


def modifier_in_words(modifier: Modifier) -> str:
    """`−1 at least half of those who fire are Veteran (9.6)`."""
    return f"{signed(modifier.value)} {modifier.reason} ({modifier.clause})"


def roll_in_words(roll: Roll) -> str:
    """`2D6: 3 + 4, +2 attacked in a town or mountain hex (9.6), makes 9: no effect`."""
    dice = f"{len(roll.dice)}D{roll.sides}: {_fallen(roll)}"
    changes = "".join(f", {modifier_in_words(modifier)}" for modifier in roll.modifiers)
    return f"{dice}{changes}{_total(roll)}{_result(roll)}"


def _fallen(roll: Roll) -> str:
    return (", " if _separate(roll) else " + ").join(map(str, roll.dice))


def _separate(roll: Roll) -> bool:
    """Whether every die stands for itself: they are listed, not added."""
    return len(roll.dice) > 1 and roll.table == _EACH


def _total(roll: Roll) -> str:
    if _separate(roll):
        return ", each die for itself"
    plain = len(roll.dice) == 1 and not roll.modifiers
    return "" if plain or not roll.dice else f", makes {roll.total}"


def _result(roll: Roll) -> str:
    return f": {roll.result}" if roll.result else ""
