"""The order sheet's page: what it holds, who may open it, and the sheet as its script writes it."""

import json
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.journal import pack
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import MonthOrders
from campaign.rules.core.actions import Done
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.map import sudan
from campaign.services.journal import campaign_session, creation
from campaign.services.order_sheets import document_of
from campaign.services.turns import advance
from tests.people import SIEGE, People, client_of

METEMMEH, BERBER = (sudan().place(name).hex for name in ("Metemmeh", "Berber"))


@pytest.fixture
def campaign(people: People) -> Campaign:
    """The siege by orders, in the fog, its set-up over."""
    seats = {
        "umpire": people.umpire,
        "egyptian": people.egyptian,
        "mahdist": people.mahdist,
        "observer": people.spectator,
    }
    wanted = creation.NewCampaignTerms(SIEGE, mode=Campaign.Mode.ORDERS, seats=seats, fog=True)
    campaign = creation.create_campaign(wanted)
    for _ in range(2):
        campaign_session.perform(campaign.pk, "test", Done())
    campaign.refresh_from_db()
    return campaign


class SheetClient:
    """A player's client at the order sheet of his side."""

    def __init__(self, campaign: Campaign, people: People, name: str = "egyptian") -> None:
        self.client = client_of(people, name)
        self.campaign = campaign
        self.seat = Seat.objects.get(campaign=campaign, role="egyptian")

    def get(self, name: str, **given: Any) -> Any:
        """Return a part of the page."""
        address = reverse(f"order-{name}", args=[self.campaign.slug, self.seat.pk])
        return self.client.get(address, given)

    def sheet(self, name: str = "sheet", ahead: int = 0) -> str:
        """Return the address that the page's script asks."""
        month = month_slug(Month(self.campaign.month + ahead))
        return reverse(f"api:{name}", args=[self.campaign.slug, self.seat.pk, month])

    def send(self, method: str, body: object, version: int = 0, **where: Any) -> Any:
        """Return the answer to a change of that version of the sheet."""
        headers = {"If-Match": f'"{version}.0"'}
        return getattr(self.client, method)(
            self.sheet(**where), json.dumps(body), "application/json", headers=headers
        )


@pytest.fixture
def sheets(campaign: Campaign, people: People) -> SheetClient:
    return SheetClient(campaign, people)


def march(campaign: Campaign, to: int = BERBER) -> dict[str, Any]:
    """Return a sheet with one order: the garrison of Metemmeh marches."""
    stack = board(selectors.state_now(campaign)).stack(Side.EGYPTIAN, METEMMEH)
    order = {"type": "march", "hex": f"{METEMMEH:04}", "unit_ids": [unit.id for unit in stack]}
    return {"orders": [{**order, "legs": [{"type": "foot", "to_hex": f"{to:04}"}]}]}


def data_of(page: Any) -> dict[str, Any]:
    text = page.content.decode().partition('<script id="order-sheet-data"')[2]
    return json.loads(text.partition(">")[2].partition("</script>")[0])


def test_the_page_has_the_stacks_of_the_side_and_no_enemy(sheets: SheetClient) -> None:
    data = data_of(sheets.get("sheet"))
    state = selectors.state_now(sheets.campaign)
    mine = {f"{hex_id:04}" for hex_id in board(state).hexes(Side.EGYPTIAN)}
    assert {stack["hex"] for stack in data["stacks"]} == mine
    named = {unit["id"] for stack in data["stacks"] for unit in stack["units"]}
    assert all(state.units[one].side is Side.EGYPTIAN for one in named)
    assert (data["month"], data["ahead"]) == ("1884-02", False)
    assert data["places"]["Berber"] == f"{BERBER:04}"


@pytest.mark.parametrize(
    ("side", "own", "other"),
    [
        ("egyptian", "A railhead is placed at", "The Khalifa appears at"),
        ("mahdist", "The Khalifa appears at", "A railhead is placed at"),
    ],
)
def test_standing_orders_are_about_what_the_side_is_asked(
    campaign: Campaign, people: People, side: str, own: str, other: str
) -> None:
    seat = campaign.seats.get(role=side)
    address = reverse("order-sheet", args=[campaign.slug, seat.pk])
    page = client_of(people, side).get(address).content.decode()
    assert own in page
    assert other not in page


