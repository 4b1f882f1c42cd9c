"""Movement rates: how far, and at what rate after what went before (section 5)."""

from collections.abc import Iterable, Sequence

from battles.books.fuzzy_wuzzy.book import SCALE, book
from battles.books.fuzzy_wuzzy.pieces import Arm, Rate, Style


def dice_of(style: Style, arm: Arm, rate: Rate) -> tuple[int, str]:
    """Return how many dice of which kind ("AvD", "D6") give the distance."""
    return book().rate(style, arm, rate)


def distance(dice: Iterable[int]) -> int:
    """Return hundredths of a centimetre that dice which show this allow."""
    return SCALE * sum(dice)


def may_use(
    rate: Rate, style: Style, arm: Arm, before: Sequence[Rate] = (), *, forced: bool = False
) -> bool:
    """Return whether a unit may move at a rate after what it did in its moves before, the latest
    last.

    Nothing before is as good as having stood. `forced`: a result of combat, or the failure to
    rally, makes it.
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
    """After a move at the double only when that followed on a march or a halt."""
    quiet = (Rate.STATIONARY, Rate.MARCH)
    return last in quiet or (last is Rate.DOUBLE and before_last in quiet)


def _is_blown(before: Sequence[Rate]) -> bool:
    """Whether irregulars have doubled as often running as they may, and have not rested since."""
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
