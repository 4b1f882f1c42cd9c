"""Logging in: by token, by session, and not at all."""

from datetime import timedelta
from typing import ClassVar
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle

from accounts import tokens
from accounts.models import Scope, Token
from battles.models import Battle
from campaign.models import Campaign
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import PASSWORD, People

CREDENTIALS = {"username": "umpire", "password": PASSWORD}


def test_name_and_password_give_a_token_until_it_is_revoked(
    people: People, anybody: Api, secret: Campaign
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
    people: People, anybody: Api, secret: Campaign
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD, "name": "bot", "scopes": ["read"]}
    reader = Api(anybody.post("/tokens/", wanted).json()["token"])
    assert reader.get("/campaigns/secret/").status_code == 200
    refused = problem(reader.post("/campaigns/secret/advance/"), "not-in-scope")
    assert refused["scope"] == "umpire"
    seat = secret.seats.get(role="umpire").pk
    leaving = reader.patch(f"/campaigns/secret/seats/{seat}/", {"holder": None})
    refused = problem(leaving, "not-in-scope")
    assert refused["scope"] == "orders"


def test_tokens_are_listed_without_what_is_sent_and_revoked_one_by_one(
    as_: As, people: People, anybody: Api
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


def test_only_the_hash_of_a_token_is_kept(people: People, anybody: Api) -> None:
    key = anybody.post("/tokens/", {"username": "umpire", "password": PASSWORD}).json()["token"]
    kept = Token.objects.get()
    assert key not in {str(value) for value in vars(kept).values()}


@pytest.mark.parametrize("wrong", [{"username": "nobody"}, {"password": "guess"}])
def test_a_wrong_name_and_a_wrong_password_are_refused_alike(
    wrong: dict[str, str], people: People, anybody: Api
) -> None:
    wanted = {"username": "umpire", "password": PASSWORD, **wrong}
    refused = anybody.post("/tokens/", wanted)
    assert problem(refused, "not-authenticated")["detail"].startswith("Nobody has that name")
    assert refused["WWW-Authenticate"].startswith("Bearer")


def test_a_closed_account_gets_no_token_and_its_token_opens_nothing(
    people: People, as_: As, anybody: Api, secret: Campaign
) -> None:
    api = as_("umpire")
    User.objects.filter(username="umpire").update(is_active=False)
    problem(api.get("/campaigns/secret/"), "not-authenticated")
    wanted = {"username": "umpire", "password": PASSWORD}
    problem(anybody.post("/tokens/", wanted), "not-authenticated")


SENT = {
    "no scheme": "",
    "no token": "Bearer",
    "two words": "Bearer two words",
    "a wrong token": "Bearer nonsense",
    "bytes": "Bearer \xff",
    "Basic": "Basic dW1waXJlOnNlY3JldA==",
    "DRF's own scheme": "Token nonsense",
    "Digest": 'Digest username="umpire"',
    "garbage": "%%%",
}
ADDRESSES = [
    *(("get", path) for path in ("/", "/maps/", "/maps/sudan/", "/maps/sudan.geojson", "/schema/")),
    *(("get", path) for path in ("/problems/", "/table-sets/shipped/", "/scenarios/", "/books/")),
    *(("get", path) for path in ("/campaigns/", "/campaigns/shown/", "/campaigns/secret/")),
    *(("get", path) for path in ("/campaigns/shown/events/stream/", "/tokens/", "/account/")),
    *(("get", path) for path in ("/battles/", "/nothing/of/the/kind/")),
    *(("post", path) for path in ("/tokens/", "/accounts/", "/campaigns/", "/password-resets/")),
    ("post", "/campaigns/shown/advance/"),
    ("delete", "/tokens/"),
]


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_authorization_that_is_not_understood_is_refused_everywhere(
    sent: str, people: People, secret: Campaign, shown: Campaign
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
    for client in (Client(), browser):
        for method, path in ADDRESSES:
            answer = getattr(client, method)(
                f"/api/v1{path}", headers={"Authorization": sent}, content_type="application/json"
            )
            problem(answer, "not-authenticated")
            assert answer["WWW-Authenticate"].startswith("Bearer")


def test_the_challenge_says_whether_a_token_was_wrong(db: None) -> None:
    told = {
        sent: Client().get("/api/v1/maps/", headers={"Authorization": sent})["WWW-Authenticate"]
        for sent in ("Bearer wrong", "Basic wrong")
    }
    assert told["Bearer wrong"] == 'Bearer realm="sirdar", error="invalid_token"'
    assert told["Basic wrong"] == 'Bearer realm="sirdar"'


def test_a_session_and_a_right_token_read_public_documents_as_before(
    people: People, as_: As
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
    maps = Client().get("/api/v1/maps/")
    for answer in (maps, browser.get("/api/v1/maps/"), as_("umpire").get("/maps/")):
        assert (answer.status_code, answer.content) == (200, maps.content)
        assert answer["Cache-Control"].startswith("public")


class CountingHasher(MD5PasswordHasher):
    """A hasher that counts how often a password is hashed."""

    hashed: ClassVar[list[str]] = []

    def encode(self, password: str, salt: str) -> str:
        self.hashed.append(password)
        return super().encode(password, salt)


@pytest.mark.parametrize("wrong", [{}, {"password": "guess"}, {"username": "nobody"}])
def test_a_log_in_costs_one_check_of_the_password(
    wrong: dict[str, str], people: People, anybody: Api, settings: LazySettings
) -> None:
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    CountingHasher.hashed.clear()
    anybody.post("/tokens/", CREDENTIALS | wrong)
    assert len(CountingHasher.hashed) == 1


def test_passwords_cannot_be_guessed_at_will(people: People, anybody: Api) -> None:
    wanted = {"username": "umpire", "password": "guess"}
    answers = [anybody.post("/tokens/", wanted) for _ in range(11)]
    assert [answer.status_code for answer in answers] == [401] * 9 + [429] * 2
    problem(answers[-1], "throttled")
    assert 0 < int(answers[-1]["Retry-After"]) <= 900


def test_a_forged_address_does_not_hide_who_guesses(people: People, anybody: Api) -> None:
    wanted = {"username": "umpire", "password": "guess"}
    statuses = [
        anybody.post("/tokens/", wanted, X_Forwarded_For=f"10.0.0.{place}").status_code
        for place in range(11)
    ]
    assert statuses[-1] == 429


def test_a_session_reads_and_writes_only_with_its_csrf_token(
    people: People, secret: Campaign
) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(people.umpire)
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
    people: People, anybody: Api
) -> None:
    permanent, _ = tokens.create_token(people.umpire, "A program", ["read"], days=None)
    wanted = {"username": "umpire", "password": PASSWORD}
    made = [anybody.post("/tokens/", wanted) for _ in range(tokens.MOST_TOKENS + 5)]
    assert {one.status_code for one in made} == {201}
    assert (
        Api(made[-1].json()["token"]).get("/account/").json()["token_count"] == tokens.MOST_TOKENS
    )
    problem(Api(made[0].json()["token"]).get("/account/"), "not-authenticated")
    assert Token.objects.filter(pk=permanent.pk).exists()


@pytest.mark.usefixtures("many_log_ins")
def test_a_log_in_takes_the_place_of_no_token_of_another_name(people: People, anybody: Api) -> None:
    for number in range(tokens.MOST_TOKENS):
        tokens.create_token(people.umpire, f"Number {number}", ["read"], days=None)
    refused = problem(anybody.post("/tokens/", CREDENTIALS | {"name": "Number 1"}), "refused")
    assert "Revoke one that you no longer need" in refused["detail"]
    assert "DELETE /api/v1/tokens/ID/" in refused["detail"]
    assert tokens.tokens_of(people.umpire).count() == tokens.MOST_TOKENS


def test_an_expired_token_is_refused_in_words_and_removed_by_the_next(
    people: People, anybody: Api, secret: Campaign
) -> None:
    made = anybody.post("/tokens/", CREDENTIALS).json()
    api = Api(made["token"])
    for _ in range(2):
        assert api.get("/campaigns/secret/months/current/state/").status_code == 200
    listed = api.get("/tokens/").json()["results"][0]
    assert listed["expires_at"] == made["expires_at"]
    assert listed["last_used_at"] is not None
    Token.objects.update(expires_at=timezone.now() - timedelta(days=1))
    for path in ("/campaigns/secret/months/current/state/", "/tokens/", "/maps/"):
        detail = problem(api.get(path), "not-authenticated")["detail"]
        assert detail.startswith("This token expired on ")
        assert "POST /api/v1/tokens/" in detail
    assert not tokens.tokens_of(people.umpire).exists()
    tokens.create_token(people.umpire, "another", ["read"])
    assert [one.name for one in Token.objects.all()] == ["another"]


def test_expired_tokens_do_not_count_towards_the_limit(people: People) -> None:
    for number in range(tokens.MOST_TOKENS):
        tokens.create_token(people.umpire, f"Number {number}", ["read"])
    Token.objects.update(expires_at=timezone.now())
    tokens.create_token(people.umpire, "another", ["read"])
    assert Token.objects.count() == 1


@pytest.mark.parametrize("days", tokens.LIFETIMES)
def test_a_token_lasts_as_many_days_as_were_chosen(days: int, people: People, anybody: Api) -> None:
    anybody.post("/tokens/", CREDENTIALS | {"days": days})
    token = Token.objects.get()
    assert token.expires_at is not None
    left = token.expires_at - timezone.now()
    assert timedelta(days=days, minutes=-5) < left <= timedelta(days=days)


def test_a_token_lasts_thirty_days_unless_it_is_said_and_for_ever_only_by_null(
    people: People, anybody: Api
) -> None:
    anybody.post("/tokens/", CREDENTIALS)
    token = Token.objects.get()
    assert token.expires_at is not None
    assert (token.expires_at - token.created_at + timedelta(minutes=5)).days == 30
    made = anybody.post("/tokens/", CREDENTIALS | {"days": None})
    assert made.json()["expires_at"] is None


@pytest.mark.parametrize("days", [0, 2, -1, "30", "", True, "never"])
def test_another_number_of_days_is_refused(days: object, people: People, anybody: Api) -> None:
    problem(anybody.post("/tokens/", CREDENTIALS | {"days": days}), "invalid")
    assert not Token.objects.exists()


def limited(people: People, name: str, campaign: Campaign) -> Api:
    """Return a client with a token that is limited to the campaign."""
    return Api(
        tokens.create_token(getattr(people, name), "bot", Scope.values, campaign=campaign)[1]
    )


def test_a_token_of_one_campaign_acts_there(people: People, anybody: Api, secret: Campaign) -> None:
    made = anybody.post("/tokens/", CREDENTIALS | {"campaign": "secret"})
    assert made.json()["campaign"] == "secret"
    api = Api(made.json()["token"])
    assert api.get("/campaigns/secret/").json()["roles"] == ["umpire"]
    job = api.post("/campaigns/secret/advance/")["Location"]
    assert api.get(job).status_code == 200
    assert api.get(f"{job}stream/").status_code == 200
    assert api.get("/campaigns/secret/events/stream/?since=").status_code == 200
    forecast = api.post("/simulations/", {"type": "forecast", "campaign": "secret", "runs": 2})
    assert forecast.status_code == 202
    assert api.get(forecast["Location"]).status_code == 200


def test_a_token_of_one_campaign_sees_elsewhere_what_the_public_sees(
    people: People, secret: Campaign, shown: Campaign
) -> None:
    api = limited(people, "umpire", secret)
    for path in ("/maps/", "/scenarios/", "/table-sets/shipped/", "/", "/schema/"):
        assert api.get(path).status_code == 200
    assert api.get("/campaigns/shown/").json()["roles"] == []
    assert [one["slug"] for one in api.get("/campaigns/").json()["results"]] == ["shown"]
    assert api.get("/campaigns/shown/months/").status_code == 200
    problem(api.get("/campaigns/shown/months/1999-01/state/"), "not-found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", "/campaigns/secret/"),
        ("get", "/campaigns/secret/events/stream/"),
        ("get", "/campaigns/absent/"),
        ("post", "/campaigns/secret/advance/"),
        ("post", "/campaigns/"),
        ("get", "/account/"),
        ("patch", "/account/notifications/"),
        ("put", "/account/password/"),
        ("get", "/webhooks/"),
        ("post", "/webhooks/"),
        ("post", "/table-sets/"),
        ("post", "/battles/"),
        ("post", "/invitations/winter/"),
        ("post", "/simulations/"),
        ("get", "/simulations/"),
        ("get", f"/simulations/{UUID(int=1)}/"),
        ("get", f"/battles/{UUID(int=1)}/"),
        ("get", f"/jobs/{UUID(int=1)}/"),
        ("get", f"/jobs/{UUID(int=1)}/stream/"),
    ],
)
def test_a_token_of_one_campaign_opens_nothing_else(
    method: str, path: str, people: People, secret: Campaign, shown: Campaign
) -> None:
    api = limited(people, "umpire", shown)
    refused = problem(api.write(method, path), "not-in-scope")
    assert refused["campaign"] == "shown"
    assert refused["detail"].startswith("This token opens the campaign `shown`")


