"""The field as SVG: whatever can stand on it is drawn, in its shape, and well formed."""

from itertools import product
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from battles.books.redcoats import drawing as redcoats
from battles.books.redcoats.field import Obstacle, Terrain
from battles.books.redcoats.pieces import Formation
from battles.books.redcoats.pieces import Kind as Arm
from battles.contract import Nation, Side, TroopKind
from battles.drawing import field
from battles.drawing.key import field_key
from battles.drawing.scene import (
    Barrier,
    Cover,
    DrawnLoss,
    DrawnScene,
    DrawnShot,
    DrawnTrack,
    Hedge,
    Piece,
    Shape,
    SquaresGround,
    square_name,
)
from battles.drawing.squares import outline


def piece(number: int = 1, **more: Any) -> Piece:
    known: dict[str, Any] = {
        "side": Side.EGYPTIAN,
        "nation": Nation.BRITISH,
        "kind": TroopKind.INFANTRY,
        "words": "British infantry",
        "square": (3, 4),
        "facing": 0,
        "shape": Shape.LINE,
        "figures": 4,
        "full": 4,
    }
    return Piece(number, **(known | more))


def drawn(*pieces: Piece, **more: Any) -> ET.Element:
    return ET.fromstring(field(DrawnScene(SquaresGround(12, 8), pieces, **more), "The field"))  # noqa: S314


def with_class(tree: ET.Element, name: str) -> list[ET.Element]:
    return [one for one in tree.iter() if name in (one.get("class") or "").split()]


def test_the_picture_says_what_it_is() -> None:
    tree = drawn()
    assert tree.get("role") == "img"
    assert tree.get("aria-label") == "The field"


@pytest.mark.parametrize(("columns", "is_wide"), [(14, False), (15, True)])
def test_a_field_wider_than_a_telephone_is_scrolled(columns: int, is_wide: bool) -> None:
    tree = ET.fromstring(field(DrawnScene(SquaresGround(columns, 8), ()), "The field"))  # noqa: S314
    assert bool(with_class(tree, "wide")) is is_wide


def test_a_square_is_named_by_column_and_row() -> None:
    assert square_name((0, 0)) == "A1"
    assert square_name((3, 4)) == "D5"


@pytest.mark.parametrize(
    ("shape", "kind"),
    [*product(Shape, [TroopKind.INFANTRY, TroopKind.CAVALRY, TroopKind.GUN, TroopKind.GUNBOAT])],
)
def test_every_shape_can_be_drawn(shape: Shape, kind: TroopKind) -> None:
    tree = drawn(piece(shape=shape, kind=kind, figures=2))
    [found] = [one for one in tree.iter() if one.get("id") == "piece-1"]
    assert len(list(found.iter())) > 3


@pytest.mark.parametrize("kind", TroopKind)
def test_every_arm_can_be_drawn(kind: TroopKind) -> None:
    assert drawn(piece(kind=kind)) is not None


def test_figures_that_are_lost_leave_an_outline() -> None:
    tree = drawn(piece(figures=3))
    assert len(with_class(tree, "base")) == 4
    assert len(with_class(tree, "gone")) == 1


def test_dervish_figures_are_round_and_others_square() -> None:
    theirs = drawn(piece(side=Side.MAHDIST, nation=Nation.MAHDIST, shape=Shape.MASS))
    assert {one.tag for one in with_class(theirs, "base")} == {"ellipse"}
    assert {one.tag for one in with_class(drawn(piece()), "base")} == {"path"}


def test_a_unit_is_turned_as_it_faces() -> None:
    [body] = with_class(drawn(piece(facing=3)), "body")
    assert body.get("transform") == "rotate(135)"


def test_the_sign_of_an_arm_stays_upright() -> None:
    for facing in range(1, 8):
        spears = drawn(piece(kind=TroopKind.SPEARS, facing=facing))
        turned = {one.get("transform") for one in with_class(spears, "arm")}
        assert turned == {f"rotate({-45 * facing})"}


def test_tabs_lie_above_every_base() -> None:
    tree = drawn(piece(7, figures=3), piece(8))
    layers = [one.get("class") for one in tree]
    assert layers.index("tabs") > layers.index("pieces")
    assert [one.text for one in with_class(tree, "roster")] == ["7", "8"]
    assert [one.text for one in with_class(tree, "fewer")] == ["3"]


