"""Live play by REST: what is asked of one's side, its lawful answers, and answering."""

from typing import Any

import pytest
from django.contrib.auth.models import User

from campaign.models import Campaign
from campaign.services.journal import creation
from tests.api.conftest import EVERYBODY, As
from tests.api.problems import problem

DECISION = "/campaigns/live/decision/"
ANSWERS = f"{DECISION}answers/"


@pytest.fixture
def live(seats: dict[str, User]) -> Campaign:
    """A campaign that is played live in the fog; the first side sets up."""
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="live", seats=seats, mode="live", fog=True
    )
    return creation.create_campaign(wanted)


def asked(live: Campaign) -> tuple[str, str]:
    """Return the side that is asked, and the other."""
    return live.side, "mahdist" if live.side == "egyptian" else "egyptian"


def test_only_the_side_that_is_asked_is_shown_what_it_may_answer(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    told = {name: as_(name).get(DECISION) for name in EVERYBODY}
    yours = {name for name, answer in told.items() if answer.status_code == 200}
    assert yours == {"umpire", "egyptian", "mahdist", "spectator"}
    assert {name for name in yours if told[name].json()["choices"]} == {mine}
    assert told[mine].json()["question"]["asks"] == "ToSetUp"
    assert told[mine].json()["choices"]["answers"] == ["Deploy", "Done"]


def test_what_a_question_takes_is_what_is_taken(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    takes = as_(mine).get(DECISION).json()["choices"]["answers"]
    whatever: dict[str, Any] = {
        "Deploy": {"units": [1], "hex": 1},
        "Retreat": {"path": []},
        "Supply": {"source": 0},
        "Halt": {},
    }
    waits = "waits for something else"
    refusals = {
        do: problem(as_(mine).post(ANSWERS, {"answer": {"do": do, **rest}}), "illegal-action")
        for do, rest in whatever.items()
    }
    assert {do for do, one in refusals.items() if waits not in one["detail"]} == {"Deploy"}
    assert set(refusals) & set(takes) == {"Deploy"}


def test_the_side_that_is_asked_answers_once(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    head = as_(mine).get(DECISION).json()["head"]
    done = {"answer": {"do": "Done"}, "head": head}
    problem(as_(other).post(ANSWERS, done), "not-allowed")
    problem(as_("umpire").post(ANSWERS, done), "not-allowed")
    first = as_(mine).post(ANSWERS, done, Idempotency_Key="ready")
    assert (first.status_code, first.json()["waits_for_dice"]) == (201, False)
    again = as_(mine).post(ANSWERS, done, Idempotency_Key="ready")
    assert again.content == first.content
    live.refresh_from_db()
    assert live.entries.count() == 1
    problem(as_(other).post(ANSWERS, done), "stale")


def test_an_answer_that_needs_dice_waits_for_those_thrown_by_hand(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    as_(mine).post(ANSWERS, {"answer": {"do": "Done"}})
    as_("umpire").put("/campaigns/live/dice-by-hand/")
    waits = as_(other).post(ANSWERS, {"answer": {"do": "Done"}})
    assert (waits.status_code, waits.json()["waits_for_dice"]) == (202, True)


@pytest.mark.parametrize(
    "answer",
    [
        {"do": "Ruled", "reason": "I say so", "events": []},
        {"do": "HandOver", "way": "table"},
        {"do": "Fight", "by": "table"},
        {"do": "Nonsense"},
        "Done",
        {"do": "Done", "leeder": 1},
    ],
    ids=["a ruling", "an arrangement", "a battle", "nonsense", "no answer", "misspelt"],
)
def test_what_is_no_answer_of_a_player_is_refused(answer: Any, as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    refused = problem(as_(mine).post(ANSWERS, {"answer": answer}), "invalid")
    assert set(refused["fields"]) == {"answer"}
    assert not live.entries.exists()


def test_what_the_rules_forbid_is_refused_with_the_clause(as_: As, live: Campaign) -> None:
    mine, _ = asked(live)
    march = {"answer": {"do": "March", "units": [1]}}
    refused = problem(as_(mine).post(ANSWERS, march), "illegal-action")
    assert refused["clause"]


def test_the_staff_answers_for_its_side_when_it_is_asked_to(
    as_: As, people: dict[str, User]
) -> None:
    wanted = {"scenario": "siege-of-khartoum", "slug": "alone", "mode": "live"}
    made = as_("egyptian").post("/campaigns/", {**wanted, "egyptian": "me", "mahdist": "staff"})
    assert made.json()["roles"] == ["egyptian", "umpire"]
    api, here = as_("egyptian"), "/campaigns/alone/decision/"
    if api.get(here).json()["yours"]:
        api.post(f"{here}answers/", {"answer": {"do": "Done"}})
    after = api.post(f"{here}staff-answers/").json()
    assert not after["staff"]
    problem(as_("stranger").post(f"{here}staff-answers/"), "not-found")


def test_the_side_named_while_it_is_set_up_is_the_one_that_sets_up(as_: As, live: Campaign) -> None:
    mine, other = asked(live)
    Campaign.objects.filter(pk=live.pk).update(side=other)
    for who in ("umpire", mine, other):
        assert as_(who).get(DECISION).json()["side"] == mine
    as_(mine).post(ANSWERS, {"answer": {"do": "Done"}})
    assert as_(mine).get(DECISION).json()["side"] == other


def test_a_word_that_is_unknown_is_answered_with_those_that_are_known(
    as_: As, live: Campaign
) -> None:
    mine, _ = asked(live)
    refused = problem(as_(mine).post(ANSWERS, {"answer": {"do": "Nonsense"}}), "invalid")
    assert "Known here: " in refused["fields"]["answer"][0]
    assert "Done" in refused["fields"]["answer"][0]
