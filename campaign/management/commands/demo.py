"""`manage.py demo`: create the demo users and campaigns; run again, it only prints them."""

import secrets
from pathlib import Path
from typing import Any

import msgspec
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError

from battles.core.decoding import decoder_for
from campaign.management import demo_campaigns
from campaign.management.base import SirdarCommand


class Command(SirdarCommand):
    help = "Make the demo campaigns and their people if they are missing; print the passwords."

    def handle(self, *_args: Any, **_options: Any) -> None:
        path = settings.DATA / "demo.json"
        passwords = kept_passwords(path)
        known = {*passwords, *User.objects.values_list("username", flat=True)}
        passwords |= {
            name: secrets.token_urlsafe(9) for name in demo_campaigns.PEOPLE if name not in known
        }
        # Stored before the users are created, so that a start killed in between can be repeated.
        keep(path, passwords)
        people = {name: person(name, passwords) for name in demo_campaigns.PEOPLE}
        campaigns = [demo_campaigns.make_demo(one, people) for one in demo_campaigns.demos()]
        waiting = " and ".join(repr(one.title) for one in campaigns if not one.finished)
        self.stdout.write(f"The demo campaign is {waiting}. Log in as")
        for name in demo_campaigns.PEOPLE:
            self.stdout.write(f"  {name:<10} {passwords.get(name, '(password as you set it)')}")
        for over in (one for one in campaigns if one.finished):
            self.stdout.write(f"{over.title!r} is over: look through its debrief and gazettes.")


def kept_passwords(path: Path) -> dict[str, str]:
    """Return the stored passwords of the demo users who were created here."""
    if not path.exists():
        return {}
    try:
        found: dict[str, str] = decoder_for(dict[str, str]).decode(path.read_bytes())
    except msgspec.DecodeError as error:
        raise CommandError(f"{path} is damaged ({error}); delete it.") from error
    return found


def keep(path: Path, passwords: dict[str, str]) -> None:
    """Write the passwords, readable by the file's owner only."""
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(passwords))


def person(name: str, passwords: dict[str, str]) -> User:
    """Return the user of that name, created with the stored password if there is none yet."""
    found = User.objects.filter(username=name).first()
    return found or User.objects.create_user(name, password=passwords[name])
