"""From the battlefield back: losses as fates of campaign units, and who has won."""

from functools import partial
from typing import Any

from battles.books.fuzzy_wuzzy.muster import bodies, muster
from battles.books.fuzzy_wuzzy.pieces import Arm, Weapon
from battles.books.fuzzy_wuzzy.registration import engine
from battles.books.fuzzy_wuzzy.state import State
from battles.contract import Fate, Nation, Side, TroopKind
from battles.contract.report import BattleResult
from tests.books import aftermath
from tests.books.aftermath import number_of, two_battalions
from tests.redcoats_commander.armies import meeting, troop

report = engine.report
fates = partial(aftermath.fates, engine)


def ended(how: str = "nightfall", winner: Side | None = None, **changes: Any) -> State:
    """Return two British battalions of 3 (one disrupted), guns and Graham before nine spears, at
    the end.

    `markers`: what is left of units by number; `away`: who has left; `routed`: who is in retreat.
    """
    state = engine.drawn_up(two_battalions(9))
    for number, markers in changes.get("markers", {}).items():
        state.units[number].markers = markers
        if not markers:
            state.lost.append(state.units.pop(number))
    for number in changes.get("away", ()):
        state.left.append(state.units.pop(number))
    for number in changes.get("routed", ()):
        state.units[number].retreating = True
    state.result = BattleResult(winner, how, "The day is over.")
    return state


def test_who_has_lost_nothing_comes_back_as_he_came() -> None:
    found = fates(ended())
    assert found.pop(2) is Fate.DISRUPTED
    assert set(found.values()) == {Fate.GOOD}


def test_a_unit_that_is_no_more_is_eliminated() -> None:
    number = number_of(ended(), 1)
    assert fates(ended(markers={number: ()}))[1] is Fate.ELIMINATED


def test_half_of_the_wounded_count_as_lost() -> None:
    """Of six stands two are lost and four figures wounded: half of the strength, of 3 points."""
    number = number_of(ended(), 1)
    assert fates(ended(markers={number: (1, 1, 1, 1)}))[1] is Fate.GOOD
    assert fates(ended(markers={number: (2, 2, 2)}))[1] is Fate.DISRUPTED


def test_losses_of_rubs_are_whole_units() -> None:
    state = ended()
    rub = number_of(state, 10)
    found = fates(ended(markers={rub: (0,)}))
    gone = [number for number in range(10, 19) if found[number] is Fate.ELIMINATED]
    assert len(gone) == 2


def test_9_7_in_retreat_is_disrupted_and_the_second_time_eliminated() -> None:
    state = ended()
    routed = (number_of(state, 1), number_of(state, 2))
    found = fates(ended(routed=routed))
    assert (found[1], found[2]) == (Fate.DISRUPTED, Fate.ELIMINATED)


def test_who_was_driven_from_the_field_is_disrupted() -> None:
    number = number_of(ended(), 1)
    assert fates(ended(away=(number,)))[1] is Fate.DISRUPTED


def test_a_leader_falls_with_his_stand() -> None:
    number = number_of(ended(), 4)
    assert fates(ended(markers={number: ()}))[4] is Fate.ELIMINATED
    assert fates(ended(markers={number: (1,)}))[4] is Fate.GOOD


def test_9_8_who_breaks_off_has_lost() -> None:
    assert report(ended("broke off", Side.EGYPTIAN)).winner is Side.EGYPTIAN
    assert report(ended()).winner is None


def test_a_battalion_of_3_is_six_stands_and_a_rub_of_3_is_three() -> None:
    state = ended()
    assert state.units[number_of(state, 1)].stands == 6
    assert state.units[number_of(state, 10)].stands == 3


def test_who_comes_disrupted_has_a_casualty_on_every_other_stand() -> None:
    state = ended()
    assert state.units[number_of(state, 2)].markers == (1, 0, 1, 0, 1, 0)


def test_playing_pieces_arms_and_weapons() -> None:
    brief = meeting(
        [
            troop(1, TroopKind.GUN, name="Naval Gardner"),
            troop(2, TroopKind.GUN),
            troop(3, TroopKind.GUN, Nation.EGYPTIAN),
            troop(4, TroopKind.CAMEL_CORPS, strength=2),
            troop(5, TroopKind.GUNBOAT),
            troop(6, TroopKind.CIVILIANS, strength=0),
        ],
        [
            troop(10, TroopKind.INFANTRY, Nation.MAHDIST, 3),
            troop(11, TroopKind.CAVALRY, Nation.MAHDIST, 2),
        ],
        attacker=Side.MAHDIST,
    )
    army = muster(brief)
    of = {army.drawn_from[unit.id]: unit for unit in army.units}
    weapons = [of[(number,)].weapon for number in (1, 2, 3, 4, 10, 11)]
    assert weapons == [
        Weapon.MACHINE_GUN,
        Weapon.FIELD,
        Weapon.MOUNTAIN,
        Weapon.SINGLE_SHOT,
        Weapon.SINGLE_SHOT,
        Weapon.NONE,
    ]
    assert (of[(4,)].camels, of[(4,)].dismounted, of[(6,)].arm) == (True, True, Arm.TRANSPORT)
    assert (5,) not in of
    assert {unit.side for unit in army.units if unit.arm is Arm.COMMAND} == set(Side)


def test_a_host_comes_in_bodies_twice_as_large() -> None:
    few, many = (
        meeting(
            [troop(1, TroopKind.INFANTRY, strength=3)],
            [troop(number, TroopKind.SPEARS, Nation.MAHDIST) for number in range(10, 10 + count)],
            attacker=Side.MAHDIST,
        )
        for count in (12, 120)
    )
    assert {body.strength for body in bodies(few, Side.MAHDIST)} == {3}
    assert {body.strength for body in bodies(many, Side.MAHDIST)} == {6}
