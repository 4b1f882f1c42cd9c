"""Firing: reach, front, view, cover, several targets, losses and the roll for morale."""

import re

import pytest

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import events as e
from battles.books.restless_natives import firing
from battles.books.restless_natives.firing import dice, dice_per_stand, weapon_range
from battles.books.restless_natives.options import options
from battles.books.restless_natives.pieces import Kind, Special, Troops, Weapon
from battles.books.restless_natives.state import Contact, State
from battles.core.game import IllegalAction
from battles.tabletop.field import OpenField, TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint
from tests.restless.field import (
    EAST,
    INCH,
    NORTH,
    SOUTH,
    act,
    activated,
    at,
    battle,
    block,
    british,
    line,
    natives,
    table,
)

COVERED = (*[6] * 3, *[5] * 2, *[4] * 2, *[3] * 3, *[2] * 4, *[1] * 2)


def test_firing_example_1() -> None:
    assert dice(Weapon.MAGAZINE, 4, 12 * INCH, volleys=2) == 16
    assert firing.destroyed_stands(COVERED, cover=True) == 1
    wood = block(TableTerrain.WOOD, 20, 4, 28, 9)
    state = battle(
        british(1, at(24, 21), weapon=Weapon.MAGAZINE),
        natives(2, at(24, 8.9), formation=TableFormation.LINE, stands=4),
        field=table(wood),
    )
    outcome = act(activated(state, 1), a.Fire((2,), 2), *COVERED, 6, 6, 6)
    assert state.units[2].stands == 3
    assert [roll.clause for roll in outcome.rolls] == ["Firing 5", "Morale 4"]


def test_firing_example_2() -> None:
    assert dice(Weapon.MUSKETS, 4, 6 * INCH) == 4
    assert firing.destroyed_stands((5, 4, 3, 3)) == 0
    state = battle(
        natives(2, at(24, 10), formation=TableFormation.LINE, weapon=Weapon.MUSKETS, stands=4),
        british(1, at(24, 16), SOUTH),
    )
    activated(state, 2)
    act(state, a.March(), 1)
    act(state, a.Move((), SOUTH))
    act(state, a.Fire((1,)), 5, 4, 3, 3)
    assert state.units[1].stands == 4
    assert state.acting is None


def test_firing_example_3() -> None:
    assert dice(Weapon.SMOOTHBORE, 1, 8 * INCH, volleys=2) == 4
    assert firing.destroyed_stands((6, 6, 4, 2), cover=True) == 1
    assert dice_per_stand(Weapon.SMOOTHBORE, 8 * INCH + 1) == 1


@pytest.mark.parametrize(
    ("weapon", "steps"),
    [
        (Weapon.SPEARS, [(3, 1)]),
        (Weapon.MUSKETS, [(9, 1)]),
        (Weapon.SINGLE_SHOT, [(12, 1)]),
        (Weapon.MAGAZINE, [(15, 2)]),
        (Weapon.MACHINE_GUNS, [(6, 3), (18, 2)]),
        (Weapon.SMOOTHBORE, [(8, 2), (24, 1)]),
        (Weapon.RIFLED, [(12, 3), (36, 2)]),
        (Weapon.NONE, []),
    ],
)
def test_firing_1_ranges_and_dice(weapon: Weapon, steps: list[tuple[int, int]]) -> None:
    edges = [*steps, (100, 0)]
    for (reach, each), (_, beyond) in zip(steps, edges[1:], strict=True):
        assert dice_per_stand(weapon, reach * INCH) == each
        assert dice_per_stand(weapon, reach * INCH + 1) == beyond
    assert weapon_range(weapon) == max((reach for reach, _ in steps), default=0) * INCH


def facing_each_other(field: OpenField | None = None, apart: float = 10) -> State:
    """Return a battalion in line that looks north, and a line of spearmen so many inches
    before it.
    """
    return battle(
        british(1, at(24, 20)),
        natives(2, at(24, 20 - apart - 0.59), formation=TableFormation.LINE, stands=4),
        field=field,
    )


