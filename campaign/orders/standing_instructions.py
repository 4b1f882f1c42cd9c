"""Answer the rules' questions that no order settles, by a side's standing instructions.

Every answer is one of the options; what the instructions do not settle is answered by the plain
default of the rule. The same instructions also describe a seat's combats, marches and attrition in
the form that the odds need.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from battles.contract.brief import TroopKind
from battles.core.game import IllegalAction
from campaign.odds.march import Falling
from campaign.odds.meeting import CombatPlan, lawful_share
from campaign.orders.order_sheet import (
    HexPurpose,
    LeaderRound,
    MarchOrder,
    Sharing,
    StandingInstructions,
)
from campaign.rules.combat.losses import stack_under_test
from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.options import Options, options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import check
from campaign.rules.core.questions import CombatRound, Quota
from campaign.rules.core.state import COMBAT_TABLE, State, Unit, current_combat, open_question
from campaign.rules.map import HexId
from campaign.rules.stacks import able_to_lead, strength_points
from campaign.rules.supply import best_source
from campaign.staff.losses import worth


def by_instruction(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Return the answer by those instructions, or the plain default if the rules refuse it."""
    instructions = instructions_for(standing, _asked_about(state))
    action: a.AnyAction = _ANSWERS[type(state.question)](state, offered, instructions)
    return action if is_lawful(state, action) else default_answer(state, offered)


def instructions_for(standing: StandingInstructions, units: Sequence[Unit]) -> StandingInstructions:
    """Return the instructions that count for these units, which stand together."""
    unit_ids, hexes = {unit.id for unit in units}, {unit.hex for unit in units}
    parts = (
        part
        for part in standing.local
        if unit_ids.intersection(part.units) or hexes.intersection(part.hexes)
    )
    part = next(parts, None)
    if part is None:
        return standing
    points = part.supply_from_points
    supply = standing.supply
    if points is not None:
        supply = msgspec.structs.replace(supply, from_points=points)
    return msgspec.structs.replace(
        standing,
        losses=part.losses or standing.losses,
        retreat=part.retreat or standing.retreat,
        supply=supply,
        helps=part.helps or standing.helps,
    )


def _asked_about(state: State) -> list[Unit]:
    """Return the units of the stack that the open question is about, if it is about one."""
    question = state.question
    if isinstance(question, q.ToShareLosses | q.ToLead):
        return board(state).named(current_combat(state).force(question.side).units)
    if isinstance(question, q.ToRetreat | q.ToDisrupt):
        return board(state).named(question.units)
    if isinstance(question, q.ToShareAttrition):
        return board(state).stack(question.side, question.hex)
    return []


def default_answer(state: State, offered: Options) -> a.AnyAction:
    """Return the plain default of the rule, for a side without orders or instructions."""
    answer: a.AnyAction = _ANSWERS[type(state.question)](state, offered, StandingInstructions())
    return answer


def is_lawful(state: State, action: a.AnyAction) -> bool:
    """Return whether the rules allow the action now."""
    try:
        check(state, action)
    except IllegalAction:
        return False
    return True


