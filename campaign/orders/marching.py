"""How a march begins that was ordered: who marches, by what, and why not (8.3)."""

from collections.abc import Sequence

from battles.core.game import IllegalAction
from campaign.orders.commands import Commander, Headquarters, commander_of
from campaign.orders.document import (
    NOBODY,
    Contact,
    DismountOrder,
    IfBattle,
    Leg,
    MarchOrder,
    Rail,
    River,
    Sea,
    WithdrawOrder,
)
from campaign.orders.progress import Outcome, Told
from campaign.orders.ways import destination
from campaign.rules import actions as a
from campaign.rules.board import board, chart, laws
from campaign.rules.combat.afloat import is_afloat
from campaign.rules.english.names import at, where
from campaign.rules.leaders import able_to_lead, strategic_value
from campaign.rules.map import HexId
from campaign.rules.march.rivers import craft_ready, voyages
from campaign.rules.pieces import RIVER_CRAFT, UNCOUNTED, Kind, Side, UnitId
from campaign.rules.play import check
from campaign.rules.stacking import ids
from campaign.rules.state import State, Unit


class Unable(Exception):
    """Why an order, or the rest of it, is not carried out: in words, with clause and remedy."""

    def __init__(self, said: str, clause: str = "", remedy: str = "") -> None:
        super().__init__(said)
        self.clause = clause
        self.remedy = remedy

    def told(self) -> Told:
        """That the order was not carried out, and why."""
        return Told(Outcome.NOT, str(self), self.clause, self.remedy)


def first_march(
    state: State, headquarters: Headquarters, commander: Commander, order: MarchOrder
) -> a.AnyAction:
    """What the stack begins with; Unable where it cannot."""
    units = those_ordered(state, headquarters, commander, order)
    if not order.legs or not all(map(destination, order.legs)):
        raise Unable("The order says nowhere to go.", "8.3", "Give it a destination.")
    off_the_map = [leg for leg in order.legs if destination(leg) not in chart(state).hexes]
    if off_the_map:
        raise Unable(
            f"There is no hex {destination(off_the_map[0]):04d} on this map.",
            "8.2",
            "Give a place, or a hex of the map.",
        )
    return lawful(state, begin(state, units, order, order.legs[0]))


def those_ordered(
    state: State,
    headquarters: Headquarters,
    commander: Commander,
    order: MarchOrder | DismountOrder | WithdrawOrder,
) -> list[Unit]:
    """Those of the units named that stand where the order says, if it counts and is the seat's.

    Raises Unable.
    """
    check_condition(headquarters, commander, order.if_battle)
    here = [unit for unit in board(state).named(order.units) if unit.hex == order.hex]
    own = [unit for unit in here if unit.side is commander.side]
    if not own:
        raise Unable(
            f"None of the units named stands {in_words(state, order.hex)}.",
            "8.3",
            "Order units that stand together, from where they stand.",
        )
    obeys = commander_of(state, headquarters.of(commander.side), order.hex, own)
    if obeys is not None and obeys.seat != commander.seat:
        raise Unable(
            f"The stack {in_words(state, order.hex)} is under {obeys.title}.",
            remedy="Ask for it, or order what is yours.",
        )
    return own


def check_condition(
    headquarters: Headquarters, commander: Commander, condition: IfBattle | None
) -> None:
    """Unable when the order counts only after a battle that has not come so."""
    if not headquarters.counts(commander.side, condition):
        raise Unable("The battle has not ended as the order supposes, so it does not count.")


def lawful(state: State, action: a.AnyAction) -> a.AnyAction:
    """The action, if the rules allow it; Unable in their words."""
    try:
        check(state, action)
    except IllegalAction as refusal:
        raise Unable(refusal.reason, refusal.clause, refusal.remedy) from refusal
    return action


def in_words(state: State, hex_id: HexId) -> str:
    """Where a hex lies, even one that is not on the map."""
    return at(hex_id) if hex_id in chart(state).hexes else f"in hex {hex_id:04d}"


