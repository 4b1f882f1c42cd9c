"""Play a month by order sheets, plan for the staff at the campaign's level, choose who answers."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Protocol, Self

import msgspec
from django.db import transaction
from django.utils import timezone

from battles import journal
from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.dice import derive_key
from battles.journal import Damaged, Stale
from campaign import serialization
from campaign.access import fog_of_war, selectors
from campaign.access.fog_of_war import CampaignKey
from campaign.access.staff_sides import held_by_staff
from campaign.models import Campaign, MonthSeal, OrderSheet, Receipt, Seat
from campaign.odds.forecast import sample_state
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters, Known, PlansOf, staff_answer
from campaign.orders.order_sheet import EMPTY, OrderOutcome, OrderReport, Progress, SeatOrderReport
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import Phase, State, clone
from campaign.services.attendance import takes_sheets
from campaign.services.battle_reports import BY_BOOK
from campaign.services.journal.dice import SALTED, commitment
from campaign.services.order_sheets import (
    StoredProgress,
    battles_over,
    commander_of_seat,
    document_of,
    progress_of,
    sheets_of,
    supposes_battles,
)
from campaign.services.order_submission import SALT, sheet_hash
from campaign.staff.levels import Level, StaffMonth, as_carried_out, plans_for
from campaign.staff.plans import Plans, plans_of

# The plans of a campaign's staff, month by month, at the campaign's level.
#
# A plan is worked out from what its side knew when the month began, and from the campaign's
# public anchor. A question later in the month, in another process or after an import, finds the
# same plan, so nothing about it is stored.


MONTHS_KEPT = 64


def key_of_draws(campaign: Campaign) -> bytes:
    """Return the key of the positions that the campaign's staff draws, and of its plans."""
    return derive_key(b"staff", campaign.public_anchor)


class CampaignPlans:
    """The plans of both sides' staff in one campaign, each worked out when it is first needed."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def __call__(self, state: State) -> Plans | None:
        """Return the plans of the side that is asked in this state; None for the usual ones."""
        if state.question is None:
            return None
        if state.phase is Phase.SET_UP:
            # Nobody has marched and the month has not begun: the plan is made when it does.
            usual = plans_of(state, state.question.side)
            return as_carried_out(Level(self._campaign.staff_level), usual)
        return _plans(_PlansKey.of(self._campaign, state), state.question.side, state.month)


@dataclass(frozen=True)
class _PlansKey(CampaignKey):
    """A campaign and its state: the plans are the same on one branch, at one level."""

    state: State = field(compare=False)

    @classmethod
    def of(cls, campaign: Campaign, state: State) -> Self:
        dice = campaign.pk, campaign.branch, campaign.public_anchor
        return cls(campaign, (*dice, campaign.scenario, campaign.staff_level), state)


@lru_cache(maxsize=MONTHS_KEPT)
def _plans(cache_key: _PlansKey, side: Side, month: int) -> Plans:
    """Return the plans for a month, from the positions that the side deemed possible before it."""
    campaign = cache_key.campaign
    key = key_of_draws(campaign)
    occasion = StaffMonth(side, key, month)

    def position(number: int) -> State:
        if not campaign.fog:
            return clone(selectors.state_at(campaign, month - 1))
        view = fog_of_war.view_as_believed(campaign, month - 1, side)
        return sample_state(view, derive_key(key, "position", side, month, number))

    return plans_for(Level(campaign.staff_level), occasion, cache_key.state, position)[1]


# Play a month by its order sheets: begin it, answer its questions, and write the receipts.
#
# When the month begins, every seat's sheet is closed and its salt is mixed into the dice. Each
# sheet's progress is saved with the entries, so that another worker can resume the month. When
# the month is over, each seat gets a receipt with the outcome of its orders.


NO_SHOW = "staff"
"""The `no_show` value of a deadline policy that lets the staff play for a seat without orders."""


class MonthByOrders:
    """The sheets of a month as the answerer for both sides, with the progress made on them."""

    def __init__(self, campaign: Campaign, check_lease: Callable[[], None]) -> None:
        """Load the month's sheets and progress, and begin the month if nobody has.

        Raises Stale where the campaign has gone on, or is adjourned by now.
        """
        with transaction.atomic():
            seen, campaign = campaign, journal.lock_record(Campaign.objects.all(), campaign.pk)
            if campaign.adjourned or campaign.head_id != seen.head_id:
                raise Stale("The campaign has gone on, or is adjourned.")
            begin_month(campaign, check_lease)
            self._sheets = list(sheets_of(campaign, campaign.month).select_related("seat"))
            self._headquarters = _headquarters(campaign, self._sheets)
        self._month = campaign.month
        self._progress = progress_of(self._sheets)

    def has_answer(self, state: State) -> bool:
        """Return whether a question is open: a sheet, an instruction or the default answers it."""
        return state.question is not None

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Return the actor who answers the open question, and the answer."""
        side = state.question.side if state.question is not None else state.side
        action, self._progress = answer(state, self._headquarters, self._progress)
        commanders = self._headquarters.of(side)
        by_staff = bool(commanders) and all(commander.staff for commander in commanders)
        return f"{'staff' if by_staff else 'sheet'}:{side}", action

    def write(self, state: State) -> None:
        """Save the progress of the sheets and, when the month is over, a receipt for each."""
        marching = self._progress.marching
        for sheet in self._sheets:
            own_march = (
                marching if marching is not None and marching.seat == sheet.seat_id else None
            )
            progress = StoredProgress(self._progress.account(sheet.seat_id), own_march)
            sheet.progress = journal.pack(encode(progress))
        OrderSheet.objects.bulk_update(self._sheets, ["progress"])
        if state.month != self._month or state.result is not None:
            _write_receipts(self._sheets, self._progress)


