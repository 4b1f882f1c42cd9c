"""Order sheets by REST: written, checked, submitted, each in the revision that was read."""

import re
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
ANY = {"If_Match": "*"}


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
    return {"orders": [{"type": "stay", "hex": f"{hex_id:04}", "unit_ids": units}]}


@pytest.mark.parametrize("mode", [Campaign.Mode.LIVE, Campaign.Mode.STAFF])
def test_no_sheet_is_written_where_nobody_carries_it_out(
    as_: As, written: Campaign, sheet: Address, mode: str
) -> None:
    """The pages lead from the sheet of such a campaign to where it is played."""
    Campaign.objects.update(mode=mode)
    api, address = as_("egyptian"), sheet("egyptian")
    refused = problem(api.put(address, {"orders": []}, **ANY), "unfit")
    assert "not played by order sheets" in refused["detail"]
    problem(api.patch(address, {"ready": True}, **ANY), "unfit")
    assert not written.sheets.exists()


def test_a_sheet_is_read_written_and_submitted_in_its_revision(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    first = api.get(address)
    assert (first.json()["version"], first.json()["submitted_at"]) == ("0", None)
    saved = api.put(address, orders, If_Match=first["ETag"])
    assert saved.json()["version"] == "1"
    assert saved.json()["orders"] == orders["orders"]
    assert api.get(address, If_None_Match=saved["ETag"]).status_code == 304
    handed_in = api.patch(address, {"submitted": True}, If_Match=saved["ETag"])
    assert handed_in.json()["submitted"]
    assert handed_in.json()["submitted_at"]
    taken = api.patch(address, {"submitted": False}, If_Match=handed_in["ETag"])
    assert (taken.json()["submitted"], taken.json()["submitted_at"]) == (False, None)
    kinds = [
        one["receipt_kind"] for one in api.get(taken.json()["links"]["receipts"]).json()["results"]
    ]
    assert kinds == ["taken_back", "submitted", "saved"]


def test_a_sheet_is_not_overwritten_by_one_who_has_not_read_it(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    problem(api.put(address, orders), "precondition-required")
    tag = api.get(address)["ETag"]
    assert api.put(address, orders, If_Match=tag).status_code == 200
    problem(api.put(address, {}, If_Match=tag), "precondition-failed")
    problem(api.put(address, {}, If_Match='"nonsense"'), "precondition-failed")
    assert api.get(address).json()["orders"] == orders["orders"]
    assert api.put(address, {}, If_Match="*").json()["version"] == "2"


def test_what_was_read_can_be_sent_back(as_: As, sheet: Address, orders: dict[str, Any]) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    march = {**orders["orders"][0], "type": "march", "legs": [{"type": "foot", "to_hex": "1842"}]}
    standing = {"spare_ids": [7], "retreat": {"towards_hex": "2042"}}
    told = api.put(address, {"orders": [march], "standing": standing}, If_Match="*").json()
    assert told["orders"][0]["leader_id"] is None
    assert told["orders"][0]["without_leader"] is False
    again = {name: told[name] for name in ("orders", "reinforcements", "standing")}
    assert api.put(address, again, If_Match="*").json()["orders"] == told["orders"]
    assert api.post(f"{address}check/", again).status_code == 200


def test_a_writing_that_is_sent_again_with_its_key_is_written_once(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    sent = {"If_Match": '"0.x"', "Idempotency_Key": "one"}
    first, second = (api.put(address, orders, **sent) for _ in range(2))
    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert api.get(address).json()["version"] == "1"


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
    assert len(told["order_texts"]) == 1
    stays = orders["orders"][0]
    sails = {**stays, "type": "march", "legs": [{"type": "sea", "to_hex": stays["hex"]}]}
    found = as_("egyptian").post(address, {"orders": [sails]}).json()["findings"]
    assert {(one["section"], one["index"]) for one in found} == {("order", 0)}
    assert all(one["text"] and one["verdict"] != "uncertain" for one in found)


def test_a_finding_names_a_hex_of_the_map_or_none(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    lost = {**orders["orders"][0], "hex": "9999", "type": "march"}
    legs = [{"type": "foot", "to_hex": orders["orders"][0]["hex"]}]
    found = [
        as_("egyptian")
        .post(f"{sheet('egyptian')}check/", {"orders": [{**one, "legs": legs}]})
        .json()["findings"]
        for one in (lost, {**lost, "hex": legs[0]["to_hex"]})
    ]
    assert [{one["hex"] for one in told if one["section"] == "order"} for told in found] == [
        {None},
        {legs[0]["to_hex"]},
    ]


def test_what_is_no_sheet_is_refused_by_its_place_in_the_body(as_: As, sheet: Address) -> None:
    wrong = {"orders": [{"type": "fly"}]}
    refused = problem(as_("egyptian").put(sheet("egyptian"), wrong, If_Match="*"), "invalid")
    assert refused["errors"][0]["pointer"] == "/orders/0/type"


def test_a_name_in_place_of_a_number_is_refused_with_what_is_meant(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    """A place and a unit that are misspelt, then as the refusals say."""
    api, address, stays = as_("egyptian"), sheet("egyptian"), orders["orders"][0]
    march = {**stays, "type": "march", "legs": [{"type": "foot", "to_hex": "Kartoom"}]}
    for path, ask in ((address, api.put), (f"{address}check/", api.post)):
        wrong = {"orders": [march], "standing": {"spare_ids": [7, "Gordn"]}}
        told = problem(ask(path, wrong, **ANY), "invalid")["errors"]
        by_place = {one["pointer"]: one["detail"] for one in told}
        assert "Did you mean Khartoum" in by_place["/orders/0/legs/0/to_hex"]
        assert by_place["/standing/spare_ids/1"].startswith("A unit is named by its `id`")
        gordon = re.search(
            r"Did you mean (\d+) \(General Gordon", by_place["/standing/spare_ids/1"]
        )
        assert gordon is not None
        for text, meant in (("Khartoum", '"2042"'), ("358", '"0358"')):
            told = problem(ask(path, {"orders": [{**stays, "hex": text}]}, **ANY), "invalid")
            assert meant in told["errors"][0]["detail"]
        legs = [{"type": "foot", "to_hex": "1842"}]
        right = {"orders": [{**march, "legs": legs}], "standing": {"spare_ids": [int(gordon[1])]}}
        assert ask(path, right, **ANY).status_code == 200


def test_an_order_for_units_that_are_not_in_play_is_pointless(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    for ids, found in (([999], ["None of the units named is in play."]), ([], [])):
        stays = {**orders["orders"][0], "unit_ids": ids}
        told = as_("egyptian").post(f"{sheet('egyptian')}check/", {"orders": [stays]}).json()
        assert [one["text"] for one in told["findings"]] == found


def test_a_seat_that_is_ready_has_submitted(
    as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    tag = api.put(address, orders, If_Match="*")["ETag"]
    ready = api.patch(address, {"ready": True}, If_Match=tag)
    assert (ready.json()["ready"], bool(ready.json()["submitted"])) == (True, True)
    late = api.patch(address, {"ready": False}, If_Match=ready["ETag"])
    assert (late.json()["ready"], late.json()["submitted"]) == (False, True)
    both = api.patch(address, {"submitted": False, "ready": True}, If_Match=late["ETag"])
    assert problem(both, "unfit")["errors"][0]["pointer"] == "/ready"
    api.patch(address, {"ready": True}, If_Match=late["ETag"])
    withdrawn = api.patch(address, {"submitted": False}, If_Match="*").json()
    assert (withdrawn["ready"], withdrawn["submitted"]) == (False, False)
    assert api.patch(address, {}, If_Match="*").json()["version"] == withdrawn["version"]


@pytest.mark.parametrize("month", ["1884-13", "set-up", "1999-01"])
def test_there_is_no_sheet_for_any_other_month(month: str, as_: As, written: Campaign) -> None:
    seat = written.seats.get(role="egyptian").pk
    refused = as_("egyptian").get(f"/campaigns/written/seats/{seat}/sheets/{month}/")
    assert refused.status_code in (404, 422)


def test_the_reach_is_of_ones_own_units_that_stand_together(
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
    address = f"/campaigns/written/seats/{seat}/reach/?unit_ids="
    told = as_("egyptian").get(address + ",".join(map(str, foot))).json()
    chances = told["march_chances"]["made_chances"]
    assert 0 < chances[2] <= chances[0] <= 1
    problem(as_("egyptian").get(address), "invalid")
    theirs = board(state).hexes(Side.MAHDIST)[0]
    enemy = board(state).stack(Side.MAHDIST, theirs)[0].id
    problem(as_("egyptian").get(f"{address}{enemy}"), "unfit")


def test_a_stack_is_led_by_a_leader_of_the_stack_or_by_nobody(as_: As, written: Campaign) -> None:
    here = board(state_now(written))
    stacks = [here.stack(Side.EGYPTIAN, hex_id) for hex_id in here.hexes(Side.EGYPTIAN)]
    leaders = {unit.id for stack in stacks for unit in stack if unit.kind is TroopKind.LEADER}
    led = next(stack for stack in stacks if leaders & {unit.id for unit in stack})
    own = next(unit.id for unit in led if unit.id in leaders)
    foot = next(unit.id for unit in led if unit.kind is TroopKind.INFANTRY)
    seat = written.seats.get(role="egyptian").pk
    api, address = as_("egyptian"), f"/campaigns/written/seats/{seat}/reach/?unit_ids="
    for leader in ("", f"&leader_id={own}", "&without_leader=true"):
        assert api.get(f"{address}{foot},{own}{leader}").status_code == 200
    both = f"&leader_id={own}&without_leader=true"
    for wrong in ("&leader_id=0", "&leader_id=", "&leader_id=-1", both):
        problem(api.get(f"{address}{foot},{own}{wrong}"), "unfit" if wrong == both else "invalid")
    enemy = here.stack(Side.MAHDIST, here.hexes(Side.MAHDIST)[0])[0].id
    for stray in (999_999, enemy, own):
        refused = problem(api.get(f"{address}{foot}&leader_id={stray}"), "unfit")
        assert f"{stray} does not go with these units" in refused["detail"]
    refused = problem(api.get(f"{address}{foot}&leader_id={foot}"), "unfit")
    assert f"{foot} is no leader" in refused["detail"]


def test_who_has_written_nothing_is_not_ready_and_may_say_so(as_: As, sheet: Address) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    told = api.patch(address, {"ready": False}, If_Match="*")
    assert (told.status_code, told.json()["version"], told.json()["ready"]) == (200, "0", False)


@pytest.mark.parametrize(
    "about",
    [
        {"type": "stay"},
        {"type": "march", "legs": [{"type": "river", "to_hex": "2042", "hull_ids": [9, 9]}]},
        {"type": "march", "drops": [{"unit_ids": [7]}, {"unit_ids": [7], "at_hex": "2042"}]},
    ],
)
def test_an_order_that_names_a_unit_twice_is_refused_wherever_it_is_sent(
    about: dict[str, Any], as_: As, sheet: Address, orders: dict[str, Any]
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    first = orders["orders"][0]
    units = first["unit_ids"] * (2 if about["type"] == "stay" else 1)
    wrong = {"orders": [first, {**about, "hex": first["hex"], "unit_ids": units}]}
    for refused in (
        api.put(address, wrong, If_Match="*"),
        api.post(f"{address}check/", wrong),
        api.post(f"{address}odds/", wrong),
    ):
        (error,) = problem(refused, "invalid")["errors"]
        assert error == {"pointer": "/orders/1", "detail": "Name each unit once."}
    assert api.get(address).json()["version"] == "0"


def test_a_sheet_tells_its_state_its_sentences_and_its_latest_receipt(
    as_: As, sheet: Address, orders: dict[str, Any], written: Campaign
) -> None:
    api, address = as_("egyptian"), sheet("egyptian")
    told = api.get(address).json()
    assert (told["branch"], told["ahead"], told["receipt"]) == (written.branch, False, None)
    assert told["status_text"] == "Nothing is written yet."
    told = api.put(address, orders, If_Match="*").json()
    assert told["order_texts"] == api.post(f"{address}check/", orders).json()["order_texts"]
    assert (told["receipt"]["receipt_kind"], len(told["receipt"]["hash"])) == ("saved", 64)
    told = api.patch(address, {"ready": True}, If_Match="*").json()
    assert told["status_text"] == "Submitted, and you are ready: the month may run."
    assert told["awaited_text"] == "Not ready yet: Mahdist commander-in-chief."
    latest = api.get(told["links"]["receipts"]).json()["results"][0]
    assert (told["receipt"]["id"], told["receipt"]["receipt_kind"]) == (latest["id"], "submitted")


def test_a_sheet_for_the_next_month_is_ahead(as_: As, sheet: Address, written: Campaign) -> None:
    this, next_ = (month_slug(Month(written.month + more)) for more in (0, 1))
    told = as_("egyptian").get(sheet("egyptian").replace(this, next_)).json()
    assert (told["month"], told["ahead"]) == (next_, True)
