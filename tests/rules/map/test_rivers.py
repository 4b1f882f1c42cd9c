"""The rivers: one tree of hexsides, its ends and junctions, reaches in order, and three lands."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest

from campaign.map_compiler.build import MapDraft, faults, lands_of
from campaign.map_compiler.geometry import densify, distance_to_line
from campaign.map_compiler.survey import Survey
from campaign.rules.map import Map, Nav


@pytest.fixture(scope="module")
def waterways(laid: MapDraft) -> "nx.Graph":
    """The vertices and hexsides of all rivers."""
    sides = [side for river in laid.site.waters.sides.values() for side in river]
    return nx.Graph((side.start, side.end) for side in sides)


def test_the_draft_has_no_fault(laid: MapDraft) -> None:
    assert faults(laid) == []


def test_rivers_are_one_connected_tree(waterways: "nx.Graph") -> None:
    assert nx.is_tree(waterways)


def test_rivers_have_four_ends_and_two_junctions(waterways: "nx.Graph") -> None:
    degrees = Counter(degree for _, degree in waterways.degree)
    assert (degrees[1], degrees[3]) == (4, 2)
    assert set(degrees) == {1, 2, 3}


def test_three_ends_lie_on_the_rim_and_the_atbara_rises_inland(
    laid: MapDraft, waterways: "nx.Graph"
) -> None:
    ends = {vertex for vertex, degree in waterways.degree if degree == 1}
    inland = ends - laid.grid.rim
    assert inland == {laid.site.waters.sides["atbara"][0].start}


def test_about_342_hexsides_of_four_rivers(the_map: Map) -> None:
    lengths = {river.id: len(river.sides) for river in the_map.rivers.values()}
    assert lengths == {"nile": 179, "white_nile": 49, "blue_nile": 58, "atbara": 56}
    classes = Counter(side.nav for river in the_map.rivers.values() for side in river.sides)
    assert classes == {Nav.NAVIGABLE: 138, Nav.SEASONAL: 176, Nav.UNNAVIGABLE: 28}


def test_ordinals_run_from_source_to_mouth_without_a_gap(the_map: Map) -> None:
    for river in the_map.rivers.values():
        ordinals = [side.ordinal for side in river.sides]
        assert ordinals == list(range(1, len(ordinals) + 1))
        ends = [the_map.side_line(*side.hexes) for side in river.sides]
        assert all(above[1] == below[0] for above, below in pairwise(ends))


def test_reaches_follow_each_other_as_surveyed(the_map: Map, survey: Survey) -> None:
    for river in survey.river:
        run = list(dict.fromkeys(side.reach for side in the_map.rivers[river.id].sides))
        assert run == [reach.id for reach in river.reach]


def test_no_hexside_lies_half_a_hex_from_its_river(laid: MapDraft, survey: Survey) -> None:
    lines = {
        river.id: [laid.projection.xy(point) for point in river.points] for river in survey.river
    }
    lines["nile"] = densify(lines["white_nile"][-3:] + lines["nile"], 5.0)
    lines["white_nile"] += lines["nile"][:8]
    offsets = [
        distance_to_line(laid.grid.middle(side.hexside), lines[river])
        for river, sides in laid.site.waters.sides.items()
        for side in sides
    ]
    assert max(offsets) < 8.5
    assert sum(offsets) / len(offsets) < 3.5


def test_rivers_part_exactly_three_lands(laid: MapDraft) -> None:
    assert len(set(lands_of(laid).values())) == 3


def test_every_named_place_lies_in_its_own_land(laid: MapDraft, survey: Survey) -> None:
    lands = lands_of(laid)
    home = {
        "west": lands[laid.placed["El Obeid"]],
        "east": lands[laid.placed["Souakim"]],
        "gezira": lands[laid.placed["Managil"]],
    }
    declared = {place.name: home[place.land] for place in survey.place if place.land}
    assert len(declared) == 102
    assert {name: lands[laid.placed[name]] for name in declared} == declared


def test_navigation_changes_where_the_reaches_do(the_map: Map) -> None:
    nile = the_map.rivers["nile"].sides
    changes = [nile[0].nav] + [
        below.nav for above, below in pairwise(nile) if above.nav != below.nav
    ]
    assert changes == [
        Nav.NAVIGABLE,
        Nav.SEASONAL,
        Nav.UNNAVIGABLE,
        Nav.NAVIGABLE,
        Nav.SEASONAL,
        Nav.UNNAVIGABLE,
        Nav.NAVIGABLE,
    ]


def test_cataracts_stand_in_order_on_hexsides_of_their_own(the_map: Map, survey: Survey) -> None:
    found = [side.cataract for side in the_map.rivers["nile"].sides if side.cataract]
    assert found == [entry.name for entry in reversed(survey.cataract)]
