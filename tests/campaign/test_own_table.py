"""A brief decided by the campaign's own combat table, with no campaign round about it."""

import pytest

from battles.contract import Brief, Fate, Nation, Side, TroopKind, conserve
from battles.contract.brief import BriefGround
from battles.core.dice import ChainedDice, ScriptedDice, derive_key
from battles.simulation import strength_lost
from campaign.rules.core.state import COMBAT_TABLE
from campaign.rules.map import PlaceClass, Relief, sudan
from campaign.simulations.battle_comparison import field_of, fight_by_table
from tests.redcoats_commander.armies import HISTORY, meeting, random_brief, troop, written


def dice(number: int) -> ChainedDice:
    return ChainedDice(derive_key(b"own table", number))


@pytest.mark.parametrize("slug", HISTORY)
def test_every_battle_of_history_comes_to_an_end_that_adds_up(slug: str) -> None:
    brief = written(slug).brief
    report = fight_by_table(brief, dice(1))
    conserve(brief, report)
    assert report.book == COMBAT_TABLE
    assert report == fight_by_table(brief, dice(1))


@pytest.mark.parametrize("seed", range(60))
def test_any_brief_at_all_can_be_decided(seed: int) -> None:
    brief = random_brief(seed)
    conserve(brief, fight_by_table(brief, dice(seed)))


def six_against(rifles: int) -> Brief:
    spears = [troop(number, TroopKind.SPEARS, Nation.MAHDIST) for number in range(1, 7)]
    foot = [troop(10 + number, TroopKind.INFANTRY, strength=3) for number in range(rifles)]
    return meeting(foot, spears, attacker=Side.MAHDIST)


def test_9_4_fire_comes_before_melee_and_both_sides_test() -> None:
    """Nobody has rifles but the British: fire tests the Mahdists alone, melee both."""
    thrown = ScriptedDice(1, 1, 1, 1, 6, 6)
    fight_by_table(six_against(2), thrown)
    assert thrown.left == 0


def test_9_5_low_dice_destroy_and_high_ones_spare() -> None:
    brief = six_against(2)
    spared = fight_by_table(brief, ScriptedDice(6, 6, 6, 6, 6, 6))
    ruined = fight_by_table(brief, ScriptedDice(1, 1, 1, 1, 6, 6))
    lost = [strength_lost(brief, one, Side.MAHDIST) for one in (spared, ruined)]
    assert lost[0] < lost[1]


def test_7_2_leaders_fall_with_the_last_of_those_they_led() -> None:
    spears = [troop(number, TroopKind.SPEARS, Nation.MAHDIST) for number in range(1, 30)]
    alone = [troop(50, TroopKind.INFANTRY, Nation.EGYPTIAN, disrupted=True)]
    leader = troop(51, TroopKind.LEADER, strength=0, name="Nobody in the book", tactical=1)
    brief = meeting([*alone, leader], spears, attacker=Side.MAHDIST)
    fates = {fight_by_table(brief, dice(n)).fates[50] for n in range(20)}
    for number in range(20):
        report = fight_by_table(brief, dice(number))
        assert report.fates[51] == (
            Fate.ELIMINATED if report.fates[50] is Fate.ELIMINATED else Fate.GOOD
        )
    assert Fate.ELIMINATED in fates


@pytest.mark.parametrize(
    ("ground", "relief", "place"),
    [
        (BriefGround(), Relief.FLAT, None),
        (BriefGround(relief="hill"), Relief.HILL, None),
        (BriefGround(relief="mountain"), Relief.MOUNTAIN, None),
        (BriefGround(settlement="town", place="Berber"), None, PlaceClass.TOWN),
        (BriefGround(settlement="village"), None, PlaceClass.VILLAGE),
    ],
)
def test_the_field_is_a_hex_of_that_ground(ground, relief, place) -> None:
    brief = meeting(
        [troop(1, TroopKind.INFANTRY)],
        [troop(2, TroopKind.SPEARS, Nation.MAHDIST)],
        attacker=Side.MAHDIST,
        ground=ground,
    )
    chart = sudan()
    attacker, defender = field_of(brief)
    here = chart.hexes[defender]
    assert attacker in chart.neighbours[defender]
    assert relief is None or here.relief is relief
    assert (chart.places[here.place].kind if here.place and place else None) is place


def test_men_who_fight_for_the_other_side_stand_on_it() -> None:
    """The Egyptian army of 1882 fought the British: its battle is one of two sides."""
    brief = written("night-march-to-the-canal").brief
    winners = {fight_by_table(brief, dice(number)).winner for number in range(30)}
    assert Side.EGYPTIAN in winners
