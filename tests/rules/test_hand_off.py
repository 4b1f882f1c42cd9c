"""9.4: a combat as a battle that is handed over, and what its report does to the campaign."""

from typing import Any

import msgspec
import pytest

from battles.contract import Bearing, Brief, Fate, Report, TroopKind
from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import ScriptedDice
from campaign.rules.combat.hand_off import arrangement
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, HandOff, Phase, State, player_turn
from campaign.rules.prose.despatches import chronicle
from campaign.rules.prose.questions import describe_action, describe_question
from campaign.rules.set_up import new_game
from campaign.rules.tables.editions import own_edition
from campaign.staff import answer
from tests.own_tables import text
from tests.positions import OPEN, SIEGE, besieged_khartoum, el_teb, hex_of, position
from tests.rules.helpers import carry_out, fight, go, ids, march, offered, one, only, play, refused

TARGET = "0640"
CRUSHED, STEADY = (2, 4), (6, 6)


def handed(state: Any, way: str = "redcoats") -> Any:
    """Return the same campaign with its battles handed over for years."""
    state.hand_off = HandOff(way)
    return state


def attacked(state: Any, where: str | int, target: str | int) -> Brief:
    """The stack has marched and attacked; the battle that is asked for."""
    march(state, where)
    return declared(state, target)


def declared(state: Any, target: str | int) -> Brief:
    play(state, a.Attack(hex_of(target)))
    assert isinstance(state.question, q.ToFight)
    brief: Brief = state.question.brief
    return brief


def returned(brief: Brief, winner: Side | None, **fates: Any) -> a.Reported:
    """Return a report in which everybody is as he came but those named: `fate=(unit, ...)`."""
    told = {one.id: Fate.DISRUPTED if one.disrupted else Fate.GOOD for one in brief.troops()}
    told |= {unit: Fate[fate.upper()] for fate, units in fates.items() for unit in units}
    return a.Reported(Report(brief.id, "redcoats", told, winner))


def square(*others: str, by: str = "6 infantry british 3V", against: str = "8 spears") -> Any:
    return handed(position(f"{OPEN}: {by}", f"{TARGET}: {against}", *others))


# when it is asked


def test_9_4_without_a_hand_off_nothing_is_asked_and_nothing_is_kept():
    state = position(f"{OPEN}: 6 infantry british 3V", f"{TARGET}: 8 spears")
    march(state, OPEN)
    fight(state, TARGET, [6, 6, 6, 6, 6, 6])
    assert b"hand_off" not in encode(state)


def test_9_4_a_combat_that_is_handed_over_waits_before_any_die_is_thrown():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    assert brief.attacker.side is Side.EGYPTIAN
    assert state.question.resolution == "redcoats"
    assert state.hand_off.battles == 1


def test_7_3_leaders_are_not_asked_where_a_book_fights():
    state = handed(el_teb())
    brief = attacked(state, "Trinkitat", "El Teb")
    named = {one.name: one.tactical for one in brief.troops() if one.kind is TroopKind.LEADER}
    assert set(named) == {"Graham", "Osman Digma"}
    assert all(value for value in named.values())


def test_9_4_by_the_table_it_goes_on_as_it_always_did():
    table = position(f"{OPEN}: 6 infantry british 3V", f"{TARGET}: 8 spears")
    march(table, OPEN)
    usual = fight(table, TARGET, [*CRUSHED, *STEADY, *STEADY])
    state = square()
    attacked(state, OPEN, TARGET)
    assert answer(state) == a.Fight(COMBAT_TABLE)
    script = ScriptedDice(*CRUSHED, *STEADY, *STEADY)
    told = carry_out(state, answer(state), script)
    shared = carry_out(state, a.Share(offered(state).eliminated, offered(state).disrupted), script)
    happened = [*told.events[:-1], *shared.events[:-1]]
    assert [one for one in usual.events[1:] if not isinstance(one, e.AgendaRecorded)] == happened
    assert state.units == table.units


