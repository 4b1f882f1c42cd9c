"""Craft driven from a hex: where they can go, what the water does to them, who takes them (6.1)."""

from collections.abc import Sequence
from itertools import pairwise

from battles.core.dice import Roll
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, chart, laws, scenario_of
from campaign.rules.losses import is_replaced, remove
from campaign.rules.map import HexId, Nav, RiverMove
from campaign.rules.march.reach import forbidden
from campaign.rules.march.rivers import bears, water_of
from campaign.rules.march.wrecks import founders, months_away, repair
from campaign.rules.pieces import RIVER_CRAFT, Kind, Nation, Side, UnitId
from campaign.rules.pool import counters, muster
from campaign.rules.stacking import called
from campaign.rules.state import OFF_MAP, State, Unit


def refuges_of(state: State, hex_id: HexId, driven: Sequence[Unit]) -> tuple[HexId, ...]:
    """The hexes next along the river that one of these craft at least can go to (6.1, 8.23 II)."""
    side = driven[0].side
    hulls = [unit for unit in driven if unit.kind in RIVER_CRAFT]
    near = {move.to for move in chart(state).river_moves.get(hex_id, ())} - {hex_id}
    steps = [hop(state, side, hex_id, there) for there in sorted(near)]
    return tuple(
        step.to for step in steps if step and any(bears(state, hull, step) for hull in hulls)
    )


def hop(state: State, side: Side, here: HexId, there: HexId) -> RiverMove | None:
    """The move of one hex by which craft of that side get away, on the better water of two."""
    if there in board(state).occupied[side.enemy] | forbidden(scenario_of(state), side):
        return None
    steps = [step for step in chart(state).river_moves.get(here, ()) if step.to == there]
    return max(steps, key=lambda step: _is_smooth(state, step), default=None)


def _is_smooth(state: State, step: RiverMove) -> bool:
    return water_of(state, step) is Nav.NAVIGABLE


def run_for_it(ledger: Ledger[State], hull: Unit, way: tuple[HexId, HexId]) -> None:
    """The hull has gone this way of one hex: it may be wrecked, and then be captured (6.1)."""
    captor = hull.side.enemy
    if not any(founders(ledger, hull, danger) for danger in dangers(ledger.state, hull.side, way)):
        if _is_captured(ledger, hull, captor):
            seize(ledger, hull, way[0])
        return
    if is_replaced(hull):
        return
    months = months_away(ledger, hull)
    if not months or not _is_captured(ledger, hull, captor):
        repair(ledger, hull, months)
        return
    ledger.emit(e.Captured((hull.name or hull.kind,), hull.hex))
    for prize in prizes(ledger.state, hull.kind, captor, OFF_MAP):
        repair(ledger, prize, months)


def dangers(state: State, side: Side, way: Sequence[HexId]) -> tuple[str, ...]:
    """What may wreck a hull that goes this way by water outside a voyage (8.23 II, IV).

    Each cataract it comes beside, then the unnavigable water it has passed; none by rail.
    """
    hops = [(here, there, hop(state, side, here, there)) for here, there in pairwise(way)]
    wet = [(here, there, step) for here, there, step in hops if step is not None]
    beside = [(chart(state).cataract_at(here), chart(state).cataract_at(to)) for here, to, _ in wet]
    found = [new for old, new in beside if new and new != old]
    rough = any(not _is_smooth(state, step) for _, _, step in wet)
    return (*found, "an unnavigable reach") if rough else tuple(found)


def _is_captured(ledger: Ledger[State], hull: Unit, captor: Side) -> bool:
    roll = ledger.roll(Roll(f"Capture of {called(hull)}", "6.1", (0,), side=captor))
    taken = roll.total >= laws(ledger.state).number("river.captured_from")
    ledger.amend(roll, result="captured" if taken else "gets away")
    return taken


def seize(ledger: Ledger[State], hull: Unit, at: HexId) -> None:
    """The hull falls to the enemy; a counter of his stands with the captors, if he has one."""
    captor = hull.side.enemy
    remove(ledger, [hull.id], "captured")
    ledger.emit(e.Captured((hull.name or hull.kind,), at))
    muster(ledger, prizes(ledger.state, hull.kind, captor, at), "capture")


def prizes(state: State, kind: Kind, captor: Side, at: HexId) -> tuple[Unit, ...]:
    """The captor's own counter for a hull he has taken, if one is free; else nothing (6.1).

    The Egyptian player has those gunboats spare that his scenario lists and that are not in play.
    """
    if captor is Side.MAHDIST:
        return counters(state, kind, 1, at)
    if kind is not Kind.GUNBOAT or _gunboats_in_play(state) >= _gunboats_listed(state):
        return ()
    usual = laws(state).default(kind, Nation.EGYPTIAN)
    number = UnitId(state.next_unit)
    return (Unit(number, kind, Nation.EGYPTIAN, usual.quality, usual.strength, at),)


def _gunboats_listed(state: State) -> int:
    here = scenario_of(state)
    specs = [spec for stack in here.stack for spec in stack.units]
    specs += [spec for group in (*here.reinforcement, *here.force) for spec in group.units]
    return sum(spec.count for spec in specs if _is_egyptian_gunboat(spec.unit, spec.nation))


def _gunboats_in_play(state: State) -> int:
    waiting = [unit for due in state.due for unit in due.units]
    units = [*state.units.values(), *waiting]
    return sum(_is_egyptian_gunboat(unit.kind, unit.nation) for unit in units)


def _is_egyptian_gunboat(kind: Kind, nation: Nation) -> bool:
    return kind is Kind.GUNBOAT and nation.side is Side.EGYPTIAN
