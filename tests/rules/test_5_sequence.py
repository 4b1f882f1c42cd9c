"""5.1 to 5.3, 7.4: the order of the phases, what belongs to each, and recovery."""

from typing import Any

import pytest

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, ScriptedDice
from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.core.state import InForce, Phase
from campaign.rules.tables.event_effects import LeaderValue, ModifiableRoll, RollModifier
from tests.positions import OPEN, SIEGE, position
from tests.rules.helpers import (
    carry_out,
    count,
    happen,
    has,
    ids,
    march,
    offered,
    only,
    play,
    refused,
    said,
)

PHASES = [Phase.EVENT, Phase.REINFORCEMENT, Phase.MARCH, Phase.ATTRITION, Phase.RECOVERY]


def quiet_month(state):
    """The months go by: every question is answered with as little as can be; the events."""
    events: list[Any] = []
    number = 0
    start = state.month
    while state.month == start and state.question is not None:
        number += 1
        outcome = rules.play(state, _least(state), ChainedDice(b"%d" % number))
        events += outcome.events
    last = next(place for place, event in enumerate(events) if isinstance(event, e.MonthBegan))
    return events[: last + 1]


def _least(state):
    choice = offered(state)
    question = state.question
    if isinstance(question, q.ToReinforce) and choice.arrivals:
        return a.Place(choice.arrivals[0].group, choice.arrivals[0].hexes[0])
    if isinstance(question, q.ToSetUp | q.ToReinforce | q.ToMarch):
        return a.Done()
    if isinstance(question, q.ToSupply):
        return a.Supply(choice.sources[0])
    if isinstance(question, q.ToChooseHex):
        return a.Choose(choice.hexes[0])
    return a.Pick(choice.units[: choice.count])


def test_5_1_the_egyptian_player_turn_comes_first_and_each_has_five_phases_in_order():
    events = quiet_month(rules.new_game(SIEGE))
    began = [(event.side, event.phase) for event in events if isinstance(event, e.PhaseBegan)]
    expected = [(side, phase) for side in (Side.EGYPTIAN, Side.MAHDIST) for phase in PHASES]
    assert began[:10] == expected


def test_5_1_a_month_is_an_egyptian_and_a_mahdist_turn():
    state = rules.new_game(SIEGE)
    month = state.month
    events = quiet_month(state)
    turns = [event.side for event in events if isinstance(event, e.TurnEnded)]
    assert turns == [Side.EGYPTIAN, Side.MAHDIST]
    assert state.month == Month(month + 1)
    assert [event.month for event in events if isinstance(event, e.MonthBegan)] == [month + 1]


def test_5_2_i_each_side_rolls_one_random_event_a_month_read_as_tens_and_units():
    events = quiet_month(rules.new_game(SIEGE))
    rolled = [event for event in events if isinstance(event, e.EventRolled)]
    assert [event.side for event in rolled] == [Side.EGYPTIAN, Side.MAHDIST]
    for event in rolled:
        assert 11 <= event.roll <= 66
        assert all(1 <= int(digit) <= 6 for digit in str(event.roll))


def test_5_2_i_two_dice_are_thrown_and_a_quiet_month_changes_nothing():
    state = position(f"{OPEN}: 2 infantry british", phase="random event")
    outcome = happen(state, "random event", [3, 4])
    assert only(outcome, e.EventRolled)[0].roll == 34
    assert not state.in_force


@pytest.mark.parametrize("side", ["egyptian", "mahdist"])
def test_5_2_iii_a_side_may_march_nobody_at_all(side):
    state = position(f"{OPEN}: 2 infantry british", "0560: 2 spears", side=side)
    play(state, a.Done())
    assert state.question is None


def test_5_2_iii_stack_after_stack_may_march():
    state = position(
        f"{OPEN}: infantry british", "0960: infantry british", "1160: infantry british"
    )
    for where in (OPEN, "1160", "0960"):
        march(state, where)
        play(state, a.Halt())
    assert not offered(state).stacks