def test_jobs_and_battles_of_another_campaign_are_closed_to_it(
    people: People, as_: As, secret: Campaign, shown: Campaign
) -> None:
    job = as_("umpire").post("/campaigns/secret/advance/")["Location"]
    battle = Battle.objects.create(
        title="A skirmish", owner="campaign:secret", brief_id="one", way=Battle.Way.TABLETOP
    )
    api, own = limited(people, "umpire", shown), limited(people, "umpire", secret)
    for address in (job, f"/battles/{battle.uuid}/report/"):
        problem(api.get(address), "not-in-scope")
        assert own.get(address).status_code != 403


def test_a_token_of_one_campaign_sees_and_revokes_itself_alone(
    people: People, as_: As, secret: Campaign
) -> None:
    umpire, api = as_("umpire"), limited(people, "umpire", secret)
    (line,) = api.get("/tokens/").json()["results"]
    assert (line["name"], line["campaign"]) == ("bot", "secret")
    others = [one["id"] for one in umpire.get("/tokens/").json()["results"] if one["name"] != "bot"]
    problem(api.ask("delete", f"/tokens/{others[0]}/"), "not-found")
    assert api.ask("delete", "/tokens/").status_code == 204
    problem(api.get("/tokens/"), "not-authenticated")


def test_a_token_is_limited_only_to_a_campaign_that_its_user_sees(
    people: People, anybody: Api, secret: Campaign
) -> None:
    told = []
    for slug in ("secret", "absent"):
        wanted = CREDENTIALS | {"username": "stranger", "campaign": slug}
        refused = problem(anybody.post("/tokens/", wanted), "unfit")
        assert wrong_places(refused) == {"campaign"}
        told.append(refused["errors"][0]["detail"].replace(slug, "SLUG"))
    assert told[0] == told[1]
    assert not Token.objects.exists()
