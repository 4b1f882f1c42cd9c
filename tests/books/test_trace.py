"""The traces of the books hold together: clause, code and tests find each other."""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from battles.core.trace import Paragraph
from tests.books.played import Played
from tests.books.shelf import BOOKS

FOLDER = Path(__file__).parent.parent
EACH = [
    pytest.param(book, clause, id=f"{slug}-{clause.anchor}")
    for slug, book in BOOKS.items()
    for clause in book.trace.trace()
]


@pytest.fixture(params=list(BOOKS))
def book(request: pytest.FixtureRequest) -> Played:
    return BOOKS[request.param]


@pytest.mark.parametrize(("book", "clause"), EACH)
def test_every_clause_has_a_test_that_names_it(book: Played, clause: Paragraph) -> None:
    held = [name for name in _tests(_package(book)) if book.trace.clause_of_test(name) is clause]
    assert held, f"no test is named test_{clause.anchor}_..."


@pytest.mark.parametrize(("book", "clause"), EACH)
def test_every_place_named_is_there(book: Played, clause: Paragraph) -> None:
    places = [place for part in clause.part for place in part.at]
    assert [place for place in places if not _is_there(book, place)] == []


def test_every_ruling_bears_on_a_part(book: Played) -> None:
    cited = {number for clause in book.trace.trace() for number in clause.rulings}
    assert {ruling.number for ruling in book.trace.rulings()} - cited == set()


def test_rulings_are_numbered_in_order(book: Played) -> None:
    numbers = [ruling.number for ruling in book.trace.rulings()]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_ruling_names_a_clause_that_there_is(book: Played) -> None:
    assert {ruling.clause for ruling in book.trace.rulings()} - book.clauses == set()


def test_a_name_belongs_to_the_clause_it_begins_with(book: Played) -> None:
    found = book.trace.clause_of_test(book.named.test)
    assert found is not None
    assert (found.number, found.chapter) == (book.named.number, book.named.chapter)
    assert book.trace.clause_of_test(book.named.nothing) is None


@cache
def _tests(package: str) -> tuple[str, ...]:
    folder = FOLDER / package.rpartition(".")[2].removesuffix("_natives")
    trees = (
        ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("test_*.py"))
    )
    return tuple(
        node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)
    )


def _is_there(book: Played, place: str) -> bool:
    module, _, name = place.partition(":")
    return name in _names(f"{_package(book)}.{module}")


@cache
def _names(module: str) -> set[str]:
    """Return the names of a module: its functions, inner ones too, and its objects."""
    found = import_module(module)
    tree = ast.parse(Path(str(found.__file__)).read_text(encoding="utf-8"))
    own = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assigned = [
        target
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return own | {target.id for target in assigned if isinstance(target, ast.Name)}


def _package(book: Played) -> str:
    return type(book.engine.set_out(next(iter(book.battles.values()))())).__module__.rpartition(
        "."
    )[0]