@pytest.mark.parametrize("on_table", [True, False])
def test_the_key_explains_everything_that_is_drawn(on_table: bool) -> None:
    parts = field_key(on_table=on_table, shaken="disorganised")
    samples = "".join(entry.sample for part in parts for entry in part.entries)
    for cover in set(Cover) - {Cover.HOUSES, Cover.TREES}:
        assert f"url(#f-{cover})" in samples
    assert all(f"hedge {barrier}" in samples for barrier in Barrier)
    everything = ("barrel", "houses", "trees", "track", "shot", "hit", "melee", "acting", "tab")
    for drawn_as in (*everything, "loss", "step-badge"):
        assert drawn_as in samples
    assert ("aim" if on_table else "goal") in samples
    assert "id=" not in samples


def test_one_that_is_disorganised_bears_the_mark_and_its_number() -> None:
    tree = drawn(piece(7, disorganised=True))
    assert len(with_class(tree, "alarm")) == 1
    assert [one.text for one in with_class(tree, "roster")] == ["7"]
    assert not with_class(drawn(piece()), "alarm")


def test_two_in_one_square_stand_side_by_side() -> None:
    tree = drawn(piece(1), piece(2))
    places = [one.get("transform") for one in with_class(tree, "piece")]
    assert len(set(places)) == 2


def test_losses_of_a_side_in_one_place_have_one_mark_with_their_sum() -> None:
    here, there = (2, 2), (6, 6)
    tree = drawn(
        losses=(
            DrawnLoss(Side.EGYPTIAN, here, 1, step=4),
            DrawnLoss(Side.EGYPTIAN, here, 2, gone=True, step=5),
            DrawnLoss(Side.MAHDIST, here, 3, step=5),
            DrawnLoss(Side.EGYPTIAN, there, 4, gone=True, step=6),
        )
    )
    marks = {name: with_class(tree, name) for name in ("loss", "part", "sum")}
    [total] = marks["sum"]
    assert total.findtext("text") == "\u22123, 1 gone"
    assert total.get("data-step") is None
    assert [(one.findtext("text"), one.get("data-step")) for one in marks["part"]] == [
        ("\u22121", "4"),
        ("gone", "5"),
    ]
    alone = [one for one in marks["loss"] if one not in (total, *marks["part"])]
    assert [(one.findtext("text"), one.get("data-step")) for one in alone] == [
        ("\u22123", "5"),
        ("gone", "6"),
    ]
    assert len({one.get("transform") for one in (total, *alone)}) == 3


def test_units_that_are_gone_without_further_losses_are_counted() -> None:
    gone = DrawnLoss(Side.EGYPTIAN, (2, 2), 0, gone=True, step=4)
    [total] = with_class(drawn(losses=(gone, gone)), "sum")
    assert total.findtext("text") == "2 gone"


def test_ways_shots_and_melees_are_marked() -> None:
    tree = drawn(
        tracks=(
            DrawnTrack(Side.EGYPTIAN, ((0, 0), (1, 0))),
            DrawnTrack(Side.MAHDIST, ((5, 5), (5, 6)), True),
        ),
        shots=(
            DrawnShot(Side.EGYPTIAN, (0, 0), (3, 0), True),
            DrawnShot(Side.MAHDIST, (1, 1), (2, 2), False),
        ),
        melees=frozenset({(4, 4)}),
    )
    assert len(with_class(tree, "track")) == 2
    assert len(with_class(tree, "back")) == 1
    assert len(with_class(tree, "hit")) == 1
    assert len(with_class(tree, "melee")) == 1


@pytest.mark.parametrize("cover", Cover)
def test_every_cover_can_be_drawn(cover: Cover) -> None:
    bare = field(DrawnScene(SquaresGround(12, 8), ()), "")
    assert field(DrawnScene(SquaresGround(12, 8, {(2, 3): frozenset({cover})}), ()), "") != bare


@pytest.mark.parametrize(("barrier", "side"), [*product(Barrier, (0, 2, 4, 6))])
def test_every_barrier_can_be_drawn_on_every_side(barrier: Barrier, side: int) -> None:
    ground = SquaresGround(12, 8, hedges=(Hedge((2, 3), side, barrier),))
    tree = ET.fromstring(field(DrawnScene(ground, ()), ""))  # noqa: S314
    [hedge] = with_class(tree, "hedge")
    assert hedge.get("transform", "").endswith(f"rotate({45 * side})")


def test_a_ring_of_squares_has_two_outlines_and_touching_corners_do_not_join() -> None:
    ring = [square for square in product(range(3), range(3)) if square != (1, 1)]
    assert outline(ring).count("M") == 2
    assert outline([(0, 0), (1, 1)]).count("M") == 2
    assert outline([(0, 0), (1, 0)]).count("M") == 1


def test_whatever_the_book_has_is_known_to_the_drawing() -> None:
    assert set(redcoats.COVERS) == set(Terrain)
    assert set(redcoats.BARRIERS) == set(Obstacle)
    assert set(redcoats.SHAPES) == set(Formation)
    assert set(redcoats.ARMS) == set(Arm)
