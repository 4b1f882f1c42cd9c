"""Order sheets, their checks and receipts, and the reach of stacks, as documents."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.maps import printed_hexes, printed_number
from api.documents.scalars import (
    HexName,
    Moment,
    MonthName,
    OutcomeName,
    PartName,
    ReceiptKind,
    VerdictName,
)
from api.http.rule_json import identifier, rule_form
from api.openapi.parameters import REFERENCE
from battles.contract.brief import Side
from campaign.models import Campaign, OrderSheet, Receipt, Seat
from campaign.orders import prospects
from campaign.orders.findings import Finding, SheetSection
from campaign.orders.order_sheet import MonthOrders
from campaign.orders.prospects import Outlook
from campaign.orders.sheet_prose import SheetDescription
from campaign.rules.core.pieces import Month, UnitId, month_name, month_slug
from campaign.rules.core.state import State, Unit
from campaign.rules.map import sudan
from campaign.services import order_sheets
from campaign.services.attendance import awaited_in_words, sheet_status_text
from campaign.services.turns import timetable
from campaign.web.sheet_page import outlook_of, supposed_for

ORDERS_FORM = rule_form(MonthOrders)
_ORDERS = {"items": {"$ref": REFERENCE.format(name="Order")}}
_PLACE_ORDERS = {"items": {"$ref": REFERENCE.format(name="PlaceOrder")}}
_STANDING = {"$ref": REFERENCE.format(name="StandingInstructions")}


class OrdersDocument(msgspec.Struct, frozen=True, kw_only=True):
    """The orders of a seat for a month."""

    orders: Annotated[list[Any], Meta(extra_json_schema=_ORDERS)]
    reinforcements: Annotated[list[Any], Meta(extra_json_schema=_PLACE_ORDERS)]
    standing: Annotated[Any, Meta(extra_json_schema=_STANDING)]


class SheetLinks(msgspec.Struct, frozen=True):
    """The addresses of everything about a sheet."""

    self: str
    check: str
    odds: str
    previous: str
    receipts: str
    reach: str
    seat: str
    campaign: str


class LatestReceiptPart(msgspec.Struct, frozen=True):
    """The receipt of a version of a sheet; its hash proves the orders as they were received."""

    id: int
    receipt_kind: ReceiptKind
    hash: str
    created_at: Moment


class SheetDocument(OrdersDocument, frozen=True, kw_only=True):
    """The sheet of a seat for a month; its version is 0 until it is written.

    What was read as `orders`, `reinforcements` and `standing` can be sent back as it is;
    `order_texts`, `reinforcement_texts` and `standing_texts` read it back in sentences. A
    `submitted` sheet is carried out; with `ready` the month need not wait for it. Once it is
    carried out, it cannot be changed. A sheet belongs to a `branch`: after a rewind its drafts are
    copied to the new one. It is `ahead` if it is for the month after the current one. `hold_text`
    says why no orders are written, or none carried out now: the staff plays the seat, or the
    campaign is adjourned or over; else it is null.
    """

    campaign: str
    seat_id: int
    month: MonthName
    month_name: str
    branch: int
    ahead: bool
    version: str
    order_texts: tuple[str, ...]
    reinforcement_texts: tuple[str, ...]
    standing_texts: tuple[str, ...]
    status_text: str
    awaited_text: str | None
    awaited_battle: str | None
    submitted: bool
    submitted_at: Moment | None
    ready: bool
    started_at: Moment | None
    salt_chosen: bool
    due_at: Moment | None
    due_text: str | None
    hold_text: str | None
    receipt: LatestReceiptPart | None
    links: SheetLinks


class FindingPart(msgspec.Struct, frozen=True):
    """A finding about a part of the sheet, with its reason and an alternative.

    `hex` is null if the finding is about no hex of the map.
    """

    section: PartName
    index: int | None
    verdict: VerdictName
    text: str
    clause: str | None
    remedy: str | None
    hex: HexName | None


class CheckedSheet(msgspec.Struct, frozen=True):
    """A sheet read back in sentences, and its faults by what the side knows."""

    order_texts: tuple[str, ...]
    reinforcement_texts: tuple[str, ...]
    standing_texts: tuple[str, ...]
    findings: tuple[FindingPart, ...]


class OrderOutcomePart(msgspec.Struct, frozen=True):
    """The outcome of an order, with its reason and a remedy."""

    section: PartName
    index: int | None
    outcome: OutcomeName
    text: str
    clause: str | None
    remedy: str | None


class ReceiptLinks(msgspec.Struct, frozen=True):
    """The addresses of a receipt."""

    self: str
    seat: str


class ReceiptDocument(msgspec.Struct, frozen=True):
    """A sheet as received and as read; once carried out, the outcome of each order.

    `texts` are the sheet as read; `outcomes` is empty except in the receipt of orders carried
    out.
    """

    id: int
    receipt_kind: ReceiptKind
    month: MonthName
    version: str
    hash: str
    created_at: Moment
    texts: list[str]
    outcomes: tuple[OrderOutcomePart, ...]
    links: ReceiptLinks


def orders_document(orders: MonthOrders) -> OrdersDocument:
    return OrdersDocument(**ORDERS_FORM.write(orders))


def sheet_document(
    campaign: Campaign, seat: Seat, month: int, sheet: OrderSheet | None
) -> SheetDocument:
    """Return the stored sheet."""
    is_ahead = month > campaign.month
    orders = order_sheets.document_of(sheet)
    read = order_sheets.describe(campaign, seat, orders, sheet)
    awaited = campaign.waiting_for if campaign.battle else awaited_in_words(campaign)
    return SheetDocument(
        **ORDERS_FORM.write(orders),
        campaign=campaign.slug,
        seat_id=seat.pk,
        month=month_slug(Month(month)),
        month_name=month_name(Month(month)),
        branch=campaign.branch,
        ahead=is_ahead,
        version=str(sheet.revision if sheet else 0),
        order_texts=read.orders,
        reinforcement_texts=read.reinforcements,
        standing_texts=read.standing,
        status_text=sheet_status_text(sheet),
        awaited_text=awaited or None,
        awaited_battle=campaign.battle or None,
        submitted=sheet is not None and sheet.submitted is not None,
        submitted_at=sheet.submitted if sheet else None,
        ready=sheet is not None and sheet.ready,
        started_at=sheet.begun if sheet else None,
        salt_chosen=sheet is not None and sheet.salt_chosen,
        due_at=None if is_ahead else timetable.due_now(campaign),
        due_text=(not is_ahead and timetable.due_notice(campaign)) or None,
        hold_text=timetable.hold_notice(campaign, seat) or None,
        receipt=_latest_receipt(sheet) if sheet and sheet.revision else None,
        links=sheet_links(campaign, seat, month),
    )


def _latest_receipt(sheet: OrderSheet) -> LatestReceiptPart | None:
    """Return the latest receipt of this version; None for a copy made by a rewind."""
    latest = sheet.receipts.filter(revision=sheet.revision).first()
    if latest is None:
        return None
    return LatestReceiptPart(latest.pk, identifier(latest.kind), latest.hash, latest.created)


def sheet_links(campaign: Campaign, seat: Seat, month: int) -> SheetLinks:
    """Return the addresses of everything about the sheet."""
    of_seat = [campaign.slug, seat.pk]
    of_sheet = [*of_seat, month_slug(Month(month))]
    return SheetLinks(
        self=reverse("api:sheet", args=of_sheet),
        check=reverse("api:sheet-check", args=of_sheet),
        odds=reverse("api:sheet-odds", args=of_sheet),
        previous=reverse("api:sheet-previous", args=of_sheet),
        receipts=reverse("api:seat-receipts", args=of_seat),
        reach=reverse("api:seat-reach", args=of_seat),
        seat=reverse("api:seat", args=of_seat),
        campaign=reverse("api:campaign", args=[campaign.slug]),
    )


def checked_sheet(read: SheetDescription, findings: list[Finding]) -> CheckedSheet:
    return CheckedSheet(
        read.orders, read.reinforcements, read.standing, tuple(map(finding_part, findings))
    )


def finding_part(finding: Finding) -> FindingPart:
    return FindingPart(
        section=finding.part,
        index=_index(finding.part, finding.number),
        verdict=finding.verdict,
        text=finding.said,
        clause=finding.clause or None,
        remedy=finding.remedy or None,
        hex=printed_number(finding.hex) if finding.hex in sudan().hexes else None,
    )


def _index(section: str, number: int) -> int | None:
    return None if section == SheetSection.SHEET else number


def receipt_document(campaign: Campaign, seat: Seat, receipt: Receipt) -> ReceiptDocument:
    of_seat = [campaign.slug, seat.pk]
    return ReceiptDocument(
        id=receipt.pk,
        receipt_kind=identifier(receipt.kind),
        month=month_slug(Month(receipt.sheet.month)),
        version=str(receipt.revision),
        hash=receipt.hash,
        created_at=receipt.created,
        texts=receipt.reading,
        outcomes=tuple(map(_outcome, receipt.carried)),
        links=ReceiptLinks(
            reverse("api:seat-receipt", args=[*of_seat, receipt.pk]),
            reverse("api:seat", args=of_seat),
        ),
    )


def _outcome(carried: Mapping[str, Any]) -> OrderOutcomePart:
    return OrderOutcomePart(
        section=carried["part"],
        index=_index(carried["part"], carried["number"]),
        outcome=carried["outcome"],
        text=carried["said"],
        clause=carried.get("clause") or None,
        remedy=carried.get("remedy") or None,
    )


class ModifierLine(msgspec.Struct, frozen=True):
    """A shift of the march table's column, with its reason and clause."""

    value: int
    reason: str
    clause: str


