"""Campaigns: begun, listed page by page, described."""

from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.access import saved_work
from campaign.models import Campaign
from campaign.services.journal import creation
from tests.api.conftest import SEATS, Api, As
from tests.api.problems import problem, wrong_places
from tests.people import People

SIEGE = {"scenario": "siege-of-khartoum"}


def test_who_begins_a_campaign_is_its_umpire(as_: As) -> None:
    stranger = as_("stranger")
    begun = stranger.post("/campaigns/", {**SIEGE, "title": "Winter siege"})
    assert (begun.status_code, begun["Location"]) == (201, "/api/v1/campaigns/winter-siege/")
    document = begun.json()
    assert document == stranger.get("/campaigns/winter-siege/").json()
    assert document["roles"] == ["umpire"]
    assert document["umpire"] == "stranger"
    assert document["public"] is False
    assert (document["month"], document["month_name"]) == ("1884-02", "February 1884")
    assert (document["phase"], document["status"]) == ("set_up", "set_up")
    assert document["waiting_for"].startswith("The computer’s staff plays February 1884")
    assert (document["outcome"], document["outcome_text"], document["job"]) == (None, None, None)


@pytest.mark.parametrize("path", ["", "secret/", "secret/months/", "secret/dice/"])
def test_what_is_told_of_campaigns_costs_a_304(path: str, umpire: Api, secret: Campaign) -> None:
    etag = umpire.get(f"/campaigns/{path}")["ETag"]
    assert umpire.get(f"/campaigns/{path}", If_None_Match=etag).status_code == 304


def test_a_public_campaign_is_read_by_anybody(as_: As, anybody: Api) -> None:
    begun = as_("stranger").post("/campaigns/", {**SIEGE, "slug": "open", "public": True})
    assert begun.json()["title"] == "The Siege of Khartoum"
    blank = as_("stranger").post("/campaigns/", {**SIEGE, "title": "  "})
    assert blank.json()["title"] == "The Siege of Khartoum (2)"
    assert anybody.get("/campaigns/open/").json()["roles"] == []


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"scenario"}),
        ({"scenario": ""}, {"scenario"}),
        ({"scenario": None}, {"scenario"}),
        ({"scenario": ["siege-of-khartoum"]}, {"scenario"}),
        ({**SIEGE, "title": "x" * 101}, {"title"}),
        ({**SIEGE, "public": "perhaps"}, {"public"}),
        ({**SIEGE, "tittle": "Siege"}, {"tittle"}),
        ({"title": 1.5e300, "slug": {}, "no": 1}, {"title", "scenario", "slug", "no"}),
        ({**SIEGE, "battles": {"resolution": "chess"}}, {"battles/resolution"}),
        ({**SIEGE, "months": 1}, {"months"}),
        ([SIEGE], {""}),
        ("siege-of-khartoum", {""}),
        (None, {"scenario"}),
    ],
)
def test_a_campaign_that_is_wrongly_asked_for(body: object, fields: set[str], umpire: Api) -> None:
    told = problem(umpire.post("/campaigns/", body), "invalid")
    assert wrong_places(told) == fields
    assert all(one["detail"] for one in told["errors"])
    assert not Campaign.objects.exists()


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"scenario": "charge-of-the-21st"}, "siege-of-khartoum"),
        ({**SIEGE, "slug": "Not A Slug"}, "small letters"),
        ({**SIEGE, "slug": "secret"}, "already"),
        ({**SIEGE, "title": "\x00"}, "U+0000"),
    ],
)
def test_a_campaign_that_cannot_be(
    body: dict[str, str], words: str, umpire: Api, secret: Campaign
) -> None:
    assert words in problem(umpire.post("/campaigns/", body), "unfit")["detail"]
    assert Campaign.objects.count() == 1


def test_links_lead_everybody_where_he_may_go(as_: As, secret: Campaign) -> None:
    told = {who: as_(who).get("/campaigns/secret/").json() for who in ("umpire", "egyptian")}
    assert (told["umpire"]["may_advance"], told["egyptian"]["may_advance"]) == (True, False)
    hidden = {name for name, link in told["egyptian"]["links"].items() if link is None}
    assert {"advance", "rulings", "export"} <= hidden
    for who, campaign in told.items():
        links = [link for link in campaign["links"].values() if link]
        found = {link: as_(who).get(link).status_code for link in links}
        assert set(found.values()) <= {200, 405}, found
    assert None not in told["umpire"]["links"].values()


def test_a_campaign_sent_twice_with_one_key_is_begun_once(umpire: Api) -> None:
    first, second = (umpire.post("/campaigns/", SIEGE, Idempotency_Key="k1") for _ in range(2))
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert first["Location"] == second["Location"]
    assert "Idempotency-Replayed" not in first
    assert second["Idempotency-Replayed"] == "true"
    assert Campaign.objects.count() == 1