def begin_month(campaign: Campaign, check_lease: Callable[[], None] = lambda: None) -> None:
    """Close the sheets of the locked campaign's month, and mix their salts into its dice.

    A seat that has submitted nothing is played by the staff, or its stacks stay where they are, as
    the campaign's deadline policy says. `check_lease` is called before the sheets are closed, and
    raises where the month may not be played any more. Idempotent.
    """
    sheets = {sheet.seat_id: sheet for sheet in sheets_of(campaign, campaign.month)}
    if any(sheet.begun for sheet in sheets.values()):
        return
    check_lease()
    now, no_show = timezone.now(), campaign.deadline_policy.get("no_show")
    for seat in campaign.seats.filter(role__in=Seat.SIDES):
        sheet = sheets.get(seat.pk) or OrderSheet(
            campaign=campaign, seat=seat, branch=campaign.branch, month=campaign.month
        )
        sheet.by_staff = sheet.submitted is None and no_show == NO_SHOW
        sheet.begun = now
        sheet.save()
        sheets[seat.pk] = sheet
    _mix_salts(campaign, [sheets[number] for number in sorted(sheets)])


def _mix_salts(campaign: Campaign, sheets: Sequence[OrderSheet]) -> None:
    """Replace the server's salts with the sheets', unless dice of the month have been thrown."""
    seals = MonthSeal.objects.filter(campaign=campaign, branch=campaign.branch)
    seal = seals.filter(month=campaign.month).first()
    if seal is None:
        raise Damaged(f"The dice of {month_name(Month(campaign.month))} were never sealed.")
    if _dice_have_fallen(campaign):
        return
    sources = []
    for side in SALTED:
        salt = _salt_of([sheet for sheet in sheets if sheet.seat.role == side.value])
        sources.append(f"{side} {'sheet' if salt else 'server'}")
        if salt:
            seal.salts[side.value] = salt.hex()
            seal.commitments[side.value] = commitment(salt)
    if any(actor.endswith("sheet") for actor in sources):
        seal.salted_by = ", ".join(sources)
        seal.save(update_fields=["salts", "commitments", "salted_by"])


def _dice_have_fallen(campaign: Campaign) -> bool:
    """Return whether the month's dice have been thrown on this branch, be it in a battle alone.

    The first thing that happens after a rewind may be a battle, whose dice lie in its own journal.
    """
    entries = campaign.entries.filter(branch=campaign.branch, month=campaign.month)
    return any(
        entry.actor.startswith(BY_BOOK) or serialization.rolls_of(entry) for entry in entries
    )


def _salt_of(sheets: Iterable[OrderSheet]) -> bytes:
    """Return the salt of a side's one submitted sheet, or the hash of all of them in order."""
    salts = [bytes.fromhex(sheet.salt) for sheet in sheets if sheet.submitted and sheet.salt]
    if len(salts) > 1:
        return sha256(b"".join(salts)).digest()[:SALT]
    return b"".join(salts)


def _headquarters(campaign: Campaign, sheets: Sequence[OrderSheet]) -> Headquarters:
    orders = {sheet.seat_id: document_of(sheet) if sheet.submitted else EMPTY for sheet in sheets}
    commanders = tuple(
        commander_of_seat(
            sheet.seat, orders[sheet.seat_id], staff=sheet.seat.staff or sheet.by_staff
        )
        for sheet in sheets
    )
    supposes = any(supposes_battles(order_sheet) for order_sheet in orders.values())
    knowledge = known_to_sides(campaign)
    battles = battles_over(campaign) if supposes else {}
    return Headquarters(
        commanders, battles, knowledge, key_of_draws(campaign), CampaignPlans(campaign)
    )