@pytest.mark.parametrize("against", ["supply, camel", "civilians"])
def test_9_4_a_battle_against_nobody_is_not_handed_over(against):
    state = handed(position(f"{OPEN}: 6 spears", f"{TARGET}: {against}", side="mahdist"))
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)), STEADY)
    assert not isinstance(state.question, q.ToFight)


def test_9_4_a_hopeless_fight_is_not_handed_over():
    state = handed(position(f"{OPEN}: 11 spears", f"{TARGET}: spears egyptian", side="mahdist"))
    march(state, OPEN)
    play(state, a.Attack(hex_of(TARGET)), STEADY * 2)
    assert not isinstance(state.question, q.ToFight)


def test_9_4_ten_to_one_is_still_fought_out():
    state = handed(position(f"{OPEN}: 10 spears", f"{TARGET}: spears egyptian", side="mahdist"))
    assert attacked(state, OPEN, TARGET).defender.troops


# what is handed over


def test_9_4_the_brief_names_everybody_and_the_way_they_come():
    wells = "Abu Klea Wells"
    state = handed(position("2333: H. Stewart, 3 camel corps british 2V", f"{wells}: 12 spears"))
    brief = attacked(state, "2333", wells)
    assert [one.id for one in brief.attacker.troops] == list(ids(state, "2333"))
    assert [one.id for one in brief.defender.troops] == list(ids(state, wells))
    assert (brief.ground.place, brief.ground.settlement) == (wells, "oasis")
    assert brief.month == "1884-05"
    assert brief.comes_from is Bearing.NORTH_WEST
    assert brief.title == "The battle of Abu Klea Wells"


def test_9_4_the_same_battle_has_the_same_number_and_the_next_another():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    again: Any = decode(encode(state), State)
    assert again.question.brief == brief
    play(state, returned(brief, Side.EGYPTIAN, eliminated=ids(state, TARGET)))
    assert state.hand_off.battles == 1
    follow = handed(square())
    follow.hand_off.battles = 1
    assert attacked(follow, OPEN, TARGET).id != brief.id


def test_9_4_friends_close_by_and_river_and_sea_are_on_their_hexsides():
    state = handed(besieged_khartoum(side="mahdist"))
    brief = attacked(state, "2043", "Khartoum")
    assert brief.comes_from is Bearing.SOUTH
    assert Bearing.SOUTH_EAST in brief.and_from
    assert Bearing.SOUTH not in brief.ground.river
    assert brief.ground.river_class == "navigable"
    assert brief.ground.settlement == "town"
    assert sum(one.kind is TroopKind.GUNBOAT for one in brief.defender.troops) == 5


def test_9_12_before_the_walls_the_ground_helps_nobody():
    state = handed(besieged_khartoum(side="egyptian"))
    march(state, "Khartoum", "Gordon, 4 infantry egyptian L")
    brief = declared(state, "2043")
    assert brief.sortie
    assert not brief.zariba
    assert (brief.ground.relief, brief.ground.settlement) == ("flat", "")


def test_8_25_the_fleet_is_in_a_battle_of_the_mahdist_march_phase_alone():
    state = handed(el_teb())
    brief = attacked(state, "Trinkitat", "El Teb")
    assert not [one for one in brief.troops() if one.kind is TroopKind.FLEET]
    state = handed(
        position("Trinkitat: 4 infantry british 3V, fleet", "El Teb: 12 spears", side="mahdist")
    )
    brief = attacked(state, "El Teb", "Trinkitat")
    assert [one for one in brief.troops() if one.kind is TroopKind.FLEET]


def test_9_4_who_has_stood_for_a_month_has_a_zariba():
    state = square()
    assert attacked(state, OPEN, TARGET).zariba


def test_9_4_who_came_a_player_turn_ago_has_none():
    state = square()
    state.hand_off.moved = dict.fromkeys(ids(state, TARGET), player_turn(state) - 1)
    assert not attacked(state, OPEN, TARGET).zariba


