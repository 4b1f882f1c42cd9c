"""9.1 to 9.6: attacking, who fires and who melees, the dice and their modifiers."""

import pytest

from battles.contract.brief import RIVER_CRAFT
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound
from campaign.rules.map import sudan
from tests.positions import OPEN, add, hex_of, position
from tests.rules.helpers import (
    changed_by,
    count,
    fight,
    go,
    has,
    ids,
    march,
    one,
    only,
    play,
    refused,
    rolls_of,
)

TARGET = "0640"
SAFE = (6, 6)
"""Two dice that hurt nobody, modified by -1 or more."""


def attacked(*stacks, where=OPEN, target=TARGET, side="egyptian", dice=(), guides=None, **more):
    """A combat between the marching stack in `where` and the one in `target`."""
    state = position(*stacks, side=side, **more)
    units = [
        unit
        for unit in ids(state, where)
        if state.units[unit].side is state.side and state.units[unit].kind not in RIVER_CRAFT
    ]
    play(state, a.March(tuple(units)), [6])
    return state, fight(state, target, dice, guides=guides or {})


def fire_on(tester, *stacks, **more):
    """The roll of the side that is fired on; nobody is hurt."""
    _, outcome = attacked(*stacks, **more)
    return rolls_of(outcome, tester)[0]


# 9.1, 9.2: who may attack whom


def test_9_1_only_an_adjacent_hex_is_attacked():
    state = position(f"{OPEN}: 2 infantry british", "0639: 2 spears")
    march(state, OPEN)
    refused(state, a.Attack(hex_of("0639")), "9.1")
    refused(state, a.Attack(hex_of(TARGET)), "9.1")


def test_9_1_combat_costs_no_movement_points():
    state, _ = attacked(f"{OPEN}: 5 infantry british 3V", f"{TARGET}: spears", dice=[1, 1])
    assert state.march.points == 6


def test_9_1_a_stack_attacks_as_often_as_it_keeps_winning():
    state, outcome = attacked(
        f"{OPEN}: 4 infantry british 3V", f"{TARGET}: spears", "0741: spears", dice=[1, 1]
    )
    assert only(outcome, e.CombatEnded)[0].winner == "egyptian"
    outcome = fight(state, "0741", [1, 1])
    assert only(outcome, e.CombatEnded)[0].winner == "egyptian"


def test_9_1_combat_is_voluntary():
    state = position(f"{OPEN}: 2 infantry british", f"{TARGET}: 2 spears")
    march(state, OPEN)
    play(state, a.Halt())
    assert count(state, TARGET, "spears") == 2


def test_9_1_a_stack_is_attacked_more_than_once_in_a_turn():
    state = position(
        f"{OPEN}: 4 infantry british 3V", "0741: 4 infantry british 3V", f"{TARGET}: 9 spears"
    )
    march(state, OPEN)
    fight(state, TARGET, [6, 6, *SAFE, *SAFE])
    assert state.march is None
    march(state, "0741")
    fight(state, TARGET, [6, 6, *SAFE, *SAFE])


def test_9_1_the_enemy_across_a_river_cannot_be_attacked():
    state = position("2043: 3 infantry british", "1943: 3 spears")
    march(state, "2043")
    refused(state, a.Attack(hex_of("1943")), "9.1")