def test_the_page_names_where_its_script_reads_and_writes_the_sheet(sheets: SheetClient) -> None:
    page = sheets.get("sheet").content.decode()
    for name in ("sheet", "sheet-check", "sheet-previous"):
        assert f'"{sheets.sheet(name)}"' in page


def test_a_subordinate_has_the_stacks_he_commands(campaign: Campaign, people: People) -> None:
    seat = Seat.objects.create(
        campaign=campaign, role="egyptian", user=people.stranger, command=["souakim_extension"]
    )
    page = client_of(people, "stranger").get(reverse("order-sheet", args=[campaign.slug, seat.pk]))
    extension = {f"{hex_id:04}" for hex_id in sudan().region("souakim_extension")}
    assert {stack["hex"] for stack in data_of(page)["stacks"]} <= extension
    assert f"{METEMMEH:04}" not in {stack["hex"] for stack in data_of(page)["stacks"]}


def test_an_impossible_order_has_its_clause_and_a_remedy(sheets: SheetClient) -> None:
    sheet = march(sheets.campaign)
    sheet["orders"][0]["unit_ids"] = []
    checked = sheets.client.post(sheets.sheet("sheet-check"), sheet, "application/json").json()
    found = [one for one in checked["findings"] if one["section"] == "order"]
    assert found[0]["verdict"] == "impossible"
    assert found[0]["clause"] and found[0]["remedy"]  # noqa: PT018
    assert not OrderSheet.objects.exists()


def test_what_is_kept_has_a_receipt_with_a_page(sheets: SheetClient) -> None:
    told = sheets.send("put", {**march(sheets.campaign), "salt": "ab" * 16}).json()
    assert (told["version"], told["salt_chosen"]) == ("1", True)
    assert told["receipt"]["hash"] == Receipt.objects.get().hash
    receipts = reverse("receipts", args=[sheets.campaign.slug, sheets.seat.pk])
    assert f'data-receipts="{receipts}"' in sheets.get("sheet").content.decode()
    assert sheets.client.get(f"{receipts}{told['receipt']['id']}/").status_code == 200


def test_a_page_without_the_token_against_forgery_writes_nothing(
    campaign: Campaign, people: People
) -> None:
    sheets = SheetClient(campaign, people)
    sheets.client = Client(enforce_csrf_checks=True)
    sheets.client.force_login(people.egyptian)
    assert sheets.send("put", {}).status_code == 403
    assert not OrderSheet.objects.exists()
    token = sheets.get("sheet").cookies["csrftoken"].value
    headers = {"If-Match": "*", "X-CSRFToken": token}
    answer = sheets.client.put(sheets.sheet(), "{}", "application/json", headers=headers)
    assert answer.status_code == 200


def test_a_page_of_a_month_that_is_over_is_told_so(sheets: SheetClient) -> None:
    """By the page's look at the sheet, and when it writes."""
    assert sheets.client.get(sheets.sheet(ahead=-1)).status_code == 422
    assert sheets.send("put", {}, ahead=-1).status_code == 422


def test_an_empty_sheet_that_is_submitted_is_a_sheet(sheets: SheetClient) -> None:
    assert sheets.send("patch", {"submitted": True}).json()["submitted"]
    assert OrderSheet.objects.get().submitted is not None


def test_one_may_write_ahead_for_the_next_month(sheets: SheetClient) -> None:
    data = data_of(sheets.get("sheet", month="next"))
    assert (data["month"], data["ahead"]) == ("1884-03", True)
    answer = sheets.send("put", march(sheets.campaign), ahead=1)
    assert OrderSheet.objects.get().month == sheets.campaign.month + 1
    assert answer.json()["ahead"]


def test_the_outlook_has_odds_and_thirst_in_words(sheets: SheetClient) -> None:
    units = march(sheets.campaign)["orders"][0]["unit_ids"]
    panel = sheets.get("outlook", unit_ids=",".join(map(str, units))).content.decode()
    assert "one march 67%" in panel
    assert "Berber" in panel
    alone = sheets.get("outlook", unit_ids=units[0], without_leader="true")
    assert alone.status_code == 200


