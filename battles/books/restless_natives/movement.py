"""Movement: formations, the dice of every kind, open paths, and the moves a unit can make."""

from collections.abc import Iterator
from typing import NamedTuple

import shapely

from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import (
    is_afloat,
    is_engaged,
    near,
    stands_at,
    stands_of,
    style,
)
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Kind, Special, Troops
from battles.books.restless_natives.special import adds
from battles.books.restless_natives.state import State, Unit, current_activation
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger
from battles.tabletop.field import (
    Lying,
    OpenField,
    TableTerrain,
    lies_in,
    lines_crossed,
    on_table,
    rough,
)
from battles.tabletop.formations import TableFormation, free_way, places
from battles.tabletop.geometry import (
    MEASURE,
    TOUCH,
    Stands,
    TablePoint,
    ahead,
    are_touching,
    bearing_between,
    distance,
    overlap,
)

# Formations that a unit may take, and changes between them (Activated unit 5).


def may_take(unit: Unit, formation: TableFormation) -> bool:
    """Return whether the unit can form so: a Square needs a stand for each face (ruling)."""
    if formation not in book().formations(style(unit), unit.kind):
        return False
    return formation is not TableFormation.SQUARE or unit.stands >= book().number("square")


def changes(state: State, unit: Unit) -> tuple[TableFormation, ...]:
    """Return the formations that the unit can change to where it stands."""
    return tuple(
        formation
        for formation in book().formations(style(unit), unit.kind)
        if formation is not unit.formation
        and may_take(unit, formation)
        and _has_room(state, unit, formation)
    )


def _has_room(state: State, unit: Unit, formation: TableFormation) -> bool:
    size = book().size(unit.kind)
    stands = places(formation, unit.stands, unit.at, unit.facing, size)
    if not on_table(state.field, stands):
        return False
    around = near(state, unit, unit.at, room=unit.stands * size.width)
    return not any(overlap(stands, stands_of(other)) for other in around)


# Movement: the dice of every kind and formation, and whether a path is open (Movement).


FORDS = frozenset({TableTerrain.FORD})


class MovementThrow(NamedTuple):
    """The D6 of a move over rough terrain, those that count in the open alone, and the inches."""

    dice: int
    open_only: int
    plus: int


def throw_for(
    troops: Troops,
    kind: Kind,
    formation: TableFormation,
    *,
    moves: int = 1,
    card: Special | None = None,
) -> MovementThrow:
    """Return the dice for one move, or for two in one. Raises KeyError for a wrong formation."""
    row = book().movement(book().style(troops), kind, formation)
    dice = row.dice + adds(card, "move")
    fewer = min(book().number("rough"), dice)
    return MovementThrow((dice - fewer) * moves, fewer * moves, row.plus * moves)


def march(ledger: Ledger[State], unit: Unit, moves: int) -> tuple[int, int]:
    """Roll for a move; return the unit's reach in the open and in rough terrain.

    With rough terrain or obstacles within the distance, fewer dice are thrown first, which count
    everywhere; the remaining dice are thrown on their own and count in the open alone.
    """
    state = ledger.state
    throw = throw_for(
        unit.troops, unit.kind, unit.formation, moves=moves, card=current_activation(state).card
    )
    clause = book().movement(style(unit), unit.kind, unit.formation).clause or "Movement 2"
    plus = (Modifier(throw.plus, f"{unit.kind} in {unit.formation}", clause),) if throw.plus else ()
    far = 6 * (throw.dice + throw.open_only) + throw.plus
    if not is_near_rough(state.field, unit.at, far * MEASURE):
        dice = (0,) * (throw.dice + throw.open_only)
        thrown = ledger.roll(
            Roll("move", clause, dice, modifiers=plus, table="movement", side=unit.side)
        )
        most = less = thrown.total * MEASURE
    else:
        less = throw.plus * MEASURE
        if throw.dice:
            dice = (0,) * throw.dice
            slow = ledger.roll(Roll("rough terrain", "Movement 5", dice, side=unit.side))
            less += slow.total * MEASURE
        dice = (0,) * throw.open_only
        thrown = ledger.roll(
            Roll("open ground", clause, dice, modifiers=plus, table="movement", side=unit.side)
        )
        most = less + (thrown.total - throw.plus) * MEASURE
    ledger.emit(e.MoveThrown(unit=unit.id, moves=moves, most=most, rough=less))
    return most, less


