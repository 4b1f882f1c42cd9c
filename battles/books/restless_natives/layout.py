"""The layout of a battle: from a brief to a deployment of terrain and armies.

The procedure is shared by all books with an open table; here are this book's measures.
"""

import msgspec

from battles.books.restless_natives.bands import allotted, band
from battles.books.restless_natives.book import book
from battles.books.restless_natives.goals import Hold, Remain
from battles.books.restless_natives.layout_plans import by_plan, plan_for
from battles.books.restless_natives.muster import Army, muster
from battles.books.restless_natives.pieces import Kind
from battles.books.restless_natives.set_up import Deployment
from battles.books.restless_natives.state import PACK_ONCE, Unit
from battles.contract.brief import Brief
from battles.tabletop import layout as common
from battles.tabletop.ground import TableScale

TABLES = ((26, 4800, 3600), (40, 6000, 4800), (60, 7200, 6000), (90, 9600, 7200))
"""Units, width and height: the table for up to so many units; the book's own is 48 by 36 inches."""
GAP = 1400
"""The distance between the lines at the beginning: out of range of all rifles."""
ROOM = 60
"""Distance between neighbours, and from works to the units behind: near enough for cover."""
PACK_FOR = 9
"""One pass through the pack for every so many units of the larger side."""


def lay_out(brief: Brief) -> Deployment:
    """Return the battle of the brief before it begins; a scenario of the book by its plan.

    Raises ValueError when the armies find no room on the field.
    """
    plan = plan_for(brief)
    if plan is not None:
        return by_plan(plan, brief)
    army = muster(brief)
    laid = common.lay_out(brief, [band(unit) for unit in army.units], scale())
    return Deployment(
        title=brief.title,
        field=laid.field,
        units=_posted(army, laid),
        commanders=army.commanders,
        late=tuple(sorted(laid.late)),
        zones=laid.zones,
        goal=Hold(brief.attacker.side, (laid.goal,)) if laid.goal else Remain(),
        cards=cards(brief, army),
        brief=brief,
        drawn_from=army.drawn_from,
    )


def scale() -> TableScale:
    """Return the measures of this book's tables, in hundredths of an inch."""
    return TableScale("inch", TABLES, GAP, ROOM, book().size(Kind.INFANTRY))


def cards(brief: Brief, army: Army) -> int:
    """Return the agreed number of cards: one for each unit and turn of the brief, else whole packs.

    Without turns in the brief it is one pack for every nine units of the larger side.
    """
    if brief.turns:
        return brief.turns * len(army.units)
    largest = max(len(army.of(party.side)) for party in (brief.attacker, brief.defender))
    return PACK_ONCE * max(1, -(-largest // PACK_FOR))


def _posted(army: Army, laid: common.LaidOut) -> tuple[Unit, ...]:
    posts = laid.posts | laid.late
    placed = [
        msgspec.structs.replace(
            unit,
            at=posts[unit.id].at,
            facing=posts[unit.id].facing,
            formation=posts[unit.id].formation,
        )
        for unit in army.units
    ]
    return allotted(placed, army.commanders, laid.homes)
