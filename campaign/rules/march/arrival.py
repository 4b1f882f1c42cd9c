"""What happens where a marching stack comes: towns change hands, craft give way (3.2, 6.1)."""

from battles.core.dice import Roll
from battles.core.game import Step
from battles.core.ledger import Ledger
from campaign.rules import events as e
from campaign.rules.board import board, chart, is_land, laws
from campaign.rules.losses import remove
from campaign.rules.map import HexId, PlaceClass, RiverMove
from campaign.rules.march.fleet import fleet_leaves
from campaign.rules.march.flight import hop, refuges_of, run_for_it, seize
from campaign.rules.march.rivers import bears
from campaign.rules.pieces import RIVER_CRAFT, Kind, Side
from campaign.rules.pool import counters, muster
from campaign.rules.questions import ToChooseHex
from campaign.rules.stacking import ids
from campaign.rules.state import State, Unit, on_march


def happens_at(state: State, hex_id: HexId) -> bool:
    """Whether entering this hex leads the marching stack to more than standing there."""
    changes = _changes_hands(state, hex_id, state.side)
    return marches_ashore(state) and (changes or bool(_undefended(state, hex_id, state.side)))


def marches_ashore(state: State) -> bool:
    """Whether the stack on the march has land units: leaders and craft take nothing."""
    march = state.march
    return march is not None and any(is_land(unit) for unit in board(state).named(march.units))


def occupy(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Land units of the side have come into this hex: what that leads to (3.2, 6.1)."""
    if _undefended(ledger.state, hex_id, side):
        ledger.then(Step("displace", (hex_id, side)))
    come_ashore(ledger, hex_id, side)


def voyage_ends(ledger: Ledger[State], side: str) -> None:
    """The marching stack has come as far by river as it does (8.23)."""
    if marches_ashore(ledger.state):
        come_ashore(ledger, on_march(ledger.state).route[-1], Side(side))


def come_ashore(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """Land units have come into this hex by river, which displaces no craft (3.2, 6.1)."""
    if _changes_hands(ledger.state, hex_id, side):
        take_place(ledger, hex_id, side)
    alone = _undefended(ledger.state, hex_id, side)
    if all(unit.kind is Kind.LEADER for unit in alone):
        remove(ledger, ids(alone), "leader lost")


def _changes_hands(state: State, hex_id: HexId, side: Side) -> bool:
    return bool(chart(state).hexes[hex_id].place) and not board(state).holds(side, hex_id)


def take_place(ledger: Ledger[State], hex_id: HexId, side: Side) -> None:
    """The place in this hex has been entered by `side`, which now holds it (3.2)."""
    state = ledger.state
    was_enemy = board(state).holds(side.enemy, hex_id)
    ledger.emit(e.ControlChanged(hex_id, side))
    if side is Side.MAHDIST:
        if was_enemy and board(state).in_town(hex_id, PlaceClass.TOWN):
            _town_rises(ledger, hex_id)
        _boats_found(ledger, hex_id)
        fleet_leaves(ledger, hex_id)
    ledger.then(Step("place taken", (hex_id, side)))


def _town_rises(ledger: Ledger[State], hex_id: HexId) -> None:
    """A town last held by the enemy gives the Mahdists spearmen at once (3.2)."""
    roll = ledger.roll(Roll("Townsmen who join", "3.2", (0,), side=Side.MAHDIST))
    joined = counters(ledger.state, Kind.SPEARS, roll.total, hex_id)
    ledger.amend(roll, result=f"{len(joined)} join")
    muster(ledger, joined, "town")


def _boats_found(ledger: Ledger[State], hex_id: HexId) -> None:
    """Boats fall to the Mahdists when they first enter certain towns (3.2)."""
    state = ledger.state
    for name in chart(state).hexes[hex_id].places:
        flag = f"boats:{name}"
        found = laws(state).boats_found(name)
        if not found or flag in state.flags:
            continue
        ledger.emit(e.Flagged(flag))
        muster(ledger, counters(state, Kind.BOAT, found, hex_id), "town")


def _undefended(state: State, hex_id: HexId, side: Side) -> list[Unit]:
    """What land units of `side` drive from this hex: enemy craft and leaders without troops (6.1).

    Leaders with the fleet are at sea.
    """
    stack = board(state).stack(side.enemy, hex_id)
    if any(is_land(unit) or unit.kind is Kind.FLEET for unit in stack):
        return []
    return stack


def displace(ledger: Ledger[State], hex_id: HexId, side: str) -> None:
    """The owner says where his craft in this hex go; without a way they are captured (6.1)."""
    state, mine = ledger.state, Side(side)
    driven = _undefended(state, hex_id, mine)
    if all(unit.kind is Kind.LEADER for unit in driven):
        remove(ledger, ids(driven), "captured")
        return
    refuges = refuges_of(state, hex_id, driven)
    if refuges:
        args = (hex_id, mine)
        ledger.ask(ToChooseHex(mine.enemy, "craft displaced", "6.1", refuges, args=args))
        return
    for hull in driven:
        if hull.kind in RIVER_CRAFT:
            seize(ledger, hull, hex_id)


def craft_displaced(ledger: Ledger[State], hex_id: HexId, side: str, refuge: HexId) -> None:
    """The craft go where their owner chose, past its dangers; then a 6 captures each (6.1).

    Leaders go with the craft, and are lost with the last of them (7.2).
    """
    driven = _undefended(ledger.state, hex_id, Side(side))
    step = hop(ledger.state, driven[0].side, hex_id, refuge)
    stuck = [unit for unit in driven if not _can_go(ledger.state, unit, step)]
    away = [unit for unit in driven if unit not in stuck]
    ledger.emit(e.SailedAway(ids(away), refuge))
    for hull in stuck:
        seize(ledger, hull, hex_id)
    for hull in away:
        if hull.kind in RIVER_CRAFT:
            run_for_it(ledger, hull, (hex_id, refuge))


def _can_go(state: State, unit: Unit, step: RiverMove | None) -> bool:
    return step is not None and (unit.kind not in RIVER_CRAFT or bears(state, unit, step))
