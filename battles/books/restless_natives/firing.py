"""Fire: ranges, arcs, sight and targets, and its resolution in losses and morale (Firing)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from math import hypot
from typing import NamedTuple

from battles.books.restless_natives import close_combat
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import (
    all_stands,
    circles,
    is_engaged,
    on_field,
    reach_of,
    stands_of,
)
from battles.books.restless_natives.book import book
from battles.books.restless_natives.names import inches, unit_name
from battles.books.restless_natives.pieces import Special, Weapon
from battles.books.restless_natives.special import adds
from battles.books.restless_natives.state import State, Unit, current_activation
from battles.core.dice import Roll
from battles.core.game import IllegalAction, Ledger
from battles.prose import agree, capital
from battles.tabletop.field import Lookout, OpenField, behind, lies_in
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import (
    COSINES,
    MEASURE,
    SINES,
    TOUCH,
    Stand,
    Stands,
    distance,
    gaps,
    in_arc,
)

# Fire: ranges, arcs and sight, the targets of a unit, and the hits of its dice (Firing).


class Shot(NamedTuple):
    """One firing stand: the distance to its target, and whether that is in cover."""

    stand: int
    weapon: Weapon
    gap: int
    covered: bool

    @property
    def dice(self) -> int:
        """Return the D6 it throws in a volley."""
        return dice_per_stand(self.weapon, self.gap)


class Aim(NamedTuple):
    """One unit's possible fire at another: the stands that can fire, and those they can engage.

    `open` stands of the target are in the open, `covered` ones in cover.
    """

    target: int
    shots: tuple[Shot, ...]
    open: int
    covered: int


@cache
def weapon_range(weapon: Weapon) -> int:
    """Return the longest effective range in hundredths of an inch; 0 for the unarmed."""
    return max((row.range for row in book().ranges(weapon)), default=0) * MEASURE


@lru_cache(maxsize=2**15)
def dice_per_stand(weapon: Weapon, gap: int) -> int:
    """Return the D6 of a stand at that range, in hundredths of an inch; 0 out of range."""
    rows = book().ranges(weapon)
    return next((row.dice for row in rows if gap <= row.range * MEASURE), 0)


def dice(
    weapon: Weapon, stands: int, gap: int, *, volleys: int = 1, card: Special | None = None
) -> int:
    """Return the D6 that so many stands throw when they fire once, or twice in two `volleys`."""
    per_stand = dice_per_stand(weapon, gap)
    return (per_stand + adds(card, "fire")) * stands * volleys if per_stand else 0


def destroyed_stands(scores: Sequence[int], *, cover: bool = False) -> int:
    """Return the stands that these scores destroy: one for a six, in cover for two sixes."""
    sixes = sum(score >= book().number("hit in the open") for score in scores)
    return sixes // book().number("sixes in cover") if cover else sixes


def possible_targets(state: State, unit: Unit) -> tuple[Aim, ...]:
    """Return the enemies that the unit can fire at; neither may be in close combat."""
    # Lines of sight are costly and asked for by options, checks and the computer alike.
    aims: dict[int, tuple[Aim, ...]] = state.__dict__.setdefault("aims", {})
    if unit.id not in aims:
        aims[unit.id] = tuple(_targets(state, unit))
    return aims[unit.id]


def aim(state: State, unit: Unit, foe: Unit) -> Aim:
    """Return the unit's possible fire at one enemy; without shots when it cannot fire.

    Each stand fires at what it can see in its arc and its range: a stand in the open before one in
    cover, the nearer before the further.
    """
    marks = _Duel(state, unit, foe).marks()
    best = [(place, min(seen)) for place, seen in enumerate(marks) if seen]
    shots = tuple(Shot(place, unit.weapon, mark.gap, mark.covered) for place, mark in best)
    engaged = {mark.place for seen in marks for mark in seen}
    in_open = {mark.place for seen in marks for mark in seen if not mark.covered}
    return Aim(foe.id, shots, len(in_open), len(engaged - in_open))


def in_cover(field: OpenField, firer: Stand, target: Stand) -> bool:
    """Return whether the target is in cover from a firing stand (Definitions 2).

    It is in cover on terrain that gives it, or close behind terrain that does.
    """
    cover = book().cover
    if not field.features:
        return False
    sheltered: dict[Stand, bool] = field.__dict__.setdefault("sheltered", {})
    if target not in sheltered:
        sheltered[target] = bool(lies_in(field, (target._replace(width=2, depth=2),), cover))
    if sheltered[target]:
        return True
    within = book().number("cover behind")
    return behind(field, firer.at, target.at, cover, within=within)


class _Mark(NamedTuple):
    """An enemy stand that a firing stand can engage; the first in order is the target."""

    covered: bool
    gap: int
    place: int


class _Duel:
    """Two units, and all the stands that may block the line of sight between them."""

    def __init__(self, state: State, unit: Unit, foe: Unit) -> None:
        self.state, self.unit, self.foe = state, unit, foe

    @cached_property
    def screen(self) -> Stands:
        """Return the stands that may block; not needed where nobody is in range and arc."""
        return _screen(self.state, self.unit, self.foe)

    def marks(self) -> list[list[_Mark]]:
        """Return the enemy stands that each stand of the unit can engage."""
        stands, theirs = stands_of(self.unit), stands_of(self.foe)
        if not _may_bear(self.unit, self.foe):
            return [[] for _ in stands]
        rows = zip(stands, gaps(stands, theirs), strict=True)
        return [list(self._of(stand, zip(theirs, row, strict=True))) for stand, row in rows]

    def _of(self, stand: Stand, targets: Iterable[tuple[Stand, int]]) -> Iterator[_Mark]:
        lookout, arc = None, book().number("arc")
        for place, (target, gap) in enumerate(targets):
            if not dice_per_stand(self.unit.weapon, gap) or not in_arc(stand, target, arc):
                continue
            lookout = lookout or Lookout(self.state.field, stand, self.screen, book().hiding)
            if lookout.sees(target):
                yield _Mark(self._covered(stand, target), gap, place)

    def _covered(self, stand: Stand, target: Stand) -> bool:
        armoured = book().kind(self.foe.kind).armoured
        return armoured or in_cover(self.state.field, stand, target)


def _may_bear(unit: Unit, foe: Unit) -> bool:
    """Return whether any part of the foe may lie in the arc of any stand of the unit."""
    if unit.formation is TableFormation.SQUARE:
        return True
    east, south = foe.at.x - unit.at.x, foe.at.y - unit.at.y
    sine, cosine, arc = SINES[unit.facing], COSINES[unit.facing], book().number("arc")
    right, front = cosine * east + sine * south, sine * east - cosine * south
    # How far the middle of the foe is outside the arc, beside the radii of both units.
    outside = abs(right) * COSINES[arc] - front * SINES[arc]
    return outside <= reach_of(unit) + reach_of(foe) + TOUCH


def _targets(state: State, unit: Unit) -> Iterator[Aim]:
    furthest = weapon_range(unit.weapon)
    if not furthest or is_engaged(state, unit):
        return
    for foe in on_field(state, unit.side.enemy):
        room = furthest + reach_of(unit) + reach_of(foe)
        if distance(unit.at, foe.at) <= room and not is_engaged(state, foe):
            candidate = aim(state, unit, foe)
            if candidate.shots:
                yield candidate


def _screen(state: State, unit: Unit, foe: Unit) -> Stands:
    """Return the stands of all units near the line between the two, their own included."""
    ax, ay = unit.at
    dx, dy = foe.at.x - ax, foe.at.y - ay
    square = dx * dx + dy * dy or 1
    wide = reach_of(unit) + reach_of(foe)
    near = []
    for other, x, y, reach in circles(state):
        along = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
        if hypot(x - ax - along * dx, y - ay - along * dy) <= wide + reach:
            near.append(other)
    return all_stands(near)


# Resolution of fire: dice target by target, losses and morale (Firing 4 to 6).


CAUSE = "fire"


class Volley(NamedTuple):
    """The dice that some stands of a unit throw at one target in all.

    `open_dice` are thrown at stands in the open, of which `open` can be destroyed; `covered_dice`
    and `covered` are the same for stands in cover.
    """

    target: int
    stands: int
    open_dice: int
    open: int
    covered_dice: int
    covered: int


def plan_volleys(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> list[Volley]:
    """Return the volleys: each stand fires at the first target that it can engage (ruling)."""
    card = current_activation(state).card if state.acting is not None else None
    aims = {aim.target: aim for aim in possible_targets(state, unit)}
    spoken_for: set[int] = set()
    planned_volleys = []
    for number in targets:
        if number not in aims:
            continue
        shots = [shot for shot in aims[number].shots if shot.stand not in spoken_for]
        spoken_for.update(shot.stand for shot in shots)
        if shots:
            planned_volleys.append(_volley(aims[number], shots, volleys, card))
    return planned_volleys


def check_volleys(state: State, unit: Unit, targets: tuple[int, ...], volleys: int) -> None:
    """Raise IllegalAction where a target cannot be engaged, or no stand is left for it."""
    engaged_targets = [volley.target for volley in plan_volleys(state, unit, targets, volleys)]
    if not targets or engaged_targets != list(targets):
        missed = [number for number in targets if number not in engaged_targets]
        foe = state.units.get(missed[0]) if missed else None
        reason = "The unit cannot fire at that, or has no stand left that can."
        if foe is not None and foe.side is not unit.side:
            reason = _refusal(state, unit, foe)
        raise IllegalAction("Firing 2", reason)


def _refusal(state: State, unit: Unit, foe: Unit) -> str:
    """Return the first condition that bars the unit's fire at an enemy."""
    name, other = unit_name(unit), unit_name(foe)
    furthest = weapon_range(unit.weapon)
    if not furthest:
        return f"{capital(name)} {agree(name, 'has no firearms')}."
    for engaged in (unit, foe):
        if is_engaged(state, engaged):
            words = agree(unit_name(engaged), "is in close combat")
            return f"{capital(unit_name(engaged))} {words}."
    far = min(min(row) for row in gaps(stands_of(unit), stands_of(foe)))
    if far > furthest:
        fires, lies = agree(name, "fires"), agree(other, "is")
        return f"{capital(name)} {fires} {inches(furthest)} far: {other} {lies} {inches(far)} away."
    has = agree(name, "has no stand left that sees")
    return f"{capital(name)} {has} {other} in its arc of fire."


