"""The armies of a brief as units of the book, and their fates after the battle."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from battles.books.restless_natives.board import is_afloat
from battles.books.restless_natives.book import book
from battles.books.restless_natives.pieces import Hold, Kind, Troops, Weapon
from battles.books.restless_natives.state import Commander, State, Unit
from battles.contract import muster as common
from battles.contract.brief import Brief, Party, Side, Troop, TroopKind
from battles.contract.muster import Aftermath, Body, beaten, can_fight
from battles.contract.report import Fate
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

AFLOAT = frozenset({Kind.SAILING_VESSEL, Kind.STEAMSHIP, Kind.GUNBOAT})
NOWHERE = TablePoint(0, 0)
"""The place of units that have no place yet."""


class Scale(common.ScaleRow, frozen=True, kw_only=True):
    """The unit of the book for some units of the campaign."""

    kind: Kind
    troops: Troops
    stands: common.Positive
    weapon: Weapon = Weapon.NONE


_SCALES = common.Scales("battles.books.restless_natives", Scale)
scale = _SCALES.of


class Army(NamedTuple):
    """Both sides' units in the book's terms, not yet placed.

    `drawn_from` has, for each unit, the units of the campaign it stands for; `parts`, for each body
    of campaign units, the units it fights as. Commanders' stands belong to no body.
    """

    units: tuple[Unit, ...]
    commanders: tuple[Commander, ...]
    drawn_from: dict[int, tuple[int, ...]]
    parts: tuple[tuple[Body, tuple[int, ...]], ...]

    def of(self, side: Side) -> list[Unit]:
        """Return that side's units."""
        return [unit for unit in self.units if unit.side is side]


def muster(brief: Brief) -> Army:
    """Return all units of the brief that can take the field, the Anglo-Egyptians first.

    Craft without navigable water, and a fleet without sea, stay away. The leader with the greatest
    tactical value is Commander-in-Chief, and a side without leaders has one without a stand; all
    units come under the Commanders-in-Chief.
    """
    roll = _ArmyBuilder()
    for side in Side:
        chief = len(roll.commanders) + 1
        for body in bodies(brief, side):
            roll.enter(body, side, chief)
        led = [troop for troop in brief.party(side).troops if troop.kind is TroopKind.LEADER]
        for leader in sorted(led, key=lambda troop: (-troop.tactical, troop.id)):
            roll.appoint(leader, side, chief)
        if not led:
            roll.commanders.append(Commander(chief, side, chief=True))
    return Army(tuple(roll.units), tuple(roll.commanders), roll.drawn_from, tuple(roll.parts))


def bodies(brief: Brief, side: Side) -> tuple[Body, ...]:
    """Return that side's bodies of campaign units, without leaders and absent units."""
    troops = (
        troop for troop in brief.party(side).troops if common.takes_the_field(troop, brief.ground)
    )
    return tuple(_SCALES.bodies(troops, lambda troop: scale(troop).full))


def stands_for_strength(row: Scale, strength: int) -> int:
    """Return the stands for so many strength points, at least one and at most a full unit's."""
    return common.share(row.stands, min(strength, row.full), row.full)


def formation(row: Scale) -> TableFormation:
    """Return such a unit's default formation: a mass for Natives that do not fire."""
    permitted = book().formations(book().style(row.troops), row.kind)
    if row.weapon in (Weapon.NONE, Weapon.SPEARS) and TableFormation.MASS in permitted:
        return TableFormation.MASS
    return permitted[0]


class _ArmyBuilder:
    """An army while it is being mustered."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.commanders: list[Commander] = []
        self.drawn_from: dict[int, tuple[int, ...]] = {}
        self.parts: list[tuple[Body, tuple[int, ...]]] = []

    def enter(self, body: Body, side: Side, command: int) -> None:
        """Add a body as one unit, or as several if it is stronger than a full unit."""
        row = scale(body.members[0])
        numbers = []
        for left in range(body.strength, 0, -row.full):
            full = stands_for_strength(row, left)
            stands = (full + 1) // 2 if body.disrupted and row.kind not in AFLOAT else full
            unit = self._unit(row, side, command, common.name_of(body))
            unit.full, unit.stands = full, stands
            self.drawn_from[unit.id] = tuple(member.id for member in body.members)
            numbers.append(unit.id)
        self.parts.append((body, tuple(numbers)))

    def appoint(self, leader: Troop, side: Side, chief: int) -> None:
        """Add a leader as a commander with a stand."""
        number = len(self.commanders) + 1
        stand = self._unit(scale(leader), side, number, leader.name)
        self.drawn_from[stand.id] = (leader.id,)
        self.commanders.append(Commander(number, side, leader.name, number == chief, stand.id))

    def _unit(self, row: Scale, side: Side, command: int, name: str) -> Unit:
        unit = Unit(
            id=len(self.units) + 1,
            side=side,
            kind=row.kind,
            troops=row.troops,
            weapon=row.weapon,
            stands=row.stands,
            full=row.stands,
            at=NOWHERE,
            facing=0,
            formation=formation(row),
            command=command,
            name=name,
        )
        self.units.append(unit)
        return unit


def fates_by_unit(state: State, brief: Brief) -> dict[int, Fate]:
    """Return the fate of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for commander in army.commanders
        if commander.unit in state.lost
        for number in army.drawn_from[commander.unit]
    )
    ended = common.aftermaths(army.units, army.parts, lambda began: _aftermath(state, began))
    return common.fates_by_unit(brief, ended, fallen)


def winner(state: State, fates: dict[int, Fate]) -> Side | None:
    """Return the winner: by a scenario's goal, else the enemy of the only beaten side (9.8).

    A side that is left alone on the field wins in any case. There is no winner if none of its units
    can still fight.
    """
    brief = state.brief
    side = None if brief is None else _ahead(state, brief, fates)
    if brief is None or side is None or not can_fight(brief.party(side), fates):
        return None
    return side


def _ahead(state: State, brief: Brief, fates: dict[int, Fate]) -> Side | None:
    result = state.result
    if result is not None and (state.one_off or result.how == "destroyed"):
        return result.winner
    losers = [side for side in Side if _has_lost(state, brief.party(side), fates)]
    return losers[0].enemy if len(losers) == 1 else None


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Return whether half its units are disrupted or gone, or its place is taken (9.8)."""
    return _lost_its_place(state, party.side) or beaten(party, fates)


def _lost_its_place(state: State, side: Side) -> bool:
    goal = state.goal
    return (
        isinstance(goal, Hold)
        and goal.side is not side
        and state.result is not None
        and state.result.winner is goal.side
    )


def _aftermath(state: State, began: Sequence[Unit]) -> Aftermath:
    """Return the share of stands lost; shaken when more than half of the units ran away."""
    left = state.units | state.waiting | state.exited | state.away
    survivors = [left[unit.id] for unit in began if unit.id in left]
    if is_afloat(began[0]):
        return Aftermath(Fraction(len(began) - len(survivors), len(began)))
    initial_stands = sum(unit.stands for unit in began)
    # An umpire may have given a unit that came weakened more stands than it came with.
    final_stands = min(sum(unit.stands for unit in survivors), initial_stands)
    away = sum(unit.id in state.away for unit in survivors)
    return Aftermath(
        Fraction(initial_stands - final_stands, initial_stands), 2 * away > len(survivors)
    )
