"""The field as the commander sees it, and the chances of shots and charges on it."""

from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from math import comb, hypot, inf

import shapely

from battles.books.restless_natives.board import is_afloat, is_engaged, reach_of, style
from battles.books.restless_natives.book import book
from battles.books.restless_natives.firing import dice_per_stand, weapon_range
from battles.books.restless_natives.pieces import Hold, Kind, Style, Troops, Weapon
from battles.books.restless_natives.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.deployment import Outline
from battles.tabletop.field import OpenField
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import MEASURE, TablePoint, bearing_between, between

# Chances and expected values of dice: moves, morale, fire and close combat.


ROUTED, GONE = 1.5, 1.5
"""Values in stands: of driving a unit back, and a factor for destroying it entirely."""
OPEN, COVERED = 1, 2
"""Sixes that destroy a stand."""

_SIX, _FIVE_OR_SIX = 1 / 6, 1 / 3


@cache
def at_least(dice: int, score: int, less: int = 0) -> float:
    """Return the chance that so many D6, less so many D6, reach the score."""
    if not less:
        return sum(chance for total, chance in _sums(dice).items() if total >= score)
    deductions = _sums(less).items()
    return sum(at_least(dice, score + total) * chance for total, chance in deductions)


@cache
def passes(troops: Troops, stands: int) -> float:
    """Return the chance that so many stands pass their morale test."""
    return at_least(stands, book().troops(troops).passes)


