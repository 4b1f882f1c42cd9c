"""A sheet as it is written: impossible by which clause, without use, at what risk."""

import re

import pytest

from battles.contract.brief import Side
from battles.core.decoding import encode
from campaign.orders.checks import check, stacks_without_orders
from campaign.orders.findings import Finding, Severity, SheetSection, worst_first
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import MarchProgress, OrderOutcome, OrderReport, Progress
from campaign.rules import sight
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToMarch
from campaign.rules.core.state import DueUnits
from campaign.rules.map import HexId, sudan
from campaign.rules.prose.names import at_hex
from campaign.rules.set_up import new_game
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


def of(findings: list[Finding], verdict: Severity) -> list[Finding]:
    return [one for one in findings if one.verdict is verdict]


@pytest.mark.parametrize(
    ("stack", "leg", "clause"),
    [
        ("3 infantry egyptian L", {"type": "rail", "to": 101}, "8.22"),
        ("3 infantry egyptian L", {"type": "river", "to": 101}, "8.23"),
        ("civilians egyptian, boat egyptian", {"type": "river", "to": 2040}, "8.23"),
        ("3 infantry egyptian L", {"type": "sea", "to": 101}, "8.25"),
        ("boat egyptian", {"type": "foot", "to": NEXT}, "8.23"),
        ("3 infantry egyptian L", {"type": "foot"}, "8.3"),
        ("3 infantry egyptian L, boat egyptian", {"type": "river"}, "8.3"),
    ],
)
def test_what_is_impossible_is_told_by_the_clause_that_will_refuse_it(
    stack: str, leg: dict[str, object], clause: str
) -> None:
    state = position(f"Khartoum: {stack}")
    orders = sheet(march(ids(state, "Khartoum"), KHARTOUM, leg))
    said = of(found(state, orders), Severity.IMPOSSIBLE)
    told = obeyed(state, orders).orders[0]
    assert [one.clause for one in said] == [clause]
    assert (told.outcome, told.said, told.clause) == (OrderOutcome.NOT, said[0].said, clause)
    assert said[0].remedy


def test_a_march_is_a_risk_told_with_its_chance() -> None:
    state = position(f"{OPEN}: 2 infantry egyptian L")
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))), Severity.UNCERTAIN)
    assert any(one.clause == "8.31" and "%" in one.said for one in said)


def test_thirst_is_a_risk_told_with_what_it_may_cost() -> None:
    state = position(f"{OPEN}: 9 infantry egyptian L")
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))), Severity.UNCERTAIN)
    assert any(one.clause == "10.3" and "on average" in one.said for one in said)


def test_an_attack_is_a_risk_told_with_its_odds() -> None:
    state = position(f"{OPEN}: 6 spears", f"0{NEXT}: 2 infantry egyptian R", side="mahdist")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    said = [one for one in found(state, sheet(order)) if one.clause == "9.6"]
    assert len(said) == 1
    assert "the chance to win" in said[0].said


def test_a_destination_too_far_is_one_risk_told_for_the_best_of_throws() -> None:
    state = position(f"{OPEN}: spears", side="mahdist")
    far = sudan().place("Souakim").hex
    said = of(found(state, sheet(march(ids(state, OPEN), HERE, foot(far)))), Severity.UNCERTAIN)
    (told,) = [one for one in said if one.clause in ("8.3", "8.31")]
    assert "cannot come to Souakim this month" in told.said
    assert "even with the best throws it gets no further than" in told.said
    assert "came no further" not in told.said
    assert re.search(r"The chance to get so far is \d+%\.$", told.said)


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
    said = of(found(state, sheet(order)), Severity.POINTLESS)
    assert any(words in one.said for one in said)


def test_an_attack_by_nobody_who_can_fight_is_without_use() -> None:
    state = position(f"{OPEN}: supply, camel", f"0{NEXT}: spears")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    assert any(
        "can attack" in one.said for one in of(found(state, sheet(order)), Severity.POINTLESS)
    )


