"""March phase: which units may march, and how a march begins, continues and ends (8.1, 8.3)."""

from collections.abc import Sequence

from battles.contract.brief import AFLOAT, RIVER_CRAFT, Side, TroopKind
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import OnMarch, ToMarch
from campaign.rules.core.state import MarchUnderWay, State, Unit, current_march
from campaign.rules.effects_in_force import hexes_barred_from_marching
from campaign.rules.map import HexId
from campaign.rules.march.fleet import may_sail


def march_phase(ledger: Ledger[State], side: str) -> None:
    """Begin phase III: the side marches its stacks one after the other (5.2 III, 5.3 III)."""
    ledger.then(Step("march goes on", (side,)))


def march_goes_on(ledger: Ledger[State], side: str) -> None:
    """Ask for the next move of the marching stack, or which stack marches next."""
    march = ledger.state.march
    if march is not None and not _still_marching(ledger.state, march):
        end(ledger)
        march = None
    ledger.ask(ToMarch(Side(side)) if march is None else OnMarch(Side(side)))


def may_march(state: State, side: Side) -> dict[HexId, list[Unit]]:
    """Return by hex the units that may still march, by land, rail or river, this turn (8.3).

    The fleet goes with any number of stacks (8.25).
    """
    gone, barred_hexes = set(state.marched), hexes_barred_from_marching(state, side)
    stacks, position = {}, board(state)
    for hex_id in position.hexes(side):
        if hex_id in barred_hexes:
            continue
        units = position.stack(side, hex_id)
        stack = [unit for unit in units if unit.id not in gone or unit.kind is TroopKind.FLEET]
        # The fleet sails only with others (8.25), and a hull once a turn (8.23).
        for unit in stack:
            if unit.kind not in AFLOAT or (
                unit.kind in RIVER_CRAFT and unit.id not in state.hulls_used
            ):
                stacks[hex_id] = stack
                break
    return stacks


def units_here(state: State, unit_ids: tuple[UnitId, ...]) -> list[Unit]:
    """Return the named units for a voyage: the marching stack with hulls in its hex.

    Raise IllegalAction when they cannot sail together.
    """
    march = state.march
    if march is None:
        return marching_units(state, unit_ids)
    aboard = [_own(state, unit_id) for unit_id in unit_ids]
    joining = [unit for unit in aboard if unit.id not in march.units]
    if not set(march.units) <= set(unit_ids):
        raise IllegalAction("8.3", "The marching stack boards whole.", "Drop the others off first.")
    if any(unit.hex != march.route[-1] or unit.kind not in RIVER_CRAFT for unit in joining):
        raise IllegalAction(
            "8.3",
            "A marching stack picks up nothing but boats and gunboats.",
            "Let the others march by themselves.",
        )
    _check_fresh(state, joining)
    return aboard


def marching_units(state: State, unit_ids: tuple[UnitId, ...]) -> list[Unit]:
    """Return the named units, which begin or continue a march together.

    Raise IllegalAction when they may not.
    """
    if state.march is not None:
        if set(unit_ids) != set(state.march.units):
            raise IllegalAction(
                "8.1",
                "Another stack is on the march.",
                "Let it halt first, or march with exactly its units.",
            )
        return board(state).named(state.march.units)
    units = [_own(state, unit_id) for unit_id in unit_ids]
    if not units or len({unit.id for unit in units}) < len(unit_ids):
        raise IllegalAction(
            "8.3", "A march needs at least one unit, each named once.", "Name who is to march."
        )
    if len({unit.hex for unit in units}) > 1:
        raise IllegalAction(
            "8.3", "Only units that stand together march together.", "Order each stack by itself."
        )
    _check_fresh(state, units)
    if units[0].hex in hexes_barred_from_marching(state, state.side):
        raise IllegalAction(
            "5.3 I", "This stack may not march this turn, by the random event.", "Wait a month."
        )
    return units


def _check_fresh(state: State, units: Sequence[Unit]) -> None:
    gone = set(state.marched)
    spent = sum(unit.id in gone and unit.kind is not TroopKind.FLEET for unit in units)
    if spent:
        raise IllegalAction(
            "8.3",
            f"{spent} of these units have marched this turn, or came into play in this phase.",
            "March with the others.",
        )


def check_marches_left(state: State) -> None:
    """Raise IllegalAction when the stack on the march has used its three marches (8.3)."""
    march = state.march
    if march is not None and march.marches >= laws(state).number("march.marches"):
        raise IllegalAction("8.3", "The stack has marched three times this turn.", "Halt it.")


def check_landings(
    units: Sequence[Unit], way: Sequence[HexId], landings: Sequence[a.Landing]
) -> None:
    """Raise IllegalAction unless units of the stack are dropped off on the way, each once (8.3).

    Some of the stack must go on to the end of the way.
    """
    unit_ids = {unit.id for unit in units}
    left = [unit_id for landing in landings for unit_id in landing.units]
    if len(set(left)) < len(left) or not unit_ids.issuperset(left):
        raise IllegalAction(
            "8.3", "Units of the stack can be dropped off once.", "Name each unit in one landing."
        )
    if left and unit_ids == set(left):
        raise IllegalAction(
            "8.3", "Nobody would go on to the end of the way.", "Choose a nearer end of it."
        )
    if any(not landing.units or landing.hex not in way for landing in landings):
        raise IllegalAction(
            "8.3",
            "Units are dropped off in hexes on the way.",
            "Name units, and a hex that the stack passes.",
        )


def units_landing(landings: Sequence[a.Landing], hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the units that are dropped off in that hex of the way."""
    return tuple(unit for landing in landings if landing.hex == hex_id for unit in landing.units)


def end(ledger: Ledger[State]) -> None:
    """End the marches of the stack for this turn."""
    march = current_march(ledger.state)
    ledger.emit(e.MarchEnded(tuple(march.units)))


def _own(state: State, unit_id: UnitId) -> Unit:
    unit = state.units.get(unit_id)
    if unit is None or unit.side is not state.side:
        raise IllegalAction(
            "8.3", f"Unit {unit_id} is not one of your units on the map.", "Leave it out."
        )
    return unit


def _still_marching(state: State, march: MarchUnderWay) -> bool:
    """Return whether the stack can still march, move or attack."""
    if not march.may_go_on or not march.units:
        return False
    allowed = laws(state).number("march.marches")
    can_move = march.points > 0 or may_sail(state, march)
    return march.marches < allowed or can_move or _enemy_beside(state, march)


def _enemy_beside(state: State, march: MarchUnderWay) -> bool:
    """Return whether enemy land units, or craft for its gunboats, are next to the stack."""
    enemy = board(state).occupied[state.side.enemy]
    if any(unit.kind is TroopKind.GUNBOAT for unit in board(state).named(march.units)):
        enemy |= board(state).bridged[state.side.enemy]
    return any(near in enemy for near in chart(state).neighbours[march.route[-1]])


def begin(ledger: Ledger[State], units: tuple[UnitId, ...]) -> None:
    """Make these units the marching stack, if they are not already."""
    if ledger.state.march is None:
        start = ledger.state.units[units[0]].hex
        ledger.emit(e.MarchBegan(MarchUnderWay(list(units), [start])))
