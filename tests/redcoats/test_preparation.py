"""Preparation for battle: the field, the units, the spirit of the game."""

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import dealing
from battles.books.redcoats.book import FORMS, book
from battles.books.redcoats.field import Field, Terrain, parse_square
from battles.books.redcoats.pieces import Formation, Kind
from battles.books.redcoats.play import rules
from battles.books.redcoats.registration import TRACE
from battles.books.redcoats.sequence import TURN
from battles.books.redcoats.set_up import drawn_up
from battles.core.decoding import encode
from battles.core.dice import PACK, ScriptedDice
from battles.core.game import IllegalAction
from tests.redcoats.battles import line_of_battle
from tests.redcoats.field import activated, battle, dice_of, unit


def test_preparation_1_every_ruling_answers_a_paragraph_of_the_book() -> None:
    numbers = {clause.number for clause in TRACE.trace()}
    assert {ruling.clause for ruling in TRACE.rulings()} <= numbers


def test_preparation_2_what_the_rules_forbid_changes_nothing() -> None:
    state = activated(battle(unit(1, "british", "infantry", "D5")), 1, 2)
    before = encode(state)
    with pytest.raises(IllegalAction, match="takes 4 action points: it has 2 left"):
        rules.play(state, a.Move((parse_square("D4"), parse_square("D3")), 0), ScriptedDice())
    assert encode(state) == before


def test_preparation_3_the_order_of_paragraphs_is_the_order_of_events() -> None:
    combats, rides, units = (
        TURN.index(step) for step in ("combats", "impetuous rides", "activate")
    )
    assert combats < rides < units


def test_preparation_4_packs_and_dice() -> None:
    state = battle(unit(1, "british", "infantry", "D5"))
    cards = dealing.shuffle_cards(state, dice_of(4))
    assert sorted(map(dealing.activation_order, cards)) == sorted(
        map(dealing.activation_order, PACK)
    )
    faces = {row.foot for row in book().tables["dice"].rows}
    assert faces <= {0, 6, 8, 12}


def test_preparation_5_a_field_of_twelve_by_eight_or_larger() -> None:
    assert len(Field(12, 8).squares) == 96
    assert not Field(12, 8).holds(parse_square("M1"))
    assert Field(13, 9).holds(parse_square("M9"))


@pytest.mark.parametrize(
    ("figures", "full", "told"), [(5, 4, "5 of 4 figures"), (0, 4, "0 of 4 figures")]
)
def test_preparation_6_units_have_figures_up_to_their_full_number(
    figures: int, full: int, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        battle(unit(1, "british", "infantry", "D5", figures=figures, full=full))


def test_preparation_7_rubs_have_four_figures_and_batteries_one() -> None:
    state = battle(
        unit(1, "dervish", "infantry", "D5"), unit(2, "dervish", "artillery", "E5", full=1)
    )
    assert [one.full for one in state.units.values()] == [4, 1]


def test_preparation_8_transport_has_a_formation_of_its_own() -> None:
    state = battle(unit(1, "egyptian", "transport", "D5"))
    assert state.units[1].formation is Formation.TRANSPORT
    with pytest.raises(ValueError, match="cannot be in line"):
        battle(unit(1, "egyptian", "transport", "D5", formation="line"))


def test_preparation_9_typical_armies_can_be_drawn_up() -> None:
    state = drawn_up(line_of_battle())
    assert [state.strengths[side] for side in state.strengths] == [11, 16]
    assert {one.kind for one in state.units.values()} >= {Kind.INFANTRY, Kind.CAVALRY}


def test_a_deployment_that_cannot_stand_is_refused_in_words() -> None:
    field = Field(12, 8, {parse_square("D5"): Terrain.WATER})
    one = unit(1, "british", "infantry", "D5")
    with pytest.raises(ValueError, match="cannot be in D5: water is for vessels"):
        battle(one, field=field)
    with pytest.raises(ValueError, match="2 units cannot share E5"):
        battle(unit(1, "british", "infantry", "E5"), unit(2, "british", "infantry", "E5"))
    with pytest.raises(ValueError, match="stands outside"):
        battle(unit(1, "british", "infantry", "Z5"))
    with pytest.raises(ValueError, match="numbers of their own"):
        battle(unit(1, "british", "infantry", "E5"), unit(1, "british", "infantry", "F5"))


def test_every_table_is_read() -> None:
    assert set(book().tables) == set(FORMS)
