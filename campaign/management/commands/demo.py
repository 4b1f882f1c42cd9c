"""`manage.py demo`: people and a campaign to begin with; run again, it only tells of them."""

import secrets
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from battles.core.reading import reader
from campaign import services
from campaign.management.base import SirdarCommand
from campaign.models import Campaign, Seat

SCENARIO = "siege-of-khartoum"
SLUG = "the-siege-of-khartoum"
MONTHS = 4
PEOPLE = {
    "umpire": Seat.Role.UMPIRE,
    "egyptian": Seat.Role.EGYPTIAN,
    "mahdist": Seat.Role.MAHDIST,
}
"""The name of each person of the demo, and the seat."""


class Command(SirdarCommand):
    help = "Make the demo campaign and its people if they are missing; print names and passwords."

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = settings.DATA / "demo.json"
        passwords = kept_passwords(path)
        people = {name: person(name, passwords) for name in PEOPLE}
        keep(path, passwords)
        campaign = Campaign.objects.filter(slug=SLUG).first() or begin(people)
        self.stdout.write(f"The demo campaign is {campaign.title!r}. Log in as")
        for name in PEOPLE:
            self.stdout.write(f"  {name:<10} {passwords.get(name, '(password as you set it)')}")


def kept_passwords(path: Path) -> dict[str, str]:
    """The passwords of those of the demo's people who were made here."""
    if not path.exists():
        return {}
    try:
        found: dict[str, str] = reader(dict[str, str]).decode(path.read_bytes())
    except msgspec.DecodeError as error:
        raise CommandError(f"{path} is damaged ({error}); delete it.") from error
    return found


def keep(path: Path, passwords: dict[str, str]) -> None:
    """Written for the file's owner alone to read."""
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(passwords))


def person(name: str, passwords: dict[str, str]) -> User:
    """The person of that name; one who has to be made gets a password, kept or drawn."""
    found = User.objects.filter(username=name).first()
    if found is not None:
        return found
    password = passwords.setdefault(name, secrets.token_urlsafe(9))
    return User.objects.create_user(name, password=password)


def begin(people: dict[str, User]) -> Campaign:
    """The demo campaign with its first months played.

    One that is over by then has nothing left to show, and another is begun.
    """
    seats = {role.value: people[name] for name, role in PEOPLE.items()}
    wanted = services.Wanted(SCENARIO, slug=SLUG, public=True, seats=seats)
    while True:
        campaign = services.create_campaign(wanted, by="demo")
        campaign = services.run_month(campaign.pk, until=campaign.month + MONTHS)
        if not campaign.finished:
            return campaign
        campaign.delete()