def is_near_rough(field: OpenField, point: TablePoint, room: int) -> bool:
    """Return whether there is rough terrain or an obstacle within `room` of a point."""
    location, kinds = shapely.Point(point), book().rough | book().obstacles
    return any(
        feature.kind in kinds and shape.distance(location) <= room
        for feature, shape in field.shapes
    )


def is_rough(field: OpenField, start: TablePoint, end: TablePoint) -> bool:
    """Return whether a straight path crosses rough terrain or an obstacle (Movement 5)."""
    if not field.features:
        return False
    if rough(field, start, end, book().rough):
        return True
    return bool(lines_crossed(field, start, end, book().obstacles))


def refusal(state: State, unit: Unit, path: tuple[TablePoint, ...], facing: int) -> str:
    """Return why the unit cannot go by these points, whatever its dice; "" when it can.

    It may pass through friends but not enemies, and may end on no unit and in contact with no
    enemy.
    """
    ends = stands_at(unit, path[-1] if path else unit.at, facing)
    around = near(state, unit, path[-1] if path else unit.at, room=TOUCH)
    if not on_table(state.field, ends):
        return "The unit would hang over the edge of the field."
    if not is_ground_for(state.field, unit, ends):
        return "Vessels keep to the water and all others out of it."
    if any(overlap(ends, stands_of(other)) for other in around):
        return "Another unit stands there."
    if _touches_new_enemy(state, unit, ends, around):
        return "That would touch an enemy: initiate a close combat instead."
    return _refusal_on_the_way(state, unit, path, facing)


def _refusal_on_the_way(state: State, unit: Unit, path: tuple[TablePoint, ...], facing: int) -> str:
    """Return why the unit cannot go along the path, wherever it leads; "" if it can."""
    if not all(state.field.holds(point) for point in path[:-1]):
        return "That way leads over the edge of the field."
    position = unit.at
    for point in path:
        if not is_way_open(state, unit, (position, point), facing):
            return "An enemy, or water, is in the way."
        position = point
    return ""


def way_length(unit: Unit, path: tuple[TablePoint, ...]) -> int:
    """Return the length of the path in hundredths of an inch, from the unit's place."""
    return sum(distance(point, other) for point, other in zip((unit.at, *path), path, strict=False))


def way_is_rough(state: State, unit: Unit, path: tuple[TablePoint, ...]) -> bool:
    """Return whether any part of the path crosses rough terrain or an obstacle."""
    ways = zip((unit.at, *path), path, strict=False)
    return any(is_rough(state.field, point, other) for point, other in ways)


def is_ground_for(field: OpenField, unit: Unit, stands: Stands) -> bool:
    """Return whether the stands fit the water: vessels wholly in it, others out of it."""
    expected = Lying.WHOLLY if is_afloat(unit) else Lying.NONE
    return lies_in(field, stands, book().water) is expected


def is_way_open(
    state: State,
    unit: Unit,
    path: tuple[TablePoint, TablePoint],
    facing: int,
    *,
    but: Unit | None = None,
) -> bool:
    """Return whether a straight path is free of enemies, except `but`, and passable."""
    start, end = path
    far = distance(start, end)
    if not far:
        return True
    if not _is_passable(state.field, unit, start, end):
        return False
    enemies = tuple(
        stand
        for other in near(state, unit, start, room=far)
        if other.side is not unit.side and other is not but
        for stand in stands_of(other)
    )
    way = bearing_between(start, end)
    return free_way(stands_at(unit, start, facing), way, far, enemies).other is None


