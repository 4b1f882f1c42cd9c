"""Odds and forecasts in the browser and by REST: who may ask, and what is told."""

import json
import re
from fractions import Fraction

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from api.http.rule_json import rule_form
from battles.contract.brief import Side, TroopKind
from battles.core.decoding import convert_to
from campaign.models import Campaign, Inquiry, Seat
from campaign.orders.order_sheet import MonthOrders
from campaign.rules import new_game
from campaign.rules.core.board import board, chart, forget
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan
from campaign.rules.tables.editions import edition
from campaign.services import inquiries, order_submission
from campaign.services.journal import creation
from campaign.services.journal.creation import begin_at
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
    """Return a sheet with one attack."""
    units = [unit.id for unit in board(new_game(SIEGE)).stack(Side.MAHDIST, POST)]  # type: ignore[arg-type]
    legs = [{"type": "foot", "to": ATTACKED}]
    order = {"type": "march", "hex": POST, "units": units, "legs": legs, "contact": "attack"}
    return {"orders": [order]}


def panel(people: People, seat: Seat, sheet: object) -> str:
    """Return the odds that the page of a player shows once this sheet is stored."""
    user = getattr(people, seat.role)
    order_submission.save_sheet(seat.campaign_id, user, seat.pk, sheet)
    address = reverse("order-odds", args=[seat.campaign.slug, seat.pk])
    return str(logged_in(user.username).get(address).content.decode())


def posted(client: Client, address: str, content: object):
    return client.post(address, json.dumps(content), content_type="application/json")


def test_the_sheet_shows_the_exact_odds_of_its_attack(mahdist, people) -> None:
    html = panel(people, mahdist, attack())
    assert "won by the attacker (Mahdist)" in html
    assert "Fight it 200 times by" in html
    assert "aria-label" in html


def test_nobody_reads_the_odds_of_anothers_sheet(campaign, mahdist, people) -> None:
    address = reverse("order-odds", args=[campaign.slug, mahdist.pk])
    assert logged_in("egyptian").get(address).status_code == 403


def test_by_rest_the_odds_of_a_sheet_add_up(campaign, mahdist, player) -> None:
    address = _sheet_address("sheet-odds", campaign, mahdist)
    told = posted(player, address, orders_in_json(attack())).json()
    (first,) = told["order_odds"]
    fight = first["expected_combats"][0]
    odds = fight["odds"]
    assert fight["hex"] == f"{ATTACKED:04d}"
    assert odds["win_chance"] + odds["loss_chance"] + odds["draw_chance"] == pytest.approx(1)
    assert sum(odds["attacker_losses"]["lost_chances"]) == pytest.approx(1)
    dry_wells = Fraction(1, 18) * Fraction(1, 6)  # the one event by which it can fail to march
    assert first["march_odds"]["made_chances"][0] == pytest.approx(float(1 - dry_wells))


def down_the_nile() -> dict[str, object]:
    """Return a sheet with one voyage past the Sixth Cataract, Gordon aboard."""
    khartoum = sudan().place("Khartoum").hex
    stack = board(new_game(SIEGE)).stack(Side.EGYPTIAN, khartoum)
    units = [unit.id for unit in stack if unit.kind is TroopKind.GUNBOAT or unit.name == "Gordon"]
    legs = [{"type": "river", "to": sudan().place("Berber").hex}]
    return {"orders": [{"type": "march", "hex": khartoum, "units": units, "legs": legs}]}


def test_the_wrecks_of_a_voyage_and_its_stakes_are_told_by_rest(campaign, egyptian) -> None:
    address = _sheet_address("sheet-odds", campaign, egyptian)
    told = posted(logged_in("egyptian"), address, orders_in_json(down_the_nile())).json()
    (order,) = told["order_odds"]
    assert order["voyage"]["perils"][0] == "Sixth Cataract (Shabluka)"
    assert sum(order["voyage"]["wrecked_chances"]) == pytest.approx(1)
    assert order["voyage"]["wrecked_chances"][0] < 0.6
    (stake,) = order["stakes"]
    assert (stake["winner"], stake["clause"], stake["chance"]) == ("mahdist", "4.2", None)
    check = _sheet_address("sheet-check", campaign, egyptian)
    checked = posted(logged_in("egyptian"), check, orders_in_json(down_the_nile())).json()
    assert {(one["verdict"], one["clause"]) for one in checked["findings"]} >= {
        ("uncertain", "8.23"),
        ("note", "4.2"),
    }


