"""What a charge may be expected to come to: every pair of throws, weighed."""

from functools import lru_cache
from typing import NamedTuple

WORTH = {-3: -3.5, -2: -2.0, -1: -1.0, 0: -0.2, 1: 0.6, 2: 1.6, 3: 3.5}
"""What each outcome of a charge is worth to the charger, about in figures."""


class Odds(NamedTuple):
    """The chances that a charge gets in, and what it is worth in the mean."""

    enters: float
    worth: float


@lru_cache(maxsize=1024)
def charge_odds(mine: int, theirs: int, lead: int) -> Odds:
    """Odds for dice of so many faces each; `lead`: the charger's modifiers less the other's."""
    differences = [
        one - other + lead for one in range(1, mine + 1) for other in range(1, theirs + 1)
    ]
    count = len(differences)
    return Odds(
        sum(difference > 0 for difference in differences) / count,
        sum(WORTH[max(-3, min(3, difference))] for difference in differences) / count,
    )
