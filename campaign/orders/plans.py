"""How a seat would go about its combats, marches and thirst, in the form in which odds want it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from campaign.odds.march import Falling
from campaign.odds.meeting import Plan, lawful_share
from campaign.orders.document import Helps, MarchOrder, Sharing, Standing
from campaign.orders.standing import by_instruction, in_order, other_share
from campaign.rules import actions as a
from campaign.rules.board import laws
from campaign.rules.leaders import able_to_lead
from campaign.rules.options import options
from campaign.rules.pieces import UnitId
from campaign.rules.questions import Quota
from campaign.rules.state import State, Unit


@dataclass(frozen=True)
class Instructed:
    """Losses shared as standing instructions have it (9.4)."""

    losses: Sharing
    spare: tuple[UnitId, ...]

    def __call__(self, units: Sequence[Unit], owed: tuple[Quota, ...], fair: a.Share) -> a.Share:
        """As `Sharing` of the odds."""
        if self.losses is Sharing.FAIR and not self.spare:
            return fair
        standing = Standing(losses=self.losses, spare=self.spare)
        return lawful_share(units, owed, fair, other_share(units, owed, fair, standing))


def plan_of(
    state: State, units: Sequence[Unit], standing: Standing, order: MarchOrder | None = None
) -> Plan:
    """How these units fight by their order and the instructions they have (7.3, 9.4)."""
    sharing = Instructed(standing.losses, standing.spare)
    goes_back, law = partial(instructed, standing), laws(state)
    useful = [unit for unit in able_to_lead(state, units) if law.leader(unit.name).tactical]
    helps = (order.helps if order is not None else None) or standing.helps
    if not useful or helps is Helps.NEITHER:
        return Plan(sharing, retreating=goes_back)
    best = min(useful, key=lambda unit: (-law.leader(unit.name).tactical, unit.id))
    named = order.leader if order is not None else UnitId(0)
    leader = named if named in {unit.id for unit in useful} else best.id
    return Plan(sharing, leader, helps.value, goes_back)


def instructed(standing: Standing, state: State) -> a.AnyAction:
    """What these instructions answer to the open question."""
    offered = options(state)
    if offered is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    return by_instruction(state, offered, standing)


def falling_of(standing: Standing) -> Falling:
    """Who falls out on the march by these instructions (8.31)."""
    return partial(_first, standing, standing.losses is not Sharing.SHAKEN)


def suffering_of(standing: Standing) -> Falling:
    """Who suffers by attrition by these instructions (10.3)."""
    return partial(_first, standing, False)


def _first(
    standing: Standing, steady_first: bool, units: Sequence[Unit], count: int
) -> Sequence[Unit]:
    return in_order(units, standing, steady_first=steady_first)[:count]
