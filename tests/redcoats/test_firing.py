"""Firing: sight, arcs, ranges, dice, cover."""

from typing import Any

import pytest

from battles.books.redcoats import actions as a
from battles.books.redcoats import board, casualties, offers
from battles.books.redcoats.activation import foreseen
from battles.books.redcoats.book import book
from battles.books.redcoats.field import (
    Aspect,
    Edge,
    Field,
    Obstacle,
    Terrain,
    distance,
    name,
    parse_square,
)
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.play import rules
from battles.books.redcoats.state import Combat, State
from battles.core.dice import Card, ScriptedDice
from battles.core.game import IllegalAction
from tests.redcoats.field import BLACK, EGYPTIAN, RED, act, activated, battle, kinds, leader, unit


def facing_rub(number: int, troops: str, kind: str, at: str = "D6", **more: Any) -> State:
    """Return a unit that faces north, and three squares before it a rub."""
    state = battle(
        unit(number, troops, kind, at, "N", **more), unit(20, "dervish", "infantry", "D3")
    )
    return activated(state, number, 6)


def can_hit(state: State, number: int) -> list[int]:
    return [target.unit for target in casualties.targets(state, state.units[number])]


def test_firing_example_1() -> None:
    state = battle(
        unit(1, "british", "camelry", "D6", dismounted=True), unit(20, "dervish", "cavalry", "D3")
    )
    activated(state, 1, 2)
    outcome = act(state, a.Fire(20), 4)
    assert (outcome.rolls[0].sides, outcome.rolls[0].result) == (6, "hit")
    assert state.units[20].disorganised


def test_firing_example_2() -> None:
    state = battle(
        unit(20, "dervish", "infantry", "D4", "S", figures=3), unit(1, "egyptian", "infantry", "D5")
    )
    activated(state, 20, 2)
    outcome = act(state, a.Fire(1), 6)
    assert (outcome.rolls[0].sides, outcome.rolls[0].result) == (8, "miss")
    assert not casualties.is_hit(6, casualties.figures_firing(state.units[20]))
    assert not state.units[1].disorganised


def test_firing_example_4() -> None:
    state = battle(
        unit(1, "british", "machine gun", "D6"),
        unit(20, "dervish", "infantry", "D3"),
        leader(40, "british", "D6"),
    )
    state.hands[EGYPTIAN] = [Heroic.FIREPOWER]
    activated(state, 1, 2)
    assert casualties.figures_firing(state.units[1]) == 4
    act(state, a.Fire(20), 5)
    assert not state.units[20].disorganised
    act(state, a.PlayCard(Heroic.FIREPOWER))
    act(state, a.Fire(20), 3)
    assert state.units[20].disorganised


def test_firing_example_of_ranges_counted_orthogonally() -> None:
    assert distance(parse_square("D5"), parse_square("E4")) == 2
    assert distance(parse_square("D5"), parse_square("F3")) == 4
    assert distance(parse_square("D5"), parse_square("F4")) == 3
    assert distance(parse_square("D6"), parse_square("E2")) == 5


def test_firing_1_nobody_fires_at_what_he_does_not_see() -> None:
    field = Field(12, 8, {parse_square("D5"): Terrain.WOOD})
    state = battle(
        unit(1, "british", "infantry", "D6"), unit(20, "dervish", "infantry", "D4"), field=field
    )
    assert can_hit(state, 1) == []


def test_firing_1_friends_mask_all_but_artillery() -> None:
    state = battle(
        unit(1, "british", "infantry", "D6"),
        unit(2, "british", "infantry", "D5"),
        unit(3, "british", "artillery", "D7"),
        unit(20, "dervish", "infantry", "D4"),
    )
    assert can_hit(state, 1) == []
    assert can_hit(state, 3) == [20]


@pytest.mark.parametrize(
    ("at", "found"), [("D4", [20]), ("C5", [20]), ("E5", [20]), ("C6", []), ("D7", []), ("E7", [])]
)
def test_firing_2_ninety_degrees_to_the_front(at: str, found: list[int]) -> None:
    state = battle(unit(1, "british", "infantry", "D6"), unit(20, "dervish", "infantry", at))
    assert can_hit(state, 1) == found


def test_firing_3_two_points() -> None:
    state = facing_rub(1, "british", "infantry")
    assert next(offers.shots(state)).cost == 2


def test_firing_4_once_but_for_a_card() -> None:
    state = facing_rub(1, "british", "infantry")
    rules.play(state, a.Fire(20), ScriptedDice())
    assert list(offers.shots(foreseen(state))) == []


def test_firing_5_ranges_are_counted_orthogonally() -> None:
    near = battle(unit(1, "british", "infantry", "D6"), unit(20, "dervish", "infantry", "E4"))
    far = battle(unit(1, "british", "infantry", "D6"), unit(20, "dervish", "infantry", "F4"))
    assert (can_hit(near, 1), can_hit(far, 1)) == ([20], [])


