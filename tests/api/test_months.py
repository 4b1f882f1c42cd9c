"""A campaign's months: the state in full, the map of it, the despatches, each as it stood."""

from gzip import decompress
from hashlib import blake2b, sha256
from typing import Any

import pytest

from api.http.rule_json import identifier
from battles.contract.brief import Side
from campaign.access import selectors
from campaign.models import Campaign
from campaign.rules.map import sudan
from campaign.services.turns import advance
from tests.api.conftest import Api

PAGES = ["state/", "map.geojson", "despatches/"]


@pytest.fixture
def state(umpire: Api, secret: Campaign) -> dict[str, Any]:
    return dict(umpire.get("/campaigns/secret/months/current/state/").json())


def test_the_state_tells_every_unit_where_it_stands(
    state: dict[str, Any], secret: Campaign
) -> None:
    units = selectors.state_now(secret).units
    assert {one["id"] for one in state["units"]} == set(units)
    for one in state["units"]:
        unit = units[one["id"]]
        assert one["hex"] == f"{unit.hex:04d}"
        assert one["place"] == sudan().hexes[unit.hex].place
        assert (one["kind"], one["nation"], one["side"]) == (
            identifier(unit.kind),
            unit.nation,
            unit.side,
        )
        assert (one["quality"], one["strength_points"]) == (unit.quality or None, unit.strength)
        assert (one["disrupted"], one["name"]) == (unit.disrupted, unit.name or None)


def test_the_state_says_in_words_what_programs_read_in_codes(state: dict[str, Any]) -> None:
    assert (state["month"], state["month_name"]) == ("1884-02", "February 1884")
    assert (state["side"], state["phase"]) == ("egyptian", "set_up")
    assert state["final_result"] is None
    gordon = next(one for one in state["units"] if one["name"] == "Gordon")
    assert (gordon["place"], gordon["label"]) == ("Khartoum", "General Gordon")


def test_stacks_hold_every_unit_on_the_map_once(state: dict[str, Any]) -> None:
    standing = {one["id"]: one for one in state["units"] if one["hex"]}
    told = [number for stack in state["stacks"] for number in stack["unit_ids"]]
    assert sorted(told) == sorted(standing)
    for stack in state["stacks"]:
        units = [standing[number] for number in stack["unit_ids"]]
        here = stack["location"]["hex"], stack["side"]
        assert {(one["hex"], one["side"]) for one in units} == {here}
        assert stack["strength_points"] == sum(one["strength_points"] for one in units)
        assert stack["disrupted_count"] == sum(one["disrupted"] for one in units)


def test_sieges_control_railheads_and_what_is_due(state: dict[str, Any]) -> None:
    held = {one["location"]["place"]: one["side"] for one in state["control"]}
    assert held["Khartoum"] == "egyptian"
    assert held["El Obeid"] == "mahdist"
    besieged = {one["location"]["place"]: one["side"] for one in state["sieges"]}
    assert besieged["Tokar"] == "egyptian"
    (line,) = state["railheads"]
    assert line["built_hex_count"] == len(line["hexes"]) <= line["hex_count"]
    assert line["location"]["hex"] == line["hexes"][-1]
    assert line["label"] == "the railway from Wady Halfa"
    relief = state["expected_arrivals"][0]
    assert relief["month"] == "1884-09"
    assert "Wady Halfa" in {one["place"] for one in relief["locations"]}
    assert len(relief["unit_labels"]) > 1


def test_the_state_leads_to_its_map_its_despatches_and_itself(
    state: dict[str, Any], umpire: Api
) -> None:
    links = state["links"]
    assert umpire.get(links["self"]).json() == state
    assert umpire.get(links["map"]).json()["name"] == "sudan"
    assert umpire.get(links["geojson"]).json()["month"] == state["month"]
    assert umpire.get(links["despatches"]).json()["month"] == state["month"]
    assert umpire.get(links["campaign"]).json()["slug"] == "secret"


def test_the_map_of_the_state_is_the_same_as_features(state: dict[str, Any], umpire: Api) -> None:
    response = umpire.get("/campaigns/secret/months/current/map.geojson")
    assert response["Content-Type"] == "application/geo+json"
    collection = response.json()
    assert (collection["type"], collection["month"]) == ("FeatureCollection", "1884-02")
    features: dict[str, list[Any]] = {}
    for feature in collection["features"]:
        features.setdefault(feature["properties"]["type"], []).append(feature)
    assert {kind: len(found) for kind, found in features.items()} == {
        "stack": len(state["stacks"]),
        "railway": len(state["railheads"]),
        "railhead": len(state["railheads"]),
        "siege": len(state["sieges"]),
        "control": len(state["control"]),
    }
    khartoum = next(one for one in features["stack"] if one["properties"]["place"] == "Khartoum")
    hex_ = sudan().hexes[sudan().place("Khartoum").hex]
    assert khartoum["geometry"] == {
        "type": "Point",
        "coordinates": [round(hex_.lon, 5), round(hex_.lat, 5)],
    }
    assert "General Gordon" in khartoum["properties"]["unit_labels"]
    assert len(khartoum["properties"]["unit_ids"]) == len(khartoum["properties"]["unit_labels"])
    (railway,) = features["railway"]
    built = railway["properties"]["built_hex_count"]
    assert len(railway["geometry"]["coordinates"]) == built


