"""Draw up the sides: Anglo-Egyptians in line, box or Squares, Dervishes in a mass."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from battles.books.redcoats.field import STEPS, Terrain, around, column, distance, opposite, row
from battles.books.redcoats.layout_ground import Frame, Ground
from battles.books.redcoats.muster import style
from battles.books.redcoats.pieces import Formation, Kind, Style
from battles.books.redcoats.state import Brigade, Leader, Unit
from battles.contract.brief import Side
from battles.contract.set_up import interleave

FACES = 4
"""The battalions of a brigade Square."""
LINE_OF = 3
"""The most battalions that stand in line; more form a box, if the enemy is stronger."""


class Lines:
    """The places given to units and Leaders so far."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.units: dict[int, Unit] = {}
        self.leaders: dict[int, Leader] = {}
        self.brigades: list[Brigade] = []
        self._taken: dict[int, list[Unit]] = {}

    def free(self, square: int) -> bool:
        """Return whether the square is land without a unit."""
        return self.ground.free(square) and self.empty(square)

    def empty(self, square: int) -> bool:
        """Return whether no unit stands in the square."""
        return square not in self._taken

    def stand(self, unit: Unit, square: int, facing: int) -> None:
        """Place the unit; Anglo-Egyptian camelry dismounts."""
        afoot = unit.kind is Kind.CAMELRY and style(unit.troops) is Style.ANGLO_EGYPTIAN
        placed = msgspec.structs.replace(unit, square=square, facing=facing, dismounted=afoot)
        self.units[unit.id] = placed
        self._taken.setdefault(square, []).append(placed)

    def stand_near(self, unit: Unit, square: int, facing: int) -> None:
        """Place the unit on the nearest free square, or leave it off the field if there is none."""
        open_squares = [candidate for candidate in self.ground.squares if self.free(candidate)]
        if open_squares:
            self.stand(
                unit,
                min(open_squares, key=lambda candidate: (distance(candidate, square), candidate)),
                facing,
            )
        else:
            self.units[unit.id] = unit

    def units_of(self, side: Side) -> list[Unit]:
        """Return that side's units on the field, in the order of placing."""
        return [unit for units in self._taken.values() for unit in units if unit.side is side]

    def can_be_joined_by_gun(self, square: int) -> bool:
        """Return whether a gun can join the square: it has a single unit, and no gun."""
        return len(self._taken[square]) == 1 and not self._taken[square][0].is_gun

    def lead(self, leader: Leader, square: int) -> None:
        """Place the Leader."""
        self.leaders[leader.id] = msgspec.structs.replace(leader, square=square)


