"""The armies of a brief as units of the book, and their fates after the battle."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from battles.books.fuzzy_wuzzy.book import style_of
from battles.books.fuzzy_wuzzy.pieces import GUNS, Arm, Purpose, Style, Troops, Weapon
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract import muster as common
from battles.contract.brief import AFLOAT, UNCOUNTED, Brief, Nation, Party, Side, Troop, TroopKind
from battles.contract.muster import Aftermath, Body, beaten, winner_by_losses
from battles.contract.report import Fate
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

NOWHERE = TablePoint(0, 0)
"""The place of units that have no place yet."""
HOST = 60
"""Strength points above which irregular foot comes in bodies twice as large, as brigades."""
_EVERY_OTHER = 2


class Scale(common.ScaleRow, frozen=True, kw_only=True):
    """The unit of the book for some units of the campaign."""

    arm: Arm
    troops: Troops
    stands: common.Positive
    weapon: Weapon = Weapon.NONE
    camels: bool = False


_SCALES = common.Scales("battles.books.fuzzy_wuzzy", Scale)
scale = _SCALES.of


class Army(NamedTuple):
    """Both sides' units in the book's terms, not yet placed.

    `drawn_from` has, for each unit, the units of the campaign it stands for; `parts`, for each body
    of campaign units, the units it fights as. Commanders belong to no body.
    """

    units: tuple[Unit, ...]
    drawn_from: dict[int, tuple[int, ...]]
    parts: tuple[tuple[Body, tuple[int, ...]], ...]


def muster(brief: Brief) -> Army:
    """Return all units of the brief that take the field, the Anglo-Egyptians first.

    A side without leaders gets a Commander who stands for no unit of the campaign.
    """
    units: list[Unit] = []
    drawn_from: dict[int, tuple[int, ...]] = {}
    parts: list[tuple[Body, tuple[int, ...]]] = []
    for side in Side:
        for body in bodies(brief, side):
            body_units = list(_units(brief, body, side, first=len(units) + 1))
            parts.append((body, tuple(unit.id for unit in body_units)))
            members = tuple(member.id for member in body.members)
            drawn_from |= dict.fromkeys((unit.id for unit in body_units), members)
            units += body_units
        for commander, troop_ids in _commanders(brief, side, first=len(units) + 1):
            units.append(commander)
            drawn_from[commander.id] = troop_ids
    return Army(tuple(units), drawn_from, tuple(parts))


def bodies(brief: Brief, side: Side) -> tuple[Body, ...]:
    """Return that side's bodies of campaign units, without leaders and craft."""
    troops = (troop for troop in brief.party(side).troops if takes_the_field(troop))
    return tuple(_SCALES.bodies(troops, lambda troop: full(brief, troop)))


def takes_the_field(troop: Troop) -> bool:
    """Return whether the troop becomes a unit: not leaders, and the book has no craft."""
    return troop.kind not in AFLOAT and troop.kind is not TroopKind.LEADER


def full(brief: Brief, troop: Troop) -> int:
    """Return the strength points of a full unit; for irregular foot of a host twice as many."""
    row = scale(troop)
    host = row.arm is Arm.INFANTRY and _is_irregular(row) and _is_host(brief, troop.nation.side)
    return row.full * (2 if host else 1)


def stands_for_strength(row: Scale, strength: int) -> int:
    """Return the stands for so many strength points, at least one."""
    return common.share(row.stands, strength, row.full)


def formation(row: Scale, count: int) -> TableFormation:
    """Return such a unit's default formation."""
    if row.arm in GUNS:
        return TableFormation.UNLIMBERED
    if row.arm in (Arm.TRANSPORT, Arm.COMMAND) or count == 1:
        return TableFormation.COLUMN if row.arm is Arm.TRANSPORT else TableFormation.LINE
    return TableFormation.MASS if _is_irregular(row) else TableFormation.LINE


def _is_irregular(row: Scale) -> bool:
    return style_of(row.troops, Purpose.MOVE) is Style.IRREGULAR


