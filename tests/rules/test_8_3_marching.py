"""8.3, 8.31, 7.1: the march table, its modifiers, three marches, dropping off."""

import pytest

from battles.core.dice import Modifier
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import UnitId
from tests.positions import OPEN, add, hex_of, position
from tests.rules.helpers import count, go, ids, march, offered, one, only, play, refused, there

STACKS = {
    "mahdist": ("4 spears", "mahdist"),
    "british": ("4 infantry british", "egyptian"),
    "egyptian": ("4 infantry egyptian L", "egyptian"),
}

NO, ALL, QUARTER, HALF = "no march", "march", "march, 25% fall out", "march, 50% fall out"

CELLS = [
    *(("mahdist", roll, cell) for roll, cell in enumerate([HALF, QUARTER, ALL, ALL, ALL, ALL], 1)),
    *(("british", roll, cell) for roll, cell in enumerate([NO, QUARTER, ALL, ALL, ALL, ALL], 1)),
    *(("egyptian", roll, cell) for roll, cell in enumerate([NO, NO, HALF, QUARTER, ALL, ALL], 1)),
]


def rolled(outcome):
    (roll,) = [roll for roll in outcome.rolls if roll.reason == "March"]
    return roll


def column_of(*stacks, side="egyptian"):
    """Return the column of the march table that a stack reads."""
    state = position(f"{OPEN}: {', '.join(stacks)}", side=side)
    return rolled(march(state, OPEN)).table


def modifiers_of(state, where, what="", *, leader=""):
    return rolled(march(state, where, what, leader=leader)).modifiers


@pytest.mark.parametrize(("column", "die", "cell"), CELLS)
def test_8_31_every_cell_of_the_march_table(column, die, cell):
    stack, side = STACKS[column]
    state = position(f"{OPEN}: {stack}", side=side)
    outcome = march(state, OPEN, dice=[die])
    assert rolled(outcome).table == f"march:{column}"
    assert rolled(outcome).result == cell
    assert only(outcome, e.MarchRolled)[0].falls_out == {HALF: 2, QUARTER: 1}.get(cell, 0)


@pytest.mark.parametrize("column", ["mahdist", "british", "egyptian"])
def test_8_31_nobody_marches_on_a_roll_of_nought(column):
    stack, side = STACKS[column]
    state = position(f"5123: {stack}", month="1884-05", side=side)
    outcome = march(state, "5123", dice=[1])
    assert rolled(outcome).total == 0
    assert rolled(outcome).result == NO


def test_8_31_indians_and_australians_read_the_british_column():
    assert column_of("infantry indian") == "march:british"
    assert column_of("infantry australian") == "march:british"


def test_8_31_the_worst_troops_of_the_stack_set_the_column():
    assert column_of("5 infantry british", "infantry egyptian R") == "march:egyptian"


def test_8_31_leaders_do_not_set_the_column():
    assert column_of("Baker", "infantry egyptian L") == "march:egyptian"
    assert column_of("Mahdi", "spears", side="mahdist") == "march:mahdist"


def test_8_31_no_march_ends_the_march_of_the_stack_for_this_turn():
    state = position(f"{OPEN}: 2 infantry british")
    march(state, OPEN, dice=[1])
    assert isinstance(state.question, q.ToMarch)
    assert state.march is None
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_8_31_half_and_a_quarter_are_rounded_down_but_at_least_one_falls_out():
    for units, die, expected in ((7, 1, 3), (7, 2, 1), (3, 2, 1), (2, 1, 1)):
        state = position(f"{OPEN}: {units} spears", side="mahdist")
        outcome = march(state, OPEN, dice=[die])
        assert only(outcome, e.MarchRolled)[0].falls_out == expected


def test_8_31_the_owner_chooses_who_falls_out():
    state = position(f"{OPEN}: 3 spears, cavalry mahdist", side="mahdist")
    march(state, OPEN, dice=[1])
    spears = ids(state, OPEN, "2 spears")
    refused(state, a.Pick(spears[:1]), "8.31")
    refused(state, a.Pick((spears[0], spears[0])), "8.31")
    play(state, a.Pick(spears))
    assert count(state, OPEN, "spears disrupted") == 2
    assert not state.units[one(state, OPEN, "cavalry mahdist")].disrupted


def test_8_31_disrupted_units_may_be_eliminated_to_satisfy_the_loss():
    state = position(f"{OPEN}: 2 spears disrupted, 2 spears", side="mahdist")
    march(state, OPEN, dice=[1])
    play(state, a.Pick(ids(state, OPEN, "2 spears disrupted")))
    assert count(state, OPEN, "spears") == 2
    assert count(state, OPEN, "spears disrupted") == 0


