"""Movement: the moves open to a unit by its orders, and how each is carried out."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.book import SCALE, book
from battles.books.fuzzy_wuzzy.pieces import Arm, Rate, Style
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.core.game import IllegalAction
from battles.tabletop.field import Kinds, Lying, OpenField, lies_in, lines_crossed, on_table, rough
from battles.tabletop.formations import TableFormation, free_way
from battles.tabletop.geometry import TOUCH, Stands, TablePoint, ahead, bearing_between, distance

# Legal moves on the table: cost, obstacles, contact, and hidden enemies on the way.


LEAST = SCALE // 2
"""Hundredths below which a distance cannot be measured (ruling 5)."""
_SLACK = 130
"""Hundredths before its end at which a move into contact may graze the target: half a stand."""
_QUARTERS = (0, 90, 180, 270)
MOST_FACES = 8
_KEPT = 4096


class Contact(NamedTuple):
    """A unit's place, facing and cost for coming into contact with another."""

    at: TablePoint
    facing: int
    cost: int


@lru_cache(maxsize=_KEPT)
def cost_of(field: OpenField, start: TablePoint, end: TablePoint) -> int:
    """Return the cost of a straight path in hundredths; slow ground doubles, obstacles add."""
    cost = distance(start, end)
    if _may_cross(field, start, end, book().slow):
        cost += (book().number("slow") - 1) * rough(field, start, end, book().slow)
    if _may_cross(field, start, end, book().obstacles):
        walls = len(lines_crossed(field, start, end, book().obstacles))
        cost += walls * book().number("obstacle") * SCALE
    return cost


def is_wet(field: OpenField, start: TablePoint, end: TablePoint) -> bool:
    """Return whether the straight path leads through water."""
    barred = book().barred
    return _may_cross(field, start, end, barred) and rough(field, start, end, barred) > 0


def _may_cross(field: OpenField, start: TablePoint, end: TablePoint, kinds: Kinds) -> bool:
    """Return whether the path's bounding box meets that of any terrain of these kinds."""
    west, east = min(start[0], end[0]), max(start[0], end[0])
    north, south = min(start[1], end[1]), max(start[1], end[1])
    return any(
        box[0] <= east and box[2] >= west and box[1] <= south and box[3] >= north
        for box in field.boxes(kinds)
    )


def check_move(state: State, unit: Unit, to: TablePoint, facing: int) -> int:
    """Return the cost of a move. Raises IllegalAction when the unit may not go there."""
    cost = cost_of(state.field, unit.at, to)
    left = state.paces.get(unit.id, 0)
    if cost > left:
        raise IllegalAction(
            "Movement 1",
            f"That is {cost / SCALE:.1f} cm, and unit {unit.id} has {left / SCALE:.1f} left.",
            "Choose somewhere nearer.",
        )
    reason = why_not(state, unit, to, facing)
    if reason:
        raise IllegalAction("Movement 1", f"Unit {unit.id} {reason}.", "Choose another place.")
    if distance(unit.at, to) < LEAST and (to != unit.at or facing == unit.facing):
        raise IllegalAction(
            "Movement 1",
            f"Unit {unit.id} stands there already: less than half a centimetre is not measured.",
            "Choose a place further away, or let it turn where it stands.",
        )
    return cost


class Around(NamedTuple):
    """The units that may be in a unit's way: observed enemies, and friends."""

    enemies: list[Unit]
    friends: list[Unit]


def all_around(state: State, unit: Unit) -> Around:
    """Return all units on the field that the unit knows."""
    friends = [friend for friend in board.on_field(state, unit.side) if friend.id != unit.id]
    return Around(board.enemies(state, unit.side), friends)


def around(state: State, unit: Unit, far: int) -> Around:
    """Return the units that may be in the way of a move of so many hundredths."""
    room = far + book().number("clear") * board.MILLIMETRE + TOUCH
    return Around(*(board.near(unit, units, room) for units in all_around(state, unit)))


