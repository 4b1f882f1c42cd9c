"""What may come of it, in the browser and by REST: who may ask, and what is told."""

import json
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from campaign import services
from campaign.models import Campaign, Inquiry, Seat
from campaign.rules import new_game
from campaign.rules.board import board
from campaign.rules.pieces import Month, Side, month_slug
from tests.campaign.battlefield import before_battle, waiting
from tests.odds.test_inquiries import played
from tests.people import SIEGE, People

POST, ATTACKED = 5723, 5724
"""At the beginning a Mahdist stack stands beside a garrison here."""


@pytest.fixture
def mahdist(campaign: Campaign) -> Seat:
    return campaign.seats.get(role="mahdist")


@pytest.fixture
def player(people: People) -> Client:
    return logged_in(people.mahdist.username)


def logged_in(name: str) -> Client:
    client = Client()
    user = User.objects.get(username=name)
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def attack() -> dict[str, object]:
    """A sheet with one attack."""
    units = [unit.id for unit in board(new_game(SIEGE)).stack(Side.MAHDIST, POST)]  # type: ignore[arg-type]
    legs = [{"by": "foot", "to": ATTACKED}]
    order = {"order": "march", "hex": POST, "units": units, "legs": legs, "contact": "attack"}
    return {"orders": [order]}


def posted(client: Client, address: str, content: object):
    return client.post(address, json.dumps(content), content_type="application/json")


def test_the_sheet_shows_the_exact_odds_of_its_attack(campaign, mahdist, player) -> None:
    address = reverse("order-odds", args=[campaign.slug, mahdist.pk])
    html = posted(player, address, {"sheet": attack()}).json()["html"]
    assert "won by the attacker (Mahdist)" in html
    assert "Fight it 200 times by" in html
    assert "aria-label" in html


def test_nobody_reads_the_odds_of_anothers_sheet(campaign, mahdist, people) -> None:
    address = reverse("order-odds", args=[campaign.slug, mahdist.pk])
    assert posted(logged_in("egyptian"), address, {"sheet": attack()}).status_code == 403


def test_by_rest_the_odds_of_a_sheet_add_up(campaign, mahdist, player) -> None:
    address = _sheet_address("sheet-odds", campaign, mahdist)
    told = posted(player, address, {"sheet": attack()}).json()
    fight = told["orders"][0]["fights"][0]
    odds = fight["odds"]
    assert fight["hex"] == f"{ATTACKED:04d}"
    assert odds["win"] + odds["lose"] + odds["draw"] == pytest.approx(1)
    assert sum(odds["attacker"]["lost"]) == pytest.approx(1)
    dry_wells = Fraction(1, 18) * Fraction(1, 6)  # the one event by which it can fail to march
    assert told["orders"][0]["marches"]["made"][0] == pytest.approx(float(1 - dry_wells))


def test_attacks_on_one_hex_in_turn_are_told_together(campaign, mahdist, player) -> None:
    """Two halves of the stack, one after the other."""
    order = attack()["orders"][0]  # type: ignore[index]
    units = order["units"]
    halves = {"orders": [order | {"units": units[:2]}, order | {"units": units[2:]}]}
    told = posted(player, _sheet_address("sheet-odds", campaign, mahdist), {"sheet": halves}).json()
    (together,) = told["assaults"]
    assert together["hex"] == f"{ATTACKED:04d}"
    assert sum(together["by_attack"]) == pytest.approx(together["falls"])
    assert 0 < together["error"] < 0.01


def _sheet_address(name: str, campaign: Campaign, seat: Seat) -> str:
    month = month_slug(Month(campaign.month))
    return reverse(f"api:{name}", args=[campaign.slug, seat.pk, month])


def test_a_battle_that_an_order_leads_to_is_fought_by_a_book(campaign, mahdist, player) -> None:
    address = _sheet_address("sheet-battles", campaign, mahdist)
    wanted = {"sheet": attack(), "order": 0, "way": "table", "runs": 4}
    asked = posted(player, address, wanted)
    assert asked.status_code == 202
    played(Inquiry.objects.get(uuid=asked.json()["uuid"]))
    told = player.get(asked.json()["links"]["self"]).json()
    assert told["battle"]["battles"] == 4
    assert told["status"] == "done"
    assert set(told["battle"]["won"]) == {"egyptian", "mahdist", "nobody"}


def test_a_rehearsal_is_asked_for_watched_and_stopped(campaign, mahdist, player, people) -> None:
    services.save_sheet(campaign.pk, people.mahdist, mahdist.pk, attack())
    asked = player.post(reverse("rehearse", args=[campaign.slug, mahdist.pk]))
    inquiry = Inquiry.objects.get()
    assert asked["Location"] == reverse("inquiry", args=[campaign.slug, inquiry.uuid])
    assert "they begin in a moment" in player.get(asked["Location"]).content.decode()
    part = inquiry.parts.all()[0]
    part.total = 2
    part.save()
    services.run_inquiry(part.uuid)
    player.post(reverse("stop-inquiry", args=[campaign.slug, inquiry.uuid]))
    page = player.get(asked["Location"]).content.decode()
    assert "2 of 200 were played" in page
    assert "What becomes of the orders" in page


def test_what_somebody_has_asked_nobody_else_reads(campaign, mahdist, player, people) -> None:
    player.post(reverse("rehearse", args=[campaign.slug, mahdist.pk]))
    inquiry = Inquiry.objects.get()
    for name, address in (("egyptian", "inquiry"), ("umpire", "api:inquiry")):
        read = logged_in(name).get(reverse(address, args=[campaign.slug, inquiry.uuid]))
        assert read.status_code == 404


def test_a_forecast_is_drawn_for_the_umpire_and_for_nobody_else(last_month, people) -> None:
    address = reverse("forecast", args=[last_month.slug])
    umpire = logged_in("umpire")
    assert umpire.post(address, {"runs": "2"}).status_code == 302
    inquiry = played(Inquiry.objects.get())
    page = umpire.get(reverse("inquiry", args=[last_month.slug, inquiry.uuid])).content.decode()
    assert "How it ends" in page
    assert "±" in page
    assert logged_in("egyptian").post(address, {"runs": "2"}).status_code in (403, 404)


def test_how_often_has_to_be_a_number(last_month, people) -> None:
    answer = logged_in("umpire").post(
        reverse("forecast", args=[last_month.slug]), {"runs": "many"}, follow=True
    )
    assert "ask for 2 to 1000" in answer.content.decode()
    assert not Inquiry.objects.exists()


def test_the_battle_that_waits_shows_its_odds_and_is_tried_by_a_book(people) -> None:
    campaign = before_battle(people, "by hand")
    battle = waiting(campaign).brief.id
    client = logged_in("egyptian")
    page = client.get(reverse("battle-result", args=[campaign.slug, battle])).content.decode()
    assert "won by the attacker (Egyptian)" in page
    told = client.get(reverse("api:campaign-battle-odds", args=[campaign.slug, battle])).json()
    assert told["win"] > 0.5
    asked = client.post(
        reverse("odds-of-battle", args=[campaign.slug, battle]), {"way": "redcoats"}
    )
    assert asked["Location"] == reverse("inquiry", args=[campaign.slug, Inquiry.objects.get().uuid])
