"""The people, and a battle that has been fought out."""

import pytest

from battles.models import Battle
from tests.battles_web.field import fought_out


@pytest.fixture
def battle(db: None) -> Battle:
    return fought_out(public=True)