def test_a_condition_on_a_battle_that_is_not_open_is_without_use() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    condition = {"battle": "nine", "came": "won"}
    order = march(ids(state, OPEN), HERE, foot(NEXT), if_battle=condition)
    said = of(found(state, sheet(order)), Severity.POINTLESS)
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
        (1, Severity.POINTLESS, "8.3"),
        (2, Severity.POINTLESS, "8.3"),
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
        (Severity.IMPOSSIBLE, True)
    ] * 2


@pytest.mark.parametrize("whose", [{"reason": "relief"}, {}])
def test_3_1_a_place_that_takes_nobody_is_told_even_if_the_next_one_does(
    whose: dict[str, str],
) -> None:
    state = position("Khartoum: infantry egyptian L", phase="reinforcement")
    coming = state.units[ids(state, "Khartoum")[0]].as_new_counter(UnitId(900))
    souakim = sudan().place("Souakim").hex
    state.due.append(DueUnits(state.month, "relief", (souakim,), (coming,)))
    placed = [{**whose, "hexes": [KHARTOUM, souakim]}]
    (said,) = found(state, sheet(reinforcements=placed))
    assert (said.verdict, said.clause) == (Severity.POINTLESS, "3.1")
    assert said.said == "Nobody who is due may arrive at Khartoum, as things stand."


def test_3_1_arrivals_that_cannot_come_there_are_told_where_they_can() -> None:
    state = position("Khartoum: infantry egyptian L", phase="reinforcement")
    coming = state.units[ids(state, "Khartoum")[0]].as_new_counter(UnitId(900))
    due_at = tuple(sudan().place(name).hex for name in ("Souakim", "Wady Halfa"))
    state.due.append(DueUnits(state.month, "relief", due_at, (coming,)))
    (said,) = found(state, sheet(reinforcements=[{"units": [900], "hexes": [KHARTOUM]}]))
    assert (said.verdict, said.said) == (Severity.IMPOSSIBLE, "They cannot arrive at Khartoum.")
    assert said.remedy == "Name a place they are due at: Wady Halfa or Souakim."


def test_arrivals_that_cannot_come_there_are_told() -> None:
    state = position("Khartoum: infantry egyptian L", phase="reinforcement")
    orders = sheet(reinforcements=[{"hexes": [], "units": []}, {"hexes": [1], "units": [9_999]}])
    said = found(state, orders)
    assert {one.part.value for one in said} == {"reinforcement"}
    assert {one.verdict for one in said} == {Severity.POINTLESS}


def test_stacks_without_orders_are_named() -> None:
    state = position("Khartoum: infantry egyptian L", "Berber: infantry egyptian L")
    berber = sudan().place("Berber").hex
    mine = commander(state, sheet({"type": "stay", "hex": KHARTOUM}))
    assert stacks_without_orders(state, mine, Headquarters((mine,))) == (berber,)


def _under_fog(*hidden: str) -> list[Finding]:
    """Return the findings for the Egyptian player of an order past an unseen enemy."""
    state = position("Khartoum: 3 infantry egyptian L", *hidden)
    seen = sight.supposed_state(
        sight.visible_campaign(state, Side.EGYPTIAN, sight.initial_knowledge(state, Side.EGYPTIAN))
    )
    order = march(ids(state, "Khartoum"), KHARTOUM, foot(0, *ROUTE))
    mine = SeatCommand(1, Side.EGYPTIAN, sheet(order))
    return list(check(seen, mine, Headquarters((mine,))))


def test_no_check_tells_of_an_enemy_who_is_not_seen() -> None:
    """He stands in the middle of the way; where the map is open it is another matter."""
    assert _under_fog(BARRED) == _under_fog()
    state = position("Khartoum: 3 infantry egyptian L", BARRED)
    order = march(ids(state, "Khartoum"), KHARTOUM, foot(0, *ROUTE))
    assert found(state, sheet(order)) != _under_fog()


def test_8_31_a_march_that_is_certain_is_no_risk_and_says_so() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    findings = found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT))))
    (said,) = [one for one in findings if one.clause == "8.31"]
    assert said.verdict is Severity.NOTE
    assert said.said == (
        "It is certain to make the march it needs; the chance that nobody falls out on the way "
        "is 67%."
    )


