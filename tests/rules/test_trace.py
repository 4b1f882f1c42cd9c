"""The trace holds together: clause, code and tests find each other."""

import ast
import sys
import tomllib
from collections import Counter
from functools import cache
from importlib import import_module
from pathlib import Path
from types import FrameType

import pytest

from battles.core.dice import Modifier, Roll
from battles.core.tables import Source, TableError
from campaign import trace_report
from campaign.rules import trace as t
from campaign.rules.core import events as e
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import CampaignResult
from campaign.trace_report import DOCUMENT, document

RULES = Path(__file__).parent
NOT_BY_CLAUSE = (
    "test_english_words",
    "test_english_despatches",
    "test_english_marches",
    "test_english_combats",
    "test_trace",
    "test_casebook",
)
"""Modules of tests that hold no clause: of the words of despatches, and of these books."""


def names_in(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


BY_CLAUSE = {
    path.stem: names_in(path)
    for path in sorted(RULES.glob("test_*.py"))
    if path.stem not in NOT_BY_CLAUSE
}
NAMES = [name for names in BY_CLAUSE.values() for name in names]


@pytest.mark.parametrize("clause", t.trace(), ids=lambda clause: clause.anchor)
def test_every_clause_has_a_test_that_names_it(clause: t.CampaignClause) -> None:
    held = [name for name in NAMES if t.clause_of_test(name) is clause]
    assert held, f"no test is named test_{clause.anchor}_..."


def test_every_test_names_a_clause() -> None:
    """In modules called after a chapter all do; in others, of files and tables, those with a
    number.
    """
    lost = [
        f"{module}: {name}"
        for module, names in BY_CLAUSE.items()
        for name in names
        if (_by_chapter(module) or name.split("_")[1].isdigit()) and t.clause_of_test(name) is None
    ]
    assert lost == []


def _by_chapter(module: str) -> bool:
    return module.split("_")[1].isdigit()


@pytest.mark.parametrize("clause", t.trace(), ids=lambda clause: clause.anchor)
def test_every_function_named_is_there(clause: t.CampaignClause) -> None:
    places = [place for part in clause.part for place in part.at]
    assert [place for place in places if not is_there(place)] == []


def is_there(place: str) -> bool:
    module, _, function = place.partition(":")
    return function in functions(module)


@cache
def functions(module: str) -> set[str]:
    path = Path(str(import_module(f"campaign.rules.{module}").__file__))
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_tests_named_by_parts_are_there_and_name_their_clause() -> None:
    for clause in t.trace():
        for part in clause.part:
            for name in part.tests:
                assert name in NAMES, f"{clause.name(part)} names {name}"
                assert t.clause_of_test(name) is clause


def test_every_ruling_bears_on_a_part() -> None:
    cited = {number for clause in t.trace() for number in clause.rulings}
    assert {ruling.number for ruling in t.rulings()} - cited == set()


def test_what_is_not_there_yet_is_told_to_the_players() -> None:
    told = tomllib.loads((Path(t.__file__).parent / "not_yet.toml").read_text(encoding="utf-8"))
    items = [item["clause"] for item in told["item"]]
    missing = [clause.number for clause in t.trace() for part in clause.part if part.not_yet]
    assert [number for number in missing if missing.count(number) > items.count(number)] == []


def test_a_name_belongs_to_the_longest_clause_it_begins_with() -> None:
    assert str_of(t.clause_of_test("test_8_23_iv_a_hull_stops")) == "8.23 IV"
    assert str_of(t.clause_of_test("test_8_23_a_hull_is_used_once")) == "8.23"
    assert str_of(t.clause_of_test("test_8_2_hexes_are_not_skipped")) == "8.2"
    assert str_of(t.clause_of_test("test_8_24_camels")) == "8.24"
    assert t.clause_of_test("test_8_29_nothing_of_the_kind") is None
    assert t.clause_of_test("test_hill") is None


def str_of(clause: t.CampaignClause | None) -> str:
    assert clause is not None
    return clause.number


def test_uses_are_counted_by_throws_modifiers_and_events() -> None:
    led = Modifier(2, "Gordon leads", "7.1")
    rolls = [Roll("march", "8.31", (4,), modifiers=(led,))]
    events: list[e.AnyEvent] = [
        e.Removed(units=(UnitId(1),), cause="attrition"),
        e.Removed(units=(UnitId(2),), cause="event"),
        e.Settled(group=0, units=(UnitId(3),), lost=True),
        e.Settled(group=0, units=(UnitId(4),)),
        e.CampaignEnded(result=CampaignResult(None, "time", "4")),
    ]
    assert list(t.clause_uses(events, rolls)) == ["8.31", "7.1", "10.3 b", "3.1 c", "4"]


def test_a_throw_and_what_came_of_it_are_one_use() -> None:
    clause, _ = t.parts()["10.3 a"]
    assert t.uses(clause, Counter(["10.3", "10.3", "10.3 b", "10.2 b"])) == 2
    assert t.uses(clause, Counter(["10.3", "10.3 b", "10.3 c"])) == 2
    assert t.uses(clause, Counter(["10.2"])) == 0


ONE = """
[[clause]]
number = "8.1"
title = "Movement points"
source = "book"

[[clause.part]]
letter = "a"
says = "Points are not saved."
at = ["march.marching:begin"]
"""


def test_a_trace_is_read() -> None:
    (clause,) = t.read_trace(Source("trace.toml", ONE))
    assert clause.name(clause.part[0]) == "8.1 a"
    assert clause.source_of(clause.part[0]) == "book"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ONE + ONE, "stands here twice"),
        (ONE.replace('"a"', '"b"'), "lettered"),
        (ONE + "rulings = [999]", "no ruling 999"),
        (ONE + 'events = ["Teleported"]', "no event Teleported"),
        (ONE + "not_yet = true", "not there yet"),
        (ONE.replace('"book"', '"hearsay"'), "hearsay"),
    ],
)
def test_a_wrong_trace_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(TableError, match=said):
        t.read_trace(Source("trace.toml", text))


def test_the_document_is_what_the_command_would_write() -> None:
    written = DOCUMENT.read_text(encoding="utf-8")
    assert written == document(), "run manage.py trace --write"


def test_the_tests_of_a_clause_are_found_without_going_through_all_clauses() -> None:
    """Going through all of them for each pair of clause and test took the page half a minute."""
    named = 0

    def count(frame: FrameType, event: str, _about: object) -> None:
        nonlocal named
        named += event == "call" and frame.f_code.co_name == "anchor"

    sys.setprofile(count)
    try:
        chapters = trace_report.chapters.__wrapped__()
    finally:
        sys.setprofile(None)
    clauses = sum(len(chapter.clauses) for chapter in chapters)
    assert named <= 2 * clauses
