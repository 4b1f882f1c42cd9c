"""Orders read aloud: a sentence names everything that is in the order."""

from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from battles.contract.brief import Side
from campaign.orders.order_sheet import sheet_from
from campaign.orders.sheet_prose import describe_order, describe_sheet
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from campaign.rules.prose.names import labels
from tests.orders import sheets as some
from tests.orders.helpers import foot, march, sheet
from tests.positions import position
from tests.rules.helpers import ids, one

KORTI = sudan().place("Korti").hex


def told(state: State, order: dict[str, Any]) -> str:
    return describe_sheet(state, sheet(order)).orders[0]


def test_an_order_reads_as_a_sentence() -> None:
    state = position("Korti: 2 infantry british, gun british, H. Stewart, 3 infantry egyptian L")
    stewart = one(state, "Korti", "H. Stewart")
    units = (*ids(state, "Korti", "2 infantry british, gun british"), stewart)
    metemmeh = sudan().place("Metemmeh").hex
    order = march(
        units,
        KORTI,
        foot(metemmeh),
        contact="attack",
        least_odds=60,
        go_on=True,
        leader=stewart,
        helps="fire",
        drops=[{"units": [units[2]], "at": sudan().place("Gakdul Wells").hex}],
    )
    assert told(state, order) == (
        "Two British battalions, a gun and Sir Herbert Stewart at Korti: march by land to Metemmeh;"
        " attack any enemy that bars the way at 60% or better, and go on after a win; at most"
        " three marches; leave a British gun at Gakdul Wells; led by Sir Herbert Stewart, who is to"
        " help in fire."
    )


def test_9_1_a_march_that_is_only_an_attack_reads_as_one() -> None:
    state = position("Korti: 2 infantry british")
    strike = {**foot(KORTI + 1), "attack_only": True}
    part = told(state, march(ids(state, "Korti"), KORTI, strike, least_odds=60))
    assert "to one hex S of Korti and attack the enemy there without entering the hex" in part
    assert "attack at 60% or better, and stop before any other enemy" in part


def test_units_that_words_do_not_tell_apart_are_told_by_their_numbers() -> None:
    state = position("Korti: 3 infantry egyptian L")
    units = ids(state, "Korti")
    part = told(state, march(units[:1], KORTI, foot(KORTI + 1)))
    assert f"(no. {units[0]})" in part
    assert "no." not in told(state, march(units, KORTI, foot(KORTI + 1)))


def test_a_unit_that_is_lost_is_named_after_the_numbers_of_the_others() -> None:
    state = position("Korti: 4 infantry egyptian L")
    units = ids(state, "Korti")
    sentence = told(state, march((*units[:2], 99), KORTI, foot(KORTI + 1)))
    numbers = ", ".join(map(str, units[:2]))
    assert sentence.startswith(
        f"Two Egyptian battalions (no. {numbers}); and one unit not in play (no. 99) at Korti:"
    )


def test_9_1_a_storm_is_not_said_to_halt_after_a_win() -> None:
    state = position("Korti: 2 infantry british")
    order = march(ids(state, "Korti"), KORTI, foot(KORTI + 1), contact="attack")
    assert "attack any enemy that bars the way, and halt after a win;" in told(state, order)
    assert (
        "attack any enemy that bars the way; attack the same hex again until it falls or the combat"
        " is not won, and halt then;"
    ) in told(state, {**order, "storm": True})


def test_a_list_of_units_numbers_those_that_the_sentence_numbers() -> None:
    state = position("Korti: 2 infantry egyptian L, infantry egyptian V, gun british")
    units = [state.units[one] for one in ids(state, "Korti")]
    listed = labels(units)
    for unit, words in zip(units, listed, strict=True):
        sentence = told(state, march([unit.id], KORTI, foot(KORTI + 1)))
        assert (f"no. {unit.id}" in words) is (f"(no. {unit.id})" in sentence)
    assert sum("no." in words for words in listed) == 3


def test_a_stack_without_a_leader_is_not_read_as_led() -> None:
    state = position("Korti: 2 infantry british", "Berber: gun british, H. Stewart")
    alone, led = (
        told(state, march(ids(state, place), sudan().place(place).hex, foot(KORTI + 1)))
        for place in ("Korti", "Berber")
    )
    assert "led by" not in alone
    assert "led by the best of its leaders" in led


def test_standing_instructions_are_told_even_where_nobody_has_said_anything() -> None:
    state = position("Korti: 3 infantry egyptian L")
    said = describe_sheet(state, sheet()).standing
    assert any("stand fast" in sentence for sentence in said)
    assert any("supply" in sentence.lower() for sentence in said)


def test_the_hexes_that_standing_instructions_prefer_are_read_in_their_order() -> None:
    state, berber = position("Korti: 3 infantry egyptian L"), sudan().place("Berber").hex
    near_for = [{"purpose": "railhead", "near": [berber]}]
    said = describe_sheet(
        state, sheet(standing={"near": [KORTI, berber], "near_for": near_for})
    ).standing
    assert "Any other hex is chosen in this order: Korti, Berber, the nearest to Korti." in said
    assert "For a railhead, in this order: Berber, the nearest to Berber." in said


def test_a_group_of_arrivals_is_named_in_typographic_quotes() -> None:
    written = sheet(reinforcements=[{"hexes": [KORTI], "reason": "the Khedive’s own"}])
    state = position("Korti: 3 infantry egyptian L")
    (said,) = describe_sheet(state, written).reinforcements
    assert said == "All arrivals as “the Khedive’s own”: at Korti."


def _meaning(order: Any) -> Any:
    """Return the order, with units as the sets that they are."""
    plain = dict(order)
    for name in ("units",):
        plain[name] = sorted(plain.get(name, []))
    plain["drops"] = [
        (sorted(drop.get("units", [])), drop.get("at", 0)) for drop in plain.get("drops", [])
    ]
    plain["legs"] = [
        {**leg, "hulls": sorted(leg.get("hulls", [])), "route": list(leg.get("route", []))}
        for leg in plain.get("legs", [])
    ]
    return plain


@given(st.data())
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_two_orders_that_differ_are_told_differently(data: Any) -> None:
    """So a sentence leaves nothing out: whoever reads it knows the order."""
    state = data.draw(some.positions)
    side = data.draw(st.sampled_from(tuple(Side)))
    orders = data.draw(some.documents(state, side))["orders"]
    assume(len(orders) > 1)
    sentences = [describe_order(state, one) for one in sheet_from({"orders": orders}).orders]
    meanings = [_meaning(order) for order in orders]
    for place, sentence in enumerate(sentences):
        for other in range(place):
            assert (sentence == sentences[other]) == (meanings[place] == meanings[other])


@given(st.data())
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_whatever_is_changed_in_an_order_is_heard(data: Any) -> None:
    state = data.draw(some.positions)
    side = data.draw(st.sampled_from(tuple(Side)))
    orders = data.draw(some.documents(state, side))["orders"]
    marches = [order for order in orders if order["type"] == "march" and order["legs"]]
    assume(marches)
    changed = marches[0] | data.draw(
        st.sampled_from(
            (
                {"go_on": not marches[0]["go_on"]},
                {"marches": marches[0]["marches"] % 3 + 1},
                {"least_odds": marches[0]["least_odds"] % 100 + 1},
                {"helps": "fire" if marches[0]["helps"] != "fire" else None},
                {"units": [*marches[0]["units"], 7_777]},
                {"legs": marches[0]["legs"][:-1]},
                {"drops": [*marches[0]["drops"], {"units": [7_778], "at": 77}]},
            )
        )
    )
    assert told(state, changed) != told(state, marches[0])
