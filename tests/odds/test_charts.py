"""The words beside a bar of chances."""

from fractions import Fraction

import pytest

from campaign.odds.march import MarchOdds, MarchOutcome
from campaign.web.odds.odds_charts import march_shown


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (1, ["the march made", "no march"]),
        (2, ["both marches made", "one march made", "no march"]),
        (3, ["all three marches made", "two marches made", "one march made", "no march"]),
    ],
)
def test_marches_are_counted_in_words(wanted: int, words: list[str]) -> None:
    even = {MarchOutcome(number): Fraction(1, wanted + 1) for number in range(wanted + 1)}
    assert [part.words for part in march_shown(MarchOdds(wanted, even)).bar] == words
