"""The number behind a sentence: a throw of the dice in words."""

from battles.core.dice import Modifier, Roll
from campaign.rules.english.words import signed

_EACH = "recovery"
_CODED = "events"


def modifier_in_words(modifier: Modifier) -> str:
    """`−1 at least half of those who fire are Veteran (9.6)`."""
    return f"{signed(modifier.value)} {modifier.reason} ({modifier.clause})"


def roll_in_words(roll: Roll) -> str:
    """`2D6: 3 + 4, +2 attacked in a town or mountain hex (9.6), makes 9: no effect`."""
    dice = f"{len(roll.dice)}D{roll.sides}: {_fallen(roll)}"
    changes = "".join(f", {modifier_in_words(modifier)}" for modifier in roll.modifiers)
    result = f": {roll.result.removeprefix(f'{_code(roll)}: ')}" if roll.result else ""
    return f"{dice}{changes}{_total(roll)}{result}"


def _fallen(roll: Roll) -> str:
    apart = roll.table in (_EACH, _CODED)
    return (", " if apart else " + ").join(map(str, roll.dice))


def _code(roll: Roll) -> str:
    """Dice that are read one after the other, as tens and units."""
    return "".join(map(str, roll.dice))


def _total(roll: Roll) -> str:
    if roll.table == _CODED:
        return f", read as {_code(roll)}"
    if roll.table == _EACH:
        return ", each for itself" if len(roll.dice) > 1 else ""
    plain = len(roll.dice) == 1 and not roll.modifiers
    return "" if plain else f", makes {roll.total}"