def fire(ledger: Ledger[State], unit: Unit, targets: tuple[int, ...], volleys: int) -> None:
    """Resolve a unit's fire, in one or two volleys; targets with losses test morale at once."""
    state = ledger.state
    for volley in plan_volleys(state, unit, targets, volleys):
        target = state.units[volley.target]
        fallen = _judge(ledger, unit, volley)
        ledger.emit(
            e.Fired(
                unit=unit.id,
                target=target.id,
                firing=volley.stands,
                volleys=volleys,
                destroyed=fallen,
            )
        )
        close_combat.lose(ledger, target, fallen, CAUSE)
        close_combat.test_morale_after_losses(ledger, target, fallen)
    ledger.emit(e.FireOver(unit=unit.id, volleys=volleys))


def _volley(aim: Aim, shots: list[Shot], volleys: int, card: Special | None) -> Volley:
    thrown = [
        (shot.covered, dice(shot.weapon, 1, shot.gap, volleys=volleys, card=card)) for shot in shots
    ]
    in_open = sum(dice for covered, dice in thrown if not covered)
    covered = sum(dice for covered, dice in thrown if covered)
    return Volley(aim.target, len(shots), in_open, aim.open, covered, aim.covered)


def _judge(ledger: Ledger[State], unit: Unit, volley: Volley) -> int:
    """Roll a volley, and return the stands destroyed in the open and in cover together."""
    in_open = _throw(ledger, unit, volley.open_dice, volley.open, cover=False)
    return in_open + _throw(ledger, unit, volley.covered_dice, volley.covered, cover=True)


def _throw(ledger: Ledger[State], unit: Unit, dice: int, most: int, *, cover: bool) -> int:
    if not dice:
        return 0
    clause = "Firing 5" if cover else "Firing 4"
    roll = ledger.roll(Roll(CAUSE, clause, (0,) * dice, table="weapons", side=unit.side))
    fallen = min(destroyed_stands(roll.dice, cover=cover), most)
    ledger.amend(roll, total=fallen, result=f"{fallen} destroyed")
    return fallen
