"""Fire combat: dice, ranges, arcs and sight, targets, and the hits (10)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from math import hypot
from typing import NamedTuple, Protocol

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.board import SIDE
from battles.books.fuzzy_wuzzy.book import book, style_of
from battles.books.fuzzy_wuzzy.names import casualties_in_words
from battles.books.fuzzy_wuzzy.pieces import (
    GUNS,
    Arm,
    Band,
    Combat,
    Grading,
    Purpose,
    Style,
    Weapon,
)
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger
from battles.tabletop.field import OpenField, sees
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import COSINES, SINES, Stand, Stands, in_arc

# Average dice and normal dice: the predictable and the unpredictable (section 1).


AVERAGE = (2, 3, 3, 4, 4, 5)
"""The faces of an average die, by the face of the normal die it is thrown with."""
FACES = 6
NORMAL = tuple(range(1, FACES + 1))
FACES_OF = {
    Purpose.FIRE: {Style.REGULAR: AVERAGE, Style.IRREGULAR: NORMAL},
    Purpose.CLOSE_COMBAT: {Style.REGULAR: NORMAL, Style.IRREGULAR: AVERAGE},
}
"""The faces of the dice that each style throws."""


class Thrower(Protocol):
    """A source of dice, or a ledger, which has one."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        """Roll `count` dice of `sides` faces."""


def average(face: int) -> int:
    """Return the average die's face for a normal die's `face` (1 to 6)."""
    return AVERAGE[face - 1]


def averages(faces: Iterable[int]) -> tuple[int, ...]:
    """Return the average dice's faces for faces from 1 to 6."""
    return tuple(map(average, faces))


def throw_average(dice: Thrower, count: int) -> tuple[int, ...]:
    """Roll average dice, each from 2 to 5."""
    return averages(dice.throw(count, FACES))


def throw_normal(dice: Thrower, count: int) -> tuple[int, ...]:
    """Roll normal dice, each from 1 to 6."""
    return dice.throw(count, FACES)


def throw(dice: Thrower, count: int, kind: str) -> tuple[int, ...]:
    """Roll dice of a kind: "AvD" or "D6"."""
    return throw_average(dice, count) if kind == "AvD" else throw_normal(dice, count)


def usual(style: Style) -> str:
    """Return the kind of dice: average for regulars, normal for irregulars."""
    return "AvD" if style is Style.REGULAR else "D6"


def unusual(style: Style) -> str:
    """Return the kind of dice in close combat, where the usual kinds are exchanged."""
    return "D6" if style is Style.REGULAR else "AvD"


# The fire combat phase: possible shots, and their resolution (section 10).


_BANDS = tuple(Band)
_KEPT = 8192
_OUT_OF_ARC = 1.42 * board.TO_CORNER
"""More than a stand's middle can lie outside an arc of 90 degrees that a corner lies in.

Both are measured along its front or side: 1.42 is the root of two rounded up.
"""


class Shot(NamedTuple):
    """A possible shot of a unit: the stands that bear, their ranges, and the dice.

    `bands` has the range of each of `stands`, `where` the target's cover.
    """

    unit: int
    target: int
    stands: tuple[int, ...]
    bands: tuple[Band, ...]
    dice: int
    where: str

    @property
    def band(self) -> Band:
        """Return the shortest of the ranges."""
        return min(self.bands, key=_BANDS.index)


def shots(state: State, side: Side) -> Iterator[Shot]:
    """Return every shot of every unit of the side that has been ordered to fire."""
    return (shot for unit in firers(state, side) for shot in shots_of(state, unit))


def firers(state: State, side: Side) -> tuple[Unit, ...]:
    """Return the units of the side that are ordered to fire and have a target."""
    return tuple(
        unit
        for unit in board.on_field(state, side)
        if is_to_fire(state, unit) and any(True for _ in shots_of(state, unit))
    )


def is_to_fire(state: State, unit: Unit) -> bool:
    """Return whether the unit is ordered to fire, is free to, and has stands left to fire."""
    order = state.orders.get(unit.id)
    return (
        order is not None
        and order.combat is Combat.FIRE
        and not unit.retreating
        and unit.id not in state.engaged
        and unit.id not in state.retreated
        and len(state.fired.get(unit.id, ())) < unit.stands
    )


def shots_of(state: State, unit: Unit, target: int = 0) -> Iterator[Shot]:
    """Yield the shots of one unit by target number, or only that at `target`."""
    known: tuple[Unit, ...] = ()
    for shot in aims_of(state, unit, target):
        known = known or known_units(state, unit.side)
        if is_in_sight(state, shot, known):
            yield shot


def known_units(state: State, side: Side) -> tuple[Unit, ...]:
    """Return the units on the field that the side knows: they may stand in a line of sight."""
    return *board.on_field(state, side), *board.enemies(state, side)