def known_to_sides(campaign: Campaign) -> Known | None:
    """Return what each side has learnt up to now; None where the map is open."""
    if not campaign.fog:
        return None
    return {side: fog_of_war.knowledge_of(campaign, side, campaign.month) for side in Side}


def _write_receipts(sheets: Iterable[OrderSheet], progress: Progress) -> None:
    """Create a receipt for every sheet somebody has written: each order's outcome, and why."""
    Receipt.objects.bulk_create(
        Receipt(
            sheet=sheet,
            kind=Receipt.Kind.CARRIED_OUT,
            revision=sheet.revision,
            hash=sheet_hash(sheet),
            reading=_sheet_in_words(sheet),
            carried=_outcome_lines(sheet, progress.account(sheet.seat_id)),
        )
        for sheet in sheets
        if sheet.revision
    )


def _sheet_in_words(sheet: OrderSheet) -> list[str]:
    """Return the sheet in words, from its latest receipt."""
    latest = sheet.receipts.first()
    return latest.reading if latest is not None else []


def _outcome_lines(sheet: OrderSheet, account: SeatOrderReport) -> list[dict[str, object]]:
    """Return one line for every order, then one for every reinforcement order."""
    orders = document_of(sheet)
    if sheet.submitted is None:
        account = SeatOrderReport()
    never = _NEVER if sheet.submitted is not None else _NOT_SUBMITTED
    nobody = _NOBODY if sheet.submitted is not None else _NOT_SUBMITTED
    lines = [_line("order", n, account.orders.get(n, never)) for n in range(len(orders.orders))]
    return lines + [
        _line("reinforcement", number, account.arrivals.get(number, nobody))
        for number in range(len(orders.reinforcements))
    ]


_NOT_SUBMITTED = OrderReport(
    OrderOutcome.NOT, "The sheet had not been submitted when the month began."
)
_NEVER = OrderReport(OrderOutcome.NOT, "Nothing was done before the month was over.")
_NOBODY = OrderReport(
    OrderOutcome.NOT, "Nobody arrived by it: they were not due, or could not stand there.", "3.1"
)


def _line(part: str, number: int, report: OrderReport) -> dict[str, object]:
    return {"part": part, "number": number, **msgspec.to_builtins(report)}


# Choose the answerer of a campaign's questions: order sheets, the staff, or a live player.


class Answerer(Protocol):
    """The interface of anything that answers a campaign's questions."""

    def has_answer(self, state: State) -> bool:
        """Return whether the open question can be answered now, without waiting for a person."""

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Return the actor who answers the open question, and the answer."""

    def write(self, state: State) -> None:
        """Save the progress that is needed to resume from `state`, in the open transaction."""


class StaffAnswerer:
    """The staff as answerer for both sides, or for the sides it holds in a live campaign.

    In a fog of war `knowledge` is what each side has learnt, and `key` that of the positions drawn.
    `plans` returns the plans by which the side that is asked goes; without it they are the usual.
    """

    def __init__(
        self,
        sides: Collection[str],
        knowledge: Known | None = None,
        key: bytes = b"staff",
        plans: PlansOf | None = None,
    ) -> None:
        self._sides, self._known, self._key, self._plans = sides, knowledge, key, plans

    def has_answer(self, state: State) -> bool:
        """Return whether the staff holds the side that is asked."""
        return state.question is not None and state.question.side.value in self._sides

    def answer(self, state: State) -> tuple[str, AnyAction]:
        """Return the staff of the asked side as the actor, and its answer."""
        side = state.question.side if state.question is not None else state.side
        return f"staff:{side}", staff_answer(state, self._known, self._key, self._plans)

    def write(self, state: State) -> None:
        """Do nothing: the staff keeps no progress."""


def answerer_for(campaign: Campaign, check_lease: Callable[[], None] = lambda: None) -> Answerer:
    """Return the answerer for a campaign of this mode.

    A month by order sheets begins if nobody has begun it; `check_lease` as in `begin_month`. Raises
    Stale where the campaign has gone on, or is adjourned by now.
    """
    if takes_sheets(campaign):
        return MonthByOrders(campaign, check_lease)
    live = campaign.mode == Campaign.Mode.LIVE
    return staff_of(campaign, held_by_staff(campaign.seats.all()) if live else tuple(Side))


def staff_of(campaign: Campaign, sides: Collection[str]) -> StaffAnswerer:
    """Return the staff of these sides, with what they know now."""
    return StaffAnswerer(
        sides, known_to_sides(campaign), key_of_draws(campaign), CampaignPlans(campaign)
    )