def test_an_order_to_where_the_stack_stands_is_pointless_and_nothing_else() -> None:
    state = position(f"{OPEN}: 4 infantry egyptian L")
    findings = found(state, sheet(march(ids(state, OPEN), HERE, foot(HERE))))
    assert worst_first(findings)[0].verdict is Severity.POINTLESS
    assert len(findings) == 1


def test_9_1_an_attack_alone_where_no_enemy_is_known_is_pointless() -> None:
    alone, faced = (
        position(f"{OPEN}: 4 spears", side="mahdist"),
        position(f"{OPEN}: 4 spears", f"0{NEXT}: infantry egyptian R", side="mahdist"),
    )
    for state, pointless in ((alone, 1), (faced, 0)):
        strike = march(ids(state, OPEN), HERE, {**foot(NEXT), "attack_only": True})
        said = of(found(state, sheet(strike)), Severity.POINTLESS)
        assert [one.said for one in said] == pointless * [
            f"No enemy is known {at_hex(HexId(NEXT))}."
        ]


def test_one_lost_unit_is_left_out_in_the_singular() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    for lost, message in (((99,), "One unit named is"), ((98, 99), "Two units named are")):
        (said, *_) = of(
            found(state, sheet(march((*ids(state, OPEN), *lost), HERE, foot(NEXT)))),
            Severity.POINTLESS,
        )
        assert said.said == f"{message} not in play any more."


def test_an_order_has_one_judgement_the_worst() -> None:
    state = position(f"{OPEN}: 4 infantry egyptian L")
    findings = found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT), least_odds=50)))
    assert {Severity.POINTLESS, Severity.UNCERTAIN} <= {one.verdict for one in findings}
    assert worst_first(findings)[0].verdict is Severity.UNCERTAIN


def test_8_23_the_chance_of_a_wreck_stands_beside_an_order_that_passes_a_cataract() -> None:
    state = position("Dongola: 2 gunboats egyptian, infantry egyptian L", month="1884-05")
    here, there = sudan().place("Dongola").hex, HexId(516)
    order = march(ids(state, "Dongola"), here, {"type": "river", "to": there})
    (said,) = [one for one in found(state, sheet(order)) if one.clause == "8.23"]
    assert said.verdict is Severity.UNCERTAIN
    assert "the Third Cataract (Hannek)" in said.said
    assert "the chance that one or more of its two craft are wrecked is 52%, 0.6 on average" in (
        said.said
    )


def test_8_23_an_enemy_on_both_banks_is_named_as_what_bars_the_river() -> None:
    """Without the enemy the craft could steer there; elsewhere no river leads."""
    banks = [near for near in sudan().neighbours[KHARTOUM] if sudan().river_at(near)]
    state = position(
        "Khartoum: gunboat egyptian", *(f"{near}: spears" for near in banks), month="1884-12"
    )
    for to, said in ((2237, "The enemy bars the river from Khartoum to"), (657, "No river takes")):
        order = march(ids(state, "Khartoum"), KHARTOUM, {"type": "river", "to": to})
        (finding,) = [one for one in found(state, sheet(order)) if one.clause == "8.23"]
        assert finding.verdict is Severity.IMPOSSIBLE
        assert finding.said.startswith(said)


def test_8_23_a_voyage_on_smooth_water_is_no_risk() -> None:
    state = position("Khartoum: gunboat egyptian, infantry egyptian L", month="1884-12")
    order = march(ids(state, "Khartoum"), KHARTOUM, {"type": "river", "to": 1943})
    assert not [one for one in found(state, sheet(order)) if one.clause == "8.23"]