def test_9_2_units_of_two_hexes_do_not_attack_together():
    state = position(f"{OPEN}: 2 infantry british", "0741: 2 infantry british", f"{TARGET}: spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [1, 1])
    assert only(outcome, e.CombatBegan)[0].attacking == ids(state, OPEN)


def test_9_1_no_attack_without_a_unit_that_can_melee():
    state = position(f"{OPEN}: supply, camel, Baker", f"{TARGET}: spears")
    march(state, OPEN)
    refused(state, a.Attack(hex_of(TARGET)), "9.1")


def test_9_4_units_that_did_not_march_with_the_stack_take_no_part():
    state = position(f"{OPEN}: 4 infantry british 3V", f"{TARGET}: 2 spears")
    march(state, OPEN, "2 infantry british")
    outcome = fight(state, TARGET, [*SAFE, *SAFE, *SAFE])
    began = only(outcome, e.CombatBegan)[0]
    assert len(began.attacking) == 2


def test_9_4_every_unit_in_the_defending_hex_fights():
    state = position(f"{OPEN}: 4 infantry british 3V", f"{TARGET}: Mahdi, 2 spears, gun mahdist")
    march(state, OPEN)
    outcome = fight(state, TARGET, [6, 6, *SAFE, *SAFE, *SAFE])
    assert only(outcome, e.CombatBegan)[0].defending == ids(state, TARGET)


def test_6_1_land_units_do_not_attack_boats_or_gunboats():
    state = position("2043: 2 spears", "Khartoum: gunboat egyptian, boat egyptian", side="mahdist")
    march(state, "2043")
    refused(state, a.Attack(hex_of("Khartoum")), "9.1")


# 9.3, 9.4: fire, then melee


def test_9_4_fire_comes_before_melee_and_both_sides_test_in_each():
    _, outcome = attacked(
        f"{OPEN}: 4 infantry british", f"{TARGET}: 4 rifles mahdist", dice=[*SAFE] * 4
    )
    assert [roll.side for roll in outcome.rolls] == ["egyptian", "mahdist"] * 2
    assert [event.combat_round for event in only(outcome, e.Tested)] == [
        "fire",
        "fire",
        "melee",
        "melee",
    ]


def test_9_3_a_side_that_cannot_fire_lets_the_enemy_test_in_melee_only():
    _, outcome = attacked(f"{OPEN}: 4 infantry british", f"{TARGET}: 8 spears", dice=[*SAFE] * 3)
    assert len(rolls_of(outcome, "mahdist")) == 2
    assert len(rolls_of(outcome, "egyptian")) == 1


def test_9_4_only_rifles_camel_corps_and_guns_fire():
    for unit, fires in (
        ("infantry egyptian R", True),
        ("camel corps", True),
        ("gun", True),
        ("engineers", True),
        ("naval infantry", True),
        ("cavalry", False),
        ("spears egyptian", False),
    ):
        dice = [*SAFE] * (3 if fires else 2)
        _, outcome = attacked(f"{OPEN}: 3 {unit}", f"{TARGET}: 9 spears", dice=dice)
        assert len(rolls_of(outcome, "mahdist")) == 1 + fires, unit


def test_9_3_what_fire_eliminates_does_not_melee():
    state, outcome = attacked(f"{OPEN}: 4 infantry british 3V", f"{TARGET}: spears", dice=[1, 1])
    assert [event.combat_round for event in only(outcome, e.Tested)] == ["fire"]
    assert count(state, TARGET, "spears") == 0


def test_9_3_dice_are_thrown_before_anybody_suffers():
    state = position(f"{OPEN}: 4 infantry egyptian R", f"{TARGET}: 4 rifles mahdist")
    march(state, OPEN)
    outcome = play(state, a.Attack(hex_of(TARGET)), [1, 1, 1, 1])
    assert len(outcome.rolls) == 2
    assert isinstance(state.question, q.ToShareLosses)


# 9.6: the modifiers of fire, each by itself


def test_9_6_fired_on_by_at_least_half_veterans():
    mixed = "2 infantry british, 2 infantry egyptian L"
    roll = fire_on("mahdist", f"{OPEN}: {mixed}", f"{TARGET}: 9 spears", dice=[*SAFE] * 3)
    assert has(roll, "fire.veterans")
    fewer = "2 infantry british, 3 infantry egyptian L"
    roll = fire_on("mahdist", f"{OPEN}: {fewer}", f"{TARGET}: 9 spears", dice=[*SAFE] * 3)
    assert not has(roll, "fire.veterans")


def test_9_6_only_units_that_fire_are_counted_for_their_quality():
    horse = "2 infantry british, 5 cavalry"
    roll = fire_on("mahdist", f"{OPEN}: {horse}", f"{TARGET}: 9 spears", dice=[*SAFE] * 3)
    assert has(roll, "fire.veterans")


@pytest.mark.parametrize(
    "firers", ["infantry egyptian R", "infantry egyptian R, infantry egyptian L"]
)
def test_9_6_fired_on_by_at_least_half_rabble(firers):
    roll = fire_on("mahdist", f"{OPEN}: {firers}", f"{TARGET}: 9 spears", dice=[*SAFE] * 3)
    assert has(roll, "fire.rabble")
    assert changed_by(roll) == 1


def test_9_6_fired_on_by_at_least_half_fanatics():
    roll = fire_on(
        "egyptian", f"{OPEN}: 9 infantry british", f"{TARGET}: rifles mahdist", dice=[*SAFE] * 4
    )
    assert has(roll, "fire.rabble")
    assert changed_by(roll) == 1


def test_9_6_a_twofold_superiority_in_gun_factors():
    stacks = (f"{OPEN}: 4 guns egyptian", f"{TARGET}: gun mahdist, 8 spears")
    roll = fire_on("mahdist", *stacks, dice=[*SAFE] * 4)
    assert has(roll, "fire.guns")
    stacks = (f"{OPEN}: 3 guns egyptian", f"{TARGET}: 2 guns mahdist, 8 spears")
    assert not has(fire_on("mahdist", *stacks, dice=[*SAFE] * 4), "fire.guns")


def test_9_6_any_guns_are_a_superiority_over_none():
    stacks = (f"{OPEN}: gun egyptian, 2 infantry egyptian L", f"{TARGET}: 9 spears")
    assert has(fire_on("mahdist", *stacks, dice=[*SAFE] * 3), "fire.guns")
    stacks = (f"{OPEN}: 2 infantry egyptian L", f"{TARGET}: 9 spears")
    assert not has(fire_on("mahdist", *stacks, dice=[*SAFE] * 3), "fire.guns")


@pytest.mark.parametrize(("units", "value"), [(5, 0), (6, -1), (11, -1), (12, -2), (18, -3)])
def test_9_6_minus_one_for_every_six_fire_factors(units, value):
    roll = fire_on(
        "mahdist", f"{OPEN}: {units} infantry egyptian L", f"{TARGET}: 20 spears", dice=[*SAFE] * 3
    )
    assert has(roll, "fire.volume") is (value < 0)
    assert changed_by(roll) == value


def test_9_6_fanatic_fire_factors_do_not_count():
    roll = fire_on(
        "egyptian", f"{OPEN}: 9 infantry british", f"{TARGET}: 7 rifles mahdist", dice=[*SAFE] * 4
    )
    assert not has(roll, "fire.volume")


def test_9_6_strength_points_and_guns_make_up_the_fire_factors():
    roll = fire_on(
        "mahdist",
        f"{OPEN}: infantry british 3V, gun british, infantry egyptian L",
        f"{TARGET}: 9 spears",
        dice=[*SAFE] * 3,
    )
    assert has(roll, "fire.volume")


def test_9_7_disrupted_units_fire_with_half_their_factors():
    roll = fire_on(
        "mahdist",
        f"{OPEN}: 2 infantry egyptian 5L disrupted",
        f"{TARGET}: 9 spears",
        dice=[*SAFE] * 3,
    )
    assert not has(roll, "fire.volume")


def test_9_6_an_enemy_gunboat_beside_a_river():
    roll = fire_on(
        "mahdist",
        "Khartoum: 4 infantry egyptian L, gunboat egyptian",
        "2043: 6 spears",
        where="2043",
        target="Khartoum",
        side="mahdist",
        dice=[*SAFE] * 3,
    )
    assert has(roll, "fire.gunboat")


def test_9_6_a_gunboat_does_nothing_against_a_stack_away_from_the_river():
    beside, away = next(
        (near, hex_id)
        for near in sudan().river_hexes["white_nile"]
        for hex_id in sudan().neighbours[near]
        if not sudan().river_at(hex_id) and not sudan().hexes[near].place
    )
    roll = fire_on(
        "mahdist",
        f"{beside:04d}: 3 infantry egyptian L, gunboat egyptian",
        f"{away:04d}: 6 spears",
        where=away,
        target=beside,
        side="mahdist",
        dice=[*SAFE] * 3,
    )
    assert not has(roll, "fire.gunboat")


def test_9_6_the_fleet_against_mahdists_by_the_sea_in_their_own_turn():
    roll = fire_on(
        "mahdist",
        "Trinkitat: 4 infantry egyptian L, fleet",
        "El Teb: 6 spears",
        where="El Teb",
        target="Trinkitat",
        side="mahdist",
        dice=[*SAFE] * 3,
    )
    assert has(roll, "fire.fleet")
    assert has(roll, "fire.guns")


def test_8_25_the_fleet_does_not_fire_in_an_egyptian_march_phase():
    state = position("Trinkitat: 4 infantry egyptian L, fleet", "El Teb: 6 spears", month="1884-02")
    march(state, "Trinkitat")
    outcome = fight(state, "El Teb", [*SAFE, *SAFE, *SAFE])
    roll = rolls_of(outcome, "mahdist")[0]
    assert changed_by(roll) == 0


def test_8_25_the_fleet_has_two_veteran_gun_factors_and_fires_alone_beside_spears():
    roll = fire_on(
        "mahdist",
        "Trinkitat: 2 spears egyptian, fleet",
        "El Teb: 6 spears",
        where="El Teb",
        target="Trinkitat",
        side="mahdist",
        dice=[*SAFE] * 3,
    )
    assert has(roll, "fire.veterans")
    assert changed_by(roll) == -3


def test_8_25_the_fleet_is_not_hurt_in_combat():
    state = position("Trinkitat: 2 spears egyptian, fleet", "El Teb: 9 spears", side="mahdist")
    march(state, "El Teb")
    fight(state, "Trinkitat", [*SAFE, 1, 1, *SAFE])
    assert count(state, "Trinkitat", "fleet") == 1


# 9.6: the modifiers of melee


def test_9_6_meleed_by_as_many_good_order_fanatics():
    _, outcome = attacked(
        f"{OPEN}: 5 spears", f"{TARGET}: 5 spears egyptian", side="mahdist", dice=[*SAFE] * 2
    )
    assert has(rolls_of(outcome, "egyptian")[0], "melee.fanatics")
    _, outcome = attacked(
        f"{OPEN}: 4 spears", f"{TARGET}: 5 spears egyptian", side="mahdist", dice=[*SAFE] * 2
    )
    assert not has(rolls_of(outcome, "egyptian")[0], "melee.fanatics")


def test_9_6_disrupted_fanatics_frighten_nobody():
    _, outcome = attacked(
        f"{OPEN}: 3 spears, 4 spears disrupted",
        f"{TARGET}: 5 spears egyptian",
        side="mahdist",
        dice=[*SAFE] * 2,
    )
    assert not has(rolls_of(outcome, "egyptian")[0], "melee.fanatics")


@pytest.mark.parametrize(
    ("units", "key"),
    [
        (3, None),
        (4, "melee.odds2"),
        (5, "melee.odds2"),
        (6, "melee.odds3"),
        (7, "melee.odds3"),
        (8, "melee.odds4"),
        (12, "melee.odds4"),
    ],
)
def test_9_6_odds_in_melee(units, key):
    keys = ("melee.odds2", "melee.odds3", "melee.odds4")
    _, outcome = attacked(
        f"{OPEN}: {units} spears egyptian", f"{TARGET}: 2 spears", dice=[*SAFE] * 2
    )
    roll = rolls_of(outcome, "egyptian")[0]
    assert [name for name in keys if has(roll, name)] == ([key] if key else [])


def test_9_7_disrupted_units_melee_with_half_their_factors():
    _, outcome = attacked(
        f"{OPEN}: 4 spears egyptian disrupted", f"{TARGET}: 2 spears", dice=[*SAFE] * 2
    )
    assert not has(rolls_of(outcome, "egyptian")[0], "melee.odds2")


def test_9_6_twice_the_cavalry_in_open_country():
    _, outcome = attacked(
        f"{OPEN}: 2 cavalry, spears egyptian", f"{TARGET}: 3 spears", dice=[*SAFE] * 2
    )
    assert has(rolls_of(outcome, "egyptian")[0], "melee.cavalry")
    assert not has(rolls_of(outcome, "mahdist")[0], "melee.cavalry")


def test_9_6_cavalry_against_half_as_much_cavalry():
    _, outcome = attacked(
        f"{OPEN}: 3 cavalry", f"{TARGET}: 2 cavalry mahdist, spears", dice=[*SAFE] * 2
    )
    assert not has(rolls_of(outcome, "egyptian")[0], "melee.cavalry")
    _, outcome = attacked(
        f"{OPEN}: 4 cavalry", f"{TARGET}: 2 cavalry mahdist, spears", dice=[*SAFE] * 2
    )
    assert has(rolls_of(outcome, "egyptian")[0], "melee.cavalry")


@pytest.mark.parametrize(
    ("where", "target"), [("0357", "0358"), ("0762", "0662"), ("0358", "0357")]
)
def test_9_6_no_cavalry_bonus_with_either_side_in_a_town_or_mountain(where, target):
    _, outcome = attacked(
        f"{where}: 4 cavalry", f"{target}: 3 spears", where=where, target=target, dice=[*SAFE] * 2
    )
    assert not has(rolls_of(outcome, "egyptian")[0], "melee.cavalry")


# 9.6: the ground


@pytest.mark.parametrize(
    ("where", "target", "key"),
    [
        ("0357", "0358", "terrain.town"),
        ("0762", "0662", "terrain.town"),
        ("0457", "0458", "terrain.hill"),
        ("1854", "1853", "terrain.village"),
        ("2333", "2433", "terrain.village"),
    ],
)
def test_9_6_the_ground_helps_the_side_that_is_not_marching(where, target, key):
    _, outcome = attacked(
        f"{where}: 4 infantry egyptian L",
        f"{target}: 4 spears",
        where=where,
        target=target,
        dice=[*SAFE] * 3,
    )
    for roll in rolls_of(outcome, "mahdist"):
        assert has(roll, key)
    assert not has(rolls_of(outcome, "egyptian")[0], key)


def test_9_6_a_village_on_a_hill_gives_both():
    _, outcome = attacked(
        "5021: 4 infantry egyptian L",
        "Sinkat: 4 spears",
        where="5021",
        target="Sinkat",
        dice=[*SAFE] * 3,
    )
    roll = rolls_of(outcome, "mahdist")[1]
    assert has(roll, "terrain.hill")
    assert has(roll, "terrain.village")


def test_9_6_open_ground_helps_nobody():
    _, outcome = attacked(f"{OPEN}: 4 infantry egyptian L", f"{TARGET}: 4 spears", dice=[*SAFE] * 3)
    assert changed_by(rolls_of(outcome, "mahdist")[0]) == 0


# 7.3: leaders


@pytest.mark.parametrize("stage", ["fire", "melee"])
def test_7_3_a_leaders_tactical_value_helps_in_fire_or_in_melee_and_not_in_both(stage):
    _, outcome = attacked(
        f"{OPEN}: 4 infantry egyptian L",
        f"{TARGET}: Osman Digma, 4 spears",
        dice=[*SAFE] * 3,
        guides={"mahdist": stage},
    )
    led = [
        any(modifier.clause == "7.3" for modifier in roll.modifiers)
        for roll in rolls_of(outcome, "mahdist")
    ]
    assert led == [stage == "fire", stage == "melee"]


def test_7_3_the_side_says_which_round_and_only_for_its_own_leader():
    state = position(f"{OPEN}: Graham, 4 infantry egyptian L", f"{TARGET}: Osman Digma, 4 spears")
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)))
    assert isinstance(state.question, q.ToLead)
    refused(state, a.Lead(one(state, TARGET, "Osman Digma"), CombatRound.FIRE), "7.3")
    refused(state, a.Lead(one(state, OPEN, "Graham")), "7.3")
    play(state, a.Lead(one(state, OPEN, "Graham"), CombatRound.MELEE))
    assert state.question == q.ToLead(state.side.enemy, (one(state, TARGET, "Osman Digma"),))


