"""Trains, boats and the road through the desert, as the staff uses them; and who leaves a town."""

from typing import Any

import pytest

from battles.contract.brief import Side, TroopKind
from campaign.rules.core import actions as a
from campaign.rules.core.board import board
from campaign.rules.core.state import State
from campaign.staff import answer
from campaign.staff.assaults import stake
from campaign.staff.columns import ESCORT, sorties
from campaign.staff.scene import FAR, scene
from campaign.staff.stopping_places import stages
from campaign.staff.transport import danger, hulls_at, legs
from tests.positions import OPEN, RELIEF, hex_of, position
from tests.staff.test_judgement import carried_out


def done(state: State, kind: type) -> list[Any]:
    return [action for action in carried_out(state) if isinstance(action, kind)]


def test_8_22_a_convoy_takes_the_train_to_the_railhead() -> None:
    state = position("Wady Halfa: 2 supply, spears egyptian", month="1884-12")
    assert [action.hex for action in done(state, a.Rail)][:1] == [hex_of("Sarras")]


def test_8_23_supply_without_a_camel_goes_up_the_nile_by_boat() -> None:
    state = position("Sarras: supply, gunboat british, boat british, spears egyptian")
    sailed = answer(state)
    assert isinstance(sailed, a.Sail)
    kinds = {unit.kind for unit in board(state).units if unit.id in sailed.units}
    assert kinds == {TroopKind.SUPPLY, TroopKind.BOAT}


def test_8_23_gunboats_of_khartoum_fetch_the_draft_from_berber() -> None:
    state = position(
        "Khartoum: 7 infantry egyptian L, 5 gunboat egyptian",
        "Berber: 5 infantry egyptian R",
        "El Obeid: 6 spears mahdist",
        scenario=RELIEF,
        month="1883-05",
    )
    sailed = done(state, a.Sail)
    assert [action.path[-1] for action in sailed] == [hex_of("Berber")]
    assert len(sailed[0].units) == 3


def test_8_23_a_besieged_gunboat_stays() -> None:
    state = position(
        "Khartoum: 7 infantry egyptian R disrupted, 5 gunboat egyptian",
        "Berber: 5 infantry egyptian R",
        "2043: 8 spears",
        scenario=RELIEF,
        month="1883-05",
    )
    assert done(state, a.Sail) == []


def test_8_23_the_dangers_of_a_voyage_are_its_cataracts() -> None:
    state = position("Khartoum: 2 gunboat egyptian", month="1884-12")
    view, here = scene(state, Side.EGYPTIAN), hex_of("Khartoum")
    hulls = hulls_at(view, here)
    ways = {leg.path[-1]: leg for leg in legs(view, here, hulls)}
    assert danger(view, ways[hex_of("Halfaya")], hulls) == 0
    assert danger(view, ways[hex_of("Metemmeh")], hulls) > 0
    assert hex_of("Souakim") not in ways


def test_4_2_the_civilians_leave_an_open_khartoum_while_no_relief_is_near() -> None:
    state = position(
        "Khartoum: Gordon, 5 infantry egyptian L, 3 infantry egyptian R, civilians",
        "Souakim: 3 infantry egyptian R",
        "El Obeid: 6 spears",
    )
    first = next(one for one in carried_out(state) if isinstance(one, a.March))
    kinds = [unit.kind for unit in board(state).units if unit.id in first.units]
    assert TroopKind.CIVILIANS in kinds
    assert TroopKind.LEADER not in kinds
    assert len(kinds) == 1 + ESCORT


@pytest.mark.parametrize("near", ["2041: supply, camel, 3 infantry british 3V", "2043: 8 spears"])
def test_4_2_the_civilians_stay_for_relief_and_under_siege(near: str) -> None:
    state = position("Khartoum: Gordon, 5 infantry egyptian L, civilians", near)
    carried_out(state)
    civilians = [unit for unit in board(state).units if unit.kind is TroopKind.CIVILIANS]
    assert [unit.hex for unit in civilians] == [hex_of("Khartoum")]


def test_10_3_the_way_through_the_desert_leads_from_shelter_to_shelter() -> None:
    state = position(f"{OPEN}: spears")
    berber = frozenset({hex_of("Berber")})
    bold, timid = (stages(state, berber, 6, points)[hex_of("Souakim")] for points in (18, 3))
    assert bold < FAR
    assert timid == FAR
    assert stages(state, berber, 6, 12)[hex_of("Obak Wells")] <= 12


def test_9_12_the_best_sally_when_they_are_enough_by_themselves() -> None:
    state = position(
        "Khartoum: Gordon, 6 infantry british 3V, 3 infantry egyptian R", "2043: 5 spears"
    )
    view, here = scene(state, Side.EGYPTIAN), hex_of("Khartoum")
    first = next(sorties(view, here, board(state).stack(Side.EGYPTIAN, here)))
    strong = [unit for unit in first if unit.strength == 3]
    assert len(strong) == 5
    assert {unit.kind for unit in first if unit not in strong} == {TroopKind.LEADER}


def test_4_1_a_siege_weighs_the_more_the_nearer_its_count_is_to_the_end() -> None:
    state = position("Khartoum: 4 infantry egyptian L", "2043: 8 spears", scenario=RELIEF)
    weights = []
    for turns in (0, 1, 2):
        state.tallies["turns:mahdist"] = turns
        weights.append(stake(scene(state, Side.EGYPTIAN), hex_of("Khartoum")))
    assert weights == [0, 0.5, 1]
    assert stake(scene(state, Side.EGYPTIAN), hex_of("Berber")) == 0


def test_9_1_bands_at_the_foot_of_the_walls_storm_a_starved_town() -> None:
    state = position("Khartoum: infantry egyptian R disrupted", "2043: 8 spears", side="mahdist")
    assert isinstance(answer(state), a.March)
    assert [action.hex for action in done(state, a.Attack)][:1] == [hex_of("Khartoum")]
