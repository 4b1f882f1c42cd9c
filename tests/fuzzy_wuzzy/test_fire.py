"""Sections 7 to 10: ranges, gradings, fire."""

from itertools import product
from typing import Any

import pytest

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board, firing
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import ToFire
from battles.books.fuzzy_wuzzy.aftermath import place_casualties
from battles.books.fuzzy_wuzzy.pieces import Arm, Band, Combat, Grading, Style, Weapon
from battles.books.fuzzy_wuzzy.play import rules
from battles.books.fuzzy_wuzzy.state import State, Volley
from battles.core.dice import ScriptedDice
from battles.core.game import Step
from tests.fuzzy_wuzzy.field import (
    EGYPTIAN,
    battle,
    carried_out,
    happened,
    line,
    order,
    point,
    spears,
    unit,
    wood,
)

LIGHT, MEDIUM, HEAVY = Grading
SHORT = {
    LIGHT: {"single-shot rifles": 500, "magazine rifles": 750},
    MEDIUM: {"machine guns": 1000, "mountain artillery": 1250, "field artillery": 1500},
    HEAVY: {"heavy artillery": 2500, "medium artillery": 2000},
}
"""By attack grading how far short range goes, in hundredths of a centimetre.

Effective range goes three times as far, long range six times.
"""
RANGES = {weapon: far for weapons in SHORT.values() for weapon, far in weapons.items()}
GRADINGS = {weapon: grading for grading, weapons in SHORT.items() for weapon in weapons}
FIRE = {
    "light": ("---", "1--", "21-", "321"),
    "medium": ("1--", "21-", "321", "432"),
    "heavy": ("11-", "221", "332", "443"),
}
"""Casualties on light, medium and heavy for the four scores, by the attack grading."""
LOWEST = {Style.REGULAR: 2, Style.IRREGULAR: 3}


@pytest.mark.parametrize("weapon", list(RANGES))
def test_weapon_ranges_1_bands_end_where_the_table_says(weapon: str) -> None:
    short, of = RANGES[weapon], Weapon(weapon)
    effective, far = 3 * short, 6 * short
    assert [firing.range_band(of, one) for one in (0, short)] == [Band.SHORT] * 2
    assert [firing.range_band(of, one) for one in (short + 1, effective)] == [Band.EFFECTIVE] * 2
    assert [firing.range_band(of, one) for one in (effective + 1, far)] == [Band.LONG] * 2
    assert firing.range_band(of, far + 1) is None
    assert firing.range_limits(of) == far


def test_weapon_ranges_1_spears_carry_nowhere() -> None:
    assert firing.range_band(Weapon.NONE, 0) is None
    assert firing.range_limits(Weapon.NONE) == 0


@pytest.mark.parametrize("weapon", list(GRADINGS))
def test_attack_gradings_1(weapon: str) -> None:
    assert firing.attack_grading(Weapon(weapon)) == GRADINGS[weapon]


@pytest.mark.parametrize("weapon", list(GRADINGS))
def test_attack_gradings_2_adjustments(weapon: str) -> None:
    assert [firing.adjustment(Weapon(weapon), band) for band in Band] == [0, -1, -2]


@pytest.mark.parametrize(
    ("band", "casualties"), [(Band.SHORT, 6), (Band.EFFECTIVE, 3), (Band.LONG, 1)]
)
def test_attack_gradings_2_each_die_is_adjusted(band: Band, casualties: int) -> None:
    dice = (3, 4, 5)
    found = firing.casualties_of(Style.REGULAR, Weapon.SINGLE_SHOT, dice, at=band)
    assert found == casualties


@pytest.mark.parametrize(
    ("where", "grading"),
    [("open", "light"), ("field fortifications", "medium"), ("permanent fortifications", "heavy")],
)
def test_defence_gradings_1(where: str, grading: str) -> None:
    assert firing.defence_grading(where) == grading


def test_defence_gradings_1_what_is_a_fortification() -> None:
    ground = (
        wood(0, 0, 20, 20, "fort"),
        wood(30, 0, 50, 20, "buildings"),
        wood(60, 0, 80, 20, "scrub"),
        line("trench", (90, 14), (110, 14)),
    )
    field = battle(features=ground).field
    found = [board.shelter(field, point(x, 60), point(x, 10)) for x in (10, 40, 70, 100)]
    works = "field fortifications"
    assert found == ["permanent fortifications", works, "open", works]
    assert board.shelter(field, point(100, 0), point(100, 10)) == "open"