def test_9_8_an_attack_without_a_way_back_is_told_with_its_chance() -> None:
    """It attacks from where it stands, and the enemy is on every side."""
    ring = [near for near in sudan().neighbours[HexId(2043)] if near != KHARTOUM]
    state = position(
        "2043: 6 spears",
        "Khartoum: 6 infantry egyptian L",
        *(f"{near}: infantry egyptian L" for near in ring),
        side="mahdist",
    )
    order = march(ids(state, "2043"), 2043, foot(0, 2043, KHARTOUM), contact="attack")
    (said,) = [one for one in found(state, sheet(order)) if one.clause == "9.8"]
    assert said.verdict is Severity.UNCERTAIN
    assert said.said.startswith(
        "The enemy stands all round the hex it attacks from: beaten, it has no way back"
    )
    assert re.search(
        r"The chance of that is \d+%, and that the whole stack is destroyed", said.said
    )
    assert said.hex == KHARTOUM


def test_9_8_a_river_at_the_back_of_an_attack_is_told() -> None:
    state = position("2143: 6 spears", "Khartoum: 6 infantry egyptian L", side="mahdist")
    order = march(ids(state, "2143"), 2143, foot(0, 2043, KHARTOUM), contact="attack")
    (said,) = [one for one in found(state, sheet(order)) if one.clause == "9.8"]
    assert said.verdict is Severity.NOTE
    assert said.said.startswith("The Blue Nile is at its back: beaten, it goes back over it")


@pytest.mark.parametrize("start", ["2044", "2043"])
def test_9_8_an_attack_with_a_way_back_is_not_said_to_have_none(start: str) -> None:
    """Nor one from where the stack sets out, which stays there when it is beaten."""
    state = position(f"{start}: 6 spears", "Khartoum: 6 infantry egyptian L", side="mahdist")
    order = march(ids(state, start), int(start), foot(0, 2043, KHARTOUM), contact="attack")
    findings = found(state, sheet(order))
    assert [one for one in findings if one.clause == "9.6"]
    assert not [one for one in findings if one.clause == "9.8"]


def staked(findings: list[Finding]) -> list[str]:
    return [one.said for one in findings if one.clause in ("4.1", "4.2")]


def test_4_2_an_order_for_a_british_leaders_stack_says_what_its_loss_means() -> None:
    state = position(f"{OPEN}: J. Stewart, infantry egyptian L, civilians")
    said = staked(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))))
    assert said[0].startswith("If this stack is destroyed in combat, the Mahdists win at once.")
    assert "Civilians do not keep it alive." in said[0]
    assert "this way to win is lost: The civilians are in Wady Halfa or Souakim" in said[1]
    alone = position(f"{OPEN}: infantry egyptian L")
    assert not staked(found(alone, sheet(march(ids(alone, OPEN), HERE, foot(NEXT)))))


def test_4_2_an_attack_by_a_british_leaders_stack_has_the_chance_that_it_loses_all() -> None:
    state = position(f"{OPEN}: H. Stewart, infantry egyptian R", f"0{NEXT}: 9 spears 2F")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    (said,) = [one for one in found(state, sheet(order)) if one.clause == "4.2"]
    assert said.verdict is Severity.UNCERTAIN
    assert re.search(r"The chance of that in its own attack is \d+%\.$", said.said)


def test_4_2_an_attack_that_cannot_lose_a_british_leaders_stack_says_so() -> None:
    """It is not said to be impossible, because the check knows no random event."""
    state = position(f"{OPEN}: H. Stewart, 9 infantry british V", f"0{NEXT}: spears 1R")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    (said,) = [one for one in found(state, sheet(order)) if one.said.startswith("If this stack")]
    assert said.verdict is Severity.NOTE
    assert said.said.endswith("Its own attack hardly risks that.")


def test_4_2_british_units_that_may_thirst_leave_a_draw_at_best() -> None:
    state = position(f"{OPEN}: 9 infantry british V", month="1884-12")
    said = staked(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))))
    assert " ".join(said) == (
        "If attrition eliminates one of its British units, the Egyptian side can at best draw. "
        "Without supply that is certain."
    )