class MarchChancesPart(msgspec.Struct, frozen=True):
    """The chances of the march table (8.31): of one, two and three marches in a row.

    `whole_chance` is the chance that nobody falls out in a march.
    """

    column: str
    made_chances: tuple[float, float, float]
    whole_chance: float
    modifiers: tuple[ModifierLine, ...]


class ReachedHexPart(msgspec.Struct, frozen=True):
    """A hex within reach: in which march (1 to 3), at what cost in points, and from where.

    `previous_hex` is the hex before it on a shortest path.
    """

    hex: HexName
    march_number: int
    march_points: int
    previous_hex: HexName
    attrition_share: float


class RiverPathPart(msgspec.Struct, frozen=True):
    """A hex within reach by river, and the path there."""

    hex: HexName
    path: tuple[HexName, ...]


class ReachDocument(msgspec.Struct, frozen=True):
    """The hexes that three marches may reach, with chances, and those by rail and boat.

    `march_chances` is null for units that cannot march: craft, the fleet, leaders alone.
    """

    start_hex: HexName
    march_points: int
    march_chances: MarchChancesPart | None
    reached: tuple[ReachedHexPart, ...]
    rail_hexes: tuple[HexName, ...]
    river_paths: tuple[RiverPathPart, ...]
    sea_hexes: tuple[HexName, ...]


