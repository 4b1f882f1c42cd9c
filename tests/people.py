"""The named people of the tests, and the campaign they sit in."""

from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from campaign.models import Campaign, Seat
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.played_once import play_once

PASSWORD = "the-tests-alone-know-it"
SIEGE = "siege-of-khartoum"


class People(NamedTuple):
    """Umpire, both players, a spectator with a seat, and a stranger without one."""

    umpire: User
    egyptian: User
    mahdist: User
    spectator: User
    stranger: User


def gather() -> People:
    """Return the five of them, as users who log in with PASSWORD."""
    password = make_password(PASSWORD)
    users = [User(username=name, password=password) for name in People._fields]
    return People(*User.objects.bulk_create(users))


def logged_in(user: Any) -> Client:
    """Return a client with the session of somebody who has logged in.

    Django's own force_login() does all that follows a log-in too, for five times as long: this is
    for tests of what somebody may do once inside.
    """
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.create()
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


def client_of(people: People, name: str) -> Client:
    """Return a client of one of them, or of `nobody`."""
    return Client() if name == "nobody" else logged_in(getattr(people, name))


def sit_down(people: People, *, months: int = 0, public: bool = False) -> Campaign:
    """Return the siege of Khartoum with everybody but the stranger in a seat, so many months on.

    A campaign that is over by then is put away and another begun.
    """
    seats = {
        Seat.Role.UMPIRE.value: people.umpire,
        Seat.Role.EGYPTIAN.value: people.egyptian,
        Seat.Role.MAHDIST.value: people.mahdist,
        Seat.Role.OBSERVER.value: people.spectator,
    }

    def play() -> Campaign:
        while True:
            campaign = creation.create_campaign(
                creation.NewCampaignTerms(SIEGE, public=public, seats=seats)
            )
            campaign = advance.run_month(campaign.pk, until=campaign.month + months)
            if not campaign.finished:
                return campaign
            campaign.delete()

    return play_once(("siege", months, public), play)