def aim(state: State, unit: int = 1, foe: int = 2) -> firing.Aim:
    return firing.aim(state, state.units[unit], state.units[foe])


def test_firing_1_a_stand_too_far_off_adds_no_dice() -> None:
    state = battle(
        british(1, at(24, 20)), natives(2, at(17.5, 9.5), formation=TableFormation.LINE, stands=1)
    )
    near = [shot.stand for shot in aim(state).shots]
    assert near == [0, 1, 2]
    act(activated(state, 1), a.Fire((2,)), 1, 2, 3)


def test_firing_1_each_gun_measures_for_itself() -> None:
    gun = british(1, at(24, 20), kind=Kind.ARTILLERY, weapon=Weapon.RIFLED, stands=2)
    state = battle(gun, natives(2, at(31.2, 8.9), formation=TableFormation.LINE, stands=1))
    assert [shot.dice for shot in aim(state).shots] == [2, 3]


def test_firing_2_targets_are_within_half_a_right_angle_of_the_front() -> None:
    state = battle(
        british(1, at(24, 20), stands=1),
        natives(2, at(31, 12), formation=TableFormation.LINE, stands=1),
        natives(3, at(34, 19), formation=TableFormation.LINE, stands=1),
        natives(4, at(24, 26), formation=TableFormation.LINE, stands=1),
    )
    assert [one.target for one in firing.possible_targets(state, state.units[1])] == [2]


def test_firing_2_a_square_has_a_target_before_each_face() -> None:
    square = british(1, at(24, 18), formation=TableFormation.SQUARE)
    ring = [at(24, 10), at(33, 18), at(24, 26), at(15, 18)]
    warbands = [
        natives(number + 2, where, formation=TableFormation.LINE, stands=1)
        for number, where in enumerate(ring)
    ]
    state = battle(square, *warbands)
    found = {one.target: len(one.shots) for one in firing.possible_targets(state, state.units[1])}
    assert found == {2: 1, 3: 1, 4: 1, 5: 1}


def test_firing_3_no_aim_through_a_screen_of_men() -> None:
    state = battle(
        british(1, at(24, 20), stands=1),
        natives(2, at(24, 12), formation=TableFormation.LINE, stands=3),
        natives(3, at(24, 10), formation=TableFormation.LINE, stands=1),
    )
    assert [one.target for one in firing.possible_targets(state, state.units[1])] == [2]


def test_firing_3_an_edge_that_shows_is_enough() -> None:
    state = battle(
        british(1, at(24, 20), stands=1),
        natives(2, at(24, 12), formation=TableFormation.LINE, stands=1),
        natives(3, at(25, 10), formation=TableFormation.LINE, stands=1),
    )
    assert [one.target for one in firing.possible_targets(state, state.units[1])] == [2, 3]


def test_firing_3_only_the_first_rank_of_a_mass_takes_part() -> None:
    state = battle(
        british(1, at(24, 20), SOUTH, stands=1),
        natives(2, at(24, 12), weapon=Weapon.SINGLE_SHOT, stands=6),
    )
    assert [shot.stand for shot in aim(state, 2, 1).shots] == [0, 1, 2]
    state.units[1].facing = NORTH
    assert aim(state).open == 3


@pytest.mark.parametrize("kind", [TableTerrain.WALL, TableTerrain.FENCE])
def test_firing_3_walls_and_fences_block_the_view_and_a_trench_does_not(kind: TableTerrain) -> None:
    state = facing_each_other(table(line(kind, (15, 14), (33, 14))))
    assert not aim(state).shots
    assert aim(facing_each_other(table(line(TableTerrain.TRENCH, (15, 14), (33, 14))))).shots


def test_firing_3_a_line_against_a_wall_fires_across() -> None:
    state = facing_each_other(table(line(TableTerrain.WALL, (15, 19.5), (33, 19.5))))
    assert len(aim(state).shots) == 4


