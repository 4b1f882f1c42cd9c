"""Movement: the distance of a move, and the rates allowed after earlier moves (section 5)."""

from collections.abc import Iterable, Sequence

from battles.books.fuzzy_wuzzy.book import SCALE, book
from battles.books.fuzzy_wuzzy.pieces import Arm, Rate, Style


def dice_of(style: Style, arm: Arm, rate: Rate) -> tuple[int, str]:
    """Return number and kind ("AvD", "D6") of the dice for the distance."""
    return book().rate(style, arm, rate)


def distance(dice: Iterable[int]) -> int:
    """Return the distance that these dice allow, in hundredths of a centimetre."""
    return SCALE * sum(dice)


def may_use(
    rate: Rate, style: Style, arm: Arm, before: Sequence[Rate] = (), *, forced: bool = False
) -> bool:
    """Return whether a unit may move at a rate after its moves `before`, the latest last.

    Missing moves count as standing. A `forced` move, by a result of combat or a failure to rally,
    is always allowed.
    """
    if forced or rate in (Rate.STATIONARY, Rate.MARCH):
        return True
    if rate is Rate.CHARGE and arm is Arm.TRANSPORT:
        return False
    last = _back(before, 1)
    if style is Style.REGULAR:
        return last in (Rate.STATIONARY, Rate.MARCH)
    if rate is Rate.CHARGE:
        return _may_charge(last, _back(before, 2))
    return last is not Rate.CHARGE and not _is_blown(before)


def rates(style: Style, arm: Arm, before: Sequence[Rate] = ()) -> tuple[Rate, ...]:
    """Return the rates at which a unit may be ordered to move."""
    return tuple(
        rate for rate in (Rate.MARCH, Rate.DOUBLE, Rate.CHARGE) if may_use(rate, style, arm, before)
    )


def _back(before: Sequence[Rate], moves: int) -> Rate:
    return before[-moves] if len(before) >= moves else Rate.STATIONARY


def _may_charge(last: Rate, before_last: Rate) -> bool:
    """Return whether irregulars may charge: after at most one move at the double."""
    quiet = (Rate.STATIONARY, Rate.MARCH)
    return last in quiet or (last is Rate.DOUBLE and before_last in quiet)


def _is_blown(before: Sequence[Rate]) -> bool:
    """Return whether irregulars have used up their moves at the double and not rested since."""
    doubles = marches = 0
    most, rest = book().number("doubles"), book().number("marches")
    for rate in before:
        if rate is Rate.DOUBLE:
            doubles, marches = doubles + 1, 0
        elif rate is not Rate.MARCH:
            doubles = marches = 0
        else:
            marches += 1
            doubles = doubles if doubles >= most and marches < rest else 0
    return doubles >= most
