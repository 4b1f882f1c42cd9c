"""Start battles of a user's own, outside any campaign."""

import secrets

from django.contrib.auth.models import User

from battles.access import owners
from battles.contract import Brief
from battles.models import Battle
from battles.services.record import BattleRequest, create_waiting_battle, record

KEY = 32  # bytes


def start(user: User, brief: Brief, book_slug: str, way: str, *, public: bool = False) -> Battle:
    """Start a battle of the user's own: fought out at once, or waiting to be fought on a table."""
    owner, asked = owners.person(user), asked_by(user, brief, public=public)
    if way == Battle.Way.TABLE:
        return create_waiting_battle(owner, brief, book_slug, asked)
    return record(owner, brief, book_slug, new_key(), asked=asked)


def asked_by(user: User, brief: Brief, *, public: bool) -> BattleRequest:
    """Return a request for another battle of that brief, under a number of its own."""
    return BattleRequest(public, user, f"{brief.id}-{secrets.token_hex(6)}")


def new_key() -> bytes:
    """Return a new secret, from which the dice of a user's own battle come."""
    return secrets.token_bytes(KEY)
