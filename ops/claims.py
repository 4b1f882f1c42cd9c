"""Let one process at a time do a piece of work, by a claim in the cache that all of them share."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from django.core.cache import cache

LEASE = 300
"""Seconds after which the claim of a process that died is void."""


@contextmanager
def claim_work(*work: object) -> Iterator[bool]:
    """Yield whether no other process is at that work, for which strings and numbers stand.

    It serves work that takes as long as a server elsewhere: in a transaction nobody else could
    write to SQLite until its end. Look again under the claim whether the work is still to be done.
    """
    key = f"claim:{sha256(repr(work).encode()).hexdigest()}"
    is_ours = cache.add(key, True, LEASE)
    try:
        yield is_ours
    finally:
        if is_ours:
            cache.delete(key)
