"""What is counted against the quotas of what is made: what was made, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.throttling import SimpleRateThrottle

from campaign.models import Campaign, Seat
from campaign.services.journal import creation
from tests.api.conftest import Api, As
from tests.api.problems import problem

GOOD, WRONG = {"scenario": "relief-of-el-obeid"}, {"scenari": "relief-of-el-obeid"}
Rate = Callable[[str, str], None]


@pytest.fixture
def rate(monkeypatch: pytest.MonkeyPatch) -> Rate:
    def fix(scope: str, rate: str) -> None:
        rates = {**SimpleRateThrottle.THROTTLE_RATES, scope: rate}
        monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)

    return fix


def test_whoever_corrects_his_body_has_used_up_nothing(umpire: Api) -> None:
    for _ in range(21):
        problem(umpire.post("/campaigns/", WRONG), "invalid")
    assert umpire.post("/campaigns/", GOOD).status_code == 201


def test_what_was_made_is_counted_until_the_quota_is_full(umpire: Api, rate: Rate) -> None:
    rate("create", "2/hour")
    made = [umpire.post("/campaigns/", GOOD).status_code for _ in range(2)]
    assert made == [201, 201]
    refused = umpire.post("/campaigns/", GOOD)
    wait = int(refused["Retry-After"])
    assert 0 < wait <= 3600
    detail = problem(refused, "throttled")["detail"]
    assert detail.startswith("Too many requests of this kind: nothing was done.")
    assert umpire.get("/campaigns/").status_code == 200


def test_a_request_that_is_sent_again_with_its_key_is_not_counted_and_never_refused(
    umpire: Api, rate: Rate
) -> None:
    rate("create", "2/hour")
    first = [umpire.post("/campaigns/", GOOD, Idempotency_Key="winter") for _ in range(5)]
    assert {(one.status_code, one.content) for one in first} == {(201, first[0].content)}
    assert umpire.post("/campaigns/", GOOD, Idempotency_Key="summer").status_code == 201
    problem(umpire.post("/campaigns/", GOOD, Idempotency_Key="spring"), "throttled")
    again = umpire.post("/campaigns/", GOOD, Idempotency_Key="winter")
    assert (again.status_code, again.content) == (201, first[0].content)


def test_work_that_was_not_taken_on_is_not_counted(
    as_: As, seats: dict[str, User], rate: Rate, django_capture_on_commit_callbacks: Any
) -> None:
    rate("long", "1/hour")
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="written", seats=seats, mode="orders"
    )
    campaign = creation.create_campaign(wanted)
    seat = Seat.objects.get(campaign=campaign, role="egyptian")
    terms = {"type": "rehearsal", "campaign": "written", "seat_id": seat.pk, "orders": {}}
    player = as_("egyptian")
    for _ in range(3):
        problem(player.post("/simulations/", {**terms, "runs": 1}), "invalid")
    assert player.post("/simulations/", {**terms, "runs": 2}).status_code == 202
    problem(player.post("/simulations/", {**terms, "runs": 2}), "throttled")


def test_months_that_could_not_be_asked_for_are_not_counted(
    umpire: Api, secret: Campaign, rate: Rate, django_capture_on_commit_callbacks: Any
) -> None:
    rate("advance", "1/min")
    for _ in range(3):
        problem(umpire.post("/campaigns/secret/advance/", {"months": 0}), "unfit")
    with django_capture_on_commit_callbacks(execute=True):
        assert umpire.post("/campaigns/secret/advance/").status_code == 202
    problem(umpire.post("/campaigns/secret/advance/"), "throttled")
