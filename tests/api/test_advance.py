"""The umpire advances a month: a job that is done once, whoever asks how often."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from pytest_django.live_server_helper import LiveServer

from accounts.models import Scope
from accounts.tokens import create_token
from api.http.problems import problem_address
from campaign.models import Campaign, Job
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.own_tables import brief
from tests.patience import PATIENCE
from tests.people import People

ADVANCE = "/campaigns/secret/advance/"
FEBRUARY = {"months": 1}
Committed = AbstractContextManager[list[Callable[[], Any]]]
Commits = Callable[..., Committed]


def path_of(response: Any) -> str:
    """Return the address a response names, as the client wants it."""
    assert response.status_code == 202, response.content
    return str(response["Location"])


def test_a_month_is_advanced_by_a_job(
    umpire: Api, secret: Campaign, django_capture_on_commit_callbacks: Commits
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        asked = umpire.post(ADVANCE, FEBRUARY)
    document = asked.json()
    assert (document["status"], document["months"]) == ("pending", 1)
    assert document["until_month"] == "1884-03"
    assert document["links"]["self"] == asked["Location"]
    answered = umpire.get(path_of(asked))
    done = answered.json()
    assert (done["status"], done["message"]) == ("succeeded", "March 1884 has begun.")
    assert done["progress"]["completed"] == done["progress"]["total"]
    assert done["started_at"] <= done["finished_at"]
    assert "Retry-After" not in answered
    assert umpire.get("/campaigns/secret/").json()["month"] == "1884-03"
    assert umpire.get("/campaigns/secret/months/1884-02/despatches/").json()["results"]


def test_a_job_that_ends_the_campaign_says_how(
    umpire: Api, django_capture_on_commit_callbacks: Commits
) -> None:
    files = {"siege-of-khartoum": brief()}
    tables = umpire.post("/table-sets/", {"name": "A month", "files": files}).json()["id"]
    begun = {"scenario": "siege-of-khartoum", "slug": "short", "mode": "staff"}
    begun["table_set_id"] = tables
    assert umpire.post("/campaigns/", begun).status_code == 201
    with django_capture_on_commit_callbacks(execute=True):
        asked = umpire.post("/campaigns/short/advance/", {"months": 2})
    over = umpire.get("/campaigns/short/").json()
    assert over["status"] == "over"
    assert not over["may_advance"]
    assert umpire.get(path_of(asked)).json()["message"] == over["outcome_text"]


def test_a_body_may_be_left_out(umpire: Api, secret: Campaign) -> None:
    assert umpire.send(ADVANCE, b"").json()["months"] == 1


def test_a_job_that_waits_is_named_by_the_campaign(umpire: Api, secret: Campaign) -> None:
    asked = umpire.post(ADVANCE)
    assert umpire.get("/campaigns/secret/").json()["job"] == asked["Location"]
    waiting = umpire.get(path_of(asked))
    assert waiting.json()["status"] == "pending"
    assert waiting["Retry-After"] == "1"


def test_the_second_who_asks_gets_the_job_of_the_first(umpire: Api, secret: Campaign) -> None:
    first, second = umpire.post(ADVANCE, FEBRUARY), umpire.post(ADVANCE, FEBRUARY)
    assert path_of(first) == path_of(second)
    assert Job.objects.count() == 1


def test_another_job_than_the_one_under_way_is_refused_and_told_which(
    umpire: Api, secret: Campaign
) -> None:
    asked = umpire.post(ADVANCE, FEBRUARY)
    refused = problem(umpire.post(ADVANCE, {"months": 2}), "under-way")
    assert refused["job"] == asked["Location"]
    assert "March 1884" in refused["detail"]


def test_a_request_that_comes_too_late_does_nothing(umpire: Api, secret: Campaign) -> None:
    seen = umpire.get("/campaigns/secret/")["ETag"]
    advance.run_month(secret.pk, until=secret.month + 1)
    problem(umpire.post(ADVANCE, FEBRUARY, If_Match=seen), "precondition-failed")
    problem(umpire.post(ADVANCE, FEBRUARY, If_Match=""), "precondition-failed")
    assert not Job.objects.exists()


def test_the_same_key_gives_the_same_answer_after_the_month_is_over(
    umpire: Api, secret: Campaign, django_capture_on_commit_callbacks: Commits
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        first = umpire.post(ADVANCE, FEBRUARY, Idempotency_Key="february")
    again = umpire.post(ADVANCE, FEBRUARY, Idempotency_Key="february")
    assert path_of(again) == path_of(first)
    assert again["Idempotency-Replayed"] == "true"
    problem(umpire.post(ADVANCE, {"months": 2}, Idempotency_Key="february"), "key-used")
    assert Job.objects.count() == 1
    secret.refresh_from_db()
    assert umpire.get("/campaigns/secret/").json()["month"] == "1884-03"


def test_a_campaign_that_is_over_is_not_advanced(umpire: Api, secret: Campaign) -> None:
    Campaign.objects.filter(pk=secret.pk).update(finished=True, outcome="The Mahdi is dead.")
    refused = problem(umpire.post(ADVANCE), "campaign-over")
    assert "The Mahdi is dead." in refused["detail"]


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({"months": "2"}, {"months"}),
        ({"months": 1.5}, {"months"}),
        ({"months": True}, {"months"}),
        ({"months": None}, {"months"}),
        ({"months": [1]}, {"months"}),
        *(({"months": months}, {"months"}) for months in (0, -1, 61, 10**18)),
        ({"one_phase": 1}, {"one_phase"}),
        ({"one_phase": {}, "months": {}}, {"one_phase", "months"}),
        ({"month": 3}, {"month"}),
        ([1], {""}),
    ],
)
def test_an_advance_that_is_wrongly_asked_for(
    body: object, fields: set[str], umpire: Api, secret: Campaign
) -> None:
    assert wrong_places(problem(umpire.post(ADVANCE, body), "invalid")) == fields
    assert not Job.objects.exists()


def test_only_the_umpire_advances_and_the_others_are_told_why(as_: As, secret: Campaign) -> None:
    refused = problem(as_("egyptian").post(ADVANCE), "not-allowed")
    assert "umpire" in refused["detail"]
    problem(as_("anonymous").post(ADVANCE), "not-authenticated")
    assert not Job.objects.exists()


def test_advancing_is_throttled_by_itself(umpire: Api, secret: Campaign) -> None:
    asks = (umpire.post(ADVANCE, Idempotency_Key=f"ask {number}") for number in range(31))
    statuses = [asked.status_code for asked in asks]
    assert statuses == [202] * 30 + [429]
    assert umpire.get("/campaigns/secret/").status_code == 200


@pytest.mark.parametrize("key", ["", "february"])
def test_of_many_at_once_one_is_carried_out(
    key: str, live_server: LiveServer, secret: Campaign, people: People
) -> None:
    token = create_token(people.umpire, "test", Scope.values)[1]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    ask = Request(  # noqa: S310  our own live server
        f"{live_server.url}/api/v1{ADVANCE}",
        data=json.dumps(FEBRUARY).encode(),
        headers=headers | ({"Idempotency-Key": key} if key else {"If-Match": '"0.seen"'}),
    )
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: answer_to(ask), range(4)))
    jobs = {document["uuid"] for status, document in answers if status == 202}
    refused = {document["type"] for status, document in answers if status != 202}
    assert len(jobs) == 1
    late = {problem_address("precondition-failed"), problem_address("under-way")}
    assert refused <= (set() if key else late)
    assert Job.objects.count() == 1
    assert Campaign.objects.get(pk=secret.pk).month == secret.month + 1


def answer_to(request: Request) -> tuple[int, dict[str, Any]]:
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  our own live server
            return answer.status, json.load(answer)
    except HTTPError as error:
        return error.code, json.load(error)