def why_not(
    state: State, unit: Unit, to: TablePoint, facing: int, others: Around | None = None
) -> str:
    """Return why the unit may not go there, whatever the distance; "" if it may.

    `others` are those that may be in the way, all units if they are not given.
    """
    stands = board.stands_at(unit, to, facing)
    ground = _ground(state.field, unit, to, stands)
    if ground:
        return ground
    if is_wet(state.field, unit.at, to):
        return "cannot cross the water"
    enemies, friends = others or all_around(state, unit)
    clear = book().number("clear") * board.MILLIMETRE
    for enemy in enemies:
        if board.would_be_near(unit, to, enemy, clear) and _comes_too_near(
            unit, enemy, stands, clear
        ):
            return f"would come too near unit {enemy.id}, which it does not close with"
    for friend in friends:
        near = board.would_be_near(unit, to, friend)
        if near and board.lie_upon(stands, board.stands_of(friend)):
            return f"would stand on unit {friend.id}"
    if to != unit.at and _is_path_blocked(unit, to, enemies):
        return "cannot pass through the enemy"
    return ""


def contact_at(state: State, unit: Unit, target: Unit) -> Contact | None:
    """Return the unit's contact with an enemy, front against the nearest side in reach.

    None when there is no way or no room.
    """
    enemies = board.enemies(state, unit.side)
    others = [
        *enemies,
        *(friend for friend in board.on_field(state, unit.side) if friend.id != unit.id),
    ]
    for place, facing in _sides(unit, target):
        contact = _against(state, unit, (place, facing), others)
        if contact is not None and not _is_barred(unit, contact, enemies, target):
            return contact
    return None


def find_hidden_enemy(
    state: State, unit: Unit, to: TablePoint, facing: int
) -> tuple[TablePoint, Unit | None]:
    """Return where a move really ends, and the hidden enemy it runs into, or None."""
    hidden = [enemy for enemy in board.enemies(state, unit.side, seen=False) if not enemy.seen]
    far = distance(unit.at, to)
    near = board.near(unit, hidden, far)
    if not near:
        return to, None
    if unit.at != to:
        way = bearing_between(unit.at, to)
        met = free_way(board.stands_at(unit, unit.at, way), way, far, board.stands_of_units(near))
        if met.other is not None:
            blocker = [enemy for enemy in near for _ in enemy.markers][met.other]
            clear = book().number("clear") * board.MILLIMETRE
            return ahead(unit.at, way, max(0, met.length - clear)), blocker
    stands = board.stands_at(unit, to, facing)
    return to, next(
        (enemy for enemy in near if board.lie_upon(stands, board.stands_of(enemy))), None
    )


def stands_freely(state: State, unit: Unit, at: TablePoint, facing: int) -> bool:
    """Return whether a unit could stand there: on the table, on dry ground, on no unit."""
    stands = board.stands_at(unit, at, facing)
    return not _ground(state.field, unit, at, stands) and not any(
        other.id != unit.id
        and other.id not in state.waiting
        and board.would_be_near(unit, at, other)
        and board.lie_upon(stands, board.stands_of(other))
        for other in state.units.values()
    )


def _ground(field: OpenField, unit: Unit, at: TablePoint, stands: Stands) -> str:
    if not board.is_well_within(field, unit, at) and not on_table(field, stands):
        return "would hang over the edge of the field"
    if field.features and lies_in(field, stands, book().barred) is not Lying.NONE:
        return "would stand in water"
    return ""


def _comes_too_near(unit: Unit, enemy: Unit, new_stands: Stands, clear: int) -> bool:
    """Return whether the unit would enter the clearance, or come nearer within it."""
    enemy_stands = board.stands_of(enemy)
    if not board.come_within(new_stands, enemy_stands, clear):
        return False
    if board.lie_upon(new_stands, enemy_stands):  # in contact both gaps are 0, so they cannot tell
        return True
    before = board.stands_of(unit)
    return not board.come_within(before, enemy_stands, clear) or board.span(
        new_stands, enemy_stands
    ) < board.span(before, enemy_stands)


def _is_path_blocked(unit: Unit, to: TablePoint, enemies: list[Unit]) -> bool:
    """Return whether an enemy blocks the straight path."""
    length = distance(unit.at, to)
    near = board.near(unit, enemies, length)
    if not near:
        return False
    way = bearing_between(unit.at, to)
    return (
        free_way(
            board.stands_at(unit, unit.at, way), way, length, board.stands_of_units(near)
        ).other
        is not None
    )


