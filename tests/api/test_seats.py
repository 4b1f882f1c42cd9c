"""Seats and invitations by REST: who may see, offer, take, empty and leave them."""

from typing import Any

from django.contrib.auth.models import User

from accounts.tokens import create_token
from campaign.access import selectors
from campaign.models import Campaign, Invitation
from tests.api.conftest import SEATS, Api, As
from tests.api.problems import problem

WHY = {"reason": "No word for weeks."}


def seat_of(api: Api, role: str) -> dict[str, Any]:
    seats = api.get("/campaigns/secret/seats/").json()["results"]
    found: dict[str, Any] = next(seat for seat in seats if seat["role"] == role)
    return found


def test_the_roster_says_who_sits_where_and_which_seat_is_yours(as_: As, secret: Campaign) -> None:
    for name, role in SEATS.items():
        seats = as_(name).get("/campaigns/secret/seats/").json()["results"]
        assert {seat["role"] for seat in seats if seat["yours"]} == {role}
    assert as_("stranger").get("/campaigns/secret/seats/").status_code == 404


def test_an_invitation_seats_a_stranger_once(as_: As, secret: Campaign) -> None:
    umpire, stranger = as_("umpire"), as_("stranger")
    egyptian = seat_of(umpire, "egyptian")
    removed = umpire.post(f"{egyptian['links']['self']}removal/", WHY)
    assert removed.json()["holder"] is None
    made = umpire.post("/campaigns/secret/invitations/", {"role": "egyptian"})
    assert made.status_code == 201
    offer = made.json()["links"]["offer"]
    assert stranger.get(offer).json()["campaign"] == "secret"
    assert stranger.post(offer).status_code == 201
    assert seat_of(stranger, "egyptian")["yours"]
    problem(as_("anonymous").post(offer), "not-authenticated")
    problem(as_("spectator").post(offer), "invitation-spent")
    problem(stranger.get(offer), "invitation-spent")


def test_only_the_hash_of_an_invitation_is_kept(as_: As, secret: Campaign) -> None:
    made = as_("umpire").post("/campaigns/secret/invitations/", {"role": "observer"}).json()
    assert made["secret"] in made["page"]
    kept = Invitation.objects.get(pk=made["number"])
    assert made["secret"] not in {str(value) for value in vars(kept).values()}


def test_an_invitation_that_is_withdrawn_opens_nothing(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    made = umpire.post("/campaigns/secret/invitations/", {"role": "observer"})
    assert umpire.ask("delete", made["Location"]).status_code == 204
    problem(as_("stranger").get(made.json()["links"]["offer"]), "invitation-spent")
    problem(umpire.ask("delete", made["Location"]), "invitation-spent")


def test_a_player_invites_nobody_to_the_other_side(as_: As, secret: Campaign) -> None:
    asked = as_("egyptian").post("/campaigns/secret/invitations/", {"role": "mahdist"})
    problem(asked, "not-allowed")


def test_the_umpire_hands_a_seat_to_the_staff_and_back(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    address = f"{seat_of(umpire, 'mahdist')['links']['self']}staff/"
    for name in ("egyptian", "mahdist", "spectator"):
        problem(as_(name).put(address, WHY), "not-allowed")
    assert umpire.put(address, WHY).json()["staff"] is True
    assert umpire.ask("delete", address).json()["staff"] is False
    entries = as_("mahdist").get("/campaigns/secret/umpire-log/").json()["results"]
    assert [entry["by"] for entry in entries] == ["umpire:umpire"] * 2


def test_a_player_is_replaced_by_name_and_gone(as_: As, secret: Campaign) -> None:
    address = f"{seat_of(as_('umpire'), 'mahdist')['links']['self']}holder/"
    sent = as_("umpire").put(address, {"username": "stranger", **WHY})
    assert sent.json()["holder"] == "stranger"
    assert as_("mahdist").get("/campaigns/secret/").status_code == 404
    problem(as_("umpire").put(address, {"username": "absent", **WHY}), "unfit")


def test_whoever_leaves_his_seat_has_left_it(as_: As, secret: Campaign) -> None:
    mine = seat_of(as_("spectator"), "observer")["links"]["self"]
    problem(as_("egyptian").post(f"{mine}departure/"), "not-allowed")
    assert as_("spectator").post(f"{mine}departure/").status_code == 204
    assert as_("spectator").get("/campaigns/secret/").status_code == 404


def test_the_only_umpire_stays_until_there_is_another(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    mine = seat_of(umpire, "umpire")["links"]["self"]
    problem(umpire.post(f"{mine}departure/"), "unfit")
    assert umpire.post("/campaigns/secret/umpires/", {"username": "stranger"}).status_code == 201
    assert umpire.post(f"{mine}departure/").status_code == 204
    assert as_("stranger").get("/campaigns/secret/").json()["may_advance"] is True


def test_a_token_for_reading_takes_no_seat(
    people: dict[str, User], as_: As, secret: Campaign
) -> None:
    made = as_("umpire").post("/campaigns/secret/invitations/", {"role": "observer"}).json()
    reader = Api(create_token(people["stranger"], "reader", ["read"])[1])
    problem(reader.post(made["links"]["offer"]), "not-in-scope")


def test_no_leader_of_the_other_side_is_offered(as_: As, secret: Campaign) -> None:
    units = selectors.state_now(secret).units.values()
    mahdi = next(unit.id for unit in units if unit.name == "Mahdi")
    wanted = {"role": "egyptian", "command": [mahdi]}
    refused = as_("umpire").post("/campaigns/secret/invitations/", wanted)
    problem(refused, "unfit")
    assert "Nobody on the Egyptian side commands the Mahdi." in refused.json()["detail"]
    assert not secret.invitations.exists()
