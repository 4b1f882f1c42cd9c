"""The people, and a battle that has been fought out."""

import pytest

from battles.models import Battle
from tests.battles_web.field import fought_out
from tests.people import People, gather


@pytest.fixture
def people(db: None) -> People:
    return gather()


@pytest.fixture
def battle(db: None) -> Battle:
    return fought_out(public=True)
