"""Choose the staff's losses: in combat, by thirst, on the march, by events (9.4, 10.3).

The cheapest units are given up first. A supply unit is spent when thirst would cost more (10.1,
10.2).
"""

from collections.abc import Sequence

from battles.contract.brief import TRAIN, Nation, Quality, Side, TroopKind
from battles.core.game import IllegalAction
from campaign.rules.combat.losses import stack_under_test
from campaign.rules.core import actions as a
from campaign.rules.core.board import scenario_of
from campaign.rules.core.options import Options
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import check
from campaign.rules.core.questions import Quota, SupplyChoice, ToShareLosses
from campaign.rules.core.state import State, Unit, open_question
from campaign.rules.map import HexId
from campaign.rules.stacks import lowest_quality
from campaign.rules.supply import best_source
from campaign.rules.tables import scenario_data as v
from campaign.staff.scene import StaffScene, is_british, scene, size, tolls, units_of_kind

_BY_KIND = {
    TroopKind.CAMEL: 1.0,
    TroopKind.SPEARS: 1.0,
    TroopKind.BOAT: 1.2,
    TroopKind.CAVALRY: 1.4,
    TroopKind.INFANTRY: 2.0,
    TroopKind.ENGINEERS: 2.0,
    TroopKind.NAVAL: 2.0,
    TroopKind.CAMEL_CORPS: 2.2,
    TroopKind.GUN: 2.5,
    TroopKind.GUNBOAT: 3.0,
    TroopKind.SUPPLY: 6.0,
}
_BY_QUALITY = {
    Quality.VETERAN: 1.5,
    Quality.LINE: 1.2,
    Quality.FANATIC: 1.0,
    Quality.RABBLE: 0.8,
    Quality.NONE: 1.0,
}


def worth(unit: Unit) -> float:
    """Return the value of the unit; a British unit comes back after two months (3.3)."""
    dear = _BY_KIND.get(unit.kind, 3.0) * _BY_QUALITY[unit.quality] * max(1, unit.strength)
    return dear if unit.nation is not Nation.BRITISH else dear * 1.1


def cheapest(
    units: Sequence[Unit], count: int, *, steady_first: bool = False, mourn: bool = False
) -> list[Unit]:
    """Return the `count` units to give up, civilians last.

    `steady_first` is for results that disrupt the steady and destroy the disrupted; `mourn` for a
    loss of British troops that costs the victory (4.2).
    """
    order = sorted(
        units,
        key=lambda unit: (
            unit.kind is TroopKind.CIVILIANS,
            mourn and unit.nation is Nation.BRITISH and unit.kind not in TRAIN,
            unit.disrupted is steady_first,
            worth(unit),
            unit.id,
        ),
    )
    return order[:count]


def share(view: StaffScene, offered: Options) -> a.AnyAction:
    """Eliminate the cheapest units, and disrupt the cheapest steady ones."""
    state = view.state
    fair = a.Share(offered.eliminated, offered.disrupted)
    question = open_question(state, ToShareLosses)
    own = cheapest_share(stack_under_test(state, question), question.quotas, fair)
    try:
        check(state, own)
    except IllegalAction:
        return fair
    return own


def cheapest_share(units: Sequence[Unit], owed: Sequence[Quota], fair: a.Share) -> a.Share:
    """Return the cheapest units, as many as in the fair share; may be unlawful (9.5)."""
    lost = _pay(units, {quota.quality: quota.eliminated for quota in owed}, len(fair.eliminated))
    left = [unit for unit in units if unit.id not in lost and not unit.disrupted]
    hurt = _pay(left, {quota.quality: quota.disrupted for quota in owed}, len(fair.disrupted))
    return a.Share(tuple(lost), tuple(hurt))


def _pay(units: Sequence[Unit], owed: dict[Quality, int], count: int) -> list[UnitId]:
    """Return `count` units: the quota of each quality, then the cheapest of the others."""
    lowest = lowest_quality(unit for unit in units if unit.quality)
    paid: list[Unit] = []
    for quality, number in owed.items():
        candidates = [unit for unit in units if (unit.quality or lowest) is quality]
        paid += cheapest(candidates, min(number, count - len(paid)))
    rest = [unit for unit in units if unit not in paid]
    paid += cheapest(rest, count - len(paid))
    return [unit.id for unit in paid]