def test_5_2_iii_only_the_side_whose_turn_it_is_marches():
    state = position(f"{OPEN}: infantry british", "0960: spears")
    assert [stack.hex for stack in offered(state).stacks] == [641]
    refused(state, a.March(ids(state, "0960")), "8.3")


def test_5_2_i_what_an_event_brings_lasts_to_the_end_of_its_sides_turn():
    state = rules.new_game(SIEGE)
    while not (state.side is Side.MAHDIST and state.phase is Phase.MARCH):
        rules.play(state, _least(state), ScriptedDice(*[3] * 40))
    mine = InForce(
        Side.MAHDIST, RollModifier(roll_kind=ModifiableRoll.MARCH, value=1), "Holy war preached"
    )
    theirs = InForce(
        Side.EGYPTIAN, RollModifier(roll_kind=ModifiableRoll.MARCH, value=1), "Holy war preached"
    )
    state.in_force[:] = [mine, theirs]
    quiet_month(state)
    assert mine not in state.in_force
    assert theirs in state.in_force


def test_8_3_what_marched_this_month_may_march_again_the_next():
    state = rules.new_game(SIEGE)
    while not isinstance(state.question, q.ToMarch):
        rules.play(state, _least(state), ScriptedDice(*[3] * 40))
    stack = offered(state).stacks[0]
    carry_out(state, a.March(stack.units), ScriptedDice(6))
    carry_out(state, a.Halt(), ScriptedDice())
    assert state.marched
    events = quiet_month(state)
    assert e.MonthBegan in {type(event) for event in events}
    assert not state.marched
    assert not state.hulls_used


def test_5_3_ii_the_mahdists_draw_then_place_and_may_withdraw():
    state = position(f"{OPEN}: 8 spears", side="mahdist", phase="reinforcement")
    outcome = happen(state, "reinforcement", [3])
    assert outcome.rolls[0].clause == "3.21"
    assert isinstance(state.question, q.ToReinforce)
    play(state, a.Withdraw(ids(state, OPEN, "spears")))
    play(state, a.Done())