def test_firing_3_no_aim_through_a_hill() -> None:
    assert not aim(facing_each_other(table(block(TableTerrain.HILL, 15, 13, 33, 16)))).shots


def test_firing_4_each_six_counts_against_uncovered_men() -> None:
    state = facing_each_other()
    outcome = act(activated(state, 1), a.Fire((2,)), 6, 6, 5, 1, 6, 6, 1, 1, 1, 1)
    assert state.units[2].stands == 2
    assert outcome.rolls[0].result == "2 destroyed"
    assert firing.destroyed_stands((6, 6, 6, 1)) == 3


def test_firing_4_losses_stop_at_the_stands_in_view() -> None:
    state = battle(
        british(1, at(24, 20), weapon=Weapon.MACHINE_GUNS, stands=1),
        natives(2, at(24, 10), stands=6),
    )
    act(activated(state, 1), a.Fire((2,), 2), 6, 6, 6, 6, 6, 5, 5)
    assert state.units[2].stands == 3


def test_firing_4_every_stand_has_one_of_the_targets() -> None:
    state = battle(
        british(1, at(24, 20)),
        natives(2, at(23, 12), formation=TableFormation.LINE, stands=1),
        natives(3, at(37, 12), formation=TableFormation.LINE, stands=1),
        natives(4, at(26, 12), formation=TableFormation.LINE, stands=4),
    )
    plan = firing.plan_volleys(state, state.units[1], (2, 4), 1)
    assert [(one.target, one.stands) for one in plan] == [(2, 4)]
    with pytest.raises(IllegalAction, match="no stand left"):
        act(activated(state, 1), a.Fire((2, 4)))
    square = british(1, at(24, 18), formation=TableFormation.SQUARE)
    both = battle(
        square,
        natives(2, at(24, 10), formation=TableFormation.LINE, stands=4),
        natives(3, at(33, 18), formation=TableFormation.LINE, stands=4),
    )
    outcome = act(activated(both, 1), a.Fire((2, 3)), 6, 6, 5, 5, 6, 6, 5, 5)
    fired = [event for event in outcome.events if isinstance(event, e.Fired)]
    assert [(one.target, one.firing, one.destroyed) for one in fired] == [(2, 1, 1), (3, 1, 1)]


def test_firing_5_cover_takes_away_every_other_six() -> None:
    assert [firing.destroyed_stands((6,) * sixes, cover=True) for sixes in range(6)] == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]


@pytest.mark.parametrize(
    "kind", [TableTerrain.WALL, TableTerrain.FENCE, TableTerrain.ZARIBA, TableTerrain.TRENCH]
)
def test_firing_5_an_obstacle_just_in_front_covers(kind: TableTerrain) -> None:
    found = aim(facing_each_other(table(line(kind, (15, 9.9), (33, 9.9)))))
    assert (found.open, found.covered) == (0, 4)
    assert all(shot.covered for shot in found.shots)


@pytest.mark.parametrize(
    "kind",
    [
        TableTerrain.ROCKS,
        TableTerrain.WOOD,
        TableTerrain.SCRUB,
        TableTerrain.GRASS,
        TableTerrain.CROPS,
        TableTerrain.BUILDINGS,
    ],
)
def test_firing_5_broken_ground_and_houses_cover(kind: TableTerrain) -> None:
    found = aim(facing_each_other(table(block(kind, 15, 5, 33, 10.2))))
    assert (found.open, found.covered) == (0, 4)


def test_firing_5_of_a_unit_partly_covered_the_rest_is_hit() -> None:
    state = facing_each_other(table(block(TableTerrain.WOOD, 15, 5, 24, 10.2)))
    found = aim(state)
    assert (found.open, found.covered) == (2, 2)
    assert not any(shot.covered for shot in found.shots)
    outcome = act(activated(state, 1), a.Fire((2,)), 6, 6, 6, 6, 6, 6, 1, 1, 1, 1)
    assert outcome.rolls[0].clause == "Firing 4"
    assert state.units[2].stands == 2