def test_9_4_marching_retreating_and_arriving_are_remembered_setting_up_is_not():
    state = square("0643: 2 spears egyptian")
    march(state, "0643")
    go(state, "0642")
    moved = state.hand_off.moved
    assert moved == dict.fromkeys(ids(state, "0642"), player_turn(state))
    play(state, a.Halt())
    brief = attacked(state, OPEN, TARGET)
    beaten = ids(state, TARGET)
    play(state, returned(brief, Side.EGYPTIAN, disrupted=beaten))
    play(state, a.Retreat((hex_of("0639"),)))
    assert set(beaten) <= set(state.hand_off.moved)


# what the report does


def test_9_7_eliminated_and_disrupted_units_are_as_reported():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    dead, shaken = ids(state, TARGET)[:5], ids(state, OPEN)[:1]
    rest = ids(state, TARGET)[5:]
    outcome = play(
        state, returned(brief, Side.EGYPTIAN, eliminated=dead, disrupted=(*shaken, *rest))
    )
    assert only(outcome, e.Removed)[0].units == dead
    assert set(ids(state, TARGET)) == set(rest)
    assert state.units[shaken[0]].disrupted
    assert only(outcome, e.CombatEnded)[0].winner is Side.EGYPTIAN
    assert isinstance(state.question, q.ToRetreat)


def test_9_7_who_came_disrupted_and_stays_so_is_not_lost():
    state = square(by="5 infantry british 3V, infantry british 3V disrupted")
    brief = attacked(state, OPEN, TARGET)
    play(state, returned(brief, Side.EGYPTIAN, disrupted=ids(state, TARGET)))
    assert len(ids(state, OPEN)) == 6


def test_9_8_the_marching_loser_goes_back_and_its_march_is_over():
    state = square("0643: supply")
    brief = attacked(state, OPEN, TARGET)
    outcome = play(state, returned(brief, Side.MAHDIST, disrupted=ids(state, OPEN)))
    assert only(outcome, e.Stopped)
    assert only(outcome, e.CombatEnded)[0].winner is Side.MAHDIST


def test_9_8_a_drawn_battle_ends_the_march():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    outcome = play(state, returned(brief, None))
    assert only(outcome, e.CombatEnded)[0].winner is None
    assert only(outcome, e.Stopped)
    assert state.march is None


def test_9_1_the_march_of_a_winner_goes_on():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    play(state, returned(brief, Side.EGYPTIAN, eliminated=ids(state, TARGET)))
    assert isinstance(state.question, q.OnMarch)
    go(state, TARGET)


def test_9_9_guns_and_rifles_are_thrown_for_unless_the_report_names_those_taken():
    state = square(by="3 infantry egyptian L, gun egyptian")
    brief = attacked(state, OPEN, TARGET)
    lost = ids(state, OPEN)
    outcome = play(state, returned(brief, Side.MAHDIST, eliminated=lost), [4, 3, 6, 1])
    assert len(only(outcome, e.Captured)) == 2
    named = square(by="3 infantry egyptian L, gun egyptian")
    brief = attacked(named, OPEN, TARGET)
    outcome = play(
        named,
        returned(
            brief, Side.MAHDIST, eliminated=ids(named, OPEN)[:3], captured=ids(named, OPEN)[3:]
        ),
    )
    assert len(only(outcome, e.Captured)) == 1
    assert [unit.kind for unit in only(outcome, e.Arrived)[0].units] == [TroopKind.GUN]


def test_7_2_a_leader_is_lost_with_his_stack():
    state = handed(position(f"{OPEN}: 8 spears", f"{TARGET}: Gordon, 4 infantry egyptian L"))
    state.side, state.question = Side.MAHDIST, q.ToMarch(Side.MAHDIST)
    brief = attacked(state, OPEN, TARGET)
    lost = [one.id for one in brief.defender.troops if one.kind is not TroopKind.LEADER]
    outcome = play(state, returned(brief, Side.MAHDIST, eliminated=lost), [1, 1, 1, 1])
    assert only(outcome, e.Removed)[1].cause == "leader lost"
    assert state.result is not None
    assert state.result.winner is Side.MAHDIST


