"""GeoJSON by the letter of RFC 7946, and true to the map."""

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from campaign.rules.map import Map
from campaign.rules.map.geojson import features


@pytest.fixture(scope="module")
def collection(the_map: Map) -> dict[str, Any]:
    return json.loads(json.dumps(features(the_map)))


def _of_kind(collection: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [f for f in collection["features"] if f["properties"]["type"] == kind]


def _signed_area(ring: list[list[float]]) -> float:
    pairs = pairwise(ring)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs) / 2


def test_collection_holds_every_kind(collection: dict[str, Any]) -> None:
    assert collection["type"] == "FeatureCollection"
    assert Counter(f["properties"]["type"] for f in collection["features"]) == {
        "hex": 3968,
        "river": 16,
        "cataract": 13,
        "track": 5,
        "road": 12,
        "wadi": 4,
        "place": 104,
    }


def test_hexes_are_closed_rings_that_run_anticlockwise(collection: dict[str, Any]) -> None:
    for feature in _of_kind(collection, "hex"):
        (ring,) = feature["geometry"]["coordinates"]
        assert len(ring) == 7
        assert ring[0] == ring[-1]
        assert _signed_area(ring) > 0


def test_positions_are_longitude_then_latitude_within_the_frame(collection: dict[str, Any]) -> None:
    khartoum = next(
        f for f in _of_kind(collection, "place") if f["properties"]["name"] == "Khartoum"
    )
    assert khartoum["geometry"]["coordinates"] == [32.53, 15.6]
    for feature in _of_kind(collection, "hex"):
        for lon, lat in feature["geometry"]["coordinates"][0]:
            assert 29 < lon < 39
            assert 12 < lat < 23
            assert (lon, lat) == (round(lon, 5), round(lat, 5))


def test_reaches_of_a_river_join_end_to_end(collection: dict[str, Any]) -> None:
    nile = [f for f in _of_kind(collection, "river") if f["properties"]["river_title"] == "Nile"]
    lines = [f["geometry"]["coordinates"] for f in nile]
    assert [line[-1] for line in lines[:-1]] == [line[0] for line in lines[1:]]
    assert sum(len(line) - 1 for line in lines) == 179


def test_river_runs_along_the_outlines_of_hexes(collection: dict[str, Any]) -> None:
    corners = {
        tuple(corner)
        for feature in _of_kind(collection, "hex")
        for corner in feature["geometry"]["coordinates"][0]
    }
    for feature in _of_kind(collection, "river"):
        assert {tuple(point) for point in feature["geometry"]["coordinates"]} <= corners