def test_the_wrecks_of_a_voyage_and_its_stakes_stand_in_the_panel(people, egyptian) -> None:
    html = panel(people, egyptian, down_the_nile())
    assert "By river to Berber" in html
    assert "It passes the Sixth Cataract" in html
    assert "If this stack is destroyed in combat, the Mahdists win at once. (" in html


def test_an_attack_without_a_way_back_is_told_in_the_panel_and_by_rest(player, people) -> None:
    """The stack attacks from where it sets out, with a garrison on every side of it."""
    campaign = begin_at(_surrounded(), _by_orders(people))
    mahdist = campaign.seats.get(role="mahdist")
    html = panel(people, mahdist, attack())
    assert "The enemy stands all round the hex it attacks from: beaten, it has no way back" in html
    address = _sheet_address("sheet-odds", campaign, mahdist)
    told = posted(player, address, orders_in_json(attack())).json()
    (fight,) = told["order_odds"][0]["expected_combats"]
    assert fight["blocked_retreat"] == {"river_name": None, "from_start": True}
    odds = fight["odds"]
    assert 0 < odds["attacker_losses"]["no_retreat_chance"] <= odds["loss_chance"] + 1e-9


def _surrounded() -> State:
    """Return the first state, with an Egyptian unit in every land hex round the Mahdist stack."""
    state = new_game(SIEGE)
    ground = chart(state)
    open_hexes = [near for near in ground.neighbours[HexId(POST)] if not ground.hexes[near].sea]
    garrison = board(state).land(Side.EGYPTIAN, ground.place("Khartoum").hex)
    for unit, near in zip(garrison, (one for one in open_hexes if one != ATTACKED), strict=False):
        unit.hex = near
    forget(state)
    return state


def _by_orders(people: People) -> creation.NewCampaignTerms:
    seats = {Seat.Role.EGYPTIAN.value: people.egyptian, Seat.Role.MAHDIST.value: people.mahdist}
    return creation.NewCampaignTerms(
        SIEGE, title="The siege", mode=Campaign.Mode.ORDERS, seats=seats
    )


def test_the_ends_of_the_campaign_stand_in_a_rehearsal_on_the_page_and_by_rest(people) -> None:
    """In its last month the campaign ends, whatever else comes of it."""
    state = new_game(SIEGE)
    state.month = edition(state.edition).scenario(SIEGE).last_month
    campaign = begin_at(state, _by_orders(people))
    seat = campaign.seats.get(role="egyptian")
    asked = inquiries.rehearse_month(campaign, people.egyptian, seat.pk, {"orders": []}, runs=2)
    played(asked)
    client = logged_in("egyptian")
    page = client.get(reverse("inquiry", args=[campaign.slug, asked.uuid])).content.decode()
    assert re.search(r'What is at stake</h2>\s*<ul class="needs" id="at-stake">', page)
    assert re.search(r"campaign is (almost certain|as likely as not): (50|100)% of the runs", page)
    told = client.get(reverse("api:simulation", args=[asked.uuid])).json()
    assert told["result"]["type"] == "rehearsal"
    ends = told["result"]["endings"]
    assert sum(end["share"]["mean"] for end in ends) == 1
    assert all(end["reason"] and end["clause"] for end in ends)


def test_a_rehearsal_names_its_orders_by_their_sentences(campaign, mahdist, people) -> None:
    asked = inquiries.rehearse_month(campaign, people.mahdist, mahdist.pk, attack(), runs=2)
    played(asked)
    page = logged_in("mahdist").get(reverse("inquiry", args=[campaign.slug, asked.uuid]))
    assert re.search(r'<th scope="row">1\. [^<]*: march by land to ', page.content.decode())


def test_attacks_on_one_hex_in_turn_are_told_together(campaign, mahdist, player) -> None:
    """Two halves of the stack, one after the other."""
    order = attack()["orders"][0]  # type: ignore[index]
    units = order["units"]
    halves = {"orders": [order | {"units": units[:2]}, order | {"units": units[2:]}]}
    address = _sheet_address("sheet-odds", campaign, mahdist)
    told = posted(player, address, orders_in_json(halves)).json()
    (together,) = told["assaults"]
    assert together["hex"] == f"{ATTACKED:04d}"
    assert sum(together["attack_chances"]) == pytest.approx(together["success_chance"])
    assert 0 < together["error"] < 0.01


def orders_in_json(sheet: object) -> object:
    form = rule_form(MonthOrders)
    return form.write(convert_to(sheet, MonthOrders))


def _sheet_address(name: str, campaign: Campaign, seat: Seat) -> str:
    month = month_slug(Month(campaign.month))
    return reverse(f"api:{name}", args=[campaign.slug, seat.pk, month])


