"""Close combat: contact, the first round, further rounds, who is involved."""

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import charging, close_combat
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import foes, stands_of
from battles.books.restless_natives.close_combat import destroyed_stands, dice, involved_stands
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Special, Weapon
from battles.books.restless_natives.state import Contact, State
from battles.books.restless_natives.turn_form import turn_form
from battles.contract.brief import Side
from battles.core.game import IllegalAction
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TOUCH, gap
from battles.turn_form import QuestionKind
from tests.restless.field import (
    EAST,
    INCH,
    NORTH,
    SOUTH,
    act,
    activated,
    at,
    battle,
    british,
    line,
    natives,
    table,
)

NATIVE_DICE = (5, 4, 3, 3, 2, 2, 2, 2, 2, 1, 1, 1)
BRITISH_DICE = (6, 2, 2, 1)
BOTH_PASS = (6, 6, 6, 6, 6, 6, 6, 6)


def warband_before_battalion(**more: object) -> State:
    """Return a large warband in mass five inches before a British battalion in line."""
    return battle(natives(2, at(24, 14)), british(1, at(24, 19.3)), **more)  # type: ignore[arg-type]


def charged(
    state: State, unit: int, foe: int, *faces: int, thrown: tuple[int, ...]
) -> list[object]:
    """The unit is activated, throws for a move and goes in; what has happened."""
    activated(state, unit)
    act(state, a.March(), *thrown)
    return list(act(state, a.Charge(foe), *faces).events)


def test_close_combat_example_1() -> None:
    assert dice(6, initiates=True, first=True) == 12
    assert dice(4, initiates=False, first=True) == 4
    assert (destroyed_stands(NATIVE_DICE), destroyed_stands(BRITISH_DICE)) == (1, 1)
    state = warband_before_battalion()
    events = charged(state, 2, 1, *NATIVE_DICE, *BRITISH_DICE, *BOTH_PASS, thrown=(6, 6, 6))
    assert [type(event) for event in events][:3] == [e.Charged, e.CombatFought, e.StandsLost]
    assert (state.units[2].stands, state.units[1].stands) == (5, 3)


def test_close_combat_example_2() -> None:
    assert dice(3, initiates=True, first=False) == 3
    assert dice(5, initiates=False, first=False) == 5
    assert (destroyed_stands((6, 4, 1)), destroyed_stands((5, 5, 4, 3, 2))) == (1, 2)
    state = warband_before_battalion()
    charged(state, 2, 1, *NATIVE_DICE, *BRITISH_DICE, *BOTH_PASS, thrown=(6, 6, 6))
    activated(state, 1)
    act(state, a.Fight(2), 6, 4, 1, 5, 5, 4, 3, 2, 6, 6, 6, 6, 6, 3, 3, 3, 3)
    assert state.lost == {}
    assert (state.units[2].stands, state.units[1].stands) == (4, 1)


def test_close_combat_example_3() -> None:
    assert dice(4, initiates=True, first=True) == 8
    assert dice(6, initiates=False, first=True) == 6
    horse, warband = (6, 6, 4, 4, 3, 1, 1, 1), (6, 5, 4, 2, 1, 1)
    assert (destroyed_stands(horse), destroyed_stands(warband)) == (2, 2)
    state = battle(
        british(1, at(24, 19), kind=Kind.CAVALRY, weapon=Weapon.SPEARS), natives(3, at(24, 14))
    )
    charged(state, 1, 3, *horse, *warband, *(6, 6, 6, 6), *(4, 4), thrown=(6,))
    assert (state.units[1].stands, state.units[3].stands) == (2, 4)


def test_close_combat_1_contact_is_stand_to_stand() -> None:
    state = warband_before_battalion()
    charged(state, 2, 1, *(1,) * 12, *(1,) * 4, thrown=(6, 6, 6))
    assert gap(stands_of(state.units[1]), stands_of(state.units[2])) <= TOUCH
    assert state.contacts == [Contact(2, 1)]
    assert [foe.id for foe in foes(state, state.units[1])] == [2]


def test_close_combat_1_a_unit_comes_up_flush_with_as_many_stands_as_it_can() -> None:
    state = battle(natives(2, at(17, 13), EAST), british(1, at(24, 19), stands=6))
    found = charging.attack(state, state.units[2], state.units[1], most=20 * INCH, rough=20 * INCH)
    assert found is not None
    assert found.facing == SOUTH
    state.units[2].at, state.units[2].facing = found.at, found.facing
    assert involved_stands(stands_of(state.units[2]), stands_of(state.units[1])) == (6, 5)


