"""Many battles in memory, and `manage.py fight` as a person runs it."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from battles.contract import Side
from battles.contract.book import books
from battles.simulation import fight_one, simulate, strength_lost, summary
from tests.redcoats_commander.armies import FOLDER, written

KIRBEKAN = FOLDER / "kirbekan.toml"


def told(*args: str) -> str:
    out = StringIO()
    call_command("fight", *args, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("slug", books())
def test_a_battle_has_the_same_dice_whoever_fights_it(slug: str) -> None:
    brief = written("kirbekan").brief
    alone = list(simulate(brief, slug, range(1, 7), seed=3))
    assert alone == list(simulate(brief, slug, range(1, 7), seed=3, workers=2))
    assert alone[4] == fight_one(brief, slug, 3, 5)
    assert alone != list(simulate(brief, slug, range(1, 7), seed=4))


def test_a_summary_counts_every_battle_once() -> None:
    brief = written("kirbekan").brief
    fought = list(simulate(brief, "redcoats", range(1, 9), seed=1))
    found = summary(brief, "redcoats", 1, fought)
    assert sum(estimate.mean for estimate in found.won.values()) == pytest.approx(1)
    assert sum(found.endings.values()) == 8
    for side in Side:
        shares = [strength_lost(brief, one.report, side) for one in fought]
        assert found.strength_lost[side.value].mean == pytest.approx(sum(shares) / 8)
        assert all(0 <= share <= 1 for share in shares)


def test_one_battle_is_told_in_sentences_to_its_casualty_return() -> None:
    text = told(str(KIRBEKAN), "--seed", "2")
    assert text.startswith("Kirbekan\n")
    assert "\nTurn 1\n" in text
    assert "Black Watch" in text
    assert text.count(": good order, now ") >= 4


@pytest.mark.parametrize("slug", books())
def test_many_battles_are_a_table_with_history_beside(slug: str) -> None:
    text = told(str(KIRBEKAN), "--book", slug, "--battles", "5")
    assert "Kirbekan: 5 battles, seed 1" in text
    assert "in history" in text
    assert "±" in text


def test_every_report_is_written_where_one_wants_it(tmp_path: Path) -> None:
    path = tmp_path / "battles.json"
    told(str(KIRBEKAN), "--battles", "3", "--json", str(path))
    document = json.loads(path.read_text())
    assert [one["number"] for one in document["battles"]] == [1, 2, 3]
    assert {one["report"]["book"] for one in document["battles"]} == {"redcoats"}
    assert document["summary"]["battles"] == 3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere.toml"], "cannot be read"),
        ([str(KIRBEKAN), "--book", "chess"], "no book 'chess'"),
        ([str(KIRBEKAN), "--battles", "0"], "--battles 0 cannot be"),
        ([str(KIRBEKAN), "--workers", "0"], "--workers 0 cannot be"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(args: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said) as refused:
        told(*args)
    assert "\n" not in str(refused.value)


def test_a_wrong_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(KIRBEKAN.read_text().replace('"south"', '"below"'))
    with pytest.raises(CommandError, match=r"wrong\.toml:4: 'below' is not known as `comes_from`"):
        told(str(path))


def test_a_scenario_is_not_set_out_for_other_armies(tmp_path: Path) -> None:
    path = tmp_path / "form-square.toml"
    path.write_text(KIRBEKAN.read_text())
    with pytest.raises(CommandError, match="Form Square"):
        told(str(path))
