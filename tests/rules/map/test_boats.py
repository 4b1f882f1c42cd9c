"""Moves along rivers: a bank at a time, into confluences, down to the mouth and up to a source."""

from collections.abc import Callable

import pytest

from campaign.rules.map import HexId, Map, RiverMove


@pytest.fixture
def afloat(the_map: Map) -> Callable[[str, int], set[HexId]]:
    """Every hex reached from a place by moves in one direction."""

    def reach(name: str, direction: int) -> set[HexId]:
        start = the_map.place(name).hex
        seen, edge = {start}, [start]
        while edge:
            for move in the_map.river_moves[edge.pop()]:
                if move.direction == direction and move.to not in seen:
                    seen.add(move.to)
                    edge.append(move.to)
        return seen

    return reach


def test_8_23_moves_downstream_lead_from_khartoum_to_wady_halfa(
    the_map: Map, afloat: Callable[[str, int], set[HexId]]
) -> None:
    assert the_map.place("Wady Halfa").hex in afloat("Khartoum", 1)


@pytest.mark.parametrize("name", ["Khartoum", "Duem", "Sennar", "Goz Regeb", "Tomat", "Berber"])
def test_8_23_moves_downstream_lead_to_the_mouth(
    the_map: Map, afloat: Callable[[str, int], set[HexId]], name: str
) -> None:
    assert set(the_map.rivers["nile"].sides[-1].hexes) & afloat(name, 1)


def test_8_23_moves_upstream_lead_from_wady_halfa_to_all_three_sources(
    the_map: Map, afloat: Callable[[str, int], set[HexId]]
) -> None:
    reached = afloat("Wady Halfa", -1)
    for river in ("white_nile", "blue_nile", "atbara"):
        assert set(the_map.rivers[river].sides[0].hexes) & reached, river


def test_8_23_ordinals_never_fall_on_the_way_down(the_map: Map) -> None:
    for start, moves in the_map.river_moves.items():
        for move in moves:
            if move.direction == 1 and move.river in the_map.river_at(start):
                here = the_map.ordinals(start, move.river)
                there = the_map.ordinals(move.to, move.river)
                assert here <= there
                assert here[1] <= there[1]


def test_8_23_every_move_has_its_way_back(the_map: Map) -> None:
    for start, moves in the_map.river_moves.items():
        for move in moves:
            back = {other.direction for other in the_map.river_moves[move.to] if other.to == start}
            assert -move.direction in back


def test_8_23_moves_go_to_neighbours_beside_the_river(the_map: Map) -> None:
    for start, moves in the_map.river_moves.items():
        for move in moves:
            assert move.to in the_map.neighbours[start]
            assert move.river in the_map.river_at(move.to)


def test_8_23_no_move_is_both_upstream_and_downstream(the_map: Map) -> None:
    for moves in the_map.river_moves.values():
        directions = [(move.to, move.river) for move in moves]
        assert len(set(directions)) == len(directions)


def test_8_23_changing_bank_is_a_move_of_one_hex(the_map: Map) -> None:
    metemmeh, shendi = the_map.place("Metemmeh").hex, the_map.place("Shendi").hex
    assert RiverMove(shendi, "nile", 0) in the_map.river_moves[metemmeh]


def test_8_23_khartoum_is_left_by_the_nile_and_by_both_rivers_above(the_map: Map) -> None:
    moves = the_map.river_moves[the_map.place("Khartoum").hex]
    assert {(move.river, move.direction) for move in moves} >= {
        ("nile", 1),
        ("white_nile", -1),
        ("blue_nile", -1),
    }


def test_no_boat_leaves_a_hex_away_from_rivers(the_map: Map) -> None:
    beside = {hex_id for hexes in the_map.river_hexes.values() for hex_id in hexes}
    assert set(the_map.river_moves) == beside


def test_river_hexes_run_from_source_to_mouth(the_map: Map) -> None:
    for river, hexes in the_map.river_hexes.items():
        first = [the_map.ordinals(hex_id, river)[0] for hex_id in hexes]
        assert first == sorted(first)