@pytest.mark.parametrize(
    ("troops", "kind", "squares"),
    [
        ("british", "infantry", 3),
        ("egyptian", "infantry", 2),
        ("sudanese", "cavalry", 2),
        ("dervish", "infantry", 1),
        ("british", "artillery", 6),
        ("egyptian", "artillery", 6),
        ("dervish", "artillery", 4),
        ("egyptian", "machine gun", 3),
        ("dervish", "machine gun", 2),
    ],
)
def test_firing_6_ranges(troops: str, kind: str, squares: int) -> None:
    assert casualties.weapon_range(unit(1, troops, kind, "D5")) == squares


@pytest.mark.parametrize(
    ("troops", "kind", "faces"),
    [
        ("british", "cavalry", 6),
        ("dervish", "infantry", 8),
        ("dervish", "cavalry", 12),
        ("dervish", "camelry", 12),
    ],
)
def test_firing_7_dice_of_firearms(troops: str, kind: str, faces: int) -> None:
    assert book().faces("fire", unit(1, troops, kind, "D5")) == faces


@pytest.mark.parametrize(("score", "hit"), [(1, True), (4, True), (5, False)])
def test_firing_7_no_more_than_the_figures_that_fire(score: int, hit: bool) -> None:
    assert casualties.is_hit(score, 4) is hit


def test_firing_7_a_hit_takes_a_figure_from_the_disorganised() -> None:
    state = facing_rub(1, "british", "infantry")
    state.units[20].disorganised = True
    assert kinds(act(state, a.Fire(20), 1))[:2] == ["Fired", "FigureLost"]
    assert state.units[20].figures == 3


def test_firing_7_the_last_figure_destroys() -> None:
    state = facing_rub(1, "british", "infantry")
    state.units[20].disorganised, state.units[20].figures = True, 1
    act(state, a.Fire(20), 1)
    assert [one.id for one in state.lost] == [20]


@pytest.mark.parametrize(
    ("troops", "full", "needs", "faces"), [("british", 2, 4, 6), ("dervish", 1, 2, 8)]
)
def test_firing_8_twice_the_gunners(troops: str, full: int, needs: int, faces: int) -> None:
    enemy = "dervish" if troops == "british" else "british"
    state = battle(unit(1, troops, "artillery", "D6", full=full), unit(20, enemy, "infantry", "D4"))
    target = next(casualties.targets(state, state.units[1]))
    assert (target.needs, target.sides) == (needs, faces)


@pytest.mark.parametrize(("card", "struck"), [(RED, True), (BLACK, False)])
def test_firing_9_black_cards_save_those_in_cover(card: Card, struck: bool) -> None:
    field = Field(12, 8, {parse_square("D4"): Terrain.SCRUB})
    state = battle(
        unit(1, "british", "infantry", "D6"), unit(20, "dervish", "infantry", "D4"), field=field
    )
    state.pack = [card]
    activated(state, 1, 2)
    assert next(offers.shots(state)).target.cover
    act(state, a.Fire(20), 1)
    assert state.units[20].disorganised is struck


def test_firing_9_a_wall_covers_from_the_side_it_stands_on() -> None:
    field = Field(12, 8, edges=(Edge(parse_square("D5"), parse_square("D4"), Obstacle.WALL),))
    assert board.in_cover(field, parse_square("D4"), parse_square("D7"))
    assert not board.in_cover(field, parse_square("D4"), parse_square("D1"))
    assert not board.in_cover(field, parse_square("D4"), parse_square("G4"))


def test_a_shot_that_cannot_be_fired_is_refused_in_words() -> None:
    state = facing_rub(1, "egyptian", "infantry")
    with pytest.raises(IllegalAction, match=r"fires 2 squares far: .* is 3 away"):
        rules.play(state, a.Fire(20), ScriptedDice())


def test_nobody_fires_into_a_hand_to_hand_combat_nor_out_of_it() -> None:
    state = battle(
        unit(1, "british", "infantry", "D6"),
        unit(2, "british", "infantry", "D4"),
        unit(20, "dervish", "infantry", "D3"),
    )
    state.units[20].square = parse_square("D4")
    state.combats = [Combat(20, 2, Aspect.FRONT, 1)]
    assert can_hit(state, 1) == []
    assert can_hit(state, 2) == []


def _arc(kind: str, looks: str, within: int) -> set[str]:
    """Return the squares so near to D5 in the arc of fire of a unit there."""
    one = unit(1, "british", kind, "D5", looks)
    return {
        name(square)
        for square in Field(12, 8).squares
        if 0 < distance(one.square, square) <= within and casualties.in_arc(one, square)
    }


def test_firing_example_of_an_infantry_units_arc_of_fire() -> None:
    assert _arc("infantry", "N", 2) == {"D4", "D3", "C4", "E4"}
    assert _arc("infantry", "NE", 2) == {"D4", "D3", "E5", "F5", "E4"}


def test_firing_example_of_an_artillery_units_arc_of_fire() -> None:
    assert _arc("artillery", "E", 3) == {"E5", "F5", "G5", "E4", "E6", "F4", "F6"}
