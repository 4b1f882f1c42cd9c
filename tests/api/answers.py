"""`python -m tests.api.answers`: the schema's examples of answers, taken anew from the program.

Every operation is asked once by whoever may have it, of a campaign a month on; what it answers is
shortened and written to api/answers.json. Draw the schema anew afterwards (`manage.py openapi`).
"""

import json
import logging
import os
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

import django

django.setup()
logging.disable(logging.WARNING)

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from api.examples import ANSWERS
from api.schema import addresses as named
from sirdar.celery import app
from tests.known_dice import fix_dice
from tests.security.addresses import filled, routes, send
from tests.security.world import EGYPTIAN, EVERYBODY, UMPIRE, World, world

METHODS = ("GET", "POST", "PUT", "DELETE")
LONGEST = 4000
"""Bytes of an example; whatever is longer still when it is shortened is left out."""
SECRETS = ("secret", "token")
ASKERS = (EGYPTIAN, UMPIRE, *EVERYBODY)


def main() -> None:
    """Write the file; everything else is taken back."""
    connection.creation.create_test_db(verbosity=0)
    app.loader.import_default_modules()
    with pytest.MonkeyPatch.context() as patch, transaction.atomic():
        fix_dice(patch)
        found = dict(sorted(taken(world())))
        transaction.set_rollback(True)
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    ANSWERS.write_text(text, encoding="utf-8")
    print(f"{len(found)} answers, {len(text)} bytes")


def taken(here: World) -> Iterator[tuple[str, Any]]:
    """Every operation that answers in JSON, with what it answers."""
    known = set(named().values())
    for route, name in routes().items():
        for method in METHODS if route.startswith("api/v1/") and name in known else ():
            answer = _asked(here, method, filled(route, here.ours), name)
            if answer is not None and len(json.dumps(answer)) < LONGEST:
                yield f"{method.lower()}-{name}", answer


def _asked(here: World, method: str, address: str, name: str) -> Any:
    """The answer to the first who gets one that is JSON, shortened; None where nobody does."""
    for who in ASKERS:
        cache.clear()
        with transaction.atomic():
            answer = send(here.client(who), method, address, name)
            transaction.set_rollback(True)
        if answer.status_code < 300 and "json" in answer.get("Content-Type", ""):
            return shortened(json.loads(answer.content))
    return None


def shortened(told: Any) -> Any:
    """The same with one of each list of things, and with nothing secret."""
    if isinstance(told, dict):
        return {
            key: "shown this once" if key in SECRETS else shortened(value)
            for key, value in told.items()
        }
    if isinstance(told, list):
        things = bool(told) and isinstance(told[0], dict | str)
        return [shortened(one) for one in (told[:1] if things else told)]
    return told


if __name__ == "__main__":
    main()
