"""Zones of deployment: where each side may place its units before a battle."""

from itertools import product
from typing import Any

import pytest

from battles.contract import Side
from battles.contract.book import book
from battles.contract.brief_files import ready_battles
from battles.contract.set_up import EAST, NORTH, SOUTH, WEST, Restore, ToSetUp, ZoneBox, zones_of
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, derive_key
from battles.core.game import IllegalAction
from battles.tabletop.deployment import Deploy, contains
from battles.tabletop.geometry import Stand, TablePoint

FIELD = ZoneBox(0, 0, 100, 60)
BRIEFS = {offer.slug: offer.brief for offer in ready_battles()}
HISTORY = ("abu-klea", "shekan", "tofrek", "second-el-teb", "kirbekan", "first-el-teb")
TABLES = ("restless", "fuzzy-wuzzy")
DICE = ChainedDice(derive_key(b"deployment"))


def begun(slug: str, brief: str) -> Any:
    """Return the battle at its first question."""
    return book(slug).engine.new_game(BRIEFS[brief], DICE)[0]


def meet(one: ZoneBox, other: ZoneBox) -> bool:
    across = one.west < other.east and other.west < one.east
    return across and one.north < other.south and other.north < one.south


def test_a_body_has_the_ground_from_its_edge_to_its_foremost_stand() -> None:
    near, far = zones_of(FIELD, [(SOUTH, ZoneBox(20, 48, 80, 55))], ZoneBox(30, 10, 70, 20), 6)
    assert near == (ZoneBox(0, 48, 100, 60),)
    assert far == (ZoneBox(0, 0, 100, 20),)


def test_the_defender_keeps_clear_of_a_body_on_its_flank() -> None:
    bodies = [(SOUTH, ZoneBox(20, 48, 80, 55)), (WEST, ZoneBox(0, 10, 8, 30))]
    near, far = zones_of(FIELD, bodies, ZoneBox(30, 10, 70, 20), 6)
    assert near == (ZoneBox(0, 48, 100, 60), ZoneBox(0, 0, 8, 60))
    assert far == (ZoneBox(14, 0, 100, 20),)


def test_bodies_drawn_up_close_to_the_enemy_get_no_common_ground_with_it() -> None:
    for edge, other in product((NORTH, EAST, SOUTH, WEST), repeat=2):
        bodies = [(edge, FIELD.strip(edge, 25)), (other, FIELD.strip(other, 25))]
        near, far = zones_of(FIELD, bodies, ZoneBox(20, 15, 80, 45), 6)
        assert not any(meet(one, far[0]) for one in near), (edge, other)


def test_a_side_that_is_afloat_has_no_zone() -> None:
    assert zones_of(FIELD, [(SOUTH, FIELD.strip(SOUTH, 0))], ZoneBox(3, 1, 7, 2), 6)[0] == ()


@pytest.mark.parametrize(("slug", "brief"), list(product(TABLES, HISTORY)))
def test_both_sides_of_a_battle_are_asked_and_stand_in_their_own_zones(
    slug: str, brief: str
) -> None:
    state = begun(slug, brief)
    asked = []
    while isinstance(state.question, ToSetUp):
        asked += [state.question.side] if state.question.side not in asked else []
        book(slug).engine.play(state, book(slug).engine.answer(state), DICE)
    assert asked == [BRIEFS[brief].defender.side, BRIEFS[brief].attacker.side]
    for number, post in state.line_up.items():
        zones = state.zones[state.units[number].side]
        stand = Stand(post.at.x, post.at.y, post.facing, 10, 10)
        assert any(contains(zone, (stand,)) for zone in zones), number


@pytest.mark.parametrize(("slug", "brief"), list(product(TABLES, HISTORY)))
def test_a_unit_is_refused_outside_its_zone_and_upon_a_friend_and_nothing_changes(
    slug: str, brief: str
) -> None:
    state = begun(slug, brief)
    engine, side = book(slug).engine, state.question.side
    mine = [unit for unit in state.units.values() if unit.id in state.line_up]
    mine = [unit for unit in mine if unit.side is side]
    first, second = mine[:2]
    enemy = state.zones[side.enemy][0]
    over_there = TablePoint((enemy[0].x + enemy[2].x) // 2, (enemy[0].y + enemy[2].y) // 2)
    before = encode(state)
    for to, reason in ((over_there, "not where this side"), (second.at, "unit stands there")):
        with pytest.raises(IllegalAction, match=reason):
            engine.play(state, Deploy(first.id, to, first.facing, first.formation), DICE)
    assert encode(state) == before


@pytest.mark.parametrize("slug", TABLES)
def test_restoring_puts_every_unit_back_as_drawn_up_even_where_two_have_changed_places(
    slug: str,
) -> None:
    state = begun(slug, "second-el-teb")
    engine, side = book(slug).engine, state.question.side
    as_drawn_up = encode(state.units)
    zone = state.zones[side][0]
    free = [
        TablePoint(x, y)
        for x in range(zone[0].x + 300, zone[2].x, 300)
        for y in range(zone[0].y + 300, zone[2].y, 300)
    ]
    unit = next(one for one in state.units.values() if one.side is side)
    for to in free:
        try:
            engine.play(state, Deploy(unit.id, to, unit.facing, unit.formation), DICE)
        except IllegalAction:
            continue
    assert encode(state.units) != as_drawn_up
    engine.play(state, Restore(), DICE)
    assert encode(state.units) == as_drawn_up


def test_hidden_units_are_placed_without_the_enemy_learning_of_it() -> None:
    engine = book("fuzzy-wuzzy").engine
    heard = book("fuzzy-wuzzy").turn_forms.filter_event
    state = begun("fuzzy-wuzzy", "second-el-teb")
    side = state.question.side
    for viewer in (side.enemy, None):
        seen = engine.view(state, viewer)
        assert side not in seen.zones
        assert not any(one.side is side for one in seen.units.values())
        assert all(state.units[number].side is viewer for number in seen.line_up)
    unit = next(one for one in state.units.values() if one.side is side)
    before = begun("fuzzy-wuzzy", "second-el-teb")
    outcome = engine.play(state, Deploy(unit.id, unit.at, unit.facing, unit.formation), DICE)
    for event in outcome.events:
        assert heard(before, event, outcome.rolls, side.enemy)[0] is None
        engine.fold(before, (event,))


@pytest.mark.parametrize("slug", [*TABLES, "redcoats"])
def test_every_ready_battle_lets_each_side_place_its_units_where_any_are_on_the_field(
    slug: str,
) -> None:
    for name in BRIEFS:
        state = begun(slug, name)
        sides = {state.units[one].side for one in state.line_up if one in state.units}
        if slug != "redcoats" or name != "marching-across-the-sudan":
            assert sides, name
        if slug in TABLES:
            assert sides == set(Side), name


@pytest.mark.parametrize("slug", TABLES)
def test_a_computer_places_its_units_lawfully_and_comes_to_an_end(slug: str) -> None:
    moved = 0
    for name in BRIEFS:
        state = begun(slug, name)
        for _ in range(40):
            if not isinstance(state.question, ToSetUp):
                break
            action = book(slug).engine.answer(state)
            moved += isinstance(action, Deploy)
            book(slug).engine.play(state, action, DICE)
        assert not isinstance(state.question, ToSetUp), name
    assert moved
