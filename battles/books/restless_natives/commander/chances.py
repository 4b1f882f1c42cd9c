"""Chances and expected values of dice: moves, morale, fire and close combat."""

from functools import cache
from math import comb

from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Troops

ROUTED, GONE = 1.5, 1.5
"""Values in stands: of driving a unit back, and a factor for destroying it entirely."""
OPEN, COVERED = 1, 2
"""Sixes that destroy a stand."""

_SIX, _FIVE_OR_SIX = 1 / 6, 1 / 3


@cache
def at_least(dice: int, score: int, less: int = 0) -> float:
    """Return the chance that so many D6, less so many D6, reach the score."""
    if not less:
        return sum(chance for total, chance in _sums(dice).items() if total >= score)
    taken = _sums(less).items()
    return sum(at_least(dice, score + total) * chance for total, chance in taken)


@cache
def passes(troops: Troops, stands: int) -> float:
    """Return the chance that so many stands pass their morale test."""
    return at_least(stands, book().troops(troops).passes)


@cache
def fire(dice: int, sixes: int, troops: Troops, stands: int) -> float:
    """Return the expected value of so many dice of fire, in stands; `sixes` destroy one stand."""
    return sum(
        _chance(hits, dice, _SIX) * _worth(hits // sixes, troops, stands)
        for hits in range(sixes, dice + 1)
    )


@cache
def combat(dice: int, troops: Troops, stands: int) -> float:
    """Return the expected value of so many dice of close combat, in stands."""
    return sum(
        _chance(hits, dice, _FIVE_OR_SIX) * _worth(hits, troops, stands)
        for hits in range(1, dice + 1)
    )


def _worth(lost: int, troops: Troops, stands: int) -> float:
    """Return the value of destroying `lost` stands of a unit, with its chance to run."""
    if not lost:
        return 0.0
    if lost >= stands:
        return stands * GONE
    return lost + ROUTED * (1 - passes(troops, stands - lost))


def _chance(hits: int, dice: int, each: float) -> float:
    return float(comb(dice, hits) * each**hits * (1 - each) ** (dice - hits))


@cache
def _sums(dice: int) -> dict[int, float]:
    """Return the chance of every sum of so many D6."""
    if not dice:
        return {0: 1.0}
    found: dict[int, float] = {}
    for total, chance in _sums(dice - 1).items():
        for face in range(1, 7):
            found[total + face] = found.get(total + face, 0.0) + chance / 6
    return found
