"""Losses of a round, how they are shared, and captured guns and rifles (9.4, 9.5, 9.9)."""

from collections.abc import Callable, Sequence

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Quality, Side, TroopKind
from battles.core.dice import Roll
from battles.core.game import IllegalAction, Ledger
from campaign.rules.core import events as e
from campaign.rules.core.actions import Share
from campaign.rules.core.board import board, is_land, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import CombatRound, Quota, ToShareLosses
from campaign.rules.core.state import State, Unit, current_combat, open_question
from campaign.rules.map import HexId
from campaign.rules.stacks import describe_unit, lowest_quality
from campaign.rules.tables.book import CampaignTables
from campaign.rules.unit_losses import muster_units, new_counters

WORST_FIRST = (Quality.RABBLE, Quality.FANATIC, Quality.LINE, Quality.VETERAN)


def units_to_test(units: Sequence[Unit], combat_round: CombatRound) -> list[Unit]:
    """Return the units of a stack that a round can hurt.

    Craft suffer by fire only, leaders and the fleet never.
    """
    craft = combat_round is CombatRound.FIRE
    return [unit for unit in units if is_land(unit) or (craft and unit.kind in RIVER_CRAFT)]


def quotas(law: CampaignTables, units: Sequence[Unit], total: int) -> tuple[Quota, ...]:
    """Return the losses of each quality among the testing units at this total (9.5).

    Supply, camels, civilians and craft test as the lowest quality of the stack. The worst affected
    suffer first, and never more in all than a stack of the lowest quality only.
    """
    lowest = lowest_quality(unit for unit in units if unit.quality)
    sizes = dict.fromkeys(WORST_FIRST, 0)
    for unit in units:
        sizes[unit.quality or lowest] += 1
    present = sorted((quality for quality in sizes if sizes[quality]), key=_severity(law, total))
    shares = [_quota_by_table(law, quality, sizes[quality], total) for quality in present]
    most = _quota_by_table(law, lowest, len(units), total)
    return _cap_shares(shares, most)


def _severity(law: CampaignTables, total: int) -> Callable[[Quality], tuple[int, int, int]]:
    """Return a sort key: the worst affected by their column first, then the lowest quality."""

    def rank(quality: Quality) -> tuple[int, int, int]:
        result = law.combat(quality, total)
        return -result.eliminated, -result.disrupted, WORST_FIRST.index(quality)

    return rank


def _quota_by_table(law: CampaignTables, quality: Quality, size: int, total: int) -> Quota:
    result = law.combat(quality, total)
    return Quota(quality, _part(size, result.eliminated), _part(size, result.disrupted))


