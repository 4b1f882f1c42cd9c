"""The quotas of what is made count what was made, and nothing else."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from rest_framework.throttling import SimpleRateThrottle

from api.http import throttles
from api.http.responses import shelf
from campaign.models import Campaign, Seat
from campaign.services.journal import creation
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.people import PASSWORD, People

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
    terms = {"type": "rehearsal", "campaign": "written", "seat_id": seat.pk, "draft": {}}
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
        problem(umpire.post("/campaigns/secret/advance/", {"months": 0}), "invalid")
    with django_capture_on_commit_callbacks(execute=True):
        assert umpire.post("/campaigns/secret/advance/").status_code == 202
    problem(umpire.post("/campaigns/secret/advance/"), "throttled")


def test_letters_use_up_no_campaigns_and_have_a_limit_of_their_own(
    as_: As, secret: Campaign, rate: Rate
) -> None:
    rate("create", "1/hour")
    rate("letters", "2/hour")
    seats = {seat.role: seat.pk for seat in secret.seats.all()}
    letter = {"sender_id": seats["egyptian"], "reader_ids": [seats["umpire"]], "text": "Hold on."}
    player, letters = as_("egyptian"), "/campaigns/secret/letters/"
    assert [player.post(letters, letter).status_code for _ in range(2)] == [201, 201]
    refused = player.post(letters, letter)
    problem(refused, "throttled")
    assert '"letters";r=0' in refused["RateLimit"]
    assert player.post("/campaigns/", GOOD).status_code == 201


def test_an_answer_tells_what_is_left_of_each_limit(umpire: Api) -> None:
    first = umpire.get("/campaigns/")
    assert first["RateLimit-Policy"] == '"user";q=600;w=60'
    assert first["RateLimit"] == '"user";r=599;t=60'
    assert umpire.get("/campaigns/")["RateLimit"].startswith('"user";r=598;t=')
    both = umpire.post("/campaigns/", WRONG)
    assert both["RateLimit-Policy"] == '"user";q=600;w=60, "create";q=20;w=3600'
    assert both["RateLimit"].endswith('"create";r=20;t=3600')
    assert umpire.post("/campaigns/", GOOD)["RateLimit"].endswith('"create";r=19;t=3600')


def test_what_has_no_limit_tells_of_none(anybody: Api, umpire: Api) -> None:
    for path in ("/maps/", "/maps/sudan/", "/rulings/", "/problems/"):
        assert "RateLimit" not in anybody.get(path)
    assert '"create"' not in umpire.get("/campaigns/")["RateLimit"]


def test_a_document_that_is_ready_is_not_counted(anybody: Api, shown: Campaign, rate: Rate) -> None:
    shelf.__init__()  # type: ignore[misc]
    rate("anon", "2/min")
    path = "/campaigns/shown/months/current/state/"
    made, *ready = [anybody.get(path) for _ in range(5)]
    assert "r=1" in made["RateLimit"]
    assert {(one.status_code, "RateLimit" in one) for one in ready} == {(200, False)}
    hidden = [anybody.get("/campaigns/none/months/current/state/") for _ in range(2)]
    assert [one.status_code for one in hidden] == [404, 429]


def test_a_refusal_tells_that_nothing_is_left_and_when_to_come_back(
    anybody: Api, db: None, rate: Rate
) -> None:
    rate("anon", "3/min")
    answers = [anybody.get("/campaigns/") for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    left = [one["RateLimit"].partition(",")[0].split(";")[1] for one in answers]
    assert left == ["r=2", "r=1", "r=0", "r=0"]
    wait = answers[-1]["Retry-After"]
    assert answers[-1]["RateLimit"].startswith(f'"anon";r=0;t={wait},')
    detail = problem(answers[-1], "throttled")["detail"]
    assert detail.startswith("Too many requests of this kind: nothing was done. Send it again in ")


def test_where_nothing_can_be_counted_reading_goes_on(
    anybody: Api, people: People, settings: LazySettings, tmp_path: Path
) -> None:
    """As on a full disk: the counts are files where there is no Redis."""
    (tmp_path / "full").touch()
    location = {"LOCATION": str(tmp_path / "full" / "cache")}
    default = {**settings.CACHES["default"], **location}
    settings.CACHES = {**settings.CACHES, "default": default}
    assert anybody.get("/campaigns/").status_code == 200
    wanted = {"username": "umpire", "password": PASSWORD}
    token = anybody.post("/tokens/", wanted).json()["token"]
    assert Api(token).post("/campaigns/", GOOD).status_code == 201


def test_the_page_names_the_limits_as_they_are() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (\d+) an? (minute|hour) \|", page, re.MULTILINE)
    told = {name: f"{many}/{'min' if time == 'minute' else time}" for name, many, time in rows}
    rates = SimpleRateThrottle.THROTTLE_RATES
    assert told == {name: rates[name] for name in told}
    named = {kind.scope for kind in vars(throttles).values() if hasattr(kind, "scope")}
    assert set(told) == {"anon", "user"} | {name for name in named if name}
