"""`manage.py fight --book restless` as a person runs it, with briefs of every sort."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tests.redcoats_commander.armies import FOLDER, written

KIRBEKAN = FOLDER / "kirbekan.toml"


def told(*args: str) -> str:
    out = StringIO()
    call_command("fight", *args, "--book", "restless", stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("slug", ["kirbekan", "form-square", "the-long-patrol"])
def test_one_battle_is_told_in_sentences_to_its_casualty_return(slug: str) -> None:
    text = told(str(FOLDER / f"{slug}.toml"), "--seed", "2")
    assert text.startswith(f"{written(slug).brief.title}\n")
    assert "Special Event Card" in text
    assert text.count(": good order, now ") >= 4


def by_scores(*args: str) -> str:
    out = StringIO()
    call_command("fight_scenario", *args, stdout=out)
    return out.getvalue()


def test_scenarios_two_dice_are_thrown_and_the_battle_fought() -> None:
    chosen = by_scores("--british", "3", "--natives", "4", "--seed", "2")
    assert chosen.startswith("Scenario A: the British threw 3, the Natives 4.\n")
    assert "Warband of Jiadia Riflemen" in chosen
    assert by_scores("--seed", "5") == by_scores("--seed", "5")
    assert by_scores("--scenario", "d").startswith("Scenario D:")


@pytest.mark.parametrize(
    ("args", "said"),
    [(["--british", "7"], "score from 1 to 6"), (["--scenario", "G"], "letter from A to F")],
)
def test_scenarios_what_cannot_be_thrown_is_said_in_one_line(args: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        by_scores(*args)
