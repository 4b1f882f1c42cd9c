"""The legal answers to the open question, and the odds that turn forms show beside them."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import msgspec

from battles.books.fuzzy_wuzzy import actions as a
from battles.books.fuzzy_wuzzy import (
    board,
    close_combat,
    firing,
    movement,
    orders,
    phases,
    sequence,
)
from battles.books.fuzzy_wuzzy.book import SCALE, style_of
from battles.books.fuzzy_wuzzy.firing import Shot
from battles.books.fuzzy_wuzzy.movement import Contact
from battles.books.fuzzy_wuzzy.orders import Allowed
from battles.books.fuzzy_wuzzy.pieces import Purpose
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.tabletop.geometry import TablePoint, ahead, distance
from battles.turn_form import chance_of_more, chances_of_sums, mean, per_cent

_ASKS = {
    a.ToSetUp: "set up",
    a.ToOrder: "order",
    a.ToMove: "move",
    a.ToFire: "fire",
    a.ToAdvance: "advance",
    a.ToRecover: "recover",
}


class Options(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """The legal answers to the open question; fields that do not belong to it are empty.

    `asks` is "set up", "order", "move", "fire", "advance" or "recover"; Done is always legal.
    `unit` is the one that may advance. Costly answers are computed on first access.
    """

    side: Side
    asks: str
    unit: int
    of: State
    done: bool = True

    @cached_property
    def movable(self) -> tuple[int, ...]:
        """Return the units that may be placed elsewhere before the battle."""
        return tuple(sequence.posts(self.of, self.side)) if self.asks == "set up" else ()

    @cached_property
    def moved(self) -> tuple[int, ...]:
        """Return the units that no longer stand as they were drawn up."""
        return sequence.SET_UP.moved(self.of, self.side) if self.asks == "set up" else ()

    @cached_property
    def orders(self) -> dict[int, Allowed]:
        """Return each unit's allowed orders, each sort by itself."""
        if self.asks != "order":
            return {}
        allowed = {unit.id: orders.allowed_orders(self.of, unit) for unit in self._mine}
        return {number: may for number, may in allowed.items() if may.any}

    @cached_property
    def paces(self) -> dict[int, int]:
        """Return the distance left to each unit that may move, in hundredths of a centimetre."""
        if self.asks not in ("move", "advance"):
            return {}
        return {
            unit.id: self.of.paces[unit.id]
            for unit in self._mine
            if self.of.paces.get(unit.id) and self.unit in (0, unit.id)
        }

    @cached_property
    def closes(self) -> dict[int, tuple[int, ...]]:
        """Return, for each unit that may move, the enemies it can come into contact with."""
        targets_by_unit = {number: self.closes_of(number) for number in self.paces}
        return {number: targets for number, targets in targets_by_unit.items() if targets}

    @cached_property
    def shots(self) -> tuple[Shot, ...]:
        """Return the shots of all units that may fire."""
        return tuple(shot for unit in self._firers() for shot in firing.shots_of(self.of, unit))

    def best_shot_of_first(self, worth: Callable[[Shot], float]) -> Shot | None:
        """Return the shot worth most of the first unit that has any, unfired units first.

        Lines of sight are costly: they are looked up for the best shots alone.
        """
        known = firing.known_units(self.of, self.side)
        for unit in self._firers():
            aims = sorted(firing.aims_of(self.of, unit), key=worth, reverse=True)
            for shot in aims:
                if firing.is_in_sight(self.of, shot, known):
                    return shot
        return None

    def _firers(self) -> Iterator[Unit]:
        question = self.of.question
        numbers = question.units if isinstance(question, a.ToFire) else ()
        fresh_first = sorted(numbers, key=lambda number: (number in self.of.fired, number))
        units = (self.of.units[number] for number in fresh_first)
        return (unit for unit in units if firing.is_to_fire(self.of, unit))

    @cached_property
    def recovers(self) -> tuple[int, ...]:
        """Return the units that may recover casualties."""
        if self.asks != "recover":
            return ()
        return tuple(unit.id for unit in self._mine if phases.may_recover(self.of, unit))

    def closes_of(self, number: int) -> tuple[int, ...]:
        """Return the enemies that one unit can come into contact with now."""
        return tuple(enemy.id for enemy in self._seen if self.may_close(number, enemy))

    def may_close(self, number: int, enemy: Unit) -> bool:
        """Return whether a unit that may move can come into contact with an enemy in sight."""
        unit = self.of.units[number]
        if not phases.may_close_now(self.of, unit):
            return False
        near = board.are_near(unit, enemy, self.paces[number])
        return near and movement.contact_at(self.of, unit, enemy) is not None

    def may_stand(self, number: int, to: TablePoint, facing: int) -> bool:
        """Return whether a unit that may move can go there."""
        unit, pace = self.of.units[number], self.paces[number]
        # The ground only adds to the distance, and is costly to look up.
        if distance(unit.at, to) > pace or movement.cost_of(self.of.field, unit.at, to) > pace:
            return False
        if number not in self._around:
            self._around[number] = movement.around(self.of, unit, pace)
        return not movement.why_not(self.of, unit, to, facing % 360, self._around[number])

    def spots(self, number: int, ways_round: int = 8) -> tuple[tuple[TablePoint, int], ...]:
        """Return places in reach (near, half way, far), each with the facing of the way there."""
        unit, far = self.of.units[number], self.paces[number]
        parts = (far * part // 3 for part in (1, 2, 3))
        lengths = {(length + movement.LEAST) // SCALE: length for length in parts}
        tried = (
            (ahead(unit.at, turn, length), turn)
            for turn in range(0, 360, 360 // ways_round)
            for length in lengths.values()
        )
        return tuple(
            (place, turn)
            for place, turn in tried
            if distance(unit.at, place) >= movement.LEAST and self.may_stand(number, place, turn)
        )

    @cached_property
    def _around(self) -> dict[int, movement.Around]:
        """Return the units that may be in the way of each unit that has been asked for."""
        return {}

    @property
    def _mine(self) -> list[Unit]:
        return board.on_field(self.of, self.side)

    @cached_property
    def _seen(self) -> list[Unit]:
        return board.enemies(self.of, self.side)


def options(state: State) -> Options | None:
    """Return the legal answers to the open question; None when the battle is over."""
    question = state.question
    if question is None:
        return None
    unit = question.unit if isinstance(question, a.ToAdvance) else 0
    return Options(question.side, _ASKS[type(question)], unit, state)


def likeliest_shot(state: State, offered: Options) -> a.Fire | None:
    """Return the shot of the first unit that can fire, at its likeliest target."""
    best = offered.best_shot_of_first(
        lambda shot: mean(casualty_chances(state.units[shot.unit], shot))
    )
    return None if best is None else a.Fire(best.unit, best.target)


def melee(state: State, unit: Unit, enemy: Unit, contact: Contact) -> tuple[str, float]:
    """Return the expected casualties of both in the first round, and the chance to cause more.

    They are known only as far as the side knows the enemy.
    """
    moved = msgspec.structs.replace(unit, at=contact.at, facing=contact.facing)
    known = {other.id: other for other in firing.known_units(state, unit.side)}
    after = msgspec.structs.replace(state, units=known | {unit.id: moved})
    own_figures, its = _against(after, moved, enemy), _against(after, enemy, moved)
    shelter = firing.defence_grading(close_combat.grading_of(after, moved, enemy))
    caused = _bout(unit, own_figures, shelter)
    suffered = _bout(enemy, its, firing.defence_grading())
    chance = chance_of_more(caused, suffered)
    detail = (
        f"{per_cent(chance)} to cause more casualties than it suffers; average "
        f"{mean(caused):.1f} against {mean(suffered):.1f}"
    )
    return detail, chance


def _against(state: State, unit: Unit, enemy: Unit) -> int:
    """Return the unit's figures that fight that enemy."""
    bouts = close_combat.bouts(state, unit)
    return sum(bout.figures for bout in bouts if bout.target == enemy.id)


def _bout(unit: Unit, figures: int, defence: Any) -> dict[int, float]:
    style = style_of(unit.troops, Purpose.CLOSE_COMBAT)
    faces = firing.FACES_OF[Purpose.CLOSE_COMBAT][style]
    return chances_of_sums(
        (close_combat.casualties(style, defence, face) for face in faces), figures
    )


def casualty_chances(unit: Unit, shot: Shot) -> dict[int, float]:
    """Return the chance of every number of casualties, with each stand at its own range."""
    style = style_of(unit.troops, Purpose.FIRE)
    faces = firing.FACES_OF[Purpose.FIRE][style]
    attack, defence = firing.attack_grading(unit.weapon), firing.defence_grading(shot.where)
    sums = {0: 1.0}
    for place, band in zip(shot.stands, shot.bands, strict=True):
        less = firing.adjustment(unit.weapon, band)
        casualties = [firing.casualties(style, attack, defence, face + less) for face in faces]
        dice = firing.dice_of(unit.arm, board.fit(unit, place))
        after: dict[int, float] = {}
        for total, chance in sums.items():
            for count, too in chances_of_sums(casualties, dice).items():
                after[total + count] = after.get(total + count, 0.0) + chance * too
        sums = after
    return sums
