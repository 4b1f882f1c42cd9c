"""The line-ups of the computer on an open table: by what they can do, and by nothing hidden."""

from itertools import product
from typing import Any

import pytest

from battles.books.fuzzy_wuzzy import board as fuzzy_wuzzy
from battles.books.restless_natives import board as restless_natives
from battles.contract import Side
from battles.contract.book import book
from battles.contract.brief_files import find_ready_battle
from battles.contract.set_up import ToSetUp
from battles.simulation import dice_of
from battles.tabletop.deployment import Deploy, Post, contains
from battles.tabletop.deployment_lines import DeploymentBand, Role
from battles.tabletop.field import OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import StandSize, TablePoint
from battles.tabletop.line_ups import GroundToUse, UnitToPlace, best_line_up, next_deployment

TABLES = ("restless", "fuzzy-wuzzy")
STANDS: dict[str, Any] = {
    "restless": restless_natives.stands_of,
    "fuzzy-wuzzy": fuzzy_wuzzy.stands_of,
}
SIZE = StandSize(100, 100)
SCRUB = frozenset({TableTerrain.SCRUB})
ZONE = tuple(TablePoint(*one) for one in ((0, 1500), (4000, 1500), (4000, 3000), (0, 3000)))
HERE = TablePoint(2000, 2000)


def box(west: int, north: int, east: int, south: int) -> TerrainFeature:
    corners = ((west, north), (east, north), (east, south), (west, south))
    return TerrainFeature(TableTerrain.SCRUB, tuple(TablePoint(*one) for one in corners))


def ground(*features: TerrainFeature, holds: bool = True) -> GroundToUse:
    """Return a table with the side's zone in its southern half."""
    return GroundToUse(
        field=OpenField(4000, 3000, "inch", features),
        zones=(ZONE,),
        cover=SCRUB,
        rough=SCRUB,
        hiding=frozenset({TableTerrain.HILL}),
        barred=frozenset({TableTerrain.RIVER}),
        within=100,
        holds=holds,
    )


def unit(number: int, role: Role, at: TablePoint = HERE, **more: Any) -> UnitToPlace:
    """Return a unit of one stand, or a mass of four spears, that looks north."""
    foot = role is Role.FOOT
    formation = TableFormation.MASS if foot else TableFormation.UNLIMBERED
    band = DeploymentBand(number, Side.MAHDIST, role, 4 if foot else 1, SIZE, formation)
    return UnitToPlace(band, Post(at, 0, formation), **more)


def spears(**more: Any) -> UnitToPlace:
    return unit(1, Role.FOOT, exposed=2.0, covered=0.5, **more)


def planned(of: GroundToUse, *units: UnitToPlace) -> dict[int, TablePoint]:
    return {number: post.at for number, post in best_line_up(of, units)}


def test_spears_that_hold_go_back_to_cover_and_attackers_do_not() -> None:
    behind = box(1800, 2300, 2200, 2700)
    found = planned(ground(behind), spears())
    assert 2300 < found[1].y < 2700
    assert planned(ground(behind, holds=False), spears()) == {}


def test_nobody_goes_to_cover_that_costs_more_than_it_saves() -> None:
    beside = box(2200, 1800, 2700, 2300)
    assert planned(ground(beside), spears()).keys() == {1}
    assert planned(ground(beside), spears(slow=2.0)) == {}
    assert planned(ground(beside), spears(free=False)) == {}


def test_cover_out_of_the_zone_is_left_alone() -> None:
    assert planned(ground(box(1800, 1000, 2200, 1400)), spears()) == {}


def test_a_masked_battery_goes_abreast_to_where_it_sees() -> None:
    gun = unit(1, Role.GUN, fires=1200, volley=1.0)
    friend = unit(2, Role.TRAIN, TablePoint(2000, 1850), free=False)
    assert planned(ground(), gun) == {}
    assert planned(ground(), gun, friend) == {1: TablePoint(2200, 2000)}


def test_a_leader_goes_behind_the_middle_of_those_he_leads() -> None:
    led = [unit(2, Role.FOOT, TablePoint(600, 1800)), unit(3, Role.FOOT, TablePoint(1000, 1800))]
    leader = unit(1, Role.LEADER, TablePoint(3000, 2500), follows=(2, 3))
    assert planned(ground(), *led, leader) == {1: TablePoint(800, 2100)}


def test_a_place_that_is_still_taken_is_passed_over() -> None:
    of = ground(box(1800, 2300, 2200, 2700))
    posts = {1: spears().post}
    assert next_deployment(posts, of, (spears(),), lambda number, post: "taken") is None
    action = next_deployment(posts, of, (spears(),), lambda number, post: "")
    assert isinstance(action, Deploy)
    assert next_deployment({1: action.post}, of, (spears(),), lambda number, post: "") is None


def placings(slug: str, name: str, change: Any = None) -> dict[Side, list[Deploy]]:
    """Return what the computer places for each side; `change` may alter the state before."""
    brief = find_ready_battle(name).brief  # type: ignore[union-attr]
    engine = book(slug).engine
    state, _ = engine.new_game(brief, dice_of(brief, 1, 1))
    if change is not None:
        change(state)
    found: dict[Side, list[Deploy]] = {side: [] for side in Side}
    while isinstance(state.question, ToSetUp):
        side, action = state.question.side, engine.answer(state)
        engine.play(state, action, dice_of(brief, 1, 2))
        if isinstance(action, Deploy):
            found[side].append(action)
            stands = STANDS[slug](state.units[action.unit])
            assert any(contains(zone, stands) for zone in state.zones[side])
    return found


@pytest.mark.parametrize(("slug", "name"), list(product(TABLES, ("tamai", "second-el-teb"))))
def test_the_computer_uses_its_zone_the_same_way_each_time(slug: str, name: str) -> None:
    found = placings(slug, name)
    assert any(found.values())
    assert found == placings(slug, name)
    assert all(len({one.unit for one in each}) == len(each) for each in found.values())


def test_mahdists_at_kirbekan_take_to_the_rocks() -> None:
    assert len(placings("restless", "kirbekan")[Side.MAHDIST]) == 2


def test_a_hidden_enemy_changes_nothing_in_a_line_up() -> None:
    def enemies_elsewhere(state: Any) -> None:
        for one in state.units.values():
            if one.side is Side.EGYPTIAN:
                one.at = TablePoint(state.field.width // 2, one.at.y // 2 + 100)

    name = "tamai"
    as_they_are = placings("fuzzy-wuzzy", name)[Side.MAHDIST]
    assert as_they_are
    assert placings("fuzzy-wuzzy", name, enemies_elsewhere)[Side.MAHDIST] == as_they_are
