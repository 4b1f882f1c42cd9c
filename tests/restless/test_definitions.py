"""Definitions: dice, cards, cover, obstacles, rough terrain; what the tables hold."""

import pytest

from battles.books.restless_natives import activation, firing, movement
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Style, Troops, Weapon
from battles.contract.brief import Side
from battles.core.dice import Suit
from battles.tabletop.field import TableTerrain
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import Stand
from tests.restless.field import at, block, line, table

COVER = {row.terrain: row.cover for row in book().tables["terrain"].rows if row.cover}


def test_definitions_1_every_throw_is_of_dice_with_six_faces() -> None:
    assert book().number("hit in the open") == 6
    thrown = movement.throw_for(Troops.BRITISH, Kind.INFANTRY, TableFormation.LINE, moves=2)
    assert thrown == (0, 2, 6)


def test_definitions_2_cover_is_hard_or_soft() -> None:
    assert set(COVER.values()) == {"hard", "soft"}
    assert book().cover == frozenset(COVER)


@pytest.mark.parametrize("kind", [TableTerrain.FORT, TableTerrain.TRENCH])
def test_definitions_3_fortifications_are_hard_cover(kind: TableTerrain) -> None:
    assert COVER[kind] == "hard"


@pytest.mark.parametrize("kind", [TableTerrain.ROCKS, TableTerrain.WALL, TableTerrain.BUILDINGS])
def test_definitions_4_hard_cover(kind: TableTerrain) -> None:
    assert COVER[kind] == "hard"


def test_definitions_4_armoured_trains_and_gunboats_are_hard_cover() -> None:
    armoured = {kind for kind in Kind if book().kind(kind).armoured}
    assert armoured == {Kind.TRAIN, Kind.GUNBOAT}


@pytest.mark.parametrize(
    "kind",
    [
        TableTerrain.WALL,
        TableTerrain.FENCE,
        TableTerrain.STREAM,
        TableTerrain.FORD,
        TableTerrain.TRENCH,
    ],
)
def test_definitions_5_obstacles_take_effort_to_cross(kind: TableTerrain) -> None:
    field = table(line(kind, (10, 10), (30, 10)))
    assert movement.is_rough(field, at(20, 14), at(20, 6))
    assert not movement.is_rough(field, at(20, 14), at(28, 12))


def test_definitions_6_a_pack_of_52_cards_and_two_jokers() -> None:
    cards = activation.whole_pack()
    assert len(set(cards)) == 54
    assert sum(activation.side_of(card) is Side.EGYPTIAN for card in cards) == 26
    assert sum(activation.side_of(card) is Side.MAHDIST for card in cards) == 26
    assert sum(activation.is_joker(card) for card in cards) == 2
    assert {card.suit for card in cards} == set(Suit)


def test_definitions_6_twelve_of_them_deal_special_event_cards() -> None:
    assert [
        sum(activation.deals(card) is side for card in activation.whole_pack()) for side in Side
    ] == [6, 6]


@pytest.mark.parametrize(
    "kind",
    [
        TableTerrain.CROPS,
        TableTerrain.GRASS,
        TableTerrain.HILL,
        TableTerrain.MOUNTAIN,
        TableTerrain.WOOD,
        TableTerrain.SCRUB,
        TableTerrain.ROCKS,
    ],
)
def test_definitions_7_rough_terrain(kind: TableTerrain) -> None:
    field = table(block(kind, 10, 10, 20, 20))
    assert movement.is_rough(field, at(5, 15), at(12, 15))
    assert not movement.is_rough(field, at(5, 15), at(9, 15))
    assert movement.is_near_rough(field, at(5, 15), 500)
    assert not movement.is_near_rough(field, at(5, 15), 499)


@pytest.mark.parametrize(
    "kind",
    [
        TableTerrain.FENCE,
        TableTerrain.CROPS,
        TableTerrain.GRASS,
        TableTerrain.WOOD,
        TableTerrain.SCRUB,
    ],
)
def test_definitions_8_soft_cover(kind: TableTerrain) -> None:
    assert COVER[kind] == "soft"
    assert kind in book().hiding


def test_definitions_2_no_ground_no_cover() -> None:
    stand = Stand(1000, 1000, 0, 118, 59)
    assert not firing.in_cover(table(), stand, stand._replace(y=500))


def test_definitions_7_every_style_has_a_rate_for_all_it_can_form() -> None:
    for style in Style:
        for kind in Kind:
            for formation in book().formations(style, kind):
                assert book().movement(style, kind, formation).dice >= 1


def test_definitions_2_troops_and_weapons_all_have_rows() -> None:
    assert all(book().troops(troops).passes in (8, 12, 16) for troops in Troops)
    assert all(bool(book().ranges(weapon)) is bool(weapon) for weapon in Weapon)