def test_7_0_the_commander_in_chiefs_tactical_value_comes_before_a_better_one():
    state = position(f"{OPEN}: Graham, Earle, 4 infantry egyptian L", f"{TARGET}: 4 spears")
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)))
    refused(state, a.Lead(one(state, OPEN, "Earle"), CombatRound.FIRE), "7.3")


def test_7_3_a_leader_without_a_tactical_value_is_not_asked_for():
    state = position(f"{OPEN}: J. Stewart, 4 infantry egyptian L", f"{TARGET}: 4 spears")
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)), [*SAFE] * 3)


# 9.6: the results


def test_9_6_a_modified_total_is_read_in_the_testers_column():
    _, outcome = attacked(f"{OPEN}: 8 spears egyptian", f"{TARGET}: 8 spears", dice=[3, 4, 2, 3])
    mine, theirs = only(outcome, e.Tested)
    assert (mine.eliminated, mine.disrupted) == (2, 2)
    assert rolls_of(outcome, "egyptian")[0].total == 5
    assert (theirs.eliminated, theirs.disrupted) == (0, 4)


def test_9_6_fractions_down_but_at_least_one_unit():
    _, outcome = attacked(
        f"{OPEN}: 9 infantry british 3V", f"{TARGET}: 3 spears", dice=[2, 5, *SAFE, *SAFE]
    )
    tested = only(outcome, e.Tested)[0]
    assert (tested.eliminated, tested.disrupted) == (1, 1)


