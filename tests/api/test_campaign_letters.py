"""Letters by REST: written, listed, read, and routed by an umpire."""

from typing import Any

import pytest

from campaign.models import Campaign
from tests.api.conftest import Api, As
from tests.api.problems import problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def war(secret: Campaign) -> Campaign:
    return secret


def seat(war: Campaign, role: str) -> int:
    return war.seats.get(role=role).pk


def written(war: Campaign, *readers: str, **more: Any) -> dict[str, Any]:
    return {
        "sender_id": seat(war, "egyptian"),
        "reader_ids": [seat(war, role) for role in readers],
        "text": "Hold the river.",
        "hexes": ["2042"],
        **more,
    }


def test_a_letter_is_written_listed_and_read(war: Campaign, as_: As) -> None:
    egyptian, umpire = as_("egyptian"), as_("umpire")
    letters = f"/campaigns/{war.slug}/letters/"
    made = egyptian.post(letters, written(war, "umpire"))
    assert made.status_code == 201
    letter = made.json()
    assert made["Location"] == letter["links"]["self"]
    (listed,) = umpire.get(letters).json()["results"]
    assert (listed["text"], listed["hexes"], listed["unread"]) == (
        "Hold the river.",
        ["2042"],
        True,
    )
    own = f"{letters}{letter['id']}/"
    assert umpire.get(own).json() == listed
    assert umpire.patch(own, {"type": "read"}).json()["unread"] is False
    assert as_("mahdist").get(own).status_code == 404


def test_a_wrong_letter_is_refused_and_the_right_one_taken(war: Campaign, as_: As) -> None:
    egyptian, letters = as_("egyptian"), f"/campaigns/{war.slug}/letters/"
    assert egyptian.post(letters, written(war, "umpire", text="")).status_code == 400
    assert egyptian.post(letters, written(war, "umpire", hexes=["9999"])).status_code == 422
    assert egyptian.post(letters, written(war, "egyptian")).status_code == 422
    assert not war.letters.exists()
    assert egyptian.post(letters, written(war, "mahdist")).status_code == 201


def test_an_umpire_routes_letters_by_courier(war: Campaign, as_: As) -> None:
    umpire, letters = as_("umpire"), f"/campaigns/{war.slug}/letters/"
    changed = change(umpire, war, {"letter_post": "by_courier"})
    assert changed.json()["letter_post"] == "by_courier"
    letter = as_("egyptian").post(letters, written(war, "mahdist")).json()
    assert not letter["readers"][0]["arrived"]
    own, route = f"{letters}{letter['id']}/", {"type": "route", "seat_id": seat(war, "mahdist")}
    assert as_("mahdist").get(letters).json()["results"] == []
    assert umpire.patch(own, {**route, "fate": "burn"}).status_code == 400
    assert umpire.patch(own, {**route, "fate": "deliver"}).json()["readers"][0]["arrived"]
    assert len(as_("mahdist").get(letters).json()["results"]) == 1


@pytest.mark.parametrize("fate", ["deliver", "delay", "lose"])
def test_the_sender_is_not_shown_what_the_umpire_does_with_a_letter_by_courier(
    war: Campaign, as_: As, fate: str
) -> None:
    umpire, letters = as_("umpire"), f"/campaigns/{war.slug}/letters/"
    change(umpire, war, {"letter_post": "by_courier"})
    sent = as_("egyptian").post(letters, written(war, "mahdist")).json()
    own = f"{letters}{sent['id']}/"
    route = {"type": "route", "seat_id": seat(war, "mahdist"), "fate": fate}
    routed = umpire.patch(own, route).json()
    assert routed["readers"] != sent["readers"]
    if fate == "deliver":
        as_("mahdist").patch(own, {"type": "read"})
    assert as_("egyptian").get(own).json() == sent
    assert as_("egyptian").get(letters).json()["results"] == [sent]


def test_the_sender_of_a_letter_that_arrives_at_once_is_shown_when_it_is_read(
    war: Campaign, as_: As
) -> None:
    letters = f"/campaigns/{war.slug}/letters/"
    own = as_("egyptian").post(letters, written(war, "mahdist")).json()["links"]["self"]
    as_("mahdist").patch(own, {"type": "read"})
    assert as_("egyptian").get(own).json()["readers"][0]["read_at"] is not None


def test_a_wrong_word_for_how_letters_travel_is_answered_with_the_right_ones(
    war: Campaign, as_: As
) -> None:
    refused = problem(change(as_("umpire"), war, {"letter_post": "courier"}), "invalid")
    (fault,) = refused["errors"]
    assert fault["pointer"] == "/letter_post"
    assert "at_once or by_courier" in fault["detail"]


def change(api: Api, war: Campaign, body: dict[str, Any]) -> Any:
    address = f"/campaigns/{war.slug}/"
    return api.patch(address, body, If_Match=api.get(address)["ETag"])