def test_4_1_the_stakes_of_the_other_scenario_are_told_too() -> None:
    state = position(
        f"{OPEN}: Khalifa, 4 spears",
        "Khartoum: 2 infantry egyptian L",
        scenario="relief-of-el-obeid",
        month="1883-03",
        side="mahdist",
    )
    said = staked(found(state, sheet(march(ids(state, OPEN), HERE, foot(NEXT)))))
    assert "If the Khalifa is lost, the Egyptian side wins at once." in said
    state.side, state.question = Side.EGYPTIAN, ToMarch(Side.EGYPTIAN)
    leaving = sheet(march(ids(state, "Khartoum"), KHARTOUM, foot(2041)))
    (left,) = [one for one in staked(found(state, leaving)) if "Khartoum" in one]
    assert left == (
        "It leaves nobody to hold Khartoum: if the Mahdists enter it, the Mahdists win at once."
    )


def test_of_a_sheet_that_is_being_carried_out_only_orders_to_come_are_judged() -> None:
    state = position(f"{OPEN}: 4 spears", "1943: 2 spears", side="mahdist")
    gone = march([9_999], HERE, foot(NEXT))
    orders = sheet(gone, gone, gone, march(ids(state, "1943"), 1943, foot(1944)))
    mine, began = commander(state, orders), Progress()
    began.account(mine.seat).orders[0] = OrderReport(
        OrderOutcome.DONE, "It stands there as ordered."
    )
    began.marching = MarchProgress(mine.seat, 1)
    before = encode(state), encode(began)
    said = check(state, mine, Headquarters((mine,)), began)
    assert {one.number for one in said if one.verdict is Severity.IMPOSSIBLE} == {2}
    assert before == (encode(state), encode(began))


@pytest.mark.parametrize(
    ("side", "now", "phase"),
    [("egyptian", "mahdist", "march"), ("egyptian", "egyptian", "recovery")],
)
def test_of_a_sheet_whose_march_phase_is_over_nothing_is_said(
    side: str, now: str, phase: str
) -> None:
    state = position(f"{OPEN}: 4 infantry egyptian L", side=now, phase=phase)
    mine = SeatCommand(1, Side(side), sheet(march([9_999], HERE, foot(NEXT))))
    assert check(state, mine, Headquarters((mine,)), Progress()) == ()
    assert check(state, mine, Headquarters((mine,)))


def test_8_2_a_hex_that_is_not_on_the_map_is_said_not_to_be() -> None:
    state = position(f"{OPEN}: 4 spears", side="mahdist")
    (said,) = found(state, sheet(march(ids(state, OPEN), HERE, foot(9999))))
    assert (said.verdict, said.said) == (Severity.IMPOSSIBLE, "There is no hex 9999 on this map.")


def test_8_2_a_place_outside_the_country_of_the_scenario_is_said_to_be() -> None:
    state = new_game("desert-column")
    korti, berber = sudan().place("Korti").hex, sudan().place("Berber").hex
    (said,) = found(state, sheet(march(ids(state, korti), korti, foot(berber))))
    assert (said.verdict, said.clause) == (Severity.IMPOSSIBLE, "8.2")
    assert said.said == "Berber is outside the country in play: no march leads there."


@pytest.mark.parametrize(
    ("kind", "clause", "words"),
    [
        ("deploy", "2.1", "Units are set up before the first month only."),
        ("withdraw", "3.1", "Units leave the map in a reinforcement phase"),
    ],
)
def test_an_order_that_comes_too_late_says_when_it_is_possible(
    kind: str, clause: str, words: str
) -> None:
    state = position(f"{OPEN}: 4 infantry egyptian L")
    where = {"to": NEXT} if kind == "deploy" else {"hex": HERE}
    (said,) = found(state, sheet({"type": kind, "units": list(ids(state, OPEN)), **where}))
    assert (said.verdict, said.clause) == (Severity.IMPOSSIBLE, clause)
    assert said.said.startswith(words)
    assert said.remedy


def test_the_worst_that_is_said_of_an_order_comes_first() -> None:
    said = [
        Finding(SheetSection.ORDER, 0, verdict, verdict.value)
        for verdict in (Severity.NOTE, Severity.UNCERTAIN, Severity.NOTE, Severity.IMPOSSIBLE)
    ]
    verdicts = [one.verdict for one in worst_first(said)]
    assert verdicts == [Severity.IMPOSSIBLE, Severity.UNCERTAIN, Severity.NOTE, Severity.NOTE]
