"""Months that have been played in the fog, by dice that are the same in every run."""

import pytest

from tests.fog.walking import Played, play
from tests.known_dice import fix_dice
from tests.people import gather


@pytest.fixture
def played(db: None, monkeypatch: pytest.MonkeyPatch) -> Played:
    fix_dice(monkeypatch)
    return play(gather())
