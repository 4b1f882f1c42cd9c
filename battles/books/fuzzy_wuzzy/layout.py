"""The terrain and the armies are set out: a brief as a field on which everything stands.

How an open table is laid out is the same for all its books; here are this one's measures.
"""

from functools import lru_cache

import msgspec

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy.deployment import Deployment
from battles.books.fuzzy_wuzzy.muster import Army, muster
from battles.books.fuzzy_wuzzy.pieces import Arm, Purpose, Side
from battles.books.fuzzy_wuzzy.state import Unit
from battles.books.fuzzy_wuzzy.troop_types import is_regular
from battles.contract.brief import Brief
from battles.open_table import layout as common
from battles.open_table.draw_up import Band, Role
from battles.open_table.formations import Formation
from battles.open_table.frame import Scale

TABLES = ((14, 12000, 9000), (26, 15000, 12000), (40, 18000, 15000), (80, 24000, 18000))
"""Up to so many units fight on a table so wide and so high, in hundredths of a centimetre."""
GAP = 4500
"""Between the lines at the beginning: out of range of single-shot rifles."""
ROOM = 200
ROLES = {
    Arm.COMMAND: Role.LEADER,
    Arm.INFANTRY: Role.FOOT,
    Arm.CAVALRY: Role.HORSE,
    Arm.ARTILLERY: Role.GUN,
    Arm.MACHINE_GUN: Role.GUN,
    Arm.TRANSPORT: Role.TRAIN,
}
_SQUARE_OF = 4


@lru_cache(maxsize=8)
def lay_out(brief: Brief) -> Deployment:
    """The battle of the brief before it begins."""
    army = muster(brief)
    laid = common.lay_out(brief, [band(unit) for unit in army.units], scale())
    return Deployment(
        title=brief.title,
        field=laid.field,
        units=_posted(army, laid),
        homes=dict(laid.homes),
        plans=plans(brief),
        late=tuple(sorted(laid.late)),
        turns=brief.turns,
        brief=brief,
        drawn_from=army.drawn_from,
    )


def plans(brief: Brief) -> dict[Side, str]:
    """What each side is to do: as the brief orders it; else the attacker attacks."""
    usual = {brief.attacker.side: "attack", brief.defender.side: "hold"}
    return {side: brief.party(side).orders or usual[side] for side in Side}


def scale() -> Scale:
    """The measures of this book's tables."""
    return Scale("cm", TABLES, GAP, ROOM, board.STAND)


def band(unit: Unit) -> Band:
    """The unit as it wants a place; regular foot among stronger enemies forms square."""
    regular = is_regular(unit.troops, Purpose.MOVE)
    able = regular and unit.moves_as is Arm.INFANTRY and unit.stands >= _SQUARE_OF
    return Band(
        unit.id,
        unit.side,
        Role.FOOT if unit.moves_as is Arm.INFANTRY else ROLES[unit.arm],
        unit.stands,
        board.STAND,
        unit.formation,
        Formation.SQUARE if able else None,
        regular=regular,
        steady=not unit.casualties,
        strength=unit.stands,
        spears=unit.weapon == "none",
    )


def _posted(army: Army, laid: common.LaidOut) -> tuple[Unit, ...]:
    posts = laid.posts | laid.late
    return tuple(
        msgspec.structs.replace(
            unit,
            at=posts[unit.id].at,
            facing=posts[unit.id].facing % 360,
            formation=posts[unit.id].formation,
        )
        for unit in army.units
    )
