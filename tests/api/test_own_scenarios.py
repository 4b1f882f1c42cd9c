"""Scenarios of one's own by REST: saved, checked, shared, played, and their maps."""

import copy
from typing import Any

import pytest

from campaign.models import Campaign, OwnScenario
from tests.api.conftest import Api, As
from tests.campaign.test_own_scenarios import golden

ANY = {"if_match": "*"}


@pytest.fixture
def saved(umpire: Api) -> dict[str, Any]:
    answer = umpire.post("/own-scenarios/", {"type": "document", "document": golden()})
    assert answer.status_code == 201
    return dict(answer.json())


def broken() -> dict[str, Any]:
    document = copy.deepcopy(golden())
    document["scenario"]["end"] = "1880-01"
    return document


def test_a_scenario_is_saved_and_read_again(umpire: Api, saved: dict[str, Any]) -> None:
    assert saved["errors"] == []
    assert saved["playable"]
    listed = umpire.get("/own-scenarios/").json()["results"]
    assert [one["id"] for one in listed] == [saved["id"]]
    read = umpire.get(f"/own-scenarios/{saved['id']}/").json()
    assert read["document"] == saved["document"]


def test_a_wrong_document_is_checked_saved_and_mended(umpire: Api, saved: dict[str, Any]) -> None:
    told = umpire.post(
        "/own-scenarios/?dry_run=true", {"type": "document", "document": broken()}
    ).json()
    assert told["errors"] == [
        {
            "pointer": "/document/scenario/end",
            "detail": "The scenario ends before it begins; let it end later.",
        }
    ]
    own = f"/own-scenarios/{saved['id']}/"
    assert len(umpire.get("/own-scenarios/").json()["results"]) == 1
    draft = umpire.patch(own, {"document": broken()}, **ANY).json()
    assert not draft["playable"]
    assert draft["errors"] == told["errors"]
    wanted = {"scenario": saved["slug"], "own_scenario_id": saved["id"]}
    assert umpire.post("/campaigns/", wanted).status_code == 422
    assert umpire.patch(own, {"document": golden()}, **ANY).json()["playable"]
    assert umpire.post("/campaigns/", wanted).status_code == 201


def test_a_check_tells_what_is_in_play_as_far_as_the_map_can_be_read(umpire: Api) -> None:
    def checked(document: object) -> dict[str, Any]:
        body = {"type": "document", "document": document}
        return dict(umpire.post("/own-scenarios/?dry_run=true", body).json())

    whole = checked(golden())
    assert "Fort Baker" in whole["place_names"]
    assert {"slug": "fort_line", "title": "The fort line"} in whole["tracks"]
    assert all(line.keys() == {"slug", "title"} for line in whole["rivers"])
    wrong = golden()
    wrong["scenario"]["map"]["close"] = ["9999"]
    half = checked(wrong)
    assert half["errors"]
    assert set(half["place_names"]) > set(whole["place_names"])
    assert checked({})["place_names"]


def test_a_document_without_a_frame_is_refused(umpire: Api) -> None:
    for wrong in ({}, {"format": 99}, {"format": 1, "scenario": {}, "more": 1}):
        answer = umpire.post("/own-scenarios/", {"type": "document", "document": wrong})
        assert answer.status_code == 422
    untyped: list[dict[str, Any]] = [
        {},
        {"document": golden()},
        {"type": "document", "document": 3},
    ]
    for body in untyped:
        assert umpire.post("/own-scenarios/", body).status_code == 400
    assert not OwnScenario.objects.exists()


def test_the_map_of_its_campaign_has_its_layer(umpire: Api, saved: dict[str, Any]) -> None:
    wanted = {"scenario": saved["slug"], "own_scenario_id": saved["id"], "title": "At the fort"}
    assert umpire.post("/campaigns/", wanted).status_code == 201
    campaign = Campaign.objects.get(title="At the fort")
    state = umpire.get(f"/campaigns/{campaign.slug}/months/current/state/").json()
    address = state["links"]["map"].removeprefix("/api/v1")
    chart = umpire.get(address).json()
    assert "Fort Baker" in [place["name"] for place in chart["named_places"]]
    assert "2042" in chart["closed_hexes"]
    assert "5724" not in chart["closed_hexes"]
    drawn = umpire.get("/maps/sudan.geojson?scenario=tokar-and-souakim")
    assert drawn.status_code == 200
    assert drawn["Cache-Control"] == "public, no-cache"
    assert umpire.get("/maps/sudan/?scenario=atlantis").status_code == 404


def test_no_cache_that_others_share_keeps_the_map_of_somebodys_own_set(
    as_: As, umpire: Api, saved: dict[str, Any]
) -> None:
    wanted = {"scenario": saved["slug"], "own_scenario_id": saved["id"], "title": "At the fort"}
    umpire.post("/campaigns/", wanted)
    campaign = Campaign.objects.get(title="At the fort")
    state = umpire.get(f"/campaigns/{campaign.slug}/months/current/state/").json()
    lasting = state["links"]["map"].removeprefix("/api/v1")
    digest = lasting.split("/")[2]
    for address, caching in (
        (lasting, "private, max-age=31536000, immutable"),
        (lasting.replace(digest, "sudan"), "private, no-cache"),
    ):
        assert as_("stranger").get(address).status_code == 404
        answer = umpire.get(address)
        assert answer["Cache-Control"] == caching
        assert "Authorization" in answer["Vary"]


