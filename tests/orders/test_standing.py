"""The answers when the rules ask and no order says it."""

from collections.abc import Mapping
from typing import Any

import pytest

from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters, SeatCommand
from campaign.orders.order_sheet import Progress, sheet_from
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.questions import CombatRound
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from tests.orders.helpers import commander, foot, march, sheet
from tests.positions import OPEN, hex_of, position
from tests.rules.helpers import carry_out, happen, ids, one

HERE = int(OPEN)
NEXT = HERE + 1
KORTI = sudan().place("Korti").hex


def answered(state: State, standing: Mapping[str, object], side: Side) -> a.AnyAction:
    """Return the answer of a side with these standing instructions and no orders."""
    seat = SeatCommand(1, side, sheet_from({"standing": standing}))
    return answer(state, Headquarters((seat,)), Progress())[0]


def attacked(defenders: str, dice: tuple[int, ...], want: type[q.BaseQuestion]) -> State:
    """Ten bands attack; played by the plain defaults until the defender is asked that question."""
    state: Any = position(f"{OPEN}: 10 spears", f"0{NEXT}: {defenders}", side="mahdist")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    seats, progress, script = (commander(state, sheet(order)),), Progress(), ScriptedDice(*dice)
    while not (isinstance(state.question, want) and state.question.side is Side.EGYPTIAN):
        action, progress = answer(state, Headquarters(seats), progress)
        carry_out(state, action, script)
    return state


def thirsty(stack: str, where: str = OPEN) -> State:
    """Return a stack in the desert whose owner is asked whether to spend supply."""
    state = position(f"{where}: {stack}", phase="attrition")
    happen(state, "attrition")
    assert isinstance(state.question, q.ToSupply)
    return state


@pytest.mark.parametrize(("least", "spends"), [(0, True), (2, True), (3, False)])
def test_supply_is_spent_from_so_many_strength_points_on(least: int, spends: bool) -> None:
    """Supply and camels have no strength points, though the rules count them as units."""
    state = thirsty("infantry egyptian L, infantry egyptian L, supply, camel")
    said = answered(state, {"supply": {"from_points": least}}, Side.EGYPTIAN)
    assert isinstance(said, a.Supply)
    assert bool(said.source) is spends


def test_an_exception_for_a_leader_decides_on_the_supply_of_the_stack() -> None:
    state = thirsty("Gordon, infantry egyptian L, supply, camel")
    (leader,) = (unit.id for unit in state.units.values() if unit.name == "Gordon")
    for points, spends in ((0, True), (2, False)):
        local = [{"units": [leader], "supply_from_points": points}]
        standing = {"supply": {"from_points": 2 - points}, "local": local}
        said = answered(state, standing, Side.EGYPTIAN)
        assert isinstance(said, a.Supply)
        assert bool(said.source) is spends


def test_supply_that_is_to_be_kept_is_not_spent() -> None:
    state = thirsty("3 infantry egyptian L, supply, camel")
    said = answered(state, {"supply": {"from_points": 0, "keep": [HERE]}}, Side.EGYPTIAN)
    assert said == a.Supply(source=0)  # type: ignore[arg-type]


def test_losses_fall_on_the_cheapest_and_not_on_those_to_be_spared() -> None:
    dice = (6, 6, 6, 6, 6, 1, 1)
    state = attacked("4 infantry egyptian L, camel", dice, q.ToShareLosses)
    spared = ids(state, f"0{NEXT}", "2 infantry egyptian L")
    said = answered(state, {"losses": "cheapest_first", "spare": list(spared)}, Side.EGYPTIAN)
    assert isinstance(said, a.Share)
    assert not set(said.eliminated) & set(spared)
    carry_out(state, said, ScriptedDice(6, 6, 6, 6, 6, 6))