def test_a_key_is_good_for_one_request_of_one_user(as_: As, umpire: Api) -> None:
    umpire.post("/campaigns/", SIEGE, Idempotency_Key="k1")
    other = umpire.post("/campaigns/", {**SIEGE, "title": "Other"}, Idempotency_Key="k1")
    problem(other, "key-used")
    theirs = as_("stranger").post("/campaigns/", SIEGE, Idempotency_Key="k1")
    assert theirs.status_code == 201
    assert Campaign.objects.count() == 2


def test_what_was_refused_can_be_tried_again_with_its_key(umpire: Api) -> None:
    problem(umpire.post("/campaigns/", {"scenario": "none"}, Idempotency_Key="k1"), "unfit")
    assert umpire.post("/campaigns/", SIEGE, Idempotency_Key="k1").status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 101, "a\tb"])
def test_a_key_that_is_none(key: str, umpire: Api) -> None:
    refused = problem(umpire.post("/campaigns/", SIEGE, Idempotency_Key=key), "invalid")
    assert wrong_places(refused) == {"Idempotency-Key"}
    assert not Campaign.objects.exists()


@pytest.fixture
def seven(seats: dict[str, User]) -> list[str]:
    """Seven campaigns by slug, the newest first."""
    wanted = creation.NewCampaignTerms("siege-of-khartoum", public=True, seats=seats)
    return [creation.create_campaign(wanted).slug for _ in range(7)][::-1]


def test_the_list_is_walked_page_by_page_and_back(seven: list[str], umpire: Api) -> None:
    page = umpire.get("/campaigns/?limit=3").json()
    found = [slugs(page)]
    while page["next"]:
        assert page["next"].startswith("/api/v1/campaigns/?")
        page = umpire.get(page["next"]).json()
        found.append(slugs(page))
    assert found == [seven[:3], seven[3:6], seven[6:]]
    back = umpire.get(page["previous"]).json()
    assert slugs(back) == seven[3:6]


def slugs(page: dict[str, Any]) -> list[str]:
    return [line["slug"] for line in page["results"]]


@pytest.mark.parametrize(
    "query",
    [
        "page=nonsense",
        "page=",
        "page=%00",
        "page=cD1ub25zZW5zZQ==",  # a position that is no number
        "page=cD0xZTk=",
        "limit=0",
        "limit=-1",
        "limit=101",
        "limit=three",
        "limit=1.5",
        "limit=%C2%B2",
        "limit=",
        "limit=99999999999999999999",
        "cursor=1",
        "role=king",
        "scenario=",
        "scenario=%00",
        "status=finished",
    ],
)
def test_a_page_that_there_cannot_be(query: str, seven: list[str], umpire: Api) -> None:
    name = query.split("=", maxsplit=1)[0]
    refused = problem(umpire.get(f"/campaigns/?{query}"), "unfit" if name == "page" else "invalid")
    assert wrong_places(refused) == {name}


def test_the_dice_of_closed_months_are_thrown_again_for_who_sees_all(
    as_: As, seats: dict[str, User], played: Campaign
) -> None:
    told = as_("mahdist").get(f"/campaigns/{played.slug}/").json()["links"]["proof"]
    proof = as_("mahdist").get(told).json()
    assert (proof["verified"], proof["month_count"], proof["fault"]) == (True, 1, None)
    assert proof["die_count"] > 0
    Campaign.objects.update(fog=True)
    assert as_("mahdist").get(told).json()["verified"] is None
    assert as_("umpire").get(told).json()["verified"] is True
    played.seals.update(salts={"egyptian": "chosen afterwards", "mahdist": ""})
    proof = as_("umpire").get(told).json()
    assert (proof["verified"], bool(proof["fault"])) == (False, True)
    problem(as_("stranger").get(told), "not-found")


def test_the_staff_sets_up_the_side_it_plays_so_that_nobody_waits_for_it(umpire: Api) -> None:
    wanted = {"scenario": "siege-of-khartoum", "mode": "orders"}
    for mine, staff in (("egyptian", "mahdist"), ("mahdist", "egyptian")):
        made = umpire.post("/campaigns/", {**wanted, mine: "me", staff: "staff"}).json()
        told = umpire.get(made["links"]["decision"])
        assert told.json()["side"] == mine
        done = {"type": "done"}
        ready = umpire.post(told.json()["links"]["answers"], done, If_Match=told["ETag"])
        assert ready.status_code == 201
        assert umpire.get(made["links"]["self"]).json()["phase"] != "set_up"


