"""One's own account, by REST: who one is, another password, another address, a forgotten one."""

import re
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from accounts.models import Scope
from accounts.tokens import create_token
from api.models import Answered
from tests.api.conftest import Api, As
from tests.api.problems import problem, wrong_places
from tests.people import PASSWORD, People, logged_in
from tests.security.test_passwords import DOORS, HOME, knock, let_in, unhurried
from tests.security.test_sessions import is_logged_in

__all__ = ["unhurried"]

ANOTHER = "four-camels-at-noon"
OLD, NEW = "umpire@example.org", "wood@example.org"
WRONG = {"password": "guess", "new_password": ANOTHER}
RIGHT = {"password": PASSWORD, "new_password": ANOTHER}


def opens(password: str, name: str = "umpire") -> bool:
    return let_in(knock(DOORS[2], name, password))


def change(client: Client, path: str, body: object) -> Any:
    method = client.put if path == "/account/password/" else client.patch
    return method(f"/api/v1{path}", body, content_type="application/json")


def letter() -> str:
    """Return the last part of the link in the last letter."""
    site = re.escape(settings.SITE_URL.rstrip("/"))
    found = re.search(rf"{site}(/\S+)", str(mail.outbox[-1].body))
    assert found
    return found[1].rstrip("/").rpartition("/")[2]


@pytest.fixture
def written(people: People) -> User:
    """The umpire, who has given an address."""
    User.objects.filter(pk=people.umpire.pk).update(email=OLD)
    return User.objects.get(pk=people.umpire.pk)


def address_of(user: User) -> str:
    return User.objects.get(pk=user.pk).email


def test_an_account_says_who_one_is_and_where_the_rest_is(written: User, umpire: Api) -> None:
    told = umpire.get("/account/").json()
    assert (told["username"], told["email"], told["token_count"]) == ("umpire", OLD, 1)
    assert umpire.get(told["links"]["notifications"]).status_code == 200


@pytest.mark.parametrize("path", ["/account/password/", "/account/"])
def test_nobody_changes_what_is_nobodys(path: str, db: None, anybody: Api) -> None:
    asked = anybody.put if path == "/account/password/" else anybody.patch
    problem(asked(path, RIGHT), "not-authenticated")
    problem(anybody.get("/account/"), "not-authenticated")


def test_a_token_that_reads_changes_no_password(people: People) -> None:
    reader = Api(create_token(people.umpire, "a map", [Scope.READ])[1])
    assert problem(reader.put("/account/password/", RIGHT), "not-in-scope")["scope"] == "orders"
    assert opens(PASSWORD)


def test_a_password_is_changed_by_whoever_knows_it_and_tokens_end(as_: As, umpire: Api) -> None:
    told = umpire.put("/account/password/", RIGHT)
    assert (told.status_code, told.json()["token_count"]) == (200, 0)
    assert [opens(one) for one in (PASSWORD, ANOTHER)] == [False, True]
    problem(umpire.get("/account/"), "not-authenticated")
    assert as_("egyptian").get("/account/").status_code == 200


def test_tokens_go_on_where_that_is_said(umpire: Api) -> None:
    told = umpire.put("/account/password/", {**RIGHT, "revoke_tokens": False}).json()
    assert told["token_count"] == 1
    assert umpire.get("/account/").status_code == 200
    assert opens(ANOTHER)


def test_the_session_that_changes_it_goes_on_and_others_end(people: People) -> None:
    here, there = logged_in(people.umpire), logged_in(people.umpire)
    assert change(here, "/account/password/", RIGHT).status_code == 200
    assert [is_logged_in(here), is_logged_in(there)] == [True, False]


def test_a_session_ends_where_a_token_changes_the_password(people: People, umpire: Api) -> None:
    there = logged_in(people.umpire)
    umpire.put("/account/password/", {**RIGHT, "revoke_tokens": False})
    assert not is_logged_in(there)


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    [
        (WRONG, "password", "not your password"),
        ({**RIGHT, "new_password": "umpire12"}, "new_password", "too similar"),
        ({**RIGHT, "new_password": "12345678"}, "new_password", "numeric"),
        ({"password": PASSWORD}, "new_password", "required"),
    ],
)
def test_what_will_not_do_is_said_by_field_and_nothing_changed(
    umpire: Api, sent: dict[str, str], field: str, words: str
) -> None:
    kind = "invalid" if words == "required" else "unfit"
    refused = problem(umpire.put("/account/password/", sent), kind)
    assert words in next(
        one["detail"] for one in refused["errors"] if one["pointer"] == f"/{field}"
    )
    assert opens(PASSWORD)
    assert umpire.get("/account/").status_code == 200


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("path", ["/account/password/", "/account/"])
def test_guessing_it_closes_every_door_as_guessing_at_log_in_does(written: User, path: str) -> None:
    client = Client(REMOTE_ADDR=HOME)
    client.force_login(written)
    sent = {"new_password": ANOTHER} if "password" in path else {"email": NEW}
    guesses = [change(client, path, {**sent, "password": f"guess-{one}"}) for one in range(9)]
    assert {one.status_code for one in guesses} == {422}
    change(client, path, {**sent, "password": "guess-9"})
    refused = change(client, path, {**sent, "password": PASSWORD})
    assert "Too many" in problem(refused, "throttled")["detail"]
    assert refused["Retry-After"] == str(15 * 60)
    assert [knock(door, "umpire", PASSWORD).status_code for door in DOORS] == [429, 429, 429]
    assert mail.outbox == []


