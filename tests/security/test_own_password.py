"""A password changed by its owner, or set anew by the keeper: who may, and what ends with it."""

import json
from io import StringIO
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from accounts.models import Scope, Token
from accounts.tokens import create_token
from tests.people import PASSWORD, People
from tests.security.test_passwords import DOORS, HOME, knock, let_in, unhurried
from tests.security.test_sessions import is_logged_in, logged_in

__all__ = ["unhurried"]

PAGE = "/accounts/password/"
ANOTHER = "four-camels-at-noon"


def change(client: Client, old: str = PASSWORD, new: str = ANOTHER, **more: str) -> Any:
    given = {"old_password": old, "new_password1": new, "new_password2": new, **more}
    return client.post(PAGE, given, REMOTE_ADDR=HOME)


def token_of(user: User) -> str:
    return create_token(user, "A map", [Scope.READ])[1]


def opens(key: str) -> bool:
    answer = Client().get("/api/v1/tokens/", headers={"Authorization": f"Bearer {key}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def test_a_password_is_changed_by_whoever_knows_it(people: People) -> None:
    client = logged_in(people)
    assert change(client)["Location"] == reverse("account")
    assert [let_in(knock(DOORS[0], "umpire", one)) for one in (PASSWORD, ANOTHER)] == [False, True]


def test_the_page_is_found_from_ones_tokens_and_says_what_ends(people: People) -> None:
    client = logged_in(people)
    token_of(people.umpire)
    assert f'href="{PAGE}"' in client.get(reverse("account")).content.decode()
    page = client.get(PAGE).content.decode()
    assert "are logged out everywhere else" in page
    assert "1 token</a>" in page
    assert 'name="revoke" aria-describedby="id_revoke_helptext" id="id_revoke" checked' in page


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("guess", ANOTHER, "not your password"),
        (PASSWORD, "umpire12", "too similar"),
        (PASSWORD, "12345678", "numeric"),
        (PASSWORD, "short", "too short"),
        (PASSWORD, "camels-" * 29, "at most 200 characters"),
    ],
)
def test_what_will_not_do_is_said_and_nothing_changed(
    people: People, old: str, new: str, wrong: str
) -> None:
    answer = change(logged_in(people), old, new)
    assert answer.status_code == 400
    assert wrong in answer.content.decode()
    assert let_in(knock(DOORS[0], "umpire", PASSWORD))


def test_a_password_from_before_that_is_too_long_now_logs_in_and_is_changed(
    people: People,
) -> None:
    long = "camels-" * 50
    for name in ("umpire", "egyptian"):
        user = getattr(people, name)
        user.set_password(long)
        user.save()
        assert all(let_in(knock(door, name, long)) for door in (DOORS[0], DOORS[2]))
    client = Client()
    client.force_login(people.umpire)
    assert change(client, old=long)["Location"] == reverse("account")
    key = json.loads(knock(DOORS[2], "egyptian", long).content)["token"]
    changed = Client().put(
        "/api/v1/account/password/",
        {"password": long, "new_password": ANOTHER},
        content_type="application/json",
        headers={"Authorization": f"Bearer {key}"},
    )
    assert changed.status_code == 200
    assert all(let_in(knock(DOORS[2], name, ANOTHER)) for name in ("umpire", "egyptian"))


def test_nobody_registers_with_a_password_that_is_too_long(db: None) -> None:
    long = "camels-" * 29
    given = {"username": "Wood", "password1": long, "password2": long}
    page = Client().post(reverse("register"), given)
    assert page.status_code == 400
    assert "at most 200 characters" in page.content.decode()
    given = {"username": "Wood", "password": long}
    answer = Client().post("/api/v1/accounts/", given, content_type="application/json")
    assert [one["pointer"] for one in answer.json()["errors"]] == ["/password"]
    assert "1 to 200 characters" in answer.json()["errors"][0]["detail"]
    assert not User.objects.filter(username="Wood").exists()


