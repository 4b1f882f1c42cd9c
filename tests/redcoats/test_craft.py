"""Gunboats and river boats: the stream, their guns, hits, loading and landing."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import casualties, charging, craft, dealing, field, offers
from battles.books.redcoats import events as e
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import hit
from battles.books.redcoats.field import NE, NW, E, Field, N, S, Terrain, name, parse_square
from battles.books.redcoats.movement import may_charge_in, may_enter
from battles.books.redcoats.pieces import Formation, Heroic, Kind
from battles.books.redcoats.play import rules
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.state import Leader, State, Unit
from battles.core.dice import ScriptedDice
from battles.core.game import IllegalAction
from tests.redcoats.field import EGYPTIAN, act, activated, battle, kinds, on, thrown, unit


def nile(*pieces: Unit | Leader) -> State:
    """Return a river three columns wide, D to F, that runs north."""
    water = {row * 100 + column: Terrain.WATER for row in range(8) for column in (3, 4, 5)}
    return battle(*pieces, field=Field(12, 8, water, downstream=dict.fromkeys(water, N)))


def gunboat(score: int = 4, looks: str = "N", at: str = "E6") -> State:
    state = nile(unit(1, "british", "gunboat", at, looks))
    assert thrown(state, 1, score).rolls[0].sides == 8
    return state


def points(state: State, facing: int, *path: str) -> int:
    """Return the points of the score that a way costs: its tariff less what the stream gives."""
    return craft.move_cost(state, state.units[1], tuple(map(parse_square, path)), facing)


def test_gunboat_example_1_four_and_two_are_six() -> None:
    state = gunboat(4, "NE")
    assert points(state, N, "F5", "F4") == 3 + 1 + 2 - 2
    act(state, a.Move((parse_square("F5"), parse_square("F4")), N))
    state = gunboat(4, "NW", at="F6")
    assert points(state, NW, "E5", "D4") == 3 + 3 - 2
    act(state, a.Move((parse_square("E5"), parse_square("D4")), NW))
    state = gunboat(4)
    assert points(state, N, "E5", "E4", "E3") == 2 + 2 + 2 - 2
    act(state, a.Move(tuple(map(parse_square, ("E5", "E4", "E3"))), N))
    assert state.units[1].square == parse_square("E3")


def test_gunboat_example_3() -> None:
    state = nile(unit(20, "dervish", "gunboat", "E6", "N"), unit(1, "british", "gunboat", "E3"))
    activated(state, 20, 1)
    outcome = act(state, a.Fire(1, 20, Kind.ARTILLERY), 2)
    assert outcome.rolls[0].sides == 8
    assert casualties.figures_firing(state.units[20], Kind.ARTILLERY) == 4
    assert (state.units[1].figures, state.units[1].disorganised) == (5, False)


def vessel(kind: str, at: str = "E6", **more: Any) -> State:
    return nile(unit(1, "british", kind, at, "N", **more))


def on_water_alone(kind: str) -> None:
    state = nile(unit(1, "british", kind, "D6", "W"), unit(2, "british", "infantry", "C6", "E"))
    assert not may_enter(state, state.units[1], parse_square("C5"))
    assert may_enter(state, state.units[1], parse_square("D5"))
    assert not may_enter(state, state.units[2], parse_square("D5"))


def test_gunboats_1_water_alone() -> None:
    on_water_alone("gunboat")


def test_river_boats_1_water_alone() -> None:
    on_water_alone("river boat")


def test_gunboats_2_a_card_of_its_own() -> None:
    assert dealing.is_dealt(vessel("gunboat"), vessel("gunboat").units[1])


def test_river_boats_2_a_card_of_its_own() -> None:
    assert dealing.is_dealt(vessel("river boat"), vessel("river boat").units[1])


def cannot_be_charged(kind: str) -> None:
    state = nile(unit(1, "british", kind, "D6"), unit(20, "dervish", "infantry", "C6", "E"))
    assert charging.charges(state, state.units[20], 8) == []


def test_gunboats_3_no_hand_to_hand_combat() -> None:
    cannot_be_charged("gunboat")


def test_river_boats_3_no_hand_to_hand_combat() -> None:
    cannot_be_charged("river boat")


def test_gunboats_4_they_do_not_charge() -> None:
    assert not may_charge_in(Formation.AFLOAT)


def test_river_boats_4_they_do_not_charge() -> None:
    assert not charging.may_charge(vessel("river boat").units[1])


@pytest.mark.parametrize("troops", ["british", "dervish"])
def test_gunboats_5_a_d8(troops: str) -> None:
    assert book().faces("action points", unit(1, troops, "gunboat", "E6")) == 8


def test_river_boats_5_a_d8() -> None:
    assert book().faces("action points", unit(1, "british", "river boat", "E6")) == 8


def test_gunboats_6_points_are_for_moving_alone() -> None:
    state = nile(unit(1, "british", "gunboat", "E6"), unit(20, "dervish", "infantry", "C4"))
    activated(state, 1, 1)
    outcome = act(state, a.Fire(20, 1, Kind.ARTILLERY), 6)
    assert outcome.events[0].cost == 0


def test_river_boats_6_they_have_nothing_to_fire() -> None:
    state = nile(unit(1, "british", "river boat", "E6"), unit(20, "dervish", "infantry", "C6"))
    activated(state, 1, 6)
    assert list(offers.shots(state)) == []


def test_gunboats_7_each_eighth_of_a_turn_costs_a_point() -> None:
    assert points(gunboat(), S) == 4
    found = offers.reach(gunboat(4))
    assert found is not None
    assert [found.cost(parse_square("E6"), looks) for looks in (NE, E, S)] == [1, 2, 4]


def test_river_boats_7_each_eighth_of_a_turn_costs_a_point() -> None:
    state = vessel("river boat")
    assert points(state, E) == 2


def test_gunboats_8_two_points_more_downstream() -> None:
    found = offers.reach(gunboat(4))
    assert found is not None
    assert found.path(parse_square("E3"), N) == tuple(map(parse_square, ("E5", "E4", "E3")))
    assert found.cost(parse_square("E2"), N) is None


def test_river_boats_8_two_points_more_downstream() -> None:
    state = vessel("river boat")
    assert craft.stream_bonus(state, parse_square("E6"), (parse_square("E5"),)) == 2


def test_gunboats_9_one_point_less_upstream() -> None:
    state = gunboat(4, "S", at="E3")
    found = offers.reach(state)
    assert found is not None
    assert points(state, S, "E4") == 3
    assert found.cost(parse_square("E4"), S) is not None
    assert found.cost(parse_square("E5"), S) is None


def test_river_boats_9_one_point_less_upstream() -> None:
    state = vessel("river boat")
    assert craft.stream_bonus(state, parse_square("E6"), (parse_square("E7"),)) == -1
    assert craft.stream_bonus(state, parse_square("E6"), (parse_square("F6"),)) == 0


def test_gunboats_10_each_armament_once_and_for_nothing() -> None:
    state = nile(unit(1, "british", "gunboat", "E6"), unit(20, "dervish", "infantry", "C5"))
    activated(state, 1, 1)
    rules.play(state, a.Fire(20, 1, Kind.ARTILLERY), ScriptedDice())
    rules.play(state, a.Fire(20, 1, Kind.MACHINE_GUN), ScriptedDice())
    with pytest.raises(IllegalAction, match="has fired its guns"):
        rules.play(state, a.Fire(20, 1, Kind.ARTILLERY), ScriptedDice())


def test_gunboats_11_two_figures_each() -> None:
    state = vessel("gunboat")
    for weapon in (Kind.ARTILLERY, Kind.MACHINE_GUN):
        assert casualties.figures_firing(state.units[1], weapon) == 2 * 2


def test_gunboats_12_the_guns_fire_forward() -> None:
    one = unit(1, "british", "gunboat", "E5", "N")
    seen = [
        at
        for at in ("E3", "G5", "G7", "E7")
        if casualties.in_arc(one, parse_square(at), Kind.ARTILLERY)
    ]
    assert seen == ["E3", "G5", "G7"]


def test_gunboats_13_the_machine_guns_fire_aft() -> None:
    one = unit(1, "british", "gunboat", "E5", "N")
    weapon = Kind.MACHINE_GUN
    seen = [
        at for at in ("E3", "G3", "G5", "E7") if casualties.in_arc(one, parse_square(at), weapon)
    ]
    assert seen == ["G3", "G5", "E7"]


def mended(kind: str) -> None:
    state = nile(
        unit(1, "british", kind, "E6"),
        Leader(
            40, EGYPTIAN, unit(9, "british", "infantry", "A1").troops, parse_square("E6"), aboard=1
        ),
    )
    full = state.units[1].full
    hit(on(state), state.units[1], "fire")
    assert (state.units[1].figures, state.units[1].disorganised) == (full - 1, False)
    state.hands[EGYPTIAN] = [Heroic.RECOVER]
    ledger = on(state)
    STEPS["recovery"](ledger)
    ledger.advance(STEPS)
    act(state, a.PlayCard(Heroic.RECOVER))
    assert state.units[1].figures == full


def test_gunboats_14_hits_and_a_leaders_card() -> None:
    mended("gunboat")


def test_river_boats_10_hits_and_a_leaders_card() -> None:
    mended("river boat")


def test_gunboats_14_without_a_leader_nothing_is_mended() -> None:
    state = vessel("gunboat", figures=3)
    casualties.recover(on(state), 1)
    assert state.question is None
    assert state.units[1].figures == 3


def test_gunboats_15_it_sinks_with_the_last() -> None:
    state = vessel("gunboat", figures=1)
    hit(on(state), state.units[1], "fire")
    assert [one.id for one in state.lost] == [1]


def test_river_boats_11_it_sinks_with_the_last() -> None:
    state = vessel("river boat", figures=1)
    ledger = on(state)
    hit(ledger, state.units[1], "fire")
    assert ledger.events == [e.FigureLost(unit=1, cause="fire"), e.Lost(unit=1, cause="sunk")]


def test_gunboats_16_six_flotation_points() -> None:
    assert book().number("gunboat") == 6


def test_river_boats_12_metal_four() -> None:
    assert book().number("metal boat") == 4


def test_river_boats_13_wood_two() -> None:
    assert book().number("wooden boat") == 2


def freight(kind: str, troops: str) -> list[str]:
    """Return the kinds of troops and goods that such a vessel may carry."""
    boat = unit(1, troops, kind, "E6")
    goods = [
        unit(2, troops, sort, "C6")
        for sort in ("infantry", "cavalry", "camelry", "artillery", "machine gun", "transport")
    ]
    return [one.kind.value for one in goods if craft.carries(boat, one)]


def test_gunboats_17_anglo_egyptian_freight() -> None:
    assert freight("gunboat", "british") == ["infantry", "artillery", "machine gun", "transport"]
    on_foot = unit(2, "british", "camelry", "C6", dismounted=True)
    assert craft.carries(unit(1, "british", "gunboat", "E6"), on_foot)


def test_gunboats_18_dervish_freight() -> None:
    assert freight("gunboat", "dervish") == ["infantry", "artillery", "machine gun", "transport"]


def test_river_boats_14_freight_of_any_kind() -> None:
    assert len(freight("river boat", "dervish")) == 6


def laden(kind: str, at: str = "D6") -> State:
    return nile(
        unit(1, "british", kind, at),
        unit(2, "british", "infantry", at, aboard=1),
        unit(20, "dervish", "infantry", "C4", "S"),
    )


def test_gunboats_19_laden_it_does_not_fire() -> None:
    state = activated(laden("gunboat"), 1, 4)
    assert list(offers.shots(state)) == []


def test_gunboats_20_with_a_leader_alone_it_fires() -> None:
    state = laden("gunboat")
    del state.units[2]
    troops = state.units[1].troops
    state.leaders[40] = Leader(40, EGYPTIAN, troops, parse_square("D6"), aboard=1)
    activated(state, 1, 4)
    assert list(offers.shots(state)) != []


def test_gunboats_21_those_aboard_do_not_fire() -> None:
    state = laden("gunboat")
    state.units[2].square = parse_square("D4")
    assert list(casualties.targets(state, state.units[2])) == []


def test_river_boats_15_those_aboard_do_not_fire() -> None:
    state = laden("river boat", at="D5")
    assert list(casualties.targets(state, state.units[2])) == []


def drowned(kind: str) -> None:
    state = laden(kind)
    state.units[1].figures = 1
    troops = state.units[1].troops
    state.leaders[40] = Leader(40, EGYPTIAN, troops, parse_square("D6"), aboard=1)
    hit(on(state), state.units[1], "fire")
    assert {one.id for one in state.lost} == {1, 2}
    assert [one.id for one in state.fallen] == [40]


def test_gunboats_22_what_is_aboard_is_lost() -> None:
    drowned("gunboat")


def test_river_boats_16_what_is_aboard_is_lost() -> None:
    drowned("river boat")


def test_river_boat_example_1() -> None:
    state = nile(
        unit(20, "dervish", "river boat", "E6", figures=1),
        unit(21, "dervish", "infantry", "E6", aboard=20),
    )
    ledger = on(state)
    hit(ledger, state.units[20], "fire")
    assert kinds(ledger.events) == ["FigureLost", "Lost", "Lost"]
    assert state.units == {}


def test_river_boat_example_2() -> None:
    state = laden("river boat", at="E6")
    activated(state, 1, 4)
    act(state, a.Move((parse_square("D6"),), 6))
    thrown(state, 2, 5)
    assert state.acting is None
    ledger = on(state)
    dealing.ask_to_moor(ledger, 1)
    assert state.question == q.ToMoor(EGYPTIAN, 1)
    act(state, a.Moor())
    STEPS["deal"](on(state))
    assert 1 not in state.cards
    assert 2 in state.cards
    thrown(state, 2, 2)
    act(state, a.Unload(parse_square("C6"), 6))
    assert (state.units[2].square, state.units[2].aboard) == (parse_square("C6"), 0)


def test_gunboats_23_a_moored_vessel_lies_still() -> None:
    state = laden("gunboat")
    state.moored = [1]
    found = craft.reach(state, state.units[1], 6)
    assert list(found.ends()) == []
    assert not dealing.is_dealt(state, state.units[1])


def test_river_boats_17_only_a_moored_vessel_loads() -> None:
    state = nile(unit(1, "british", "river boat", "D6"), unit(2, "british", "cavalry", "C6"))
    activated(state, 2, 6)
    assert offers.loading_vessels(state) == ()
    state.moored = [1]
    assert offers.loading_vessels(state) == (1,)
    act(state, a.Load(1))
    assert (state.units[2].aboard, state.units[2].square) == (1, parse_square("D6"))


def test_gunboats_24_loading_costs_a_change_of_formation() -> None:
    state = nile(unit(1, "british", "gunboat", "D6"), unit(2, "british", "infantry", "C6"))
    state.moored = [1]
    activated(state, 2, 1)
    assert offers.loading_vessels(state) == ()
    assert act(activated(state, 2, 2), a.Load(1)).events[0].cost == 2


def test_river_boats_18_landing_costs_a_change_of_formation() -> None:
    state = laden("river boat")
    state.moored = [1]
    activated(state, 2, 3)
    outcome = act(state, a.Unload(parse_square("C6"), 6))
    assert outcome.events[0].cost == 2


def test_gunboats_example_of_armament_arcs_of_fire() -> None:
    one = unit(1, "british", "gunboat", "E5", "N")
    around = [name(square) for square in field.around(one.square)]
    guns = [at for at in around if casualties.in_arc(one, parse_square(at), Kind.ARTILLERY)]
    machine_guns = [
        at for at in around if casualties.in_arc(one, parse_square(at), Kind.MACHINE_GUN)
    ]
    assert set(around) - set(guns) == {"E6"}
    assert set(around) - set(machine_guns) == {"E4"}