def test_every_month_so_far_is_listed_with_its_addresses(umpire: Api, played: Campaign) -> None:
    months = umpire.get("/campaigns/secret/months/").json()["results"]
    assert [one["month"] for one in months] == ["set-up", "1884-02", "1884-03"]
    assert [one["current"] for one in months] == [False, False, True]
    assert months[1]["entry_count"] > 0
    for one in months:
        for name in ("state", "geojson", "despatches"):
            document = umpire.get(one["links"][name]).json()
            assert document["month"] == one["month"]
            assert document["month_name"] == one["month_name"]


def test_a_month_is_told_as_it_stood(umpire: Api, secret: Campaign) -> None:
    before = umpire.get("/campaigns/secret/months/current/state/").json()
    advance.run_month(secret.pk, until=secret.month + 1)
    now = umpire.get("/campaigns/secret/months/current/state/").json()
    by_month = {
        month: umpire.get(f"/campaigns/secret/months/{month}/state/").json()
        for month in ("set-up", "1884-02", "1884-03")
    }
    assert now == by_month["1884-03"]
    assert now["current"]
    assert now["month"] == "1884-03"
    assert not by_month["1884-02"]["current"]
    assert by_month["1884-02"]["month"] == "1884-02"
    assert by_month["set-up"]["units"] == before["units"]
    campaign = Campaign.objects.get(pk=secret.pk)
    ended = selectors.state_at(campaign, secret.month)
    assert {one["id"] for one in by_month["1884-02"]["units"]} == set(ended.units)


def test_despatches_tell_the_month_with_the_dice_behind(umpire: Api, played: Campaign) -> None:
    told = umpire.get("/campaigns/secret/months/1884-02/despatches/").json()
    assert told["month_name"] == "February 1884"
    assert {one["month"] for one in told["results"]} == {"1884-02"}
    assert {one["side"] for one in told["results"]} <= set(Side)
    sentences = [sentence for one in told["results"] for sentence in one["sentences"]]
    assert all(sentence["text"] for sentence in sentences)
    rolls = [roll for sentence in sentences for roll in sentence["rolls"]]
    assert rolls
    for roll in rolls:
        assert roll["clause"]
        assert roll["text"].startswith(f"{len(roll['dice'])}D{roll['face_count']}: ")
        assert {"value", "reason", "clause", "text"} >= {
            name for modifier in roll["modifiers"] for name in modifier
        }


@pytest.mark.parametrize("page", [*PAGES, "hexes/2042/"])
def test_the_current_month_is_the_one_that_is_played(
    page: str, umpire: Api, played: Campaign
) -> None:
    current, march = (
        umpire.get(f"/campaigns/secret/months/{month}/{page}") for month in ("current", "1884-03")
    )
    assert current.json()["month"] == "1884-03"
    assert (current.content, current["ETag"]) == (march.content, march["ETag"])


@pytest.mark.parametrize("page", PAGES)
def test_a_page_costs_a_304_until_the_campaign_goes_on(
    page: str, umpire: Api, secret: Campaign
) -> None:
    path = f"/campaigns/secret/months/current/{page}"
    first = umpire.get(path)
    again = umpire.get(path, If_None_Match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    advance.run_month(secret.pk, until=secret.month + 1)
    changed = umpire.get(path, If_None_Match=first["ETag"])
    assert changed.status_code == 200
    assert changed["ETag"] != first["ETag"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_kept_by_no_cache_that_others_use(
    page: str, umpire: Api, secret: Campaign
) -> None:
    response = umpire.get(f"/campaigns/secret/months/current/{page}")
    assert response["Cache-Control"] == "private, no-cache"
    assert {"Authorization", "Cookie"} <= set(response["Vary"].split(", "))


def test_the_state_is_compressed_for_those_who_read_it_so(umpire: Api, secret: Campaign) -> None:
    plain = umpire.get("/campaigns/secret/months/current/state/")
    packed = umpire.get("/campaigns/secret/months/current/state/", Accept_Encoding="gzip")
    assert decompress(packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 4


def test_two_campaigns_are_never_taken_for_each_other(
    umpire: Api, secret: Campaign, shown: Campaign
) -> None:
    told = [
        umpire.get(f"/campaigns/{slug}/months/current/state/").json()
        for slug in ("secret", "shown")
    ]
    assert [one["campaign"] for one in told] == ["secret", "shown"]
    assert [one["scenario"] for one in told] == ["siege-of-khartoum", "relief-of-el-obeid"]


def test_dice_are_sealed_first_and_opened_when_the_month_is_over(
    umpire: Api, played: Campaign
) -> None:
    told = umpire.get("/campaigns/secret/dice/").json()
    assert told["anchor"] == played.public_anchor
    february, march = told["seals"]
    assert (february["month"], march["month"]) == ("1884-02", "1884-03")
    assert february["chain_link"]
    assert set(february["salts"]) == set(Side)
    link = bytes.fromhex(february["chain_link"])
    for _ in range(february["chain_position"]):
        link = blake2b(link, digest_size=32).digest()
    assert link.hex() == february["anchor"] == told["anchor"]
    for side, salt in february["salts"].items():
        assert sha256(bytes.fromhex(salt)).hexdigest() == february["commitments"][side]
    assert march["commitments"]
    assert (march["chain_link"], march["salts"]) == (None, None)
    assert played.secret_seed.hex() not in str(told)