def test_8_31_a_lone_unit_falls_out_without_a_question():
    state = position(f"{OPEN}: spears", side="mahdist")
    march(state, OPEN, dice=[2])
    assert count(state, OPEN, "spears disrupted") == 1
    assert isinstance(state.question, q.OnMarch)


def test_8_31_leaders_do_not_fall_out():
    state = position(f"{OPEN}: Mahdi, 3 spears", side="mahdist")
    march(state, OPEN, dice=[1])
    assert isinstance(state.question, q.ToDisrupt)
    assert one(state, OPEN, "Mahdi") not in state.question.units


def test_8_31_the_march_may_go_on_after_some_have_fallen_out():
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    march(state, OPEN, dice=[2])
    play(state, a.Pick(ids(state, OPEN, "spears")))
    assert state.march.points == 7
    go(state, "0640")


def test_8_31_mounted_stacks_add_one():
    state = position(f"{OPEN}: cavalry, camel corps, camel, supply")
    assert modifiers_of(state, OPEN) == (Modifier(1, "the whole stack is mounted", "8.31"),)


def test_8_31_one_unit_on_foot_takes_the_mounted_bonus_away():
    state = position(f"{OPEN}: cavalry, camel corps, infantry british")
    assert modifiers_of(state, OPEN) == ()
    assert modifiers_of(position(f"{OPEN}: camel, 2 supply"), OPEN) == ()


def test_8_31_more_than_twelve_units_subtract_one():
    assert modifiers_of(position(f"{OPEN}: 12 infantry british"), OPEN) == ()
    (large,) = modifiers_of(position(f"{OPEN}: 13 infantry british"), OPEN)
    assert large.value == -1


def test_8_31_leaders_do_not_count_among_the_twelve():
    state = position(f"{OPEN}: 12 infantry british, Baker, Earle")
    assert modifiers_of(state, OPEN) == ()


@pytest.mark.parametrize(
    ("month", "value"),
    [("1884-02", 0), ("1884-03", -1), ("1884-07", -1), ("1884-11", -1), ("1884-12", 0)],
)
def test_8_31_the_heat_of_the_souakim_extension_from_march_to_november(month, value):
    state = position("Souakim: 2 infantry british", month=month)
    assert sum(each.value for each in modifiers_of(state, "Souakim")) == value


def test_8_31_the_heat_counts_where_the_stack_starts():
    state = position(f"{OPEN}: 2 infantry british", month="1884-07")
    assert modifiers_of(state, OPEN) == ()


def test_7_1_a_leaders_strategic_value_is_added():
    state = position(f"{OPEN}: Graham, 2 infantry british")
    assert modifiers_of(state, OPEN, leader="Graham") == (Modifier(1, "Graham leads", "7.1"),)


def test_7_1_without_being_named_the_leader_adds_nothing():
    state = position(f"{OPEN}: Graham, 2 infantry british")
    assert modifiers_of(state, OPEN) == ()


def test_7_1_the_leader_helps_the_same_stack_up_to_three_times():
    state = position(f"{OPEN}: Mahdi, 2 spears", side="mahdist")
    for _ in range(3):
        outcome = march(state, OPEN, leader="Mahdi", dice=[4])
        assert rolled(outcome).total == 6
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_7_1_he_influences_only_one_stack_a_turn():
    state = position(f"{OPEN}: Mahdi, 4 spears", side="mahdist")
    march(state, OPEN, "Mahdi, 2 spears", leader="Mahdi")
    play(state, a.Halt())
    rest = tuple(unit for unit in ids(state, OPEN) if unit not in state.marched)
    refused(state, a.March(rest, one(state, OPEN, "Mahdi")), "7.1")
    refused(state, a.March((*rest, one(state, OPEN, "Mahdi"))), "8.3")


def test_7_1_only_a_leader_of_the_marching_stack_helps_it():
    state = position(f"{OPEN}: 2 spears", "0640: Mahdi, spears", side="mahdist")
    refused(state, a.March(ids(state, OPEN), one(state, "0640", "Mahdi")), "7.1")
    refused(state, a.March(ids(state, OPEN), one(state, OPEN, "spears")), "7.1")


def test_7_0_a_commander_in_chiefs_values_must_be_used_before_any_others():
    state = position(f"{OPEN}: Gordon, H. Stewart, 2 infantry british")
    refused(state, a.March(ids(state, OPEN), one(state, OPEN, "H. Stewart")), "7.0")
    outcome = march(state, OPEN, leader="Gordon")
    assert rolled(outcome).modifiers[0].value == 2