@pytest.mark.parametrize("arm", [Arm.INFANTRY, Arm.CAVALRY])
def test_fire_combat_1_a_die_for_each_stand(arm: Arm) -> None:
    assert [firing.dice_of(arm, figures) for figures in (0, 1, 2)] == [0, 1, 1]


@pytest.mark.parametrize("arm", [Arm.ARTILLERY, Arm.MACHINE_GUN])
def test_fire_combat_2_a_die_for_each_of_the_crew(arm: Arm) -> None:
    assert [firing.dice_of(arm, figures) for figures in (0, 1, 2)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("style", "attack", "nth", "against"), list(product(Style, Grading, range(4), range(3)))
)
def test_fire_combat_3_casualties(style: Style, attack: Grading, nth: int, against: int) -> None:
    score, defence = LOWEST[style] + nth, list(Grading)[against]
    wanted = int(FIRE[attack][nth][against].replace("-", "0"))
    assert firing.casualties(style, attack, defence, score) == wanted


@pytest.mark.parametrize(("style", "attack"), list(product(Style, Grading)))
def test_fire_combat_3_lower_scores_do_nothing(style: Style, attack: Grading) -> None:
    scores = range(-1, LOWEST[style])
    assert not any(
        firing.casualties(style, attack, grading, score) for grading in Grading for score in scores
    )


@pytest.mark.parametrize(
    ("markers", "casualties", "after", "lost"),
    [
        ((0, 0, 0), 1, (1, 0, 0), 0),
        ((1, 0, 0), 1, (1, 1, 0), 0),
        ((0, 0), 3, (2, 1), 0),
        ((2, 2), 1, (2,), 1),
        ((2, 1), 2, (2,), 1),
        ((2,), 1, (), 1),
        ((), 1, (), 0),
    ],
)
def test_fire_combat_4_markers(
    markers: tuple[int, ...], casualties: int, after: tuple[int, ...], lost: int
) -> None:
    assert place_casualties(markers, casualties) == (after, lost)


def test_fire_combat_4_a_commander_has_one_figure() -> None:
    assert place_casualties((0,), 1, 1) == ((1,), 0)
    assert place_casualties((0,), 2, 1) == ((), 1)


def ordered(distance: float, **more: Any) -> State:
    """Return a battalion ordered to fire at spears so many centimetres before it, edge to edge."""
    return battle(
        unit(1, "british", "infantry", (50, 60)),
        spears(2, (50, 60 - 2.5 - distance), 180),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN, (1,)),
        **more,
    )


@pytest.mark.parametrize(
    ("distance", "band"), [(3, Band.SHORT), (12, Band.EFFECTIVE), (25, Band.LONG)]
)
def test_fire_combat_1_a_battalion_fires(distance: float, band: Band) -> None:
    state = ordered(distance)
    outcome = rules.play(state, a.Fire(1, 2), ScriptedDice(6, 6, 6, 6, 6, 6))
    (fired,) = [event for event in outcome.events if isinstance(event, e.Fired)]
    assert (fired.band, len(fired.stands)) == (band, 6)
    each = {Band.SHORT: 3, Band.EFFECTIVE: 2, Band.LONG: 1}[band]
    assert fired.casualties >= 6 * each


def test_fire_combat_1_out_of_range_or_behind_nobody_fires() -> None:
    assert not firing.firers(ordered(31), EGYPTIAN)
    state = ordered(10)
    state.units[1].facing = 180
    assert not firing.firers(state, EGYPTIAN)


def test_fire_combat_1_only_the_head_of_a_column_fires() -> None:
    state = ordered(10)
    (whole,) = firing.shots(state, EGYPTIAN)
    state.units[1].formation = unit(
        1, "british", "infantry", (0, 0), formation="march column"
    ).formation
    (head,) = firing.shots(state, EGYPTIAN)
    assert (whole.dice, head.dice) == (6, 1)


