"""Whole battles for the conformance tests: of everything the book has, something is in them."""

from typing import Any

from battles.books.redcoats.field import Edge, Field, Obstacle, Terrain, parse_square
from battles.books.redcoats.pieces import Formation, Special
from battles.books.redcoats.set_up import Deployment
from battles.books.redcoats.state import Brigade, Leader, Objective, TableEntry, Unit
from tests.redcoats.field import EGYPTIAN, MAHDIST, leader, unit


def dervishes(start: int, rows: tuple[str, ...] = ("1", "2")) -> list[Unit]:
    """Twelve rubs, four of them with firearms, and four of cavalry and camelry."""
    found = []
    for place in range(12):
        at = f"{'BCDEFG'[place % 6]}{rows[place // 6]}"
        found.append(unit(start + place, "dervish", "infantry", at, "S", armed=place < 4))
    for place, at in enumerate(("A1", "A2", "I1", "I2")):
        kind = "cavalry" if place % 2 else "camelry"
        found.append(unit(start + 12 + place, "dervish", kind, at, "S", armed=place == 0))
    return found


def line_of_battle() -> Deployment:
    """Ten units with a Leader against sixteen with one, on ground with scrub and a hill."""
    field = Field(
        12,
        8,
        {
            parse_square("D4"): Terrain.SCRUB,
            parse_square("E4"): Terrain.HILL,
            parse_square("F5"): Terrain.ROCKS,
            parse_square("C3"): Terrain.BUILT_UP,
        },
        (
            Edge(parse_square("G6"), parse_square("G7"), Obstacle.ZARIBA),
            Edge(101, 201, Obstacle.WADI),
        ),
    )
    friends = [
        unit(1, "british", "infantry", "C7"),
        unit(2, "british", "infantry", "D7"),
        unit(3, "egyptian", "infantry", "E7", formation="column"),
        unit(4, "sudanese", "infantry", "F7", formation="square"),
        unit(5, "british", "artillery", "D8", formation="limbered"),
        unit(6, "egyptian", "machine gun", "C7", full=1),
        unit(7, "british", "cavalry", "H7"),
        unit(8, "egyptian", "camelry", "I7"),
        unit(9, "bashi-bazouks", "cavalry", "B7"),
        unit(10, "gendarmerie", "infantry", "G7"),
        unit(11, "egyptian", "transport", "E8"),
    ]
    leaders = (leader(40, "british", "D7"), leader(41, "dervish", "D2"))
    return Deployment(
        "A line of battle", field, (*friends, *dervishes(20)), leaders, special=(Special.MERCY,)
    )


def brigade_square() -> Deployment:
    """Return a brigade Square with everything in it, and what it has to take."""
    faces = (("E6", "N"), ("F7", "E"), ("E8", "S"), ("D7", "W"))
    square: list[Unit] = [
        unit(place + 1, "british", "infantry", at, looks, formation="square", brigade=1)
        for place, (at, looks) in enumerate(faces)
    ]
    square += [
        unit(5, "british", "artillery", "D6", "N", brigade=1, shots=4),
        unit(6, "british", "machine gun", "F8", "E", brigade=1),
        unit(7, "egyptian", "cavalry", "E7", "N", brigade=1),
    ]
    village = tuple(parse_square(at) for at in ("G3", "H3"))
    return Deployment(
        "A brigade Square",
        Field(12, 8, dict.fromkeys(village, Terrain.BUILT_UP)),
        (*square, *dervishes(20)),
        (leader(40, "british", "E7"), leader(41, "dervish", "D2")),
        brigades=(Brigade(1, 0),),
        objective=Objective(EGYPTIAN, village),
        set_up={MAHDIST: tuple(range(12)) + tuple(range(100, 112))},
    )


def on_the_river() -> Deployment:
    """Gunboats of both sides, boats with troops aboard, troops on both banks."""
    water = {row * 100 + 5: Terrain.WATER for row in range(8)}
    water |= {row * 100 + 6: Terrain.WATER for row in range(3, 8)}
    field = Field(12, 8, water, downstream=dict.fromkeys(water, 0))
    boats = [
        unit(1, "british", "gunboat", "F7"),
        unit(2, "egyptian", "river boat", "G8", full=4),
        unit(3, "british", "infantry", "G8", aboard=2),
        unit(4, "british", "camelry", "E7"),
        unit(5, "egyptian", "infantry", "D7", formation="march column"),
        unit(6, "egyptian", "artillery", "H8", formation="limbered"),
        unit(20, "dervish", "gunboat", "F2", "S"),
        unit(21, "dervish", "river boat", "F1", "S"),
        unit(22, "dervish", "infantry", "F1", "S", aboard=21),
        *(unit(23 + place, "dervish", "infantry", f"{at}3", "S") for place, at in enumerate("BCD")),
        unit(27, "dervish", "artillery", "H3", "S", full=1),
        unit(28, "dervish", "cavalry", "I3", "S"),
    ]
    leaders = (
        Leader(40, EGYPTIAN, boats[0].troops, boats[0].square, aboard=1),
        leader(41, "dervish", "C3"),
    )
    return Deployment("On the river", field, tuple(boats), leaders)


def night_march() -> Deployment:
    """Return the attackers enter, the others sleep behind a rampart."""
    edges = tuple(Edge(100 + column, 200 + column, Obstacle.RAMPART) for column in range(2, 10))
    entry = TableEntry(1, tuple(range(702, 710)))
    coming: list[Any] = [
        unit(place, "british", "infantry", "A1", formation="march column") for place in range(1, 7)
    ]
    coming += [unit(7, "british", "cavalry", "A1"), unit(8, "british", "artillery", "A1")]
    coming[-1].formation = Formation.LIMBERED
    for one in coming:
        one.square = -1
    sleepers = [
        unit(20 + place, "egyptian", "infantry", f"{'CDFG'[place]}2", "S", side=MAHDIST)
        for place in range(4)
    ]
    sleepers.append(unit(24, "egyptian", "artillery", "E2", "S", side=MAHDIST, full=1))
    return Deployment(
        "A night march",
        Field(12, 8, edges=edges),
        (*coming, *sleepers),
        (leader(40, "british", "E8"),),
        entries={one.id: entry for one in coming},
        special=(Special.ASLEEP,),
        turns=14,
    )


BATTLES = {
    "line": line_of_battle,
    "brigade": brigade_square,
    "river": on_the_river,
    "night": night_march,
}
