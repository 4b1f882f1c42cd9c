"""The order sheet without scripts: written, moved, struck out, handed in, all by plain forms."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaign.models import Campaign, OrderSheet, Seat
from campaign.orders.order_sheet import DeployOrder
from campaign.rules.core.actions import Done
from campaign.rules.map import sudan
from campaign.services import order_submission
from campaign.services.journal import campaign_session, creation
from campaign.services.order_sheets import document_of
from tests.people import SIEGE, People

METEMMEH, BERBER, KHARTOUM = (
    sudan().place(name).hex for name in ("Metemmeh", "Berber", "Khartoum")
)


class Plain:
    """A browser without scripts at the sheet of the Egyptian side."""

    def __init__(self, people: People) -> None:
        seats = {"egyptian": people.egyptian, "mahdist": people.mahdist}
        wanted = creation.NewCampaignTerms(SIEGE, mode=Campaign.Mode.ORDERS, seats=seats, fog=True)
        self.campaign = creation.create_campaign(wanted)
        for _ in range(2):
            campaign_session.perform(self.campaign.pk, "test", Done())
        self.seat = Seat.objects.get(role="egyptian")
        self.page = reverse("plain-orders", args=[self.campaign.slug, self.seat.pk])
        self.client = Client()
        self.client.force_login(people.egyptian)

    def text(self) -> str:
        return str(self.client.get(self.page).content.decode())

    def press(self, do: str, **given: Any) -> str:
        """Press a button of the current page, and return the message of the next."""
        shown = dict(re.findall(r'name="(month|revision)" value="(\d+)"', self.text()))
        answer = self.client.post(self.page, {"do": do, **shown, **given}, follow=True)
        assert answer.status_code in (200, 400)
        return str(answer.content.decode())

    def add(self, hex_id: int, to: str, **given: Any) -> str:
        return self.press(
            "add", **{"stack": hex_id, "to": to, "by": "foot", "contact": "stop", **given}
        )

    def orders(self) -> list[int]:
        """Return the hexes from which the orders that are kept begin."""
        sheet = OrderSheet.objects.filter(seat=self.seat).first()
        orders = document_of(sheet).orders
        return [order.hex for order in orders if not isinstance(order, DeployOrder)]


@pytest.fixture
def plain(people: People) -> Plain:
    return Plain(people)


def test_an_order_is_written_and_read_back_with_its_odds(plain: Plain) -> None:
    page = plain.add(METEMMEH, "Berber")
    assert "Kept. Receipt" in page
    assert "Metemmeh: march by land to Berber" in page
    assert ">8.31</a>)" in page
    assert plain.orders() == [METEMMEH]


def test_units_that_cannot_go_that_way_stay_behind(plain: Plain) -> None:
    page = plain.add(KHARTOUM, "Metemmeh")
    assert "at Khartoum: march by land to Metemmeh" in page
    assert "Boats and gunboats do not march by land." not in page
    by_river = plain.add(KHARTOUM, "Metemmeh", by="river")
    assert re.search(r"gunboats[^<]* at Khartoum: go by river", by_river)
    assert "Civilians are not carried by boat." not in by_river


def test_a_hex_may_be_meant_by_its_number(plain: Plain) -> None:
    assert "march by land to Berber" in plain.add(METEMMEH, f"{BERBER}")


@pytest.mark.parametrize("to", ["Timbuktu", "9999", "12", ""])
def test_what_is_nowhere_is_refused_in_words(plain: Plain, to: str) -> None:
    assert "Write a place, or the four figures of a hex." in plain.add(METEMMEH, to)
    assert plain.orders() == []


def test_a_misspelt_place_stays_in_the_form_and_is_answered_with_those_it_may_mean(
    plain: Plain,
) -> None:
    page = plain.add(METEMMEH, "Kartoom", contact="attack", storm="on")
    assert "There is no place “Kartoom” on the map. Did you mean Khartoum" in html.unescape(page)
    assert 'value="Kartoom" aria-invalid="true"' in page
    assert f'<option value="{METEMMEH}" selected>' in page
    assert '<option value="attack" selected>' in page
    assert 'name="storm" checked' in page
    assert 'name="go_on" checked' not in page
    assert plain.orders() == []


def test_an_order_has_one_judgement_in_words(plain: Plain) -> None:
    page = plain.add(METEMMEH, "Berber")
    assert page.count("Uncertain:") == 1


def test_a_deleted_order_is_put_back_until_the_sheet_is_changed(plain: Plain) -> None:
    plain.add(METEMMEH, "Berber")
    plain.add(KHARTOUM, "Metemmeh")
    assert "Order 1 is deleted." in plain.press("strike 0")
    assert plain.orders() == [KHARTOUM]
    assert "is deleted." not in plain.press("put-back")
    assert plain.orders() == [METEMMEH, KHARTOUM]
    plain.press("strike 1")
    assert "is deleted." not in plain.add(BERBER, "Metemmeh")
    assert "nothing can be put back" in plain.press("put-back")
    assert plain.orders() == [METEMMEH, BERBER]


def test_nobody_orders_a_stack_that_is_not_his(plain: Plain) -> None:
    assert "You have no such stack" in plain.add(2054, "Berber")


def test_orders_are_moved_and_struck_out(plain: Plain) -> None:
    plain.add(METEMMEH, "Berber")
    plain.add(BERBER, "Abou Hamed")
    plain.press("up 1")
    assert plain.orders() == [BERBER, METEMMEH]
    plain.press("strike 0")
    assert plain.orders() == [METEMMEH]
    assert "no such order any more" in plain.press("strike 7")


def test_it_is_submitted_taken_back_and_ready(plain: Plain) -> None:
    plain.add(METEMMEH, "Berber")
    assert "Submitted. Receipt" in plain.press("submit")
    assert "Add this order" not in plain.text()
    assert "Taken back. Receipt" in plain.press("take-back")
    assert "You are ready." in plain.press("ready")
    assert OrderSheet.objects.get(seat=plain.seat).ready
    assert "not ready any more" in plain.press("not-ready")


def test_an_empty_sheet_is_ready_only_after_a_warning(plain: Plain) -> None:
    assert "You have given no orders." in plain.text()
    plain.add(METEMMEH, "Berber")
    assert "You have given no orders." not in plain.text()
    plain.press("strike 0")
    assert "You are ready." in plain.press("ready")
    assert "You have given no orders." not in plain.text()


def test_a_page_that_is_old_overwrites_nothing(plain: Plain) -> None:
    plain.add(METEMMEH, "Berber")
    page = plain.press("strike 0", revision=0)
    assert plain.orders() == [METEMMEH]
    assert 'class="error"' in page


def test_what_was_written_on_the_full_sheet_stays(plain: Plain, people: People) -> None:
    document = {"orders": [], "standing": {"losses": "cheapest_first"}}
    order_submission.save_sheet(plain.campaign.pk, people.egyptian, plain.seat.pk, document)
    plain.add(METEMMEH, "Berber")
    sheet = OrderSheet.objects.get(seat=plain.seat)
    assert document_of(sheet).standing.losses == "cheapest_first"


@pytest.mark.parametrize("do", ["", "add", "strike", "conquer"])
def test_a_form_that_says_nothing_changes_nothing(plain: Plain, do: str) -> None:
    answer = plain.client.post(plain.page, {"do": do})
    assert answer.status_code == 400
    assert plain.orders() == []


def test_the_full_sheet_leads_there_where_scripts_are_missing(plain: Plain) -> None:
    full = reverse("order-sheet", args=[plain.campaign.slug, plain.seat.pk])
    noscript = re.search(r"<noscript>(.*?)</noscript>", plain.client.get(full).content.decode())
    assert noscript
    assert plain.page in noscript[1]
