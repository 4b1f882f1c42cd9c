"""The order sheet's page and what its script asks: who may, what is answered, what is refused."""

import json
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.history.journal import pack
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders.order_sheet import EMPTY, MonthOrders
from campaign.rules.core.actions import Done
from campaign.rules.core.board import board
from campaign.rules.map import sudan
from campaign.services.journal import campaign_session, creation
from campaign.services.orders.sheets import document_of
from campaign.services.turns import advance
from tests.people import SIEGE, People, gather

METEMMEH, BERBER = (sudan().place(name).hex for name in ("Metemmeh", "Berber"))


@pytest.fixture
def people(db: None) -> People:
    return gather()


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


def client_of(people: People, name: str) -> Client:
    client = Client()
    client.force_login(getattr(people, name))
    return client


class SheetClient:
    """A player's client at the order sheet of his side."""

    def __init__(self, campaign: Campaign, people: People, name: str = "egyptian") -> None:
        self.client = client_of(people, name)
        self.campaign = campaign
        self.seat = Seat.objects.get(campaign=campaign, role="egyptian")

    def address(self, name: str) -> str:
        return reverse(f"order-{name}", args=[self.campaign.slug, self.seat.pk])

    def get(self, name: str, **given: Any) -> Any:
        return self.client.get(self.address(name), given)

    def post(self, name: str, **sent: Any) -> Any:
        body = {"month": self.campaign.month, **sent}
        return self.client.post(self.address(name), json.dumps(body), "application/json")


@pytest.fixture
def sheets(campaign: Campaign, people: People) -> SheetClient:
    return SheetClient(campaign, people)


def march(campaign: Campaign, to: int = BERBER) -> dict[str, Any]:
    """Return a sheet with one order: the garrison of Metemmeh marches."""
    stack = board(selectors.state_now(campaign)).stack(Side.EGYPTIAN, METEMMEH)
    order = {"order": "march", "hex": METEMMEH, "units": [unit.id for unit in stack]}
    return {"orders": [{**order, "legs": [{"by": "foot", "to": to}]}]}


def data_of(page: Any) -> dict[str, Any]:
    text = page.content.decode().partition('<script id="order-sheet-data"')[2]
    return json.loads(text.partition(">")[2].partition("</script>")[0])


def test_the_page_has_the_stacks_of_the_side_and_no_enemy(sheets: SheetClient) -> None:
    data = data_of(sheets.get("sheet"))
    state = selectors.state_now(sheets.campaign)
    assert {stack["hex"] for stack in data["stacks"]} == set(board(state).hexes(Side.EGYPTIAN))
    named = {unit["id"] for stack in data["stacks"] for unit in stack["units"]}
    assert all(state.units[one].side is Side.EGYPTIAN for one in named)
    assert data["revision"] == 0


def test_a_subordinate_has_the_stacks_he_commands(campaign: Campaign, people: People) -> None:
    seat = Seat.objects.create(
        campaign=campaign, role="egyptian", user=people.stranger, command=["souakim_extension"]
    )
    page = client_of(people, "stranger").get(reverse("order-sheet", args=[campaign.slug, seat.pk]))
    extension = sudan().region("souakim_extension")
    assert {stack["hex"] for stack in data_of(page)["stacks"]} <= extension
    assert METEMMEH not in {stack["hex"] for stack in data_of(page)["stacks"]}


@pytest.mark.parametrize("who", ["mahdist", "umpire", "spectator"])
@pytest.mark.parametrize("name", ["sheet", "now", "last", "outlook"])
def test_nobody_else_reads_a_sheet(campaign: Campaign, people: People, who: str, name: str) -> None:
    assert SheetClient(campaign, people, who).get(name).status_code == 403


@pytest.mark.parametrize("name", ["read", "save", "state"])
def test_nobody_else_writes_a_sheet(campaign: Campaign, people: People, name: str) -> None:
    answer = SheetClient(campaign, people, "mahdist").post(name, sheet={}, revision=0, do="submit")
    assert answer.status_code == 403
    assert not OrderSheet.objects.exists()


def test_a_stranger_finds_no_sheet_at_all(campaign: Campaign, people: People) -> None:
    assert SheetClient(campaign, people, "stranger").get("sheet").status_code == 404


def test_reading_keeps_nothing(sheets: SheetClient) -> None:
    told = sheets.post("read", sheet=march(sheets.campaign)).json()
    assert "march by land to Berber" in told["orders"][0]["words"]
    assert {one["verdict"] for one in told["orders"][0]["found"]} <= {"risky", "pointless"}
    assert not OrderSheet.objects.exists()


def test_an_impossible_order_has_its_clause_and_a_remedy(sheets: SheetClient) -> None:
    sheet = march(sheets.campaign)
    sheet["orders"][0]["units"] = []
    found = sheets.post("read", sheet=sheet).json()["orders"][0]["found"]
    assert found[0]["verdict"] == "impossible"
    assert found[0]["clause"] and found[0]["remedy"]  # noqa: PT018


def test_what_is_kept_has_a_receipt(sheets: SheetClient) -> None:
    told = sheets.post("save", sheet=march(sheets.campaign), revision=0, salt="ab" * 16).json()
    assert told["revision"] == 1
    receipt = Receipt.objects.get()
    assert told["receipt"]["hash"] == receipt.hash
    assert sheets.client.get(told["receipt"]["url"]).status_code == 200
    assert OrderSheet.objects.get().salt_chosen


