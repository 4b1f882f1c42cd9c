"""Play a battle, a month or a campaign many times over, spread over all workers.

An inquiry is sent in parts, all at once, as a Celery chord that closes it after the last. Each part
is a resumable job: its results so far can be read, and another worker takes over if its worker
dies.
"""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

import msgspec
from celery import chord, current_app
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from battles import journal
from battles.contract.book import books
from battles.contract.brief import Brief, Side
from battles.core.decoding import decode, encode
from battles.core.dice import derive_key
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Inquiry, InquiryPart, Seat
from campaign.odds.forecast import playout
from campaign.orders.headquarters import SeatCommand, staff_answer
from campaign.orders.monte_carlo import run_month
from campaign.orders.order_sheet import EMPTY, MonthOrders
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import COMBAT_TABLE, State
from campaign.rules.sight import SideKnowledge, Sighting, View
from campaign.services.errors import CampaignOver, NotAllowed, UnderWay, UnfitRequest
from campaign.services.job_lease import (
    QueueUnreachable,
    ResumableJob,
    fail,
    is_abandoned,
    queue_task,
)
from campaign.services.order_sheets import commander_of_seat, parse_sheet, seat_for
from campaign.services.turns.month_by_orders import known_to_sides
from campaign.simulations import battle_comparison

INQUIRY, CLOSING = "campaign.tasks.inquire", "campaign.tasks.close_inquiry"
Kind = Inquiry.Kind
FEWEST, MOST = 2, 1000
A_PART = {Kind.BATTLE: 20, Kind.REHEARSAL: 20, Kind.FORECAST: 5}
"""The runs in a part, by kind: several seconds of work."""


class BattleInquiry(msgspec.Struct, frozen=True):
    """A battle, and the book it is fought by."""

    brief: Brief
    way: str


class SeatInquiry(msgspec.Struct, frozen=True):
    """A seat of the side whose month is rehearsed, with its orders."""

    number: int
    name: str
    command: tuple[int | str, ...]
    sheet: MonthOrders


class MonthInquiry(msgspec.Struct, frozen=True):
    """A month as one side knows it, with the side's seats; the first is the user's own."""

    side: Side
    state: State
    fogged: bool
    sightings: tuple[Sighting, ...]
    markers: tuple[Sighting, ...]
    seats: tuple[SeatInquiry, ...]

    def view(self) -> View:
        """Return what the side knows."""
        return View(self.side, self.state, self.fogged, self.sightings, self.markers)

    def commanders(self) -> list[SeatCommand]:
        """Return the seats with their orders and commands."""
        return [
            SeatCommand(seat.number, self.side, seat.sheet, seat.command, name=seat.name)
            for seat in self.seats
        ]


class ForecastInquiry(msgspec.Struct, frozen=True):
    """A campaign to be played on, and in a fog of war what each side has learnt so far."""

    state: State
    known: dict[Side, SideKnowledge] | None


@dataclass(frozen=True)
class InquiryTerms:
    """The terms of an inquiry: its kind, its question, and the number of runs."""

    kind: Inquiry.Kind
    title: str
    runs: int
    question: object
    seat: Seat | None = None
    way: str = ""


def rehearse_month(
    campaign: Campaign, user: User, seat_id: int, document: object, *, runs: int = 200
) -> Inquiry:
    """Rehearse the month with that sheet.

    Raises NotAllowed, UnfitRequest, CampaignOver, UnderWay.
    """
    seat = seat_for(campaign, user, seat_id)
    sheet = parse_sheet(document)
    if campaign.finished:
        raise CampaignOver("The campaign is over: there is nothing to rehearse.")
    view = fog_of_war.view_now(campaign, Side(seat.role))
    others = campaign.seats.filter(role=seat.role).exclude(pk=seat.pk)
    question = MonthInquiry(
        Side(seat.role),
        view.state,
        view.fogged,
        view.sightings,
        view.markers,
        (_seat(seat, sheet), *(_seat(other, EMPTY) for other in others)),
    )
    title = f"Orders for {month_name(Month(campaign.month))}"
    return _ask(campaign, user, InquiryTerms(Kind.REHEARSAL, title, runs, question, seat))


def _seat(seat: Seat, sheet: MonthOrders) -> SeatInquiry:
    commander = commander_of_seat(seat, sheet)
    return SeatInquiry(commander.seat, commander.name, commander.command, sheet)


