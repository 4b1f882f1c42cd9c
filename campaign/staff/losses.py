"""Losses as the staff shares them: in combat, by thirst, on the march, by events (9.4, 10.3)."""

from collections.abc import Sequence

from battles.core.game import IllegalAction
from campaign.rules import actions as a
from campaign.rules.board import board
from campaign.rules.combat.losses import stack_under_test
from campaign.rules.options import Options
from campaign.rules.pieces import Quality, Side, UnitId
from campaign.rules.play import check
from campaign.rules.questions import Quota, ToChooseUnits, ToShareLosses
from campaign.rules.stacking import lowest_quality
from campaign.rules.state import State, Unit, asked
from campaign.staff.worth import cheapest


def share(state: State, offered: Options) -> a.AnyAction:
    """The cheapest units die, the cheapest steady ones fall into disorder."""
    fair = a.Share(offered.eliminated, offered.disrupted)
    question = asked(state, ToShareLosses)
    own = cheapest_share(stack_under_test(state, question), question.quotas, fair)
    try:
        check(state, own)
    except IllegalAction:
        return fair
    return own


def cheapest_share(units: Sequence[Unit], owed: Sequence[Quota], fair: a.Share) -> a.Share:
    """As many units as by the fair sharing, the cheapest; the rules may refuse it (9.5)."""
    lost = _pay(units, {quota.quality: quota.eliminated for quota in owed}, len(fair.eliminated))
    left = [unit for unit in units if unit.id not in lost and not unit.disrupted]
    hurt = _pay(left, {quota.quality: quota.disrupted for quota in owed}, len(fair.disrupted))
    return a.Share(tuple(lost), tuple(hurt))


def _pay(units: Sequence[Unit], owed: dict[Quality, int], count: int) -> list[UnitId]:
    """`count` units: what each quality owes, then whoever is cheapest."""
    lowest = lowest_quality(unit for unit in units if unit.quality)
    paid: list[Unit] = []
    for quality, number in owed.items():
        mine = [unit for unit in units if (unit.quality or lowest) is quality]
        paid += cheapest(mine, min(number, count - len(paid)))
    rest = [unit for unit in units if unit not in paid]
    paid += cheapest(rest, count - len(paid))
    return [unit.id for unit in paid]


def fall_out(state: State, offered: Options) -> a.AnyAction:
    """Steady units fall out first: they are disrupted where others would be lost (8.31)."""
    return _pick(state, offered, steady_first=True)


def share_attrition(state: State, offered: Options) -> a.AnyAction:
    """Thirst kills the Egyptian player's units, and disrupts the Mahdists' steady ones (10.3)."""
    mahdist = offered.side is Side.MAHDIST
    units = board(state).named(offered.units)
    chosen = cheapest(units, offered.count, steady_first=mahdist, mourn=not mahdist)
    return a.Pick(tuple(unit.id for unit in chosen))


def choose_units(state: State, offered: Options) -> a.AnyAction:
    """Units that go home, change sides or suffer by an event: the cheapest."""
    asked(state, ToChooseUnits)
    return _pick(state, offered)


def _pick(state: State, offered: Options, *, steady_first: bool = False) -> a.AnyAction:
    units = board(state).named(offered.units)
    chosen = cheapest(units, offered.count, steady_first=steady_first)
    return a.Pick(tuple(unit.id for unit in chosen))
