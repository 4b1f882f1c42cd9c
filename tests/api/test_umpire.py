"""An umpire's powers by REST: his alone, each with its reason, and once for a key."""

import pytest
from django.contrib.auth.models import User

from battles.contract.brief import Side
from campaign.access.selectors import state_now
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.services.journal import creation
from campaign.services.transfer import archive
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places

WHY = {"reason": "Agreed by letter."}
ANY = {"If_Match": "*"}


def test_a_campaign_is_adjourned_and_taken_up_again(umpire: Api, secret: Campaign) -> None:
    address = "/campaigns/secret/"
    assert umpire.patch(address, {"adjourned": True, **WHY}).json()["adjourned"] is True
    problem(umpire.post(f"{address}advance/"), "refused")
    assert umpire.patch(address, {"adjourned": False}).json()["adjourned"] is False


def test_a_ruling_is_looked_at_then_given(umpire: Api, played: Campaign) -> None:
    state = state_now(played)
    hex_id = board(state).hexes(Side.MAHDIST)[0]
    unit = board(state).stack(Side.MAHDIST, hex_id)[0].id
    ruling = {"effects": [{"type": "remove", "unit_ids": [unit]}], **WHY}
    address, seen = "/campaigns/secret/rulings/", umpire.get("/campaigns/secret/")["ETag"]
    told = umpire.post(f"{address}?dry_run=true", ruling, If_Match=seen)
    assert told.status_code == 200
    (change,) = told.json()["changes"]
    assert (change["hex"], bool(told.json()["texts"])) == (f"{hex_id:04d}", True)
    assert unit in state_now(Campaign.objects.get(pk=played.pk)).units
    problem(umpire.post(address, ruling), "precondition-required")
    key = {"Idempotency_Key": "ruled", "If_Match": seen}
    given = umpire.post(address, ruling, **key)
    assert given.status_code == 201
    again = umpire.post(address, ruling, **key)
    assert again.content == given.content
    assert unit not in state_now(Campaign.objects.get(pk=played.pk)).units
    late = {**ruling, "effects": []}
    problem(umpire.post(address, late, If_Match=seen), "precondition-failed")


def test_a_ruling_that_cannot_be_names_the_clause(umpire: Api, played: Campaign) -> None:
    address = "/campaigns/secret/rulings/"
    nothing = umpire.post(address, WHY, **ANY)
    assert problem(nothing, "illegal-action")["clause"]
    absent = {"effects": [{"type": "remove", "unit_ids": [999_999]}], **WHY}
    problem(umpire.post(f"{address}?dry_run=true", absent, **ANY), "unfit")
    wrong = {"effects": [{"type": "move", "unit_ids": [1], "hex": 101}], **WHY}
    refused = problem(umpire.post(address, wrong, **ANY), "invalid")
    assert wrong_places(refused) == {"effects/0/hex"}


def test_going_back_leaves_the_branch_in_sight(umpire: Api, as_: As, played: Campaign) -> None:
    journal = "/campaigns/secret/branches/0/entries/?limit=100"
    entries = umpire.get(journal).json()["results"]
    back = {"cursor": entries[-1]["cursor"], **WHY}
    way = umpire.post("/campaigns/secret/rewinds/?dry_run=true", back, **ANY)
    assert (way.status_code, way.json()["entry_count"]) == (200, len(entries) - 1)
    assert way.json()["changes"]
    assert umpire.get(journal).json()["results"] == entries
    seen = umpire.get("/campaigns/secret/")["ETag"]
    gone = umpire.post("/campaigns/secret/rewinds/", back, If_Match=seen)
    assert (gone.status_code, gone.json()["parent_cursor"]) == (201, back["cursor"])
    problem(umpire.post("/campaigns/secret/rewinds/", back, If_Match=seen), "precondition-failed")
    branches = as_("mahdist").get("/campaigns/secret/branches/").json()["results"]
    assert [branch["current"] for branch in branches] == [True, False]
    left = as_("mahdist").get("/campaigns/secret/branches/0/").json()
    assert (left["branch"], left["current"], left["entry_count"]) == (0, False, len(entries))
    assert as_("mahdist").get(left["links"]["entries"] + "?limit=100").json()["results"] == entries
    assert left["stacks"]
    here = umpire.get(gone.json()["links"]["entries"]).json()["results"]
    assert [one["cursor"] for one in here] == [back["cursor"]]
    problem(umpire.get("/campaigns/secret/branches/7/"), "not-found")


