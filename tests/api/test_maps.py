"""The map: whole, cheap to ask for again, and kept for ever by its digest."""

from collections import Counter
from gzip import decompress
from typing import Any

import pytest

from campaign.rules.map import sudan
from tests.api.conftest import Api
from tests.api.problems import problem

PATHS = ["/maps/sudan/", "/maps/sudan.geojson"]


@pytest.fixture(scope="module")
def chart() -> dict[str, Any]:
    return dict(Api().get("/maps/sudan/").json())


def test_the_map_holds_every_hex_place_river_and_track(chart: dict[str, Any]) -> None:
    there = sudan()
    assert {one["hex"] for one in chart["cells"]} == {f"{hex_id:04d}" for hex_id in there.hexes}
    assert {one["name"] for one in chart["named_places"]} == set(there.places)
    assert {one["slug"]: len(one["hexsides"]) for one in chart["rivers"]} == {
        river.id: len(river.sides) for river in there.rivers.values()
    }
    assert {one["slug"]: len(one["hexes"]) for one in chart["tracks"]} == {
        track.id: len(track.hexes) for track in there.tracks.values()
    }
    assert chart["digest"] == there.digest


def test_khartoum_and_omdurman_face_each_other_across_the_white_nile(chart: dict[str, Any]) -> None:
    places = {one["name"]: one["hex"] for one in chart["named_places"]}
    (white_nile,) = [one for one in chart["rivers"] if one["slug"] == "white_nile"]
    sides = {(side["left_hex"], side["right_hex"]) for side in white_nile["hexsides"]}
    assert (places["Omdurman"], places["Khartoum"]) in sides


def test_what_the_parts_name_is_on_the_map(chart: dict[str, Any]) -> None:
    known = {one["hex"] for one in chart["cells"]}
    named = {one["hex"] for one in chart["named_places"]}
    named |= {number for one in chart["tracks"] + chart["roads"] for number in one["hexes"]}
    named |= {
        side[bank]
        for one in chart["rivers"]
        for side in one["hexsides"]
        for bank in ("left_hex", "right_hex")
    }
    assert named <= known
    regions = {one["slug"] for one in chart["regions"]}
    assert {region for one in chart["cells"] for region in one["region_slugs"]} <= regions
    rivers = {one["slug"] for one in chart["rivers"]}
    assert {one["river_slug"] for one in chart["named_places"]} <= {*rivers, None}


def test_geojson_has_its_media_type_and_every_kind_of_feature(anybody: Api) -> None:
    response = anybody.get("/maps/sudan.geojson")
    assert response["Content-Type"] == "application/geo+json"
    kinds = Counter(one["properties"]["type"] for one in response.json()["features"])
    assert set(kinds) == {"hex", "river", "cataract", "track", "road", "wadi", "place"}
    assert kinds["hex"] == len(sudan().hexes)


def test_geojson_comes_as_json_to_those_who_read_only_that(anybody: Api) -> None:
    response = anybody.get("/maps/sudan.geojson", Accept="application/json")
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("path", PATHS)
def test_a_map_that_has_not_changed_costs_a_304(path: str, anybody: Api) -> None:
    first = anybody.get(path)
    again = anybody.get(path, If_None_Match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert anybody.get(path, If_None_Match='W/"another", "third"').status_code == 200
    assert anybody.get(path, If_None_Match=f'"x", {first["ETag"]}').status_code == 304


@pytest.mark.parametrize("path", PATHS)
def test_a_map_is_compressed_for_those_who_read_it_so(path: str, anybody: Api) -> None:
    plain = anybody.get(path)
    packed = anybody.get(path, Accept_Encoding="deflate, gzip;q=0.8")
    assert "Content-Encoding" not in plain
    assert packed["Content-Encoding"] == "gzip"
    assert decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 4
    for response in (plain, packed):
        assert "Accept-Encoding" in response["Vary"]


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [
        ("gzip", True),
        ("deflate, gzip;q=0.5", True),
        ("deflate", False),
        ("", False),
        ("gzipped", False),
    ],
)
def test_compression_is_as_the_client_says(accepted: str, packed: bool, anybody: Api) -> None:
    response = anybody.get("/maps/sudan/", Accept_Encoding=accepted)
    assert ("Content-Encoding" in response) == packed


def test_a_map_by_name_is_asked_for_again_and_by_digest_kept_for_ever(anybody: Api) -> None:
    (line,) = anybody.get("/maps/").json()["results"]
    links = line["links"]
    named, lasting = anybody.get(links["self"]), anybody.get(links["permanent"])
    assert named["Cache-Control"] == "public, no-cache"
    assert lasting["Cache-Control"] == "public, max-age=31536000, immutable"
    assert named.content == lasting.content
    assert anybody.get(links["geojson"]).content == anybody.get(links["permanent_geojson"]).content
    assert line["digest"] in links["permanent"]
    assert named.json()["links"] == links


def test_nobody_is_told_apart_at_the_map(anybody: Api) -> None:
    response = anybody.get("/maps/sudan/")
    assert not {"cookie", "authorization"} & set(response["Vary"].lower().split(", "))
    assert not response.cookies


def test_head_gives_the_headers_alone(anybody: Api) -> None:
    whole, head = anybody.get("/maps/sudan/"), anybody.ask("head", "/maps/sudan/")
    assert (head.status_code, head.content) == (200, b"")
    assert (head["ETag"], head["Content-Type"]) == (whole["ETag"], whole["Content-Type"])


def test_a_map_that_there_is_not(anybody: Api) -> None:
    assert "sudan" in problem(anybody.get("/maps/egypt/"), "not-found")["detail"]
    problem(anybody.get("/maps/egypt.geojson"), "not-found")
    problem(anybody.get(f"/maps/{'0' * 64}/"), "not-found")


def test_what_if_match_does_not_name_is_refused(anybody: Api) -> None:
    problem(anybody.get("/maps/sudan/", If_Match='"another"'), "precondition-failed")


@pytest.mark.parametrize("name", ["sudan/", "sudan.geojson"])
def test_a_set_of_tables_is_checked_without_a_scenario_too(name: str, anybody: Api) -> None:
    problem(anybody.get(f"/maps/{name}?table_set=Mine"), "invalid")
    problem(anybody.get(f"/maps/{name}?table_set=mine"), "not-found")
    assert anybody.get(f"/maps/{name}?table_set=shipped").status_code == 200
