"""Turn units of the campaign into units of the book, and losses into their fates."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from battles.books.redcoats.field import OFF_FIELD, N
from battles.books.redcoats.pieces import Formation, Kind, Style, Troops
from battles.books.redcoats.state import Leader, State, Unit
from battles.contract import muster as common
from battles.contract.brief import AFLOAT, Brief, Nation, Party, Side, Troop, TroopKind
from battles.contract.brief import Side as CampaignSide
from battles.contract.muster import Aftermath, Body, beaten, winner_by_losses
from battles.contract.report import Fate


class Scale(common.ScaleRow, frozen=True, kw_only=True):
    """A row of scale.toml: the unit of the book that some units of the campaign fight as."""

    kind: Kind
    troops: Troops
    figures: common.Positive
    armed: bool = True


_SCALES = common.Scales("battles.books.redcoats", Scale)
scale = _SCALES.of


class Army(NamedTuple):
    """The units and Leaders of both sides, without places yet.

    `drawn_from`: for each unit and Leader, the units of the campaign it stands for. `parts`: for
    each body of campaign units, the units that it fights as.
    """

    units: tuple[Unit, ...]
    leaders: tuple[Leader, ...]
    drawn_from: dict[int, tuple[int, ...]]
    parts: tuple[tuple[Body, tuple[int, ...]], ...]


def muster(brief: Brief) -> Army:
    """Return the army of a brief, the Anglo-Egyptians numbered first.

    Craft without navigable water, and a fleet without sea, stay away.
    """
    units: list[Unit] = []
    leaders: list[Leader] = []
    drawn_from: dict[int, tuple[int, ...]] = {}
    parts: list[tuple[Body, tuple[int, ...]]] = []
    for side in CampaignSide:
        for body in bodies(brief, side):
            body_units = list(_units(body, side, first=len(units) + len(leaders) + 1))
            parts.append((body, tuple(unit.id for unit in body_units)))
            drawn_from |= dict.fromkeys(
                (unit.id for unit in body_units), tuple(member.id for member in body.members)
            )
            units += body_units
        for troop in brief.party(side).troops:
            if troop.kind is TroopKind.LEADER:
                number = len(units) + len(leaders) + 1
                leaders.append(Leader(number, side, _troops_of(troop), OFF_FIELD, troop.name))
                drawn_from[number] = (troop.id,)
    return Army(tuple(units), tuple(leaders), drawn_from, tuple(parts))


def bodies(brief: Brief, side: CampaignSide) -> tuple[Body, ...]:
    """Return that side's bodies of campaign units, without Leaders and absent units."""
    present = [
        troop for troop in brief.party(side).troops if common.takes_the_field(troop, brief.ground)
    ]
    guns = [troop for troop in present if scale(troop).kind is Kind.MACHINE_GUN]
    rest = [troop for troop in present if scale(troop).kind is not Kind.MACHINE_GUN]
    return (*common.muster(rest, _full), *common.muster(guns, _full))


def figures(row: Scale, strength: int) -> int:
    """Return the figures for a strength: at least one, at most a full unit's."""
    return common.share(row.figures, min(strength, row.full), row.full)


def _full(troop: Troop) -> int:
    return scale(troop).full


def _units(body: Body, side: CampaignSide, *, first: int) -> Iterator[Unit]:
    """Yield a body as one unit, or as several if it is stronger than a full unit."""
    row = scale(body.members[0])
    left = body.strength
    number = first
    while left > 0:
        points = figures(row, left)
        yield Unit(
            id=number,
            side=side,
            kind=row.kind,
            troops=row.troops,
            figures=points,
            full=points,
            square=OFF_FIELD,
            facing=N,
            formation=formation(row.kind, row.troops),
            armed=row.armed,
            disorganised=body.disrupted and body.members[0].kind not in AFLOAT,
            name=common.name_of(body),
        )
        left -= row.full
        number += 1


def formation(kind: Kind, troops: Troops) -> Formation:
    """Return the default formation of such a unit."""
    if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN):
        return Formation.DEPLOYED
    if kind in (Kind.GUNBOAT, Kind.RIVER_BOAT):
        return Formation.AFLOAT
    if kind is Kind.TRANSPORT:
        return Formation.TRANSPORT
    return Formation.EN_MASSE if style(troops) is Style.DERVISH else Formation.LINE


def style(troops: Troops) -> Style:
    """Return the style of fighting of these troops."""
    regular = (Troops.BRITISH, Troops.EGYPTIAN, Troops.SUDANESE)
    return Style.ANGLO_EGYPTIAN if troops in regular else Style.DERVISH


def _troops_of(leader: Troop) -> Troops:
    if leader.nation is Nation.MAHDIST:
        return Troops.DERVISH
    return Troops.EGYPTIAN if leader.nation is Nation.EGYPTIAN else Troops.BRITISH


def fates_by_unit(state: State, brief: Brief) -> dict[int, Fate]:
    """Return the fate of every unit of the brief, by number."""
    army = muster(brief)
    fallen = (
        number
        for leader in state.fallen
        if not leader.wounded
        for number in state.drawn_from[leader.id]
    )
    ended = common.aftermaths(army.units, army.parts, lambda began: _aftermath(state, began))
    return common.fates_by_unit(brief, ended, fallen)


def winner(state: State, fates: dict[int, Fate]) -> Side | None:
    """Return the side that has not lost when the other has, or that destroyed the enemy (9.8)."""
    brief = state.brief
    if brief is None or state.result is None:
        return None
    losers = [side for side in Side if _has_lost(state, brief.party(side), fates)]
    return winner_by_losses(brief, fates, losers)


def _aftermath(state: State, began: Sequence[Unit]) -> Aftermath:
    """Return the aftermath of a body: vessels are sunk or unhurt, others lose figures and order."""
    units = state.units | {unit.id: unit for unit in state.left}
    left = [units[unit.id] for unit in began if unit.id in units]
    if began[0].is_craft:
        return Aftermath(Fraction(len(began) - len(left), len(began)))
    full = sum(unit.figures for unit in began)
    figures = sum(unit.figures for unit in left)
    shaken = sum(_shaken(state, unit) for unit in left)
    return Aftermath(Fraction(full - figures, full), 2 * shaken > len(left))


def _shaken(state: State, unit: Unit) -> bool:
    """Return whether a unit ends disorganised, driven off, or still withdrawing on the field."""
    breaking_off = unit.side in state.breaking_off
    if unit.id in state.units:
        return unit.disorganised or breaking_off
    return unit.disorganised or not breaking_off


def _has_lost(state: State, party: Party, fates: dict[int, Fate]) -> bool:
    """Return whether a side has half its units unfit, broke off, or lost the objective (9.8)."""
    result = state.result
    has_lost_objective = (
        result is not None and result.how == "objective" and result.winner is not party.side
    )
    return party.side in state.breaking_off or has_lost_objective or beaten(party, fates)
