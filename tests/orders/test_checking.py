"""A sheet as it is written: impossible by which clause, without use, at what risk."""

import pytest

from campaign.orders.checking import Finding, Verdict, check, without_orders
from campaign.orders.commands import Commander, Headquarters
from campaign.orders.progress import Outcome
from campaign.rules import sight
from campaign.rules.map import sudan
from campaign.rules.pieces import Side, UnitId
from campaign.rules.state import Due
from tests.orders.helpers import commander, foot, found, march, obeyed, sheet
from tests.positions import OPEN, position
from tests.rules.helpers import ids

HERE = int(OPEN)
NEXT = HERE + 1
ROUTE = (2041, 2141, 2140, 2239, 2339, 2338, 2437, 2537, 2636, 2736)
BARRED = "2338: 9 spears"
"""On that way from Khartoum to Shendi, far from both."""
KHARTOUM = sudan().place("Khartoum").hex


def verdicts(findings: list[Finding]) -> set[tuple[str, str]]:
    return {(one.verdict.value, one.clause) for one in findings}


def of(findings: list[Finding], verdict: Verdict) -> list[Finding]:
    return [one for one in findings if one.verdict is verdict]


@pytest.mark.parametrize(
    ("stack", "leg", "clause"),
    [
        ("3 infantry egyptian L", {"by": "rail", "to": 101}, "8.22"),
        ("3 infantry egyptian L", {"by": "river", "to": 101}, "8.23"),
        ("civilians egyptian, boat egyptian", {"by": "river", "to": 2040}, "8.23"),
        ("3 infantry egyptian L", {"by": "sea", "to": 101}, "8.25"),
        ("boat egyptian", {"by": "foot", "to": NEXT}, "8.23"),
        ("3 infantry egyptian L", {"by": "foot"}, "8.3"),
        ("3 infantry egyptian L, boat egyptian", {"by": "river"}, "8.3"),
    ],
)
def test_what_is_impossible_is_told_by_the_clause_that_will_refuse_it(
    stack: str, leg: dict[str, object], clause: str
) -> None:
    state = position(f"Khartoum: {stack}")
    orders = sheet(march(ids(state, "Khartoum"), KHARTOUM, leg))
    said = of(found(state, orders), Verdict.IMPOSSIBLE)
    told = obeyed(state, orders).orders[0]
    assert [one.clause for one in said] == [clause]
    assert (told.outcome, told.said, told.clause) == (Outcome.NOT, said[0].said, clause)
    assert said[0].remedy


def test_a_march_is_a_risk_told_with_its_chance() -> None:
    state = position(f"{OPEN}: 2 infantry egyptian L")
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))), Verdict.RISKY)
    assert any(one.clause == "8.31" and "in a hundred" in one.said for one in said)


def test_thirst_is_a_risk_told_with_what_it_may_cost() -> None:
    state = position(f"{OPEN}: 9 infantry egyptian L")
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))), Verdict.RISKY)
    assert any(one.clause == "10.3" and "on average" in one.said for one in said)


def test_an_attack_is_a_risk_told_with_its_odds() -> None:
    state = position(f"{OPEN}: 6 spears", f"0{NEXT}: 2 infantry egyptian R", side="mahdist")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    said = [one for one in found(state, sheet(order)) if one.clause == "9.6"]
    assert len(said) == 1
    assert "the chance to win" in said[0].said


def test_a_destination_too_far_is_told_even_for_the_best_of_throws() -> None:
    state = position(f"{OPEN}: spears", side="mahdist")
    far = sudan().place("Souakim").hex
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(far)))), Verdict.RISKY)
    assert any("Even if every throw falls well" in one.said for one in said)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"legs": [foot(HERE)]}, "already"),
        ({"least_odds": 50}, "attacks nobody"),
        ({"drops": [{"units": [9_999]}]}, "not of the stack"),
        ({"leader": 9_999}, "does not go with the stack"),
    ],
)
def test_what_is_lawful_but_without_use_is_told(changed: dict[str, object], words: str) -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    order = march(ids(state, OPEN), HERE, foot(NEXT)) | changed
    said = of(found(state, sheet(order)), Verdict.POINTLESS)
    assert any(words in one.said for one in said)


