"""A campaign that a person plays alone against the staff, begun and played by a program."""

from typing import Any

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.access.solo import solo_player
from campaign.models import Campaign, Seat
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import People

ALONE = {
    "scenario": "desert-column",
    "mode": "orders",
    "umpire": "nobody",
    "egyptian": "me",
    "mahdist": "staff",
    "fog": True,
    "when_ready": True,
}


def play_first_month(player: Api, campaign: dict[str, Any]) -> None:
    """Set up as it stands, and declare the player ready with an empty sheet."""
    decision = player.get(campaign["links"]["decision"])
    answers = decision.json()["links"]["answers"]
    assert player.post(answers, {"type": "done"}, If_Match="*").status_code == 201
    seats = player.get(campaign["links"]["seats"]).json()["results"]
    (sheet,) = (seat["links"]["sheet"] for seat in seats if seat["links"]["sheet"])
    assert player.patch(sheet, {"submitted": True, "ready": True}, If_Match="*").status_code == 200


@pytest.mark.parametrize("side", ["egyptian", "mahdist"])
def test_a_program_plays_alone_as_the_page_lets_a_person(
    as_: As, side: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    player = as_("stranger")
    other = "mahdist" if side == "egyptian" else "egyptian"
    begun = player.post("/campaigns/", {**ALONE, side: "me", other: "staff"})
    assert begun.status_code == 201, begun.json()
    document = begun.json()
    assert (document["umpire"], document["roles"]) == (None, [side])
    assert (document["may_advance"], document["links"]["rulings"]) == (False, None)
    campaign = Campaign.objects.get()
    assert solo_player(campaign) == campaign.seats.get(role=side).user_id
    assert campaign.seats.get(role=other).staff
    assert not campaign.seats.filter(role=Seat.Role.UMPIRE).exists()
    assert player.get(document["links"]["state"]).json()["fogged"]
    with django_capture_on_commit_callbacks(execute=True):
        play_first_month(player, document)
    assert player.get(document["links"]["self"]).json()["month"] != document["month"]


def test_battles_of_a_campaign_alone_are_settled_as_chosen(umpire: Api) -> None:
    wanted = {"resolution": "tabletop", "book": "restless"}
    battles = umpire.post("/campaigns/", {**ALONE, "battles": wanted}).json()["battles"]
    assert (battles["resolution"], battles["book"]) == ("tabletop", "restless")


def test_nobody_has_the_powers_of_an_umpire_in_it(as_: As) -> None:
    address = as_("umpire").post("/campaigns/", ALONE).json()["links"]["self"]
    problem(as_("umpire").patch(address, {"title": "Mine"}), "not-allowed")
    problem(as_("stranger").get(address), "not-found")


def test_its_player_deletes_and_restores_it_and_nobody_else(as_: As, people: People) -> None:
    player, others = as_("stranger"), [as_("egyptian"), as_("umpire")]
    before = player.post("/campaigns/", ALONE).json()
    address = before["links"]["self"]
    seen = player.get(address)["ETag"]
    for other in others:
        problem(other.ask("delete", address, If_Match=seen), "not-found")
    problem(player.ask("delete", address), "precondition-required")
    problem(player.ask("delete", address, If_Match='"of-another-head"'), "precondition-failed")
    limited = Api(create_token(people.stranger, "player", [Scope.READ, Scope.ORDERS])[1])
    problem(limited.ask("delete", address, If_Match=seen), "not-in-scope")
    assert player.ask("delete", address, If_Match=seen).status_code == 204
    (listed,) = player.get("/deleted-campaigns/").json()["results"]
    for other in others:
        assert other.get("/deleted-campaigns/").json()["results"] == []
        problem(other.post(listed["links"]["restore"]), "not-found")
    restored = player.post(listed["links"]["restore"])
    assert (restored.status_code, restored["Location"]) == (201, address)
    document = restored.json()
    assert document == {**before, "created_at": document["created_at"]}
    assert (document["umpire"], document["roles"]) == (None, ["egyptian"])
    assert player.get(document["links"]["state"]).json()["fogged"]


def test_it_is_not_deleted_while_two_people_have_a_seat_in_it(as_: As, people: People) -> None:
    player = as_("stranger")
    address = player.post("/campaigns/", ALONE).json()["links"]["self"]
    Seat.objects.create(campaign=Campaign.objects.get(), user=people.mahdist, role="observer")
    for name in ("stranger", "mahdist"):
        problem(as_(name).ask("delete", address, If_Match="*"), "not-allowed")
    assert Campaign.objects.exists()


def test_what_takes_an_umpire_is_refused_all_at_once(umpire: Api) -> None:
    wrong = {"scenario": "desert-column", "umpire": "nobody", "dice_by_hand": True}
    refused = problem(umpire.post("/campaigns/", {**wrong, "deadline_policy": {}}), "unfit")
    assert wrong_places(refused) == {
        *("mode", "egyptian", "mahdist", "when_ready", "dice_by_hand", "deadline_policy")
    }
    for change in ({"mahdist": "me"}, {"egyptian": "player"}, {"egyptian": "staff"}):
        refused = problem(umpire.post("/campaigns/", {**ALONE, **change}), "unfit")
        assert wrong_places(refused) == {"egyptian", "mahdist"}
    assert not Campaign.objects.exists()