def test_the_entries_of_a_branch_are_walked_page_by_page(umpire: Api, played: Campaign) -> None:
    whole = umpire.get("/campaigns/secret/branches/0/entries/?limit=100").json()["results"]
    page = umpire.get("/campaigns/secret/branches/0/entries/?limit=20").json()
    found = page["results"]
    while page["next"]:
        page = umpire.get(page["next"]).json()
        found += page["results"]
    assert found[:100] == whole
    assert found[-1]["cursor"] == "0.1"


def test_a_line_that_was_left_is_hidden_while_the_fog_lasts(
    as_: As, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="hidden", seats=seats, fog=True)
    creation.create_campaign(wanted)
    for address in ("/campaigns/hidden/branches/0/", "/campaigns/hidden/branches/0/entries/"):
        assert as_("umpire").get(address).status_code == 200
        for name in ("egyptian", "spectator", "stranger"):
            problem(as_(name).get(address), "not-found")


def test_a_phase_is_advanced_by_itself(umpire: Api, secret: Campaign) -> None:
    job = umpire.post("/campaigns/secret/advance/", {"one_phase": True})
    assert (job.status_code, job.json()["kind"]) == (202, "phase")


def test_months_fall_due_as_the_umpire_says(umpire: Api, seats: dict[str, User]) -> None:
    creation.create_campaign(
        creation.NewCampaignTerms("siege-of-khartoum", slug="due", seats=seats, mode="orders")
    )
    address = "/campaigns/due/deadline/"
    policy = {"policy": {"zone": "Africa/Khartoum", "hour": 20, "days": 7}}
    told = umpire.patch(address, policy).json()
    assert (told["stage"], told["extended_hours"], told["paused"]) == ("open", 0, False)
    assert told["policy"] == {**told["policy"], **policy["policy"]}
    later = {"extended_hours": 24, **WHY}
    for _ in range(2):
        later_by_a_day = umpire.patch(address, later).json()
        assert (later_by_a_day["extended_hours"], later_by_a_day["extendable_hours"]) == (24, 72)
    refused = problem(umpire.patch(address, {"extended_hours": 23, **WHY}), "unfit")
    assert wrong_places(refused) == {"extended_hours"}
    refused = problem(umpire.patch(address, {"paused": True}), "unfit")
    assert wrong_places(refused) == {"reason"}
    assert umpire.patch(address, {"paused": True, **WHY}).json()["stage"] == "paused"
    assert umpire.patch(address, {"paused": False}).json()["stage"] == "open"
    assert umpire.patch(address, {"policy": None}).json()["due_at"] is None


@pytest.mark.parametrize(
    ("policy", "field"),
    [({"zone": "Atlantis"}, "zone"), ({"hour": 24}, "hour"), ({"days": 0}, "days")],
)
def test_a_wrong_deadline_policy_is_refused_with_its_field(
    umpire: Api, seats: dict[str, User], policy: dict[str, object], field: str
) -> None:
    """The schema has the limits of numbers, but not the names of time zones."""
    kind = "unfit" if field == "zone" else "invalid"
    creation.create_campaign(
        creation.NewCampaignTerms("siege-of-khartoum", slug="due", seats=seats, mode="orders")
    )
    wanted = {"scenario": "siege-of-khartoum", "mode": "orders", "deadline_policy": policy}
    refused = problem(umpire.post("/campaigns/", wanted), kind)
    assert wrong_places(refused) == {f"deadline_policy/{field}"}
    refused = problem(umpire.patch("/campaigns/due/deadline/", {"policy": policy}), kind)
    assert wrong_places(refused) == {f"policy/{field}"}


def test_deadlines_without_order_sheets_are_refused_with_their_field(
    umpire: Api, secret: Campaign
) -> None:
    wanted = {"scenario": "siege-of-khartoum", "mode": "live", "deadline_policy": {}}
    assert wrong_places(problem(umpire.post("/campaigns/", wanted), "unfit")) == {"deadline_policy"}
    refused = problem(umpire.patch("/campaigns/secret/deadline/", {"policy": {}}), "unfit")
    assert wrong_places(refused) == {"policy"}


def test_dice_thrown_by_hand_are_typed_in(umpire: Api, secret: Campaign) -> None:
    address = "/campaigns/secret/dice-by-hand/"
    assert umpire.patch("/campaigns/secret/", {"dice_by_hand": True}).json()["dice_by_hand"] is True
    seen = umpire.get(address)
    assert (seen.json()["dice_by_hand"], seen.json()["throw"]) == (True, None)
    problem(umpire.post(address, {"faces": [3]}, If_Match=seen["ETag"]), "not-awaited")
    advance.run_month(secret.pk, until=secret.month + 1)
    assert umpire.get("/campaigns/secret/").json()["waits_for_dice"] is True
    problem(umpire.post(address, {"faces": [3]}, If_Match=seen["ETag"]), "precondition-failed")
    wanted = umpire.get(address)
    dice = wanted.json()["throw"]["count"]
    problem(umpire.post(address, {"faces": [1] * dice}), "precondition-required")
    problem(umpire.post(address, {"faces": [1] * (dice + 1)}, If_Match=wanted["ETag"]), "unfit")
    typed = umpire.post(address, {"faces": [1] * dice}, If_Match=wanted["ETag"])
    assert (typed.status_code, typed["ETag"]) == (200, umpire.get(address)["ETag"])