def test_an_attack_by_nobody_who_can_fight_is_without_use() -> None:
    state = position(f"{OPEN}: supply, camel", f"0{NEXT}: spears")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    assert any(
        "can attack" in one.said for one in of(found(state, sheet(order)), Verdict.POINTLESS)
    )


def test_a_condition_on_a_battle_that_is_not_open_is_without_use() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    condition = {"battle": "nine", "came": "won"}
    order = march(ids(state, OPEN), HERE, foot(NEXT), if_battle=condition)
    said = of(found(state, sheet(order)), Verdict.POINTLESS)
    assert [one.said for one in said] == ["No battle 'nine' is open or has been fought."]


def test_units_that_an_earlier_order_sends_away_are_told_and_by_which() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    one, *others = ids(state, OPEN)
    orders = sheet(
        march([one], HERE, foot(NEXT)),
        march([one, *others], HERE, foot(HERE - 1)),
        march([one, others[0]], HERE, foot(HERE - 1)),
    )
    said = [one for one in found(state, orders) if "sent away" in one.said]
    assert [(one.number, one.verdict, one.clause) for one in said] == [
        (1, Verdict.POINTLESS, "8.3"),
        (2, Verdict.POINTLESS, "8.3"),
    ]
    assert f"(no. {one}) will not stand" in said[0].said
    assert said[0].said.endswith("sent away by order 1.")
    assert said[1].said.endswith("sent away by orders 1 and 2.")
    assert all(one.remedy for one in said)


def test_units_that_were_never_there_are_told_once_however_many_orders_name_them() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    order = march(ids(state, OPEN), HERE + 2, foot(NEXT))
    said = found(state, sheet(order, order))
    assert [(one.verdict, "None of the units" in one.said) for one in said] == [
        (Verdict.IMPOSSIBLE, True)
    ] * 2


@pytest.mark.parametrize("whose", [{"reason": "relief"}, {}])
def test_3_1_a_place_that_takes_nobody_is_told_even_if_the_next_one_does(
    whose: dict[str, str],
) -> None:
    state = position("Khartoum: infantry egyptian L", phase="reinforcement")
    coming = state.units[ids(state, "Khartoum")[0]].anew(UnitId(900))
    souakim = sudan().place("Souakim").hex
    state.due.append(Due(state.month, "relief", (souakim,), (coming,)))
    placed = [{**whose, "hexes": [KHARTOUM, souakim]}]
    (said,) = found(state, sheet(reinforcements=placed))
    assert (said.verdict, said.clause) == (Verdict.POINTLESS, "3.1")
    assert said.said == "Nobody who is due may arrive at Khartoum, as things stand."


def test_arrivals_that_cannot_come_there_are_told() -> None:
    state = position("Khartoum: infantry egyptian L", phase="reinforcement")
    orders = sheet(reinforcements=[{"hexes": [], "units": []}, {"hexes": [1], "units": [9_999]}])
    said = found(state, orders)
    assert {one.part.value for one in said} == {"reinforcement"}
    assert {one.verdict for one in said} == {Verdict.POINTLESS}


def test_stacks_without_orders_are_named() -> None:
    state = position("Khartoum: infantry egyptian L", "Berber: infantry egyptian L")
    berber = sudan().place("Berber").hex
    mine = commander(state, sheet({"order": "stay", "hex": KHARTOUM}))
    assert without_orders(state, mine, Headquarters((mine,))) == (berber,)


def _under_fog(*hidden: str) -> list[Finding]:
    """What the Egyptian player is told of an order past an enemy he cannot see."""
    state = position("Khartoum: 3 infantry egyptian L", *hidden)
    seen = sight.supposed(sight.look(state, Side.EGYPTIAN, sight.beginning(state, Side.EGYPTIAN)))
    order = march(ids(state, "Khartoum"), KHARTOUM, foot(0, *ROUTE))
    mine = Commander(1, Side.EGYPTIAN, sheet(order))
    return list(check(seen, mine, Headquarters((mine,))))


def test_no_check_tells_of_an_enemy_who_is_not_seen() -> None:
    """He stands in the middle of the way; where the map is open it is another matter."""
    assert _under_fog(BARRED) == _under_fog()
    state = position("Khartoum: 3 infantry egyptian L", BARRED)
    order = march(ids(state, "Khartoum"), KHARTOUM, foot(0, *ROUTE))
    assert found(state, sheet(order)) != _under_fog()
