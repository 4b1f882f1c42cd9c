"""Logging in: by token, by session, and not at all."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from api.http import authentication
from api.models import Token
from campaign.models import Campaign
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.people import PASSWORD


def test_name_and_password_give_a_token_until_it_is_revoked(
    people: dict[str, User], anybody: Api, secret: Campaign
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD}
    first, second = (anybody.post("/tokens/", wanted) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["token"] != second.json()["token"]
    assert first.json()["scopes"] == ["read", "orders", "umpire"]
    assert first["Cache-Control"] == "no-store"
    api = Api(first.json()["token"])
    assert api.get("/campaigns/secret/").status_code == 200
    assert api.ask("delete", "/tokens/").status_code == 204
    refused = api.get("/campaigns/secret/")
    problem(refused, "not-authenticated")
    assert refused["WWW-Authenticate"].startswith("Bearer")
    assert Api(second.json()["token"]).get("/campaigns/secret/").status_code == 200


def test_a_token_opens_what_it_was_made_for_and_no_more(
    people: dict[str, User], anybody: Api, secret: Campaign
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD, "name": "bot", "scopes": ["read"]}
    reader = Api(anybody.post("/tokens/", wanted).json()["token"])
    assert reader.get("/campaigns/secret/").status_code == 200
    refused = problem(reader.post("/campaigns/secret/advance/"), "not-in-scope")
    assert refused["scope"] == "umpire"
    seat = secret.seats.get(role="umpire").pk
    refused = problem(reader.post(f"/campaigns/secret/seats/{seat}/departure/"), "not-in-scope")
    assert refused["scope"] == "orders"


def test_tokens_are_listed_without_what_is_sent_and_revoked_one_by_one(
    as_: As, people: dict[str, User], anybody: Api
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD, "name": "bot", "scopes": ["read"]}
    made = anybody.post("/tokens/", wanted)
    umpire = as_("umpire")
    listed = umpire.get("/tokens/")
    assert [line["name"] for line in listed.json()["results"]] == ["test", "bot"]
    assert made.json()["token"].encode() not in listed.content
    assert problem(as_("egyptian").ask("delete", made["Location"]), "not-found")
    assert umpire.ask("delete", made["Location"]).status_code == 204
    problem(Api(made.json()["token"]).get("/campaigns/"), "not-authenticated")


def test_only_the_hash_of_a_token_is_kept(people: dict[str, User], anybody: Api) -> None:
    key = anybody.post("/tokens/", {"username": "umpire", "password": PASSWORD}).json()["token"]
    kept = Token.objects.get()
    assert key not in {str(value) for value in vars(kept).values()}


@pytest.mark.parametrize("wrong", [{"username": "nobody"}, {"password": "guess"}])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(
    wrong: dict[str, str], people: dict[str, User], anybody: Api
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD, **wrong}
    refused = anybody.post("/tokens/", wanted)
    assert problem(refused, "not-authenticated")["detail"].startswith("Nobody has that name")
    assert refused["WWW-Authenticate"].startswith("Bearer")


def test_a_closed_account_gets_no_token_and_its_token_opens_nothing(
    people: dict[str, User], as_: As, anybody: Api, secret: Campaign
) -> None:
    api = as_("umpire")
    User.objects.filter(username="umpire").update(is_active=False)
    problem(api.get("/campaigns/secret/"), "not-authenticated")
    wanted = {"username": "umpire", "password": PASSWORD}
    problem(anybody.post("/tokens/", wanted), "not-authenticated")


@pytest.mark.parametrize("sent", ["Bearer", "Bearer two words", "Bearer nonsense", "Bearer \xff"])
def test_what_is_no_token_is_refused_even_where_anybody_may_read(
    sent: str, db: None, anybody: Api
) -> None:
    problem(anybody.get("/campaigns/", Authorization=sent), "not-authenticated")


def test_passwords_cannot_be_guessed_at_will(people: dict[str, User], anybody: Api) -> None:
    wanted = {"username": "umpire", "password": "guess"}
    answers = [anybody.post("/tokens/", wanted) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 9 + [429] * 2
    problem(answers[-1], "throttled")
    assert 0 < int(answers[-1]["Retry-After"]) <= 900


def test_a_forged_address_does_not_hide_who_guesses(people: dict[str, User], anybody: Api) -> None:
    wanted = {"username": "umpire", "password": "guess"}
    statuses = [
        anybody.post("/tokens/", wanted, X_Forwarded_For=f"10.0.0.{place}").status_code
        for place in range(11)
    ]
    assert statuses[-1] == 429


def test_a_session_reads_and_writes_only_with_its_csrf_token(
    people: dict[str, User], secret: Campaign
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(people["umpire"])
    assert browser.get("/api/v1/campaigns/secret/").json()["roles"] == ["umpire"]
    advance = "/api/v1/campaigns/secret/advance/"
    refused = browser.post(advance, {}, content_type="application/json")
    assert "CSRF" in problem(refused, "not-allowed")["detail"]
    browser.get("/accounts/login/")
    csrf = browser.cookies["csrftoken"].value
    sent = browser.post(advance, {}, content_type="application/json", headers={"X-CSRFToken": csrf})
    assert sent.status_code == 202


@pytest.fixture
def many_log_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, "log-in": "100/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


@pytest.mark.usefixtures("many_log_ins")
def test_a_program_that_never_revokes_its_tokens_can_log_in_for_ever(
    people: dict[str, User], anybody: Api
) -> None:
    of_the_page, _ = authentication.create_token(people["umpire"], "A program", ["read"])
    wanted = {"username": "umpire", "password": PASSWORD}
    made = [anybody.post("/tokens/", wanted) for _ in range(authentication.MOST + 5)]
    assert {one.status_code for one in made} == {201}
    assert Api(made[-1].json()["token"]).get("/account/").json()["tokens"] == authentication.MOST
    problem(Api(made[0].json()["token"]).get("/account/"), "not-authenticated")
    assert Token.objects.filter(pk=of_the_page.pk).exists()


@pytest.mark.usefixtures("many_log_ins")
def test_a_log_in_takes_the_place_of_no_token_of_another_name(
    people: dict[str, User], anybody: Api
) -> None:
    for number in range(authentication.MOST):
        authentication.create_token(people["umpire"], f"Number {number}", ["read"])
    wanted = {"username": "umpire", "password": PASSWORD, "name": "Number 1"}
    assert "revoke one first" in problem(anybody.post("/tokens/", wanted), "refused")["detail"]
    assert authentication.tokens_of(people["umpire"]).count() == authentication.MOST


def test_a_token_of_a_log_in_expires_and_then_opens_nothing(
    people: dict[str, User], anybody: Api, secret: Campaign
) -> None:
    made = anybody.post("/tokens/", {"username": "umpire", "password": PASSWORD}).json()
    api, token = Api(made["token"]), Token.objects.get()
    assert token.expires is not None
    assert (
        timedelta(days=89) < token.expires - timezone.now() <= authentication.LOGIN_TOKEN_LIFETIME
    )
    for _ in range(2):
        assert api.get("/campaigns/secret/state/").status_code == 200
    assert api.get("/tokens/").json()["results"][0]["expires"] == made["expires"]
    Token.objects.update(expires=timezone.now())
    problem(api.get("/campaigns/secret/state/"), "not-authenticated")
    problem(api.get("/tokens/"), "not-authenticated")
    assert not authentication.tokens_of(people["umpire"]).exists()
    authentication.create_token(people["umpire"], "another", ["read"])
    assert [one.name for one in Token.objects.all()] == ["another"]
