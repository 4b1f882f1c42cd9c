"""A process of its own that fights on in a battle: `restarted.py begin`, `die` or `end`.

`die` is killed while an action is being written, as by a power cut.
"""

import os
import signal
import sys
from typing import Any
from unittest.mock import patch

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "sirdar.settings"
django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402

from battles import serialization, services  # noqa: E402
from battles.models import Battle  # noqa: E402
from tests.battles_web.fights import begun, step  # noqa: E402
from tests.people import People, gather  # noqa: E402


def begin() -> None:
    """Begin the battle, fight a little of it, and print the position."""
    call_command("migrate", verbosity=0)
    people = gather()
    battle = begun(people, "redcoats")
    for _ in range(5):
        step(people, battle)
    sys.stdout.write(f"{serialization.cursor_of(Battle.objects.get())}\n")


def die() -> None:
    """Killed with an action half written."""
    people = People(*(User.objects.get(username=name) for name in People._fields))

    def power_cut(*_: Any, **__: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with patch("battles.models.Battle.save", power_cut):
        step(people, Battle.objects.get())


def end() -> None:
    """Print the position, fight the battle out, and print the result."""
    battle = Battle.objects.get()
    sys.stdout.write(f"{serialization.cursor_of(battle)}\n")
    services.finish(battle, User.objects.get(username="umpire"))
    services.verify_battle(Battle.objects.get())
    sys.stdout.write(f"{Battle.objects.get().ending}\n")


{"begin": begin, "die": die, "end": end}[sys.argv[1]]()