def _is_passable(field: OpenField, unit: Unit, start: TablePoint, end: TablePoint) -> bool:
    """Return whether the path is all water for a vessel, or all land for others.

    Other units cross a river where it can be forded.
    """
    wet = rough(field, start, end, book().water)
    if is_afloat(unit):
        return wet + 1 >= distance(start, end)
    return not wet or bool(lines_crossed(field, start, end, FORDS))


def _touches_new_enemy(state: State, unit: Unit, ends: Stands, around: list[Unit]) -> bool:
    return not is_engaged(state, unit) and any(
        other.side is not unit.side and are_touching(ends, stands_of(other)) for other in around
    )


# The moves open to a unit with the dice it has rolled.


_WAYS = 16
_SHARES = (100, 50)
LEAST = MEASURE // 4
"""The shortest move in hundredths: lengths are measured to the nearest half inch."""


class Way(NamedTuple):
    """A move: its points, and the facing at its end."""

    path: tuple[TablePoint, ...]
    facing: int


class Reach:
    """The moves open to a unit: `most` hundredths of an inch in the open, `rough` elsewhere."""

    def __init__(self, state: State, unit: Unit, most: int, rough: int) -> None:
        self.state, self.unit = state, unit
        self.most, self.rough = most, rough

    def allows(self, path: tuple[TablePoint, ...], facing: int) -> bool:
        """Return whether the unit can go by these points and end with this facing."""
        return not self.refusal(path, facing)

    def refusal(self, path: tuple[TablePoint, ...], facing: int) -> str:
        """Return why it cannot; "" when it can."""
        if not 0 <= facing < 360:
            return "A facing is 0 to 359 degrees from the north."
        far = way_length(self.unit, path)
        if path and far < LEAST:
            return "That is nearer than can be measured: the unit may turn where it stands."
        if far > self.most:
            return f"That is {far / 100:.1f} inches; the dice gave {self.most / 100:g}."
        if far > self.rough and way_is_rough(self.state, self.unit, path):
            return f"Over rough terrain or obstacles the dice gave {self.rough / 100:g} inches."
        return refusal(self.state, self.unit, path, facing)

    def towards(self, goal: TablePoint, facing: int | None = None) -> Way | None:
        """Return the longest move straight towards a point, up to there; None for none.

        It ends with the facing asked for, else facing the way it went.
        """
        way = bearing_between(self.unit.at, goal)
        looks = way if facing is None else facing
        far = way_length(self.unit, (goal,))
        for length in _lengths(far, self.most, self.rough):
            path = (goal if length == far else ahead(self.unit.at, way, length),)
            if self.allows(path, looks):
                return Way(path, looks)
        return None

    def spots(self) -> Iterator[Way]:
        """Yield some legal moves: in sixteen directions, the full length and half, and turns."""
        for nth in range(_WAYS):
            way = nth * 360 // _WAYS
            for share in _SHARES:
                path = (ahead(self.unit.at, way, self.most * share // 100 - 1),)
                if self.most > 0 and self.allows(path, way):
                    yield Way(path, way)
        for facing in range(0, 360, 90):
            if facing != self.unit.facing and self.allows((), facing):
                yield Way((), facing)


def check_move(reach: Reach, path: tuple[TablePoint, ...], facing: int) -> None:
    """Raise IllegalAction when the unit cannot make that move."""
    refusal = reach.refusal(path, facing)
    if refusal:
        clause = "Movement 5" if refusal.startswith("Over rough") else "Movement 2"
        raise IllegalAction(clause, refusal, "Choose another way.")


def _lengths(far: int, most: int, rough: int) -> Iterator[int]:
    """Yield the lengths to try, the longest first."""
    if far <= most:
        yield far
    longest = min(far, most) - 1
    tries = {longest * tenths // 10 for tenths in range(10, 0, -1)} | {min(longest, rough - 1)}
    yield from sorted((length for length in tries if length > 0), reverse=True)
