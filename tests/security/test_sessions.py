"""Sessions and links used again: before log-in, after it, after log-out and new passwords."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaign.models import Campaign, Invitation, Seat
from campaign.services.umpire import invitations
from tests.people import PASSWORD, People

COOKIE = settings.SESSION_COOKIE_NAME


def with_session(key: str) -> Client:
    client = Client()
    client.cookies[COOKIE] = key
    return client


def is_logged_in(client: Client) -> bool:
    return client.get(reverse("my-mail"))["Location"].startswith("/mail/")


def logged_in(people: People) -> Client:
    client = Client()
    given = {"username": people.umpire.username, "password": PASSWORD}
    assert client.post(reverse("login"), given).status_code == 302
    return client


def test_a_session_that_was_foisted_on_somebody_is_not_his_after_log_in(people: People) -> None:
    attacker = Client()
    attacker.session.save()
    foisted = attacker.session.session_key
    victim = with_session(str(foisted))
    victim.post(reverse("login"), {"username": "umpire", "password": PASSWORD})
    assert is_logged_in(victim)
    assert victim.cookies[COOKIE].value != foisted
    assert not is_logged_in(with_session(str(foisted)))


def test_a_session_ends_with_log_out(people: People) -> None:
    client = logged_in(people)
    key = client.cookies[COOKIE].value
    client.post(reverse("logout"))
    assert not is_logged_in(with_session(key))


def test_an_answer_to_the_session_before_leaves_the_cookie_of_the_next_alone(
    people: People,
) -> None:
    """An open page may still send requests while its user logs in in another tab."""
    before = logged_in(people).cookies[COOKIE].value
    other_tab = with_session(before)
    other_tab.post(reverse("login"), {"username": "egyptian", "password": PASSWORD})
    late = with_session(before)
    for answer in (late.get("/"), late.get("/api/v1/account/"), late.post(reverse("login"))):
        assert COOKIE not in answer.cookies


def test_log_out_takes_the_cookie_away(people: People) -> None:
    client = logged_in(people)
    assert client.post(reverse("logout")).cookies[COOKIE].value == ""


def test_every_session_ends_with_a_new_password(people: People) -> None:
    keys = [logged_in(people).cookies[COOKIE].value for _ in range(2)]
    people.umpire.set_password("another-that-nobody-knows")
    people.umpire.save()
    assert [is_logged_in(with_session(key)) for key in keys] == [False, False]


def test_a_closed_account_is_let_in_nowhere(people: People) -> None:
    client = logged_in(people)
    User.objects.filter(pk=people.umpire.pk).update(is_active=False)
    assert not is_logged_in(client)


@pytest.fixture
def link(campaign: Campaign, people: People) -> str:
    offer = invitations.SeatOffer(Seat.Role.OBSERVER.value, "Correspondent")
    _, secret = invitations.invite(campaign.pk, people.umpire, offer)
    return reverse("invitation", args=[secret])


def take(link: str, user: User) -> int:
    client = Client()
    client.force_login(user)
    return client.post(link).status_code


def test_a_link_admits_one_person_once(campaign: Campaign, people: People, link: str) -> None:
    late = User.objects.create_user("late")
    assert take(link, people.stranger) == 302
    assert [take(link, people.stranger), take(link, late)] == [410, 410]
    assert not campaign.seats.filter(user=late).exists()


def test_whoever_has_left_does_not_come_back_by_the_old_link(
    campaign: Campaign, people: People, link: str
) -> None:
    take(link, people.stranger)
    seat = campaign.seats.get(user=people.stranger)
    invitations.leave(campaign.pk, people.stranger, seat.pk)
    assert take(link, people.stranger) == 410


def test_a_withdrawn_link_opens_nothing(campaign: Campaign, people: People, link: str) -> None:
    invitations.revoke(campaign.pk, people.umpire, Invitation.objects.get().pk)
    assert take(link, people.stranger) == 410


def test_an_outlived_link_opens_nothing(campaign: Campaign, people: People, link: str) -> None:
    Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert take(link, people.stranger) == 410


def test_the_secret_of_a_link_is_kept_nowhere(campaign: Campaign, people: People) -> None:
    made, secret = invitations.invite(campaign.pk, people.umpire, invitations.SeatOffer("observer"))
    assert secret not in str(list(Invitation.objects.values_list()))
    assert made.token_hash != secret


@pytest.mark.parametrize("onward", ["https://evil.example/", "//evil.example", "javascript:x()"])
@pytest.mark.parametrize("door", ["login", "register"])
def test_nobody_is_led_to_another_site_after_logging_in(
    people: People, door: str, onward: str
) -> None:
    given = {"username": "umpire", "password": PASSWORD, "next": onward}
    if door == "register":
        given |= {"username": "new", "password1": PASSWORD, "password2": PASSWORD}
    answer = Client().post(reverse(door), given)
    assert "evil" not in answer.get("Location", "/")
    assert "javascript" not in answer.get("Location", "/")