def test_a_stale_sheet_changes_nothing_and_is_shown_what_is_there(sheets: SheetClient) -> None:
    sheets.post("save", sheet=march(sheets.campaign), revision=0)
    answer = sheets.post("save", sheet={"orders": []}, revision=0)
    assert answer.status_code == 409
    assert answer.json()["why"] == "stale"
    assert answer.json()["revision"] == 1
    assert "Berber" in answer.json()["reading"]["orders"][0]["words"]
    assert document_of(OrderSheet.objects.get()) != EMPTY


@pytest.mark.parametrize(
    "sheet", [None, [], "orders", {"orders": [{"order": "fly"}]}, {"victory": True}]
)
def test_what_is_no_sheet_is_refused_in_words(sheets: SheetClient, sheet: Any) -> None:
    answer = sheets.post("save", sheet=sheet, revision=0)
    assert answer.status_code == 400
    assert answer.json()["said"]


def test_what_is_no_json_is_refused_in_words(sheets: SheetClient) -> None:
    answer = sheets.client.post(sheets.address("save"), "{", "application/json")
    assert (answer.status_code, answer.json()["said"]) == (400, "What was sent is no JSON.")


def test_a_page_of_a_month_that_is_over_is_told_so(sheets: SheetClient) -> None:
    answer = sheets.post("save", sheet={}, revision=0, month=sheets.campaign.month - 1)
    assert (answer.status_code, answer.json()["why"]) == (409, "over")


def test_submitted_is_not_ready(sheets: SheetClient) -> None:
    sheets.post("save", sheet=march(sheets.campaign), revision=0)
    told = sheets.post("state", do="submit", revision=1).json()
    assert (told["state"]["submitted"], told["state"]["ready"]) == (True, False)
    told = sheets.post("state", do="ready", revision=told["revision"]).json()
    assert told["state"]["ready"]
    assert "Mahdist" in told["awaited"]
    told = sheets.post("state", do="take back", revision=told["revision"]).json()
    assert (told["state"]["submitted"], told["state"]["ready"]) == (False, False)


def test_an_empty_sheet_that_is_submitted_is_a_sheet(sheets: SheetClient) -> None:
    told = sheets.post("state", do="submit", revision=0).json()
    assert told["state"]["submitted"]
    assert OrderSheet.objects.get().submitted is not None


def test_one_who_is_ready_is_not_everybody(sheets: SheetClient) -> None:
    told = sheets.post("state", do="ready", revision=0).json()
    assert told["awaited"] == "Not ready yet: Mahdist commander-in-chief."


def test_one_may_write_ahead_for_the_next_month(sheets: SheetClient) -> None:
    data = data_of(sheets.get("sheet", month="next"))
    assert data["month"] == sheets.campaign.month + 1
    answer = sheets.post("save", sheet=march(sheets.campaign), revision=0, month=data["month"])
    assert OrderSheet.objects.get().month == data["month"]
    assert answer.json()["revision"] == 1


def test_the_outlook_has_reach_odds_and_thirst(sheets: SheetClient) -> None:
    units = march(sheets.campaign)["orders"][0]["units"]
    told = sheets.get("outlook", unit=units).json()
    assert told["start"] == METEMMEH
    assert BERBER in told["bands"][2]
    assert told["heavy"] or told["some"]
    assert "2 in 3" in told["html"]


def test_there_is_no_outlook_for_the_enemys_units(sheets: SheetClient) -> None:
    state = selectors.state_now(sheets.campaign)
    enemy = next(unit.id for unit in state.units.values() if unit.side is Side.MAHDIST)
    assert sheets.get("outlook", unit=[enemy]).status_code == 400


def test_next_month_tells_what_was_carried_out(sheets: SheetClient) -> None:
    sheets.post("save", sheet=march(sheets.campaign), revision=0)
    sheets.post("state", do="submit", revision=1)
    advance.run_month(sheets.campaign.pk, until=sheets.campaign.month + 1)
    page = sheets.client.get(reverse("receipts", args=[sheets.campaign.slug, sheets.seat.pk]))
    text = page.content.decode()
    assert "march by land to Berber" in text
    assert 'class="fate"' in text
    before = sheets.get("last").json()["sheet"]
    assert before["orders"][0]["hex"] == METEMMEH


def test_receipts_are_for_whoever_gave_the_orders(sheets: SheetClient, people: People) -> None:
    sheets.post("save", sheet=march(sheets.campaign), revision=0)
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
    sheets.post("save", sheet=march(sheets.campaign), revision=0)
    written = OrderSheet.objects.get(seat=sheets.seat)
    order = document_of(written).orders[0]
    twice = msgspec.structs.replace(order, units=order.units * 2)
    written.document = pack(encode(MonthOrders((twice,))))
    written.save()
    data = data_of(sheets.get("sheet"))
    assert len(data["sheet"]["orders"][0]["units"]) == len(twice.units)
    assert "twice over" in data["reading"]["orders"][0]["words"]
    refused = sheets.post("save", sheet=data["sheet"], revision=1)
    assert refused.json()["said"] == "Order 1 names a unit twice: name each unit once."
    assert sheets.post("save", sheet=march(sheets.campaign), revision=1).status_code == 200
