"""10.1 to 10.3: drawing supply, chains, the attrition table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.core.game import Ledger
from campaign import rules, staff
from campaign.orders.dry_run import FixedDice
from campaign.orders.standing_instructions import default_answer
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core import questions as q
from campaign.rules.core.board import chart
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS
from campaign.rules.supply import attrition_line
from campaign.rules.tables.book import book
from tests.positions import OPEN, hex_of, phase_step, position
from tests.rules.helpers import count, happen, has, ids, offered, one, only, play, refused, said

LINK = book().number("supply.chain")
"""Movement points between two supply units of a chain."""


def south(hexes: int) -> str:
    """Return the hex so many hexes south of OPEN, all of them flat desert."""
    return f"{int(OPEN) + hexes:04d}"


ROLL = UnitId(0)


def thirst(*stacks, dice, side="egyptian", **more):
    """An attrition phase of one roll."""
    state = position(*stacks, side=side, phase="attrition", **more)
    return state, happen(state, "attrition", dice)


def spared(*stacks, dice, **more):
    """Return the number of units that the roll spares, and its line of the table."""
    _, outcome = thirst(*stacks, dice=dice, **more)
    (event,) = only(outcome, e.Thirsted)
    return event.line, event.spared


def roll_of(*stacks, dice=(3,), **more):
    _, outcome = thirst(*stacks, dice=dice, **more)
    return outcome.rolls[0]


def sources(state, where=OPEN):
    """Return the supply units that the stack in this hex may use up, by the open question."""
    return {choice.hex: choice.sources for choice in state.question.choices}[hex_of(where)]


# 10.1, 10.2: supply


def test_10_1_every_stack_without_supply_rolls():
    state = position(f"{OPEN}: 2 infantry british", "0643: 2 infantry british", phase="attrition")
    outcome = happen(state, "attrition", [6, 6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [641, 643]


def test_10_1_a_stack_may_draw_supply_instead_of_rolling():
    state = position(f"{OPEN}: 9 infantry british, supply", phase="attrition")
    happen(state, "attrition")
    assert isinstance(state.question, q.ToSupply)
    outcome = play(state, a.Supply(one(state, OPEN, "supply")))
    assert not outcome.rolls
    assert count(state, OPEN, "infantry british 3V") == 9
    assert count(state, OPEN, "supply") == 0


def test_10_1_a_stack_may_roll_rather_than_draw():
    state = position(f"{OPEN}: 7 infantry british, supply", phase="attrition")
    happen(state, "attrition")
    outcome = play(state, a.Supply(ROLL), [6])
    assert only(outcome, e.Thirsted)[0].spared == 8
    assert count(state, OPEN, "supply") == 1


def test_10_1_mahdists_have_no_supply_and_roll():
    state, outcome = thirst(f"{OPEN}: 9 spears", dice=[6], side="mahdist")
    assert only(outcome, e.Thirsted)[0].affected == 1
    assert isinstance(state.question, q.ToShareAttrition)


def test_10_1_only_the_side_whose_turn_it_is_rolls():
    _, outcome = thirst(f"{OPEN}: 9 spears", "0643: infantry british", dice=[6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [643]


def test_10_2_a_stack_tests_as_one():
    _, outcome = thirst(f"{OPEN}: 4 infantry british, 2 cavalry, 2 guns", dice=[4])
    assert len(outcome.rolls) == 1
    assert only(outcome, e.Thirsted)[0].affected == 4


def test_10_2_leaders_gunboats_and_boats_never_roll_and_are_not_counted():
    _, outcome = thirst("1943: Gordon, 3 gunboats, 2 boats", f"{OPEN}: Baker", dice=[])
    assert not outcome.rolls
    _, outcome = thirst("2143: Gordon, 3 gunboats egyptian, 8 infantry egyptian L", dice=[1])
    assert only(outcome, e.Thirsted)[0].affected == 0


def test_10_2_camels_and_supply_units_are_counted():
    state = position(f"{OPEN}: 6 infantry british, camel, supply", phase="attrition")
    happen(state, "attrition")
    outcome = play(state, a.Supply(ROLL), [5])
    assert only(outcome, e.Thirsted)[0].affected == 2


def test_10_2_one_supply_unit_supplies_any_number_of_units():
    state = position(f"{OPEN}: 30 infantry british, supply", phase="attrition")
    happen(state, "attrition")
    play(state, a.Supply(one(state, OPEN, "supply")))
    assert count(state, OPEN, "infantry british 3V") == 30


def test_10_2_it_is_used_up_however_few_draw_on_it():
    state = position(f"{OPEN}: infantry british, 2 supply", phase="attrition")
    happen(state, "attrition")
    play(state, a.Supply(one(state, OPEN, "supply")))
    assert count(state, OPEN, "supply") == 1


def test_10_2_only_the_supply_units_named_can_be_drawn_on():
    depots = ("0647: supply", "Khartoum: supply")
    state = position(f"{OPEN}: infantry british, supply", *depots, phase="attrition")
    happen(state, "attrition")
    refused(state, a.Supply(one(state, OPEN, "infantry british")), "10.2")
    refused(state, a.Supply(one(state, "Khartoum", "supply")), "10.2")


def test_10_2_of_a_chain_the_unit_furthest_away_is_used_up():
    state = position(
        f"{OPEN}: 2 infantry british, supply",
        f"{south(LINK)}: supply",
        f"{south(2 * LINK)}: supply",
        phase="attrition",
    )
    happen(state, "attrition")
    far = one(state, south(2 * LINK), "supply")
    assert sources(state) == (far,)
    play(state, a.Supply(far))
    assert count(state, OPEN, "supply") == 1
    assert count(state, south(LINK), "supply") == 1


def test_10_2_the_links_of_a_chain_are_no_longer_than_the_number_says():
    far = f"{south(LINK + 1)}: supply"
    state = position(f"{OPEN}: 2 infantry british, supply", far, phase="attrition")
    happen(state, "attrition")
    assert sources(state) == (one(state, OPEN, "supply"),)


def test_10_2_enemies_in_the_way_break_the_chain():
    ring = [f"{hex_id:04d}: spears" for hex_id in (640, 741, 742, 642, 542, 541)]
    stacks = (f"{OPEN}: 2 infantry british, supply", "0645: supply")
    state = position(*stacks, *ring, phase="attrition")
    happen(state, "attrition")
    assert sources(state) == (one(state, OPEN, "supply"),)


def test_10_2_no_chain_reaches_into_a_siege():
    stacks = ("El Obeid: 2 infantry british, supply", "0360: supply")
    state = position(*stacks, "0257: spears", phase="attrition")
    happen(state, "attrition")
    assert sources(state, "El Obeid") == (one(state, "El Obeid", "supply"),)


def test_10_2_a_chain_does_not_run_through_a_siege():
    stacks = ("0359: infantry british, supply", "El Obeid: infantry british, supply")
    besieger = "0257: spears"
    state = position(*stacks, besieger, phase="attrition")
    happen(state, "attrition")
    assert sources(state, "0359") == (one(state, "0359", "supply"),)


def test_10_2_railway_hexes_cost_the_chain_nothing():
    state = position("Sarras: 2 infantry british, supply", "1301: supply", phase="attrition")
    happen(state, "attrition")
    assert sources(state, "Sarras") == (one(state, "1301", "supply"),)


def test_10_2_an_enemy_leader_alone_on_the_line_cuts_the_chain():
    stacks = ("Sarras: 2 infantry british, supply", "1800: supply")
    state = position(*stacks, phase="attrition")
    happen(state, "attrition")
    assert sources(state, "Sarras") == (one(state, "1800", "supply"),)
    state = position(*stacks, "1103: Osman Digma", phase="attrition")
    happen(state, "attrition")
    assert sources(state, "Sarras") == (one(state, "Sarras", "supply"),)


def test_10_2_a_railway_that_is_not_built_does_not_help():
    state = position("Abou Hamed: 2 infantry british, supply", "2409: supply", phase="attrition")
    happen(state, "attrition")
    assert sources(state, "Abou Hamed") == (one(state, "Abou Hamed", "supply"),)


def test_10_2_a_stack_without_supply_in_its_own_hex_draws_on_nothing():
    stacks = (f"{OPEN}: infantry british", "0640: supply, infantry british")
    state = position(*stacks, phase="attrition")
    happen(state, "attrition", [])
    assert [choice.hex for choice in state.question.choices] == [hex_of("0640")]
    outcome = play(state, a.Supply(one(state, "0640", "supply")), [6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [641]


def test_10_2_stacks_of_one_chain_share_the_unit_that_is_drawn_on():
    state = position(
        f"{OPEN}: infantry british, supply", "0646: infantry british, supply", phase="attrition"
    )
    happen(state, "attrition")
    assert sources(state) == (one(state, "0646", "supply"),)
    outcome = play(state, a.Supply(one(state, "0646", "supply")))
    assert said(outcome).count("Supplied") >= 1


# 5.2 IV, 10.2: the owner decides


@pytest.mark.parametrize("depot", ["1244", "0038"])
def test_5_2_iv_a_supply_unit_that_is_used_up_supplies_its_own_hex_wherever_it_lies(depot):
    """The depot is six points from the front, in a hex of a higher or of a lower number."""
    state = position(f"{OPEN}: infantry egyptian L, supply", f"{depot}: supply", phase="attrition")
    happen(state, "attrition")
    outcome = play(state, a.Supply(one(state, depot, "supply")))
    assert not outcome.rolls
    assert len(only(outcome, e.Supplied)) == 2
    assert count(state, OPEN, "supply") == 1


def test_10_2_a_supply_unit_that_nobody_names_is_spared_and_its_stack_rolls():
    stacks = (f"{OPEN}: infantry british, supply", "0657: infantry british, supply")
    state = position(*stacks, phase="attrition")
    happen(state, "attrition")
    assert len(state.question.choices) == 2
    play(state, a.Supply(one(state, "0657", "supply")))
    outcome = play(state, a.Supply(ROLL), [6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [hex_of(OPEN)]
    assert count(state, OPEN, "supply") == 1
    assert count(state, "0657", "supply") == 0


def test_10_2_the_owner_chooses_the_order():
    stacks = (f"{OPEN}: infantry british, supply", "0657: infantry british, supply")
    for places in ((OPEN, "0657"), ("0657", OPEN)):
        state = position(*stacks, phase="attrition")
        happen(state, "attrition")
        for place in places:
            outcome = play(state, a.Supply(one(state, place, "supply")))
        assert not outcome.rolls
        assert not count(state, OPEN, "supply")
        assert not count(state, "0657", "supply")


def test_10_1_no_die_is_thrown_before_all_supply_has_been_drawn():
    state = position(
        "0638: infantry british", f"{OPEN}: infantry british, supply", phase="attrition"
    )
    assert not happen(state, "attrition").rolls
    outcome = play(state, a.Supply(ROLL), [6, 6])
    assert [event.hex for event in only(outcome, e.Thirsted)] == [hex_of("0638"), hex_of(OPEN)]


CENTRE, RADIUS = "1613", 4
"""A hexagon of flat desert: every turn and reflection of it has the same distances."""
OFFSETS = [
    (q_, r)
    for q_ in range(-RADIUS, RADIUS + 1)
    for r in range(-RADIUS, RADIUS + 1)
    if abs(q_ + r) <= RADIUS
]
STACKS = st.lists(
    st.tuples(
        st.sampled_from(OFFSETS),
        st.sampled_from(["supply", "infantry british, supply", "2 infantry british", "2 supply"]),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda stack: stack[0],
)


def moved(offset, turns, *, mirrored):
    """Return the hex at that offset from the centre after a reflection and turns of 60 degrees."""
    q_, r = offset[::-1] if mirrored else offset
    for _ in range(turns):
        q_, r = -r, q_ + r
    fields = chart(position(f"{CENTRE}: supply")).hexes
    centre = fields[hex_of(CENTRE)]
    (found,) = (
        hex_id for hex_id, at in fields.items() if (at.q - centre.q, at.r - centre.r) == (q_, r)
    )
    return f"{found:04d}"


def attrition_by(stacks, face, owner):
    """Return the units left after an attrition phase in which every die shows that face."""
    state, dice = position(*stacks, phase="attrition"), FixedDice(face)
    state.question = None
    ledger = Ledger(state, dice, evolve)
    ledger.then(phase_step(state.side, "attrition"))
    ledger.advance(STEPS)
    ledger.recorded(e.AgendaRecorded)
    while state.question is not None:
        rules.play(state, owner(state), dice)
    return set(state.units)


@given(STACKS, st.integers(1, 6), st.integers(0, 5), st.booleans())
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize(
    "owner",
    [staff.answer, lambda state: default_answer(state, offered(state))],
    ids=["staff", "instructions"],
)
def test_10_2_the_numbers_of_hexes_decide_nothing(owner, stacks, face, turns, mirrored):
    """A position and its image in other hexes lose the same units, by staff and by instructions."""
    here, there = (
        [f"{moved(offset, *by[:1], mirrored=by[1])}: {units}" for offset, units in stacks]
        for by in ((0, False), (turns, mirrored))
    )
    assert attrition_by(here, face, owner) == attrition_by(there, face, owner)


# 10.3: the table


@pytest.mark.parametrize(("die", "number"), [(1, 4), (2, 5), (3, 6), (4, 6), (5, 8), (6, 12)])
@pytest.mark.parametrize(("place", "near"), [("El Obeid", "0458"), ("Duem", "1854")])
def test_10_3_besieged_places(place, near, die, number):
    line, found = spared(f"{place}: infantry egyptian L", f"{near}: spears", dice=[die])
    assert (line, found) == ("besieged", number)


@pytest.mark.parametrize(("die", "number"), [(1, 0), (2, 0), (3, 2), (4, 4), (5, 6), (6, 8)])
def test_10_3_desert(die, number):
    assert spared(f"{OPEN}: infantry british", dice=[die]) == ("desert", number)


@pytest.mark.parametrize(("die", "number"), [(1, 6), (2, 6), (3, 8), (4, 8), (5, 12), (6, 16)])
def test_10_3_clear(die, number):
    assert spared("0457: infantry british", dice=[die]) == ("clear", number)


@pytest.mark.parametrize(("die", "number"), [(1, 8), (2, 10), (3, 12), (4, 16), (5, 20), (6, 20)])
def test_10_3_cultivated(die, number):
    assert spared("2043: infantry british", dice=[die]) == ("cultivated", number)


def test_10_3_an_unbesieged_town_suffers_nothing_and_throws_no_dice():
    _, outcome = thirst("El Obeid: 30 infantry british, 6 camels", dice=[])
    assert not outcome.rolls
    assert said(outcome)[:2] == ["PhaseBegan", "Supplied"]


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("Duem", "clear"),
        ("Abu Klea Wells", "clear"),
        ("Korti", "cultivated"),
        ("Tokar", "cultivated"),
    ],
)
def test_10_3_an_unbesieged_village_or_oasis_reads_the_better_of_its_ground_and_clear(place, line):
    state = position(f"{place}: infantry british")
    assert attrition_line(state, state.side, hex_of(place)) == line


def test_10_3_hills_lie_on_top_of_other_ground():
    assert spared("0458: infantry british", dice=[1]) == ("clear", 6)


@pytest.mark.parametrize(
    ("month", "counts"),
    [("1884-02", False), ("1884-03", True), ("1884-11", True), ("1884-12", False)],
)
def test_10_3_minus_one_on_the_souakim_extension_from_march_to_november(month, counts):
    roll = roll_of("5522: 2 infantry british", dice=[6], month=month)
    assert has(roll, "attrition.extension") is counts


def test_10_3_minus_one_in_a_mountain_hex():
    assert has(roll_of("0662: infantry british"), "attrition.mountain")
    assert not has(roll_of("0458: infantry british"), "attrition.mountain")


def test_10_3_plus_one_with_gordon_in_khartoum():
    stacks = ("2043: 2 spears", "Khartoum: 2 infantry egyptian L, Gordon")
    assert has(roll_of(*stacks), "attrition.gordon")
    stacks = ("1854: 2 spears", "Duem: 2 infantry egyptian L, Gordon")
    assert not has(roll_of(*stacks), "attrition.gordon")


def test_10_3_rolls_beyond_the_table_read_its_last_column():
    stacks = ("2043: 2 spears", "Khartoum: 2 infantry egyptian L, Gordon")
    assert spared(*stacks, dice=[6]) == ("besieged", 12)
    assert spared("5522: infantry british", dice=[1], month="1884-05") == ("desert", 0)


def test_10_3_egyptian_players_units_that_are_affected_are_eliminated():
    state, _ = thirst(f"{OPEN}: 2 infantry egyptian R", dice=[1])
    assert not state.units


def test_10_3_the_owner_chooses_who_is_affected():
    state, _ = thirst(f"{OPEN}: 4 infantry egyptian R, 2 camels", dice=[4])
    assert state.question == q.ToShareAttrition(state.side, hex_of(OPEN), 2)
    infantry = ids(state, OPEN, "2 infantry egyptian R")
    refused(state, a.Pick(infantry[:1]), "10.3")
    refused(state, a.Pick((infantry[0], infantry[0])), "10.3")
    play(state, a.Pick(infantry))
    assert count(state, OPEN, "infantry egyptian R") == 2
    assert count(state, OPEN, "camel") == 2


def test_10_3_mahdists_are_disrupted():
    state, _ = thirst(f"{OPEN}: 2 spears", dice=[1], side="mahdist")
    assert count(state, OPEN, "spears disrupted") == 2


def test_10_3_disrupted_mahdists_are_eliminated():
    state, _ = thirst(f"{OPEN}: spears, spears disrupted", dice=[1], side="mahdist")
    assert count(state, OPEN, "spears disrupted") == 1
    assert len(state.units) == 1


def test_10_2_civilians_count_as_two():
    stacks = ("2043: spears", "Khartoum: 5 infantry egyptian L, civilians")
    _, outcome = thirst(*stacks, dice=[3])
    assert only(outcome, e.Thirsted)[0].affected == 1
    _, outcome = thirst("2043: spears", "Khartoum: 5 infantry egyptian L", dice=[3])
    assert only(outcome, e.Thirsted)[0].affected == 0


def test_10_2_civilians_are_eliminated_only_after_everybody_else():
    state, _ = thirst("2043: spears", "Khartoum: 5 infantry egyptian L, civilians", dice=[1])
    assert state.question.affected == 3
    refused(state, a.Pick((*ids(state, "Khartoum", "2 infantry egyptian L, civilians"),)), "10.3")
    assert one(state, "Khartoum", "civilians") not in offered(state).units
    play(state, a.Pick(ids(state, "Khartoum", "3 infantry egyptian L")))
    assert count(state, "Khartoum", "civilians") == 1


def test_10_2_civilians_alone_need_two_to_be_spared():
    state, _ = thirst(f"{OPEN}: civilians", dice=[3])
    assert count(state, OPEN, "civilians") == 1
    state, _ = thirst(f"{OPEN}: civilians", dice=[2])
    assert count(state, OPEN, "civilians") == 0


def test_7_2_a_leader_whose_stack_dies_of_thirst_is_lost_too():
    state, _ = thirst(f"{OPEN}: 2 infantry egyptian R, Baker", dice=[1])
    assert not state.units