@cache
def fire(dice: int, sixes: int, troops: Troops, stands: int) -> float:
    """Return the expected value of so many dice of fire, in stands; `sixes` destroy one stand."""
    return sum(
        _chance(hits, dice, _SIX) * _worth(hits // sixes, troops, stands)
        for hits in range(sixes, dice + 1)
    )


@cache
def combat(dice: int, troops: Troops, stands: int) -> float:
    """Return the expected value of so many dice of close combat, in stands."""
    return sum(
        _chance(hits, dice, _FIVE_OR_SIX) * _worth(hits, troops, stands)
        for hits in range(1, dice + 1)
    )


def _worth(lost: int, troops: Troops, stands: int) -> float:
    """Return the value of destroying `lost` stands of a unit, with its chance to run."""
    if not lost:
        return 0.0
    if lost >= stands:
        return stands * GONE
    return lost + ROUTED * (1 - passes(troops, stands - lost))


def _chance(hits: int, dice: int, each: float) -> float:
    return float(comb(dice, hits) * each**hits * (1 - each) ** (dice - hits))


@cache
def _sums(dice: int) -> dict[int, float]:
    """Return the chance of every sum of so many D6."""
    if not dice:
        return {0: 1.0}
    chances: dict[int, float] = {}
    for total, chance in _sums(dice - 1).items():
        for face in range(1, 7):
            chances[total + face] = chances.get(total + face, 0.0) + chance / 6
    return chances


# A commander's view of the field: distances, fire, danger and goals, cached for a position.


ARC = 50
"""Degrees either side of ahead: the arc of fire, and a little for the unit's width."""
GUNS = frozenset({Kind.ARTILLERY, Kind.MACHINE_GUNS, Kind.GUNBOAT})
FOLLOWERS = frozenset({Kind.TRANSPORT, Kind.TRAIN, Kind.CIVILIANS, Kind.COMMANDER})
FAR = 100_000
PATIENCE = 0.5
"""The share of the battle after which a side that holds goes out."""
WATCHED = 0.15
"""The share of the battle after which it shows whether the enemy comes."""
COMES, FEW = MEASURE, 0.25
"""The distance by which a unit that comes is nearer, and the share of the stands that may come
while the enemy as a whole stays."""
OUTNUMBERED = 0.5
"""The share of the stands of an enemy who stays with which a side that holds goes out at him."""
ASSEMBLY = 14 * MEASURE
"""The distance from the enemy at which Natives gather: beyond rifles."""
ONE_OFF = 36
"""Mean number of cards until the second joker."""


def scene_of(state: State, side: Side) -> "Scene":
    """Return that side's view of the field, cached until the next card, or until any unit moves."""
    # `board.clear_caches` empties the state's __dict__ whenever a unit moves, comes or goes.
    scenes: dict[tuple[Side, int], Scene] = state.__dict__.setdefault("scenes", {})
    view = side, state.turn
    if view not in scenes:
        scenes[view] = Scene(state, side)
    return scenes[view]


class Scene:
    """One side's view of the units on the field."""

    def __init__(self, state: State, side: Side) -> None:
        self.state = state
        self.side = side
        self.mine = [unit for unit in state.units.values() if unit.side is side]
        self.foes = [unit for unit in state.units.values() if unit.side is not side]
        self.afloat = {foe.id for foe in self.foes if is_afloat(foe)}
        self.prey = [foe for foe in self.foes if foe.id not in self.afloat]
        self.depths = {unit.id: depth(unit) for unit in state.units.values()}
        self.shooters = [(foe, reach) for foe in self.foes if (reach := weapon_range(foe.weapon))]
        self._shooters = [
            (*foe.at, (far + 1) ** 2, foe, volleys(foe)) for foe, far in self.shooters
        ]
        self._distances: dict[int, list[tuple[Unit, int]]] = {}
        self._depth_of_prey = [(foe.at[0], foe.at[1], self.depths[foe.id]) for foe in self.prey]

    @property
    def attacks(self) -> bool:
        """Return whether the side goes at the enemy, or at a place the enemy holds.

        A side that has to hold goes out at an enemy who stays away, unless it is much weaker. At
        another it goes out late in the battle, unless it is weaker or has a place to keep.
        """
        brief = self.state.brief
        if brief is None:
            return True
        orders = brief.party(self.side).orders
        if orders == "attack" or (orders != "hold" and brief.attacker.side is self.side):
            return True
        if self.foe_stays:
            own_spears, enemy_spears = (
                sum(unit.stands for unit in army if book().kind(unit.kind).initiates)
                for army in (self.mine, self.foes)
            )
            return own_spears >= OUTNUMBERED * enemy_spears
        if self.urgency < PATIENCE or isinstance(self.state.goal, Hold):
            return False
        own_stands, enemy_stands = (
            sum(unit.stands for unit in army) for army in (self.mine, self.foes)
        )
        return own_stands >= enemy_stands

    @cached_property
    def foe_stays(self) -> bool:
        """Return whether the enemy has had time to come nearer, and has hardly a unit that did.

        Nothing is known of an enemy whose line-up the state does not hold.
        """
        line_up = self.state.line_up
        posts = [line_up[unit.id].at for unit in self.mine if unit.id in line_up]
        known = [foe for foe in self.prey if foe.id in line_up]
        if self.urgency < WATCHED or not posts or not known:
            return False
        east, south = (sum(places) / len(posts) for places in zip(*posts, strict=True))

        def far(point: TablePoint) -> float:
            return hypot(point[0] - east, point[1] - south)

        come = [foe.stands for foe in known if far(line_up[foe.id].at) - far(foe.at) > COMES]
        return sum(come) <= FEW * sum(foe.stands for foe in known)

    @property
    def wanted(self) -> tuple[Outline, ...]:
        """Return the areas that the side has to take and does not hold yet."""
        goal = self.state.goal
        if not isinstance(goal, Hold):
            return ()
        areas = zip(goal.areas, self.state.holders, strict=True)
        return tuple(area for area, holder in areas if holder is not self.side)

    @property
    def urgency(self) -> float:
        """Return the share of the battle that is over, 0 to 1; its mean if a joker ends it."""
        cards = ONE_OFF if self.state.one_off else self.state.cards
        return min(1.0, self.state.turn / max(1, cards))

    @property
    def bleeds(self) -> bool:
        """Return whether the side has lost stands already."""
        stands = sum(unit.stands for unit in self.mine)
        stands += sum(unit.stands for unit in self.state.waiting.values() if unit.side is self.side)
        return stands < self.state.began[self.side]

    def apart(self, unit: Unit, foe: Unit) -> int:
        """Return about how far two units are from edge to edge."""
        far = hypot(unit.at[0] - foe.at[0], unit.at[1] - foe.at[1])
        return max(0, int(far) - self.depths[foe.id])

    def distances(self, unit: Unit) -> list[tuple[Unit, int]]:
        """Return every enemy, and about how far a unit of this side is from him."""
        if unit.id not in self._distances:
            self._distances[unit.id] = [(foe, self.apart(unit, foe)) for foe in self.foes]
        return self._distances[unit.id]

    def covered(self, foe: Unit) -> bool:
        """Return whether an enemy seems to be in cover, or close behind it."""
        return is_near_cover(self.state.field, foe.at)

    def nearest(self, point: TablePoint, among: Iterable[Unit] | None = None) -> Unit | None:
        """Return the enemy whose place is nearest to a point."""
        x, y = point
        foes = self.foes if among is None else among
        return min(
            foes,
            key=lambda foe: ((foe.at[0] - x) ** 2 + (foe.at[1] - y) ** 2, foe.id),
            default=None,
        )

    def to_foe(self, point: TablePoint) -> float:
        """Return hundredths of an inch to the nearest enemy on land."""
        x, y = point
        far = [hypot(ahead - x, down - y) - depth for ahead, down, depth in self._depth_of_prey]
        return max(0.0, min(far, default=FAR))

    def is_near(self, unit: Unit) -> bool:
        """Return whether an enemy is so near that the unit has to do with him first."""
        return self.to_foe(unit.at) < ASSEMBLY

    def danger(self, point: TablePoint, *, of: Unit, most: float = inf) -> float:
        """Return the stands that the unit may expect to lose there to the enemy's next fire.

        The worst firing enemy counts in full, each of the others a quarter. Where it is more than
        `most`, any number above that.
        """
        x, y = point
        expected = []
        for ahead, down, beyond, foe, dice in self._shooters:
            east, south = ahead - x, down - y
            # Most enemies are out of range, and looking no further costs least.
            if east * east + south * south < beyond:
                thrown = 2 * dice[dice_per_stand(foe.weapon, int(hypot(east, south)))]
                if thrown and looks_at(foe, point):
                    lost = fire(thrown, OPEN, of.troops, of.stands)
                    if lost > most:
                        return lost
                    expected.append(lost)
        expected.sort(reverse=True)
        return sum(expected[:1]) + 0.25 * sum(expected[1:])

    def masks(self, unit: Unit, foe: Unit) -> bool:
        """Return whether friends stand between the middles of the two."""
        dx, dy = foe.at[0] - unit.at[0], foe.at[1] - unit.at[1]
        far = hypot(dx, dy) or 1.0
        for other in self.mine:
            ox, oy = other.at[0] - unit.at[0], other.at[1] - unit.at[1]
            along, off = (ox * dx + oy * dy) / far, abs(ox * dy - oy * dx) / far
            if other is not unit and 0 < along < far and off < reach_of(other) / 2:
                return True
        return False


def is_near_cover(field: OpenField, point: TablePoint) -> bool:
    """Return whether there is cover at a point or close to it, cached with the field."""
    near_cover: dict[TablePoint, bool] = field.__dict__.setdefault("near cover", {})
    if point not in near_cover:
        location = shapely.points(*point)
        near_cover[point] = any(
            feature.kind in book().cover and shape.distance(location) <= MEASURE
            for feature, shape in field.shapes
        )
    return near_cover[point]


def depth(unit: Unit) -> int:
    """Return about how far a unit's nearest edge lies before its place."""
    size = book().size(unit.kind)
    if unit.formation is TableFormation.SQUARE:
        return reach_of(unit) * 3 // 4
    return size.depth


def reaches(unit: Unit, far: int, *, more: int = 0) -> float:
    """Return the chance that one move takes the unit so far; 0 if it initiates no close combat."""
    inches = -(-far // MEASURE)
    return _reaches(unit.troops, unit.kind, unit.formation, inches, more)


@lru_cache(maxsize=2**13)
def _reaches(
    troops: Troops, kind: Kind, formation: TableFormation, inches: int, more: int
) -> float:
    if not book().kind(kind).initiates:
        return 0.0
    row = book().movement(book().style(troops), kind, formation)
    return at_least(row.dice + more, inches - row.plus)


def shoots(unit: Unit) -> bool:
    """Return whether the unit fights by fire: rifles and guns, not throwing spears."""
    return unit.weapon not in (Weapon.NONE, Weapon.SPEARS)


def is_native(unit: Unit) -> bool:
    """Return whether the unit moves and forms up in the Native style."""
    return style(unit) is Style.NATIVE


def fights_as_native(unit: Unit) -> bool:
    """Return whether the unit has the tactics of Natives; their guns have those of regulars."""
    return is_native(unit) and unit.kind not in GUNS


def bears(unit: Unit) -> float:
    """Return the share of the unit's stands that can fire one way, by its formation."""
    if unit.formation is TableFormation.SQUARE:
        return 0.34
    if unit.formation is TableFormation.LINE:
        return 1.0
    return 0.5


def looks_at(unit: Unit, point: TablePoint) -> bool:
    """Return whether a point is in front of the unit; a square faces every way."""
    if unit.formation is TableFormation.SQUARE:
        return True
    return between(unit.facing, bearing_between(unit.at, point)) <= ARC


def volley(unit: Unit, far: int) -> int:
    """Return about how many dice one volley has at that distance in front."""
    return volleys(unit)[dice_per_stand(unit.weapon, far)]


def volleys(unit: Unit) -> Mapping[int, int]:
    """Return about how many dice one volley has, by the dice of a stand."""
    return _volleys(unit.weapon, unit.stands, bears(unit))


@cache
def _volleys(weapon: Weapon, stands: int, share: float) -> Mapping[int, int]:
    each = {row.dice for row in book().ranges(weapon)}
    bearing = max(1, stands * share)
    return {0: 0} | {per_stand: round(per_stand * bearing) for per_stand in each}


def is_in_close_combat(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit is in close combat."""
    return is_engaged(scene.state, unit)
