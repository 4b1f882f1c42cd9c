"""The commanders' view of the field: units, distances, moves, shots and odds."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from battles.books.redcoats import actions as a
from battles.books.redcoats.board import board, line, on_field, sees
from battles.books.redcoats.book import book
from battles.books.redcoats.casualties import Target, friends_near, leaders_near, modifiers
from battles.books.redcoats.commander.boldness import is_bold
from battles.books.redcoats.field import (
    APART,
    STEPS,
    STRIDE,
    Aspect,
    angle_between,
    aspect,
    distance,
    towards,
)
from battles.books.redcoats.hand_to_hand import must_break_off, out_of_action, weight
from battles.books.redcoats.options import Options
from battles.books.redcoats.pieces import AFLOAT, Kind, Troops
from battles.books.redcoats.reach import Reach
from battles.books.redcoats.state import State, Unit
from battles.contract.brief import Side

FAR = 99


def view_of(state: State, side: Side) -> "Scene":
    """Return a side's view of the field, cached until a unit moves, enters or leaves."""
    index = board(state)
    cache: tuple[object, dict[Side, Scene]] | None = state.__dict__.get("scenes")
    # `board` returns a new index after every move, so its identity tells if the cache is valid.
    if cache is None or cache[0] is not index:
        cache = state.__dict__["scenes"] = (index, {})
    scenes = cache[1]
    if side not in scenes:
        scenes[side] = Scene(state, side)
    return scenes[side]


class Scene:
    """One side's view of the units on the field."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.mine = on_field(state, side)
        self.foes = [foe for foe in on_field(state, side.enemy) if foe.kind not in AFLOAT]
        self.foes_at = [foe.square for foe in self.foes]
        self._crowds: dict[int, int] = {}
        self._far: dict[int, int] = {}
        self._others: dict[int, frozenset[int]] = {}

    @cached_property
    def ranges(self) -> dict[int, int]:
        """Return the range of fire of each unit of this side."""
        return {unit.id: reach_of_fire(unit) for unit in self.mine}

    @cached_property
    def middle(self) -> int:
        """Return the square in the middle of the enemy."""
        places, foes = [divmod(square, STRIDE) for square in self.foes_at], len(self.foes)
        rows, columns = sum(row for row, _ in places), sum(column for _, column in places)
        return rows // foes * STRIDE + columns // foes

    def crowd(self, square: int) -> int:
        """Return the number of this side's units in a square and on its four sides."""
        if square not in self._crowds:
            near = {square, *(square + STEPS[way] for way in (0, 2, 4, 6))}
            self._crowds[square] = sum([unit.square in near for unit in self.mine])
        return self._crowds[square]

    def to_foe(self, square: int) -> int:
        """Return the orthogonal distance to the nearest enemy on land; FAR without one."""
        if square not in self._far:
            self._far[square] = min([APART[square - foe] for foe in self.foes_at], default=FAR)
        return self._far[square]

    def aim(self, unit: Unit, square: int) -> Unit | None:
        """Return the nearest enemy that the unit could fire at from there, turned the right way."""
        reach = reach_of_fire(unit)
        if self.to_foe(square) > reach:
            return None
        return self.nearest(
            square,
            [
                foe
                for foe in self.foes
                if 0 < APART[square - foe.square] <= reach
                and self.can_fire(unit, square, foe.square)
            ],
        )

    def can_fire(self, unit: Unit, square: int, target: int) -> bool:
        """Return whether the unit would see the target from there, with no other friend between."""
        if not sees(self.state.field, square, target):
            return False
        between = line(square, target)
        if unit.kind is Kind.ARTILLERY or not between:
            return True
        friends = self.squares_of_others(unit)
        return not any(friends.issuperset(cells) for cells in between)

    def squares_of_others(self, unit: Unit) -> frozenset[int]:
        """Return the squares of the other units of its side."""
        if unit.id not in self._others:
            others = [other.square for other in self.mine if other is not unit]
            self._others[unit.id] = frozenset(others)
        return self._others[unit.id]

    def nearest(self, square: int, foes: Iterable[Unit] | None = None) -> Unit | None:
        """Return the nearest enemy on land; among equals, a steady one."""
        among = self.foes if foes is None else list(foes)
        ranks = [(APART[square - foe.square], foe.disorganised, foe.id) for foe in among]
        return among[ranks.index(min(ranks))] if ranks else None

    def looking(self, square: int, facing: int) -> int:
        """Return the facing towards the nearest enemy; the present one without an enemy."""
        foe = self.nearest(square)
        return facing if foe is None or foe.square == square else towards(square, foe.square)