def test_close_combat_1_from_the_side_it_strikes_the_flank() -> None:
    state = battle(natives(2, at(10, 19.2), EAST), british(1, at(24, 19)))
    found = charging.attack(state, state.units[2], state.units[1], most=20 * INCH, rough=20 * INCH)
    assert found is not None
    assert found.facing == EAST
    state.units[2].at, state.units[2].facing = found.at, found.facing
    assert involved_stands(stands_of(state.units[1]), stands_of(state.units[2]))[0] == 2


def test_close_combat_2_who_initiates_throws_two_dice_a_stand_in_the_first_round() -> None:
    assert [dice(stands, initiates=True, first=True) for stands in range(1, 7)] == [
        2,
        4,
        6,
        8,
        10,
        12,
    ]


def test_close_combat_2_a_heroic_card_adds_dice_to_every_stand() -> None:
    assert dice(6, initiates=True, first=True, card=Special.COMBAT) == 18
    assert dice(6, initiates=True, first=True, card=Special.COMBAT_2) == 24
    assert dice(3, initiates=True, first=False, card=Special.COMBAT_2) == 9
    assert dice(3, initiates=True, first=False, card=Special.FIREPOWER) == 3


def test_close_combat_3_who_is_engaged_throws_one_die_a_stand() -> None:
    assert [dice(stands, initiates=False, first=True) for stands in range(1, 7)] == [
        1,
        2,
        3,
        4,
        5,
        6,
    ]


def test_close_combat_3_only_stands_that_are_involved_throw() -> None:
    column = natives(2, at(24, 14), formation=TableFormation.COLUMN, stands=3)
    state = battle(column, british(1, at(24, 19.3)))
    activated(state, 2)
    act(state, a.March(), 6, 6)
    outcome = act(state, a.Charge(1), *(1,) * 4, *(1,) * 4)
    assert [len(roll.dice) for roll in outcome.rolls] == [4, 4]


def test_close_combat_3_of_a_square_the_rear_is_not_involved() -> None:
    square = british(1, at(24, 20), formation=TableFormation.SQUARE)
    state = battle(natives(2, at(24, 14)), square)
    found = charging.attack(state, state.units[2], state.units[1], most=20 * INCH, rough=20 * INCH)
    assert found is not None
    state.units[2].at, state.units[2].facing = found.at, found.facing
    assert involved_stands(stands_of(state.units[1]), stands_of(state.units[2]))[0] == 3


def test_close_combat_4_a_five_or_a_six_destroys_a_stand() -> None:
    assert [destroyed_stands((face,)) for face in range(1, 7)] == [0, 0, 0, 0, 1, 1]


def test_close_combat_4_no_more_are_destroyed_than_there_are() -> None:
    state = battle(natives(2, at(24, 14)), british(1, at(24, 19.3), stands=1))
    charged(state, 2, 1, *(6,) * 12, 1, thrown=(6, 6, 6))
    assert state.lost[1].stands == 0
    assert state.contacts == []


def test_close_combat_4_the_odds_count_no_more_stands_than_there_are() -> None:
    state = battle(natives(2, at(24, 14)), british(1, at(24, 19.3), stands=1))
    act(activated(state, 2), a.March(), 6, 6, 6)
    form = turn_form(state, Side.MAHDIST)
    assert form is not None
    charge = next(choice for choice in form.choices if choice.kind is QuestionKind.CHARGE)
    assert charge.chance == pytest.approx((1 - (2 / 3) ** 12) * 2 / 3)
    assert charge.detail == (
        "66% to destroy more than it loses (12D6 against 1D6); average 1.0 against 0.3 stands"
    )


def test_close_combat_5_losses_are_removed_together_and_then_morale_is_tested() -> None:
    state = warband_before_battalion()
    events = charged(state, 2, 1, *NATIVE_DICE, *BRITISH_DICE, *BOTH_PASS, thrown=(6, 6, 6))
    told = [(type(event), getattr(event, "unit", 0)) for event in events]
    assert told[2:6] == [
        (e.StandsLost, 1),
        (e.StandsLost, 2),
        (e.MoraleTested, 1),
        (e.MoraleTested, 2),
    ]


def test_close_combat_5_who_fails_falls_back_out_of_contact() -> None:
    state = warband_before_battalion()
    charged(state, 2, 1, *NATIVE_DICE, *(1,) * 4, *(1, 1, 1), *(3, 3, 3, 3), thrown=(6, 6, 6))
    assert state.contacts == []
    assert gap(stands_of(state.units[1]), stands_of(state.units[2])) > 11 * INCH


