"""Several seats on a side: whose stack is whose, and what the staff does with its own."""

from battles.contract.brief import Side
from battles.core.dice import ScriptedDice
from campaign import staff
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters, SeatCommand, commander_of
from campaign.orders.order_sheet import OrderOutcome, Progress
from campaign.rules.core import actions as a
from campaign.rules.core.state import State
from campaign.rules.map import sudan
from tests.orders.helpers import carried_out, foot, march, sheet
from tests.positions import position
from tests.rules.helpers import carry_out, ids, one

KORTI, SOUAKIM = sudan().place("Korti").hex, sudan().place("Souakim").hex
CHIEF, UNDER = 1, 2


def seats(state: State, *, region: str = "", leader: str = "") -> tuple[SeatCommand, ...]:
    command: tuple[int | str, ...] = (region,) if region else (one(state, "Korti", leader),)
    return (
        SeatCommand(CHIEF, Side.EGYPTIAN, name="Sirdar"),
        SeatCommand(UNDER, Side.EGYPTIAN, command=command, name="Desert Column"),
    )


def column() -> State:
    stacks = "Korti: 2 infantry british, H. Stewart", "Souakim: 2 infantry british"
    return position(*stacks)


def test_a_stack_obeys_the_subordinate_whose_leader_stands_with_it() -> None:
    state = column()
    held = seats(state, leader="H. Stewart")
    whose = {where: commander_of(state, held, where) for where in (KORTI, SOUAKIM)}
    assert whose == {KORTI: held[1], SOUAKIM: held[0]}


def test_else_the_subordinate_in_whose_region_it_stands() -> None:
    state = column()
    held = seats(state, region="souakim_extension")
    whose = {where: commander_of(state, held, where) for where in (KORTI, SOUAKIM)}
    assert whose == {KORTI: held[0], SOUAKIM: held[1]}


def test_a_leader_comes_before_a_region() -> None:
    state = column()
    stewart = one(state, "Korti", "H. Stewart")
    name = next(iter(sudan().hexes[KORTI].regions), "bayuda")
    by_leader = SeatCommand(3, Side.EGYPTIAN, command=(stewart,))
    by_region = SeatCommand(2, Side.EGYPTIAN, command=(name,))
    assert commander_of(state, (by_region, by_leader), KORTI) == by_leader


def test_a_stack_nobody_commands_obeys_nobody() -> None:
    state = column()
    only = (SeatCommand(UNDER, Side.EGYPTIAN, command=("souakim_extension",)),)
    assert commander_of(state, only, KORTI) is None


def test_an_order_for_the_stack_of_another_seat_is_not_carried_out() -> None:
    state = column()
    chief, under = seats(state, leader="H. Stewart")
    units = ids(state, "Korti")
    order = march(units, KORTI, foot(sudan().place("Debbeh").hex))
    progress = carried_out(state, chief._replace(sheet=sheet(order)), under)
    told = progress.account(CHIEF).orders[0]
    assert told.outcome is OrderOutcome.NOT
    assert "Desert Column" in told.said


def test_the_seats_of_a_side_march_the_commander_in_chief_first() -> None:
    state = column()
    chief, under = seats(state, leader="H. Stewart")
    mine, his = ids(state, "Souakim"), ids(state, "Korti")
    near = sudan().neighbours
    chiefs = sheet(march(mine, SOUAKIM, foot(sudan().place("Tokar").hex), marches=1))
    unders = sheet(march(his, KORTI, foot(min(near[KORTI])), marches=1))
    carried_out(state, under._replace(sheet=unders), chief._replace(sheet=chiefs), dice=(6, 6))
    assert state.marched[: len(mine)] == list(mine)
    assert set(his) <= set(state.marched)


def test_the_staff_marches_its_own_stacks_and_no_others() -> None:
    """Asked for one stack after the other it names those of its seat alone, and then is done."""
    state = position("Korti: 8 infantry british, H. Stewart", "Khartoum: 8 infantry egyptian L")
    chief, under = seats(state, leader="H. Stewart")
    others = set(ids(state, "Khartoum"))
    assert isinstance(staff.answer(state), a.March)
    held = Headquarters((chief, under._replace(staff=True)))
    script = ScriptedDice(*[6] * 60)
    while True:
        action, _ = answer(state, held, Progress())
        if isinstance(action, a.Done):
            break
        assert not others & set(getattr(action, "units", ()))
        carry_out(state, action, script)
    assert not others & set(state.marched)
