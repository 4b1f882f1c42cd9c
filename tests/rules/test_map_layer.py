"""1.3, ruling 53: a part of the map, closed and open hexes, and places of a scenario's own."""

import json
from importlib.resources import files

import pytest

from battles.core.tables import TableError
from campaign.cartography import base_digest, base_map
from campaign.cartography.overlay import scenario_layer
from campaign.cartography.sheet import MapSheet
from campaign.rules.core import actions as a
from campaign.rules.core.board import chart
from campaign.rules.map import HexId, MapLayer, is_printed, load, map_with_layer, sudan
from campaign.rules.map.geojson import features
from campaign.rules.map.layer import AddedPlace, AddedTrack, LayerError, PlaceRadius
from campaign.rules.set_up import new_game
from campaign.rules.tables.editions import own_edition, shipped_edition
from campaign.rules.tables.scenario_loader import scenario
from tests.positions import RELIEF, position
from tests.rules.helpers import march, refused

COAST = MapLayer(regions=("souakim_extension",))
FORT = AddedPlace("Fort Baker", "5421")


def open_land(layer: MapLayer) -> set[HexId]:
    return {
        hex_.id for hex_ in map_with_layer(layer).hexes.values() if not (hex_.sea or hex_.closed)
    }


def test_without_a_layer_it_is_the_shipped_map() -> None:
    assert is_printed(map_with_layer(MapLayer()))
    assert is_printed(scenario(RELIEF).chart)
    assert not is_printed(map_with_layer(COAST))


def test_the_printed_map_is_known_whichever_thread_has_loaded_it() -> None:
    again = load(files("campaign.rules.map").joinpath("sudan.json").read_bytes())
    assert is_printed(again)
    assert scenario_layer(MapSheet(again)) == ""


def test_a_region_closes_all_but_its_hexes() -> None:
    land = {
        hex_id for hex_id in sudan().region("souakim_extension") if not sudan().hexes[hex_id].sea
    }
    assert open_land(COAST) == land
    assert map_with_layer(COAST).digest != sudan().digest


def test_hexes_near_a_place_and_single_hexes() -> None:
    layer = MapLayer(within=(PlaceRadius("Khartoum", 2),), close=("2042",), open=("0358",))
    near = {h for h in sudan().within(sudan().place("Khartoum").hex, 2) if not sudan().hexes[h].sea}
    assert open_land(layer) == near - {HexId(2042)} | {HexId(358)}


def test_open_takes_a_hex_that_the_printed_map_closes() -> None:
    assert sudan().hexes[HexId(5308)].closed
    assert not map_with_layer(MapLayer(open=("5308",))).hexes[HexId(5308)].closed


def test_a_place_and_a_track_of_its_own_are_on_the_map_everywhere() -> None:
    layer = MapLayer(
        place=(FORT,), track=(AddedTrack("fort_line", "The fort line", ("5419", "5420", "5421")),)
    )
    map_ = map_with_layer(layer)
    assert map_.place("fort baker").hex == HexId(5421)
    assert map_.describe(HexId(5421)) == "Fort Baker"
    assert map_.tracks["fort_line"].hexes[-1] == HexId(5421)
    drawn = json.dumps(features(map_))
    assert "Fort Baker" in drawn
    assert "The fort line" in drawn
    assert base_digest(map_) != base_digest(sudan())
    assert "F" in base_map(map_)
    assert "Fort Baker" not in json.dumps(features(sudan()))


def test_no_boat_goes_into_a_closed_hex() -> None:
    closed = map_with_layer(MapLayer(close=("2042", "1942")))
    assert any(m.to == HexId(2042) for moves in sudan().river_moves.values() for m in moves)
    ways = {move.to for moves in closed.river_moves.values() for move in moves}
    assert not ways & {HexId(2042), HexId(1942)}


@pytest.mark.parametrize(
    ("layer", "field"),
    [
        (MapLayer(regions=("kordofan", "atlantis")), "regions[1]"),
        (MapLayer(within=(PlaceRadius("Atlantis", 2),)), "within[0].place"),
        (MapLayer(close=("0358", "9999")), "close[1]"),
        (MapLayer(open=("9999",)), "open[0]"),
        (MapLayer(place=(AddedPlace("Khartoum", "0358"),)), "place[0].name"),
        (MapLayer(place=(FORT, AddedPlace("Fort baker", "0358"))), "place[1].name"),
        (MapLayer(place=(AddedPlace("Deep", "6100"),)), "place[0].hex"),
        (MapLayer(track=(AddedTrack("a", "A", ("0358", "0360")),)), "track[0].hexes"),
        (MapLayer(track=(AddedTrack("souakim_berber", "A", ("0358", "0359")),)), "track[0].id"),
    ],
)
def test_a_layer_that_cannot_be_is_refused_with_its_field(layer: MapLayer, field: str) -> None:
    with pytest.raises(LayerError) as refusal:
        map_with_layer(layer)
    assert refusal.value.field == field


def with_layer(lines: str) -> str:
    """Return the digest of an edition whose Relief has this layer."""
    text = shipped_edition().text(RELIEF).replace("[events]", f"[map]\n{lines}\n\n[events]", 1)
    return own_edition({RELIEF: text}).digest


def test_a_march_into_a_closed_hex_is_refused() -> None:
    state = position("2142: infantry egyptian L", scenario=RELIEF, month="1883-01")
    state.edition = with_layer('close = ["2143"]')
    state.__dict__.pop("board", None)
    march(state, "2142")
    told = refused(state, a.Move((HexId(2143),)), "8.2")
    assert "closed to play" in str(told)


def test_places_in_closed_hexes_are_nobodys() -> None:
    state = new_game("tokar-and-souakim")
    assert not is_printed(chart(state))
    assert state.map == chart(state).digest
    assert sudan().place("Khartoum").hex not in state.control
    assert sudan().place("Tokar").hex in state.control


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ('close = ["0358"]', "El Obeid is closed to play in this scenario"),
        ('close = ["1102"]', "part of the line is closed to play"),
        ('regions = ["atlantis"]', "there is no region 'atlantis'"),
        ('close = ["358"]', "close"),
        ('colour = "red"', "colour"),
    ],
)
def test_a_scenario_on_closed_ground_is_refused(lines: str, reason: str) -> None:
    with pytest.raises(TableError) as refusal:
        with_layer(lines)
    assert reason in str(refusal.value)
