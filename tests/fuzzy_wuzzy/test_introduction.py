"""Section 1: two kinds of dice."""

from collections import Counter

import pytest

from battles.books.fuzzy_wuzzy import firing
from battles.books.fuzzy_wuzzy.pieces import Style
from battles.core.dice import ScriptedDice


def test_introduction_1_average_dice_show_2_3_3_4_4_5() -> None:
    shown = firing.throw_average(ScriptedDice(1, 2, 3, 4, 5, 6), 6)
    assert Counter(shown) == {2: 1, 3: 2, 4: 2, 5: 1}


def test_introduction_1_normal_dice_show_what_they_show() -> None:
    assert firing.throw_normal(ScriptedDice(6, 1, 3), 3) == (6, 1, 3)


@pytest.mark.parametrize(
    ("style", "usual", "unusual"), [(Style.REGULAR, "AvD", "D6"), (Style.IRREGULAR, "D6", "AvD")]
)
def test_introduction_1_close_combat_turns_the_dice_round(
    style: Style, usual: str, unusual: str
) -> None:
    assert (firing.usual(style), firing.unusual(style)) == (usual, unusual)
