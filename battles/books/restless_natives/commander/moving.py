"""Answer the questions of a turn: whom to command, how to act, where to move."""

from collections.abc import Callable, Iterable, Iterator
from math import inf

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander import natives, regulars
from battles.books.restless_natives.commander.plans import destination, plan
from battles.books.restless_natives.commander.scene import (
    FOLLOWERS,
    GUNS,
    Scene,
    fights_as_native,
    is_native,
    scene_of,
    shoots,
)
from battles.books.restless_natives.commander.weighing import (
    Deed,
    Plan,
    best_shot,
    card_for,
    confirmed_aims,
    gain,
)
from battles.books.restless_natives.movement import Reach, throw_for
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.state import State, Unit, current_activation
from battles.tabletop.geometry import (
    MEASURE,
    TablePoint,
    ahead,
    bearing_between,
    distance,
    turn_facing,
)

# The move of a unit with the dice it has rolled: into contact, off the field, or to a place.


Score = Callable[[TablePoint, float], float]
"""Return the score of a place; where that is at most the second argument, any score up to it."""

TURNS = (0, 25, -25, 50, -50, 80, -80)
"""Degrees off the straight line that are tried."""
SHARES = (100, 66, 33)
"""Percentages of the dice that are tried."""
MOST_TRIES = 8
"""The number of the best places that are tried before the unit stays where it is."""
LEAST_GAIN = 0.15
"""The least gain in score over the unit's own place: an inch nearer."""
WORTH_GOING_IN = {True: 0.0, False: 0.8}
"""The least value of a close combat, in stands; by whether the unit is Native."""
DANGER, DANGER_IN_RUSH = 1.0, 0.25
"""Values of a stand at risk: while gathering and always for horse, and for foot in the rush."""
PER_INCH = 0.15
MEAN = MEASURE * 8 // 10
"""Hundredths of an inch to count on for each inch of the dice's mean."""
AHEAD = 2 * MEASURE
"""The greatest distance of a battalion before the line; guns and horse stay behind it."""


def move(state: State, offered: Options) -> a.AnyAction:
    """Return a move: off by the exit, into a worthwhile close combat, or to the best place."""
    scene = scene_of(state, offered.side)
    unit = state.units[offered.unit]
    if offered.leave:
        return a.Leave()
    charge = _charge(scene, unit, offered)
    if charge is not None:
        return charge
    if offered.reach is None:
        return a.Done()
    if plan(scene, unit).deed is Deed.TURN:
        return _turn(scene, unit, offered.reach)
    return _way(scene, unit, offered.reach) or _turn(scene, unit, offered.reach)


def _charge(scene: Scene, unit: Unit, offered: Options) -> a.Charge | None:
    question = scene.state.question
    most = getattr(question, "most", 0)
    if unit.kind in FOLLOWERS | GUNS or scene.to_foe(unit.at) > most + 2 * MEASURE:
        return None
    worth = {foe.id: gain(unit, foe) for foe in scene.prey}
    tempting = [number for number in worth if worth[number] > WORTH_GOING_IN[is_native(unit)]]
    # A way into contact is costly to find: it is looked for at the best enemy first.
    for number in sorted(tempting, key=lambda number: (-worth[number], number)):
        if offered.charge_at(number) is not None:
            return a.Charge(number)
    return None


