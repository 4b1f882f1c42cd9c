"""Preparation for battle: the campaign's units as the units this book would recognise.

Three strength points of foot or two of horse make a full unit of four figures; a battery is one
gun. Which row of scale.toml fits a unit says what it fights as.
"""

from collections.abc import Iterator
from typing import NamedTuple

from battles import muster as common
from battles import scales
from battles.books.redcoats.pieces import Formation, Kind, Style, Troops
from battles.books.redcoats.squares import OFF_FIELD, N
from battles.books.redcoats.state import Leader, Unit
from battles.contract.brief import Brief, Troop
from battles.contract.troops import AFLOAT, Nation
from battles.contract.troops import Kind as Counter
from battles.contract.troops import Side as CampaignSide
from battles.muster import Body


class Scale(scales.Scale, frozen=True, kw_only=True):
    """What some units of the campaign fight as."""

    kind: Kind
    troops: Troops
    figures: scales.Positive
    armed: bool = True


_SCALES = scales.Scales("battles.books.redcoats", Scale)
scale = _SCALES.of


class Army(NamedTuple):
    """Both sides as the book has them, without a place yet.

    `drawn_from`: for each unit and Leader the units of the campaign it stands for. `parts`: for
    each body of campaign units the units that it fights as.
    """

    units: tuple[Unit, ...]
    leaders: tuple[Leader, ...]
    drawn_from: dict[int, tuple[int, ...]]
    parts: tuple[tuple[Body, tuple[int, ...]], ...]


def muster(brief: Brief) -> Army:
    """Everything of the brief that can take the field, the Anglo-Egyptians numbered first.

    Craft without navigable water, and a fleet without sea, stay away.
    """
    units: list[Unit] = []
    leaders: list[Leader] = []
    drawn_from: dict[int, tuple[int, ...]] = {}
    parts: list[tuple[Body, tuple[int, ...]]] = []
    for side in CampaignSide:
        for body in bodies(brief, side):
            made = list(_units(body, side, first=len(units) + len(leaders) + 1))
            parts.append((body, tuple(unit.id for unit in made)))
            drawn_from |= dict.fromkeys(
                (unit.id for unit in made), tuple(one.id for one in body.members)
            )
            units += made
        for troop in brief.party(side).troops:
            if troop.kind is Counter.LEADER:
                number = len(units) + len(leaders) + 1
                leaders.append(Leader(number, side, _troops_of(troop), OFF_FIELD, troop.name))
                drawn_from[number] = (troop.id,)
    return Army(tuple(units), tuple(leaders), drawn_from, tuple(parts))


def bodies(brief: Brief, side: CampaignSide) -> tuple[Body, ...]:
    """That side's units of the campaign as they stand together, Leaders and the absent left out."""
    present = [
        troop for troop in brief.party(side).troops if scales.takes_the_field(troop, brief.ground)
    ]
    guns = [troop for troop in present if scale(troop).kind is Kind.MACHINE_GUN]
    rest = [troop for troop in present if scale(troop).kind is not Kind.MACHINE_GUN]
    return (*common.muster(rest, _full), *common.muster(guns, _full))


def figures(row: Scale, strength: int) -> int:
    """The figures of so many strength points, a full unit's at most and one at least."""
    return scales.share(row.figures, min(strength, row.full), row.full)


def _full(troop: Troop) -> int:
    return scale(troop).full


def _units(body: Body, side: CampaignSide, *, first: int) -> Iterator[Unit]:
    """A body as one unit; one stronger than a full unit as several."""
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
            name=scales.name_of(body),
        )
        left -= row.full
        number += 1


def formation(kind: Kind, troops: Troops) -> Formation:
    """How such a unit stands when nothing else is said."""
    if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN):
        return Formation.DEPLOYED
    if kind in (Kind.GUNBOAT, Kind.RIVER_BOAT):
        return Formation.AFLOAT
    if kind is Kind.TRANSPORT:
        return Formation.TRANSPORT
    return Formation.EN_MASSE if style(troops) is Style.DERVISH else Formation.LINE


def style(troops: Troops) -> Style:
    """Which way of fighting is theirs."""
    regular = (Troops.BRITISH, Troops.EGYPTIAN, Troops.SUDANESE)
    return Style.ANGLO_EGYPTIAN if troops in regular else Style.DERVISH


def _troops_of(leader: Troop) -> Troops:
    if leader.nation is Nation.MAHDIST:
        return Troops.DERVISH
    return Troops.EGYPTIAN if leader.nation is Nation.EGYPTIAN else Troops.BRITISH