def forecast_campaign(campaign: Campaign, user: User, *, runs: int = 200) -> Inquiry:
    """Play the campaign on from here many times.

    Raises NotAllowed, UnfitRequest, CampaignOver and UnderWay.
    """
    if Seat.Role.UMPIRE not in selectors.role_of(user, campaign):
        raise NotAllowed("Only the umpire may see how the campaign is likely to go on.")
    if campaign.finished:
        raise CampaignOver("The campaign is over: how it ended is known.")
    title = f"From {month_name(Month(campaign.month))}"
    question = ForecastInquiry(selectors.state_now(campaign), known_to_sides(campaign))
    return _ask(campaign, user, InquiryTerms(Kind.FORECAST, title, runs, question))


def try_battle(
    campaign: Campaign, user: User, brief: Brief, *, way: str, runs: int = 200
) -> Inquiry:
    """Fight a battle the user knows of many times by that book.

    Raises UnfitRequest and UnderWay.
    """
    if way not in (*books(), COMBAT_TABLE):
        raise UnfitRequest(f"There is no book {way!r} to fight it by.", "resolution")
    terms = InquiryTerms(Kind.BATTLE, brief.title, runs, BattleInquiry(brief, way), way=way)
    return _ask(campaign, user, terms)


def _ask(campaign: Campaign, user: User, terms: InquiryTerms) -> Inquiry:
    if not FEWEST <= terms.runs <= MOST:
        message = f"{terms.runs} runs cannot be played: ask for {FEWEST} to {MOST}."
        raise UnfitRequest(message, "runs")
    try:
        with transaction.atomic():
            _make_way(user, terms.kind)
            inquiry = Inquiry.objects.create(
                kind=terms.kind,
                campaign=campaign,
                seat=terms.seat,
                asked_by=user,
                title=terms.title[:200],
                month=campaign.month,
                way=terms.way,
                question=journal.pack(encode(terms.question)),
                seed=secrets.randbits(31),
                total=terms.runs,
            )
            parts = InquiryPart.objects.bulk_create(_parts(inquiry, user))
            transaction.on_commit(partial(_send_all, parts))
    except IntegrityError as error:
        raise UnderWay(
            "Your last one is still under way: wait until it is done, or stop it."
        ) from error
    return inquiry


def _parts(inquiry: Inquiry, user: User) -> Iterable[InquiryPart]:
    size = A_PART[Kind(inquiry.kind)]
    for first in range(0, inquiry.total, size):
        total = min(size, inquiry.total - first)
        yield InquiryPart(inquiry=inquiry, first=first, total=total, asked_by=user)


def _make_way(user: User, kind: Inquiry.Kind) -> None:
    """Close the user's inquiries that are done, or whose workers are gone."""
    for inquiry in Inquiry.objects.filter(asked_by=user, kind=kind, is_open=True):
        unfinished = list(inquiry.parts.filter(status__in=InquiryPart.UNFINISHED))
        if all(map(is_abandoned, unfinished)):
            _end(inquiry, unfinished, "Its worker had stopped, and another was requested.")


def stop_inquiry(user: User, inquiry: Inquiry) -> bool:
    """End the user's inquiry; what has been played is kept. Return False if it was over already.

    Raises NotAllowed for another's.
    """
    if inquiry.asked_by_id != user.pk:
        raise NotAllowed("Only the user who asked for it may stop it.")
    parts = inquiry.parts.filter(status__in=InquiryPart.UNFINISHED)
    return _end(inquiry, parts, "Stopped; what was played is kept.")


def _end(inquiry: Inquiry, parts: Iterable[InquiryPart], message: str) -> bool:
    """Close the inquiry and fail these parts; return whether any was unfinished."""
    failed = [fail(part, message) for part in parts]
    Inquiry.objects.filter(pk=inquiry.pk).update(is_open=False)
    return any(failed)


def _send_all(parts: list[InquiryPart]) -> None:
    """Send all parts to the workers as one chord, whose last task closes the inquiry."""
    playing = [
        current_app.signature(INQUIRY, args=[str(part.uuid), part.progress]) for part in parts
    ]
    number = str(parts[0].inquiry.uuid)
    together = chord(playing, current_app.signature(CLOSING, args=[number], immutable=True))
    try:
        queue_task(together)
    except QueueUnreachable as error:
        for part in parts:
            fail(part, f"No worker can be reached: the task queue does not answer ({error}).")


