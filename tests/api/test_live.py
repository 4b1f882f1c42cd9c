"""Live play by REST: what is asked of one's side, its lawful answers, and answering."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign import serialization
from campaign.models import Campaign
from campaign.services.journal import creation
from tests.api.conftest import EVERYBODY, Api, As
from tests.api.problems import problem
from tests.people import People

DECISION = "/campaigns/live/decision/"
ANSWERS = f"{DECISION}answers/"


@pytest.fixture
def live(seats: dict[str, User]) -> Campaign:
    """A campaign that is played live in the fog; the first side sets up."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="live", seats=seats, mode="live", fog=True
    )
    return creation.create_campaign(wanted)


def answer(api: Api, **action: Any) -> Any:
    """The response to this answer, whatever has happened meanwhile."""
    return api.post(ANSWERS, action, If_Match="*")


def asked(live: Campaign) -> tuple[str, str]:
    """Return the side that is asked, and the other."""
    return live.side, "mahdist" if live.side == "egyptian" else "egyptian"


def test_only_the_side_that_is_asked_is_shown_what_it_may_answer(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    told = {name: as_(name).get(DECISION) for name in EVERYBODY}
    yours = {name for name, answer in told.items() if answer.status_code == 200}
    assert yours == {"umpire", "egyptian", "mahdist", "spectator"}
    assert {name for name in yours if told[name].json()["choices"]} == {mine, "umpire"}
    assert told[mine].json()["question"]["type"] == "to_set_up"
    choices = told[mine].json()["choices"]
    assert choices["answer_types"] == ["deploy", "done"]
    assert choices["may_end"]
    assert all(one["hexes"] for one in choices["deployments"])
    named = {one["id"] for one in choices["labelled_units"]}
    assert {one["unit_id"] for one in choices["deployments"]} == named


def test_what_a_question_takes_is_what_is_taken(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    takes = as_(mine).get(DECISION).json()["choices"]["answer_types"]
    whatever: dict[str, Any] = {
        "deploy": {"unit_ids": [1], "hex": "0001"},
        "retreat": {"path": []},
        "supply": {"source_id": None},
        "halt": {},
    }
    waits = "waits for something else"
    refusals = {
        kind: problem(answer(as_(mine), type=kind, **rest), "illegal-action")
        for kind, rest in whatever.items()
    }
    assert {kind for kind, one in refusals.items() if waits not in one["detail"]} == {"deploy"}
    assert set(refusals) & set(takes) == {"deploy"}


def test_the_side_that_is_asked_answers_once(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    tag = as_(mine).get(DECISION)["ETag"]
    done = {"type": "done"}
    problem(as_(mine).post(ANSWERS, done), "precondition-required")
    problem(as_(other).post(ANSWERS, done, If_Match=tag), "not-allowed")
    problem(as_("spectator").post(ANSWERS, done, If_Match=tag), "not-allowed")
    first = as_(mine).post(ANSWERS, done, If_Match=tag, Idempotency_Key="ready")
    assert (first.status_code, first.json()["waits_for_dice"]) == (201, False)
    assert first.json()["answer_count"] == 1
    again = as_(mine).post(ANSWERS, done, If_Match=tag, Idempotency_Key="ready")
    assert again.content == first.content
    live.refresh_from_db()
    assert live.entries.count() == 1
    problem(as_(other).post(ANSWERS, done, If_Match=tag), "precondition-failed")
    assert as_(other).post(ANSWERS, done, If_Match=first["ETag"]).status_code == 201


def test_in_the_fog_an_answer_tells_no_dice_that_begin_the_enemys_turn(
    as_: As, live: Campaign
) -> None:
    mine, other = asked(live)
    answer(as_(mine), type="done")
    last = answer(as_(other), type="done").json()
    entry = live.entries.get(number=2)
    (thrown,) = serialization.rolls_of(entry)
    assert (thrown.reason, thrown.side) == ("Random event", mine)
    assert (last["cursor"], last["rolls"]) == (f"{entry.branch}.{entry.number}", [])


def test_without_fog_an_answer_tells_all_dice_that_it_threw(
    as_: As, seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="live", seats=seats, mode="live")
    mine, other = asked(creation.create_campaign(wanted))
    answer(as_(mine), type="done")
    (roll,) = answer(as_(other), type="done").json()["rolls"]
    assert (roll["reason"], roll["side"]) == ("Random event", mine)


def test_in_the_fog_an_answer_that_waits_for_dice_does_not_say_what_they_are_for(
    as_: As, live: Campaign
) -> None:
    mine, other = asked(live)
    answer(as_(mine), type="done")
    as_("umpire").patch("/campaigns/live/", {"dice_by_hand": True})
    said = answer(as_(other), type="done").json()["text"]
    assert "must be typed in by the umpire first" in said
    said += answer(as_(other), type="done").json()["text"]
    busy = problem(answer(as_(other), type="deploy", unit_ids=[1], hex="0001"), "under-way")
    said += busy["detail"]
    said += str(as_(other).get(DECISION).json())
    assert "random event" not in said
    assert "random event" in as_("umpire").get(DECISION).json()["waiting_for"]


def test_an_answer_that_needs_dice_waits_for_those_thrown_by_hand(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    answer(as_(mine), type="done")
    as_("umpire").patch("/campaigns/live/", {"dice_by_hand": True})
    waits = answer(as_(other), type="done")
    assert (waits.status_code, waits.json()["waits_for_dice"]) == (201, True)
    assert "must be typed in by the umpire first" in waits.json()["text"]


@pytest.mark.parametrize(
    "given",
    [
        {"type": "ruled", "reason": "I say so", "events": []},
        {"type": "hand_over", "resolution": "combat-table"},
        {"type": "fight", "resolution": "combat-table"},
        {"type": "nonsense"},
        "done",
        {"type": "done", "leeder": 1},
    ],
    ids=["a ruling", "an arrangement", "a battle", "nonsense", "no answer", "misspelt"],
)
def test_what_is_no_answer_of_a_player_is_refused(given: Any, as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    refused = problem(as_(mine).post(ANSWERS, given, If_Match="*"), "invalid")
    assert refused["errors"]
    assert not live.entries.exists()


def test_what_the_rules_forbid_is_refused_with_the_clause(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    refused = problem(answer(as_(mine), type="march", unit_ids=[1]), "illegal-action")
    assert refused["clause"]


def test_the_staff_answers_for_its_side_when_it_is_asked_to(as_: As, people: People) -> None:
    wanted = {"scenario": "siege-of-khartoum", "slug": "alone", "mode": "live"}
    made = as_("egyptian").post("/campaigns/", {**wanted, "egyptian": "me", "mahdist": "staff"})
    assert made.json()["roles"] == ["egyptian", "umpire"]
    api, here = as_("egyptian"), "/campaigns/alone/decision/"
    if api.get(here).json()["is_yours"]:
        api.post(f"{here}answers/", {"type": "done"}, If_Match="*")
    given = api.post(f"{here}answers/", {"type": "staff"}, If_Match="*")
    assert given.status_code == 201
    assert not api.get(here).json()["staff_is_asked"]
    problem(as_("stranger").post(f"{here}answers/", {"type": "staff"}, If_Match="*"), "not-found")
    for neither in ({}, {"type": "staff", "unit_ids": [1]}):
        problem(api.post(f"{here}answers/", neither, If_Match="*"), "invalid")


def test_the_side_named_while_it_is_set_up_is_the_one_that_sets_up(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    Campaign.objects.filter(pk=live.pk).update(side=other)
    for who in ("umpire", mine, other):
        assert as_(who).get(DECISION).json()["side"] == mine
    answer(as_(mine), type="done")
    assert as_(mine).get(DECISION).json()["side"] == other


def test_a_word_that_is_unknown_is_answered_with_those_that_are_known(
    as_: As, live: Campaign
) -> None:
    mine, _ = asked(live)
    (error,) = problem(answer(as_(mine), type="nonsense"), "invalid")["errors"]
    assert error["pointer"] == "/type"
    assert "Expected one of attack, " in error["detail"]
    assert "done" in error["detail"]