def brigades_of(units: Sequence[Unit], leaders: int) -> int:
    """Return the number of brigade Squares possible: one a Leader, four steady battalions each."""
    return min(len(_battalions(units)) // FACES, leaders)


def draw_up_brigades(
    lines: Lines, frame: Frame, units: Sequence[Unit], leaders: Sequence[Leader]
) -> None:
    """Place attackers in brigade Squares at their edge, each with a Leader, the others beside."""
    count = brigades_of(units, len(leaders))
    foot = _battalions(units)
    guns = [unit for unit in units if unit.is_gun]
    inside = sorted(
        (unit for unit in units if not (unit.is_gun or unit.on_foot or unit.is_craft)),
        key=lambda unit: unit.kind is not Kind.TRANSPORT,
    )
    middles = [frame.at(_share(frame.width, nth, count), 1) for nth in range(count)]
    for nth, (middle, leader) in enumerate(zip(middles, leaders, strict=False)):
        _brigade(lines, frame, foot[nth * FACES : (nth + 1) * FACES], middle)
        _corners(lines, frame, guns[nth::count][:2], middle)
        lines.lead(leader, middle)
        for unit in inside[nth : nth + 1]:
            lines.stand(_in_brigade(unit, lines), middle, frame.ahead)
    beside = [unit for unit in units if unit.id not in lines.units and not unit.is_craft]
    beside.sort(key=lambda unit: (not unit.on_foot, unit.mounted, unit.id))
    abreast = [square for square in _abreast(frame, middles) if lines.free(square)]
    for unit, square in zip(beside, abreast, strict=False):
        lines.stand(unit, square, frame.ahead)
    for unit in beside[len(abreast) :]:
        lines.stand_near(unit, frame.at(frame.width // 2, 0), frame.ahead)


def _abreast(frame: Frame, middles: Sequence[int]) -> list[int]:
    """Return the squares to the right and left of brigade Squares, the front row first."""
    clear = [
        (2 - depth, min(distance(frame.at(across, depth), middle) for middle in middles), across)
        for depth in range(3)
        for across in range(frame.width)
        if all(_far(frame.at(across, depth), middle) > 1 for middle in middles)
    ]
    return [frame.at(across, 2 - back) for back, _, across in sorted(clear)]


def _far(square: int, other: int) -> int:
    """Return the distance between two squares, with diagonal steps counted as one."""
    return max(abs(column(square) - column(other)), abs(row(square) - row(other)))


def _battalions(units: Sequence[Unit]) -> list[Unit]:
    """Return regular foot in good order, the strongest first; camelry counts as dismounted."""
    regular = [
        unit
        for unit in units
        if style(unit.troops) is Style.ANGLO_EGYPTIAN and not unit.disorganised
    ]
    foot = [unit for unit in regular if unit.kind in (Kind.INFANTRY, Kind.CAMELRY)]
    return sorted(foot, key=lambda unit: (-unit.figures, unit.id))


def _share(width: int, nth: int, count: int) -> int:
    """Return the middle of the nth of `count` equal stretches of a row."""
    return (2 * nth + 1) * width // (2 * count)


def _brigade(lines: Lines, frame: Frame, foot: Sequence[Unit], middle: int) -> None:
    """Place a battalion on the middle of each face, the strongest towards the enemy."""
    number = len(lines.brigades) + 1
    lines.brigades.append(Brigade(number, frame.ahead))
    for unit, turn in zip(foot, (0, 2, 6, 4), strict=True):
        way = (frame.ahead + turn) % 8
        formed = msgspec.structs.replace(unit, formation=Formation.SQUARE, brigade=number)
        lines.stand(formed, middle + STEPS[way], way)


def _corners(lines: Lines, frame: Frame, guns: Sequence[Unit], middle: int) -> None:
    """Place batteries on the corners of the front face."""
    for gun, turn in zip(guns, (1, 7), strict=False):
        corner = middle + STEPS[(frame.ahead + turn) % 8]
        lines.stand(_in_brigade(gun, lines), corner, frame.ahead)


def _in_brigade(unit: Unit, lines: Lines) -> Unit:
    """Return the unit as a part of the brigade Square formed last."""
    return msgspec.structs.replace(unit, brigade=len(lines.brigades))


def draw_up_regulars(
    lines: Lines, frame: Frame, units: Sequence[Unit], depth: int, *, outnumbered: bool
) -> None:
    """Place Anglo-Egyptians about the middle, facing the enemy, the first line at that depth.

    `frame` is the field from the edge behind them.
    """
    foot = [unit for unit in units if unit.on_foot or unit.kind is Kind.CAMELRY]
    foot.sort(key=lambda unit: (style(unit.troops) is Style.DERVISH, unit.disorganised, unit.id))
    boxed = outnumbered and len(foot) > LINE_OF
    places = list(_box(frame, len(foot), depth) if boxed else _line(frame, len(foot), depth))
    for unit, (square, facing) in zip(foot, places, strict=False):
        _put_unit(lines, unit, square, facing)
    fallback = frame.at(frame.width // 2, depth)
    for unit in foot[len(places) :]:
        lines.stand_near(unit, fallback, frame.ahead)
    _guns_with_foot(lines, frame, units, fallback)
    _behind(lines, frame, units, depth)


def _line(frame: Frame, count: int, depth: int) -> Iterator[tuple[int, int]]:
    """Yield places side by side about the middle, with further lines behind if needed."""
    wide = min(count, frame.width - 2)
    for nth in range(count):
        left = (frame.width - wide) // 2
        yield frame.at(left + nth % wide, max(0, depth - nth // wide)), frame.ahead


def _box(frame: Frame, count: int, depth: int) -> Iterator[tuple[int, int]]:
    """Yield places round a rectangle, facing outwards, rank by rank with the corners first."""
    wide = min(max(2, -(-(count + 4) // 4)), frame.width - 2)
    deep = max(2, -(-(count + 4) // 2) - wide)
    left, front = (frame.width - wide) // 2, max(depth, deep - 1)
    ring = [
        (across, back)
        for back in range(deep)
        for across in range(wide)
        if across in (0, wide - 1) or back in (0, deep - 1)
    ]
    ring.sort(key=lambda place: (place[1], place[0] not in (0, wide - 1)))
    for across, back in ring[:count]:
        looks = _outwards(frame, (across, wide - 1), (back, deep - 1))
        yield frame.at(left + across, front - back), looks


def _outwards(frame: Frame, across: tuple[int, int], back: tuple[int, int]) -> int:
    """Return the facing away from the middle of the box, for a place on its rim."""
    aside = -1 if across[0] == 0 else 1 if across[0] == across[1] else 0
    forward = 1 if back[0] == 0 else -1 if back[0] == back[1] else 0
    middle = frame.at(1, 1)
    other = frame.at(1 + aside, 1 + forward)
    east, south = column(other) - column(middle), row(other) - row(middle)
    return _FACING[east, south]


_FACING = {
    (0, -1): 0,
    (1, -1): 1,
    (1, 0): 2,
    (1, 1): 3,
    (0, 1): 4,
    (-1, 1): 5,
    (-1, 0): 6,
    (-1, -1): 7,
}


def _put_unit(lines: Lines, unit: Unit, square: int, facing: int) -> None:
    if lines.free(square):
        lines.stand(unit, square, facing)
    else:
        lines.stand_near(unit, square, facing)


def _guns_with_foot(lines: Lines, frame: Frame, units: Sequence[Unit], middle: int) -> None:
    """Place each battery with infantry of the front, regulars before irregulars."""
    foot = [unit for unit in lines.units_of(units[0].side) if unit.on_foot] if units else []
    foot.sort(key=lambda unit: (-_ahead(frame, unit.square), style(unit.troops) is Style.DERVISH))
    for gun in (unit for unit in units if unit.is_gun):
        room = next((unit.square for unit in foot if lines.can_be_joined_by_gun(unit.square)), None)
        if room is None:
            lines.stand_near(gun, middle, frame.ahead)
        else:
            lines.stand(gun, room, frame.ahead)


def _behind(lines: Lines, frame: Frame, units: Sequence[Unit], depth: int) -> None:
    """Place train and cavalry inside the box or behind the line."""
    back = frame.at(frame.width // 2, max(0, depth - 1))
    rest = [unit for unit in units if unit.id not in lines.units and not unit.is_craft]
    for unit in sorted(rest, key=lambda unit: unit.kind is not Kind.TRANSPORT):
        lines.stand_near(unit, back, frame.ahead)


def draw_up_mass(lines: Lines, frame: Frame, units: Sequence[Unit], depth: int) -> None:
    """Place Dervishes: rubs from the middle out, cavalry on the wings, guns and train behind."""
    foot = [unit for unit in units if unit.kind is Kind.INFANTRY]
    horse = [unit for unit in units if unit.kind in (Kind.CAVALRY, Kind.CAMELRY)]
    rest = [unit for unit in units if unit.is_gun or unit.kind is Kind.TRANSPORT]
    places = _mass(lines, frame, depth)
    for unit in interleave(
        [rub for rub in foot if rub.armed], [rub for rub in foot if not rub.armed]
    ):
        _next(lines, unit, places, frame)
    for nth, unit in enumerate(horse):
        wing = 0 if nth % 2 == 0 else frame.width - 1
        lines.stand_near(unit, frame.at(wing, depth), frame.ahead)
    for unit in rest:
        lines.stand_near(unit, frame.at(frame.width // 2, max(0, depth - 1)), frame.ahead)


def _mass(lines: Lines, frame: Frame, depth: int) -> Iterator[int]:
    """Yield squares from the first row back, cover before open ground and the middle first."""
    middle = (frame.width - 1) / 2
    for back in range(depth + 1):
        wings = range(1, frame.width - 1)
        row_ = [frame.at(across, depth - back) for across in wings]
        by_cover = {frame.at(across, depth - back): abs(across - middle) for across in wings}
        yield from sorted(
            row_, key=lambda square: (_is_open(lines, square), by_cover[square], square)
        )


def _is_open(lines: Lines, square: int) -> bool:
    return lines.ground.terrain.get(square, Terrain.OPEN) is Terrain.OPEN


def _next(lines: Lines, unit: Unit, places: Iterator[int], frame: Frame) -> None:
    place = next((square for square in places if lines.free(square)), None)
    if place is None:
        lines.stand_near(unit, frame.at(frame.width // 2, 0), frame.ahead)
    else:
        lines.stand(unit, place, frame.ahead)


def afloat(lines: Lines, units: Iterable[Unit], frame: Frame) -> None:
    """Place vessels on the water, as near to their own edge as possible, one to a square."""
    water = [square for square, kind in lines.ground.terrain.items() if kind is Terrain.WATER]
    for unit in units:
        free = [square for square in water if lines.empty(square)]
        if not free:
            continue
        square = min(
            free, key=lambda square: (-_ahead(frame.from_edge(frame.ahead), square), square)
        )
        lines.stand(unit, square, _along(water, square, frame))


def _along(water: Sequence[int], square: int, frame: Frame) -> int:
    """Return the facing in which the water continues from the square, preferably ahead."""
    ways = [frame.ahead, (frame.ahead + 2) % 8, (frame.ahead - 2) % 8, opposite(frame.ahead)]
    near = around(square)
    return next((way for way in ways if near[way] in water), frame.ahead)


def _ahead(frame: Frame, square: int) -> int:
    """Return the depth of a square, seen from the frame's edge."""
    north, west = row(square), column(square)
    return (frame.rows - 1 - north, north, west, frame.columns - 1 - west)[
        {0: 0, 4: 1, 2: 2, 6: 3}[frame.ahead]
    ]


def place_leaders(lines: Lines, leaders: Iterable[Leader]) -> None:
    """Place each Leader with foot in the middle of his side, one to a unit if possible."""
    for leader in leaders:
        if leader.id in lines.leaders:
            continue
        units = [unit for unit in lines.units_of(leader.side) if not unit.is_craft]
        occupied = {other.square for other in lines.leaders.values()}
        free = [unit for unit in units if unit.square not in occupied] or units
        if free:
            lines.lead(leader, min(free, key=lambda unit: _apart(unit, units)).square)
        else:
            lines.leaders[leader.id] = leader


def _apart(unit: Unit, others: Sequence[Unit]) -> tuple[bool, bool, int, int]:
    """Return a sort key: steady foot first, then units nearest to all the others."""
    far = sum(distance(unit.square, other.square) for other in others)
    return unit.disorganised, not (unit.on_foot and not unit.is_gun), far, unit.id
