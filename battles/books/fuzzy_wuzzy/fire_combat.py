"""Fire combat: casualties by the gradings of attack and defence (sections 9 and 10)."""

from collections.abc import Iterable

from battles.books.fuzzy_wuzzy import ranges
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import GUNS, Arm, Band, Grading, Style, Weapon


def defence_grading(where: str = "open") -> Grading:
    """The grading of a defence: "open", "field fortifications" or "permanent fortifications"."""
    return book().defence(where)


def dice_of(arm: Arm, figures: int) -> int:
    """Dice of a firing stand with so many unwounded figures: one, of guns one for each of crew."""
    if figures <= 0:
        return 0
    return figures if arm in GUNS else 1


def casualties(style: Style, attack: Grading, defence: Grading, score: int) -> int:
    """Casualties of one die, by its adjusted score (section 10)."""
    row = book().fire(style, attack, score)
    if row is None:
        return 0
    found: int = getattr(row, defence.value)
    return found


def casualties_of(
    style: Style, weapon: Weapon, dice: Iterable[int], *, at: Band, defence: Grading = Grading.LIGHT
) -> int:
    """Casualties of dice that show this, fired with a weapon at that range."""
    attack, less = ranges.attack_grading(weapon), ranges.adjustment(weapon, at)
    return sum(casualties(style, attack, defence, score + less) for score in dice)
