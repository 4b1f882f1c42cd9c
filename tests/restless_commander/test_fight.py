"""`manage.py fight --book restless` as a person runs it, with briefs of every sort."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from battles.simulation import fight_one, simulate
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


def test_many_battles_are_a_table_with_history_beside(tmp_path: Path) -> None:
    path = tmp_path / "battles.json"
    text = told(str(KIRBEKAN), "--battles", "5", "--json", str(path))
    assert "Kirbekan: 5 battles, seed 1" in text
    assert "in history" in text
    document = json.loads(path.read_text())
    assert {one["report"]["book"] for one in document["battles"]} == {"restless"}


def test_a_battle_has_the_same_dice_whoever_fights_it() -> None:
    brief = written("kirbekan").brief
    alone = list(simulate(brief, "restless", 4, seed=3))
    assert alone == list(simulate(brief, "restless", 4, seed=3, workers=2))
    assert alone[2] == fight_one(brief, "restless", 3, 3)
