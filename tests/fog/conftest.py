"""Months that have been played in the fog, by dice that are the same in every run."""

import pytest

from tests.fog.walking import Played, play
from tests.people import gather


@pytest.fixture
def played(db: None) -> Played:
    return play(gather())