def test_firing_5_an_armoured_train_is_covered() -> None:
    train = natives(
        2,
        at(24, 10),
        EAST,
        kind=Kind.TRAIN,
        weapon=Weapon.NONE,
        stands=1,
        formation=TableFormation.MARCH_COLUMN,
    )
    assert aim(battle(british(1, at(24, 20)), train)).covered == 1


def test_firing_6_a_loss_leads_to_a_roll_for_morale() -> None:
    state = facing_each_other()
    outcome = act(activated(state, 1), a.Fire((2,)), 6, 1, 1, 1, 6, 6, 6)
    told = [type(event) for event in outcome.events]
    assert told[:4] == [e.Fired, e.StandsLost, e.MoraleTested, e.FireOver]
    assert state.units[2].stands == 3


def test_firing_6_no_roll_for_a_unit_that_is_gone() -> None:
    state = battle(
        british(1, at(24, 20)), natives(2, at(24, 12), formation=TableFormation.LINE, stands=1)
    )
    act(activated(state, 1), a.Fire((2,)), 6, 6, 1, 1)
    assert not [unit for unit in state.units.values() if unit.id == 2]
    assert state.lost[2].stands == 0


def test_firing_6_no_roll_after_a_volley_that_misses() -> None:
    state = facing_each_other()
    outcome = act(activated(state, 1), a.Fire((2,)), 5, 5, 5, 5)
    assert [type(event) for event in outcome.events][:2] == [e.Fired, e.FireOver]


def test_firing_2_units_in_contact_have_no_part_in_fire() -> None:
    state = facing_each_other()
    state.contacts = [Contact(2, 9)]
    state.units[9] = british(9, at(24, 9.4))
    assert firing.possible_targets(state, state.units[1]) == ()
    assert firing.possible_targets(state, state.units[2]) == ()


def test_firing_1_a_firepower_card_gives_each_stand_more_dice() -> None:
    assert dice(Weapon.SINGLE_SHOT, 4, 10 * INCH, card=Special.FIREPOWER) == 8
    assert dice(Weapon.SINGLE_SHOT, 4, 10 * INCH, card=Special.FIREPOWER_2) == 12
    assert dice(Weapon.SINGLE_SHOT, 4, 13 * INCH, card=Special.FIREPOWER_2) == 0
    assert dice(Weapon.SINGLE_SHOT, 4, 10 * INCH, card=Special.MOVEMENT) == 4


def test_firing_1_the_options_say_what_would_be_thrown() -> None:
    offered = options(activated(facing_each_other(), 1, card=Special.FIREPOWER))
    assert offered is not None
    [target] = offered.targets
    assert (target.unit, target.stands, target.dice, target.open) == (2, 4, 8, 4)


def test_firing_1_the_unarmed_do_not_fire() -> None:
    state = activated(battle(british(1, at(24, 20), weapon=Weapon.NONE), natives(2, at(24, 12))), 1)
    with pytest.raises(IllegalAction, match=r"The British infantry \(1\) has no firearms\."):
        act(state, a.Fire((2,)))
    assert state.units[1].troops is Troops.BRITISH


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        (at(24, 1), "infantry (1) fires 12 inches far: the Native spearmen (2) are 1"),
        (at(24, 26), "has no stand left that sees the Native spearmen (2) in its arc of fire."),
    ],
)
def test_firing_2_a_refusal_names_what_bars_the_shot(place: TablePoint, reason: str) -> None:
    state = activated(battle(british(1, at(24, 20)), natives(2, place)), 1)
    with pytest.raises(IllegalAction, match=re.escape(reason)):
        act(state, a.Fire((2,)))


def test_firing_4_a_roll_names_no_more_stands_than_there_are() -> None:
    state = battle(
        british(1, at(24, 21), weapon=Weapon.MAGAZINE),
        natives(2, at(24, 8.9), formation=TableFormation.LINE, stands=1),
    )
    [roll] = act(activated(state, 1), a.Fire((2,)), *(6,) * 8).rolls
    assert (roll.total, roll.result) == (1, "1 destroyed")
