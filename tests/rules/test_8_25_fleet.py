"""8.25: the fleet, and where it lands."""

import pytest

from campaign import rules
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import chart
from campaign.rules.march import fleet
from tests.positions import hex_of, position
from tests.rules.helpers import count, go, happen, ids, march, offered, only, play, refused


def test_8_25_the_fleet_carries_a_stack_to_trinkitat_and_back_for_no_points():
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    march(state, "Souakim")
    go(state, "Trinkitat")
    assert count(state, "Trinkitat", "infantry british 3V") == 3
    go(state, "Souakim")
    go(state, "Trinkitat")
    assert state.march.marches == 1


def test_8_25_a_stack_does_not_sail_to_and_fro_without_end():
    """Ruling 60: the options end as the check does, in one move and in many."""
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    march(state, "Souakim")
    shuttle = (hex_of("Trinkitat"), hex_of("Souakim"))
    refused(state, a.Move(shuttle * 2), "8.25")
    landings = 0
    while ways := sorted(offered(state).reach.before):
        refused(state, a.Move(shuttle * 9), "8.25")
        play(state, a.Move((ways[0],)))
        landings += 1
    assert landings == 2 * len(fleet.landings(chart(state))) - 1


def test_8_25_a_march_must_be_rolled_all_the_same():
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    march(state, "Souakim", dice=[1])
    assert state.march is None


def test_8_25_the_third_march_may_be_by_sea_too():
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    for _ in range(3):
        march(state, "Souakim")
    go(state, "Trinkitat")


def test_8_25_the_fleet_lands_nobody_on_the_enemy():
    state = position("Souakim: 3 infantry british, fleet", "El Teb: spears", month="1884-02")
    march(state, "Souakim")
    refused(state, a.Move((hex_of("El Teb"),)), "8.25")
    assert hex_of("El Teb") not in offered(state).reach.costs
    assert hex_of("Trinkitat") in offered(state).reach.costs


def test_8_25_the_fleet_goes_nowhere_else():
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    march(state, "Souakim")
    refused(state, a.Move((hex_of("Agig"),)), "8.25")
    refused(state, a.Move((hex_of("5320"),)), "8.25")


def test_8_25_troops_put_ashore_march_on_without_the_fleet():
    state = position("Souakim: 3 infantry british, fleet", month="1884-02")
    march(state, "Souakim")
    go(state, "Trinkitat")
    play(state, a.DropOff(ids(state, "Trinkitat", "fleet")))
    march(state, "Trinkitat", "3 infantry british")
    go(state, "El Teb")


@pytest.mark.parametrize("where", ["Souakim", "5420"])
def test_8_25_every_way_offered_to_a_stack_beside_the_fleet_is_allowed(where):
    state = position(f"{where}: 3 infantry british, fleet", month="1884-02")
    march(state, where, "3 infantry british")
    ways = offered(state).reach
    assert hex_of("Trinkitat") in ways.before
    for there in ways.before:
        rules.check(state, a.Move(ways.path(there)))


def test_8_25_the_fleet_leaves_when_souakim_falls():
    state = position("Souakim: fleet", "5418: 3 spears", side="mahdist", month="1884-02")
    march(state, "5418")
    outcome = go(state, "Souakim", dice=[1])
    assert [event.cause for event in only(outcome, e.Removed)] == ["harbour lost"]


def test_8_25_the_fleet_returns_with_british_infantry_in_souakim():
    state = position("Souakim: infantry egyptian L", phase="reinforcement", month="1884-02")
    state.tallies["fleet away"] = 1
    assert not only(happen(state, "reinforcement"), e.Waited)
    state = position("Souakim: naval infantry", phase="reinforcement", month="1884-02")
    state.tallies["fleet away"] = 1
    assert only(happen(state, "reinforcement"), e.Waited)
    state = position("Souakim: infantry british", phase="reinforcement", month="1884-02")
    state.tallies["fleet away"] = 1
    happen(state, "reinforcement")
    play(state, a.Place(0, hex_of("Souakim")))
    assert count(state, "Souakim", "fleet") == 1
    assert not only(happen(state, "reinforcement"), e.Waited)
