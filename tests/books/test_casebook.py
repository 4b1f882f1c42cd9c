"""The case books of the battle books: every case comes out as it says."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from battles.contract.book import AnyBook, book
from battles.contract.casebook import BattleCase, CaseBook, differences
from tests.books.shelf import BOOKS

SHOWN = {
    "redcoats": {5, 8, 40, 41, 42, 43},
    "restless": {12, 14, 35, 36, 37, 38},
    "fuzzy-wuzzy": {5, 6, 8, 24, 25, 26, 27},
}
"""Rulings on deployment, quality, tactical values, declared acts, rough ground, reconnaissance and
brigades: each has a case.
"""


def case_book(slug: str) -> CaseBook:
    """Return the case book of a book."""
    found: AnyBook = book(slug)
    assert found.pages.cases is not None
    return found.pages.cases


def every_case() -> Iterator[object]:
    """Yield all cases with the books that play them."""
    for slug in BOOKS:
        of = case_book(slug)
        yield from (pytest.param(of, case, id=f"{slug} {case.number}") for case in of.cases)


def one_case(slug: str, number: str) -> tuple[CaseBook, BattleCase]:
    """Return a book's case by its number."""
    of = case_book(slug)
    return of, next(case for case in of.cases if case.number == number)


@pytest.mark.parametrize(("of", "case"), list(every_case()))
def test_every_case_comes_out_as_the_case_book_has_it(of: CaseBook, case: BattleCase) -> None:
    assert list(differences(case, of.run(case))) == []


@pytest.mark.parametrize("slug", BOOKS)
def test_cases_are_numbered_by_their_clauses_and_cite_what_there_is(slug: str) -> None:
    pages, cases = book(slug).pages, case_book(slug).cases
    parts = {clause.name(part) for clause in pages.trace() for part in clause.part}
    assert {case.clause for case in cases} - parts == set()
    running: dict[str, list[int]] = {}
    for case in cases:
        clause, _, number = case.number.rpartition(".")
        assert case.clause.rpartition(" ")[0] == clause
        running.setdefault(clause, []).append(int(number))
    assert {clause: [*range(1, len(got) + 1)] for clause, got in running.items()} == running
    cited = {number for case in cases for number in case.rulings}
    assert cited <= {ruling.number for ruling in pages.rulings()}
    assert SHOWN[slug] - cited == set()


@pytest.mark.parametrize("slug", BOOKS)
def test_a_case_demands_something(slug: str) -> None:
    for case in case_book(slug).cases:
        wanted = case.result
        assert any(
            (wanted.refused, wanted.events, wanted.never, wanted.pieces, wanted.rolls, wanted.gives)
        )


@pytest.mark.parametrize(
    ("number", "changes", "said"),
    [
        ("Formations 8.1", {"dice": (6,)}, "1 dice were not thrown"),
        ("Action points 5.2", {"dice": ()}, "the dice do not fit"),
        ("Formations 8.3", {"refused": "Charging 2"}, "refused by Formations 8, not by Charging 2"),
        ("Formations 8.1", {"refused": "Formations 8"}, "nothing was refused"),
        ("Action points 5.2", {"never": ("Fired",)}, "Fired happened and should not"),
        ("Formations 8.2", {"pieces": {"units.9": {"facing": 2}}}, "units.9.facing is 0, not 2"),
        ("Formations 8.2", {"events": ({"type": "BrigadeFormed", "faces": 3},)}, "no event like"),
        ("Formations 8.2", {"state": {"turn": 2}}, "state.turn is 1, not 2"),
        ("Break off 2.1", {"told": ("Nobody goes.",)}, "it is not told that 'Nobody goes.'"),
    ],
)
def test_what_comes_out_otherwise_is_said(number: str, changes: dict, said: str) -> None:
    of, case = one_case("redcoats", number)
    result = {name: value for name, value in changes.items() if name != "dice"}
    changed = msgspec.structs.replace(
        case,
        dice=changes.get("dice", case.dice),
        result=msgspec.structs.replace(case.result, **result),
    )
    assert said in "; ".join(differences(changed, of.run(changed)))


def test_dice_before_a_battle_that_give_otherwise_are_said() -> None:
    of, case = one_case("restless", "One-off battles 3.1")
    changed = msgspec.structs.replace(case, dice=(4, 4, 6, 5))
    assert list(differences(changed, of.run(changed))) == ["it gives[1][0] is 6, not 2"]


def test_the_command_plays_the_cases_of_a_book_a_clause_or_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for words, many in (
        ("restless", 12),
        ("redcoats Formations 8", 3),
        ("fuzzy-wuzzy Sequence 1.3", 1),
    ):
        call_command("cases", words)
        assert capsys.readouterr().out.startswith(f"{many} cases give the required results")
    with pytest.raises(CommandError, match="There is no case redcoats 99"):
        call_command("cases", "redcoats 99")


@pytest.mark.django_db
@pytest.mark.parametrize("slug", BOOKS)
def test_the_page_shows_every_case_with_what_was_done_and_what_came_of_it(
    client: Client, slug: str
) -> None:
    page = client.get(reverse("battle-cases", args=[slug])).content.decode()
    cases = case_book(slug).cases
    assert re.findall(r'<span class="figures">([\w -]+ \d+\.\d+)</span>', page) == [
        case.number for case in cases
    ]
    assert page.count("Played just now, with the required result.") == len(cases)
    assert page.count("Refused.</strong>") == sum(bool(case.result.refused) for case in cases)
    assert (
        reverse("battle-cases", args=[slug])
        in client.get(reverse("battle-rules", args=[slug])).content.decode()
    )


@pytest.mark.django_db
def test_a_book_that_is_not_there_has_no_case_book(client: Client) -> None:
    assert client.get("/battles/books/nobody/cases/").status_code == 404
