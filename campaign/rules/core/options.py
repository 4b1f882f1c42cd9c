"""Legal answers to the open question.

The same functions list what is offered and check what is chosen, so that the pages, the REST
interface, the computer's staff and the fuzzer use one set of options.
"""

from functools import cached_property

import msgspec

from battles.contract.brief import RIVER_CRAFT, Side, TroopKind
from battles.core.rules_engine import Handlers
from campaign.rules.combat.losses import share_out, stack_under_test
from campaign.rules.combat.procedure import targets
from campaign.rules.combat.retreat import retreats, way_back
from campaign.rules.core import questions as q
from campaign.rules.core.board import board, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit, current_march
from campaign.rules.map import HexId
from campaign.rules.march.fleet import has_fleet, is_fleet_alone, reach_with_fleet
from campaign.rules.march.land import stations
from campaign.rules.march.phase import may_march
from campaign.rules.march.reach import MarchReach
from campaign.rules.march.river import craft_ready
from campaign.rules.reinforcements import (
    groups_to_place,
    landing_places,
    may_dismount,
    may_withdraw,
)
from campaign.rules.set_up import set_up_choices
from campaign.rules.stacks import able_to_lead, ids
from campaign.rules.supply import may_suffer


class MovableStack(msgspec.Struct, frozen=True):
    """A stack that may march: its units, the leaders who may help, the hulls that may sail."""

    hex: HexId
    units: tuple[UnitId, ...]
    leaders: tuple[UnitId, ...]
    hulls: tuple[UnitId, ...]


class Arrival(msgspec.Struct, frozen=True):
    """A group to be placed: its number, its units, and the hexes it may stand in."""

    group: int
    units: tuple[UnitId, ...]
    hexes: tuple[HexId, ...]