def test_there_is_no_outlook_for_the_enemys_units(sheets: SheetClient) -> None:
    state = selectors.state_now(sheets.campaign)
    enemy = next(unit.id for unit in state.units.values() if unit.side is Side.MAHDIST)
    refused = sheets.get("outlook", unit_ids=enemy)
    assert (refused.status_code, refused["Content-Type"]) == (422, "text/plain")


def test_next_month_tells_what_was_carried_out(sheets: SheetClient) -> None:
    sheets.send("put", march(sheets.campaign))
    sheets.send("patch", {"submitted": True}, version=1)
    advance.run_month(sheets.campaign.pk, until=sheets.campaign.month + 1)
    page = sheets.client.get(reverse("receipts", args=[sheets.campaign.slug, sheets.seat.pk]))
    text = page.content.decode()
    assert "march by land to Berber" in text
    assert 'class="fate"' in text
    sheets.campaign.refresh_from_db()
    before = sheets.client.get(sheets.sheet("sheet-previous")).json()
    assert before["orders"][0]["hex"] == f"{METEMMEH:04}"


def test_receipts_are_for_whoever_gave_the_orders(sheets: SheetClient, people: People) -> None:
    sheets.send("put", march(sheets.campaign))
    address = reverse("receipts", args=[sheets.campaign.slug, sheets.seat.pk])
    assert client_of(people, "mahdist").get(address).status_code == 403
    newcomer = people.stranger
    Seat.objects.filter(pk=sheets.seat.pk).update(user=newcomer)
    page = client_of(people, "stranger").get(address)
    assert "You have given no orders yet" in page.content.decode()


def test_a_live_campaign_has_no_order_sheet(sheets: SheetClient) -> None:
    Campaign.objects.update(mode=Campaign.Mode.LIVE)
    assert sheets.get("sheet").headers["Location"] == reverse("live", args=[sheets.campaign.slug])


def test_a_draft_from_before_units_were_counted_opens_and_is_kept_once_it_names_each_once(
    sheets: SheetClient,
) -> None:
    sheets.send("put", march(sheets.campaign))
    written = OrderSheet.objects.get(seat=sheets.seat)
    order = document_of(written).orders[0]
    twice = msgspec.structs.replace(order, units=order.units * 2)
    written.document = pack(encode(MonthOrders((twice,))))
    written.save()
    told = sheets.client.get(sheets.sheet()).json()
    assert len(told["orders"][0]["unit_ids"]) == len(twice.units)
    assert "twice over" in told["order_texts"][0]
    refused = sheets.send("put", {"orders": told["orders"]}, version=1)
    assert refused.json()["errors"] == [{"pointer": "/orders/0", "detail": "Name each unit once."}]
    assert sheets.send("put", march(sheets.campaign), version=1).status_code == 200


@pytest.mark.parametrize("name", ["order-sheet", "plain-orders"])
def test_the_sheet_of_a_campaign_that_is_over_leads_to_its_end(
    over: Campaign, people: People, name: str
) -> None:
    seat = Seat.objects.create(campaign=over, role="egyptian", user=people.stranger)
    Campaign.objects.update(mode=Campaign.Mode.ORDERS)
    client = client_of(people, "stranger")
    answer = client.get(reverse(name, args=[over.slug, seat.pk]), follow=True)
    assert answer.redirect_chain == [(reverse("campaign", args=[over.slug]), 302)]
    page = answer.content.decode()
    assert "The campaign is over: no more orders are written." in page
    assert "The campaign is over. The Mahdists win the campaign. Khartoum has fallen" in page
    assert f'href="{reverse("debrief", args=[over.slug])}">Read the debrief' in page


def test_the_page_knows_the_places_out_of_play_and_offers_those_in_play(people: People) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    terms = creation.NewCampaignTerms("desert-column", mode=Campaign.Mode.ORDERS, seats=seats)
    page = SheetClient(creation.create_campaign(terms), people).get("sheet")
    assert data_of(page)["places"]["Berber"] == f"{BERBER:04}"
    assert '<option value="Metemmeh"></option>' in page.content.decode()
    assert '<option value="Berber"></option>' not in page.content.decode()
