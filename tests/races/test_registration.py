"""Guests who register keep their games, and of two who want one name the second is refused."""

from datetime import timedelta
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts import guests
from accounts.display_names import DisplayNameForm
from campaign.models import Campaign
from tests.campaign.test_guests import PASSWORD, play, register
from tests.people import logged_in
from tests.races.interruption import meanwhile

pytestmark = pytest.mark.django_db


def test_a_guest_who_registers_during_the_round_of_deletions_is_not_deleted() -> None:
    first, second = Client(), Client()
    play(first)
    campaign = play(second)
    guests.guests().update(date_joined=timezone.now() - timedelta(days=400))

    def keep_it_all() -> None:
        assert register(second, "gordon").status_code == 302

    with meanwhile(keep_it_all, before='DELETE FROM "auth_user"'):
        guests.forget_guests()
    assert not guests.guests().exists()
    assert Campaign.objects.get().pk == campaign.pk
    assert campaign.seats.get(user__username="gordon").role == "egyptian"


NAME_LOOKED_FOR = 'SELECT .*"auth_user"'
SAVED = 'SAVEPOINT|INSERT INTO "auth_user"'


@pytest.mark.parametrize("taken", ["gordon", "Gordon"])
@pytest.mark.parametrize("way", ["page", "interface"])
def test_of_two_who_register_one_name_at_once_the_second_is_told(way: str, taken: str) -> None:
    def take_the_name() -> None:
        User.objects.create_user(taken)

    with meanwhile(take_the_name, before=SAVED, after=NAME_LOOKED_FOR):
        if way == "page":
            answer = register(Client(), "gordon")
        else:
            form = {"username": "gordon", "password": PASSWORD}
            answer = Client().post("/api/v1/accounts/", form, content_type="application/json")
    assert answer.status_code == (400 if way == "page" else 422), answer.content
    assert "name" in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["GORDON", "g\u043erdon", "khartoum"])
def test_an_administrator_is_told_that_the_new_name_of_an_account_is_taken(name: str) -> None:
    keeper = User.objects.create_superuser("keeper")
    User.objects.create_user("gordon")
    User.objects.create_user("gordonn", first_name="Khartoum")
    renamed = User.objects.create_user("buller")
    form = {"username": name, "date_joined_0": "2026-01-01", "date_joined_1": "12:00"}
    answer = logged_in(keeper).post(f"/admin/auth/user/{renamed.pk}/change/", form)
    assert answer.status_code == 200, answer.status_code
    assert "Somebody else is called that" in answer.content.decode()
    renamed.refresh_from_db()
    assert renamed.username == "buller"


def test_an_administrator_gives_an_account_its_own_name_in_another_case() -> None:
    keeper = User.objects.create_superuser("keeper")
    form = {"username": "Keeper", "date_joined_0": "2026-01-01", "date_joined_1": "12:00"}
    logged_in(keeper).post(f"/admin/auth/user/{keeper.pk}/change/", form)
    keeper.refresh_from_db()
    assert keeper.username == "Keeper"


@pytest.mark.django_db(transaction=True)
def test_a_display_name_that_is_sent_twice_at_once_is_not_taken_by_somebody_else() -> None:
    """Only PostgreSQL lets the second request in while the first writes."""
    user = User.objects.create_user("charles")
    saved: list[bool] = []

    def save() -> None:
        try:
            form = DisplayNameForm(user, {"display_name": "Gordon Pasha"})
            saved.append(form.is_valid() and form.save())
        finally:
            connections.close_all()

    second = Thread(target=save)

    def send_again() -> None:
        second.start()
        second.join(1)

    form = DisplayNameForm(user, {"display_name": "Gordon Pasha"})
    assert form.is_valid()
    with meanwhile(send_again, before='INSERT INTO "accounts_displayname"'):
        saved.append(form.save())
    second.join()
    assert saved == [True, True]
