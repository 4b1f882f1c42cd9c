"""Boats and gunboats along the rivers (8.23): what may sail, with whom, and whither."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.board import board, chart, is_land, laws, scenario_of
from campaign.rules.map import HexId, Nav, RiverMove
from campaign.rules.march.marching import begin, check_marches_left, units_here
from campaign.rules.march.reach import forbidden
from campaign.rules.pieces import RIVER_CRAFT, Kind
from campaign.rules.stacking import called, leaders, opened
from campaign.rules.state import State, Unit, on_march

NOT_ROLLED = -1


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
        raise IllegalAction(
            "8.23", "Only one march of the three may be by river.", "Go the rest by land or rail."
        )
    if not hulls:
        raise IllegalAction("8.23", "Nothing floats here.", "Take a boat or a gunboat along.")
    if len(craft_ready(state, hulls)) < len(hulls):
        raise IllegalAction(
            "8.23", "A boat or gunboat is used once a turn.", "Take others, or wait a month."
        )


def _check_passengers(state: State, units: Sequence[Unit], hulls: Sequence[Unit]) -> None:
    passengers = [unit for unit in units if unit not in hulls and unit not in leaders(units)]
    room = len(hulls) * laws(state).number("river.capacity")
    if len(passengers) > room:
        raise IllegalAction(
            "8.23", f"There is room aboard for {room} units.", "Take fewer, or more hulls."
        )
    _check_carried(passengers)
    here = units[0].hex
    if passengers and board(state).besieged(state.side, here):
        raise IllegalAction(
            "9.12",
            "Units under siege may not leave, by river either.",
            "Raise the siege first; craft may go without them.",
        )


def _check_carried(passengers: Sequence[Unit]) -> None:
    kinds = {unit.kind for unit in passengers}
    if Kind.CIVILIANS in kinds:
        raise IllegalAction(
            "8.23", "Civilians are not carried by boat.", "Leave them, or march by land."
        )
    if Kind.FLEET in kinds:
        raise IllegalAction("8.23", "The fleet does not sail the Nile.", "Leave it where it is.")


def _check_path(state: State, units: Sequence[Unit], path: Sequence[HexId]) -> None:
    if not path:
        raise IllegalAction("8.23", "A voyage needs at least one hex.", "Say where it goes.")
    if course_of(state, units[0].hex, path) is None:
        raise IllegalAction(
            "8.23",
            "The way does not follow a river, or goes both up and down it.",
            "Keep beside the river, one way, out of hexes the enemy holds.",
        )
    _check_water(state, [unit for unit in units if unit.kind in RIVER_CRAFT], path)
    if any(is_land(unit) for unit in units):
        _check_sieges(state, path)


def _check_sieges(state: State, path: Sequence[HexId]) -> None:
    """Nobody lands in a besieged garrison, nor risks being stopped there by dice (9.12)."""
    position, side = board(state), state.side
    shut = [
        there for there in path if position.besieged(side, there) and position.land(side, there)
    ]
    if shut:
        raise IllegalAction(
            "9.12",
            f"No land unit may enter the place under siege in hex {shut[0]:04d}.",
            "Pass it on the other bank, or land before it.",
        )


def _check_water(state: State, hulls: Sequence[Unit], path: Sequence[HexId]) -> None:
    here = hulls[0].hex
    course = course_of(state, here, path) or 1
    for there in path:
        step = river_step(state, here, there, course)
        unfit = [hull for hull in hulls if step and not bears(state, hull, step)]
        if unfit:
            raise IllegalAction(
                "8.23 II",
                f"{opened(called(unfit[0]))} does not move on the unnavigable water at"
                f" hex {there:04d}.",
                "Let it stop before it, or leave it behind.",
            )
        here = there


def water_of(state: State, step: RiverMove) -> Nav:
    """The class, in this month, of the water that a move of one hex leads over (8.23)."""
    return laws(state).class_now(chart(state).nav_at(step.to, step.river), state.month)


def bears(state: State, hull: Unit, step: RiverMove) -> bool:
    """Whether a hull of that kind and nation may make that move of one hex at all (8.23 II)."""
    table = laws(state).upstream if step.direction < 0 else laws(state).downstream
    allowed = table(hull.kind, water_of(state, step), hull.nation)
    return allowed.unlimited or bool(allowed.dice or allowed.add)


def course_of(state: State, start: HexId, path: Sequence[HexId]) -> int | None:
    """1 when the way goes downstream (or only changes bank), -1 upstream, None when neither.

    Two changes of bank in succession are no way: they would creep along the river uncounted.
    """
    for course in (1, -1):
        ways = zip((start, *path), path, strict=False)
        steps = [river_step(state, here, there, course) for here, there in ways]
        if all(steps) and not any(_creeps(one, two) for one, two in pairwise(steps)):
            return course
    return None


def _creeps(before: RiverMove | None, step: RiverMove | None) -> bool:
    return before is not None and step is not None and before.direction == step.direction == 0


def river_step(state: State, here: HexId, there: HexId, course: int) -> RiverMove | None:
    """The move of one hex on that course, if the river leads there and no enemy stands there."""
    side = state.side
    if there in board(state).occupied[side.enemy] | forbidden(scenario_of(state), side):
        return None
    steps = [
        step
        for step in chart(state).river_moves.get(here, ())
        if step.to == there and step.direction * course >= 0
    ]
    return max(steps, key=lambda step: abs(step.direction), default=None)


def voyages(
    state: State, start: HexId, hulls: Sequence[Unit] = ()
) -> dict[HexId, tuple[HexId, ...]]:
    """Every hex these craft may steer for from here, with the shortest way; dice may stop them
    short. Without hulls: any craft.
    """
    downstream, upstream = (_steered(state, start, course, hulls) for course in (1, -1))
    either = [*downstream.items(), *upstream.items()]
    return dict(sorted(either, key=lambda one: -len(one[1])))


def _steered(
    state: State, start: HexId, course: int, hulls: Sequence[Unit]
) -> dict[HexId, tuple[HexId, ...]]:
    """The shortest ways on that course, with those that end on a change of bank kept apart."""
    ways: dict[tuple[HexId, bool], tuple[HexId, ...]] = {(start, False): ()}
    ends = [(start, False)]
    for here, crossed in ends:
        for step in _onward(state, here, course, hulls):
            end = step.to, not step.direction
            if end not in ways and not (crossed and not step.direction):
                ways[end] = (*ways[here, crossed], step.to)
                ends.append(end)
    found: dict[HexId, tuple[HexId, ...]] = {}
    for (there, _), way in ways.items():
        if there != start:
            found.setdefault(there, way)
    return found


def _onward(state: State, here: HexId, course: int, hulls: Sequence[Unit]) -> Iterator[RiverMove]:
    for move in chart(state).river_moves.get(here, ()):
        step = river_step(state, here, move.to, course)
        if step and all(bears(state, hull, step) for hull in hulls):
            yield step


def sail(ledger: Ledger[State], action: a.Sail) -> None:
    """The stack sets out along the river: one march of the three (8.23)."""
    state = ledger.state
    begin(ledger, action.units)
    aboard = set(on_march(state).units)
    boarding = tuple(unit for unit in action.units if unit not in aboard)
    if boarding:
        ledger.emit(e.Boarded(boarding))
    course = course_of(state, on_march(state).route[-1], action.path) or 1
    ledger.then(
        Step("voyage", (course, NOT_ROLLED, NOT_ROLLED, 0, *action.path)),
        Step("come ashore", (state.side,)),
        Step("march goes on", (state.side,)),
    )