def test_7_0_without_a_commander_in_chief_any_leader_may_help():
    state = position(f"{OPEN}: H. Stewart, Earle, 2 infantry british")
    choice = offered(state)
    assert len(choice.stacks[0].leaders) == 2
    outcome = march(state, OPEN, leader="H. Stewart")
    assert rolled(outcome).modifiers[0].value == 1


def test_8_3_three_marches_at_most():
    state = position(f"{OPEN}: 2 infantry british")
    for number in range(1, 4):
        march(state, OPEN)
        assert state.march.marches == number
    refused(state, a.March(ids(state, OPEN)), "8.3")
    go(state, "0640", "0639", "0638", "0637")
    assert there(state, UnitId(1)) == hex_of("0637")


def test_8_3_after_the_third_march_is_spent_the_stack_has_finished():
    state = position(f"{OPEN}: 2 infantry british")
    for _ in range(2):
        march(state, OPEN)
    march(state, OPEN)
    go(state, "0640", "0639", "0638", "0637", "0636", "0635")
    assert state.march is None
    assert isinstance(state.question, q.ToMarch)


def test_8_3_a_stack_may_split_and_its_parts_roll_for_themselves():
    state = position(f"{OPEN}: 4 infantry british")
    march(state, OPEN, "2 infantry british", dice=[1])
    rest = tuple(unit for unit in ids(state, OPEN) if unit not in state.marched)
    play(state, a.March(rest), [6])
    assert state.march.units == list(rest)


def test_8_3_units_that_do_not_stand_together_do_not_march_together():
    state = position(f"{OPEN}: infantry british", "0640: infantry british")
    refused(state, a.March((*ids(state, OPEN), *ids(state, "0640"))), "8.3")


def test_8_3_a_march_names_units_of_ones_own_and_each_once():
    state = position(f"{OPEN}: infantry british", "0640: spears")
    refused(state, a.March(()), "8.3")
    refused(state, a.March((UnitId(1), UnitId(1))), "8.3")
    refused(state, a.March(ids(state, "0640")), "8.3")
    refused(state, a.March((UnitId(99),)), "8.3")


def test_8_3_dropped_units_stay_and_march_no_more_this_turn():
    state = position(f"{OPEN}: 3 infantry british")
    march(state, OPEN)
    go(state, "0640")
    dropped = ids(state, "0640", "infantry british")
    play(state, a.DropOff(dropped))
    go(state, "0639")
    assert [there(state, unit) for unit in dropped] == [hex_of("0640")]
    play(state, a.Halt())
    refused(state, a.March(dropped), "8.3")


def test_8_3_a_stack_that_drops_everybody_has_ended_its_march():
    state = position(f"{OPEN}: 2 infantry british")
    march(state, OPEN)
    play(state, a.DropOff(ids(state, OPEN)))
    assert state.march is None
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_8_3_only_units_of_the_marching_stack_are_dropped_off():
    state = position(f"{OPEN}: 2 infantry british", "0640: infantry british")
    march(state, OPEN)
    refused(state, a.DropOff(ids(state, "0640")), "8.3")
    refused(state, a.DropOff(()), "8.3")


def test_8_3_the_marching_stack_picks_nobody_up():
    state = position(f"{OPEN}: 2 infantry british", "0640: infantry british")
    march(state, OPEN)
    go(state, "0640")
    refused(state, a.March(ids(state, "0640")), "8.1")


def test_8_3_with_a_stack_on_the_march_the_phase_is_not_done():
    state = position(f"{OPEN}: 2 infantry british")
    march(state, OPEN)
    refused(state, a.Done(), "5.0")
    play(state, a.Halt())
    play(state, a.Done())


def test_8_3_nothing_is_moved_before_a_march_is_rolled():
    state = position(f"{OPEN}: 2 infantry british")
    refused(state, a.Move((hex_of("0640"),)), "5.0")
    refused(state, a.Attack(hex_of("0640")), "5.0")


def test_8_3_units_that_arrive_in_the_hex_later_do_not_join():
    state = position(f"{OPEN}: 2 spears", side="mahdist")
    march(state, OPEN)
    add(state, f"{OPEN}: cavalry mahdist")
    go(state, "0640")
    assert count(state, OPEN, "cavalry mahdist") == 1


def test_8_23_boats_and_gunboats_do_not_march_by_land():
    state = position("Khartoum: infantry egyptian L, gunboat egyptian, boat egyptian")
    refused(state, a.March(ids(state, "Khartoum", "gunboat egyptian")), "8.23")
    refused(state, a.March(ids(state, "Khartoum")), "8.23")