class Options(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """Legal answers to the open question; fields that do not belong to it are empty.

    `marches`: the state in which a stack is on the march; where it can go is worked out on first
    use, so read that before the state changes. `ways`: where a stack can retreat to.
    """

    side: Side
    asks: str
    done: bool = False
    stacks: tuple[MovableStack, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    deployments: dict[UnitId, tuple[HexId, ...]] = {}
    units: tuple[UnitId, ...] = ()
    count: int = 0
    ways: MarchReach | None = None
    marches: State | None = None
    back_along: tuple[HexId, ...] = ()
    hexes: tuple[HexId, ...] = ()
    may_march: bool = False
    leaders: tuple[UnitId, ...] = ()
    eliminated: tuple[UnitId, ...] = ()
    disrupted: tuple[UnitId, ...] = ()
    sources: tuple[UnitId, ...] = ()
    supplies: tuple[q.SupplyChoice, ...] = ()
    withdraw: tuple[UnitId, ...] = ()
    riders: tuple[tuple[UnitId, ...], ...] = ()
    """Camel Corps units of one quality that stand together; two of them may dismount."""

    @cached_property
    def reach(self) -> MarchReach | None:
        """Return where the stack can march or retreat to."""
        if self.marches is None:
            return self.ways
        return reach_with_fleet(self.marches, current_march(self.marches))

    @cached_property
    def targets(self) -> tuple[HexId, ...]:
        """Return the hexes that the stack on the march can attack."""
        return () if self.marches is None else tuple(targets(self.marches))

    @cached_property
    def stations(self) -> tuple[HexId, ...]:
        """Return the hexes that the stack on the march can go to by rail."""
        state = self.marches
        if state is None or not self.may_march or has_fleet(state, current_march(state)):
            return ()
        return tuple(sorted(stations(state, self.side, current_march(state).route[-1])))


def options(state: State) -> Options | None:
    """Return the legal answers to the open question; None when the campaign is over."""
    if state.question is None:
        return None
    return _domain(state, state.question)


_SPECIAL = RIVER_CRAFT | {TroopKind.LEADER}


def stack_of(state: State, hex_id: HexId, units: list[Unit]) -> MovableStack:
    """Return the units of the stack by their part in a march: on land, leaders, hulls."""
    if _SPECIAL.isdisjoint([unit.kind for unit in units]):
        return MovableStack(hex_id, ids(units), (), ())
    hulls = ids(craft_ready(state, units))
    on_land = tuple([unit.id for unit in units if unit.kind not in RIVER_CRAFT])
    return MovableStack(hex_id, on_land, ids(able_to_lead(state, units)), hulls)


_domain = Handlers[State, [], Options]("options")


@_domain.on(q.ToSetUp)
def _to_set_up(state: State, question: q.ToSetUp) -> Options:
    return Options(
        question.side, "set up", done=True, deployments=set_up_choices(state, question.side)
    )


@_domain.on(q.ToReinforce)
def _to_reinforce(state: State, question: q.ToReinforce) -> Options:
    side = question.side
    waiting = groups_to_place(state, side)
    return Options(
        side,
        "reinforce",
        done=not waiting,
        arrivals=tuple(
            Arrival(place, ids(due.units), tuple(landing_places(state, side, due, due.units)))
            for place, due in waiting.items()
        ),
        withdraw=may_withdraw(state, side),
        riders=may_dismount(state, side),
    )


@_domain.on(q.ToMarch)
def _to_march(state: State, question: q.ToMarch) -> Options:
    stacks = may_march(state, question.side)
    return Options(
        question.side,
        "march",
        done=True,
        stacks=tuple(stack_of(state, hex_id, units) for hex_id, units in stacks.items()),
        riders=may_dismount(state, question.side),
    )


@_domain.on(q.OnMarch)
def _on_march(state: State, question: q.OnMarch) -> Options:
    march = current_march(state)
    position = march.route[-1]
    stack = stack_of(state, position, board(state).named(march.units))
    again = march.may_go_on and march.marches < laws(state).number("march.marches")
    again = again and not is_fleet_alone(board(state).named(march.units))
    return Options(
        question.side,
        "on march",
        stacks=(stack,),
        units=tuple(march.units),
        marches=state,
        may_march=again,
        leaders=stack.leaders,
    )


@_domain.on(q.ToDisrupt)
def _to_disrupt(state: State, question: q.ToDisrupt) -> Options:
    return Options(question.side, "disrupt", units=question.units, count=question.count)


@_domain.on(q.ToShareLosses)
def _to_share_losses(state: State, question: q.ToShareLosses) -> Options:
    units = stack_under_test(state, question)
    fair = share_out(units, question.quotas)
    return Options(
        question.side,
        "share losses",
        units=ids(units),
        eliminated=fair.eliminated,
        disrupted=fair.disrupted,
    )


@_domain.on(q.ToLead)
def _to_lead(state: State, question: q.ToLead) -> Options:
    return Options(question.side, "lead", leaders=question.leaders)


@_domain.on(q.ToFight)
def _to_fight(state: State, question: q.ToFight) -> Options:
    return Options(question.side, "fight")


@_domain.on(q.ToRetreat)
def _to_retreat(state: State, question: q.ToRetreat) -> Options:
    back = way_back(state, question)
    ways = None if question.back_along else retreats(state, question)
    return Options(question.side, "retreat", done=question.free, ways=ways, back_along=back)


@_domain.on(q.ToSupply)
def _to_supply(state: State, question: q.ToSupply) -> Options:
    sources = {source for choice in question.choices for source in choice.sources}
    return Options(
        question.side,
        "supply",
        hexes=tuple(choice.hex for choice in question.choices),
        sources=tuple(sorted(sources)),
        supplies=question.choices,
        done=True,
    )


@_domain.on(q.ToShareAttrition)
def _to_share_attrition(state: State, question: q.ToShareAttrition) -> Options:
    units = may_suffer(board(state).stack(question.side, question.hex), question.affected)
    return Options(question.side, "share attrition", units=ids(units), count=question.affected)


@_domain.on(q.ToChooseHex)
def _to_choose_hex(state: State, question: q.ToChooseHex) -> Options:
    return Options(question.side, question.purpose, hexes=question.choices)


@_domain.on(q.ToChooseUnits)
def _to_choose_units(state: State, question: q.ToChooseUnits) -> Options:
    return Options(question.side, question.purpose, units=question.units, count=question.count)
