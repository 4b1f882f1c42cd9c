"""9.8: who has won, and how the loser goes back."""

import pytest

from battles.contract.brief import Side
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.play import answers_to
from campaign.rules.map import Relief, sudan
from tests.positions import OPEN, add, hex_of, position
from tests.rules.helpers import (
    count,
    fight,
    go,
    holder,
    ids,
    march,
    offered,
    only,
    play,
    refused,
    there,
)

TARGET = "0640"
SAFE = (6, 6)


def won_by(outcome):
    (ended,) = only(outcome, e.CombatEnded)
    return ended.winner


def beaten_defenders(stack="4 spears", *others, where=OPEN, target=TARGET, by=None):
    """The marching stack has won; the defenders are asked to retreat, if they must."""
    by = by or "12 infantry british 3V"
    state = position(f"{where}: {by}", f"{target}: {stack}", *others)
    march(state, where)
    return state, fight(state, target, [2, 5, *SAFE, *SAFE])


def beaten_marchers(*route, start="0643", stack="4 spears egyptian", others=()):
    """A marching stack that came by `route` and has lost before the Mahdists at the end of it."""
    *way, target = route
    state = position(f"{start}: {stack}", f"{target}: 8 spears", *others)
    march(state, start)
    if way:
        go(state, *way)
    outcome = fight(state, target, [2, 4, *SAFE])
    assert won_by(outcome) is Side.MAHDIST
    return state, outcome


def test_9_8_a_beaten_stack_with_craft_that_came_by_rail_goes_back_by_rail():
    state = position("Wady Halfa: 4 spears egyptian, boat", "1104: 8 spears", month="1884-12")
    play(state, a.Rail(ids(state, "Wady Halfa"), hex_of("1103")))
    outcome = fight(state, "1104", [2, 4, *SAFE])
    assert won_by(outcome) is Side.MAHDIST
    assert offered(state).back_along == (hex_of("1102"), hex_of("Wady Halfa"))
    play(state, a.Retreat((hex_of("1102"), hex_of("Wady Halfa"))))
    assert count(state, "Wady Halfa", "boat") == 1


@pytest.mark.parametrize("dice", [(5,), (6, 2, 3)])
def test_9_8_craft_that_go_back_by_river_run_its_dangers_again(dice):
    state = position("1722: 4 spears egyptian, 4 gunboats", "1624: 8 spears")
    play(state, a.Sail(ids(state, "1722"), (hex_of("1723"), hex_of("1623"))), (1, 1, 1, 1))
    outcome = fight(state, "1624", [2, 4, *SAFE])
    assert won_by(outcome) is Side.MAHDIST
    outcome = play(state, a.Retreat((hex_of("1723"),)), (1, 1, 1, *dice))
    assert {roll.clause for roll in outcome.rolls} == {"8.23 II"}
    assert count(state, "1723", "gunboat") == (4 if dice == (5,) else 3)


# who has won


