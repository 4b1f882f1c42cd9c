"""What a stack may hope for, as a document."""

from collections.abc import Sequence

import msgspec

from api.documents.maps import printed
from api.documents.scalars import HexName
from battles.contract.troops import Side
from campaign.models import Campaign, Seat
from campaign.orders import prospects
from campaign.orders.prospects import Outlook
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State, Unit
from campaign.web.orders.order_form import outlook_of, supposed_for


class ModifierLine(msgspec.Struct, frozen=True):
    """What the column of the march table is changed by, why, and by which clause."""

    value: int
    reason: str
    clause: str


class OddsPart(msgspec.Struct, frozen=True):
    """What the march table promises (8.31): the chance of one, two and three marches in succession.

    `whole`: that nobody falls out in a march.
    """

    column: str
    marches: tuple[float, float, float]
    whole: float
    modifiers: tuple[ModifierLine, ...]


class ReachedPart(msgspec.Struct, frozen=True):
    """A hex that can be come to: in which march (1 to 3), for how many of its points, whence.

    `before` is the hex before it on a quickest way. `thirst` is the share of the stack that
    attrition takes there on average.
    """

    hex: HexName
    march: int
    points: int
    before: HexName
    thirst: float


class ProspectsDocument(msgspec.Struct, frozen=True):
    """Where three marches may take the units, how likely, and where trains, boats and ships go.

    `points` are those of one march; `odds` is null for those who cannot march: craft, the fleet,
    leaders alone. `rail`, `river` and `sea` are the hexes that trains, boats and ships go to, by
    river with the way there.
    """

    start: HexName
    points: int
    odds: OddsPart | None
    reached: tuple[ReachedPart, ...]
    rail: tuple[HexName, ...]
    river: dict[str, tuple[HexName, ...]]
    sea: tuple[HexName, ...]


def prospects_document(
    campaign: Campaign, seat: Seat, numbers: Sequence[UnitId], leader: UnitId
) -> ProspectsDocument:
    """The prospects of the units, by what the seat's side knows. Raises Unfit."""
    side = Side(seat.role)
    known = supposed_for(campaign, side)
    units, found = outlook_of(known, side, numbers, leader)
    return ProspectsDocument(
        start=printed(found.start),
        points=found.points,
        odds=_odds(found),
        reached=_reached(known, units, found),
        rail=tuple(map(printed, prospects.by_rail(known, side, found.start))),
        river={
            printed(to): tuple(map(printed, path))
            for to, path in prospects.by_river(known, units).items()
        },
        sea=tuple(map(printed, prospects.by_sea(known, side, found.start))),
    )


def _odds(found: Outlook) -> OddsPart | None:
    odds = found.odds
    if odds is None:
        return None
    one, two, three = (float(odds.of(number)) for number in (1, 2, 3))
    changes = tuple(ModifierLine(it.value, it.reason, it.clause) for it in odds.modifiers)
    return OddsPart(str(odds.column), (one, two, three), float(odds.whole), changes)


def _reached(state: State, units: Sequence[Unit], found: Outlook) -> tuple[ReachedPart, ...]:
    dry = prospects.thirsts(state, units, found.reached)
    return tuple(
        ReachedPart(
            printed(hex_id),
            one.march,
            one.points,
            printed(one.before),
            float(dry[hex_id].share) if hex_id in dry else 0.0,
        )
        for hex_id, one in sorted(found.reached.items())
    )
