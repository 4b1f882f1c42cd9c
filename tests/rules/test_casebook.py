"""The case book: every case comes out as it says, and cases cover the whole trace."""

import pytest

from battles.core.tables import Source, TableError
from campaign.rules import casebook
from campaign.rules.casebook import Case, cases, differences, run
from campaign.rules.trace import rulings, trace

LEAST = 120


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.number)
def test_every_case_comes_out_as_the_book_of_cases_has_it(case: Case) -> None:
    assert list(differences(case, run(case))) == []


def test_there_are_as_many_cases_as_were_promised_and_each_number_once() -> None:
    numbers = [case.number for case in cases()]
    assert len(numbers) >= LEAST
    assert len(set(numbers)) == len(numbers)


def test_every_chapter_has_its_share() -> None:
    chapters = [case.chapter for case in cases()]
    assert {chapter: chapters.count(chapter) < 5 for chapter in range(2, 11)} == dict.fromkeys(
        range(2, 11), False
    )


def test_running_numbers_of_a_clause_have_no_hole() -> None:
    running: dict[str, list[int]] = {}
    for case in cases():
        clause, _, number = case.number.rpartition(".")
        running.setdefault(clause, []).append(int(number))
    holes = {clause: got for clause, got in running.items() if got != [*range(1, len(got) + 1)]}
    assert holes == {}


def test_every_ruling_has_a_case() -> None:
    shown = {number for case in cases() for number in case.rulings}
    assert {ruling.number for ruling in rulings()} - shown == set()


def test_a_case_is_found_by_its_number() -> None:
    assert casebook.find("1.1.1").title == cases()[0].title


def test_a_case_cites_only_rulings_that_there_are() -> None:
    known = {ruling.number for ruling in rulings()}
    assert {case.number for case in cases() if not set(case.rulings) <= known} == set()


ONE = """
scenario = "siege-of-khartoum"

[[case]]
number = "8.21.900"
title = "A hill"
clause = "8.21 a"
says = "A hill costs two points."
position.stacks = ["0641: infantry british"]
actions = [{ type = "March", units = [1] }, { type = "Move", path = [640] }]
dice = [6]
"""


def played(text: str) -> list[str]:
    (case,) = casebook.read_cases(Source("one.toml", ONE + text))
    return list(differences(case, run(case)))


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ('result.refused = "8.2"', "nothing was refused"),
        ('result.events = [{ type = "Moved", cost = 2 }]', "no event like"),
        ('result.rolls = [{ clause = "8.31", total = 5 }]', "no roll like"),
        ('result.never = ["Moved"]', "Moved happened"),
        ('result.stands = ["0641: infantry british"]', "in hex 0641: nobody too many"),
        ('result.stands = ["0640: nobody"]', "1 infantry british 3V too many"),
        ("result.state = { march = { points = 3 } }", "state.march.points is 5, not 3"),
        ("result.state = { march = { route = [641] } }", "state.march.route is [641, 640]"),
    ],
)
def test_what_comes_out_otherwise_is_said(result: str, said: str) -> None:
    assert said in "; ".join(played(result))


def test_events_are_looked_for_in_order() -> None:
    moved, rolled = '{ type = "Moved" }', '{ type = "MarchRolled" }'
    assert played(f"result.events = [{rolled}, {moved}]") == []
    assert played(f"result.events = [{moved}, {rolled}]") != []


def test_anything_may_stand_where_a_star_does() -> None:
    assert played('result.state = { march = { route = ["*", 640] } }') == []


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("dice = [6]", "dice = [6, 1]", "1 dice were not thrown"),
        ("dice = [6]", "dice = []", "the dice do not fit"),
        ("path = [640]", "path = [639]", "refused by 8.2, not by any clause"),
        ("units = [1]", "units = [2]", "action 1 was refused already, by 8.3"),
    ],
)
def test_a_case_that_cannot_be_played_says_why(was: str, now: str, said: str) -> None:
    (case,) = casebook.read_cases(
        Source("one.toml", ONE.replace(was, now) + "result.refused = ''\n")
    )
    assert said in "; ".join(differences(case, run(case)))


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("infantry british", "infantery british", "is no unit and no leader"),
        ("infantry british", "infantry britsh", "neither nation nor strength"),
        ("0641:", "0641", "is no stack"),
        ("0641:", "Kartoum:", "Kartoum"),
        ("8.21 a", "8.21 x", "names no part"),
        ("8.21 a", "8.2 a", "names no part"),
        ('type = "Move"', 'type = "Fly"', "Fly"),
    ],
)
def test_a_case_without_meaning_is_refused_with_its_line(was: str, now: str, said: str) -> None:
    text = ONE.replace(was, now) + 'result.refused = ""\n'
    with pytest.raises(TableError, match=said) as refused:
        casebook.read_cases(Source("one.toml", text))
    assert refused.value.line > 1


def test_every_part_of_the_trace_has_a_case_or_a_test() -> None:
    shown = {case.clause for case in cases()}
    bare = [
        clause.name(part)
        for clause in trace()
        for part in clause.part
        if clause.name(part) not in shown and not part.tests and not part.not_yet
    ]
    assert bare == []