def test_a_battle_that_an_order_leads_to_is_fought_by_a_book(campaign, mahdist, player) -> None:
    wanted = {
        "type": "order",
        "campaign": campaign.slug,
        "seat_id": mahdist.pk,
        "draft": orders_in_json(attack()),
        "order_index": 0,
        "resolution": "combat-table",
        "runs": 4,
    }
    asked = posted(player, reverse("api:simulations"), wanted)
    assert asked.status_code == 202, asked.json()
    played(Inquiry.objects.get(uuid=asked.json()["uuid"]))
    told = player.get(asked.json()["links"]["self"]).json()
    assert (told["type"], told["status"]) == ("battle", "succeeded")
    assert told["finished_at"] is not None
    assert told["result"]["battle_count"] == 4
    assert set(told["result"]["won_shares"]) == {"egyptian", "mahdist", "nobody"}


def test_a_rehearsal_is_asked_for_watched_and_stopped(campaign, mahdist, player, people) -> None:
    order_submission.save_sheet(campaign.pk, people.mahdist, mahdist.pk, attack())
    asked = player.post(reverse("rehearse", args=[campaign.slug, mahdist.pk]))
    inquiry = Inquiry.objects.get()
    assert asked["Location"] == reverse("inquiry", args=[campaign.slug, inquiry.uuid])
    assert "it will start shortly" in player.get(asked["Location"]).content.decode()
    part = inquiry.parts.all()[0]
    part.total = 2
    part.save()
    inquiries.run_inquiry(part.uuid)
    player.post(reverse("stop-inquiry", args=[campaign.slug, inquiry.uuid]))
    page = player.get(asked["Location"]).content.decode()
    assert "2 of 200 were played" in page
    assert "Results of the orders" in page
    assert f'href="{reverse("orders", args=[campaign.slug])}">Your orders' in page


def test_what_somebody_has_asked_nobody_else_reads(campaign, mahdist, player, people) -> None:
    player.post(reverse("rehearse", args=[campaign.slug, mahdist.pk]))
    inquiry = Inquiry.objects.get()
    page = reverse("inquiry", args=[campaign.slug, inquiry.uuid])
    document = reverse("api:simulation", args=[inquiry.uuid])
    for name, address in (("egyptian", page), ("umpire", document)):
        assert logged_in(name).get(address).status_code == 404


def test_a_forecast_is_drawn_for_the_umpire_and_for_nobody_else(last_month, people) -> None:
    address = reverse("forecast", args=[last_month.slug])
    umpire = logged_in("umpire")
    assert umpire.post(address, {"runs": "2"}).status_code == 302
    inquiry = played(Inquiry.objects.get())
    page = umpire.get(reverse("inquiry", args=[last_month.slug, inquiry.uuid])).content.decode()
    assert "How it ends" in page
    assert "±" in page
    earlier = umpire.get(reverse("odds", args=[last_month.slug])).content.decode()
    assert (
        f'</a> <span class="aside">2 times, <time datetime="{inquiry.created:%Y-%m-%d}' in earlier
    )
    assert logged_in("egyptian").post(address, {"runs": "2"}).status_code in (403, 404)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("-5", "greater than or equal to 2"),
        ("1001", "less than or equal to 1000"),
        ("9" * 5000, "Enter a whole number"),
        ("many", "Enter a whole number"),
        ("", "required"),
    ],
)
def test_how_often_has_to_be_a_number_in_range_and_stays_as_it_was_typed(
    last_month, people, typed, why
) -> None:
    answer = logged_in("umpire").post(
        reverse("forecast", args=[last_month.slug]), {"runs": typed}, follow=True
    )
    page = answer.content.decode()
    assert answer.status_code == 400
    assert why in page
    assert (f'value="{typed}"' in page) == bool(typed)
    assert not Inquiry.objects.exists()


def test_the_battle_that_waits_shows_its_odds_and_is_tried_by_a_book(people) -> None:
    campaign = before_battle(people, "tabletop")
    battle = waiting(campaign).brief.id
    client = logged_in("egyptian")
    page = client.get(reverse("battle-result", args=[campaign.slug, battle])).content.decode()
    assert "won by the attacker (Egyptian)" in page
    told = client.get(reverse("api:campaign-battle-odds", args=[campaign.slug, battle])).json()
    assert told["win_chance"] > 0.5
    asked = client.post(
        reverse("odds-of-battle", args=[campaign.slug, battle]), {"way": "redcoats"}
    )
    assert asked["Location"] == reverse("inquiry", args=[campaign.slug, Inquiry.objects.get().uuid])
