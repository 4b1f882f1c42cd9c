"""Briefs that people write: what they may leave out, and how a wrong one is refused."""

import pytest

from battles.contract import Side, TroopKind
from battles.contract.brief_files import read_brief
from battles.core.tables import Source, TableError
from tests.redcoats_commander.armies import HISTORY, SCENARIOS, written

GOOD = """\
title = "A skirmish"

[attacker]
side = "mahdist"
troops = [
  { kind = "spears", nation = "mahdist", quality = "F", count = 3 },
  { kind = "leader", nation = "mahdist", name = "Osman Digma" },
]

[defender]
side = "egyptian"
troops = [
  { id = 2, kind = "infantry", nation = "egyptian", quality = "R" },
]
"""


def test_units_are_numbered_past_those_that_have_a_number() -> None:
    brief = read_brief(Source("skirmish.toml", GOOD)).brief
    assert [troop.id for troop in brief.troops()] == [1, 3, 4, 5, 2]
    assert brief.id == "skirmish"


def test_strength_is_1_for_fighters_and_0_for_leaders() -> None:
    brief = read_brief(Source("skirmish.toml", GOOD)).brief
    assert [troop.strength for troop in brief.attacker.troops] == [1, 1, 1, 0]


@pytest.mark.parametrize(
    ("wrong", "right", "line", "reason"),
    [
        ('quality = "R"', 'quality = "X"', 13, "not known as `quality`"),
        ('kind = "infantry"', 'kind = "lancers"', 13, "not known as `kind`"),
        ('side = "egyptian"', 'side = "mahdist"', 11, "both parties are mahdist"),
        ('nation = "egyptian"', 'nation = "mahdist"', 13, "do not serve on the egyptian side"),
        ("id = 2", "id = 0", 13, "at least 1"),
        ("count = 3", "count = 3, id = 2", 6, "share the number 2"),
        ("count = 3", "count = 0", 6, "at least 1"),
        ('title = "A skirmish"', "", 1, "`title` is missing"),
        ("title =", "tilte =", 1, "`tilte` is not known"),
        ("A skirmish", "A" * 201, 1, "`title` must have at most 200 characters; shorten it"),
        ("title =", f'id = "{"a" * 101}"\ntitle =', 1, "`id` must have at most 100 characters"),
        ("count = 3 }", "count = 3", 6, "this is not TOML"),
    ],
)
def test_a_wrong_brief_is_refused_with_line_and_reason(
    wrong: str, right: str, line: int, reason: str
) -> None:
    with pytest.raises(TableError, match=reason) as refused:
        read_brief(Source("skirmish.toml", GOOD.replace(wrong, right, 1)))
    assert abs(refused.value.line - line) <= 1


def test_a_number_is_given_once() -> None:
    twice = GOOD.replace('kind = "leader"', 'id = 2, kind = "leader"')
    with pytest.raises(TableError, match="a unit 2 already"):
        read_brief(Source("skirmish.toml", twice))


@pytest.mark.parametrize("slug", HISTORY)
def test_the_battles_of_history_bring_about_as_many_as_were_there(slug: str) -> None:
    """A strength point is 200 to 250 men; guns, train and leaders are no men."""
    found = written(slug)
    assert found.history is not None
    for side in Side:
        fighters = [
            troop
            for troop in found.brief.party(side).troops
            if troop.kind
            not in (TroopKind.GUN, TroopKind.SUPPLY, TroopKind.CAMEL, TroopKind.LEADER)
        ]
        points = sum(troop.strength for troop in fighters)
        men = found.history.toll(side).men
        assert 150 <= men / points <= 270, side


def test_all_eight_battles_and_all_three_scenarios_are_there() -> None:
    assert len(HISTORY) == 8
    assert all(written(slug).brief.id == slug for slug in (*HISTORY, *SCENARIOS))