def reach_document(
    campaign: Campaign, seat: Seat, numbers: Sequence[UnitId], leader: UnitId | None
) -> ReachDocument:
    """Return the reach of the units, by what the seat's side knows. Raises UnfitRequest.

    Without a `leader` the best of them helps; 0 is nobody.
    """
    side = Side(seat.role)
    state = supposed_for(campaign, side)
    units, outlook = outlook_of(state, side, numbers, leader)
    return ReachDocument(
        start_hex=printed_number(outlook.start),
        march_points=outlook.points,
        march_chances=_march_chances(outlook),
        reached=_reached_hex_parts(state, units, outlook),
        rail_hexes=printed_hexes(prospects.by_rail(state, side, outlook.start)),
        river_paths=tuple(
            RiverPathPart(printed_number(hex_id), printed_hexes(path))
            for hex_id, path in prospects.by_river(state, units).items()
        ),
        sea_hexes=printed_hexes(prospects.by_sea(state, side, outlook.start)),
    )


def _march_chances(outlook: Outlook) -> MarchChancesPart | None:
    odds = outlook.odds
    if odds is None:
        return None
    one, two, three = (float(odds.of(number)) for number in (1, 2, 3))
    changes = tuple(ModifierLine(it.value, it.reason, it.clause) for it in odds.modifiers)
    return MarchChancesPart(str(odds.column), (one, two, three), float(odds.whole), changes)


def _reached_hex_parts(
    state: State, units: Sequence[Unit], outlook: Outlook
) -> tuple[ReachedHexPart, ...]:
    dry = prospects.thirsts(state, units, outlook.reached)
    return tuple(
        ReachedHexPart(
            hex=printed_number(hex_id),
            march_number=reached_hex.march,
            march_points=reached_hex.points,
            previous_hex=printed_number(reached_hex.before),
            attrition_share=float(dry[hex_id].share) if hex_id in dry else 0.0,
        )
        for hex_id, reached_hex in sorted(outlook.reached.items())
    )
