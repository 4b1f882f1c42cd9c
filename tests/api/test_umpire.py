"""An umpire's powers by REST: his alone, each with its reason, and once for a key."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from battles.contract.brief import Side
from campaign.access.selectors import state_now
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import EVERYBODY, Api, As
from tests.api.problems import problem

WHY = {"reason": "Agreed by letter."}
UMPIRES: list[tuple[str, str, dict[str, Any] | None]] = [
    ("get", "worklist/", None),
    ("get", "entries/", None),
    ("get", "export/", None),
    ("get", "dice-by-hand/", None),
    ("put", "dice-by-hand/", {}),
    ("post", "dice-by-hand/throws/", {"faces": [1]}),
    ("put", "adjournment/", WHY),
    ("delete", "adjournment/", None),
    ("post", "ending/", WHY),
    ("put", "deadline/policy/", {"policy": {}}),
    ("post", "deadline/extensions/", {"hours": 1, "seen": 0, **WHY}),
    ("put", "deadline/pause/", WHY),
    ("post", "rulings/", {"toss": [1, 6], **WHY}),
    ("post", "rulings/preview/", {"effects": []}),
    ("post", "rewinds/", {"entry": "0.1", **WHY}),
    ("post", "rewinds/preview/", {"entry": "0.1"}),
    ("post", "umpires/", {"username": "stranger"}),
]


def send(api: Api, method: str, path: str, body: dict[str, Any] | None) -> Any:
    if method in ("post", "put"):
        return getattr(api, method)(path, body)
    return api.ask(method, path)


@pytest.mark.parametrize(
    ("method", "path", "body"), UMPIRES, ids=[f"{method} {path}" for method, path, _ in UMPIRES]
)
def test_what_is_an_umpires_is_refused_to_everybody_else(
    method: str, path: str, body: dict[str, Any] | None, as_: As, secret: Campaign
) -> None:
    kinds = {}
    for name in EVERYBODY[1:]:
        refused = send(as_(name), method, f"/campaigns/secret/{path}", body)
        kinds[name] = refused.json()["type"].split("/")[-2]
    player = dict.fromkeys(("egyptian", "mahdist", "spectator"), "not-allowed")
    assert kinds == player | {"stranger": "not-found", "anonymous": "not-authenticated"}


def test_a_campaign_is_adjourned_and_taken_up_again(umpire: Api, secret: Campaign) -> None:
    address = "/campaigns/secret/adjournment/"
    assert umpire.put(address, WHY).json()["adjourned"] is True
    problem(umpire.post("/campaigns/secret/advance/"), "refused")
    assert umpire.ask("delete", address).json()["adjourned"] is False


def test_a_ruling_is_looked_at_then_given(umpire: Api, played: Campaign) -> None:
    state = state_now(played)
    hex_id = board(state).hexes(Side.MAHDIST)[0]
    unit = board(state).stack(Side.MAHDIST, hex_id)[0].id
    effects = [{"do": "remove", "units": [unit]}]
    seen = umpire.post("/campaigns/secret/rulings/preview/", {"effects": effects}).json()
    assert (len(seen["changes"]), bool(seen["said"])) == (1, True)
    assert unit in state_now(Campaign.objects.get(pk=played.pk)).units
    ruling = {"effects": effects, "head": seen["head"], **WHY}
    given = umpire.post("/campaigns/secret/rulings/", ruling, Idempotency_Key="ruled")
    assert given.status_code == 201
    again = umpire.post("/campaigns/secret/rulings/", ruling, Idempotency_Key="ruled")
    assert again.content == given.content
    assert unit not in state_now(Campaign.objects.get(pk=played.pk)).units
    problem(umpire.post("/campaigns/secret/rulings/", {**ruling, "effects": []}), "stale")


def test_a_ruling_that_cannot_be_names_the_clause(umpire: Api, played: Campaign) -> None:
    nothing = umpire.post("/campaigns/secret/rulings/", WHY)
    assert problem(nothing, "illegal-action")["clause"]
    absent = {"effects": [{"do": "remove", "units": [999_999]}]}
    problem(umpire.post("/campaigns/secret/rulings/preview/", absent), "unfit")


def test_going_back_leaves_the_branch_in_sight(umpire: Api, as_: As, played: Campaign) -> None:
    entries = umpire.get("/campaigns/secret/entries/?limit=100").json()["results"]
    target = entries[-1]["cursor"]
    way = umpire.post("/campaigns/secret/rewinds/preview/", {"entry": target}).json()
    assert (way["entries"], way["head"]) == (len(entries) - 1, played.head_id)
    assert way["changes"]
    assert umpire.get("/campaigns/secret/entries/?limit=100").json()["results"] == entries
    gone = umpire.post("/campaigns/secret/rewinds/", {"entry": target, **WHY})
    assert (gone.status_code, gone.json()["parent"]) == (201, target)
    branches = as_("mahdist").get("/campaigns/secret/branches/").json()["results"]
    assert [branch["present"] for branch in branches] == [True, False]
    left = as_("mahdist").get("/campaigns/secret/branches/0/").json()
    assert (left["number"], left["present"], left["entries"]) == (0, False, len(entries))
    assert [one["said"] for one in left["steps"]] == [one["said"] for one in entries[::-1]]
    assert left["stacks"]
    problem(umpire.get("/campaigns/secret/branches/7/"), "not-found")


def test_a_line_that_was_left_is_hidden_while_the_fog_lasts(
    as_: As, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="hidden", seats=seats, fog=True)
    creation.create_campaign(wanted)
    assert as_("umpire").get("/campaigns/hidden/branches/0/").status_code == 200
    for name in ("egyptian", "spectator", "stranger"):
        problem(as_(name).get("/campaigns/hidden/branches/0/"), "not-found")


def test_a_phase_is_advanced_by_itself(umpire: Api, secret: Campaign) -> None:
    job = umpire.post("/campaigns/secret/advance/", {"phase": True})
    assert (job.status_code, job.json()["kind"]) == (202, "phase")


def test_months_fall_due_as_the_umpire_says(umpire: Api, seats: dict[str, User]) -> None:
    creation.create_campaign(
        creation.NewCampaignTerms("siege-of-khartoum", slug="due", seats=seats, mode="orders")
    )
    policy = {"policy": {"zone": "Africa/Khartoum", "hour": 20, "days": 7}}
    told = umpire.put("/campaigns/due/deadline/policy/", policy).json()
    assert (told["stage"], told["extended"]) == ("open", 0)
    later = {"hours": 24, "seen": 0, **WHY}
    assert umpire.post("/campaigns/due/deadline/extensions/", later).json()["extended"] == 1440
    problem(umpire.post("/campaigns/due/deadline/extensions/", later), "stale")
    assert umpire.put("/campaigns/due/deadline/pause/", WHY).json()["stage"] == "paused"
    assert umpire.ask("delete", "/campaigns/due/deadline/pause/").json()["stage"] == "open"
    wrong = {"policy": {"zone": "Atlantis"}}
    problem(umpire.put("/campaigns/due/deadline/policy/", wrong), "unfit")


def test_dice_thrown_by_hand_are_typed_in(umpire: Api, secret: Campaign) -> None:
    address = "/campaigns/secret/dice-by-hand/"
    assert umpire.put(address).json()["by_hand"] is True
    problem(umpire.post(f"{address}throws/", {"faces": [3]}), "not-awaited")
    advance.run_month(secret.pk, until=secret.month + 1)
    wanted = umpire.get(address).json()
    assert wanted["waiting"]
    wrong = {"faces": [1] * (wanted["count"] + 1)}
    problem(umpire.post(f"{address}throws/", wrong), "unfit")
    typed = umpire.post(f"{address}throws/", {"faces": [1] * wanted["count"], "expected": 0})
    assert typed.status_code == 200


def test_a_campaign_is_taken_away_and_brought_in(umpire: Api, played: Campaign) -> None:
    file = umpire.get("/campaigns/secret/export/")
    body = file.content
    kind = "application/vnd.sirdar.campaign"
    problem(umpire.send("/imports/", body, kind), "unfit")
    made = umpire.send("/imports/?slug=again", body, kind)
    assert umpire.get(made["Location"]).json()["slug"] == "again"
    assert (made.status_code, made.json()["slug"]) == (201, "again")
    assert made.json()["month"] == umpire.get("/campaigns/secret/").json()["month"]
    for wrong in (b"nonsense", b""):
        problem(umpire.send("/imports/", wrong, kind), "unfit")


def test_what_is_neither_true_nor_false_is_refused(umpire: Api, secret: Campaign) -> None:
    kind = "application/vnd.sirdar.campaign"
    body = umpire.get("/campaigns/secret/export/?secret=false").content
    for name, told in {
        "secret": umpire.get("/campaigns/secret/export/?secret=1"),
        "public": umpire.send("/imports/?slug=again&public=yes", body, kind),
    }.items():
        fields = problem(told, "invalid")["fields"]
        assert "true or false" in fields[name][0]
    assert not Campaign.objects.filter(slug="again").exists()


def test_a_campaign_is_ended_for_good(umpire: Api, secret: Campaign) -> None:
    ended = umpire.post("/campaigns/secret/ending/", {"winner": "mahdist", **WHY}).json()
    assert ended["finished"] is True
    problem(umpire.post("/campaigns/secret/advance/"), "campaign-over")