def _part(size: int, percent: int) -> int:
    """Return the percentage of the units, fractions down, at least one."""
    return max(1, size * percent // 100) if percent else 0


def _cap_shares(shares: Sequence[Quota], most: Quota) -> tuple[Quota, ...]:
    """Return the shares, the worst affected first, up to the limit of losses (9.5).

    The limit counts units eliminated or disrupted, and never more of them eliminated.
    """
    eliminated, units, kept = most.eliminated, most.eliminated + most.disrupted, []
    for share in shares:
        out = min(share.eliminated, eliminated, units)
        hurt = min(share.disrupted, units - out)
        eliminated, units = eliminated - out, units - out - hurt
        if out or hurt:
            kept.append(Quota(share.quality, out, hurt))
    return tuple(kept)


def check_share(state: State, action: Share) -> None:
    """Raise IllegalAction when the losses are not shared as the result demands."""
    question = open_question(state, ToShareLosses)
    units = stack_under_test(state, question)
    check_shared(units, question.quotas, share_out(units, question.quotas), action)


def check_shared(units: Sequence[Unit], owed: Sequence[Quota], fair: Share, action: Share) -> None:
    """Raise IllegalAction when these units may not share these losses like that.

    `fair` is the result of `share_out`.
    """
    unit_ids = [*action.eliminated, *action.disrupted]
    if len(set(unit_ids)) < len(unit_ids) or not set(unit_ids) <= {unit.id for unit in units}:
        raise IllegalAction("9.4", "Losses are shared among the units of the stack, each once.")
    _check_numbers(action, fair)
    _check_order(units, action)
    _check_quality(units, action, owed)


def _check_numbers(action: Share, fair: Share) -> None:
    if len(action.eliminated) != len(fair.eliminated) or len(action.disrupted) != len(
        fair.disrupted
    ):
        raise IllegalAction(
            "9.5",
            f"To be eliminated: {len(fair.eliminated)}; to be disrupted: {len(fair.disrupted)}.",
            "Name exactly so many units.",
        )


def _check_order(units: Sequence[Unit], action: Share) -> None:
    lost, kinds = set(action.eliminated), {unit.id: unit.kind for unit in units}
    civilians = {unit_id for unit_id, kind in kinds.items() if kind is TroopKind.CIVILIANS}
    if lost & civilians and not set(kinds) - civilians <= lost:
        raise IllegalAction("9.4", "Civilians are eliminated only when nobody else is left.")
    if any(unit.disrupted for unit in units if unit.id in set(action.disrupted)):
        raise IllegalAction("9.4", "Only units in good order can be disrupted.")


def _check_quality(units: Sequence[Unit], action: Share, owed: Sequence[Quota]) -> None:
    """Raise IllegalAction when a quality pays for another before its own share (9.5)."""
    lowest = lowest_quality(unit for unit in units if unit.quality)
    for quota in owed:
        group = [unit for unit in units if (unit.quality or lowest) is quota.quality]
        payable = [unit for unit in group if unit.kind is not TroopKind.CIVILIANS]
        lost = [unit for unit in group if unit.id in set(action.eliminated)]
        fresh = [unit for unit in group if not unit.disrupted and unit not in lost]
        hurt = [unit for unit in fresh if unit.id in set(action.disrupted)]
        enough = len(lost) >= min(quota.eliminated, len(payable))
        if not enough or len(hurt) < min(quota.disrupted, len(fresh)):
            raise IllegalAction(
                "9.5",
                f"Quality {quota.quality} suffers {quota.eliminated} eliminated and"
                f" {quota.disrupted} disrupted.",
                "Take the losses from the worst affected first.",
            )


def stack_under_test(state: State, question: ToShareLosses) -> list[Unit]:
    """Return the units among which the losses of the question are shared."""
    force = current_combat(state).force(question.side)
    return units_to_test(board(state).named(force.units), question.combat_round)


def share_out(units: Sequence[Unit], owed: Sequence[Quota]) -> Share:
    """Return a legal distribution of the losses that keeps the best units (9.4).

    Disruptions beyond the units in good order eliminate disrupted ones.
    """
    lowest = lowest_quality(unit for unit in units if unit.quality)
    lost: list[UnitId] = []
    for quota in owed:
        group = [unit for unit in units if (unit.quality or lowest) is quota.quality]
        able = [unit for unit in group if unit.kind is not TroopKind.CIVILIANS]
        lost += _first(able, quota.eliminated, lost)
    short = sum(quota.eliminated for quota in owed) - len(lost)
    lost += _first(units, short, lost)
    return _share_disruption(units, owed, lost)


def _share_disruption(units: Sequence[Unit], owed: Sequence[Quota], lost: list[UnitId]) -> Share:
    lowest = lowest_quality(unit for unit in units if unit.quality)
    fresh = [unit for unit in units if not unit.disrupted]
    hurt: list[UnitId] = []
    for quota in owed:
        group = [unit for unit in fresh if (unit.quality or lowest) is quota.quality]
        hurt += _first(group, quota.disrupted, [*lost, *hurt])
    total = sum(quota.disrupted for quota in owed)
    hurt += _first(fresh, total - len(hurt), [*lost, *hurt])
    beyond = total - len(hurt)
    if beyond > 0:
        again = _twice_hurt(units, hurt, lost)[:beyond]
        lost = [*lost, *again]
        hurt = [unit_id for unit_id in hurt if unit_id not in again]
    return Share(tuple(lost), tuple(hurt))


def _twice_hurt(
    units: Sequence[Unit], hurt: Sequence[UnitId], lost: Sequence[UnitId]
) -> list[UnitId]:
    """Return the order of elimination when all are disrupted.

    Units disrupted before go first, civilians last (9.4).
    """
    able = [unit for unit in units if unit.id not in lost]
    able.sort(key=lambda unit: (unit.kind is TroopKind.CIVILIANS, unit.id in hurt, _worth(unit)))
    return [unit.id for unit in able]


def _first(units: Sequence[Unit], count: int, spared: Sequence[UnitId]) -> list[UnitId]:
    """Return `count` units to lose: disrupted and weak ones first, guns and craft late.

    Civilians are last.
    """
    if count <= 0:
        return []
    able = [unit for unit in units if unit.id not in spared]
    able.sort(key=_worth)
    return [unit.id for unit in able[:count]]


def _worth(unit: Unit) -> tuple[bool, bool, bool, int, UnitId]:
    prized = unit.kind in AFLOAT or unit.kind is TroopKind.GUN
    return unit.kind is TroopKind.CIVILIANS, not unit.disrupted, prized, unit.strength, unit.id


_TAKEN_AS = {
    TroopKind.GUN: TroopKind.GUN,
    TroopKind.INFANTRY: TroopKind.INFANTRY,
    TroopKind.ENGINEERS: TroopKind.INFANTRY,
    TroopKind.NAVAL: TroopKind.INFANTRY,
    TroopKind.CAMEL_CORPS: TroopKind.INFANTRY,
}
CAPTURED = "captured"


def capture(ledger: Ledger[State], destroyed: Sequence[Unit], at: HexId) -> None:
    """Roll for each gun and rifle unit destroyed; captured ones stand with the winner."""
    for unit in destroyed:
        if taken_as(unit) is not None:
            _roll_for(ledger, unit, at)


def taken_as(unit: Unit) -> TroopKind | None:
    """Return the kind of Mahdist counter that replaces a captured unit, or None."""
    return _TAKEN_AS.get(unit.kind) if unit.side is Side.EGYPTIAN else None


def _roll_for(ledger: Ledger[State], unit: Unit, at: HexId) -> None:
    state = ledger.state
    roll = ledger.roll(Roll(f"Capture of {describe_unit(unit)}", "9.9", (0,), side=Side.MAHDIST))
    is_captured = laws(state).captured(unit.nation, roll.total)
    ledger.amend(roll, result="captured" if is_captured else "lost")
    if is_captured:
        _take(ledger, unit, at)


def take(ledger: Ledger[State], captured: Sequence[Unit], at: HexId) -> None:
    """Capture these destroyed units without dice; the winner gets counters for them."""
    for unit in captured:
        _take(ledger, unit, at)


def _take(ledger: Ledger[State], unit: Unit, at: HexId) -> None:
    state = ledger.state
    ledger.emit(e.Captured((unit.name or f"{unit.nation} {unit.kind}",), at))
    if CAPTURED not in state.flags:
        ledger.emit(e.Flagged(CAPTURED))
    muster_units(ledger, new_counters(state, _TAKEN_AS[unit.kind], 1, at), "capture")
