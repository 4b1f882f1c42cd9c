"""The open table as SVG: its ground, its stands, what happened; and the same in words."""

from itertools import product
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from battles.books.fuzzy_wuzzy import drawing as fuzzy_wuzzy
from battles.books.fuzzy_wuzzy.pieces import Arm
from battles.books.fuzzy_wuzzy.pieces import Troops as FuzzyTroops
from battles.books.restless_natives import drawing as restless
from battles.books.restless_natives.pieces import Kind as RestlessKind
from battles.books.restless_natives.pieces import Troops
from battles.contract import Nation, Side, TroopKind
from battles.drawing import field
from battles.drawing.field_description import measure, terrain_to_lay
from battles.drawing.scene import Block, DrawnShot, DrawnTrack, OpenTable, TableScene, Trails
from battles.drawing.table_field import COVERS, LINES, WIDE, WIDEST, TablePlan, distances
from battles.tabletop.field import AREAS, OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation, places
from battles.tabletop.geometry import StandSize, TablePoint

SIZE = StandSize(118, 59)
BARE = OpenField(4800, 3600, "inch")
AREA = (
    TablePoint(1000, 1000),
    TablePoint(2000, 1000),
    TablePoint(2000, 2000),
    TablePoint(1000, 2000),
)
LINE = (TablePoint(500, 500), TablePoint(2500, 700), TablePoint(3000, 1800))


def block(number: int = 1, count: int = 4, **more: Any) -> Block:
    known: dict[str, Any] = {
        "side": Side.EGYPTIAN,
        "nation": Nation.BRITISH,
        "kind": TroopKind.INFANTRY,
        "words": "British infantry",
        "at": TablePoint(2000, 2000),
        "facing": 0,
        "formation": TableFormation.LINE,
        "full": 4,
    }
    known |= more
    stands = places(known["formation"], count, known["at"], known["facing"], SIZE)
    return Block(number, stands=stands, **known)


def drawn(*blocks: Block, ground: OpenTable | None = None, **more: Any) -> ET.Element:
    scene = TableScene(ground or OpenTable(BARE), blocks, **more)
    return ET.fromstring(field(scene, "The table"))  # noqa: S314


def with_class(tree: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in tree.iter() if name in (one.get("class") or "").split()]


def featured(kind: TableTerrain, name: str = "") -> OpenTable:
    points = AREA if kind in AREAS else LINE
    return OpenTable(OpenField(4800, 3600, "inch", (TerrainFeature(kind, points, name),)))


def test_the_picture_says_what_it_is_and_scrolls_on_a_telephone() -> None:
    tree = drawn()
    assert (tree.get("role"), tree.get("aria-label")) == ("img", "The table")
    assert "wide" in (tree.get("class") or "").split()


def test_every_kind_of_ground_has_its_drawing() -> None:
    assert set(COVERS) | set(LINES) == set(TableTerrain)
    for kind in TableTerrain:
        tree = drawn(ground=featured(kind))
        drawn_as = "cover" if kind in AREAS else f"{LINES[kind]}"
        assert with_class(tree, drawn_as), kind


def test_a_name_stands_over_what_it_names() -> None:
    tree = drawn(ground=featured(TableTerrain.BUILDINGS, "Tokar"))
    assert [one.text for one in with_class(tree, "place-name")] == ["Tokar"]


def test_what_is_to_be_taken_is_outlined() -> None:
    assert len(with_class(drawn(ground=OpenTable(BARE, (AREA,))), "aim")) == 1


def test_the_ruler_has_a_figure_every_six_inches_and_every_twenty_centimetres() -> None:
    figures = [one.text for one in with_class(drawn(), "square-name")]
    assert figures[:7] == ["6", "12", "18", "24", "30", "36", "42"]
    assert figures[-1] == "inches"
    metric = drawn(ground=OpenTable(OpenField(12_000, 9000, "cm")))
    assert [one.text for one in with_class(metric, "square-name")][:2] == ["20", "40"]


def test_water_shows_which_way_it_runs() -> None:
    river = TerrainFeature(TableTerrain.RIVER, AREA)
    tree = drawn(ground=OpenTable(OpenField(4800, 3600, "inch", (river,), downstream=270)))
    arrows = with_class(tree, "runs")
    assert len(arrows) == 3
    assert all("rotate(270)" in (arrow.get("transform") or "") for arrow in arrows)


def test_a_table_is_drawn_to_one_scale_until_it_is_very_large() -> None:
    assert TablePlan(BARE).at((4800, 3600)) == (WIDE, 1125)
    assert TablePlan(OpenField(6000, 3600, "inch")).wide == 1875
    assert TablePlan(OpenField(30_000, 3600, "inch")).wide == WIDEST
    assert TablePlan(OpenField(3000, 3600, "inch")).wide == WIDE


@pytest.mark.parametrize(
    ("kind", "formation", "side"),
    [*product(TroopKind, (TableFormation.LINE, TableFormation.LIMBERED), Side)],
)
def test_every_arm_is_drawn_with_its_number(
    kind: TroopKind, formation: TableFormation, side: Side
) -> None:
    tree = drawn(block(7, kind=kind, formation=formation, side=side))
    piece = next(one for one in tree.iter() if one.get("id") == "piece-7")
    assert piece.get("data-piece") == "7"
    assert [one.text for one in with_class(tree, "roster")] == ["7"]
    assert piece.findtext("title") == "7. British infantry"


