"""Seats and invitations by REST: who may see, offer, take, empty and leave them."""

from typing import Any

from accounts.tokens import create_token
from api.models import Answered
from campaign.access import selectors
from campaign.models import Campaign, Invitation
from tests.api.conftest import SEATS, Api, As
from tests.api.problems import problem
from tests.people import People

WHY = {"reason": "No word for weeks."}


def seat_of(api: Api, role: str) -> dict[str, Any]:
    seats = api.get("/campaigns/secret/seats/").json()["results"]
    found: dict[str, Any] = next(seat for seat in seats if seat["role"] == role)
    return found


def test_the_roster_says_who_sits_where_and_which_seat_is_yours(as_: As, secret: Campaign) -> None:
    for name, role in SEATS.items():
        seats = as_(name).get("/campaigns/secret/seats/").json()["results"]
        assert {seat["role"] for seat in seats if seat["is_yours"]} == {role}
    assert as_("stranger").get("/campaigns/secret/seats/").status_code == 404


def test_an_invitation_seats_a_stranger_once(as_: As, secret: Campaign) -> None:
    umpire, stranger = as_("umpire"), as_("stranger")
    egyptian = seat_of(umpire, "egyptian")
    removed = umpire.patch(egyptian["links"]["self"], {"holder": None, **WHY})
    assert (removed.json()["holder"], removed.json()["vacated_at"] is None) == (None, False)
    made = umpire.post("/campaigns/secret/invitations/", {"role": "egyptian"})
    assert made.status_code == 201
    offer = f"/invitations/{made.json()['secret']}/"
    assert stranger.get(offer).json()["campaign"] == "secret"
    assert stranger.post(offer).status_code == 201
    assert seat_of(stranger, "egyptian")["is_yours"]
    problem(as_("anonymous").post(offer), "not-authenticated")
    problem(as_("spectator").post(offer), "invitation-spent")
    problem(stranger.get(offer), "invitation-spent")
    problem(stranger.get("/invitations/of-no-letter/"), "not-found")
    problem(stranger.post("/invitations/of-no-letter/"), "not-found")


def test_an_umpire_removes_an_observer(as_: As, secret: Campaign) -> None:
    umpire, spectator = as_("umpire"), as_("spectator")
    seat = seat_of(umpire, "observer")["links"]["self"]
    problem(umpire.patch(seat, {"holder": None}), "unfit")
    problem(as_("egyptian").patch(seat, {"holder": None, **WHY}), "not-allowed")
    removed = umpire.patch(seat, {"holder": None, **WHY})
    assert (removed.status_code, removed.json()["holder"]) == (200, None)
    problem(umpire.get(seat), "not-found")
    problem(spectator.get("/campaigns/secret/"), "not-found")
    assert any(WHY["reason"] in line.said for line in secret.umpire_log.all())


def test_only_the_hash_of_an_invitation_is_kept(as_: As, secret: Campaign) -> None:
    made = as_("umpire").post("/campaigns/secret/invitations/", {"role": "observer"}).json()
    assert made["secret"] in made["page"]
    kept = Invitation.objects.get(pk=made["id"])
    assert made["secret"] not in {str(value) for value in vars(kept).values()}


def test_an_invitation_made_twice_by_one_key_shows_its_link_once(as_: As, secret: Campaign) -> None:
    umpire, wanted = as_("umpire"), {"role": "observer"}
    first, again = (
        umpire.post("/campaigns/secret/invitations/", wanted, Idempotency_Key="one")
        for _ in range(2)
    )
    assert first.json()["secret"]
    assert first["Cache-Control"] == again["Cache-Control"] == "no-store"
    assert again.json() == {**first.json(), "secret": None, "page": None}
    assert first.json()["secret"] not in bytes(Answered.objects.get().body).decode()
    assert secret.invitations.count() == 1


