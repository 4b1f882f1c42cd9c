"""The contents of pages beside map and state: by REST as in the browser, to the same people."""

from typing import Any

import pytest
from django.contrib.auth.hashers import get_hasher
from django.contrib.auth.models import User
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from api.openapi.schema import components, components_of
from api.resources.hexes import HexDocument
from battles.contract.brief import Side
from campaign.access import fog_of_war
from campaign.access.selectors import state_now
from campaign.models import Campaign, Mailing
from campaign.rules.core.board import board
from campaign.rules.map import Nav, sudan
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import PASSWORD, People


@pytest.fixture
def hidden(seats: dict[str, User]) -> Campaign:
    """A campaign in the fog, with the staff against nobody yet."""
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="hidden", seats=seats, fog=True)
    return creation.create_campaign(wanted)


def test_a_hex_tells_what_its_panel_tells(umpire: Api, secret: Campaign) -> None:
    here = min(board(state_now(secret)).hexes(Side.EGYPTIAN))
    told = umpire.get(f"/campaigns/secret/months/set-up/hexes/{here:04d}/").json()
    assert told["location"]["hex"] == f"{here:04d}"
    assert [one["side"] for one in told["present_stacks"]] == ["egyptian"]
    assert len(told["exits"]) <= 6
    assert all((one["march_points"] is None) == bool(one["barred_by"]) for one in told["exits"])
    wrong = umpire.get("/campaigns/secret/months/set-up/hexes/9999/")
    assert problem(wrong, "not-found")["status"] == 404


def test_a_hex_by_a_river_of_the_season_is_what_its_schema_says(
    umpire: Api, secret: Campaign
) -> None:
    ground = sudan()
    here = next(
        one
        for one in ground.hexes
        if Nav.SEASONAL in {ground.nav_at(one, river) for river in ground.river_at(one)}
    )
    told = umpire.get(f"/campaigns/secret/months/set-up/hexes/{here:04d}/").json()
    assert any(" now, " in one["text"] for one in told["waters"])
    whole = {**components_of()[HexDocument], "components": {"schemas": components().parts}}
    Draft202012Validator(whole).validate(told)


def test_in_the_fog_a_hex_hides_whom_one_does_not_see(as_: As, hidden: Campaign) -> None:
    seen = board(fog_of_war.view_now(hidden, Side.EGYPTIAN).state).hexes(Side.MAHDIST)
    there = next(one for one in board(state_now(hidden)).hexes(Side.MAHDIST) if one not in seen)
    address = f"/campaigns/hidden/months/set-up/hexes/{there:04d}/"
    assert as_("egyptian").get(address).json()["present_stacks"] == []
    assert as_("umpire").get(address).json()["present_stacks"]


def test_a_brief_is_for_its_side_and_for_the_umpire(as_: As, secret: Campaign) -> None:
    address = "/campaigns/secret/briefs/egyptian/"
    told = as_("egyptian").get(address).json()
    assert told["own_posts"]
    assert told["situation"]
    assert as_("umpire").get(address).status_code == 200
    assert as_("mahdist").get(address).status_code == 404
    assert as_("spectator").get(address).status_code == 404


def test_figures_are_told_month_by_month(umpire: Api, played: Campaign) -> None:
    told = umpire.get("/campaigns/secret/figures/").json()["results"]
    assert len(told) == played.month - played.first_month + 1
    assert all(side["strength_points"] > 0 for one in told for side in one["by_side"])
    assert [side["side"] for side in told[0]["by_side"]] == ["egyptian", "mahdist"]


def test_the_debrief_opens_to_players_when_the_campaign_is_over(as_: As, played: Campaign) -> None:
    address = "/campaigns/secret/debrief/"
    assert as_("egyptian").get(address).status_code in (200, 404)
    told = as_("umpire").get(address).json()["results"]
    assert told[0]["month"] == "set-up"
    assert all(len(one["beliefs"]) == 2 for one in told)


def test_the_trace_counts_the_clauses_for_who_sees_all(as_: As, hidden: Campaign) -> None:
    advance.run_month(hidden.pk, until=hidden.month + 1)
    assert as_("umpire").get("/campaigns/hidden/trace/").json()["results"]
    assert as_("egyptian").get("/campaigns/hidden/trace/").json()["results"] == []


