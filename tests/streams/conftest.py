"""The cast and their clients, as the tests of the interface have them."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import *  # noqa: F403
from tests.streams.listening import Heard


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    """A program that listens on this machine, which may be reached."""
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    program = Heard()
    yield program
    program.end()