def reach_of_fire(unit: Unit) -> int:
    """Return the range of the unit's weapon in squares; 0 for spears, train and craft."""
    if unit.is_gun:
        return book().range(unit.kind.value, unit.troops)
    if not unit.armed or unit.is_craft or not unit.can_fight:
        return 0
    return book().range("firearms", unit.troops)


def is_dervish(unit: Unit) -> bool:
    """Return whether the unit fights as Dervishes do; irregulars of the other side do not."""
    return unit.troops is Troops.DERVISH


def is_on_flank_or_rear(unit: Unit, foe: Unit) -> bool:
    """Return whether the enemy is on the unit's flank or rear."""
    return aspect(unit.square, unit.facing, foe.square) is not Aspect.FRONT


Score = Callable[[int], float]
Look = Callable[[int], int]
PER_EIGHTH = 0.15
"""The penalty of a place for each 45 degrees that the unit would look the wrong way."""
LEAST_GAIN = 0.05


def best_walk(reach: Reach, score: Score, look: Look) -> a.Move | None:
    """Return the move to the best place with the best facing; None to stay."""
    start, costs = reach.start, reach.costs
    barred = reach.closed - {start >> 3}
    facings: dict[int, list[int]] = {}
    for pose in costs:
        square = pose >> 3
        if square in facings:
            facings[square].append(pose & 7)
        elif square not in barred:
            facings[square] = [pose & 7]
    best, most = start, -1e9
    for square, looks in facings.items():
        ideal, eighth = look(square), square * 8
        if eighth + ideal in costs:
            facing, value = ideal, score(square)
        else:
            facing = min(looks, key=lambda way: (angle_between(way, ideal), costs[eighth + way]))
            value = score(square) - PER_EIGHTH * angle_between(facing, ideal)
        if square * 8 + facing == start:
            value += LEAST_GAIN
        if value > most:
            best, most = square * 8 + facing, value
    if best == start:
        return None
    return a.Move(reach.path(best >> 3, best & 7), best & 7)


def turn_to(unit: Unit, offered: Options, facing: int) -> a.AnyAction:
    """Return a turn to that facing in the same square; Done if it is out of reach."""
    if unit.facing == facing or offered.cost_of_turn(facing) is None:
        return a.Done()
    return a.Move((), facing)