def test_a_side_sets_up_and_says_that_it_is_ready(as_: As, secret: Campaign) -> None:
    here, answers = "/campaigns/secret/decision/", "/campaigns/secret/decision/answers/"
    told = as_("umpire").get(here)
    side = told.json()["side"]
    mine, other = as_(side), as_("mahdist" if side == "egyptian" else "egyptian")
    assert other.get(here).json()["choices"] is None
    unit = mine.get(here).json()["choices"]["deployments"][0]
    moved = {"type": "deploy", "unit_ids": [unit["unit_id"]], "hex": unit["hexes"][-1]}
    sent = moved
    problem(other.post(answers, sent, If_Match=told["ETag"]), "not-allowed")
    after = mine.post(answers, sent, If_Match=told["ETag"])
    assert after.status_code == 201
    problem(mine.post(answers, sent, If_Match=told["ETag"]), "precondition-failed")
    ready = mine.post(answers, {"type": "done"}, If_Match=after["ETag"])
    assert ready.status_code == 201
    assert mine.get(here).json()["side"] != side


def test_what_the_set_up_forbids_names_the_clause(as_: As, secret: Campaign) -> None:
    here, answers = "/campaigns/secret/decision/", "/campaigns/secret/decision/answers/"
    told = as_("umpire").get(here)
    unit = told.json()["choices"]["deployments"][0]["unit_id"]
    sent = {"type": "deploy", "unit_ids": [unit], "hex": "0001"}
    refused = as_("umpire").post(answers, sent, If_Match=told["ETag"])
    assert problem(refused, "illegal-action")["clause"] == "2.1"


def test_a_campaign_is_taken_away_with_its_secret_when_that_is_asked_for(
    umpire: Api, secret: Campaign
) -> None:
    without, with_it = (
        umpire.get(f"/campaigns/secret/export/?with_secret={asked}").content
        for asked in ("false", "true")
    )
    assert without != with_it


def test_letters_are_chosen(as_: As, people: People) -> None:
    api, address = as_("egyptian"), "/account/notifications/"
    every = {"on_turn": True, "on_deadline": True, "on_gazette": True}
    assert api.get(address).json() == every
    told = api.patch(address, {"on_gazette": False}).json()
    assert told == {**every, "on_gazette": False}
    assert not Mailing.objects.get(user=people.egyptian).gazette
    problem(api.patch(address, {"on_turn": "yes"}), "invalid")
    assert as_("anonymous").get(address).status_code == 401


def test_somebody_registers_and_has_a_token(anybody: Api, db: None) -> None:
    wanted = {"username": "newcomer", "password": PASSWORD}
    made = anybody.post("/accounts/", wanted)
    assert made.status_code == 201
    assert anybody.post(made.json()["links"]["tokens"], wanted).status_code == 201
    again = problem(anybody.post("/accounts/", wanted), "unfit")
    assert wrong_places(again) == {"username"}
    weak = {"username": "another", "password": "12345678"}
    assert wrong_places(problem(anybody.post("/accounts/", weak), "unfit")) == {"password"}
    number = {"username": 0, "password": PASSWORD}
    assert wrong_places(problem(anybody.post("/accounts/", number), "invalid")) == {"username"}


def test_registration_hashes_the_password_once(
    anybody: Api, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasher, hashed = type(get_hasher()), []
    encode = hasher.encode

    def counted(self: Any, password: str, *more: Any) -> str:
        hashed.append(password)
        return str(encode(self, password, *more))

    monkeypatch.setattr(hasher, "encode", counted)
    anybody.post("/accounts/", {"username": "newcomer", "password": PASSWORD})
    assert hashed == [PASSWORD]


def test_too_many_who_register_from_one_address_are_told_to_wait(anybody: Api, db: None) -> None:
    for number in range(100):
        sent = {"username": f"newcomer{number}", "password": PASSWORD}
        answer = anybody.post("/accounts/", sent)
        if answer.status_code == 429:
            break
    assert problem(answer, "throttled")["status"] == 429
    assert int(answer["Retry-After"]) > 0