def _sides(unit: Unit, target: Unit) -> Iterator[tuple[TablePoint, int]]:
    """Yield places of the unit's front against sides of the target, the nearest first."""
    stands = board.stands_of(target)
    deep = board.SIDE if unit.formation is not TableFormation.SQUARE else 0
    places: list[tuple[int, int, TablePoint, int]] = []
    for stand in stands:
        for quarter in _QUARTERS:
            way = (stand.facing + quarter) % 360
            middle = ahead(stand.at, way, stand.depth // 2)
            if _looks(unit.at, middle, way):
                place = ahead(middle, way, deep // 2)
                places.append((distance(unit.at, place), len(places), place, (way + 180) % 360))
    for _, _, place, facing in sorted(places)[:MOST_FACES]:
        yield place, facing


def _looks(point: TablePoint, middle: TablePoint, way: int) -> bool:
    """Return whether a side at `middle` with that bearing faces the point."""
    beyond = ahead(middle, way, SCALE)
    return (beyond.x - middle.x) * (point.x - middle.x) + (beyond.y - middle.y) * (
        point.y - middle.y
    ) > 0


def _against(
    state: State, unit: Unit, place: tuple[TablePoint, int], others: list[Unit]
) -> Contact | None:
    """Return the contact at a place, if there is room for it and distance enough."""
    point, facing = place
    pace = state.paces.get(unit.id, 0)
    if distance(unit.at, point) > pace:
        return None
    cost = cost_of(state.field, unit.at, point)
    if cost > pace or is_wet(state.field, unit.at, point):
        return None
    stands = board.stands_at(unit, point, facing)
    if _ground(state.field, unit, point, stands):
        return None
    if any(
        board.would_be_near(unit, point, other) and board.lie_upon(stands, board.stands_of(other))
        for other in others
    ):
        return None
    return Contact(point, facing, cost)


def _is_barred(unit: Unit, contact: Contact, enemies: list[Unit], target: Unit) -> bool:
    """Return whether an enemy blocks the way to the contact, or the target itself does."""
    length = distance(unit.at, contact.at)
    near = board.near(unit, enemies, length)
    way = bearing_between(unit.at, contact.at) if length else contact.facing
    met = free_way(
        board.stands_at(unit, unit.at, contact.facing), way, length, board.stands_of_units(near)
    )
    if met.other is None or met.length >= length - _SLACK:
        return False
    blocker = [enemy for enemy in near for _ in enemy.markers][met.other]
    return blocker.id != target.id or met.length < length - 2 * _SLACK


# Movement: the distance of a move, and the rates allowed after earlier moves (section 5).


def dice_of(style: Style, arm: Arm, rate: Rate) -> tuple[int, str]:
    """Return number and kind ("AvD", "D6") of the dice for the distance."""
    return book().rate(style, arm, rate)


def pace_thrown(dice: Iterable[int]) -> int:
    """Return the distance that these dice allow, in hundredths of a centimetre."""
    return SCALE * sum(dice)


def may_use(rate: Rate, style: Style, arm: Arm, before: Sequence[Rate] = ()) -> bool:
    """Return whether a unit may be ordered to move at a rate after its moves `before`.

    The latest is the last; missing moves count as standing.
    """
    if rate in (Rate.STATIONARY, Rate.MARCH):
        return True
    if rate is Rate.CHARGE and arm is Arm.TRANSPORT:
        return False
    last = _back(before, 1)
    if style is Style.REGULAR:
        return last in (Rate.STATIONARY, Rate.MARCH)
    if rate is Rate.CHARGE:
        return _may_charge(last, _back(before, 2))
    return last is not Rate.CHARGE and not _is_blown(before)


def rates(style: Style, arm: Arm, before: Sequence[Rate] = ()) -> tuple[Rate, ...]:
    """Return the rates at which a unit may be ordered to move."""
    return tuple(
        rate for rate in (Rate.MARCH, Rate.DOUBLE, Rate.CHARGE) if may_use(rate, style, arm, before)
    )


def _back(before: Sequence[Rate], moves: int) -> Rate:
    return before[-moves] if len(before) >= moves else Rate.STATIONARY


def _may_charge(last: Rate, before_last: Rate) -> bool:
    """Return whether irregulars may charge: after at most one move at the double."""
    quiet = (Rate.STATIONARY, Rate.MARCH)
    return last in quiet or (last is Rate.DOUBLE and before_last in quiet)


def _is_blown(before: Sequence[Rate]) -> bool:
    """Return whether irregulars have used up their moves at the double and not rested since."""
    doubles = marches = 0
    most, rest = book().number("doubles"), book().number("marches")
    for rate in before:
        if rate is Rate.DOUBLE:
            doubles, marches = doubles + 1, 0
        elif rate is not Rate.MARCH:
            doubles = marches = 0
        else:
            marches += 1
            doubles = doubles if doubles >= most and marches < rest else 0
    return doubles >= most