def test_every_stand_is_drawn_where_it_is() -> None:
    tree = drawn(block(facing=90))
    assert len(with_class(tree, "base")) == 4
    turned = [one for one in tree.iter() if "rotate(90)" in (one.get("transform") or "")]
    assert len(turned) == 5


def test_the_tab_has_the_stands_left_and_marks_losses() -> None:
    assert [one.text for one in with_class(drawn(block(count=3)), "fewer")] == ["3"]
    assert [one.text for one in with_class(drawn(block()), "left")] == ["4"]
    assert not with_class(drawn(block()), "fewer")


def test_a_sign_stays_upright_on_every_stand() -> None:
    turned = {one.get("transform") for one in with_class(drawn(block(facing=90)), "arm")}
    assert turned == {"rotate(-90)"}


def test_casualties_are_dots_on_their_stands() -> None:
    assert len(with_class(drawn(block(wounds=(2, 0, 1, 0))), "wound")) == 3


def test_one_in_disorder_and_one_unseen_are_marked() -> None:
    shaken, hidden = drawn(block(shaken=True)), drawn(block(hidden=True))
    assert with_class(shaken, "alarm")
    assert with_class(shaken, "shaken")
    assert with_class(hidden, "hidden")
    assert not with_class(drawn(block()), "shaken")


def test_a_square_has_no_wedge() -> None:
    assert with_class(drawn(block()), "wedge")
    assert not with_class(drawn(block(formation=TableFormation.SQUARE)), "wedge")


def test_ways_fire_and_close_combat_are_drawn() -> None:
    tree = drawn(
        tracks=(DrawnTrack(Side.MAHDIST, LINE, back=True),),
        shots=(
            DrawnShot(Side.EGYPTIAN, LINE[0], LINE[1], hit=True),
            DrawnShot(Side.EGYPTIAN, LINE[0], LINE[2], hit=False),
        ),
        melees=(TablePoint(100, 100),),
    )
    assert len(with_class(tree, "back")) == 1
    assert len(with_class(tree, "shot")) == 2
    assert len(with_class(tree, "hit")) == 1
    assert len(with_class(tree, "melee")) == 1


def test_a_way_goes_on_where_the_last_ended_and_a_retreat_is_another() -> None:
    trails = Trails(None)
    trails.went(1, Side.MAHDIST, LINE[:2])
    trails.went(1, Side.MAHDIST, LINE[1:])
    trails.went(1, Side.MAHDIST, LINE[::-1], back=True)
    trails.went(2, Side.MAHDIST, (LINE[0], LINE[0]))
    assert [track.way for track in trails.tracks] == [LINE, LINE[::-1]]


def test_every_kind_and_nation_of_both_books_is_known() -> None:
    assert set(restless.ARMS) == set(RestlessKind)
    assert set(restless.NATIONS) == set(Troops)
    assert set(fuzzy_wuzzy.ARMS) == set(Arm)
    assert set(fuzzy_wuzzy.NATIONS) == set(FuzzyTroops)


def test_the_table_is_measured_in_words() -> None:
    assert measure(OpenTable(BARE)) == "48 by 36 inches (122 by 91 cm), with north at the top"
    assert (
        measure(OpenTable(OpenField(12_000, 9000, "cm"))) == "120 by 90 cm, with north at the top"
    )


def test_what_lies_on_the_table_is_told_from_its_edges() -> None:
    village = terrain_to_lay(featured(TableTerrain.BUILDINGS, "Tokar"))
    assert village == [("buildings, Tokar", "10 by 10 inches about 15 by 15")]
    assert terrain_to_lay(featured(TableTerrain.WALL)) == [
        ("wall", "through 5 by 5, 25 by 7, 30 by 18")
    ]
    goal = terrain_to_lay(OpenTable(BARE, (AREA,)))
    assert goal == [("to be taken", "what lies between 10 by 10, 20 by 10, 20 by 20, 10 by 20")]


def test_alike_things_are_told_together() -> None:
    two = tuple(TerrainFeature(TableTerrain.SCRUB, points) for points in (AREA, LINE))
    told = terrain_to_lay(OpenTable(OpenField(4800, 3600, "inch", two)))
    assert [one.what for one in told] == ["scrub"]
    assert told[0].where.count("about") == 2


def test_how_far_the_nearest_enemy_is_stands_with_each_unit() -> None:
    enemy: dict[str, Any] = {"side": Side.MAHDIST, "nation": Nation.MAHDIST}
    near = block(5, at=TablePoint(2000, 1000), **enemy)
    told = distances((block(1), block(2, at=TablePoint(2000, 3000)), near), "inch")
    assert told[1] == "9 inches from 5, the nearest enemy"
    assert told[5] == "9 inches from 1, the nearest enemy"
    touching = distances((block(1), block(6, at=TablePoint(2000, 2060), **enemy)), "cm")
    assert touching[1] == "in contact with 6"
    assert distances((block(1),), "inch") == {}
    title = drawn(block(1), near).findtext(".//title")
    assert title == "1. British infantry; 9 inches from 5, the nearest enemy"