def engaged() -> State:
    """Return a battalion and a warband that have fought a first round without loss."""
    state = warband_before_battalion()
    charged(state, 2, 1, *(1,) * 12, *(1,) * 4, thrown=(6, 6, 6))
    return activated(state, 1)


def test_close_combat_6_a_unit_in_contact_must_fight_when_it_is_activated() -> None:
    state = engaged()
    offered = options(state)
    assert offered is not None
    assert (offered.done, offered.foes, offered.marches, offered.volleys) == (False, (2,), 0, 0)
    for action in (a.Done(), a.March(), a.Fire((2,)), a.Form(TableFormation.SQUARE)):
        with pytest.raises(IllegalAction, match="close combat"):
            act(state, action)
    act(state, a.Fight(2), *(1,) * 4, *(1,) * 6)
    assert state.acting is None


def test_close_combat_7_both_throw_one_die_a_stand_in_further_rounds() -> None:
    outcome = act(engaged(), a.Fight(2), *(1,) * 4, *(1,) * 6)
    assert [(len(roll.dice), roll.clause) for roll in outcome.rolls] == [
        (4, "Close combat 7"),
        (6, "Close combat 7"),
    ]


def test_close_combat_8_fives_and_sixes_count_again() -> None:
    state = engaged()
    act(state, a.Fight(2), 5, 6, 4, 1, *(1,) * 6, 5, 5, 5, 5)
    assert state.units[2].stands == 4


def test_close_combat_9_losses_of_further_rounds_test_morale_too() -> None:
    state = engaged()
    outcome = act(state, a.Fight(2), 1, 1, 1, 1, 6, 1, 1, 1, 1, 1, 6, 1, 1)
    tested = [event for event in outcome.events if isinstance(event, e.MoraleTested)]
    assert [(one.unit, one.score, one.passed) for one in tested] == [(1, 8, True)]


def test_close_combat_9_who_stays_in_contact_closes_up() -> None:
    square = british(1, at(24, 19), EAST, formation=TableFormation.SQUARE)
    state = battle(natives(2, at(30, 19), 270), square)
    found = charging.attack(state, state.units[2], state.units[1], most=20 * INCH, rough=20 * INCH)
    assert found is not None
    state.units[2].at = found.at
    state.units[1].stands = 1
    state.contacts = [Contact(2, 1)]
    activated(state, 2)
    outcome = act(state, a.Fight(1), *(1,) * 4, 1)
    closed = [event for event in outcome.events if isinstance(event, e.ClosedUp)]
    assert len(closed) == 1
    assert gap(stands_of(state.units[1]), stands_of(state.units[2])) <= TOUCH


def test_close_combat_1_guns_and_transport_do_not_go_in() -> None:
    gun = british(1, at(24, 18), kind=Kind.ARTILLERY, weapon=Weapon.RIFLED, stands=1)
    state = activated(battle(gun, natives(2, at(24, 15))), 1)
    act(state, a.March(), 6)
    with pytest.raises(IllegalAction, match="cannot come into contact"):
        act(state, a.Charge(2))


def test_close_combat_1_an_obstacle_shortens_the_way_in() -> None:
    field = table(line(TableTerrain.ZARIBA, (15, 17), (33, 17)))
    state = warband_before_battalion(field=field)
    activated(state, 2)
    act(state, a.March(), 2, 2, 2)
    with pytest.raises(IllegalAction, match="cannot come into contact"):
        act(state, a.Charge(1))


def test_close_combat_1_an_enemy_in_the_way_shields_another() -> None:
    state = battle(natives(2, at(24, 14)), british(1, at(24, 25)), british(3, at(24, 19), NORTH))
    activated(state, 2)
    act(state, a.March(), 6, 6, 6)
    offered = options(state)
    assert offered is not None
    assert [attack.target for attack in offered.charges] == [3]


def test_close_combat_3_a_second_enemy_touched_is_in_contact_too() -> None:
    state = battle(
        natives(2, at(24, 14)),
        british(1, at(22.5, 19.3), stands=2),
        british(3, at(24.86, 19.3), stands=2),
    )
    charged(state, 2, 1, *(1,) * 12, *(1,) * 2, thrown=(6, 6, 6))
    assert {contact.other for contact in state.contacts} == {1, 3}


def test_close_combat_7_involved_counts_one_at_least() -> None:
    ours, theirs = stands_of(natives(2, at(24, 14))), stands_of(british(1, at(24, 30)))
    assert all(count >= 1 for count in involved_stands(ours, theirs))
    assert close_combat.CAUSE == "close combat"