def test_7_2_a_leader_may_fall_by_the_rules_of_the_book():
    state = handed(el_teb())
    brief = attacked(state, "Trinkitat", "El Teb")
    osman = one(state, "El Teb", "Osman Digma")
    outcome = play(state, returned(brief, None, eliminated=(osman,)))
    assert osman in only(outcome, e.Removed)[0].units


def test_4_2_a_stack_with_a_british_leader_that_is_annihilated_ends_the_campaign():
    state = handed(
        position(
            f"{OPEN}: 8 spears", f"{TARGET}: H. Stewart, 4 infantry british 3V", side="mahdist"
        )
    )
    brief = attacked(state, OPEN, TARGET)
    everybody = [one.id for one in brief.defender.troops]
    play(state, returned(brief, Side.MAHDIST, eliminated=everybody), [1, 1, 1, 1])
    assert state.result is not None
    assert (state.result.winner, state.result.clause) == (Side.MAHDIST, "4.2")


@pytest.mark.parametrize(("stack", "ends"), [("Osman Digma, 4 spears", True), ("4 spears", False)])
def test_4_2_an_own_scenario_may_name_another_nation_for_it(stack: str, ends: bool):
    shipped = text(SIEGE)
    said = shipped[shipped.index('type = "stack destroyed"') :]
    own = said.replace('"mahdist"', '"egyptian"', 1).replace('"british"', '"mahdist"', 1)
    state = position(f"{OPEN}: 8 infantry british 3V", f"{TARGET}: {stack}")
    state.edition = own_edition({SIEGE: text(SIEGE, (said, own))}).digest
    brief = attacked(handed(state), OPEN, TARGET)
    everybody = [one.id for one in brief.defender.troops]
    play(state, returned(brief, Side.EGYPTIAN, eliminated=everybody))
    assert (state.result is not None) is ends


# what is refused


def test_9_4_a_report_of_another_battle_is_refused():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    other = returned(brief, None)
    other = a.Reported(Report("1884-01-0101-0102-1", "redcoats", other.report.fates))
    assert "report of the battle" in refused(state, other, "9.4").reason


def test_9_4_a_report_that_forgets_or_invents_a_unit_is_refused():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    fates = returned(brief, None).report.fates
    first = next(iter(fates))
    short = {number: fate for number, fate in fates.items() if number != first}
    for wrong in (short, fates | {9999: Fate.GOOD}):
        refused(state, a.Reported(Report(brief.id, "redcoats", wrong)), "9.4")


def test_9_7_a_report_in_which_a_disrupted_unit_recovers_is_refused():
    state = square(by="5 infantry british 3V, infantry british 3V disrupted")
    brief = attacked(state, OPEN, TARGET)
    fates = dict.fromkeys(returned(brief, None).report.fates, Fate.GOOD)
    refused(state, a.Reported(Report(brief.id, "redcoats", fates)), "9.4")


def test_9_8_a_side_of_which_nobody_is_left_cannot_have_won():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    dead = ids(state, TARGET)
    refused(state, returned(brief, Side.MAHDIST, eliminated=dead), "9.8")


def test_9_4_a_report_is_refused_where_no_battle_waits():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    report = returned(brief, None)
    play(state, report)
    refused(state, report, "5.0")


# how it is arranged


def test_9_4_the_way_is_changed_whatever_is_asked_and_the_question_stays_open():
    state = position(f"{OPEN}: 6 infantry british 3V", f"{TARGET}: 8 spears")
    question = state.question
    outcome = play(state, a.HandOver("redcoats", timeout_days=3, book="restless"))
    assert state.question == question
    assert only(outcome, e.BattlesArranged)[0].resolution == "redcoats"
    assert (state.hand_off.resolution, state.hand_off.timeout_days) == ("redcoats", 3)
    assert state.hand_off.book == "restless"
    brief = attacked(state, OPEN, TARGET)
    assert not brief.zariba, "nobody knows how long they have stood there"
    play(state, a.HandOver(COMBAT_TABLE))
    assert isinstance(state.question, q.ToFight)


