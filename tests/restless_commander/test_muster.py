"""The campaign's units as troops of the book, and their stands."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from battles.books.restless_natives import pieces
from battles.books.restless_natives.generator import army, generate_brief
from battles.books.restless_natives.muster import Army, muster, scale, stands_for_strength
from battles.books.restless_natives.pieces import Troops, Weapon
from battles.books.restless_natives.state import Unit
from battles.contract import Bearing, BriefGround, Nation, Quality, Side, Troop, TroopKind
from battles.tabletop.formations import TableFormation
from tests.redcoats_commander.armies import meeting, random_brief, troop

FOE = [troop(99, TroopKind.SPEARS, Nation.MAHDIST)]
NILE = BriefGround(river=(Bearing.NORTH,), river_class="navigable")


def mustered(*troops: Troop, ground: BriefGround | None = None) -> Army:
    """These of the Egyptian side, before a few spears."""
    brief = meeting(troops, FOE, attacker=Side.MAHDIST, ground=ground or BriefGround())
    return muster(brief)


def units(*troops: Troop, ground: BriefGround | None = None) -> list[Unit]:
    return mustered(*troops, ground=ground).of(Side.EGYPTIAN)


def warbands(*strengths: int) -> list[Unit]:
    spears = [
        troop(number, TroopKind.SPEARS, Nation.MAHDIST, strength)
        for number, strength in enumerate(strengths, 2)
    ]
    brief = meeting([troop(1, TroopKind.INFANTRY)], spears, attacker=Side.MAHDIST)
    return muster(brief).of(Side.MAHDIST)


@pytest.mark.parametrize(("strength", "wanted"), [(1, 1), (2, 3), (3, 4)])
def test_units_a_battalion_of_three_points_has_four_stands(strength: int, wanted: int) -> None:
    assert [one.stands for one in units(troop(1, TroopKind.INFANTRY, strength=strength))] == [
        wanted
    ]


@pytest.mark.parametrize(("strength", "wanted"), [(4, 3), (8, 6)])
def test_units_four_points_are_a_warband_of_three_and_eight_a_large_one(
    strength: int, wanted: int
) -> None:
    assert [one.stands for one in warbands(strength)] == [wanted]


def test_single_bands_join_into_large_warbands_and_the_odd_ones_stay_small() -> None:
    found = warbands(*[1] * 10)
    assert [one.stands for one in found] == [6, 2]
    assert {one.weapon for one in found} == {Weapon.SPEARS}
    assert {one.formation for one in found} == {TableFormation.MASS}


def test_a_unit_stronger_than_a_battalion_fights_as_several() -> None:
    assert [one.stands for one in units(troop(1, TroopKind.INFANTRY, strength=8))] == [4, 4, 3]


@pytest.mark.parametrize(("side", "score"), list(product(Side, range(1, 7))))
def test_scenarios_the_generators_armies_have_the_stands_of_the_book(
    side: Side, score: int
) -> None:
    found = muster(generate_brief(score, score)).of(side)
    wanted = sorted((unit.name, unit.stands) for unit in army(side, score))
    assert sorted((unit.name, unit.stands) for unit in found) == wanted


@pytest.mark.parametrize(
    ("kind", "nation", "quality", "troops", "weapon"),
    [
        (TroopKind.INFANTRY, Nation.BRITISH, Quality.VETERAN, Troops.BRITISH, Weapon.SINGLE_SHOT),
        (TroopKind.INFANTRY, Nation.INDIAN, Quality.LINE, Troops.INDIAN, Weapon.SINGLE_SHOT),
        (TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.VETERAN, Troops.SUDANESE, Weapon.SINGLE_SHOT),
        (TroopKind.INFANTRY, Nation.EGYPTIAN, Quality.RABBLE, Troops.IRREGULAR, Weapon.SINGLE_SHOT),
        (TroopKind.CAVALRY, Nation.EGYPTIAN, Quality.RABBLE, Troops.IRREGULAR, Weapon.NONE),
        (TroopKind.CAVALRY, Nation.BRITISH, Quality.VETERAN, Troops.BRITISH, Weapon.NONE),
        (TroopKind.GUN, Nation.EGYPTIAN, Quality.LINE, Troops.EGYPTIAN, Weapon.RIFLED),
        (TroopKind.SPEARS, Nation.EGYPTIAN, Quality.RABBLE, Troops.NATIVE, Weapon.SPEARS),
    ],
)
def test_units_whom_the_book_would_call_what(
    kind: TroopKind, nation: Nation, quality: Quality, troops: Troops, weapon: Weapon
) -> None:
    (found,) = units(troop(1, kind, nation, quality=quality))
    assert (found.troops, found.weapon) == (troops, weapon)


def test_names_tell_machine_guns_squadrons_and_mounted_infantry() -> None:
    gun = units(troop(1, TroopKind.GUN, name="Naval Gardners"))
    assert gun[0].kind is pieces.Kind.MACHINE_GUNS
    squadron = troop(1, TroopKind.CAVALRY, Nation.EGYPTIAN, 1, name="A squadron")
    assert [one.stands for one in units(squadron)] == [1]
    mounted = units(troop(1, TroopKind.CAVALRY, strength=2, name="Mounted Infantry"))
    assert mounted[0].weapon is Weapon.SINGLE_SHOT


def test_who_comes_disrupted_has_half_of_his_stands_and_keeps_to_himself() -> None:
    found = units(
        troop(1, TroopKind.INFANTRY, strength=3),
        troop(2, TroopKind.INFANTRY, strength=3, disrupted=True),
    )
    assert sorted((one.stands, one.full) for one in found) == [(2, 4), (4, 4)]


def test_the_leader_of_greatest_value_is_commander_in_chief() -> None:
    found = mustered(
        troop(1, TroopKind.INFANTRY),
        troop(2, TroopKind.LEADER, strength=0, name="Davis"),
        troop(3, TroopKind.LEADER, strength=0, name="Graham", tactical=1),
    ).commanders
    mine = [one for one in found if one.side is Side.EGYPTIAN]
    assert [(one.name, one.chief) for one in mine] == [("Graham", True), ("Davis", False)]
    assert all(one.unit for one in mine)


def test_a_side_without_leaders_has_a_commander_in_chief_without_a_stand() -> None:
    chief = mustered(troop(1, TroopKind.INFANTRY)).commanders[0]
    assert chief.chief
    assert not chief.unit


def test_craft_come_where_there_is_water_for_them() -> None:
    boat = troop(2, TroopKind.GUNBOAT, Nation.EGYPTIAN, 0, quality=Quality.NONE)
    foot = troop(1, TroopKind.INFANTRY)
    assert len(units(foot, boat)) == 1
    assert pieces.Kind.GUNBOAT in {one.kind for one in units(foot, boat, ground=NILE)}


@given(st.integers(0, 10**6))
def test_every_unit_of_the_brief_stands_for_itself_once(seed: int) -> None:
    brief = random_brief(seed)
    army_ = muster(brief)
    members = [one.id for body, _ in army_.parts for one in body.members]
    assert len(members) == len(set(members))
    assert set(members) <= {one.id for one in brief.troops()}
    assert set(army_.drawn_from) == {unit.id for unit in army_.units}
    assert all(1 <= unit.stands <= unit.full <= 6 for unit in army_.units)


def test_stands_are_in_proportion_and_one_at_least() -> None:
    row = scale(troop(1, TroopKind.SPEARS, Nation.MAHDIST))
    assert [stands_for_strength(row, strength) for strength in range(9)] == [
        1,
        1,
        2,
        2,
        3,
        4,
        5,
        5,
        6,
    ]