def close_inquiry(number: UUID | str) -> bool:
    """Close the inquiry if no part is unfinished, so that the user may ask for another.

    Return whether it was closed now: a chord may count a part twice that was delivered twice, and
    call this too early.
    """
    unfinished = InquiryPart.objects.filter(
        inquiry=OuterRef("pk"), status__in=InquiryPart.UNFINISHED
    )
    played = Inquiry.objects.filter(~Exists(unfinished), uuid=number, is_open=True)
    return bool(played.update(is_open=False))


def _play(part: InquiryPart, place: int) -> msgspec.Raw:
    """Play the run in that place and return it encoded."""
    inquiry = part.inquiry
    number = part.first + place
    question = journal.unpack(inquiry.question)
    return msgspec.Raw(encode(_PLAY[Kind(inquiry.kind)](inquiry, question, number)))


def _fight(inquiry: Inquiry, question: bytes, number: int) -> battle_comparison.ComparedBattle:
    battle_inquiry = decode(question, BattleInquiry)
    return battle_comparison.bout(
        battle_inquiry.brief, battle_inquiry.way, inquiry.seed, number + 1
    )


def _rehearse(inquiry: Inquiry, question: bytes, number: int) -> object:
    month_inquiry = decode(question, MonthInquiry)
    serialization.edition_of(month_inquiry.state.edition)
    return run_month(month_inquiry.view(), month_inquiry.commanders(), _key(inquiry, number))


def _play_on(inquiry: Inquiry, question: bytes, number: int) -> object:
    forecast_inquiry, key = decode(question, ForecastInquiry), _key(inquiry, number)
    serialization.edition_of(forecast_inquiry.state.edition)
    return playout(
        forecast_inquiry.state, key, partial(staff_answer, known=forecast_inquiry.known, key=key)
    )


def _key(inquiry: Inquiry, number: int) -> bytes:
    """Return a dice key of its own, which reveals nothing about the campaign's dice."""
    return derive_key(b"inquiry", inquiry.kind, inquiry.seed, number)


_PLAY = {Kind.BATTLE: _fight, Kind.REHEARSAL: _rehearse, Kind.FORECAST: _play_on}
PARTS = ResumableJob(
    InquiryPart, INQUIRY, "runs", list[msgspec.Raw], _play, "All have been played."
)
run_inquiry = PARTS.run
resume_inquiries = PARTS.resume
take_up_inquiries = PARTS.take_up


@dataclass(frozen=True)
class InquiryProgress:
    """The progress of an inquiry over all its parts."""

    status: str
    progress: int
    total: int
    message: str
    finished: datetime | None = None

    @property
    def at_work(self) -> bool:
        return self.status in InquiryPart.UNFINISHED


def inquiry_progress(inquiry: Inquiry) -> InquiryProgress:
    """Return the progress of all parts together: running as long as one of them is."""
    parts = list(inquiry.parts.values_list("status", "progress", "message", "finished"))
    statuses = {status for status, *_ in parts}
    if statuses & set(InquiryPart.UNFINISHED):
        begun = any(progress for _, progress, *_ in parts)
        status = "running" if begun or "running" in statuses else "pending"
    else:
        status = "failed" if "failed" in statuses else "succeeded"
    message = next((text for state, _, text, _ in parts if state == "failed"), "")
    ends = [finished for *_, finished in parts if finished]
    over = max(ends) if ends and status in {"succeeded", "failed"} else None
    done = sum(progress for _, progress, *_ in parts)
    return InquiryProgress(status, done, inquiry.total, message, over)


def runs_of(inquiry: Inquiry) -> list[msgspec.Raw]:
    """Return every run so far, in the order of their parts."""
    return [run for part in inquiry.parts.filter(progress__gt=0) for run in PARTS.pieces_of(part)]


def rehearsed_month(inquiry: Inquiry) -> MonthInquiry:
    """Return the month that the inquiry rehearses."""
    return decode(journal.unpack(inquiry.question), MonthInquiry)


def inquiry_for(user: User, campaign: Campaign, number: UUID | str) -> Inquiry | None:
    """Return the user's inquiry of that number in the campaign, or None."""
    return Inquiry.objects.filter(campaign=campaign, asked_by=user, uuid=number).first()