def can_move(scene: Scene, unit: Unit, moves: int) -> bool:
    """Return whether an average roll takes the unit to a better place."""
    throw = throw_for(unit.troops, unit.kind, unit.formation, moves=moves)
    rough = MEAN * (throw.dice * 7 // 2 + throw.plus)
    most = rough + MEAN * throw.open_only * 7 // 2
    return _way(scene, unit, Reach(scene.state, unit, most, rough)) is not None


def can_turn(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit can turn to the enemy where it stands, and has not yet."""
    return isinstance(_turn(scene, unit, Reach(scene.state, unit, 0, 0)), a.Move)


def _way(scene: Scene, unit: Unit, reach: Reach) -> a.Move | None:
    """Return the best open move among a few, facing the enemy; None to stay."""
    aim = _aim(scene, unit)
    if aim is None:
        return None
    wanted = _distance_wanted(scene, unit)
    score = _score(scene, unit, wanted)
    least = score(unit.at, -inf) + LEAST_GAIN
    enough = int(scene.to_foe(unit.at) - wanted)
    ways = {point: score(point, least) for point in _points(unit, aim, reach.most, enough)}
    better = [point for point in ways if ways[point] > least]
    for point in sorted(better, key=lambda point: -ways[point])[:MOST_TRIES]:
        for end in _shorter(unit.at, point, reach):
            facing = _look(scene, unit, end)
            if reach.allows((end,), facing):
                return a.Move((end,), facing)
    return None


def _turn(scene: Scene, unit: Unit, reach: Reach) -> a.AnyAction:
    facing = _look(scene, unit, unit.at)
    if facing != unit.facing and reach.allows((), facing):
        return a.Move((), facing)
    return a.Done()


def _shorter(start: TablePoint, end: TablePoint, reach: Reach) -> Iterator[TablePoint]:
    """Yield the end of a move, and the point that rough terrain allows on the way."""
    yield end
    if 0 < reach.rough < distance(start, end):
        yield ahead(start, bearing_between(start, end), reach.rough - 1)


def _aim(scene: Scene, unit: Unit) -> TablePoint | None:
    """Return the unit's final destination, or None."""
    place = _place_first(scene, unit)
    if place is not None:
        return place
    foe = scene.nearest(unit.at, scene.prey)
    return None if foe is None else foe.at


def _place_first(scene: Scene, unit: Unit) -> TablePoint | None:
    """Return the place the unit goes to before any enemy; None without one, or with one near."""
    meets = unit.kind not in FOLLOWERS and scene.is_near(unit)
    return None if meets else destination(scene, unit)


def _points(unit: Unit, aim: TablePoint, most: int, enough: int) -> Iterator[TablePoint]:
    """Yield points within reach, towards the aim and to either side of it.

    `enough` is the length of a move straight to the distance wanted of the enemy.
    """
    way, far = bearing_between(unit.at, aim), distance(unit.at, aim)
    if far <= most:
        yield aim
    if 0 < enough < most:
        for turn in TURNS:
            yield ahead(unit.at, turn_facing(way, turn), enough)
    for turn in TURNS:
        for share in SHARES:
            length = min(most - 1, far) * share // 100
            if length > 0:
                yield ahead(unit.at, turn_facing(way, turn), length)


def _look(scene: Scene, unit: Unit, point: TablePoint) -> int:
    foe = scene.nearest(point)
    return unit.facing if foe is None or foe.at == point else bearing_between(point, foe.at)


def _score(scene: Scene, unit: Unit, wanted: float) -> Score:
    """Return the function that scores places for the unit; `wanted` is how far from the enemy."""
    place = _place_first(scene, unit)
    if place is not None:
        return lambda point, least: -PER_INCH * distance(point, place) / MEASURE
    if unit.kind in FOLLOWERS:
        return _behind(scene)
    return (_native if fights_as_native(unit) else _regular)(scene, unit, wanted)


def _distance_wanted(scene: Scene, unit: Unit) -> float:
    """Return the unit's distance from the enemy, by its style."""
    if fights_as_native(unit):
        return natives.distance_wanted(scene, unit)
    return regulars.distance_wanted(scene, unit)


def _behind(scene: Scene) -> Score:
    """Return a score for places two moves behind the line."""
    standoff = regulars.line_of(scene) + 8 * MEASURE
    return lambda point, least: -PER_INCH * abs(scene.to_foe(point) - standoff) / MEASURE


def _native(scene: Scene, unit: Unit, standoff: float) -> Score:
    rushes = natives.all_go_in(scene) and unit.kind is Kind.INFANTRY
    dread = DANGER_IN_RUSH if rushes else DANGER

    def score(point: TablePoint, least: float) -> float:
        place = -PER_INCH * (abs(scene.to_foe(point) - standoff) / MEASURE)
        # Danger only makes it worse: it need not be known of a place that is too far off anyway.
        if place <= least:
            return place
        return place - dread * scene.danger(point, of=unit, most=(place - least) / dread)

    return score


def _regular(scene: Scene, unit: Unit, standoff: float) -> Score:
    nearest = standoff
    if regulars.foe_to_charge(scene, unit) is None:
        line = regulars.line_of(scene) - (AHEAD if unit.kind is Kind.INFANTRY else 0)
        nearest = max(standoff, line)

    def score(point: TablePoint, least: float) -> float:
        far = scene.to_foe(point)
        rash = max(0.0, nearest - far)
        return -(PER_INCH * max(0.0, far - standoff) + 2 * PER_INCH * rash) / MEASURE

    return score


# The choice of a unit to activate or rally, and of a commander for the initiative.


LEAST = 0.05
"""The least value, in stands, of a deed; below it the card goes by."""
RALLYING = 0.4
"""The value of each stand that returns to the field."""
ENTERING = 1.0


def command(state: State, offered: Options) -> a.AnyAction:
    """Return an action for the best unit under this commander or a subordinate."""
    scene = scene_of(state, offered.side)
    rally = max(offered.rallies, key=lambda number: state.away[number].stands, default=0)
    best, value = _best(scene, [*offered.units, *_under(state, offered.commanders)])
    if rally and state.away[rally].stands * RALLYING > value:
        return a.Rally(rally)
    if not best or value < LEAST:
        return a.Done()
    if best in offered.units:
        return a.Activate(best)
    return a.PassOn((state.units.get(best) or state.waiting[best]).command)


def _under(state: State, commanders: Iterable[int]) -> list[int]:
    """Return the units of these commanders, those yet to come included."""
    over = set(commanders)
    units = [*state.units.values(), *state.waiting.values()]
    return [unit.id for unit in units if unit.command in over]


def _best(scene: Scene, numbers: Iterable[int]) -> tuple[int, float]:
    """Return the unit with the best plan that can be carried out, and its value."""
    state = scene.state
    plans = {
        number: ENTERING if number in state.waiting else plan(scene, state.units[number]).value
        for number in numbers
    }
    ranked = sorted(plans, key=lambda number: (-plans[number], number))
    for number in ranked:
        if number in state.waiting or _can(scene, number, plan(scene, state.units[number])):
            return number, plans[number]
    return 0, 0.0


def _can(scene: Scene, number: int, meant: Plan) -> bool:
    """Return whether the plan can be carried out: a target in sight, or room to move or turn."""
    unit = scene.state.units[number]
    if meant.deed is Deed.FIRE:
        return bool(confirmed_aims(scene, unit))
    if meant.deed in (Deed.MARCH, Deed.CLOSE):
        return can_move(scene, unit, 2 if meant.deed is Deed.MARCH else 1)
    return meant.deed is not Deed.TURN or can_turn(scene, unit)


# The activated unit's deeds: first its planned one, then whatever follows best.


ONE_MOVE = frozenset({Deed.CHARGE, Deed.CLOSE, Deed.TURN})


def act(state: State, offered: Options) -> a.AnyAction:
    """Return the next deed of the activated unit."""
    scene = scene_of(state, offered.side)
    unit = state.units[offered.unit]
    current = current_activation(state)
    if current.deeds:
        return _after(scene, unit, offered)
    meant = plan(scene, unit)
    card = None if current.card is not None else card_for(scene, unit, meant, offered)
    if card is not None:
        return a.PlayCard(card)
    return _first(scene, unit, meant, offered)


def _first(scene: Scene, unit: Unit, meant: Plan, offered: Options) -> a.AnyAction:
    if offered.foes:
        target = meant.target if meant.target in offered.foes else offered.foes[0]
        return a.Fight(target)
    if meant.deed is Deed.FORM and meant.formation in offered.formations:
        return a.Form(meant.formation)
    if meant.deed in (Deed.FIRE, Deed.FORM):
        return best_shot(scene, unit, offered.volleys) or a.Done()
    if meant.deed in ONE_MOVE and offered.marches:
        return a.March(1)
    if meant.deed is Deed.MARCH and offered.marches:
        return a.March(offered.marches)
    return a.Done()


def _after(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Return a further deed: fire if any enemy is in sight, or else another move."""
    if offered.foes:
        return a.Fight(offered.foes[0])
    shot = best_shot(scene, unit, offered.volleys)
    if shot is not None:
        return shot
    return a.March(1) if offered.marches and _goes_on(scene, unit) else a.Done()


def _goes_on(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit moves again: to a better place, but never British riflemen."""
    if shoots(unit) and not is_native(unit):
        return False
    again = plan(scene, unit).deed in (Deed.MARCH, Deed.CLOSE, Deed.CHARGE)
    return again and can_move(scene, unit, 1)