def come_on(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Enter the field next to friends and away from the enemy."""
    if not offered.entries:
        return a.Done()
    friends = [other.square for other in scene.mine]

    def worth(square: int) -> tuple[bool, int, int]:
        near = min((distance(square, friend) for friend in friends), default=0)
        return scene.to_foe(square) < 2, near, square

    square = min(offered.entries, key=worth)
    return a.Enter(square, scene.looking(square, unit.facing))


def stay(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Stay: the train remains in its place."""
    return a.Done()


def withdraw(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Leave the field if possible, otherwise move away from the enemy and towards an edge."""
    if offered.leave:
        return a.Leave()
    if offered.reach is None:
        return a.Done()
    field = scene.state.field

    def score(square: int) -> float:
        return scene.to_foe(square) - 0.8 * _to_edge(field.width, field.height, square)

    away = away_from(scene, unit)
    walk = best_walk(offered.reach, score, lambda square: away)
    if walk is not None and walk.path:
        return walk
    return a.Done() if offered.done else _any_way(offered.reach)


def away_from(scene: Scene, unit: Unit) -> int:
    """Return the facing away from the nearest enemy that does not lead off the field."""
    foe = scene.nearest(unit.square)
    if foe is None or foe.square == unit.square:
        return unit.facing
    ways = [way for way in range(8) if scene.state.field.holds(unit.square + STEPS[way])]
    return max(ways, key=lambda way: (distance(unit.square + STEPS[way], foe.square), -way))


def _to_edge(width: int, height: int, square: int) -> int:
    row, column = divmod(square, STRIDE)
    return min(row, column, height - 1 - row, width - 1 - column, FAR)


def _any_way(reach: Reach) -> a.AnyAction:
    """Return any move, for a unit that must move away."""
    for end in reach.ends():
        if end.square != reach.start >> 3:
            return a.Move(reach.path(end.square, end.facing), end.facing)
    return a.Done()


COMING, SHAKEN, STEADY, LAST_FIGURE, A_LEADER = 1.6, 1.4, 0.7, 0.8, 0.4
"""The worth of a hit.

On an enemy that is near and has yet to act, on one that will lose a figure, and on one that is only
disorganised; then the extra for a last figure and for a Leader.
"""
SHAKEN_AS_HE_STANDS, PER_FIGURE_LOST, LASTS = 2.8, 0.1, 2.0
"""The worth of a figure of an enemy who stands still, and the extra for each he has lost.

He recovers as fast as he is shaken, and the sooner the more figures he has: so he is shot down unit
by unit. Then the extra for shaking one who is sure not to recover.
"""
DECISIVE = 1.0
"""The extra for an enemy whose disorder makes his side break off."""
NEAR = 4
"""The distance within which an enemy who has yet to act may attack."""
PER_SQUARE = 0.15
IN_COVER = 0.5


def decides(state: State, enemy: Unit) -> bool:
    """Return whether half of the enemy's side is out of action if that unit is too."""
    out = out_of_action(state, enemy.side)
    out += 0 if enemy.disorganised else weight(enemy)
    return must_break_off(out, state.strengths.get(enemy.side, 0))


def best_shot(scene: Scene, targets: Sequence[Target]) -> a.Fire | None:
    """Return the shot that promises most; None without a target."""
    best = max(targets, key=lambda target: (promise(scene, target), -target.unit), default=None)
    if best is None:
        return None
    return a.Fire(best.unit, best.firer, best.weapon)


def promise(scene: Scene, target: Target) -> float:
    """Return the chance of a hit times its worth."""
    enemy = scene.state.units[target.unit]
    far = distance(scene.state.units[target.firer].square, enemy.square)
    if is_bold(scene.state, scene.side):
        worth = SHAKEN_AS_HE_STANDS
        if not enemy.disorganised:
            worth = STEADY + LASTS * (1 - chance_of_recovery(scene.state, enemy))
        worth += PER_FIGURE_LOST * (enemy.full - enemy.figures)
    else:
        coming = enemy.id in scene.state.cards and far <= NEAR
        worth = SHAKEN if enemy.disorganised else COMING if coming else STEADY
    if decides(scene.state, enemy):
        worth += DECISIVE
    if enemy.disorganised and enemy.figures == 1:
        worth += LAST_FIGURE
    if any(leader.square == enemy.square for leader in scene.state.leaders.values()):
        worth += A_LEADER
    chance = min(1.0, target.needs / target.sides) * (IN_COVER if target.cover else 1.0)
    return chance * max(0.1, worth - PER_SQUARE * far)


def chance_of_recovery(state: State, unit: Unit) -> float:
    """Return the chance that the unit, once shaken, would recover at the end of the turn.

    It is 1 for a vessel, which is never shaken.
    """
    if unit.is_craft:
        return 1.0
    terms = modifiers(friends_near(state, unit), leaders_near(state, unit))
    highest = unit.figures - sum(term.value for term in terms)
    return min(1.0, highest / book().faces("recovery", unit))


WORTH = {-3: -3.5, -2: -2.0, -1: -1.0, 0: -0.2, 1: 0.6, 2: 1.6, 3: 3.5}
"""The worth of each outcome of a charge to the charger, roughly in figures."""


class Odds(NamedTuple):
    """The chances that a charge gets in and that it is beaten off, and its average worth."""

    enters: float
    is_beaten: float
    worth: float


@lru_cache(maxsize=1024)
def charge_odds(own_faces: int, enemy_faces: int, lead: int) -> Odds:
    """Return the odds for dice of these faces; `lead`: the charger's modifiers less the enemy's."""
    differences = [
        score - other + lead
        for score in range(1, own_faces + 1)
        for other in range(1, enemy_faces + 1)
    ]
    count = len(differences)
    return Odds(
        sum(difference > 0 for difference in differences) / count,
        sum(difference < 0 for difference in differences) / count,
        sum(WORTH[max(-3, min(3, difference))] for difference in differences) / count,
    )