def test_9_8_half_of_the_units_disrupted_or_dead_loses():
    state = position(f"{OPEN}: 4 spears egyptian", f"{TARGET}: 8 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [5, 5, 6, 3])
    assert (only(outcome, e.Tested)[0].eliminated, only(outcome, e.Tested)[0].disrupted) == (0, 2)
    assert won_by(outcome) is Side.MAHDIST


def test_9_8_less_than_half_does_not_lose():
    state = position(f"{OPEN}: 5 spears egyptian", f"{TARGET}: 8 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [5, 5, 6, 6])
    assert only(outcome, e.Tested)[0].disrupted == 2
    assert won_by(outcome) is None


def test_9_8_when_neither_has_lost_the_combat_is_drawn_and_the_march_ends():
    state = position(f"{OPEN}: 8 infantry egyptian L", f"{TARGET}: 8 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [*SAFE] * 3)
    assert won_by(outcome) is None
    assert state.march is None
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_9_8_when_both_have_lost_the_combat_is_drawn_and_nobody_retreats():
    state = position(f"{OPEN}: 4 spears egyptian", f"{TARGET}: 4 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [3, 3, 3, 3])
    assert won_by(outcome) is None
    assert state.march is None
    assert isinstance(state.question, q.ToMarch)


def test_9_8_units_disrupted_before_the_combat_count():
    state = position(
        f"{OPEN}: 2 spears egyptian, 2 spears egyptian disrupted", f"{TARGET}: 2 spears"
    )
    march(state, OPEN)
    outcome = fight(state, TARGET, [*SAFE, *SAFE])
    assert won_by(outcome) is Side.MAHDIST


def test_9_8_gunboats_boats_and_the_fleet_are_not_counted():
    state = position(
        "2043: 8 spears",
        "Khartoum: 2 spears egyptian, 2 spears egyptian disrupted, 5 gunboats",
        side="mahdist",
    )
    march(state, "2043")
    outcome = fight(state, "Khartoum", [*SAFE, *SAFE])
    assert won_by(outcome) is Side.MAHDIST


def test_9_8_leaders_are_not_counted():
    state = position(
        f"{OPEN}: Baker, 2 spears egyptian, 2 spears egyptian disrupted", f"{TARGET}: 8 spears"
    )
    march(state, OPEN)
    outcome = fight(state, TARGET, [*SAFE, *SAFE])
    assert won_by(outcome) is Side.MAHDIST


def test_9_8_the_winner_may_go_on_with_what_it_has_left():
    state, outcome = beaten_defenders()
    assert won_by(outcome) is Side.EGYPTIAN
    play(state, a.Retreat((hex_of("0639"),)))
    go(state, "0742")
    march(state, "0742")


# the defender's retreat


def test_9_8_a_beaten_defender_must_retreat_one_hex_at_least():
    state, _ = beaten_defenders()
    assert isinstance(state.question, q.ToRetreat)
    refused(state, a.Retreat(()), "9.8")
    refused(state, a.Halt(), "5.0")
    play(state, a.Retreat((hex_of("0639"),)))
    assert ids(state, TARGET) == ()


def test_9_8_it_retreats_up_to_its_full_allowance():
    state, _ = beaten_defenders("3 spears, spears")
    assert state.question.points == 3
    way = tuple(hex_of(there) for there in ("0639", "0638", "0637", "0636"))
    refused(state, a.Retreat(way), "9.8")
    play(state, a.Retreat(way[:3]))
    assert len(ids(state, "0637")) == 2


def test_9_8_a_defender_in_good_order_has_its_whole_allowance():
    state = position(
        f"{OPEN}: 4 infantry british 3V", f"{TARGET}: 2 spears disrupted, 2 cavalry mahdist"
    )
    march(state, OPEN)
    fight(state, TARGET, [6, 6, *SAFE, *SAFE])
    assert isinstance(state.question, q.ToRetreat)
    assert state.question.points == 3


def test_9_8_a_retreat_does_not_enter_the_enemys_hexes():
    state, _ = beaten_defenders("4 spears", "0639: infantry british")
    refused(state, a.Retreat((hex_of("0639"),)), "9.8")
    refused(state, a.Retreat((hex_of(OPEN),)), "9.8")
    assert hex_of("0639") not in offered(state).reach.costs


def test_9_8_a_retreat_skips_no_hex():
    state, _ = beaten_defenders()
    refused(state, a.Retreat((hex_of("0638"),)), "9.8")


def test_8_21_a_retreat_over_a_river_costs_three_points_more_and_one_hex_is_always_retreated():
    state, _ = beaten_defenders(where="2044", target="2043")
    assert (state.question.points, offered(state).reach.costs[hex_of("1943")]) == (3, 4)
    refused(state, a.Retreat((hex_of("1943"), hex_of("1843"))), "9.8")
    play(state, a.Retreat((hex_of("1943"),)))
    assert count(state, "1943", "spears disrupted") > 0


def test_8_21_a_retreat_crosses_no_river_beside_an_enemy_gunboat():
    state, _ = beaten_defenders("4 spears", "1942: gunboat", where="2044", target="2043")
    refused(state, a.Retreat((hex_of("1943"),)), "9.8")
    assert not {1942, 1943} & set(offered(state).reach.costs)


def test_9_8_a_retreat_crosses_a_river_with_a_friendly_boat():
    state, _ = beaten_defenders("4 spears", "1943: boat mahdist", where="2044", target="2043")
    play(state, a.Retreat((hex_of("1943"),)))
    assert count(state, "1943", "spears disrupted") > 0


def test_9_8_a_retreat_never_enters_the_sea():
    state, _ = beaten_defenders(where="Tokar", target="El Teb", by="12 infantry british 3V")
    reach = offered(state).reach
    assert not [hex_id for hex_id in reach.costs if sudan().hexes[hex_id].sea]
    refused(state, a.Retreat((hex_of("5822"),)), "9.8")


def test_9_8_one_hex_may_always_be_entered_whatever_it_costs():
    state = position(
        "0761: 4 infantry egyptian L", "0762: 4 spears disrupted, gun mahdist disrupted"
    )
    march(state, "0761")
    fight(state, "0762", [6, 6, 2, 5, *SAFE, *SAFE])
    assert state.question.points == 2
    assert sudan().hexes[hex_of("0763")].relief is Relief.MOUNTAIN
    refused(state, a.Retreat((hex_of("0763"), hex_of("0863"))), "9.8")
    play(state, a.Retreat((hex_of("0763"),)))


@pytest.mark.parametrize("place", ["El Obeid", "Duem"])
def test_9_8_a_loser_in_a_town_or_village_may_stand_fast(place):
    near = {"El Obeid": "0357", "Duem": "1854"}[place]
    state, outcome = beaten_defenders("4 spears", where=near, target=place)
    assert won_by(outcome) is Side.EGYPTIAN
    assert state.question.free
    play(state, a.Retreat(()))
    assert isinstance(state.question, q.OnMarch)


def test_9_8_a_loser_in_a_town_may_choose_to_retreat():
    state, _ = beaten_defenders("4 spears", where="0357", target="El Obeid")
    play(state, a.Retreat((hex_of("0458"),)))
    assert ids(state, "El Obeid") == ()


def test_9_8_a_loser_at_an_oasis_must_retreat():
    state, _ = beaten_defenders("4 spears", where="2333", target="Abu Klea Wells")
    assert not state.question.free
    refused(state, a.Retreat(()), "9.8")


def test_9_8_a_loser_that_cannot_retreat_suffers_one_more_disruption_on_every_unit():
    around = sudan().neighbours[hex_of(TARGET)]
    ring = [f"{near:04d}: infantry british" for near in around if near != hex_of(OPEN)]
    state, outcome = beaten_defenders("8 spears", *ring)
    assert isinstance(state.question, q.OnMarch)
    assert only(outcome, e.Removed)[-1].cause == "no retreat"
    assert count(state, TARGET, "spears") == 0


def test_9_8_leaders_retreat_with_their_stack_and_craft_stay():
    state, _ = beaten_defenders("Mahdi, 4 spears, boat mahdist", where="2044", target="2043")
    play(state, a.Retreat((hex_of("2143"),)))
    assert count(state, "2143", "Mahdi") == 1
    assert count(state, "2043", "boat mahdist") == 1


def test_9_8_a_retreat_into_a_place_takes_it():
    state = position("0362: 12 infantry british", "0361: 4 spears", held={"Shekan": "egyptian"})
    march(state, "0362")
    fight(state, "0361", [2, 5, *SAFE, *SAFE])
    play(state, a.Retreat((hex_of("Shekan"),)))
    assert holder(state, "Shekan") is Side.MAHDIST


def test_9_8_a_retreat_takes_the_places_on_its_way():
    held = {"Shekan": "egyptian", "El Obeid": "egyptian"}
    state = position("0459: 12 infantry british", "0359: 4 spears", held=held)
    march(state, "0459")
    fight(state, "0359", [2, 5, *SAFE, *SAFE])
    play(state, a.Retreat((hex_of("El Obeid"), hex_of("0357"))), [2])
    assert holder(state, "El Obeid") is Side.MAHDIST
    assert count(state, "El Obeid", "spears") == 2


# the marching stack's retreat


def test_9_8_a_beaten_marching_stack_goes_back_the_way_it_came():
    state, _ = beaten_marchers("0642", OPEN, TARGET)
    assert offered(state).back_along == (hex_of("0642"), hex_of("0643"))
    refused(state, a.Retreat(()), "9.8")
    refused(state, a.Retreat((hex_of("0742"),)), "9.8")
    refused(state, a.Retreat((hex_of("0643"),)), "9.8")
    play(state, a.Retreat((hex_of("0642"),)))
    assert ids(state, "0642")
    assert isinstance(state.question, q.ToMarch)


def test_9_8_a_winding_way_is_followed_hex_by_hex():
    state, _ = beaten_marchers("0743", "0742", OPEN, TARGET)
    back = tuple(hex_of(there) for there in ("0742", "0743", "0643"))
    refused(state, a.Retreat((hex_of("0642"),)), "9.8")
    play(state, a.Retreat(back))
    assert ids(state, "0643")


def test_9_8_a_beaten_marching_stack_moves_and_attacks_no_more():
    state, _ = beaten_marchers("0642", OPEN, TARGET)
    play(state, a.Retreat((hex_of("0642"),)))
    assert state.march is None
    refused(state, a.March(ids(state, "0642")), "8.3")


def test_9_8_marchers_retreat_no_further_than_their_allowance():
    state = position("0643: 4 spears egyptian", "0632: 8 spears")
    march(state, "0643")
    go(state, "0642", "0641", "0640", "0639", "0638", "0637")
    march(state, "0637")
    go(state, "0636", "0635", "0634", "0633")
    fight(state, "0632", [2, 4, *SAFE])
    question = state.question
    assert isinstance(question, q.ToRetreat)
    assert len(offered(state).back_along) == question.points == 3


def test_9_8_the_way_back_may_have_been_closed():
    state = position("0643: 4 spears egyptian", f"{TARGET}: 8 spears")
    march(state, "0643")
    go(state, "0642", OPEN)
    add(state, "0642: spears")
    outcome = fight(state, TARGET, [3, 5, *SAFE])
    assert won_by(outcome) is Side.MAHDIST
    assert only(outcome, e.Disrupted)[-1].cause == "no retreat"


def test_9_8_a_stack_that_lost_where_it_set_out_stays_and_marches_no_more():
    state = position(f"{OPEN}: 4 spears egyptian", f"{TARGET}: 8 spears")
    march(state, OPEN)
    outcome = fight(state, TARGET, [5, 5, *SAFE])
    assert won_by(outcome) is Side.MAHDIST
    assert "no retreat" not in [event.cause for event in only(outcome, e.Disrupted)]
    assert count(state, OPEN, "spears egyptian disrupted") == 2
    assert isinstance(state.question, q.ToMarch)
    refused(state, a.March(ids(state, OPEN)), "8.3")


def test_9_8_a_stack_that_lost_where_it_set_out_is_at_bay_when_it_is_surrounded():
    around = [near for near in sudan().neighbours[hex_of(OPEN)] if near != hex_of(TARGET)]
    ring = [f"{near:04d}: spears" for near in around]
    state = position(f"{OPEN}: 4 spears egyptian", f"{TARGET}: 8 spears", *ring)
    march(state, OPEN)
    outcome = fight(state, TARGET, [5, 5, *SAFE])
    assert only(outcome, e.Disrupted)[-1].cause == "no retreat"


def over_the_white_nile(*others):
    """A stack that has crossed the White Nile to attack, with no boat to bring it back."""
    state = position("2043: 4 spears egyptian", "1843: 8 spears")
    march(state, "2043")
    go(state, "1943")
    for stack in others:
        add(state, stack)
    return state, fight(state, "1843", [5, 5, *SAFE])


def test_8_21_a_beaten_assault_gets_back_over_the_river_it_has_crossed():
    state, outcome = over_the_white_nile()
    assert won_by(outcome) is Side.MAHDIST
    assert offered(state).back_along == (hex_of("2043"),)
    play(state, a.Retreat((hex_of("2043"),)))
    assert count(state, "2043", "spears egyptian") == 2


def test_8_21_no_beaten_stack_goes_back_over_a_river_beside_an_enemy_gunboat():
    _, outcome = over_the_white_nile("1942: gunboat mahdist")
    assert won_by(outcome) is Side.MAHDIST
    assert [event.cause for event in only(outcome, e.Disrupted)][-1] == "no retreat"


def test_9_8_marchers_go_back_over_a_river_where_a_boat_lies():
    state = position("2043: 4 spears egyptian, boat egyptian", "1843: 8 spears")
    march(state, "2043", "4 spears egyptian")
    go(state, "1943")
    fight(state, "1843", [5, 5, *SAFE])
    play(state, a.Retreat((hex_of("2043"),)))
    assert len(ids(state, "2043")) > 1


def test_9_8_a_beaten_marching_stack_in_a_town_may_stand_fast():
    state = position("0357: 4 spears egyptian", "0458: 8 spears", held={"El Obeid": "egyptian"})
    march(state, "0357")
    go(state, "El Obeid")
    fight(state, "0458", [5, 5, *SAFE])
    assert state.question.free
    play(state, a.Retreat(()))
    assert there(state, ids(state, "El Obeid")[0]) == hex_of("El Obeid")


def test_9_8_who_stands_fast_retreats_nowhere_and_does_not_say_that_he_is_done():
    state, _ = beaten_defenders("4 spears", where="0357", target="El Obeid")
    assert offered(state).done
    assert answers_to(state.question) == (a.Retreat,)
    refused(state, a.Done(), "5.0")
    play(state, a.Retreat(()))
    assert not isinstance(state.question, q.ToRetreat)