def test_a_beaten_stack_goes_towards_where_it_shall() -> None:
    dice = (6, 6, 6, 6, 6, 3, 3)
    state = attacked("6 infantry egyptian L", dice, q.ToRetreat)
    ways = []
    for towards in (HERE - 300, HERE + 304):
        said = answered(state, {"retreat": {"towards": towards}}, Side.EGYPTIAN)
        assert isinstance(said, a.Retreat)
        ways.append(said.path[-1])
        assert sudan().distance(said.path[-1], towards) <= sudan().distance(NEXT, towards)  # type: ignore[arg-type]
    assert ways[0] != ways[1]


@pytest.mark.parametrize(
    ("helps", "leads"), [("fire", "fire"), ("melee", "melee"), ("neither", None)]
)
def test_a_leader_helps_in_the_round_that_is_ordered(helps: str, leads: str | None) -> None:
    state = attacked("3 infantry british, Graham", (6,), q.ToLead)
    said = answered(state, {"helps": helps}, Side.EGYPTIAN)
    assert isinstance(said, a.Lead)
    assert said.combat_round == leads
    assert bool(said.leader) is bool(leads)


def test_the_order_of_the_marching_stack_says_in_which_round_its_leader_helps() -> None:
    state = position(f"{OPEN}: 6 infantry british, Graham", f"0{NEXT}: 3 spears")
    graham = one(state, OPEN, "Graham")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack", leader=graham, helps="fire")
    seats, progress, script = (commander(state, sheet(order)),), Progress(), ScriptedDice(6)
    while not isinstance(state.question, q.ToLead):
        action, progress = answer(state, Headquarters(seats), progress)
        carry_out(state, action, script)
    said, _ = answer(state, Headquarters(seats), progress)
    assert said == a.Lead(graham, CombatRound.FIRE)


def test_nobody_in_the_seat_leaves_the_plain_default_of_the_rule() -> None:
    state = thirsty("3 infantry egyptian L, supply, camel")
    action, _ = answer(state, Headquarters(()), Progress())
    carry_out(state, action, ScriptedDice(*[6] * 4))


def asked(question: q.Question, *stacks: str, side: str = "egyptian") -> State:
    """Return a position in which that is asked."""
    state: State = position(*stacks, side=side)
    state.question = question
    return state


def test_any_other_hex_is_the_one_nearest_to_what_is_named() -> None:
    korti, berber = (sudan().place(name).hex for name in ("Korti", "Berber"))
    choices = (korti, berber)
    question = q.ToChooseHex(Side.EGYPTIAN, "craft displaced", "6.1", choices)
    for near, chosen in (("Abou Hamed", berber), ("Dongola", korti)):
        state = asked(question, "Korti: infantry british")
        standing = {"near": [sudan().place(near).hex]}
        assert answered(state, standing, Side.EGYPTIAN) == a.Choose(chosen)
    assert answered(asked(question), {}, Side.EGYPTIAN) == a.Choose(korti)


def test_the_hexes_named_are_tried_in_their_order() -> None:
    korti, berber, debbeh = (sudan().place(name).hex for name in ("Korti", "Berber", "Debbeh"))
    question = q.ToChooseHex(Side.EGYPTIAN, "craft displaced", "6.1", (korti, berber))
    standing = {"near": [debbeh, berber, korti]}
    assert answered(asked(question), standing, Side.EGYPTIAN) == a.Choose(berber)


def test_a_choice_with_a_list_of_its_own_goes_by_it() -> None:
    korti, berber = (sudan().place(name).hex for name in ("Korti", "Berber"))
    own = {"near": [korti], "near_for": [{"purpose": "railhead", "near": [berber]}]}
    for purpose, chosen in (("railhead placed", berber), ("craft displaced", korti)):
        question = q.ToChooseHex(Side.EGYPTIAN, purpose, "6.1", (korti, berber))
        assert answered(asked(question), own, Side.EGYPTIAN) == a.Choose(chosen)


