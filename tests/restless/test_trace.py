"""The trace of the book holds together: clause, code and tests find each other."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from battles.engines.restless import trace as t
from battles.engines.restless.book import book

HERE = Path(__file__).parent


def _names() -> list[str]:
    return [
        node.name
        for path in sorted(HERE.glob("test_*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
    ]


NAMES = _names()


@pytest.mark.parametrize("clause", t.trace(), ids=lambda clause: clause.anchor)
def test_every_clause_has_a_test_that_names_it(clause: t.Clause) -> None:
    held = [name for name in NAMES if t.clause_of_test(name) is clause]
    assert held, f"no test is named test_{clause.anchor}_..."


@pytest.mark.parametrize("clause", t.trace(), ids=lambda clause: clause.anchor)
def test_every_function_named_is_there(clause: t.Clause) -> None:
    places = [place for part in clause.part for place in part.at]
    assert [place for place in places if not _is_there(place)] == []


def test_every_ruling_bears_on_a_part() -> None:
    cited = {number for clause in t.trace() for number in clause.rulings}
    assert {ruling.number for ruling in t.rulings()} - cited == set()


def test_every_table_and_ruling_names_a_clause_that_there_is() -> None:
    clauses = {clause.number for clause in t.trace()}
    tables = book().tables.values()
    named = {table.clause for table in tables} | {ruling.clause for ruling in t.rulings()}
    named |= {row.clause for table in tables for row in table.rows if row.clause}
    assert named - clauses == set()


def test_rulings_are_numbered_in_order() -> None:
    numbers = [ruling.number for ruling in t.rulings()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_a_name_belongs_to_the_clause_it_begins_with() -> None:
    found = t.clause_of_test("test_close_combat_6_in_contact")
    assert found is not None
    assert (found.number, found.chapter) == ("Close combat 6", "Close combat")
    assert t.clause_of_test("test_close_combat_example_1") is None


def _is_there(place: str) -> bool:
    module, _, function = place.partition(":")
    return function in _functions(module)


@cache
def _functions(module: str) -> set[str]:
    found = import_module(f"battles.engines.restless.{module}")
    tree = ast.parse(Path(str(found.__file__)).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