def test_the_list_says_what_one_is_in_each_and_whom_it_waits_for(
    as_: As, secret: Campaign, shown: Campaign
) -> None:
    for name, role in SEATS.items():
        listed = as_(name).get("/campaigns/").json()["results"]
        assert {one["slug"]: one["roles"] for one in listed} == {"secret": [role], "shown": [role]}
        alone = as_(name).get("/campaigns/secret/").json()
        line = next(one for one in listed if one["slug"] == "secret")
        assert (line["waiting_for"], line["roles"]) == (alone["waiting_for"], alone["roles"])
    (public,) = as_("anonymous").get("/campaigns/").json()["results"]
    assert public["roles"] == []


def test_the_list_is_narrowed_by_scenario_role_and_status(
    as_: As, secret: Campaign, shown: Campaign
) -> None:
    as_("stranger").post("/campaigns/", {**SIEGE, "slug": "mine"})
    Campaign.objects.filter(pk=shown.pk).update(finished=True)
    found = {
        query: set(slugs(as_("stranger").get(f"/campaigns/?{query}").json()))
        for query in (
            "scenario=siege-of-khartoum",
            "scenario=none",
            "role=umpire",
            "role=egyptian",
            "status=over",
            "status=set_up&role=umpire",
            "status=running",
        )
    }
    assert list(found.values()) == [{"mine"}, set(), {"mine"}, set(), {"shown"}, {"mine"}, set()]
    assert slugs(as_("anonymous").get("/campaigns/?role=umpire").json()) == []


def test_battles_are_arranged_as_a_campaign_begins(umpire: Api) -> None:
    wanted = {"resolution": "tabletop", "fallback": "redcoats", "timeout_days": 3, "signed": False}
    made = umpire.post("/campaigns/", {**SIEGE, "battles": wanted}).json()
    assert made["battles"] == {**wanted, "book": None}
    usual = umpire.post("/campaigns/", SIEGE).json()["battles"]
    assert usual == {
        "resolution": "combat-table",
        "fallback": "combat-table",
        "timeout_days": 7,
        "signed": True,
        "book": None,
    }
    by_people = {"resolution": "tabletop", "book": "restless"}
    made = umpire.post("/campaigns/", {**SIEGE, "battles": by_people}).json()
    assert made["battles"] == {**usual, **by_people}


def test_what_an_umpire_changes_is_changed_and_nothing_else(umpire: Api, secret: Campaign) -> None:
    address = "/campaigns/secret/"
    before = umpire.get(address).json()
    assert umpire.patch(address, {}).json() == before
    changed = {"title": "Khartoum again", "public": True, "dice_by_hand": True}
    told = umpire.patch(address, changed).json()
    assert told == {**before, **changed}
    battles = {"resolution": "tabletop", "timeout_days": 14}
    told = umpire.patch(address, {"battles": battles}).json()
    assert told["battles"] == {**before["battles"], **battles}
    log = umpire.get(told["links"]["umpire_log"]).json()["results"]
    assert any("is called “Khartoum again”" in one["text"] for one in log)


def test_all_changes_are_made_or_none(umpire: Api, secret: Campaign) -> None:
    wrong = {"title": "Other", "rules_version": "99", "reason": "A try."}
    refused = problem(umpire.patch("/campaigns/secret/", wrong), "unfit")
    assert wrong_places(refused) == {"rules_version"}
    assert umpire.get("/campaigns/secret/").json()["title"] == "Secret"
    problem(umpire.patch("/campaigns/secret/", {"title": "a\u202eb"}), "unfit")


@pytest.mark.parametrize(
    "change", [{"adjourned": True}, {"outcome": "draw"}, {"rules_pinned": True}]
)
def test_what_everybody_feels_needs_a_reason(
    change: dict[str, object], umpire: Api, secret: Campaign
) -> None:
    refused = problem(umpire.patch("/campaigns/secret/", change), "unfit")
    assert wrong_places(refused) == {"reason"}


def test_a_campaign_is_deleted_by_its_umpire_as_he_has_seen_it(
    as_: As, umpire: Api, secret: Campaign
) -> None:
    address = "/campaigns/secret/"
    seen = umpire.get(address)["ETag"]
    for name in ("egyptian", "mahdist", "spectator"):
        problem(as_(name).ask("delete", address, If_Match=seen), "not-allowed")
    problem(as_("anonymous").ask("delete", address, If_Match=seen), "not-authenticated")
    problem(umpire.ask("delete", address), "precondition-required")
    umpire.patch(address, {"battles": {"timeout_days": 3}})
    problem(umpire.ask("delete", address, If_Match=seen), "precondition-failed")
    seen = umpire.get(address)["ETag"]
    assert umpire.ask("delete", address, If_Match=seen).status_code == 204
    problem(umpire.get(address), "not-found")
    assert not Campaign.objects.exists()


