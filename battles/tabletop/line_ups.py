"""Choose where the computer deploys on an open table, by judging line-ups with a book's numbers.

The layout has drawn the side up. Other line-ups are tried: foot and horse in cover near their
place, a part of the foot round a wing, batteries abreast where they see more, leaders and train
behind the units that they go with. The line-up is taken that is worth most by the fire it can give
and by what fire and rough ground cost it. Only the layout, the ground and what the book puts into
the units count, so nothing is known of hidden enemies.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import shapely

from battles.tabletop.deployment import Deploy, Outline, Post, refusal
from battles.tabletop.deployment_lines import DeploymentBand, Role, extent
from battles.tabletop.field import AREAS, Kinds, Lying, OpenField, behind, sees
from battles.tabletop.geometry import Stand, Stands, TablePoint, ahead, distance, middle

NEAR = 8
"""The widths of a stand within which a unit goes to cover."""
MOST_SPOTS = 12
"""The spots in cover that are tried for a unit."""
MOST_PLACES = 3
"""The places to either side that are tried for a battery."""
VIEWS = (-25, 0, 25)
"""The bearings from its front in which a unit looks for a field of fire."""
LEAST_GAIN = 0.05
"""The worth by which another post must be better."""
PER_WIDTH_APART = 0.02
"""The worth that a leader loses by each stand's width from the middle of those he leads."""
COVER_IN_ATTACK = 0.3
"""The part of what cover saves that counts for units which leave it to attack."""
BACK = 1.0
"""The widths of a stand that an attacker goes back to cover at most."""


class UnitToPlace(NamedTuple):
    """A unit that may be placed elsewhere, its post in the layout, and its worth to a book.

    `fires` is its range, `volley` the worth of its fire. `exposed` and `covered` are its losses to
    the enemy's fire in the open and in cover, `slow` is what starting in rough ground costs it. It
    goes behind the units `follows`. A unit that is not `free` stays.
    """

    band: DeploymentBand
    post: Post
    fires: int = 0
    volley: float = 0.0
    exposed: float = 0.0
    covered: float = 0.0
    slow: float = 0.0
    follows: tuple[int, ...] = ()
    free: bool = True

    def stands(self, post: Post) -> Stands:
        """Return the stands of the unit in a post."""
        return self.band.unit._replace(formation=post.formation).at(post.at, post.facing)


class GroundToUse(NamedTuple):
    """The ground of a side before a battle, as a book sees it.

    `within` is the distance behind works at which they give cover. A side that `holds` may go back
    to cover, one that attacks hardly. `foes` are the stands of the enemies in sight.
    """

    field: OpenField
    zones: tuple[Outline, ...]
    cover: Kinds
    rough: Kinds
    hiding: Kinds
    barred: Kinds
    within: int
    holds: bool
    foes: tuple[Stands, ...] = ()


def next_deployment(
    posts: Mapping[int, Post],
    ground: GroundToUse,
    units: tuple[UnitToPlace, ...],
    is_refused: Callable[[int, Post], str],
) -> Deploy | None:
    """Return the next placing of the side's line-up; None when all stand as planned.

    `posts` are the present ones; a unit whose place is refused, as another still stands there, is
    passed over.
    """
    for number, post in best_line_up(ground, units):
        if posts.get(number, post) != post and not is_refused(number, post):
            return Deploy(number, post.at, post.facing, post.formation)
    return None


# The same brief is laid out the same, and a line-up is asked for once for each placing.
@lru_cache(maxsize=8)
def best_line_up(
    ground: GroundToUse, units: tuple[UnitToPlace, ...]
) -> tuple[tuple[int, Post], ...]:
    """Return the posts of the best line-up that differ from the layout's."""
    layout = _LineUp(ground, units)
    best = max((layout, *_line_ups(ground, units)), key=lambda line_up: round(line_up.worth(), 3))
    return tuple(
        (unit.band.id, best.posts[unit.band.id])
        for unit in units
        if best.posts[unit.band.id] != unit.post
    )


def _line_ups(ground: GroundToUse, units: tuple[UnitToPlace, ...]) -> "Iterator[_LineUp]":
    """Yield the line-ups to be judged besides the layout's."""
    for in_cover in (False, True):
        line_up = _LineUp(ground, units)
        if in_cover:
            line_up.take_cover()
        line_up.bring_guns_to_bear()
        line_up.follow()
        yield line_up


