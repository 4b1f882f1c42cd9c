"""Preparation for battle: the campaign's units as the units this book would recognise.

Three strength points of foot or two of horse make a full unit of four figures; a battery is one
gun. Which row of scale.toml fits a unit says what it fights as.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Annotated, NamedTuple

import msgspec

from battles import muster as common
from battles.contract.brief import Brief, Ground, Troop
from battles.contract.troops import AFLOAT, RIVER_CRAFT, Nation, Quality
from battles.contract.troops import Kind as Counter
from battles.contract.troops import Side as Party
from battles.core.tables import Row, Source, read_table
from battles.engines.redcoats.pieces import Formation, Kind, Style, Troops
from battles.engines.redcoats.squares import OFF_FIELD, N
from battles.engines.redcoats.state import Leader, Unit
from battles.muster import Body

Positive = Annotated[int, msgspec.Meta(ge=1)]


class Scale(Row, frozen=True, kw_only=True):
    """What some units of the campaign fight as; without nations, qualities or names, any."""

    units: tuple[Counter, ...]
    kind: Kind
    troops: Troops
    full: Positive
    figures: Positive
    armed: bool = True
    nations: tuple[Nation, ...] = ()
    qualities: tuple[Quality, ...] = ()
    named: tuple[str, ...] = ()


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
    for side in Party:
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


def bodies(brief: Brief, side: Party) -> tuple[Body, ...]:
    """That side's units of the campaign as they stand together, Leaders and the absent left out."""
    present = [troop for troop in brief.party(side).troops if takes_the_field(troop, brief.ground)]
    guns = [troop for troop in present if scale(troop).kind is Kind.MACHINE_GUN]
    rest = [troop for troop in present if scale(troop).kind is not Kind.MACHINE_GUN]
    return (*common.muster(rest, _full), *common.muster(guns, _full))


def takes_the_field(troop: Troop, ground: Ground) -> bool:
    """Whether it is one of the units; a vessel only where there is water that carries it."""
    if troop.kind in RIVER_CRAFT:
        return bool(ground.river) and ground.river_class == "navigable"
    if troop.kind is Counter.FLEET:
        return bool(ground.sea)
    return troop.kind is not Counter.LEADER


def scale(troop: Troop) -> Scale:
    """The first row that fits. LookupError when the table has none."""
    for row in _scale():
        if _fits(row, troop):
            return row
    raise LookupError(f"scale.toml has no row for {troop.nation} {troop.kind} {troop.quality}.")


def figures(row: Scale, strength: int) -> int:
    """The figures of so many strength points, a full unit's at most and one at least."""
    exact = Fraction(row.figures * min(strength, row.full), row.full)
    return max(1, int(exact + Fraction(1, 2)))


@cache
def _scale() -> tuple[Scale, ...]:
    text = (files("battles.engines.redcoats") / "scale.toml").read_text(encoding="utf-8")
    return read_table(Source("scale.toml", text), Scale).rows


def _fits(row: Scale, troop: Troop) -> bool:
    return (
        troop.kind in row.units
        and (not row.nations or troop.nation in row.nations)
        and (not row.qualities or troop.quality in row.qualities)
        and (not row.named or any(word in troop.name.lower() for word in row.named))
    )


def _full(troop: Troop) -> int:
    return scale(troop).full


def _units(body: Body, side: Party, *, first: int) -> Iterator[Unit]:
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
            name=_name(body),
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


def _name(body: Body) -> str:
    names = dict.fromkeys(member.name for member in body.members if member.name)
    return " and ".join(names)


def _troops_of(leader: Troop) -> Troops:
    if leader.nation is Nation.MAHDIST:
        return Troops.DERVISH
    return Troops.EGYPTIAN if leader.nation is Nation.EGYPTIAN else Troops.BRITISH