def test_a_deleted_campaign_is_listed_and_restored_by_its_umpires(
    as_: As, umpire: Api, secret: Campaign, seats: dict[str, User]
) -> None:
    before = umpire.get("/campaigns/secret/").json()
    assert umpire.get("/deleted-campaigns/").json() == {"results": []}
    umpire.ask("delete", "/campaigns/secret/", If_Match="*")
    (listed,) = umpire.get("/deleted-campaigns/").json()["results"]
    assert (listed["slug"], listed["title"]) == ("secret", "Secret")
    deleted, expires = (
        datetime.fromisoformat(listed[name]) for name in ("deleted_at", "expires_at")
    )
    assert expires - deleted == saved_work.KEPT_FOR
    address = listed["links"]["restore"]
    for name in ("egyptian", "stranger"):
        assert as_(name).get("/deleted-campaigns/").json()["results"] == []
        problem(as_(name).post(address), "not-found")
    problem(as_("anonymous").get("/deleted-campaigns/"), "not-authenticated")
    restored = umpire.post(address)
    assert (restored.status_code, restored["Location"]) == (201, before["links"]["self"])
    assert restored.json() == {**before, "created_at": restored.json()["created_at"]}
    assert restored["ETag"] == umpire.get("/campaigns/secret/")["ETag"]
    assert as_("egyptian").get("/campaigns/secret/").json()["roles"] == ["egyptian"]
    assert umpire.get("/deleted-campaigns/").json() == {"results": []}
    problem(umpire.post(address), "not-found")


def test_a_token_of_one_campaign_or_of_a_player_restores_none(
    people: People, umpire: Api, secret: Campaign, shown: Campaign
) -> None:
    umpire.ask("delete", "/campaigns/secret/", If_Match="*")
    (listed,) = umpire.get("/deleted-campaigns/").json()["results"]
    limited = Api(create_token(people.umpire, "one", Scope.values, campaign=shown)[1])
    problem(limited.get("/deleted-campaigns/"), "not-in-scope")
    problem(limited.post(listed["links"]["restore"]), "not-in-scope")
    player = Api(create_token(people.umpire, "player", [Scope.READ, Scope.ORDERS])[1])
    assert player.get("/deleted-campaigns/").json()["results"] == [listed]
    problem(player.post(listed["links"]["restore"]), "not-in-scope")


def test_months_are_played_only_from_where_they_were_seen(umpire: Api, secret: Campaign) -> None:
    seen = umpire.get("/campaigns/secret/")["ETag"]
    umpire.patch("/campaigns/secret/", {"battles": {"timeout_days": 3}})
    late = umpire.post("/campaigns/secret/advance/", If_Match=seen)
    problem(late, "precondition-failed")
    seen = umpire.get("/campaigns/secret/")["ETag"]
    job = umpire.post("/campaigns/secret/advance/", If_Match=seen)
    assert (job.status_code, job["Location"]) == (202, job.json()["links"]["self"])


def test_the_level_of_the_staff_is_chosen_and_changed_by_its_umpire(as_: As) -> None:
    umpire = as_("umpire")
    made = umpire.post("/campaigns/", {"scenario": "siege-of-khartoum", "staff_level": "learner"})
    assert (made.status_code, made.json()["staff_level"]) == (201, "learner")
    here = f"/campaigns/{made.json()['slug']}/"
    problem(umpire.patch(here, {"staff_level": "expert"}), "invalid")
    assert umpire.patch(here, {"staff_level": "strong"}).json()["staff_level"] == "strong"
    assert Campaign.objects.get(slug=made.json()["slug"]).staff_level == "strong"
    usual = umpire.post("/campaigns/", {"scenario": "siege-of-khartoum", "slug": "usual"})
    assert usual.json()["staff_level"] == "club"


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/campaigns/secret/", {"title": "Another"}),
        ("/account/notifications/", {"on_gazette": False}),
        ("/account/", {"display_name": "Wolseley"}),
    ],
)
def test_a_change_heeds_the_version_that_it_names(
    umpire: Api, secret: Campaign, address: str, body: dict[str, Any]
) -> None:
    seen = umpire.get(address)["ETag"]
    problem(umpire.patch(address, body, If_Match='"another"'), "precondition-failed")
    assert umpire.get(address)["ETag"] == seen
    told = umpire.patch(address, body, If_Match=f'"another", {seen}')
    assert told.status_code == 200, told.json()
    if umpire.get(address)["ETag"] != seen:
        problem(umpire.patch(address, body, If_Match=seen), "precondition-failed")
    assert umpire.patch(address, {}, If_Match="*").status_code == 200