def _is_host(brief: Brief, side: Side) -> bool:
    troops = brief.party(side).troops
    return sum(troop.strength for troop in troops if troop.kind not in UNCOUNTED) > HOST


def _units(brief: Brief, body: Body, side: Side, *, first: int) -> Iterator[Unit]:
    """Yield a body as one unit, or as several if it is stronger than a full unit."""
    row = scale(body.members[0])
    most = full(brief, body.members[0])
    name = common.name_of(body)
    for nth, left in enumerate(range(body.strength, 0, -most)):
        count = stands_for_strength(row, min(left, most))
        yield _unit(row, first + nth, side, name, _markers(count, disrupted=body.disrupted))


def _unit(row: Scale, number: int, side: Side, name: str, markers: tuple[int, ...]) -> Unit:
    return Unit(
        number,
        side,
        row.arm,
        row.troops,
        row.weapon,
        markers,
        len(markers),
        NOWHERE,
        0,
        formation(row, len(markers)),
        name=name,
        camels=row.camels,
        dismounted=row.camels and row.weapon is not Weapon.NONE,
    )


def _markers(count: int, *, disrupted: bool) -> tuple[int, ...]:
    return tuple(int(disrupted and nth % _EVERY_OTHER == 0) for nth in range(count))


def _commanders(brief: Brief, side: Side, *, first: int) -> Iterator[tuple[Unit, tuple[int, ...]]]:
    leaders = [troop for troop in brief.party(side).troops if troop.kind is TroopKind.LEADER]
    for nth, leader in enumerate(leaders):
        yield _unit(scale(leader), first + nth, side, leader.name, (0,)), (leader.id,)
    if not leaders:
        nation = Nation.MAHDIST if side is Side.MAHDIST else Nation.EGYPTIAN
        yield _unit(scale(Troop(0, TroopKind.LEADER, nation)), first, side, "", (0,)), ()


_FIGURES = 2


def fates_by_unit(state: State, brief: Brief) -> dict[int, Fate]:
    """Return the fate of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for unit in state.lost
        if unit.arm is Arm.COMMAND
        for number in army.drawn_from[unit.id]
    )
    ended = common.aftermaths(army.units, army.parts, lambda began: _aftermath(state, began))
    return common.fates_by_unit(brief, ended, fallen)


def winner(state: State, fates: dict[int, Fate]) -> Side | None:
    """Return the winner: the enemy of the only side that has lost (9.8).

    A side that destroys all its enemies wins in any case.
    """
    brief = state.brief
    if brief is None or state.result is None:
        return None
    losers = [side for side in Side if _has_lost(state, brief.party(side), fates)]
    return winner_by_losses(brief, fates, losers)


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Return whether half its units are disrupted or gone, or the side broke off (9.8)."""
    broke = state.result is not None and state.result.winner is party.side.enemy
    return broke or beaten(party, fates)


def _aftermath(state: State, began: Sequence[Unit]) -> Aftermath:
    """Return the share of stands lost, with half the wounded; shaken if half the rest fled."""
    survivors = [unit for original in began for unit in _parts(state, original)]
    initial_stands = sum(unit.stands for unit in began)
    final_stands = sum(unit.stands for unit in survivors)
    wounded = max(
        0, sum(unit.casualties for unit in survivors) - sum(unit.casualties for unit in began)
    )
    lost = _FIGURES * (initial_stands - final_stands) + wounded // 2
    shaken = sum(unit.stands for unit in survivors if _is_shaken(state, unit))
    return Aftermath(
        Fraction(min(lost, _FIGURES * initial_stands), _FIGURES * initial_stands),
        2 * shaken > final_stands,
    )


def _parts(state: State, began: Unit) -> Iterator[Unit]:
    """Yield the parts of a unit that are left, on or off the field, its wounded included."""
    for unit in (*state.units.values(), *state.left):
        if began.id in (unit.id, unit.of):
            yield unit


def _is_shaken(state: State, unit: Unit) -> bool:
    return unit.retreating or unit.wounded or unit.id not in state.units