def begin(state: State, units: Sequence[Unit], order: MarchOrder, leg: Leg) -> a.AnyAction:
    """The action that sets units that stand together on the way of that leg. Raises Unable."""
    here = units[0].hex
    if isinstance(leg, Rail):
        return a.Rail(ids(units), leg.to)
    if isinstance(leg, River):
        return _sail(state, units, order, leg)
    marchers = ids(units)
    if isinstance(leg, Sea) and state.march is None:
        marchers += _fleet_beside(state, units, here)
    return a.March(marchers, _guide(state, units, order))


def _fleet_beside(state: State, units: Sequence[Unit], here: HexId) -> tuple[UnitId, ...]:
    """The fleet, where it lies in the harbour and is not of the stack yet. Raises Unable."""
    lying = board(state).stack(units[0].side, here)
    fleet = [unit for unit in lying if unit.kind is Kind.FLEET]
    if not fleet:
        raise Unable(
            f"The fleet does not lie {in_words(state, here)}.",
            "8.25",
            "March to its harbour first.",
        )
    return tuple(unit.id for unit in fleet if unit not in units)


def _guide(state: State, units: Sequence[Unit], order: MarchOrder) -> UnitId:
    """The leader who helps it march: as ordered, or the best of those who may (7.1)."""
    able = able_to_lead(state, units)
    if order.leader == NOBODY:
        return UnitId(0)
    if any(unit.id == order.leader for unit in able):
        return order.leader
    best = max(able, key=lambda unit: (strategic_value(state, unit), -unit.id), default=None)
    helps = best is not None and strategic_value(state, best) > 0
    return best.id if best is not None and helps else UnitId(0)


def _sail(state: State, units: Sequence[Unit], order: MarchOrder, leg: River) -> a.AnyAction:
    here = units[0].hex
    hulls = _hulls(state, units, leg, here)
    goal = destination(leg)
    if not hulls:
        raise Unable(
            f"No boat or gunboat lies ready {in_words(state, here)}.",
            "8.23",
            "Sail from where craft lie that have not been used this turn.",
        )
    way = leg.route or voyages(state, here, hulls).get(goal)
    if not way:
        raise Unable(
            f"No river takes these craft from {where(here)} {towards(state, goal)}.",
            "8.23",
            "Choose a hex of the same river that these craft can steer for.",
        )
    attacks = order.contact is Contact.ATTACK
    if attacks and len(way) > 1 and holds_craft(state, units[0].side.enemy, way[-1]):
        way = way[:-1]
    aboard = {unit.id for unit in units}
    return a.Sail((*ids(units), *(hull.id for hull in hulls if hull.id not in aboard)), way)


def holds_craft(state: State, side: Side, hex_id: HexId) -> bool:
    """Whether craft of that side lie there alone, which gunboats attack by themselves (6.1)."""
    return is_afloat(board(state).stack(side, hex_id))


def towards(state: State, hex_id: HexId) -> str:
    """To a hex, even one that is not on the map."""
    return f"to {where(hex_id)}" if hex_id in chart(state).hexes else f"to hex {hex_id:04d}"


def _hulls(state: State, units: Sequence[Unit], leg: River, here: HexId) -> list[Unit]:
    """The craft that carry the stack: those named, those it has, or as many as it needs (8.23)."""
    ready = craft_ready(state, board(state).stack(units[0].side, here))
    if leg.hulls:
        return [hull for hull in ready if hull.id in leg.hulls]
    own = [unit for unit in units if unit.kind in RIVER_CRAFT]
    passengers = [unit for unit in units if unit.kind not in UNCOUNTED]
    needed = -(-len(passengers) // laws(state).number("river.capacity")) or 1
    others = [hull for hull in ready if hull not in own]
    return [*own, *others[: max(0, needed - len(own))]]