def test_only_the_owner_sees_it_until_it_is_shared(
    as_: As, umpire: Api, saved: dict[str, Any]
) -> None:
    egyptian = as_("egyptian")
    own = f"/own-scenarios/{saved['id']}/"
    assert egyptian.get(own).status_code == 404
    assert egyptian.patch(own, {"document": golden()}).status_code == 404
    link = {"type": "link", "link_id": saved["link_id"]}
    assert egyptian.post("/own-scenarios/", link).status_code == 404
    assert umpire.patch(own, {"shared": True}, **ANY).json()["shared"]
    copied = egyptian.post("/own-scenarios/", link)
    assert copied.status_code == 201
    assert copied.json()["id"] != saved["id"]
    assert umpire.ask("delete", own, **ANY).status_code == 204
    assert umpire.get(own).status_code == 404


def test_a_bench_plays_it(umpire: Api, saved: dict[str, Any]) -> None:
    terms = {"type": "bench", "scenario": saved["slug"], "campaigns": 2}
    assert umpire.post("/simulations/", terms).status_code == 422
    asked = umpire.post("/simulations/", {**terms, "own_scenario_id": saved["id"]})
    assert asked.status_code in {201, 202}


def test_a_ladder_plays_it(
    as_: As, umpire: Api, saved: dict[str, Any], django_capture_on_commit_callbacks: Any
) -> None:
    terms = {"type": "ladder", "scenario": saved["slug"], "games_each": 1}
    assert umpire.post("/simulations/", terms).status_code == 422
    terms["own_scenario_id"] = saved["id"]
    assert umpire.post("/simulations/", terms | {"games_each": 1000}).status_code == 422
    assert as_("egyptian").post("/simulations/", terms).status_code == 404
    with django_capture_on_commit_callbacks(execute=True):
        asked = umpire.post("/simulations/", terms)
    assert asked.status_code == 202
    here = asked["Location"].removeprefix("/api/v1")
    document = umpire.get(here).json()
    assert (document["type"], document["status"]) == ("ladder", "succeeded")
    assert document["title"] == saved["title"]
    result = document["result"]
    assert (result["type"], result["scenario"]) == ("ladder", saved["slug"])
    assert sum(one["games"] for one in result["pairs"]) == document["progress"]["total"]
    assert {one["name"] for one in result["players"]} == {"usual", "random", "sit-tight"}
    for pair in result["pairs"]:
        won = pair["mahdist_won"]
        assert won["low"] <= won["won_share"] <= won["high"]
    types = [one["type"] for one in umpire.get("/simulations/?type=ladder").json()["results"]]
    assert types == ["ladder"]
    assert umpire.get("/simulations/?type=bench").json()["results"] == []


def test_two_windows_do_not_overwrite_each_other(umpire: Api, saved: dict[str, Any]) -> None:
    own = f"/own-scenarios/{saved['id']}/"
    read = umpire.get(own)["ETag"]
    assert umpire.patch(own, {"document": golden()}).status_code == 428
    assert umpire.patch(own, {"shared": True}).status_code == 428
    assert umpire.ask("delete", own).status_code == 428
    changed = umpire.patch(own, {"document": broken()}, if_match=read)
    assert changed.status_code == 200
    assert changed["ETag"] != read
    for stale in (read, '"none"', '"1.2.3"'):
        late = umpire.patch(own, {"document": golden()}, if_match=stale)
        assert late.status_code == 412
        assert umpire.patch(own, {"shared": True}, if_match=stale).status_code == 412
        assert umpire.ask("delete", own, if_match=stale).status_code == 412
    assert not umpire.get(own).json()["playable"]
    shared = umpire.patch(own, {"shared": True}, if_match=changed["ETag"])
    assert shared.json()["shared"]
    both = {"document": golden(), "shared": False}
    mended = umpire.patch(own, both, if_match=shared["ETag"])
    assert (mended.json()["playable"], mended.json()["shared"]) == (True, False)
    assert umpire.ask("delete", own, if_match=mended["ETag"]).status_code == 204


def test_a_deleted_scenario_is_listed_and_restored_by_its_owner_alone(
    as_: As, umpire: Api, saved: dict[str, Any]
) -> None:
    egyptian = as_("egyptian")
    own = f"/own-scenarios/{saved['id']}/"
    before = umpire.get(own).json()
    assert umpire.get("/deleted-own-scenarios/").json() == {"results": []}
    assert umpire.ask("delete", own, **ANY).status_code == 204
    (listed,) = umpire.get("/deleted-own-scenarios/").json()["results"]
    assert (listed["slug"], listed["title"]) == (before["slug"], before["title"])
    assert egyptian.get("/deleted-own-scenarios/").json() == {"results": []}
    address = listed["links"]["restore"]
    assert egyptian.post(address).status_code == 404
    restored = umpire.post(address)
    assert (restored.status_code, restored["Location"]) == (201, before["links"]["self"])
    assert restored.json() == {**before, "changed_at": restored.json()["changed_at"]}
    assert restored["ETag"] == umpire.get(own)["ETag"]
    assert umpire.post(address).status_code == 404
    assert umpire.get("/deleted-own-scenarios/").json() == {"results": []}
