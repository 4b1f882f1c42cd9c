"""Weapon ranges, and what range does to the dice (sections 7 and 8)."""

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Band, Grading, Weapon


def band(weapon: Weapon, length: int) -> Band | None:
    """The range band of a target so many hundredths of a centimetre away; None out of range."""
    if weapon is Weapon.NONE:
        return None
    reached = (one for one in Band if length <= book().range(weapon, one))
    return next(reached, None)


def reach(weapon: Weapon) -> int:
    """Hundredths of a centimetre that a weapon carries, 0 without one."""
    return 0 if weapon is Weapon.NONE else book().range(weapon, Band.LONG)


def attack_grading(weapon: Weapon) -> Grading:
    """The attack grading of a weapon (section 8)."""
    return book().attack(weapon)


def adjustment(weapon: Weapon, at: Band) -> int:
    """What is added to each die at that range: 0, -1 or -2 (section 8)."""
    return book().adjustment(weapon, at)