def _ready(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    return a.Done()


def _place(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Place arrivals in a hex of the instructions, else in the first that is offered (3.1)."""
    if offered.done:
        return a.Done()
    group = offered.arrivals[0]
    liked = [hex_id for hex_id in standing.arrive if hex_id in group.hexes]
    return a.Place(group.group, (liked or list(group.hexes))[0])


def _halt(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    return a.Halt()


def _disrupt(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Disrupt steady units first on the march: disrupted ones would be lost (8.31)."""
    return _pick(state, offered, standing, steady_first=standing.losses is not Sharing.SHAKEN)


def _suffer(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    return _pick(state, offered, standing)


def _pick(
    state: State, offered: Options, standing: StandingInstructions, *, steady_first: bool = False
) -> a.AnyAction:
    units = in_order_of_loss(board(state).named(offered.units), standing, steady_first=steady_first)
    return a.Pick(tuple(unit.id for unit in units[: offered.count]))


def in_order_of_loss(
    units: Sequence[Unit], standing: StandingInstructions, *, steady_first: bool = False
) -> list[Unit]:
    """Return the units in the order in which they are given up: civilians last (9.4, 10.2)."""
    spared, shaken_first = set(standing.spare), standing.losses is Sharing.SHAKEN

    def rank(unit: Unit) -> tuple[bool, bool, bool, float, UnitId]:
        civil = unit.kind is TroopKind.CIVILIANS
        late = unit.disrupted if steady_first else shaken_first and not unit.disrupted
        return civil, unit.id in spared, late, worth(unit), unit.id

    return sorted(units, key=rank)


def _share(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Share losses as the book does, or choose as many other units of the same stack (9.4, 9.5)."""
    fair = a.Share(offered.eliminated, offered.disrupted)
    if standing.losses is Sharing.FAIR and not standing.spare:
        return fair
    question = open_question(state, q.ToShareLosses)
    own = other_share(stack_under_test(state, question), question.quotas, fair, standing)
    return own if is_lawful(state, own) else fair


def other_share(
    units: Sequence[Unit], owed: Sequence[q.Quota], fair: a.Share, standing: StandingInstructions
) -> a.Share:
    """Return as many units as the fair share has, by the instructions; may be unlawful (9.5)."""
    lost = _units_owed(in_order_of_loss(units, standing), owed, len(fair.eliminated), "eliminated")
    able = [unit for unit in units if unit.id not in lost and not unit.disrupted]
    return a.Share(
        lost, _units_owed(in_order_of_loss(able, standing), owed, len(fair.disrupted), "disrupted")
    )


def _units_owed(
    units: Sequence[Unit], quotas: Sequence[q.Quota], count: int, field: str
) -> tuple[UnitId, ...]:
    """Return `count` of the units, first those that pay each quality's quota (9.5)."""
    paid: list[UnitId] = []
    for quota in quotas:
        unit_ids = [unit.id for unit in units if unit.quality is quota.quality]
        paid += unit_ids[: min(int(getattr(quota, field)), count - len(paid))]
    rest = [unit.id for unit in units if unit.id not in paid]
    return tuple(paid + rest[: count - len(paid)])


def _lead(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    return lead(state, offered, standing.helps, UnitId(0))


def lead(state: State, offered: Options, helps: LeaderRound, leader: UnitId) -> a.AnyAction:
    """Have that leader, or the best of those who may, help in that round (7.3)."""
    if helps is LeaderRound.NEITHER:
        return a.Lead(UnitId(0))
    able = board(state).named(offered.leaders)
    best = min(able, key=lambda unit: (-laws(state).leader(unit.name).tactical, unit.id))
    return a.Lead(leader if leader in offered.leaders else best.id, CombatRound(helps))


def _retreat(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Stand fast if the rules and instructions allow it, else retreat to the hex or to safety."""
    question, instruction = open_question(state, q.ToRetreat), standing.retreat
    if question.free and instruction.stand_fast:
        return a.Retreat(())
    if offered.back_along:
        return a.Retreat(_retreat_along_way(state, offered, instruction.towards))
    if offered.reach is None:
        return a.Retreat(())
    refuges = [hex_id for hex_id in sorted(offered.reach.costs) if hex_id != question.hex]
    if not refuges:
        return a.Retreat(())
    best = min(
        refuges, key=lambda hex_id: _refuge_sort_key(state, offered, hex_id, instruction.towards)
    )
    return a.Retreat(offered.reach.path(best))


def _retreat_along_way(state: State, offered: Options, towards: HexId) -> tuple[HexId, ...]:
    """Return the retreat along its own way: one hex, or as far as is nearest to `towards`."""
    way = offered.back_along
    if towards not in chart(state).hexes:
        return way[:1]
    nearest = min(range(len(way)), key=lambda place: (_far(state, way[place], towards), place))
    return way[: nearest + 1]


def _refuge_sort_key(
    state: State, offered: Options, hex_id: HexId, towards: HexId
) -> tuple[int, bool, bool, int, HexId]:
    """Return the sort key of a refuge, worse if far from the goal, near enemies or lonely."""
    far = _far(state, hex_id, towards) if towards in chart(state).hexes else 0
    cost = offered.reach.costs[hex_id] if offered.reach is not None else 0
    position, side = board(state), offered.side
    pressed = hex_id in position.pressed[side.enemy]
    alone = hex_id not in position.occupied[side]
    return far, pressed, alone, cost, hex_id


def _far(state: State, hex_id: HexId, towards: HexId) -> int:
    return chart(state).distance(hex_id, towards)


def _supply(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Use up the supply unit that supplies most of the stacks that are to draw (10.1)."""
    draws = instructed_draws(state, offered, standing)
    return a.Supply(best_source(state, draws, first=standing.supply.first))


def instructed_draws(
    state: State, offered: Options, standing: StandingInstructions
) -> list[q.SupplyChoice]:
    """Return the stacks with enough strength points to draw, and what they may use up (10.1)."""
    draws = []
    for choice in offered.supplies:
        stack = board(state).stack(offered.side, choice.hex)
        least = instructions_for(standing, stack).supply.from_points
        units = board(state).named(choice.sources)
        free = tuple(unit.id for unit in units if unit.hex not in standing.supply.keep)
        if free and strength_points(stack) >= least:
            draws.append(q.SupplyChoice(choice.hex, free))
    return draws


def _choose(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Return the first hex of the list that is offered, else the nearest to its hexes in order."""
    purpose = _PURPOSES.get(open_question(state, q.ToChooseHex).purpose, HexPurpose.EVENT)
    hex_lists = (part.near for part in standing.near_for if part.purpose is purpose)
    near = next(hex_lists, standing.near)
    hexes = [hex_id for hex_id in near if hex_id in chart(state).hexes]
    if not hexes:
        return a.Choose(offered.hexes[0])
    for hex_id in hexes:
        if hex_id in offered.hexes:
            return a.Choose(hex_id)
    return a.Choose(
        min(
            offered.hexes,
            key=lambda candidate: ([_far(state, candidate, goal) for goal in hexes], candidate),
        )
    )


_PURPOSES = {
    "railhead placed": HexPurpose.RAILHEAD,
    "khalifa placed": HexPurpose.KHALIFA,
    "craft displaced": HexPurpose.CRAFT,
}


def _by_table(state: State, offered: Options, standing: StandingInstructions) -> a.AnyAction:
    """Fight by the campaign's table: a book of battles is asked before a sheet (9.4)."""
    return a.Fight(COMBAT_TABLE)


_ANSWERS: Mapping[type, Callable[[State, Options, StandingInstructions], Any]] = {
    q.ToSetUp: _ready,
    q.ToReinforce: _place,
    q.ToMarch: _ready,
    q.OnMarch: _halt,
    q.ToDisrupt: _disrupt,
    q.ToShareLosses: _share,
    q.ToLead: _lead,
    q.ToFight: _by_table,
    q.ToRetreat: _retreat,
    q.ToSupply: _supply,
    q.ToShareAttrition: _suffer,
    q.ToChooseHex: _choose,
    q.ToChooseUnits: _suffer,
}


@dataclass(frozen=True)
class InstructedSharing:
    """Losses shared by the standing instructions (9.4)."""

    losses: Sharing
    spare: tuple[UnitId, ...]

    def __call__(self, units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
        """Return the share, as `Sharing` of the odds does."""
        if self.losses is Sharing.FAIR and not self.spare:
            return fair
        standing = StandingInstructions(losses=self.losses, spare=self.spare)
        return lawful_share(units, owed, fair, other_share(units, owed, fair, standing))


def plan_of(
    state: State,
    units: Sequence[Unit],
    standing: StandingInstructions,
    order: MarchOrder | None = None,
) -> CombatPlan:
    """Return the combat plan of these units by their order and instructions (7.3, 9.4)."""
    goes_back, law = partial(instructed_answer, standing), laws(state)
    standing = instructions_for(standing, units)
    sharing = InstructedSharing(standing.losses, standing.spare)
    useful = [unit for unit in able_to_lead(state, units) if law.leader(unit.name).tactical]
    helps = (order.helps if order is not None else None) or standing.helps
    if not useful or helps is LeaderRound.NEITHER:
        return CombatPlan(sharing, retreating=goes_back)
    best = min(useful, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    leader_id = order.leader if order is not None else UnitId(0)
    leader = leader_id if leader_id in {unit.id for unit in useful} else best.id
    return CombatPlan(sharing, leader, CombatRound(helps), goes_back)


def instructed_answer(standing: StandingInstructions, state: State) -> a.AnyAction:
    """Return the answer of these instructions to the open question."""
    offered = options(state)
    if offered is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    return by_instruction(state, offered, standing)


def falling_of(standing: StandingInstructions) -> Falling:
    """Return the choice of units that fall out on the march by these instructions (8.31)."""
    return partial(_first, standing, True)


def suffering_of(standing: StandingInstructions) -> Falling:
    """Return the choice of units that suffer attrition by these instructions (10.3)."""
    return partial(_first, standing, False)


def _first(
    standing: StandingInstructions, on_march: bool, units: Sequence[Unit], count: int
) -> Sequence[Unit]:
    instructions = instructions_for(standing, units)
    steady_first = on_march and instructions.losses is not Sharing.SHAKEN
    return in_order_of_loss(units, instructions, steady_first=steady_first)[:count]