def test_9_4_the_way_is_chosen_again_at_the_battle():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    play(state, a.Fight(TABLETOP))
    assert state.question == q.ToFight(Side.EGYPTIAN, brief, TABLETOP)
    assert state.hand_off.resolution == "redcoats"
    play(state, a.Fight(COMBAT_TABLE), STEADY)
    assert isinstance(state.question, q.ToShareLosses) or state.combat is None


@pytest.mark.parametrize(
    "wrong",
    [
        a.HandOver("Redcoats & co"),
        a.HandOver("redcoats", TABLETOP),
        a.HandOver(TABLETOP, book="Redcoats & co"),
        a.HandOver("redcoats", timeout_days=61),
        a.HandOver("redcoats", timeout_days=-1),
    ],
)
def test_9_4_what_is_no_way_to_fight_is_refused(wrong):
    state = position(f"{OPEN}: 6 infantry british 3V", f"{TARGET}: 8 spears")
    refused(state, wrong, "9.4")


def test_9_4_a_campaign_begins_with_its_battles_handed_over():
    state = new_game(SIEGE, hand_off=arrangement("redcoats"))
    assert state.phase is Phase.SET_UP
    assert decode(encode(state), State) == state
    assert state.hand_off is not None
    assert state.hand_off.resolution == "redcoats"


def test_9_4_documents_without_a_hand_off_can_still_be_read():
    state = new_game(SIEGE)
    assert b"hand_off" not in encode(state)
    assert decode(encode(state), State).hand_off is None


def test_9_4_the_state_with_an_open_battle_is_read_back_as_it_was():
    state = square()
    attacked(state, OPEN, TARGET)
    assert decode(encode(state), State) == state


def test_9_4_what_was_moved_is_forgotten_with_the_unit():
    state = square()
    state.hand_off.moved = dict.fromkeys(ids(state, TARGET), 1)
    brief = attacked(state, OPEN, TARGET)
    play(state, returned(brief, Side.EGYPTIAN, eliminated=ids(state, TARGET)))
    assert not state.hand_off.moved


# what is told


def test_9_4_a_despatch_tells_of_the_battle_and_how_it_ended():
    state = square(by="6 infantry egyptian L, gun egyptian")
    before = decode(encode(state), State)
    outcomes = [march(state, OPEN), play(state, a.Attack(hex_of(TARGET)))]
    report = returned(state.question.brief, Side.MAHDIST, eliminated=ids(state, OPEN)[:5])
    named = msgspec.structs.replace(report.report, ending="Their square was broken")
    gun = one(state, OPEN, "gun egyptian")
    named.fates[gun] = Fate.CAPTURED
    outcomes.append(play(state, a.Reported(named)))
    (told,) = chronicle(before, [(one.events, one.rolls) for one in outcomes])
    assert "the Egyptian side loses" in told.text
    assert "Their square was broken." in told.text
    assert "The Mahdists take" in told.text


def test_9_4_a_despatch_tells_of_a_new_arrangement():
    state = square()
    before = decode(encode(state), State)
    outcome = play(state, a.HandOver(TABLETOP))
    (told,) = chronicle(before, [(outcome.events, outcome.rolls)])
    assert told.text == "From now on battles are fought by the players."


def test_9_4_what_is_asked_and_answered_is_said_in_words():
    state = square()
    brief = attacked(state, OPEN, TARGET)
    assert describe_question(state) == f"{brief.title} is to be fought."
    said = describe_action(state, returned(brief, Side.EGYPTIAN))
    assert said.startswith("The battle, fought by the book 'redcoats', is reported won by the Egy")
    assert describe_action(state, a.Fight(COMBAT_TABLE)) == (
        "The battle is to be fought by the campaign’s own table."
    )
