"""The random battles of the soak: a few of each book, and what their tally says."""

import pytest

from tests.books.shelf import BOOKS
from tests.conformance.__main__ import main
from tests.conformance.battles import BattleTally, Fought, fight_out


@pytest.mark.parametrize("slug", BOOKS)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_random_battle_ends_conserves_and_goes_on_from_every_state(slug: str, seed: int) -> None:
    assert fight_out(slug, seed) > 10


@pytest.mark.parametrize(
    ("slug", "seed"),
    [("restless", 900567), ("restless", 905448), ("fuzzy-wuzzy", 904187), ("fuzzy-wuzzy", 906251)],
)
def test_a_battle_that_broke_once_ends(slug: str, seed: int) -> None:
    """A vessel drawn up beside an enemy was refused its place; units closed up beyond the edge, or
    just fitted and lay upon each other.
    """
    assert fight_out(slug, seed) > 10


def test_battles_that_broke_are_named_by_their_seeds() -> None:
    tally = BattleTally("restless")
    tally.add(Fought(7, 61))
    tally.add(Fought(8, 0, "AssertionError: the battle comes to no end"))
    assert tally.in_words().startswith("2 battles, 61 actions and as many states resumed, 1 broken")
    assert tally.faults == ["seed 8: AssertionError: the battle comes to no end"]


def test_the_command_fights_battles_of_one_book(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["conformance", "--battles", "2", "--book", "redcoats"])
    assert main() == 0
    assert capsys.readouterr().out.startswith("redcoats: 2 battles, ")
