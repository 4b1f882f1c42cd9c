"""Battles that people start for themselves, outside any campaign."""

import secrets

import msgspec
from django.contrib.auth.models import User

from battles import owners
from battles.contract import Brief
from battles.models import Battle
from battles.services.record import Asked, handed_over, record

KEY = 32  # bytes


def start(user: User, brief: Brief, book_slug: str, way: str, *, public: bool = False) -> Battle:
    """A battle of the user's own: fought out at once, or waiting to be fought at a table."""
    own = msgspec.structs.replace(brief, id=f"{brief.id}-{secrets.token_hex(6)}")
    owner, asked = owners.person(user), Asked(public, user)
    if way == Battle.Way.TABLE:
        return handed_over(owner, own, book_slug, asked)
    return record(owner, own, book_slug, secrets.token_bytes(KEY), asked=asked)