def test_tries_of_an_address_are_counted_with_log_ins(people: People) -> None:
    for number in range(10):
        knock(DOORS[2], f"somebody-{number}", "password1")
    client = Client(REMOTE_ADDR=HOME)
    client.force_login(people.umpire)
    refused = change(client, "/account/password/", RIGHT)
    assert problem(refused, "throttled")["status"] == 429
    assert is_logged_in(client)


def test_no_password_of_a_try_is_kept(umpire: Api) -> None:
    sent = {"password": "my-other-secret", "new_password": "my-third-secret"}
    umpire.put("/account/password/", sent, Idempotency_Key="camels")
    kept = str(list(AccessAttempt.objects.values()))
    assert "/account/password/" in kept
    assert "secret" not in kept
    assert not Answered.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_letter_confirms_the_new_address_and_the_old_one_is_told(
    written: User, umpire: Api
) -> None:
    asked = umpire.patch("/account/", {"email": NEW, "password": PASSWORD})
    assert (asked.status_code, asked.json()["email"]) == (200, OLD)
    assert [one.to for one in mail.outbox] == [[NEW]]
    assert address_of(written) == OLD
    taken = umpire.post(f"/email-confirmations/{letter()}/")
    assert (taken.status_code, taken.json()["email"]) == (200, NEW)
    assert [one.to for one in mail.outbox] == [[NEW], [OLD]]


@pytest.mark.django_db(transaction=True)
def test_a_letter_is_good_once_and_for_whom_it_is_meant(
    written: User, umpire: Api, as_: As
) -> None:
    umpire.patch("/account/", {"email": NEW, "password": PASSWORD})
    link = f"/email-confirmations/{letter()}/"
    problem(as_("egyptian").post(link), "refused")
    problem(as_("anonymous").post(link), "not-authenticated")
    assert address_of(written) == OLD
    assert umpire.post(link).status_code == 200
    problem(umpire.post(link), "refused")


@pytest.mark.django_db(transaction=True)
def test_no_address_at_all_is_so_at_once(written: User, umpire: Api) -> None:
    told = umpire.patch("/account/", {"email": None, "password": PASSWORD})
    assert (told.status_code, told.json()["email"]) == (200, None)
    assert [one.to for one in mail.outbox] == [[OLD]]


@pytest.mark.parametrize(
    ("sent", "field", "kind"),
    [
        ({"email": NEW, "password": "guess"}, "password", "unfit"),
        ({"email": "khartoum", "password": PASSWORD}, "email", "invalid"),
        ({"email": OLD, "password": PASSWORD}, "email", "unfit"),
    ],
)
def test_what_is_wrong_with_an_address_is_said_and_nothing_sent(
    written: User, umpire: Api, sent: dict[str, str], field: str, kind: str
) -> None:
    refused = problem(umpire.patch("/account/", sent), kind)
    assert wrong_places(refused) == {field}
    assert (address_of(written), mail.outbox) == (OLD, [])


def test_letters_go_out_not_too_often(written: User, umpire: Api) -> None:
    answers = [umpire.patch("/account/", {"email": NEW, "password": PASSWORD}) for _ in range(4)]
    assert [one.status_code for one in answers] == [200, 200, 200, 429]
    assert "Too many e-mails" in problem(answers[-1], "throttled")["detail"]
    assert int(answers[-1]["Retry-After"]) > 60


@pytest.mark.django_db(transaction=True)
def test_a_letter_that_cannot_be_sent_is_said(
    written: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "EMAIL_BACKEND", "django.core.mail.backends.smtp.EmailBackend")
    monkeypatch.setattr(settings, "EMAIL_PORT", 9)
    umpire = Api(create_token(written, "test", Scope.values)[1], raise_request_exception=False)
    refused = umpire.patch("/account/", {"email": NEW, "password": PASSWORD})
    assert "could not be sent" in problem(refused, "unavailable")["detail"]
    assert address_of(written) == OLD


def test_a_forgotten_password_is_another_by_letter_and_everything_else_ends(
    written: User, umpire: Api, anybody: Api
) -> None:
    there = logged_in(written)
    assert anybody.post("/password-resets/", {"email": OLD}).status_code == 204
    link = re.search(r"/accounts/password/(\S+/\S+)/", str(mail.outbox[-1].body))
    assert link
    here = f"/password-resets/{link[1]}/"
    weak = problem(anybody.post(here, {"new_password": "12345678"}), "unfit")
    assert "numeric" in str(weak["errors"])
    assert wrong_places(weak) == {"new_password"}
    assert anybody.post(here, {"new_password": ANOTHER}).json()["username"] == "umpire"
    assert [opens(one) for one in (PASSWORD, ANOTHER)] == [False, True]
    assert not is_logged_in(there)
    problem(umpire.get("/account/"), "not-authenticated")
    problem(anybody.post(here, {"new_password": PASSWORD}), "refused")


@pytest.mark.parametrize("uid", ["MQ", "none", "9999"])
def test_what_no_letter_says_recovers_nothing(people: People, anybody: Api, uid: str) -> None:
    sent = {"new_password": ANOTHER}
    problem(anybody.post(f"/password-resets/{uid}/of-no-letter/", sent), "refused")


def test_nobody_learns_who_is_here_by_forgetting(written: User, anybody: Api) -> None:
    told = [
        anybody.post("/password-resets/", {"email": one}) for one in (OLD, "nobody@example.org")
    ]
    assert told[0].content == told[1].content
    assert len(mail.outbox) == 1


def test_who_forgets_too_often_is_told_to_wait(
    written: User, anybody: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, "log-in": "1/min"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    anybody.post("/password-resets/", {"email": OLD})
    problem(anybody.post("/password-resets/", {"email": OLD}), "throttled")
