"""Voyages of boats and gunboats along the rivers: water, cataracts, wrecks, passengers (8.23).

A voyage is a step of the agenda, because its owner may be asked who is left ashore where hulls are
lost. Its arguments: course, hexes left on navigable and on other water, whether rough water was
sailed, and the rest of the way; after a hex of it stand, as negative numbers, the units that are
dropped off there.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from battles.contract.brief import RIVER_CRAFT, UNCOUNTED, Side, TroopKind
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import ToChooseUnits
from campaign.rules.core.state import State, Unit, current_march
from campaign.rules.map import HexId, Map, Nav, RiverMove
from campaign.rules.march.fleet import hexes_allowed, roll_for_wreck
from campaign.rules.march.phase import (
    begin,
    check_landings,
    check_marches_left,
    units_here,
    units_landing,
)
from campaign.rules.march.reach import forbidden
from campaign.rules.stacks import capitalise_first, describe_unit, ids, leaders

NOT_ROLLED = -1
StepBetween = Callable[[State, HexId, HexId, int], RiverMove | None]


def craft_ready(state: State, units: Sequence[Unit]) -> list[Unit]:
    """Return the boats and gunboats among the units that have not been used this turn (8.23)."""
    return [unit for unit in units if unit.kind in RIVER_CRAFT and unit.id not in state.hulls_used]


def check_sail(state: State, action: a.Sail) -> None:
    """Raise IllegalAction when these hulls cannot carry these units along this way (8.23)."""
    units = units_here(state, action.units)
    check_marches_left(state)
    hulls = [unit for unit in units if unit.kind in RIVER_CRAFT]
    _check_hulls(state, hulls)
    _check_passengers(state, units, hulls)
    _check_path(state, units, action.path)
    check_landings(units, action.path, action.landings)
    if any(hull.id in landing.units for landing in action.landings for hull in hulls):
        raise IllegalAction(
            "8.23", "Boats and gunboats are not dropped off on the way.", "Let them all go on."
        )


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
            "8.23",
            f"There is room aboard for {room} of these {len(passengers)} units.",
            "Take fewer, or more boats.",
        )
    _check_carried(passengers)
    hex_id = units[0].hex
    if passengers and board(state).besieged(state.side, hex_id):
        raise IllegalAction(
            "9.12",
            "Units under siege may not leave, by river either.",
            "Raise the siege first; craft may go without them.",
        )


def _check_carried(passengers: Sequence[Unit]) -> None:
    kinds = {unit.kind for unit in passengers}
    if TroopKind.CIVILIANS in kinds:
        raise IllegalAction(
            "8.23", "Civilians are not carried by boat.", "Leave them, or march by land."
        )
    if TroopKind.FLEET in kinds:
        raise IllegalAction("8.23", "The fleet does not sail the Nile.", "Leave it where it is.")


def _check_path(state: State, units: Sequence[Unit], path: Sequence[HexId]) -> None:
    if not path:
        raise IllegalAction("8.23", "A voyage needs at least one hex.", "Say where it goes.")
    if course_of(state, units[0].hex, path) is None:
        raise IllegalAction(
            "8.23",
            "The way does not follow a river, or goes both up and down it.",
            "Keep beside the river, one way, out of hexes the enemy holds, and cross it where no"
            " enemy gunboat lies (8.21).",
        )
    _check_water(state, [unit for unit in units if unit.kind in RIVER_CRAFT], path)
    if any(is_land(unit) for unit in units):
        _check_sieges(state, path)


def _check_sieges(state: State, path: Sequence[HexId]) -> None:
    """Raise IllegalAction for a way through a besieged garrison of one's own (9.12).

    Dice might stop the stack there.
    """
    position, side = board(state), state.side
    shut = [
        hex_id for hex_id in path if position.besieged(side, hex_id) and position.land(side, hex_id)
    ]
    if shut:
        raise IllegalAction(
            "9.12",
            f"No land unit may enter the place under siege in hex {shut[0]:04d}.",
            "Pass it on the other bank, or land before it.",
        )


def _check_water(state: State, hulls: Sequence[Unit], path: Sequence[HexId]) -> None:
    hex_id = hulls[0].hex
    course = course_of(state, hex_id, path) or 1
    for next_hex in path:
        step = river_step(state, hex_id, next_hex, course)
        unfit = [hull for hull in hulls if step and not can_sail_step(state, hull, step)]
        if unfit:
            raise IllegalAction(
                "8.23 II",
                f"{capitalise_first(describe_unit(unfit[0]))} does not move on the "
                "unnavigable water at"
                f" hex {next_hex:04d}.",
                "Let it stop before it, or leave it behind.",
            )
        hex_id = next_hex


def water_of(state: State, step: RiverMove) -> Nav:
    """Return the class of water, in this month, that a move of one hex leads over (8.23)."""
    return laws(state).class_now(chart(state).nav_at(step.to, step.river), state.month)


def can_sail_step(state: State, hull: Unit, step: RiverMove) -> bool:
    """Return whether a hull of that kind and nation may make that move of one hex (8.23 II)."""
    table = laws(state).upstream if step.direction < 0 else laws(state).downstream
    allowed = table(hull.kind, water_of(state, step), hull.nation)
    return allowed.unlimited or bool(allowed.dice or allowed.add)


def course_of(state: State, start: HexId, path: Sequence[HexId]) -> int | None:
    """Return 1 for a way downstream or to the other bank, -1 upstream, None for neither.

    Two changes of bank in succession are no way: a stack could move along the river uncounted.
    """
    for course in (1, -1):
        ways = zip((start, *path), path, strict=False)
        # A way that leaves the river is looked at no further.
        steps = list(takewhile(bool, (river_step(state, *ends, course) for ends in ways)))
        if len(steps) == len(path) and not any(_creeps(step, two) for step, two in pairwise(steps)):
            return course
    return None


def _creeps(before: RiverMove | None, step: RiverMove | None) -> bool:
    return before is not None and step is not None and before.direction == step.direction == 0


def river_step(state: State, origin: HexId, destination: HexId, course: int) -> RiverMove | None:
    """Return the move of one hex on that course; None without a river, or where enemies bar it."""
    side = state.side
    if destination in board(state).occupied[side.enemy]:
        return None
    if is_shut_crossing(state, side, origin, destination):
        return None
    return _unopposed_step(state, origin, destination, course)


def _unopposed_step(
    state: State, origin: HexId, destination: HexId, course: int
) -> RiverMove | None:
    if destination in forbidden(scenario_of(state), state.side):
        return None
    return best_step(chart(state), origin, destination, course)


def is_shut_crossing(state: State, side: Side, origin: HexId, destination: HexId) -> bool:
    """Return whether an enemy gunboat in or beside one of the hexes shuts the river between (8.21).

    Craft that cross it, to the other bank or at a confluence, are stopped as units on foot are.
    """
    guarded = board(state).guarded[side.enemy]
    return (origin in guarded or destination in guarded) and (origin, destination) in chart(
        state
    ).sides


def best_step(ground: Map, origin: HexId, destination: HexId, course: int) -> RiverMove | None:
    """Return the move of one hex on that course, along the river rather than across it."""
    steps = [
        step
        for step in ground.river_moves.get(origin, ())
        if step.to == destination and step.direction * course >= 0
    ]
    return max(steps, key=lambda step: abs(step.direction), default=None)


def voyages(
    state: State, start: HexId, hulls: Sequence[Unit] = (), *, unopposed: bool = False
) -> dict[HexId, tuple[HexId, ...]]:
    """Return each hex these craft may sail to, with the shortest way; dice may stop them short.

    Without hulls: for any craft. `unopposed`: as if no enemy barred the river.
    """
    step_between = _unopposed_step if unopposed else river_step
    downstream, upstream = (
        _ways_on_course(state, start, course, hulls, step_between) for course in (1, -1)
    )
    either = [*downstream.items(), *upstream.items()]
    return dict(sorted(either, key=lambda pair: -len(pair[1])))


def _ways_on_course(
    state: State, start: HexId, course: int, hulls: Sequence[Unit], step_between: StepBetween
) -> dict[HexId, tuple[HexId, ...]]:
    """Return the shortest ways on that course.

    Ways that end on a change of bank are searched separately, as no second change may follow.
    """
    ways: dict[tuple[HexId, bool], tuple[HexId, ...]] = {(start, False): ()}
    ends = [(start, False)]
    # `ends` grows while it is read: a breadth-first search, so the first way found is the shortest.
    for origin, crossed in ends:
        for step in _onward(state, origin, course, hulls, step_between):
            end = step.to, not step.direction
            if end not in ways and not (crossed and not step.direction):
                ways[end] = (*ways[origin, crossed], step.to)
                ends.append(end)
    shortest_ways: dict[HexId, tuple[HexId, ...]] = {}
    for (destination, _), way in ways.items():
        if destination != start:
            shortest_ways.setdefault(destination, way)
    return shortest_ways


def _onward(
    state: State, origin: HexId, course: int, hulls: Sequence[Unit], step_between: StepBetween
) -> Iterator[RiverMove]:
    for move in chart(state).river_moves.get(origin, ()):
        step = step_between(state, origin, move.to, course)
        if step and all(can_sail_step(state, hull, step) for hull in hulls):
            yield step


def sail(ledger: Ledger[State], action: a.Sail) -> None:
    """Begin a voyage along the river: one march of the three (8.23)."""
    state = ledger.state
    begin(ledger, action.units)
    aboard = set(current_march(state).units)
    boarding = tuple(unit for unit in action.units if unit not in aboard)
    if boarding:
        ledger.emit(e.Boarded(boarding))
    course = course_of(state, current_march(state).route[-1], action.path) or 1
    way: list[int] = []
    for hex_id in action.path:
        way += [hex_id, *(-unit for unit in units_landing(action.landings, hex_id))]
    ledger.then(
        Step("voyage", (course, NOT_ROLLED, NOT_ROLLED, 0, *way)),
        Step("come ashore", (state.side,)),
        Step("march goes on", (state.side,)),
    )


class VoyageCourse(NamedTuple):
    """Direction of a voyage, and hexes left on each class of water; NOT_ROLLED until entered."""

    direction: int
    navigable: int
    unnavigable: int
    rough: int

    def left(self, water: Nav) -> int:
        return self.navigable if water is Nav.NAVIGABLE else self.unnavigable

    def rolled(self, water: Nav, hexes: int) -> "VoyageCourse":
        """Return the same course with the allowance for this water set."""
        if water is Nav.NAVIGABLE:
            return self._replace(navigable=hexes)
        return self._replace(unnavigable=hexes)

    def after_a_hex(self, water: Nav) -> "VoyageCourse":
        """Return the course after a hex: every allowance rolled so far is one less (8.23 V)."""
        return VoyageCourse(
            self.direction,
            _one_less(self.navigable),
            _one_less(self.unnavigable),
            self.rough or int(water is Nav.UNNAVIGABLE),
        )


def _one_less(hexes: int) -> int:
    return hexes if hexes == NOT_ROLLED else hexes - 1


def voyage(ledger: Ledger[State], *args: int) -> None:
    """Sail on until the way, the allowance or a cataract ends the leg (8.23)."""
    state = ledger.state
    course, path = VoyageCourse(*args[:4]), [HexId(number) for number in args[4:]]
    if path and path[0] < 0:
        _land_on_the_way(ledger, course, path)
        return
    hex_id, leg = current_march(state).route[-1], []
    while path and (step := river_step(state, hex_id, path[0], course.direction)):
        water = water_of(state, step)
        if course.left(water) == NOT_ROLLED:
            course = course.rolled(
                water, hexes_allowed(ledger, _hulls(state), water, course.direction)
            )
        if course.left(water) <= 0:
            break
        leg.append(path.pop(0))
        course = course.after_a_hex(water)
        cataract = chart(state).cataract_at(step.to)
        if cataract and cataract != chart(state).cataract_at(hex_id):
            _pass_cataract(ledger, leg, Step("voyage", (*course, *path)), cataract)
            return
        if path and path[0] < 0:
            _arrive(ledger, leg)
            ledger.then(Step("voyage", (*course, *path)))
            return
        hex_id = step.to
    _arrive(ledger, leg)
    if course.rough:
        _roll_for_wrecks(ledger, "an unnavigable reach")


def _land_on_the_way(ledger: Ledger[State], course: VoyageCourse, path: list[HexId]) -> None:
    """Drop the units named first off here, if they are still aboard, and sail on (8.3, 8.23)."""
    state = ledger.state
    unit_ids = {UnitId(-number) for number in takewhile(lambda number: number < 0, path)}
    aboard = current_march(state).units
    left = tuple(unit_id for unit_id in aboard if unit_id in unit_ids)
    ledger.then(Step("voyage", (*course, *path[len(unit_ids) :])))
    if left:
        ledger.then(Step("left ashore", left))
    if any(is_land(unit) for unit in board(state).named(left)):
        ledger.then(Step("come ashore", (state.side,)))


def _pass_cataract(ledger: Ledger[State], leg: list[HexId], onward: Step, name: str) -> None:
    """Stop and roll for each hull; the rest sail on with the passengers they can carry."""
    _arrive(ledger, leg)
    _roll_for_wrecks(ledger, name)
    hulls, passengers = _hulls(ledger.state), _passengers(ledger.state)
    if not hulls:
        return
    ledger.then(onward)
    room = len(hulls) * laws(ledger.state).number("river.capacity")
    if len(passengers) > room:
        side, count = ledger.state.side, len(passengers) - room
        ledger.ask(ToChooseUnits(side, "left ashore", "8.23", ids(passengers), count))


def left_ashore(ledger: Ledger[State], *units: UnitId) -> None:
    """Leave these passengers beside the cataract; they do not march again this turn (8.23)."""
    ledger.emit(e.DroppedOff(units))


def _hulls(state: State) -> list[Unit]:
    units = board(state).named(current_march(state).units)
    return [unit for unit in units if unit.kind in RIVER_CRAFT]


def _passengers(state: State) -> list[Unit]:
    units = board(state).named(current_march(state).units)
    return [unit for unit in units if unit.kind not in UNCOUNTED]


def _arrive(ledger: Ledger[State], leg: Sequence[HexId]) -> None:
    ledger.emit(e.Sailed(ids(_hulls(ledger.state)), tuple(leg)))


def _roll_for_wrecks(ledger: Ledger[State], where: str) -> None:
    for hull in _hulls(ledger.state):
        roll_for_wreck(ledger, hull, where)
