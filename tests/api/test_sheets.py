"""Order sheets by REST: written, checked, submitted, each in the revision that was read."""

from collections.abc import Callable
from typing import Any

import pytest

from battles.contract.brief import Side, TroopKind
from campaign.access.selectors import state_now
from campaign.models import Campaign, Seat
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_slug
from campaign.services.journal import creation
from tests.api.conftest import As
from tests.api.problems import problem


@pytest.fixture
def written(seats: dict[str, Any]) -> Campaign:
    """A campaign by order sheets in the fog."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="written", seats=seats, mode="orders", fog=True
    )
    return creation.create_campaign(wanted)


Address = Callable[[str], str]


@pytest.fixture
def sheet(written: Campaign) -> Address:
    """Return the address of a side's sheet for the present month."""

    def address(role: str) -> str:
        seat = Seat.objects.get(campaign=written, role=role)
        return f"/campaigns/written/seats/{seat.pk}/sheets/{month_slug(Month(written.month))}/"

    return address


@pytest.fixture
def orders(written: Campaign) -> dict[str, Any]:
    """A sheet by which an Egyptian stack stays where it is."""
    state = state_now(written)
    hex_id = board(state).hexes(Side.EGYPTIAN)[0]
    units = [unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_id)]
    return {"sheet": {"orders": [{"order": "stay", "hex": hex_id, "units": units}]}}


