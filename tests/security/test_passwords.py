"""Guessing passwords: counted by name and address on every door, and by address over all names."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, override_settings
from django.urls import reverse
from rest_framework.throttling import SimpleRateThrottle

from tests.people import PASSWORD, People

DOORS = ("/accounts/login/", "/admin/login/", "/api/v1/tokens/")
HOME, CAFE = "192.0.2.1", "198.51.100.7"


def knock(door: str, name: str, password: str, address: str = HOME, **headers: str) -> Any:
    """Try to log in there, from a browser or a program that knows nothing yet."""
    given = {"username": name, "password": password}
    kind = "application/json" if door.startswith("/api/") else None
    about: Any = {"content_type": kind} if kind else {}
    return Client(REMOTE_ADDR=address).post(door, given, headers=headers, **about)


def let_in(answer: Any) -> bool:
    return answer.status_code in (201, 302)


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries are not counted by address alone, so that only the wrong ones for a name are."""
    rates = dict.fromkeys(("log-in", "log-in-page"), "1000/min")
    rates = {**SimpleRateThrottle.THROTTLE_RATES, **rates}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.usefixtures("unhurried")
def test_after_ten_wrong_passwords_the_right_one_opens_nothing_either(
    people: People, door: str
) -> None:
    tries = [knock(door, "umpire", f"guess-{number}") for number in range(10)]
    assert not any(let_in(one) for one in tries)
    refused = knock(door, "umpire", PASSWORD)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) == 15 * 60
    assert "Too many" in refused.content.decode()


@pytest.mark.usefixtures("unhurried")
def test_who_is_shut_out_is_led_to_another_password(people: People) -> None:
    for number in range(10):
        knock(DOORS[0], "umpire", f"guess-{number}")
    page = knock(DOORS[0], "umpire", PASSWORD).content.decode()
    assert f'href="{reverse("forgotten-password")}"' in page


@pytest.mark.usefixtures("unhurried")
def test_what_is_closed_at_one_door_is_closed_at_all(people: People) -> None:
    for number in range(10):
        knock(DOORS[number % 3], "umpire", "wrong")
    assert [knock(door, "umpire", PASSWORD).status_code for door in DOORS] == [429, 429, 429]


@pytest.mark.usefixtures("unhurried")
def test_nobody_is_locked_out_by_what_others_try_elsewhere(people: People) -> None:
    for _ in range(12):
        knock(DOORS[0], "umpire", "wrong", CAFE)
    assert let_in(knock(DOORS[0], "umpire", PASSWORD, HOME))
    assert let_in(knock(DOORS[0], "egyptian", PASSWORD, CAFE))


@pytest.mark.usefixtures("unhurried")
def test_trying_on_while_it_is_closed_does_not_keep_it_closed(people: People) -> None:
    for _ in range(12):
        knock(DOORS[0], "umpire", "wrong")
    for attempt in AccessAttempt.objects.all():
        attempt.attempt_time -= timedelta(minutes=16)
        attempt.save()
    assert let_in(knock(DOORS[0], "umpire", PASSWORD))
    assert not AccessAttempt.objects.exists()


@pytest.mark.usefixtures("unhurried")
def test_no_password_is_kept_of_a_try(people: People) -> None:
    for door in DOORS:
        knock(door, "umpire", "my-other-secret")
    kept = AccessAttempt.objects.values_list("get_data", "post_data", "path_info", "http_accept")
    assert kept
    assert "my-other-secret" not in str(list(kept))


@pytest.mark.parametrize(("door", "most"), [(DOORS[0], 30), (DOORS[1], 30), (DOORS[2], 10)])
def test_many_names_are_not_tried_from_one_address_either(db: None, door: str, most: int) -> None:
    told = [knock(door, f"somebody-{number}", "password1") for number in range(most + 1)]
    assert [one.status_code for one in told[:-1]].count(429) == 0
    assert told[-1].status_code == 429
    assert 0 < int(told[-1]["Retry-After"]) <= 60
    assert knock(door, "somebody", "password1", CAFE).status_code != 429


@pytest.mark.usefixtures("unhurried")
def test_an_address_that_is_made_up_counts_as_none(people: People) -> None:
    """Without a proxy of ours before it X-Forwarded-For is anybody's invention."""
    for number in range(10):
        knock(DOORS[0], "umpire", "wrong", **{"X-Forwarded-For": f"203.0.113.{number}"})
    assert knock(DOORS[0], "umpire", PASSWORD).status_code == 429


@pytest.mark.usefixtures("unhurried")
def test_behind_our_proxy_the_address_is_the_one_it_has_seen(people: People) -> None:
    proxied = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    with override_settings(REST_FRAMEWORK=proxied):
        for number in range(10):
            seen = f"203.0.113.{number}, {CAFE}"
            knock(DOORS[0], "umpire", "wrong", **{"X-Forwarded-For": seen})
        closed = knock(DOORS[0], "umpire", PASSWORD, **{"X-Forwarded-For": f"1.2.3.4, {CAFE}"})
        other = knock(DOORS[0], "umpire", PASSWORD, **{"X-Forwarded-For": HOME})
    assert closed.status_code == 429
    assert let_in(other)


@pytest.mark.parametrize("told", ["unknown", "", "<script>", "999.0.0.1"])
def test_what_is_no_address_is_counted_and_breaks_nothing(people: People, told: str) -> None:
    proxied = {**settings.REST_FRAMEWORK, "NUM_PROXIES": 1}
    with override_settings(REST_FRAMEWORK=proxied):
        answer = knock(DOORS[0], "umpire", "wrong", **{"X-Forwarded-For": told})
    assert answer.status_code == 200


@pytest.mark.parametrize("name", ["umpire\0", "u" * 5000, "’; DROP TABLE auth_user; --", "ümpíre"])
@pytest.mark.parametrize("door", DOORS)
def test_a_strange_name_is_a_wrong_name(people: People, door: str, name: str) -> None:
    answer = knock(door, name, "wrong")
    assert answer.status_code in (200, 400, 401)
    assert User.objects.count() == len(people)


def test_one_cannot_tell_a_wrong_name_from_a_wrong_password(people: People) -> None:
    for door in DOORS:
        known, unknown = knock(door, "umpire", "wrong"), knock(door, "umpyre", "wrong")
        assert known.status_code == unknown.status_code
        assert said(known, "umpire") == said(unknown, "umpyre")


def said(answer: Any, name: str) -> list[str]:
    """Return the words of the answer, without the name, the form's mark and the request's id."""
    words = answer.content.decode().replace(name, "").replace(answer["X-Request-ID"], "")
    lines = words.splitlines()
    return [line for line in lines if "csrfmiddlewaretoken" not in line]


def test_the_keeper_logs_in_by_the_same_door(people: People) -> None:
    people.umpire.is_staff = True
    people.umpire.save()
    answer = knock("/admin/login/?next=/admin/", "umpire", PASSWORD)
    assert answer["Location"] == "/admin/"
    assert reverse("admin:login") == "/admin/login/"