def aims_of(state: State, unit: Unit, target: int = 0) -> Iterator[Shot]:
    """Yield the shots that the unit has, or only that at `target`, if nothing bars its sight."""
    ready = [place for place in _firing_stands(unit) if place not in state.fired.get(unit.id, ())]
    ready = [place for place in ready if board.fit(unit, place)]
    if not ready:
        return
    against = board.in_contact(state, unit) if unit.id in state.closed else ()
    enemies: Sequence[Unit] = against or board.enemies(state, unit.side)
    if target:
        enemies = [enemy for enemy in enemies if enemy.id == target]
    for enemy in enemies if against else board.near(unit, enemies, range_limits(unit.weapon)):
        if _may_be_target(state, unit, enemy, fought=bool(against)):
            shot = _find_shot(state.field, unit, enemy, ready)
            if shot is not None:
                yield shot


def is_in_sight(state: State, shot: Shot, known: tuple[Unit, ...]) -> bool:
    """Return whether the unit sees the target of its shot past the `known` units.

    The middle stand looks for all of them.
    """
    unit, enemy = state.units[shot.unit], state.units[shot.target]
    stand = board.stands_of(unit)[shot.stands[len(shot.stands) // 2]]
    return _sees(state.field, (unit, enemy), stand, known)


def shot_at(state: State, unit: Unit, target: int) -> Shot:
    """Return the shot at a target. Raises IllegalAction if the unit cannot fire at it now."""
    if not is_to_fire(state, unit):
        raise IllegalAction(
            "Fire combat 1", f"Unit {unit.id} is not to fire.", "Order it in the order phase."
        )
    shot = next(shots_of(state, unit, target), None)
    if shot is None:
        raise IllegalAction(
            "Fire combat 1",
            f"Unit {unit.id} has no stand that can fire at unit {target}.",
            "Choose an observed enemy before it and within range.",
        )
    return shot


def fire(ledger: Ledger[State], action: a.Fire) -> None:
    """Roll a unit's fire; casualties are placed when both sides have fired."""
    unit = ledger.state.units[action.unit]
    shot = shot_at(ledger.state, unit, action.target)
    style = style_of(unit.troops, Purpose.FIRE)
    defence = defence_grading(shot.where)
    casualties = 0
    for band in _BANDS:
        count = sum(
            dice_of(unit.arm, board.fit(unit, place))
            for place, stand_band in zip(shot.stands, shot.bands, strict=True)
            if stand_band is band
        )
        if count:
            scores = throw(ledger, count, usual(style))
            hit = casualties_of(style, unit.weapon, scores, at=band, defence=defence)
            casualties += hit
            less = count * adjustment(unit.weapon, band)
            reason = f"{band} range, −{-less // count} on each die"
            ledger.keep(
                Roll(
                    "fire",
                    "Fire combat 3",
                    scores,
                    modifiers=(Modifier(less, reason, "Attack gradings 2"),) if less else (),
                    total=sum(scores) + less,
                    result=f"{casualties_in_words(hit)}, {defence} target",
                    side=unit.side,
                )
            )
    ledger.emit(
        e.Fired(
            unit=unit.id,
            target=action.target,
            stands=shot.stands,
            band=shot.band,
            casualties=casualties,
        )
    )
    if not unit.seen:
        ledger.emit(e.Observed(units=(unit.id,), observer=action.target, cause="fire"))


def _firing_stands(unit: Unit) -> range:
    """Return the indices of the stands that can fire: in columns only the front rank."""
    if unit.formation is TableFormation.LIMBERED or unit.mounted:
        return range(0)
    if unit.formation is TableFormation.MARCH_COLUMN:
        return range(1)
    if unit.formation is TableFormation.COLUMN:
        return range(min(2, unit.stands))
    return range(unit.stands)


def _may_be_target(state: State, unit: Unit, enemy: Unit, *, fought: bool) -> bool:
    """Return whether the enemy is observed, no surprise of this move, and not in a melee."""
    if not enemy.seen or enemy.id in state.surprises:
        return False
    return fought or not _fights_friends(state, unit, enemy)


def _fights_friends(state: State, unit: Unit, enemy: Unit) -> bool:
    """Return whether the enemy is in contact with other units of the unit's side."""
    if enemy.id not in state.engaged and enemy.id not in state.closed:
        return False
    return any(
        friend.id != unit.id and board.contacts(enemy, friend)
        for friend in board.on_field(state, unit.side)
    )


def _find_shot(field: OpenField, unit: Unit, enemy: Unit, ready: list[int]) -> Shot | None:
    """Return the shot of the first unit at the second, if it sees him; None out of range or arc."""
    bands_ = _bands(board.stands_of(unit), board.stands_of(enemy), unit.weapon)
    bearing = [(place, band) for place in ready if (band := bands_[place]) is not None]
    if not bearing:
        return None
    count = sum(dice_of(unit.arm, board.fit(unit, place)) for place, _ in bearing)
    places, bands = zip(*bearing, strict=True)
    where = board.shelter(field, unit.at, enemy.at)
    return Shot(unit.id, enemy.id, places, bands, count, where)


@lru_cache(maxsize=_KEPT)
def _bands(own_stands: Stands, enemy_stands: Stands, weapon: Weapon) -> tuple[Band | None, ...]:
    """Return the range of each of our stands to theirs within its arc; None for no target."""
    far = range_limits(weapon)
    return tuple(_band(stand, enemy_stands, weapon, far) for stand in own_stands)


def _band(stand: Stand, enemy_stands: Stands, weapon: Weapon, far: int) -> Band | None:
    """Return the range of the nearest enemy stand in the arc; None for none within `far`."""
    least = far + 1
    front = board.front_of(stand)
    x, y = front
    own_x, own_y, facing = stand[:3]
    sine, cosine = SINES[facing], COSINES[facing]
    for other in enemy_stands:
        east, south = other[0] - own_x, other[1] - own_y
        # How far its middle lies outside the arc: mostly that tells whether any of it lies within.
        outside = abs(cosine * east + sine * south) - sine * east + cosine * south
        if outside > _OUT_OF_ARC:
            continue
        # Most stands are too far away to be the nearest, whichever way they face.
        if hypot(other[0] - x, other[1] - y) > least + board.TO_CORNER:
            continue
        length = board.to_edge(front, other)
        if length < least and (outside <= 0 or in_arc(stand, other)):
            least = length
    return range_band(weapon, least) if least <= far else None


def _sees(field: OpenField, pair: tuple[Unit, Unit], stand: Stand, known: tuple[Unit, ...]) -> bool:
    """Return whether the stand sees the nearest stand of the target past all known units."""
    target = min(
        board.stands_of(pair[1]),
        key=lambda other: (other.x - stand.x) ** 2 + (other.y - stand.y) ** 2,
    )
    screen = board.stands_of_units(_between(known, pair, (stand, target)))
    if not screen and not field.features:
        return True
    return _clear(field, stand, target, screen)


@lru_cache(maxsize=_KEPT)
def _clear(field: OpenField, stand: Stand, target: Stand, screen: Stands) -> bool:
    return sees(field, stand, target, screen, book().hiding)


def _between(
    known: tuple[Unit, ...], pair: tuple[Unit, Unit], ends: tuple[Stand, Stand]
) -> Iterator[Unit]:
    """Yield known units, other than the pair, that may stand between the two stands."""
    (ax, ay, *_), (bx, by, *_) = ends
    west, east = (ax, bx) if ax < bx else (bx, ax)
    north, south = (ay, by) if ay < by else (by, ay)
    far = hypot(bx - ax, by - ay)
    for other in known:
        (x, y), room = other.at, SIDE * (len(other.markers) + 1)
        on_way = west - room <= x <= east + room and north - room <= y <= south + room
        if not on_way or other is pair[0] or other is pair[1]:
            continue
        # The line begins at the front of a stand and ends at any part of another.
        aside = abs((x - ax) * (by - ay) - (y - ay) * (bx - ax))
        if aside <= (board.reach_about(other) + 2 * SIDE) * far:
            yield other


# Fire combat: range bands, gradings and the casualties of dice.


def range_band(weapon: Weapon, length: int) -> Band | None:
    """Return the range band at `length` hundredths of a centimetre; None out of range."""
    if weapon is Weapon.NONE:
        return None
    return next((band for band in _BANDS if length <= book().range(weapon, band)), None)


@cache
def range_limits(weapon: Weapon) -> int:
    """Return the longest range of a weapon in hundredths of a centimetre, 0 without one."""
    return 0 if weapon is Weapon.NONE else book().range(weapon, Band.LONG)


def attack_grading(weapon: Weapon) -> Grading:
    """Return the attack grading of a weapon (section 8)."""
    return book().attack(weapon)


def adjustment(weapon: Weapon, at: Band) -> int:
    """Return the adjustment of each die at that range: 0, -1 or -2 (section 8)."""
    return book().adjustment(weapon, at)


def defence_grading(where: str = "open") -> Grading:
    """Return the grading of "open", "field fortifications" or "permanent fortifications"."""
    return book().defence(where)


def dice_of(arm: Arm, figures: int) -> int:
    """Return the dice of a firing stand: one, or for a gun one for each unwounded figure."""
    if figures <= 0:
        return 0
    return figures if arm in GUNS else 1


def casualties(style: Style, attack: Grading, defence: Grading, score: int) -> int:
    """Return casualties of one die, by its adjusted score (section 10)."""
    row = book().fire(style, attack, score)
    return int(getattr(row, defence.value)) if row is not None else 0


def casualties_of(
    style: Style, weapon: Weapon, dice: Iterable[int], *, at: Band, defence: Grading = Grading.LIGHT
) -> int:
    """Return casualties of these unadjusted dice, fired with a weapon at that range."""
    attack, less = attack_grading(weapon), adjustment(weapon, at)
    return sum(casualties(style, attack, defence, score + less) for score in dice)
