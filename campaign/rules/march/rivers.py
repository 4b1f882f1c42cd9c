"""Boats and gunboats along the rivers (8.23): allowances, cataracts, wrecks, passengers."""

from collections.abc import Sequence

from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.board import board, chart, is_land, laws
from campaign.rules.effects import Throw
from campaign.rules.in_force import modifiers
from campaign.rules.map import HexId, Nav, RiverMove
from campaign.rules.march.marching import begin, check_marches_left, units_here
from campaign.rules.march.wrecks import roll_for_wreck
from campaign.rules.pieces import RIVER_CRAFT, Kind
from campaign.rules.stacking import ids, leaders
from campaign.rules.state import State, Unit, on_march

UNLIMITED = 10_000


def craft_ready(state: State, units: Sequence[Unit]) -> list[Unit]:
    """The boats and gunboats among the units that have not been used this turn (8.23)."""
    return [unit for unit in units if unit.kind in RIVER_CRAFT and unit.id not in state.hulls_used]


def check_sail(state: State, action: a.Sail) -> None:
    """Whether these hulls can carry these units along this way (8.23)."""
    units = units_here(state, action.units)
    check_marches_left(state)
    hulls = [unit for unit in units if unit.kind in RIVER_CRAFT]
    _check_hulls(state, hulls)
    _check_passengers(state, units, hulls)
    _check_path(state, units, action.path)


def _check_hulls(state: State, hulls: Sequence[Unit]) -> None:
    if state.march is not None and state.march.sailed:
        raise IllegalAction("8.23", "Only one march of the three may be by river.")
    if not hulls:
        raise IllegalAction("8.23", "Nothing floats here.", "Take a boat or a gunboat along.")
    if len(craft_ready(state, hulls)) < len(hulls):
        raise IllegalAction("8.23", "A boat or gunboat is used once a turn.")


def _check_passengers(state: State, units: Sequence[Unit], hulls: Sequence[Unit]) -> None:
    passengers = [unit for unit in units if unit not in hulls and unit not in leaders(units)]
    room = len(hulls) * laws(state).number("river.capacity")
    if len(passengers) > room:
        raise IllegalAction(
            "8.23", f"There is room aboard for {room} units.", "Take fewer, or more hulls."
        )
    if any(unit.kind in (Kind.CIVILIANS, Kind.FLEET) for unit in passengers):
        raise IllegalAction("8.23", "Civilians are not carried by boat.")
    here = units[0].hex
    if passengers and board(state).besieged(state.side, here):
        raise IllegalAction("9.12", "Units under siege may not leave, by river either.")


def _check_path(state: State, units: Sequence[Unit], path: Sequence[HexId]) -> None:
    here, course = units[0].hex, 0
    if not path:
        raise IllegalAction("8.23", "A voyage needs at least one hex.")
    for there in path:
        step = _move_to(state, here, there)
        if step is None:
            raise IllegalAction(
                "8.23",
                f"No river leads from hex {here:04d} to hex {there:04d}.",
                "Keep beside the river, out of hexes the enemy holds.",
            )
        if course * step.direction < 0:
            raise IllegalAction("8.23", "A march by river goes upstream or downstream, not both.")
        course, here = course or step.direction, there
    land = any(is_land(unit) for unit in units)
    if land and board(state).besieged(state.side, here) and board(state).land(state.side, here):
        raise IllegalAction("9.12", "No unit may enter a place under siege.")


def _move_to(state: State, here: HexId, there: HexId) -> RiverMove | None:
    if there in board(state).occupied[state.side.enemy]:
        return None
    steps = [step for step in chart(state).river_moves.get(here, ()) if step.to == there]
    return steps[0] if steps else None


def sail(ledger: Ledger[State], action: a.Sail) -> None:
    """The stack goes along the river as far as the dice allow; cataracts stop and may wreck."""
    state = ledger.state
    ledger.then(Step("march goes on", (state.side,)))
    begin(ledger, action.units)
    aboard = set(on_march(state).units)
    boarding = tuple(unit for unit in action.units if unit not in aboard)
    if boarding:
        ledger.emit(e.Boarded(boarding))
    hulls = [unit for unit in board(state).named(action.units) if unit.kind in RIVER_CRAFT]
    _voyage(ledger, hulls, list(action.path))


def _voyage(ledger: Ledger[State], hulls: list[Unit], path: list[HexId]) -> None:
    state = ledger.state
    left: dict[Nav, int] = {}
    leg: list[HexId] = []
    rough = False
    here = on_march(state).route[-1]
    for there in path:
        step = _move_to(state, here, there)
        if step is None:
            break
        water = laws(state).class_now(chart(state).nav_at(there, step.river), state.month)
        if water not in left:
            left[water] = _hexes_allowed(ledger, hulls, water, step.direction)
        if left[water] <= 0:
            break
        left = {reach: hexes - 1 for reach, hexes in left.items()}
        leg.append(there)
        rough = rough or water is Nav.UNNAVIGABLE
        here = there
        if chart(state).cataract_at(there):
            _arrive(ledger, hulls, leg)
            leg = []
            if _any_wrecked(ledger, hulls, f"the cataract of {chart(state).cataract_at(there)}"):
                return
    _arrive(ledger, hulls, leg)
    if rough:
        _any_wrecked(ledger, hulls, "an unnavigable reach")


def _arrive(ledger: Ledger[State], hulls: Sequence[Unit], leg: Sequence[HexId]) -> None:
    ledger.emit(e.Sailed(ids(hulls), tuple(leg)))


def _any_wrecked(ledger: Ledger[State], hulls: Sequence[Unit], where: str) -> bool:
    """Every hull rolls, the others' fate notwithstanding."""
    wrecked = [hull for hull in hulls if roll_for_wreck(ledger, hull, where)]
    return bool(wrecked)


def _hexes_allowed(ledger: Ledger[State], hulls: Sequence[Unit], water: Nav, course: int) -> int:
    """Hexes counted from the first of this class of water: the least of the hulls' (8.23 V)."""
    kinds = sorted({(hull.kind, hull.nation) for hull in hulls})
    return min(_allowance(ledger, kind, nation, water, course) for kind, nation in kinds)


def _allowance(ledger: Ledger[State], kind: str, nation: str, water: Nav, course: int) -> int:
    state = ledger.state
    law = laws(state)
    hulls = [unit for unit in board(state).units if (unit.kind, unit.nation) == (kind, nation)]
    table = law.upstream if course < 0 else law.downstream
    allowed = table(hulls[0].kind, water, hulls[0].nation)
    if allowed.unlimited or not allowed.dice + allowed.add:
        return UNLIMITED if allowed.unlimited else 0
    extra = modifiers(state, Throw.BOAT_UPSTREAM, hulls[:1]) if kind == Kind.BOAT else ()
    roll = ledger.roll(
        Roll(
            f"{kind} upstream on {water} water",
            "8.23",
            (0,) * allowed.dice,
            modifiers=(*extra, Modifier(allowed.add, "hexes that need no dice", "8.23")),
            table="rivers",
            side=state.side,
        )
    )
    ledger.amend(roll, result=f"{roll.total} hexes")
    return roll.total