@pytest.mark.parametrize("revoke", ["on", ""])
def test_a_name_and_an_address_changed_in_another_tab_meanwhile_stay(
    people: People, monkeypatch: pytest.MonkeyPatch, revoke: str
) -> None:
    """The page works on the two hashes for half a second, in which the other tab is answered."""

    def check_slowly(*args: Any, **given: Any) -> Any:
        other_tab = {"email": "new@example.org", "first_name": "Gordon Pasha"}
        User.objects.filter(pk=people.umpire.pk).update(**other_tab)
        return authenticate(*args, **given)

    monkeypatch.setattr("accounts.passwords.authenticate", check_slowly)
    assert change(logged_in(people), revoke=revoke).status_code == 302
    umpire = User.objects.get(pk=people.umpire.pk)
    assert (umpire.email, umpire.first_name) == ("new@example.org", "Gordon Pasha")


def test_whoever_changes_it_stays_logged_in_and_nobody_else_does(people: People) -> None:
    here, there = logged_in(people), logged_in(people)
    change(here)
    assert [is_logged_in(here), is_logged_in(there)] == [True, False]


@pytest.mark.parametrize(("more", "left"), [({"revoke": "on"}, False), ({}, True)])
def test_tokens_end_with_it_or_go_on_as_he_says(
    people: People, more: dict[str, str], left: bool
) -> None:
    mine, others = token_of(people.umpire), token_of(people.egyptian)
    client = logged_in(people)
    change(client, **more)
    assert [opens(mine), opens(others)] == [left, True]
    told = client.get(reverse("account")).content.decode()
    assert ("tokens stay valid" in told, "tokens are revoked" in told) == (left, not left)


def test_a_wrong_try_ends_no_token(people: People) -> None:
    key = token_of(people.umpire)
    change(logged_in(people), "guess", revoke="on")
    assert opens(key)


def test_a_password_the_keeper_sets_ends_tokens_too(
    people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = token_of(people.umpire)
    monkeypatch.setattr("getpass.getpass", lambda **_: ANOTHER)
    call_command("changepassword", "umpire", stdout=StringIO())
    assert not opens(key)


def test_a_password_that_is_hashed_anew_at_log_in_ends_nothing(
    people: People, settings: Any
) -> None:
    key = token_of(people.umpire)
    before = User.objects.get(pk=people.umpire.pk).password
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2SHA1PasswordHasher",
        *settings.PASSWORD_HASHERS,
    ]
    logged_in(people)
    assert User.objects.get(pk=people.umpire.pk).password != before
    assert opens(key)


@pytest.mark.usefixtures("unhurried")
def test_guessing_the_old_one_closes_every_door_as_guessing_at_log_in_does(people: People) -> None:
    client = logged_in(people)
    answers = [change(client, f"guess-{number}") for number in range(10)]
    assert 302 not in {one.status_code for one in answers}
    refused = change(client)
    assert (refused.status_code, refused["Retry-After"]) == (429, str(15 * 60))
    assert "Too many" in refused.content.decode()
    assert [knock(door, "umpire", PASSWORD).status_code for door in DOORS] == [429, 429, 429]


@pytest.mark.usefixtures("unhurried")
def test_what_was_guessed_at_log_in_counts_here(people: People) -> None:
    client = logged_in(people)
    for number in range(10):
        knock(DOORS[0], "umpire", f"guess-{number}")
    assert change(client).status_code == 429


def test_tries_of_an_address_are_counted_whatever_the_name(people: People) -> None:
    client = Client()
    client.force_login(people.egyptian)
    for number in range(30):
        knock(DOORS[0], f"somebody-{number}", "password1")
    assert change(client).status_code == 429


def test_neither_password_of_a_try_is_kept(people: People) -> None:
    change(logged_in(people), "my-other-secret", "my-third-secret")
    kept = str(list(AccessAttempt.objects.values_list("get_data", "post_data", "path_info")))
    assert PAGE in kept
    assert "secret" not in kept


def test_a_session_without_an_owner_is_sent_to_log_in(people: People) -> None:
    for answer in (Client().get(PAGE), change(Client())):
        assert answer["Location"].startswith(reverse("login"))
    assert not Token.objects.exists()


def test_the_keepers_own_page_leads_to_the_same(people: People) -> None:
    people.umpire.is_staff = True
    people.umpire.save()
    assert logged_in(people).get("/admin/password_change/")["Location"] == PAGE