def test_a_campaign_is_taken_away_and_brought_in(umpire: Api, played: Campaign) -> None:
    file = umpire.get("/campaigns/secret/export/")
    body = file.content
    kind = "application/octet-stream"
    problem(umpire.send("/imports/?slug=secret", body, kind), "unfit")
    made = umpire.send("/imports/?slug=again", body, kind)
    assert umpire.get(made["Location"]).json()["slug"] == "again"
    assert (made.status_code, made.json()["slug"]) == (201, "again")
    assert made.json()["title"] == f"{played.title} (2)"
    assert made.json()["month"] == umpire.get("/campaigns/secret/").json()["month"]
    for wrong in (b"nonsense", b""):
        problem(umpire.send("/imports/", wrong, kind), "unfit")


def test_what_is_neither_true_nor_false_is_refused(umpire: Api, secret: Campaign) -> None:
    kind = "application/octet-stream"
    body = umpire.get("/campaigns/secret/export/?with_secret=false").content
    for name, told in {
        "with_secret": umpire.get("/campaigns/secret/export/?with_secret=1"),
        "public": umpire.send("/imports/?slug=again&public=yes", body, kind),
    }.items():
        (wrong,) = problem(told, "invalid")["errors"]
        assert wrong["parameter"] == name
        assert "true or false" in wrong["detail"]
    assert not Campaign.objects.filter(slug="again").exists()


def test_the_umpire_log_says_that_the_secret_was_exported(umpire: Api, secret: Campaign) -> None:
    umpire.get("/campaigns/secret/export/")
    umpire.ask("head", "/campaigns/secret/export/?with_secret=true")
    assert umpire.get("/campaigns/secret/umpire-log/").json()["results"] == []
    umpire.get("/campaigns/secret/export/?with_secret=true")
    (entry,) = umpire.get("/campaigns/secret/umpire-log/").json()["results"]
    assert entry["text"] == archive.EXPORT_NOTE


def test_the_public_sees_a_month_later_or_at_the_end(umpire: Api, secret: Campaign) -> None:
    for months in (None, 6):
        told = umpire.patch("/campaigns/secret/", {"public_delay_months": months})
        assert told.json()["public_delay_months"] == months
    secret.refresh_from_db()
    assert secret.public_delay == 6
    problem(umpire.patch("/campaigns/secret/", {"public_delay_months": 99}), "invalid")


@pytest.mark.parametrize(
    ("sent", "delay"),
    [({}, 2), ({"public_delay_months": 6}, 6), ({"public_delay_months": None}, None)],
)
def test_a_new_campaign_takes_the_delay_of_the_public(
    umpire: Api, sent: dict[str, int | None], delay: int | None
) -> None:
    made = umpire.post("/campaigns/", {"scenario": "siege-of-khartoum", "fog": True, **sent})
    assert made.status_code == 201
    assert made.json()["public_delay_months"] == delay


def test_a_new_campaign_has_a_delay_that_is_offered(umpire: Api) -> None:
    sent = {"scenario": "siege-of-khartoum", "fog": True, "public_delay_months": 5}
    (wrong,) = problem(umpire.post("/campaigns/", sent), "unfit")["errors"]
    assert wrong["pointer"] == "/public_delay_months"
    assert "1, 2, 3, 4, 6, 12" in wrong["detail"]
    problem(umpire.post("/campaigns/", {**sent, "public_delay_months": 99}), "invalid")


def test_a_campaign_is_ended_for_good(umpire: Api, secret: Campaign) -> None:
    wanted = {"outcome": "mahdist", **WHY}
    ended = umpire.patch("/campaigns/secret/", wanted).json()
    assert (ended["status"], ended["outcome"]) == ("over", "mahdist")
    assert "Agreed by letter" in ended["outcome_text"]
    problem(umpire.post("/campaigns/secret/advance/"), "campaign-over")


def test_a_campaign_is_ended_as_drawn(umpire: Api, secret: Campaign) -> None:
    wanted = {"outcome": "draw", **WHY}
    assert umpire.patch("/campaigns/secret/", wanted).json()["outcome"] == "draw"
