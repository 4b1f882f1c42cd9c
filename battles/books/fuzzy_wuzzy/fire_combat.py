"""Fire combat: range bands, gradings and the casualties of dice."""

from collections.abc import Iterable

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import GUNS, Arm, Band, Grading, Style, Weapon


def band(weapon: Weapon, length: int) -> Band | None:
    """Return the range band at `length` hundredths of a centimetre; None out of range."""
    if weapon is Weapon.NONE:
        return None
    reached = (one for one in Band if length <= book().range(weapon, one))
    return next(reached, None)


def reach(weapon: Weapon) -> int:
    """Return the longest range of a weapon in hundredths of a centimetre, 0 without one."""
    return 0 if weapon is Weapon.NONE else book().range(weapon, Band.LONG)


def attack_grading(weapon: Weapon) -> Grading:
    """Return the attack grading of a weapon (section 8)."""
    return book().attack(weapon)


def adjustment(weapon: Weapon, at: Band) -> int:
    """Return the adjustment of each die at that range: 0, -1 or -2 (section 8)."""
    return book().adjustment(weapon, at)


def defence_grading(where: str = "open") -> Grading:
    """Return the grading of "open", "field fortifications" or "permanent fortifications"."""
    return book().defence(where)


def dice_of(arm: Arm, figures: int) -> int:
    """Return the dice of a firing stand: one, or for a gun one for each unwounded figure."""
    if figures <= 0:
        return 0
    return figures if arm in GUNS else 1


def casualties(style: Style, attack: Grading, defence: Grading, score: int) -> int:
    """Return casualties of one die, by its adjusted score (section 10)."""
    row = book().fire(style, attack, score)
    if row is None:
        return 0
    found: int = getattr(row, defence.value)
    return found


def casualties_of(
    style: Style, weapon: Weapon, dice: Iterable[int], *, at: Band, defence: Grading = Grading.LIGHT
) -> int:
    """Return casualties of these unadjusted dice, fired with a weapon at that range."""
    attack, less = attack_grading(weapon), adjustment(weapon, at)
    return sum(casualties(style, attack, defence, score + less) for score in dice)