def test_a_sheet_is_read_written_and_submitted_in_its_revision(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    first = api.get(address)
    assert (first.json()["revision"], first.json()["submitted"]) == (0, None)
    saved = api.put(address, orders, If_Match=first["ETag"])
    assert saved.json()["revision"] == 1
    assert saved.json()["sheet"] == orders["sheet"]
    assert api.get(address, If_None_Match=saved["ETag"]).status_code == 304
    handed_in = api.put(f"{address}submission/", If_Match=saved["ETag"])
    assert handed_in.json()["submitted"]
    taken = api.ask("delete", f"{address}submission/", If_Match=handed_in["ETag"])
    assert taken.json()["submitted"] is None
    kinds = [one["kind"] for one in api.get(taken.json()["links"]["receipts"]).json()["results"]]
    assert kinds == ["taken back", "submitted", "saved"]


def test_a_sheet_is_not_overwritten_by_one_who_has_not_read_it(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    problem(api.put(address, orders), "precondition-required")
    tag = api.get(address)["ETag"]
    assert api.put(address, orders, If_Match=tag).status_code == 200
    problem(api.put(address, {"sheet": {}}, If_Match=tag), "precondition-failed")
    problem(api.put(address, {"sheet": {}}, If_Match='"nonsense"'), "precondition-failed")
    assert api.get(address).json()["sheet"] == orders["sheet"]
    assert api.put(address, {"sheet": {}}, If_Match="*").json()["revision"] == 2


def test_a_writing_that_is_sent_again_with_its_key_is_written_once(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    sent = {"If_Match": '"0.x"', "Idempotency_Key": "one"}
    first, second = (api.put(address, orders, **sent) for _ in range(2))
    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert api.get(address).json()["revision"] == 1


def test_a_sheet_is_its_holders_alone(as_: As, sheet: Address, orders: dict[str, Any]) -> None:
    address = sheet("egyptian")
    for name in ("umpire", "mahdist", "spectator"):
        problem(as_(name).get(address), "not-allowed")
        problem(as_(name).put(address, orders, If_Match="*"), "not-allowed")
        problem(as_(name).post(f"{address}check/", orders), "not-allowed")
    problem(as_("stranger").get(address), "not-found")
    problem(as_("anonymous").get(address), "not-authenticated")


def test_a_sheet_is_read_back_in_words_with_what_is_wrong(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    address = f"{sheet('egyptian')}check/"
    told = as_("egyptian").post(address, orders).json()
    assert len(told["orders"]) == 1
    stays = orders["sheet"]["orders"][0]
    sails = {**stays, "order": "march", "legs": [{"by": "sea", "to": stays["hex"]}]}
    found = as_("egyptian").post(address, {"sheet": {"orders": [sails]}}).json()["findings"]
    assert {(one["part"], one["number"]) for one in found} == {("order", 0)}
    assert all(one["said"] and one["verdict"] != "risky" for one in found)


@pytest.mark.parametrize("nowhere", [99_999, 9_999])
def test_a_finding_names_a_hex_of_the_map_or_none(
    nowhere: int, as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    lost = {**orders["sheet"]["orders"][0], "hex": nowhere, "order": "march"}
    legs = [{"by": "foot", "to": orders["sheet"]["orders"][0]["hex"]}]
    found = [
        as_("egyptian")
        .post(f"{sheet('egyptian')}check/", {"sheet": {"orders": [{**one, "legs": legs}]}})
        .json()["findings"]
        for one in (lost, {**lost, "hex": legs[0]["to"]})
    ]
    assert [{one["hex"] for one in told if one["part"] == "order"} for told in found] == [
        {None},
        {f"{legs[0]['to']:04d}"},
    ]


def test_what_is_no_sheet_is_refused_by_its_place_in_the_body(as_: As, sheet: Address) -> None:
    wrong = {"sheet": {"orders": [{"order": "fly"}]}}
    refused = problem(as_("egyptian").put(sheet("egyptian"), wrong, If_Match="*"), "invalid")
    assert "orders[0].order" in refused["fields"]["sheet"][0]


def test_a_seat_that_is_ready_has_submitted(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    tag = api.put(address, orders, If_Match="*")["ETag"]
    ready = api.put(f"{address}readiness/", If_Match=tag)
    assert (ready.json()["ready"], bool(ready.json()["submitted"])) == (True, True)
    late = api.ask("delete", f"{address}readiness/", If_Match=ready["ETag"]).json()
    assert (late["ready"], bool(late["submitted"])) == (False, True)


@pytest.mark.parametrize("month", ["1884-13", "set-up", "1999-01"])
def test_there_is_no_sheet_for_any_other_month(month: str, as_: As, written: Campaign) -> None:
    seat = written.seats.get(role="egyptian").pk
    refused = as_("egyptian").get(f"/campaigns/written/seats/{seat}/sheets/{month}/")
    assert refused.status_code in (404, 422)


def test_prospects_are_of_ones_own_units_that_stand_together(
    as_: As, written: Campaign, orders: dict[str, Any]
) -> None:
    seat = written.seats.get(role="egyptian").pk
    state = state_now(written)
    foot = next(
        [unit.id for unit in board(state).stack(Side.EGYPTIAN, hex_id)]
        for hex_id in board(state).hexes(Side.EGYPTIAN)
        if any(
            unit.kind is TroopKind.INFANTRY for unit in board(state).stack(Side.EGYPTIAN, hex_id)
        )
    )
    address = f"/campaigns/written/seats/{seat}/prospects/?units="
    told = as_("egyptian").get(address + ",".join(map(str, foot))).json()
    assert 0 < told["odds"]["marches"][2] <= told["odds"]["marches"][0] <= 1
    problem(as_("egyptian").get(address), "invalid")
    theirs = board(state).hexes(Side.MAHDIST)[0]
    enemy = board(state).stack(Side.MAHDIST, theirs)[0].id
    problem(as_("egyptian").get(f"{address}{enemy}"), "unfit")


def test_prospects_are_led_by_a_leader_of_the_stack_or_by_nobody(
    as_: As, written: Campaign
) -> None:
    here = board(state_now(written))
    stacks = [here.stack(Side.EGYPTIAN, hex_id) for hex_id in here.hexes(Side.EGYPTIAN)]
    leaders = {unit.id for stack in stacks for unit in stack if unit.kind is TroopKind.LEADER}
    led = next(stack for stack in stacks if leaders & {unit.id for unit in stack})
    own = next(unit.id for unit in led if unit.id in leaders)
    foot = next(unit.id for unit in led if unit.kind is TroopKind.INFANTRY)
    seat = written.seats.get(role="egyptian").pk
    api, address = as_("egyptian"), f"/campaigns/written/seats/{seat}/prospects/?units="
    for leader in (own, 0, -1):
        assert api.get(f"{address}{foot},{own}&leader={leader}").status_code == 200
    enemy = here.stack(Side.MAHDIST, here.hexes(Side.MAHDIST)[0])[0].id
    for stray in (999_999, enemy, own):
        refused = problem(api.get(f"{address}{foot}&leader={stray}"), "unfit")
        assert f"{stray} does not go with these units" in refused["detail"]
    refused = problem(api.get(f"{address}{foot}&leader={foot}"), "unfit")
    assert f"{foot} is no leader" in refused["detail"]


def test_who_has_written_nothing_is_not_ready_and_may_say_so(as_: As, sheet: Address) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    told = api.ask("delete", f"{address}readiness/", If_Match="*")
    assert (told.status_code, told.json()["revision"], told.json()["ready"]) == (200, 0, False)


@pytest.mark.parametrize(
    ("about", "where"),
    [
        ({"order": "stay"}, "Order 2"),
        ({"order": "march", "legs": [{"by": "river", "to": 2042, "hulls": [9, 9]}]}, "Order 2"),
        ({"order": "march", "drops": [{"units": [7]}, {"units": [7], "at": 2042}]}, "Order 2"),
    ],
)
def test_an_order_that_names_a_unit_twice_is_refused_wherever_it_is_sent(
    about: dict[str, Any], where: str, as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    first = orders["sheet"]["orders"][0]
    units = first["units"] * (2 if about["order"] == "stay" else 1)
    wrong = {"sheet": {"orders": [first, {**about, "hex": first["hex"], "units": units}]}}
    for refused in (
        api.put(address, wrong, If_Match="*"),
        api.post(f"{address}check/", wrong),
        api.post(f"{address}odds/", wrong),
    ):
        detail = problem(refused, "unfit")["detail"]
        assert detail == f"{where} names a unit twice: name each unit once."
    assert api.get(address).json()["revision"] == 0