def test_supply_is_spent_by_the_threshold_of_its_place() -> None:
    state: State = position(
        f"{OPEN}: infantry egyptian L, supply",
        "0657: infantry egyptian L, supply",
        phase="attrition",
    )
    happen(state, "attrition")
    far, near = one(state, "0657", "supply"), one(state, OPEN, "supply")
    for hex_id, spent in ((657, far), (HERE, near)):
        local = [{"hexes": [hex_id], "supply_from_points": 0}]
        standing = {"supply": {"from_points": 99}, "local": local}
        assert answered(state, standing, Side.EGYPTIAN) == a.Supply(spent)
    standing = {"supply": {"from_points": 0, "first": [657]}}
    assert answered(state, standing, Side.EGYPTIAN) == a.Supply(far)


def test_supply_that_one_seat_keeps_is_spared_by_all() -> None:
    state: State = position(
        f"{OPEN}: infantry egyptian L, supply", "0038: supply", phase="attrition"
    )
    happen(state, "attrition")
    spends, keeps = (
        sheet_from({"standing": {"supply": supply}})
        for supply in ({"from_points": 0}, {"keep": [38], "from_points": 99})
    )
    region = next(iter(sudan().hexes[hex_of(OPEN)].regions), None)
    chief = SeatCommand(1, Side.EGYPTIAN, spends)
    other = SeatCommand(2, Side.EGYPTIAN, keeps, command=(region or "none",))
    action, _ = answer(state, Headquarters((chief, other)), Progress())
    assert action != a.Supply(one(state, "0038", "supply"))


@pytest.mark.parametrize("by", ["hexes", "units"])
def test_a_beaten_stack_goes_by_the_instructions_for_its_place_or_its_units(by: str) -> None:
    dice = (6, 6, 6, 6, 6, 3, 3)
    state = attacked("6 infantry egyptian L", dice, q.ToRetreat)
    stack = list(ids(state, f"0{NEXT}")) if by == "units" else [NEXT]
    ways = []
    for towards in (HERE - 300, HERE + 304):
        standing = {
            "retreat": {"towards": KORTI},
            "local": [{by: stack, "retreat": {"towards": towards}}],
        }
        said = answered(state, standing, Side.EGYPTIAN)
        assert said == answered(state, {"retreat": {"towards": towards}}, Side.EGYPTIAN)
        ways.append(said)
    assert ways[0] != ways[1]


def test_a_leader_helps_in_the_round_of_his_place() -> None:
    state = attacked("3 infantry british, Graham", (6,), q.ToLead)
    standing = {"helps": "melee", "local": [{"hexes": [NEXT], "helps": "fire"}]}
    said = answered(state, standing, Side.EGYPTIAN)
    assert isinstance(said, a.Lead)
    assert said.combat_round == "fire"


@pytest.mark.parametrize("count", [1, 2, 3])
def test_who_is_to_be_spared_suffers_thirst_last(count: int) -> None:
    state = asked(q.ToShareAttrition(Side.EGYPTIAN, KORTI, count), "Korti: 3 infantry egyptian L")
    units = ids(state, "Korti")
    said = answered(state, {"spare": list(units[:2])}, Side.EGYPTIAN)
    assert isinstance(said, a.Pick)
    assert len(said.units) == count
    assert units[2] in said.units


def test_on_the_march_steady_units_fall_out_unless_the_disrupted_shall_go_first() -> None:
    stack = "Korti: infantry egyptian L, infantry egyptian L disrupted"
    steady, shaken = ids(position(stack), "Korti")
    question = q.ToDisrupt(Side.EGYPTIAN, (steady, shaken), 1)
    for losses, falls_out in (("as_the_book", steady), ("disrupted_first", shaken)):
        said = answered(asked(question, stack), {"losses": losses}, Side.EGYPTIAN)
        assert said == a.Pick((falls_out,))


def test_units_that_go_home_are_the_cheapest_but_for_those_to_be_spared() -> None:
    state = position("Korti: 2 spears, gun", side="mahdist")
    units = ids(state, "Korti")
    state.question = q.ToChooseUnits(Side.MAHDIST, "units go home", "3.21", units, 1)
    spears = ids(state, "Korti", "2 spears")
    assert answered(state, {"spare": [spears[0]]}, Side.MAHDIST) == a.Pick((spears[1],))
