"""The named people of the tests, and the campaign they sit in."""

from typing import Any, NamedTuple

from django.contrib.auth.models import User
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
    return People(*(User.objects.create_user(name, password=PASSWORD) for name in People._fields))


def logged_in(user: Any) -> Client:
    """Return a client in which the user is logged in."""
    client = Client()
    client.force_login(user)
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
