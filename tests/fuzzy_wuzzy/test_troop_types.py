"""Section 17: troop types."""

from itertools import product

import pytest

from battles.books.fuzzy_wuzzy.book import is_regular, style_of
from battles.books.fuzzy_wuzzy.pieces import Purpose, Style, Troops

MOVING = (Purpose.MOVE, Purpose.RECONNOITRE)


@pytest.mark.parametrize("purpose", list(Purpose))
def test_troop_types_1_british_are_regulars(purpose: Purpose) -> None:
    assert style_of(Troops.BRITISH, purpose) is Style.REGULAR


@pytest.mark.parametrize(
    ("troops", "purpose"), list(product((Troops.EGYPTIAN, Troops.INDIAN), Purpose))
)
def test_troop_types_2_egyptians_and_indians_move_and_reconnoitre_as_regulars(
    troops: Troops, purpose: Purpose
) -> None:
    assert is_regular(troops, purpose) is (purpose in MOVING)


@pytest.mark.parametrize("purpose", list(Purpose))
def test_troop_types_2_egyptian_rabble_is_irregular(purpose: Purpose) -> None:
    assert style_of(Troops.IRREGULAR, purpose) is Style.IRREGULAR


@pytest.mark.parametrize("purpose", list(Purpose))
def test_troop_types_3_mahdists_are_irregulars(purpose: Purpose) -> None:
    assert style_of(Troops.MAHDIST, purpose) is Style.IRREGULAR