def test_9_6_totals_beyond_the_table_read_its_ends():
    _, outcome = attacked(
        f"{OPEN}: 12 infantry british 3V", f"{TARGET}: 8 spears", dice=[1, 1, 6, 6, 6, 6]
    )
    tested = only(outcome, e.Tested)[0]
    assert rolls_of(outcome, "mahdist")[0].total < -2
    assert (tested.eliminated, tested.disrupted) == (4, 4)


def test_9_1_after_a_combat_there_is_no_advance():
    state, _ = attacked(f"{OPEN}: 4 infantry british 3V", f"{TARGET}: spears", dice=[1, 1])
    assert count(state, OPEN, "infantry british 3V") == 4
    go(state, TARGET)


def test_9_4_a_unit_that_came_up_later_defends_with_the_rest():
    state = position(f"{OPEN}: 4 infantry british 3V", f"{TARGET}: spears")
    march(state, OPEN)
    add(state, f"{TARGET}: 2 spears")
    outcome = fight(state, TARGET, [*SAFE] * 3)
    assert len(only(outcome, e.CombatBegan)[0].defending) == 3


def test_9_1_nothing_but_an_answer_is_accepted_while_a_combat_is_fought():
    state = position(f"{OPEN}: Graham, 4 infantry egyptian L", f"{TARGET}: 4 spears")
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)))
    refused(state, a.Halt(), "5.0")
    play(state, a.Lead(UnitId(0)), [*SAFE] * 3)
