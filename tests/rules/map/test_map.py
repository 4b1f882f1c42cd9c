"""The loaded map: what it holds, what it answers, and what it says when asked amiss."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import pytest

from campaign.map_compiler.survey import Survey
from campaign.rules.map import GroundClass, HexId, Map, MapError, Nav, Relief, sudan

MILES_IN_A_HEX = 10.5
FRAME = (62, 64)


def test_3968_hexes_of_which_190_are_sea(the_map: Map) -> None:
    assert len(the_map.hexes) == FRAME[0] * FRAME[1]
    grounds = Counter(hex_.ground for hex_ in the_map.hexes.values())
    assert grounds[GroundClass.SEA] == 190
    assert grounds[GroundClass.CULTIVATED] == 174


def test_hill_and_mountain_lie_on_desert_or_clear_only(the_map: Map) -> None:
    steep = Counter(
        (hex_.relief, hex_.ground) for hex_ in the_map.hexes.values() if hex_.relief != Relief.FLAT
    )
    assert {ground for _, ground in steep} == {GroundClass.DESERT, GroundClass.CLEAR}
    assert sum(n for (relief, _), n in steep.items() if relief is Relief.HILL) == 480
    assert sum(n for (relief, _), n in steep.items() if relief is Relief.MOUNTAIN) == 267


def test_the_map_is_loaded_once(the_map: Map) -> None:
    assert sudan() is the_map


def test_recorded_distances_hold(the_map: Map, survey: Survey) -> None:
    for entry in survey.distance:
        start, end = the_map.place(entry.start).hex, the_map.place(entry.end).hex
        hexes = len(the_map.roads[entry.by].hexes) - 1 if entry.by else the_map.distance(start, end)
        assert hexes == entry.hexes, (entry.start, entry.end)
        slack = max(0.1 * entry.miles, MILES_IN_A_HEX / 2)
        assert abs(hexes * MILES_IN_A_HEX - entry.miles) <= slack


@pytest.mark.parametrize(
    ("start", "end", "hexes"),
    [("Souakim", "Berber", 23), ("Korti", "Metemmeh", 15), ("Wady Halfa", "Abou Hamed", 22)],
)
def test_distance_is_the_same_both_ways(the_map: Map, start: str, end: str, hexes: int) -> None:
    a, b = the_map.place(start).hex, the_map.place(end).hex
    assert the_map.distance(a, b) == the_map.distance(b, a) == hexes


def test_within_counts_a_hexagon_and_stops_at_the_rim(the_map: Map) -> None:
    berber = the_map.place("Berber").hex
    assert len(the_map.within(berber, 2)) == 19
    assert {the_map.distance(berber, other) for other in the_map.within(berber, 2)} == {0, 1, 2}
    assert the_map.within(berber, 0) == [berber]
    assert the_map.within(HexId(0), 1) == [0, 1, 100, 101]


def test_place_is_found_by_alias_and_in_any_case(the_map: Map) -> None:
    assert the_map.place("suakin") is the_map.place("Souakim")


def test_unknown_place_is_answered_with_near_spellings(the_map: Map) -> None:
    with pytest.raises(MapError, match=r"no place “Kartoom”.*Khartoum"):
        the_map.place("Kartoom")


def test_unknown_region_is_answered_with_those_there_are(the_map: Map) -> None:
    with pytest.raises(MapError, match="souakim_extension"):
        the_map.region("souakin")


def test_hex_is_described_by_its_place_or_from_the_nearest(the_map: Map) -> None:
    gakdul = the_map.place("Gakdul Wells").hex
    north_west = the_map.neighbours[gakdul][5]
    assert the_map.describe(gakdul) == "Gakdul Wells"
    assert the_map.describe(north_west) == "1 hex NW of Gakdul Wells"


def test_asking_for_a_river_a_hex_does_not_touch_names_the_hex(the_map: Map) -> None:
    with pytest.raises(MapError, match=r"0358 \(El Obeid\) is not beside 'nile'"):
        the_map.ordinals(the_map.place("El Obeid").hex, "nile")


def test_8_23_a_hex_counts_by_the_worst_class_it_touches(the_map: Map) -> None:
    assert the_map.nav_at(the_map.place("Korti").hex, "nile") is Nav.NAVIGABLE
    assert the_map.nav_at(the_map.place("Berber").hex, "nile") is Nav.SEASONAL
    assert the_map.nav_at(the_map.place("Wady Halfa").hex, "nile") is Nav.UNNAVIGABLE


def test_cataract_is_met_on_both_banks(the_map: Map) -> None:
    fourth = next(s for s in the_map.sides.values() if s.cataract == "Fourth Cataract")
    assert {the_map.cataract_at(hex_id) for hex_id in fourth.hexes} == {"Fourth Cataract"}
    assert the_map.cataract_at(the_map.place("Khartoum").hex) is None


def test_tracks_run_over_land_from_place_to_place_and_cross_no_river(the_map: Map) -> None:
    for track in the_map.tracks.values():
        for here, there in pairwise(track.hexes):
            assert there in the_map.neighbours[here]
            assert (here, there) not in the_map.sides
        assert not any(the_map.hexes[hex_id].sea for hex_id in track.hexes)
    assert the_map.tracks["wady_halfa_sarras"].status == "built"


def test_both_tracks_reach_berber(the_map: Map) -> None:
    berber, sarras = the_map.place("Berber").hex, the_map.place("Sarras").hex
    desert, river = the_map.tracks["sarras_abou_hamed"], the_map.tracks["abou_hamed_berber"]
    assert desert.hexes[0] == sarras
    assert desert.hexes[-1] == river.hexes[0] == the_map.place("Abou Hamed").hex
    assert river.hexes[-1] == berber
    souakim = the_map.tracks["souakim_berber"]
    assert (souakim.hexes[0], souakim.hexes[-1]) == (the_map.place("Souakim").hex, berber)


def test_souakim_extension_holds_its_places_and_not_berber(the_map: Map) -> None:
    extension = the_map.region("souakim_extension")
    names = {"Souakim", "Sinkat", "Tokar", "Trinkitat"}
    assert {the_map.place(name).hex for name in names} <= extension
    assert the_map.place("Berber").hex not in extension


def test_closed_hexes_are_land_and_nothing_of_the_book_needs_them(the_map: Map) -> None:
    closed = {hex_.id for hex_ in the_map.hexes.values() if hex_.closed}
    needed = {place.hex for place in the_map.places.values() if place.in_rules}
    needed |= {h for way in the_map.tracks.values() for h in way.hexes}
    needed |= {h for way in the_map.roads.values() for h in way.hexes}
    needed |= {h for hexes in the_map.river_hexes.values() for h in hexes}
    assert len(closed) == 620
    assert not closed & needed
    assert not any(the_map.hexes[hex_id].sea for hex_id in closed)


@pytest.mark.parametrize("name", ["Kassala", "Gallabat", "Tokar"])
def test_country_round_frontier_posts_is_open(the_map: Map, name: str) -> None:
    around = the_map.within(the_map.place(name).hex, 2)
    assert not any(the_map.hexes[hex_id].closed for hex_id in around)


def test_open_land_is_all_of_one_piece(the_map: Map) -> None:
    shut = [h.id for h in the_map.hexes.values() if h.sea or h.closed]
    land = the_map.graph.copy()
    land.remove_nodes_from(shut)
    assert nx.is_connected(land)


def test_graph_says_what_the_map_says(the_map: Map) -> None:
    graph = the_map.graph
    khartoum, omdurman = the_map.place("Khartoum").hex, the_map.place("Omdurman").hex
    assert graph.number_of_nodes() == 3968
    assert graph.nodes[khartoum]["place"] == "Khartoum"
    assert graph.edges[omdurman, khartoum]["river"] == "white_nile"
    assert sum("river" in edge for _, _, edge in graph.edges(data=True)) == 342
    halfa = the_map.tracks["wady_halfa_sarras"].hexes
    assert graph.edges[halfa[0], halfa[1]]["tracks"] == ("wady_halfa_sarras",)


def test_neighbours_and_graph_agree(the_map: Map) -> None:
    for hex_id, others in the_map.neighbours.items():
        assert set(others) == set(the_map.graph[hex_id])


def test_side_line_has_the_first_hex_on_its_left(the_map: Map) -> None:
    side = the_map.sides[the_map.place("Khartoum").hex, the_map.place("Omdurman").hex]
    (_, y), (_, further) = the_map.side_line(*side.hexes)
    assert further > y  # the White Nile runs north here
    left, right = side.hexes
    assert the_map.side_line(right, left) == tuple(reversed(the_map.side_line(left, right)))


def test_hexes_apart_have_no_side_line(the_map: Map) -> None:
    with pytest.raises(MapError, match="1734 and 2000 are not neighbours"):
        the_map.side_line(HexId(1734), HexId(2000))