def test_5_3_iii_the_mahdists_march_by_the_same_procedure():
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    for _ in range(3):
        march(state, OPEN, dice=[3])
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_5_2_iv_the_egyptians_without_supply_roll_for_attrition():
    state = position(
        f"{OPEN}: infantry british, supply", "0643: infantry british", phase="attrition"
    )
    outcome = happen(state, "attrition", [])
    assert isinstance(state.question, q.ToSupply)
    outcome = play(state, a.Supply(ids(state, OPEN, "supply")[0]), [6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [643]


def test_5_3_iv_all_mahdists_roll_for_attrition():
    state = position(f"{OPEN}: spears", "0643: spears", side="mahdist", phase="attrition")
    outcome = happen(state, "attrition", [6, 6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [641, 643]


# 5.2 V, 7.4


def recovery_of(unit, die, *, where=OPEN, others=(), side="egyptian", **more):
    """Return the fate of one disrupted unit: 'recovered', 'disrupted' or 'lost'."""
    state = position(f"{where}: {unit} disrupted", *others, side=side, phase="recovery", **more)
    outcome = happen(state, "recovery", [die])
    if UnitId(1) not in state.units:
        return "lost", outcome.rolls[0]
    return "disrupted" if state.units[UnitId(1)].disrupted else "recovered", outcome.rolls[0]


OUTCOMES = [
    ("infantry british V", ["disrupted", "disrupted", *["recovered"] * 4]),
    ("infantry egyptian L", [*["disrupted"] * 3, *["recovered"] * 3]),
    ("infantry egyptian R", ["lost", *["disrupted"] * 3, *["recovered"] * 2]),
    ("supply", [*["disrupted"] * 2, *["recovered"] * 4]),
    ("camel", [*["disrupted"] * 2, *["recovered"] * 4]),
    ("civilians", [*["disrupted"] * 2, *["recovered"] * 4]),
]


@pytest.mark.parametrize(
    ("unit", "die", "fate"),
    [(unit, die, fate) for unit, fates in OUTCOMES for die, fate in enumerate(fates, 1)],
)
def test_5_2_v_recovery_by_quality(unit, die, fate):
    assert recovery_of(unit, die)[0] == fate


@pytest.mark.parametrize(
    ("die", "fate"), list(enumerate([*["disrupted"] * 3, *["recovered"] * 3], 1))
)
def test_5_3_v_recovery_of_fanatics(die, fate):
    assert recovery_of("spears", die, side="mahdist")[0] == fate


@pytest.mark.parametrize("unit", ["infantry british V", "infantry egyptian L"])
def test_5_2_v_a_roll_of_nought_eliminates_good_troops_too(unit):
    fate, roll = recovery_of(unit, 1, others=["0640: spears"])
    assert roll.clause == "5.2 V"
    assert has(roll, "recovery.enemy")
    assert fate == "lost"


@pytest.mark.parametrize("unit", ["supply", "camel", "civilians"])
def test_5_2_v_train_and_civilians_are_never_lost_by_it(unit):
    assert recovery_of(unit, 1, others=["0640: spears"])[0] == "disrupted"


def test_5_2_v_plus_one_in_an_unbesieged_friendly_town():
    fate, roll = recovery_of("infantry egyptian L", 3, where="El Obeid")
    assert has(roll, "recovery.town")
    assert fate == "recovered"
    for where, others in (("Duem", []), ("El Obeid", ["0458: spears"])):
        _, roll = recovery_of("infantry egyptian L", 3, where=where, others=others)
        assert not has(roll, "recovery.town")


def test_5_2_v_only_a_good_order_enemy_counts():
    _, roll = recovery_of("infantry egyptian L", 3, others=["0640: spears disrupted"])
    assert not has(roll, "recovery.enemy")


def test_5_2_v_everybody_disrupted_rolls_and_nobody_else():
    state = position(
        f"{OPEN}: 3 spears disrupted, 2 spears",
        "0561: 2 infantry british disrupted",
        side="mahdist",
        phase="recovery",
    )
    outcome = happen(state, "recovery", [6, 6, 1])
    assert [len(roll.dice) for roll in outcome.rolls] == [3]
    assert count(state, OPEN, "spears") == 4
    assert count(state, "0561", "infantry british disrupted") == 2


def test_7_4_one_leader_adds_his_strategic_value():
    for leader, value in (("Gordon", 2), ("Graham", 1), ("Earle", 0)):
        state = position(f"{OPEN}: infantry egyptian L disrupted, {leader}", phase="recovery")
        outcome = happen(state, "recovery", [1])
        assert sum(each.value for each in outcome.rolls[0].modifiers) == value


def test_7_4_only_one_leader_adds_and_the_commander_in_chief_comes_first():
    state = position(f"{OPEN}: infantry egyptian L disrupted, Hicks, H. Stewart", phase="recovery")
    outcome = happen(state, "recovery", [1])
    assert sum(each.value for each in outcome.rolls[0].modifiers) == 0


def test_7_4_an_event_may_set_his_value_aside():
    state = position(f"{OPEN}: spears disrupted, Mahdi", side="mahdist", phase="recovery")
    state.in_force.append(
        InForce(Side.MAHDIST, LeaderValue(leader="Mahdi", strategic=0), "False prophet")
    )
    outcome = happen(state, "recovery", [3])
    assert said(outcome)[1] == "Recovered"
    assert count(state, OPEN, "spears disrupted") == 1


def test_5_2_v_a_stack_keeps_its_disruptions_until_its_own_recovery_phase():
    state = position(f"{OPEN}: 2 infantry british disrupted", side="mahdist", phase="recovery")
    assert not happen(state, "recovery").rolls
    assert count(state, OPEN, "infantry british disrupted") == 2
