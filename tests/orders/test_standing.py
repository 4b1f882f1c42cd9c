"""What is answered when the rules ask and no order says it."""

from typing import Any

import pytest

from battles.core.dice import ScriptedDice
from campaign.orders.carry_out import answer
from campaign.orders.commands import Commander, Headquarters
from campaign.orders.document import sheet_from
from campaign.orders.progress import Progress
from campaign.rules import actions as a
from campaign.rules import questions as q
from campaign.rules.map import sudan
from campaign.rules.pieces import Side
from campaign.rules.state import State
from tests.orders.helpers import commander, foot, march, sheet
from tests.positions import OPEN, position
from tests.rules.helpers import carry_out, happen, ids, one

HERE = int(OPEN)
NEXT = HERE + 1


def answered(state: State, standing: dict[str, object], side: Side) -> a.AnyAction:
    """The answer of a side with these standing instructions and no orders."""
    seat = Commander(1, side, sheet_from({"standing": standing}))
    return answer(state, Headquarters((seat,)), Progress())[0]


def attacked(defenders: str, dice: tuple[int, ...], want: type[q.Asked]) -> State:
    """Ten bands attack; played by the plain defaults until the defender is asked that question."""
    state: Any = position(f"{OPEN}: 10 spears", f"0{NEXT}: {defenders}", side="mahdist")
    order = march(ids(state, OPEN), HERE, foot(NEXT), contact="attack")
    seats, progress, script = (commander(state, sheet(order)),), Progress(), ScriptedDice(*dice)
    while not (isinstance(state.question, want) and state.question.side is Side.EGYPTIAN):
        action, progress = answer(state, Headquarters(seats), progress)
        carry_out(state, action, script)
    return state


def thirsty(stack: str, where: str = OPEN) -> State:
    """A stack in the desert whose owner is asked whether to spend supply."""
    state = position(f"{where}: {stack}", phase="attrition")
    happen(state, "attrition")
    assert isinstance(state.question, q.ToSupply)
    return state


@pytest.mark.parametrize(("least", "spends"), [(0, True), (4, True), (5, False)])
def test_supply_is_spent_from_so_many_strength_points_on(least: int, spends: bool) -> None:
    state = thirsty("infantry egyptian L, infantry egyptian L, supply, camel")
    points = sum(unit.strength for unit in state.units.values() if unit.hex == HERE)
    said = answered(state, {"supply": {"from_points": points - 4 + least}}, Side.EGYPTIAN)
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
    said = answered(state, {"losses": "cheapest first", "spare": list(spared)}, Side.EGYPTIAN)
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
    ("helps", "leads"), [("fire", "fire"), ("melee", "melee"), ("neither", "")]
)
def test_a_leader_helps_in_the_round_that_is_ordered(helps: str, leads: str) -> None:
    state = attacked("3 infantry british, Graham", (6,), q.ToLead)
    said = answered(state, {"helps": helps}, Side.EGYPTIAN)
    assert isinstance(said, a.Lead)
    assert said.stage == leads
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
    assert said == a.Lead(graham, "fire")


def test_nobody_in_the_seat_leaves_the_plain_default_of_the_rule() -> None:
    state = thirsty("3 infantry egyptian L, supply, camel")
    action, _ = answer(state, Headquarters(()), Progress())
    carry_out(state, action, ScriptedDice(*[6] * 4))
