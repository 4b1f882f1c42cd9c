"""The cast of the tests, and counters that begin at nothing."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _nothing_counted() -> Iterator[None]:
    """Forget the requests of other tests, which count towards the limits."""
    cache.clear()
    yield
    cache.clear()