def test_an_invitation_that_is_withdrawn_opens_nothing(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    made = umpire.post("/campaigns/secret/invitations/", {"role": "observer"})
    assert umpire.ask("delete", made["Location"]).status_code == 204
    problem(as_("stranger").get(f"/invitations/{made.json()['secret']}/"), "invitation-spent")
    problem(umpire.ask("delete", made["Location"]), "invitation-spent")
    problem(umpire.ask("delete", "/campaigns/secret/invitations/999999/"), "not-found")


def test_a_player_invites_nobody_to_the_other_side(as_: As, secret: Campaign) -> None:
    asked = as_("egyptian").post("/campaigns/secret/invitations/", {"role": "mahdist"})
    problem(asked, "not-allowed")


def test_the_umpire_hands_a_seat_to_the_staff_and_back(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    address = seat_of(umpire, "mahdist")["links"]["self"]
    for name in ("egyptian", "mahdist", "spectator"):
        problem(as_(name).patch(address, {"staff": True, **WHY}), "not-allowed")
    problem(umpire.patch(address, {"staff": True}), "unfit")
    assert umpire.patch(address, {"staff": True, **WHY}).json()["staff"] is True
    assert umpire.patch(address, {"staff": False}).json()["staff"] is False
    entries = as_("mahdist").get("/campaigns/secret/umpire-log/").json()["results"]
    assert [entry["by"] for entry in entries] == ["umpire:umpire"] * 2


def test_a_player_is_replaced_by_name_and_gone(as_: As, secret: Campaign) -> None:
    address = seat_of(as_("umpire"), "mahdist")["links"]["self"]
    problem(as_("umpire").patch(address, {"holder": "stranger"}), "unfit")
    sent = as_("umpire").patch(address, {"holder": "stranger", **WHY})
    assert sent.json()["holder"] == "stranger"
    assert as_("mahdist").get("/campaigns/secret/").status_code == 404
    problem(as_("umpire").patch(address, {"holder": "absent", **WHY}), "unfit")


def test_whoever_leaves_his_seat_has_left_it(as_: As, secret: Campaign) -> None:
    mine = seat_of(as_("spectator"), "observer")["links"]["self"]
    problem(as_("egyptian").patch(mine, {"holder": None}), "not-allowed")
    left = as_("spectator").patch(mine, {"holder": None})
    assert (left.status_code, left.json()["holder"]) == (200, None)
    assert as_("spectator").get("/campaigns/secret/").status_code == 404


def test_the_only_umpire_stays_until_there_is_another(as_: As, secret: Campaign) -> None:
    umpire = as_("umpire")
    mine = seat_of(umpire, "umpire")["links"]["self"]
    problem(umpire.patch(mine, {"holder": None}), "unfit")
    made = umpire.post("/campaigns/secret/seats/", {"holder": "stranger"})
    assert (made.status_code, made.json()["role"]) == (201, "umpire")
    assert umpire.patch(mine, {"holder": None}).status_code == 200
    assert as_("stranger").get("/campaigns/secret/").json()["may_advance"] is True


def test_a_token_for_reading_takes_no_seat(people: People, as_: As, secret: Campaign) -> None:
    made = as_("umpire").post("/campaigns/secret/invitations/", {"role": "observer"}).json()
    reader = Api(create_token(people.stranger, "reader", ["read"])[1])
    problem(reader.post(f"/invitations/{made['secret']}/"), "not-in-scope")


def test_a_token_for_orders_leaves_a_seat_and_hands_over_none(
    people: People, as_: As, secret: Campaign
) -> None:
    def orders(name: str) -> Api:
        scopes = ["read", "orders"]
        return Api(create_token(getattr(people, name), "orders", scopes)[1])

    mine = seat_of(as_("egyptian"), "egyptian")["links"]["self"]
    refused = orders("umpire").patch(mine, {"staff": True, **WHY})
    assert problem(refused, "not-in-scope")["scope"] == "umpire"
    assert orders("egyptian").patch(mine, {"holder": None}).json()["holder"] is None


def test_a_seat_leads_its_holder_to_the_sheet_of_the_month(as_: As, secret: Campaign) -> None:
    Campaign.objects.update(mode="orders")
    mine = seat_of(as_("egyptian"), "egyptian")
    assert mine["may_submit"] is True
    assert as_("egyptian").get(mine["links"]["sheet"]).status_code == 200
    theirs = seat_of(as_("mahdist"), "egyptian")
    assert (theirs["may_submit"], theirs["links"]["sheet"]) == (False, None)
    as_("umpire").patch(mine["links"]["self"], {"staff": True, **WHY})
    assert seat_of(as_("egyptian"), "egyptian")["may_submit"] is False


def test_no_leader_of_the_other_side_is_offered(as_: As, secret: Campaign) -> None:
    units = selectors.state_now(secret).units.values()
    mahdi = next(unit.id for unit in units if unit.name == "Mahdi")
    wanted = {"role": "egyptian", "leader_ids": [mahdi]}
    refused = as_("umpire").post("/campaigns/secret/invitations/", wanted)
    problem(refused, "unfit")
    assert "Nobody on the Egyptian side commands the Mahdi." in refused.json()["detail"]
    assert not secret.invitations.exists()


def test_an_umpire_who_also_plays_leaves_the_seat_to_the_staff(as_: As, secret: Campaign) -> None:
    umpire, egyptian = as_("umpire"), secret.seats.get(role="egyptian")
    change, address = {"holder": None, "staff": True}, f"/campaigns/secret/seats/{egyptian.pk}/"
    problem(as_("egyptian").patch(address, {**change, **WHY}), "not-allowed")
    egyptian.user = secret.umpire
    egyptian.save(update_fields=["user"])
    problem(umpire.patch(address, change), "unfit")
    left = umpire.patch(address, {**change, **WHY}).json()
    assert (left["holder"], left["staff"]) == (None, True)
    assert "The staff plays" in secret.umpire_log.all()[0].said