def test_fire_combat_1_the_wounded_do_not_fire() -> None:
    state = ordered(10)
    state.units[1].markers = (2, 2, 2, 2, 1, 0)
    (shot,) = firing.shots(state, EGYPTIAN)
    assert (shot.dice, shot.stands) == (2, (4, 5))


def test_fire_combat_1_a_stand_fires_once() -> None:
    state = ordered(10)
    state.fired = {1: (0, 1, 2)}
    (shot,) = firing.shots(state, EGYPTIAN)
    assert shot.stands == (3, 4, 5)


def test_fire_combat_1_a_square_fires_to_every_side() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60), stands=8, formation="square"),
        spears(2, (50, 45), 180),
        spears(3, (70, 60), 270),
        spears(4, (50, 75), 0),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN, (1,)),
    )
    shots = list(firing.shots(state, EGYPTIAN))
    assert {shot.target for shot in shots} == {2, 3, 4}
    assert {shot.dice for shot in shots} == {2}


def test_fire_combat_1_woods_and_friends_hide_the_enemy() -> None:
    assert not firing.firers(ordered(20, features=(wood(30, 45, 70, 52),)), EGYPTIAN)
    state = ordered(20)
    state.units[3] = unit(3, "british", "infantry", (50, 50))
    assert not firing.firers(state, EGYPTIAN)


def test_fire_combat_1_nobody_fires_into_a_close_combat_of_friends() -> None:
    state = ordered(12)
    state.units[3] = unit(3, "british", "command", (50, 48))
    assert board.contacts(state.units[3], state.units[2])
    state.closed = [3, 2]
    assert not firing.firers(state, EGYPTIAN)


def test_fire_combat_1_who_has_sprung_up_in_this_move_is_no_target() -> None:
    state = ordered(10)
    state.surprises = [2]
    assert not firing.firers(state, EGYPTIAN)


def test_fire_combat_1_in_contact_a_unit_fires_at_him_alone_and_only_in_the_first_move() -> None:
    state = ordered(0)
    state.units[3] = spears(3, (70, 50), 180)
    state.closed = [2, 1]
    assert {shot.target for shot in firing.shots(state, EGYPTIAN)} == {2}
    state.engaged = [1, 2]
    assert not firing.firers(state, EGYPTIAN)


def test_fire_combat_2_guns_in_play() -> None:
    state = battle(
        unit(1, "british", "artillery", (50, 60), markers=(0, 1)),
        spears(2, (50, 45), 180),
        orders=order(1, combat="fire"),
        question=ToFire(EGYPTIAN, (1,)),
    )
    outcome = rules.play(state, a.Fire(1, 2), ScriptedDice(6, 6, 6))
    (fired,) = [event for event in outcome.events if isinstance(event, e.Fired)]
    assert fired.casualties == 3 * 4


def test_attack_gradings_2_the_roll_counts_the_adjustment_of_every_die() -> None:
    state = ordered(30)
    [roll] = rules.play(state, a.Fire(1, 2), ScriptedDice(3, 4, 5, 6)).rolls
    assert roll.dice == (3, 4, 4, 5)
    assert [(one.value, one.reason) for one in roll.modifiers] == [
        (-8, "long range, −2 on each die")
    ]
    assert (roll.total, roll.result) == (8, "1 casualty, light target")


def test_fire_combat_3_works_shelter_the_target() -> None:
    state = ordered(3, features=(line("trench", (30, 56), (70, 56)),))
    state.units[2].at = point(50, 54)
    outcome = rules.play(state, a.Fire(1, 2), ScriptedDice(6, 6, 6, 6, 6, 6))
    (fired,) = [event for event in outcome.events if isinstance(event, e.Fired)]
    assert fired.casualties == 6 * 2


def test_fire_combat_4_casualties_of_both_sides_are_placed_together() -> None:
    state = battle(
        unit(1, "british", "infantry", (50, 60), markers=(0,)),
        spears(2, (50, 50), markers=(0,)),
        combat=Combat.FIRE,
        volleys=[Volley(1, 2, 3), Volley(2, 1, 2), Volley(9, 2, 0)],
    )
    made = carried_out(state, Step("casualties"))
    assert state.units[1].markers == (2,)
    assert [unit_.id for unit_ in state.lost] == [2]
    assert happened(made, e.Lost)[0].cause == "casualties"