class _LineUp:
    """The units of a side in their posts, and the changes that may be made to them."""

    def __init__(self, ground: GroundToUse, units: tuple[UnitToPlace, ...]) -> None:
        self.ground = ground
        self.units = {unit.band.id: unit for unit in units}
        self.posts = {unit.band.id: unit.post for unit in units}
        self.stands = {unit.band.id: unit.stands(unit.post) for unit in units}

    def worth(self) -> float:
        """Return the worth of the line-up: what all its units give and lose."""
        return sum(self._worth_of(unit, self.posts[number]) for number, unit in self.units.items())

    def take_cover(self) -> None:
        """Move foot and horse into cover near their place, the foremost first, where it pays."""
        fighters = [
            unit for unit in self._free(Role.FOOT, Role.HORSE) if unit.exposed > unit.covered
        ]
        for unit in sorted(
            fighters, key=lambda unit: (-self._depth(unit, unit.post.at), unit.band.id)
        ):
            self._take_best(unit, (_at(unit.post, point) for point in self._spots(unit)))

    def bring_guns_to_bear(self) -> None:
        """Move batteries abreast to where they see more."""
        for unit in self._free(Role.GUN):
            width, post = unit.band.size.width, unit.post
            steps = [step for nth in range(1, MOST_PLACES + 1) for step in (nth, -nth)]
            places = (ahead(post.at, post.facing + 90, step * width) for step in steps)
            self._take_best(unit, (_at(post, point) for point in places))

    def follow(self) -> None:
        """Put those who go with certain units behind the middle of them."""
        for unit in self._free(Role.LEADER, Role.TRAIN):
            led = [self.posts[number].at for number in unit.follows if number in self.posts]
            if not led:
                continue
            behind_all = min(
                self._depth(unit, stand.at)
                for number in unit.follows
                if number in self.stands
                for stand in self.stands[number]
            )
            centre, size = middle(led), extent(unit.band.unit)
            back = self._depth(unit, centre) - behind_all + 2 * size.depth
            aim = ahead(centre, unit.post.facing + 180, back)
            aside = [0, *(step * size.width for nth in (1, 2, 3) for step in (nth, -nth))]
            for along in aside:
                post = _at(unit.post, ahead(aim, unit.post.facing + 90, along))
                if self._may_take(unit, post):
                    self._put(unit, post)
                    break

    def _free(self, *roles: Role) -> list[UnitToPlace]:
        return [unit for unit in self.units.values() if unit.free and unit.band.role in roles]

    def _put(self, unit: UnitToPlace, post: Post) -> None:
        self.posts[unit.band.id], self.stands[unit.band.id] = post, unit.stands(post)

    def _take_best(self, unit: UnitToPlace, posts: Iterable[Post]) -> None:
        """Move the unit to the best of these posts, if it is better than its own."""
        best, most = None, self._worth_of(unit, unit.post) + LEAST_GAIN
        for post in posts:
            if self._may_take(unit, post):
                worth = self._worth_of(unit, post)
                if worth > most:
                    best, most = post, worth
        if best is not None:
            self._put(unit, best)

    def _may_take(self, unit: UnitToPlace, post: Post) -> bool:
        friends = [stands for number, stands in self.stands.items() if number != unit.band.id]
        ground, stands = self.ground, unit.stands(post)
        others, water = (friends, ground.foes), (ground.barred, Lying.NONE)
        return not refusal(ground.field, ground.zones, stands, others, water)

    def _worth_of(self, unit: UnitToPlace, post: Post) -> float:
        """Return what the unit gives and loses there."""
        stands = unit.stands(post)
        value = -unit.exposed
        if unit.exposed > unit.covered:
            value += (unit.exposed - unit.covered) * self._cover(post, stands)
        if unit.slow:
            value -= unit.slow * _share_in(self.ground.field, self.ground.rough, stands)
        led = [self.posts[number].at for number in unit.follows if number in self.posts]
        if led:
            value -= PER_WIDTH_APART * distance(post.at, middle(led)) / unit.band.size.width
        return value + (unit.volley * self._view(unit, post, stands) if unit.volley else 0.0)

    def _cover(self, post: Post, stands: Stands) -> float:
        """Return the share of the stands in cover from the front: in it, or close behind works."""
        ground = self.ground
        before = ahead(post.at, post.facing, max(ground.field.width, ground.field.height))
        if behind(ground.field, before, post.at, ground.cover, within=ground.within):
            return 1.0
        return _share_in(ground.field, ground.cover, stands)

    def _view(self, unit: UnitToPlace, post: Post, stands: Stands) -> float:
        """Return the share of the ground before it, as far as it fires, that the unit sees."""
        eye = stands[(unit.band.number - 1) // 2 if unit.band.role is Role.FOOT else 0]
        friends = tuple(
            stand
            for number, others in self.stands.items()
            if number != unit.band.id
            for stand in others
        )
        field, hiding = self.ground.field, self.ground.hiding
        targets = [ahead(post.at, post.facing + turn, unit.fires) for turn in VIEWS]
        points = [point for point in targets if field.holds(point)]
        seen = [sees(field, eye, Stand(*point, 0, 10, 10), friends, hiding) for point in points]
        return sum(seen) / len(seen) if seen else 0.0

    def _depth(self, unit: UnitToPlace, at: TablePoint) -> int:
        """Return how far forward a point lies, as the unit looks."""
        far = ahead((0, 0), unit.post.facing, 1000)
        return (at.x * far.x + at.y * far.y) // 1000

    def _spots(self, unit: UnitToPlace) -> list[TablePoint]:
        """Return points in cover near the unit, the nearest first."""
        width, place = unit.band.size.width, unit.post.at
        least = self._depth(unit, place) - (NEAR if self.ground.holds else BACK) * width
        spots = []
        for feature, shape in self.ground.field.shapes:
            if feature.kind not in self.ground.cover & AREAS:
                continue
            west, north, east, south = map(round, shape.bounds)
            for x in range(west + width // 2, east, width):
                for y in range(north + width // 2, south, width):
                    far = distance(place, (x, y))
                    inside = far <= NEAR * width and shapely.intersects_xy(shape, x, y)
                    if inside and self._depth(unit, TablePoint(x, y)) >= least:
                        spots.append((far, x, y))
        return [TablePoint(x, y) for _, x, y in sorted(spots)[:MOST_SPOTS]]


def _at(post: Post, at: TablePoint) -> Post:
    """Return the post at another place."""
    return Post(at, post.facing, post.formation)


def _share_in(field: OpenField, kinds: Kinds, stands: Stands) -> float:
    """Return the share of the stands whose middle lies in areas of these kinds."""
    ground = field.ground(kinds)
    if ground.is_empty:
        return 0.0
    xs, ys = [stand.x for stand in stands], [stand.y for stand in stands]
    return float(shapely.intersects_xy(ground, xs, ys).mean())
