"""Preparation for battle: what the campaign's units fight as, and on how many figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.books.redcoats import pieces
from battles.books.redcoats.muster import figures, muster, scale
from battles.books.redcoats.pieces import Formation, Troops
from battles.books.redcoats.state import Unit
from battles.contract import Bearing, BriefGround, Nation, Quality, Side, Troop, TroopKind
from tests.redcoats_commander.armies import meeting, random_brief, troop, written

FOE = [troop(99, TroopKind.SPEARS, Nation.MAHDIST)]
DESERT = BriefGround()
NILE = BriefGround(river=(Bearing.NORTH,), river_class="navigable")


def mustered(*troops: Troop, ground: BriefGround = DESERT) -> list[Unit]:
    """Return the figures that these units of the Egyptian side become."""
    brief = meeting(troops, FOE, attacker=Side.MAHDIST, ground=ground)
    return [unit for unit in muster(brief).units if unit.side is Side.EGYPTIAN]


@pytest.mark.parametrize(("strength", "wanted"), [(1, 1), (2, 3), (3, 4)])
def test_units_1_three_points_of_foot_are_a_battalion_of_four(strength: int, wanted: int) -> None:
    assert [one.figures for one in mustered(troop(1, TroopKind.INFANTRY, strength=strength))] == [
        wanted
    ]


@pytest.mark.parametrize(("strength", "wanted"), [(1, 2), (2, 4)])
def test_units_2_two_points_of_horse_are_a_regiment_of_four(strength: int, wanted: int) -> None:
    assert [one.figures for one in mustered(troop(1, TroopKind.CAVALRY, strength=strength))] == [
        wanted
    ]


def test_three_rubs_of_one_make_one_of_four_and_the_odd_one_stays_small() -> None:
    brief = meeting(
        [troop(1, TroopKind.INFANTRY)],
        [troop(number, TroopKind.SPEARS, Nation.MAHDIST) for number in range(2, 6)],
        attacker=Side.MAHDIST,
    )
    army = muster(brief)
    rubs = [unit for unit in army.units if unit.side is Side.MAHDIST]
    assert [unit.figures for unit in rubs] == [4, 1]
    assert [army.drawn_from[unit.id] for unit in rubs] == [(2, 3, 4), (5,)]


def test_a_unit_stronger_than_a_battalion_fights_as_several() -> None:
    found = mustered(troop(1, TroopKind.INFANTRY, strength=8))
    assert [one.figures for one in found] == [4, 4, 3]


def test_units_3_british_batteries_have_two_gunners_and_egyptian_one() -> None:
    british, egyptian = troop(1, TroopKind.GUN), troop(2, TroopKind.GUN, Nation.EGYPTIAN)
    assert {one.troops: one.figures for one in mustered(british, egyptian)} == {
        Troops.BRITISH: 2,
        Troops.EGYPTIAN: 1,
    }


def test_a_gun_is_a_machine_gun_when_its_name_says_so() -> None:
    found = mustered(troop(1, TroopKind.GUN, name="Naval Gardners"), troop(2, TroopKind.GUN))
    assert {one.kind for one in found} == {pieces.Kind.MACHINE_GUN, pieces.Kind.ARTILLERY}


@pytest.mark.parametrize(
    ("kind", "nation", "quality", "troops"),
    [
        (TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.RABBLE, Troops.GENDARMERIE),
        (TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.LINE, Troops.EGYPTIAN),
        (TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.VETERAN, Troops.SUDANESE),
        (TroopKind.CAVALRY, Nation.EGYPTIAN, Quality.RABBLE, Troops.BASHI_BAZOUKS),
        (TroopKind.SPEARS, Nation.EGYPTIAN, Quality.RABBLE, Troops.BAZINGERS),
        (TroopKind.INFANTRY, Nation.INDIAN, Quality.LINE, Troops.BRITISH),
        (TroopKind.NAVAL, Nation.BRITISH, Quality.VETERAN, Troops.BRITISH),
    ],
)
def test_additional_rules_whom_the_book_would_call_what(
    kind: TroopKind, nation: Nation, quality: Quality, troops: Troops
) -> None:
    assert mustered(troop(1, kind, nation, quality=quality))[0].troops is troops


def test_spears_are_unarmed_and_stand_en_masse() -> None:
    brief = meeting([troop(1, TroopKind.INFANTRY)], FOE, attacker=Side.MAHDIST)
    rub = next(unit for unit in muster(brief).units if unit.side is Side.MAHDIST)
    assert (rub.armed, rub.formation) == (False, Formation.EN_MASSE)


def test_who_comes_disrupted_starts_disorganised_and_keeps_to_himself() -> None:
    found = mustered(troop(1, TroopKind.INFANTRY), troop(2, TroopKind.INFANTRY, disrupted=True))
    assert sorted(one.disorganised for one in found) == [False, True]


def test_gunboats_need_water_that_carries_them() -> None:
    gunboat = troop(1, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0)
    assert [one.figures for one in mustered(gunboat, ground=NILE)] == [6]
    assert mustered(gunboat) == []


def test_the_train_goes_by_fours() -> None:
    camels = [troop(number, TroopKind.CAMEL, strength=0) for number in range(1, 7)]
    assert [one.figures for one in mustered(*camels)] == [4, 2]


def test_rebels_of_the_same_nation_fight_on_the_other_side() -> None:
    army = muster(written("night-march-to-the-canal").brief)
    rebels = [unit for unit in army.units if unit.side is Side.MAHDIST]
    assert {unit.troops for unit in rebels} == {
        Troops.EGYPTIAN,
        Troops.GENDARMERIE,
        Troops.BASHI_BAZOUKS,
    }


@given(st.integers(0, 10**6))
def test_everyone_who_takes_the_field_is_in_one_body(seed: int) -> None:
    brief = random_brief(seed)
    army = muster(brief)
    members = [member.id for body, _ in army.parts for member in body.members]
    assert len(members) == len(set(members))
    assert {number for of in army.drawn_from.values() for number in of} <= {
        one.id for one in brief.troops()
    }
    assert sorted([unit.id for unit in army.units] + [one.id for one in army.leaders]) == list(
        range(1, len(army.units) + len(army.leaders) + 1)
    )


@given(st.integers(1, 3))
def test_figures_grow_with_strength(strength: int) -> None:
    row = scale(troop(1, TroopKind.INFANTRY))
    assert 1 <= figures(row, strength) <= figures(row, strength + 1) <= row.figures