def fall_out(view: StaffScene, offered: Options) -> a.AnyAction:
    """Have steady units fall out first: disrupted ones would be lost (8.31)."""
    units = view.board.named(offered.units)
    chosen = cheapest(units, offered.count, steady_first=True)
    return a.Pick(tuple(unit.id for unit in chosen))


def share_attrition(view: StaffScene, offered: Options) -> a.AnyAction:
    """Choose the victims of thirst: Egyptian units die, steady Mahdists are disrupted (10.3)."""
    mahdist = offered.side is Side.MAHDIST
    units = view.board.named(offered.units)
    chosen = cheapest(units, offered.count, steady_first=mahdist, mourn=not mahdist)
    return a.Pick(tuple(unit.id for unit in chosen))


def choose_units(view: StaffScene, offered: Options) -> a.AnyAction:
    """Choose the cheapest units to go home, change sides or suffer by an event.

    Those that stand with a leader are the last, and his last guard the very last: a leader left
    alone is lost (7.2).
    """
    order = cheapest(view.board.named(offered.units), len(offered.units))
    guards = {place: _guards(view, *place) for place in {(unit.side, unit.hex) for unit in order}}
    led = {place for place, number in guards.items() if number}
    free = [unit for unit in order if (unit.side, unit.hex) not in led]
    last: list[Unit] = []
    for unit in order:
        place = unit.side, unit.hex
        if place in led:
            (free if guards[place] > 1 else last).append(unit)
            guards[place] -= 1
    return a.Pick(tuple(unit.id for unit in (free + last)[: offered.count]))


def _guards(view: StaffScene, side: Side, hex_id: HexId) -> int:
    """Return the number of units that stand with a leader in this hex; 0 without a leader."""
    stack = view.board.stack(side, hex_id)
    leaders = units_of_kind(stack, TroopKind.LEADER)
    return len(stack) - len(leaders) if leaders else 0


BRITISH = 40.0
"""The worth of a British unit lost to thirst: it costs the victory (4.2)."""

SUPPLY = 7.0
"""The worth of a supply unit."""


def draw_supply(view: StaffScene, offered: Options) -> a.AnyAction:
    """Use up the supply unit that supplies most of the stacks worth it; else let them roll."""
    return a.Supply(best_source(view.state, worthwhile_draws(view.state, offered)))


def worthwhile_draws(state: State, offered: Options) -> list[SupplyChoice]:
    """Return the stacks whose expected loss to thirst is dearer than a supply unit.

    The last one in a place where supply wins the campaign is spent only in great need.
    """
    view = scene(state, offered.side)
    return [
        choice
        for choice in offered.supplies
        if expected_thirst_loss(view, choice.hex)
        > (BRITISH * 0.4 if _is_the_relief(view, choice.hex) else _price(view, choice.hex))
    ]


def _price(view: StaffScene, hex_id: HexId) -> float:
    """Return the expected loss above which a supply unit is used up: less where there are more."""
    here = units_of_kind(view.board.land(view.side, hex_id), TroopKind.SUPPLY)
    return SUPPLY / max(1, len(here))


def _is_the_relief(view: StaffScene, hex_id: HexId) -> bool:
    """Return whether the only supply unit in this hex would win the campaign (4.2)."""
    supply_units = units_of_kind(view.board.land(view.side, hex_id), TroopKind.SUPPLY)
    is_needed = any(
        isinstance(condition, v.UnitArrived)
        and (condition.winner, condition.kind) == (view.side, TroopKind.SUPPLY)
        and hex_id in map(view.hex, condition.places)
        for condition in scenario_of(view.state).victory
    )
    return is_needed and len(supply_units) == 1


def expected_thirst_loss(view: StaffScene, hex_id: HexId) -> float:
    """Return the expected loss to thirst of the stack in this hex, in the worth of units."""
    units = view.board.land(view.side, hex_id)
    together = size(units)
    total = 0.0
    order = cheapest(units, len(units), mourn=True)
    for hit, chance in tolls(view.state, view.side, hex_id, together):
        lost = order[:hit]
        total += chance * sum(
            BRITISH if view.bars_victory and is_british(unit) else worth(unit) for unit in lost
        )
    return total
