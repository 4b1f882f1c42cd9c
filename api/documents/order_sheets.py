"""Order sheets, their checks and receipts, and the prospects of stacks, as documents."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.maps import printed
from api.documents.scalars import (
    HexName,
    Moment,
    MonthName,
    OutcomeName,
    PartName,
    ReceiptKind,
    VerdictName,
)
from api.http.rule_json import rule_form
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from battles.core.decoding import convert_to
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders import prospects
from campaign.orders.findings import Finding
from campaign.orders.order_sheet import MonthOrders
from campaign.orders.prospects import Outlook
from campaign.orders.sheet_prose import SheetDescription
from campaign.rules.core.pieces import Month, UnitId, month_name, month_slug
from campaign.rules.core.state import State, Unit
from campaign.rules.map import sudan
from campaign.services.orders import sheets
from campaign.web.orders.order_form import due_in_words, outlook_of, supposed_for

ORDERS_FORM = rule_form(MonthOrders)
OrdersJson = Annotated[Any, Meta(extra_json_schema={"$ref": REFERENCE.format(name="MonthOrders")})]
"""A month's orders in their JSON form."""


class SheetDocument(msgspec.Struct, frozen=True):
    """The sheet of a seat for a month; `revision` 0 is a sheet that is not written yet.

    A `submitted` sheet is carried out; with `ready` the month need not wait for it. Once it has
    `begun` it cannot be changed. `salt_chosen`: its salt came with it instead of being drawn here.
    `due`, in words, is empty if the umpire advances the month.
    """

    campaign: str
    seat: int
    month: MonthName
    month_name: str
    revision: int
    sheet: OrdersJson
    submitted: Moment | None
    ready: bool
    begun: bool
    salt_chosen: bool
    due: str
    links: dict[str, str]


class FindingPart(msgspec.Struct, frozen=True):
    """A finding about a part of the sheet: its order `number`, counted from 0.

    `clause` is the reason and `remedy` the alternative; either may be empty. `hex` is null if the
    finding is about no hex of the map.
    """

    part: PartName
    number: int
    verdict: VerdictName
    said: str
    clause: str
    remedy: str
    hex: HexName | None


class CheckedSheet(msgspec.Struct, frozen=True):
    """A sheet read back in sentences, and its faults by what the side knows."""

    orders: tuple[str, ...]
    reinforcements: tuple[str, ...]
    standing: tuple[str, ...]
    findings: tuple[FindingPart, ...]


class CarriedPart(msgspec.Struct, frozen=True):
    """The outcome of the order `number`, counted from 0, with its reason and a remedy."""

    part: PartName
    number: int
    outcome: OutcomeName
    said: str
    clause: str = ""
    remedy: str = ""


class ReceiptDocument(msgspec.Struct, frozen=True):
    """A sheet as received and as read; once carried out, the outcome of each order.

    `reading` is the sheet in sentences; `carried` is empty except in the receipt of orders carried
    out. `hash` is the SHA-256 of the stored sheet, a line feed and its salt.
    """

    number: int
    kind: ReceiptKind
    month: MonthName
    revision: int
    hash: str
    created: Moment
    reading: list[str]
    carried: tuple[CarriedPart, ...]
    links: dict[str, str]


class PreviousSheet(msgspec.Struct, frozen=True):
    """The seat's latest orders before the month, to copy from."""

    sheet: OrdersJson


def sheet_document(campaign: Campaign, seat: Seat, month: int, sheet: OrderSheet | None) -> object:
    """Return the stored sheet."""
    return SheetDocument(
        campaign=campaign.slug,
        seat=seat.pk,
        month=month_slug(Month(month)),
        month_name=month_name(Month(month)),
        revision=sheet.revision if sheet else 0,
        sheet=ORDERS_FORM.write(sheets.document_of(sheet)),
        submitted=sheet.submitted if sheet else None,
        ready=sheet is not None and sheet.ready,
        begun=sheet is not None and sheet.begun is not None,
        salt_chosen=sheet is not None and sheet.salt_chosen,
        due=due_in_words(campaign) if month == campaign.month else "",
        links=sheet_links(campaign, seat, month),
    )


def sheet_links(campaign: Campaign, seat: Seat, month: int) -> dict[str, str]:
    """Return the addresses of everything about the sheet."""
    names = ("check", "previous", "submission", "readiness", "odds")
    args = [campaign.slug, seat.pk, month_slug(Month(month))]
    parts = {name: reverse(f"api:sheet-{name}", args=args) for name in names}
    seat_args = [campaign.slug, seat.pk]
    return {
        "self": reverse("api:sheet", args=args),
        **parts,
        "receipts": reverse("api:seat-receipts", args=seat_args),
        "prospects": reverse("api:seat-prospects", args=seat_args),
    }


def checked_sheet(read: SheetDescription, found: list[Finding]) -> CheckedSheet:
    return CheckedSheet(
        read.orders, read.reinforcements, read.standing, tuple(map(finding_part, found))
    )


def finding_part(one: Finding) -> FindingPart:
    return FindingPart(
        part=one.part,
        number=one.number,
        verdict=one.verdict,
        said=one.said,
        clause=one.clause,
        remedy=one.remedy,
        hex=printed(one.hex) if one.hex in sudan().hexes else None,
    )


def receipt_document(campaign: Campaign, seat: Seat, receipt: Receipt) -> ReceiptDocument:
    return ReceiptDocument(
        number=receipt.pk,
        kind=receipt.kind,
        month=month_slug(Month(receipt.sheet.month)),
        revision=receipt.revision,
        hash=receipt.hash,
        created=receipt.created,
        reading=receipt.reading,
        carried=convert_to(receipt.carried, tuple[CarriedPart, ...]),
        links={"self": reverse("api:seat-receipt", args=[campaign.slug, seat.pk, receipt.pk])},
    )


class ModifierLine(msgspec.Struct, frozen=True):
    """A shift of the march table's column, with its reason and clause."""

    value: int
    reason: str
    clause: str


class OddsPart(msgspec.Struct, frozen=True):
    """The odds of the march table (8.31): the chances of one, two and three marches in a row.

    `whole` is the chance that nobody falls out in a march.
    """

    column: str
    marches: tuple[float, float, float]
    whole: float
    modifiers: tuple[ModifierLine, ...]


class ReachedPart(msgspec.Struct, frozen=True):
    """A hex within reach: in which march (1 to 3), at what cost in points, and from where.

    `before` is the previous hex on a shortest path. `thirst` is the mean share of the stack lost to
    attrition there.
    """

    hex: HexName
    march: int
    points: int
    before: HexName
    thirst: float


class ProspectsDocument(msgspec.Struct, frozen=True):
    """The hexes that three marches may reach, with chances, and those by rail and boat.

    `points` are those of one march; `odds` is null for units that cannot march: craft, the fleet,
    leaders alone. `rail`, `river` and `sea` are the hexes that trains, boats and ships reach, by
    river with the path.
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
    """Return the prospects of the units, by what the seat's side knows. Raises Unfit."""
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
