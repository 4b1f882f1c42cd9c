"""Manage seats and players as umpire: hand seats to the staff, replace players, adjourn."""

from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles.access import GUEST, display_name
from campaign.access import selectors
from campaign.models import Campaign, OrderSheet, Seat
from campaign.rules.prose.phrases import capitalise
from campaign.services.attendance import holder_name, name_of
from campaign.services.battle_reports import settle_signed_on_commit
from campaign.services.errors import CampaignOver, Refused, UnderWay, UnfitRequest, visible
from campaign.services.letters import pass_on_letters
from campaign.services.order_submission import run_if_ready
from campaign.services.pending_battle import restart_battle_clock
from campaign.services.turns import timetable
from campaign.services.turns.deadlines import resume, resume_months
from campaign.services.turns.live import staff_answers_on_commit
from campaign.services.umpire.rulings import lock_as_umpire, log_entry, reason_given


@transaction.atomic
def hand_to_staff(campaign_id: int, user: User, seat_id: int, *, reason: str) -> Seat:
    """Let the computer's staff play the seat until it is handed back; its holder keeps it.

    A seat that the staff plays already stays as it is, and the umpire log says nothing again.
    If nobody else's orders are awaited and the campaign is set up so, the month runs.
    Raises NotAllowed, UnfitRequest for a seat that gives no orders or without a reason, and
    UnderWay.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    seat, reason_text = _seat(campaign, seat_id), reason_given(reason)
    if seat.staff:
        return seat
    _save_seat(seat, staff=True)
    log_entry(campaign, actor, f"The staff plays {name_of(seat)} from now on. {reason_text}")
    staff_answers_on_commit(campaign.pk)
    settle_signed_on_commit(campaign.pk)
    run_if_ready(campaign)
    return seat


@transaction.atomic
def take_back_from_staff(campaign_id: int, user: User, seat_id: int) -> Seat:
    """Hand the seat back to its holder.

    Raises as `hand_to_staff`, and UnfitRequest for a vacant seat.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    seat = _seat(campaign, seat_id)
    if seat.user_id is None:
        message = f"Nobody sits as {name_of(seat)}: give the seat to somebody first."
        raise UnfitRequest(message, "holder")
    _save_seat(seat, staff=False)
    player = holder_name(seat)
    log_entry(campaign, actor, f"{player} plays {name_of(seat)} again, and the staff no longer.")
    return seat


@transaction.atomic
def remove_player(campaign_id: int, user: User, seat_id: int, *, reason: str) -> Seat:
    """Vacate the seat and withdraw its holder's future orders; delete that of an observer.

    If nobody else's orders are awaited and the campaign is set up so, the month runs. Raises as
    `hand_to_staff`.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    observer = campaign.seats.filter(pk=seat_id, role=Seat.Role.OBSERVER).first()
    if observer is not None:
        who = capitalise(holder_name(observer))
        log_entry(campaign, actor, f"{who} is no longer an observer. {reason_given(reason)}")
        observer.delete()
        return observer
    seat, reason_text = _seat(campaign, seat_id), reason_given(reason)
    if seat.user_id is None:
        raise UnfitRequest(f"Nobody sits as {name_of(seat)}.", "holder")
    _empty(campaign, seat)
    log_entry(campaign, actor, f"{capitalise(name_of(seat))} is vacant. {reason_text}")
    settle_signed_on_commit(campaign.pk)
    run_if_ready(campaign)
    return seat


@transaction.atomic
def replace_player(
    campaign_id: int, user: User, seat_id: int, newcomer: str, *, reason: str
) -> Seat:
    """Give the seat to another user and withdraw the last holder's future orders.

    `newcomer` is a user name. Raises as `hand_to_staff`; UnfitRequest for an unknown user, and
    Refused for one who has another seat or has seen both sides.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    seat, reason_text = _seat(campaign, seat_id), reason_given(reason)
    heir = _account(newcomer)
    _check_fit(campaign, seat, heir)
    _empty(campaign, seat)
    _save_seat(seat, user=heir, staff=False, vacated=None)
    sits = f"{holder_name(seat)} sits as {name_of(seat)} from now on."
    log_entry(campaign, actor, f"{sits} {reason_text}")
    return seat


@transaction.atomic
def second_umpire(campaign_id: int, user: User, other: str) -> Seat:
    """Make another user an umpire with the same powers.

    Raises NotAllowed, UnfitRequest and Refused.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    helper = _account(other)
    if Seat.Role.UMPIRE in selectors.role_of(helper, campaign):
        raise UnfitRequest(f"{helper} is an umpire of this campaign already.", "holder")
    check_other_seats(campaign, helper, Seat.Role.UMPIRE, str(helper))
    seat = Seat.objects.create(campaign=campaign, user=helper, role=Seat.Role.UMPIRE)
    give_up_observing(seat)
    log_entry(campaign, actor, f"{display_name(helper)} is an umpire too from now on.")
    return seat


def give_up_observing(seat: Seat) -> None:
    """Delete the observer's seat of an umpire; its letters pass to their new one."""
    for left in seat.campaign.seats.filter(user=seat.user, role=Seat.Role.OBSERVER):
        pass_on_letters(left, seat)
        left.delete()


@transaction.atomic
def adjourn(campaign_id: int, user: User, *, reason: str) -> Campaign:
    """Adjourn the campaign: its clocks stop and no month advances until it is resumed."""
    campaign, actor = lock_as_umpire(campaign_id, user)
    reason_text = reason_given(reason)
    if campaign.finished:
        raise CampaignOver("The campaign is over; there is nothing to adjourn.")
    if not campaign.adjourned:
        _set_adjourned(campaign, adjourned=True)
        log_entry(campaign, actor, f"The campaign is adjourned. {reason_text}")
    return campaign


@transaction.atomic
def take_up(campaign_id: int, user: User) -> Campaign:
    """Take up the adjourned campaign, with the time that was left. Raises NotAllowed.

    A battle that it waits for has its whole time again; one that was settled meanwhile lets its
    month go on. A month for which everybody has become ready runs.
    """
    campaign, actor = lock_as_umpire(campaign_id, user)
    if campaign.adjourned:
        _set_adjourned(campaign, adjourned=False)
        due = timetable.due_in_words(campaign)
        log_entry(campaign, actor, f"The campaign is resumed{due and ', and its month is ' + due}.")
        staff_answers_on_commit(campaign.pk)
        transaction.on_commit(partial(resume_months, campaign.pk))
        if not campaign.battle:
            run_if_ready(campaign)
    return campaign


def _set_adjourned(campaign: Campaign, *, adjourned: bool) -> None:
    campaign.adjourned = adjourned
    waiting = selectors.battle_awaited(campaign)
    if waiting is not None:
        restart_battle_clock(campaign, waiting)
    campaign.save(update_fields=["adjourned", "battle_due"])
    deadline = timetable.standing_deadline(campaign)
    if deadline is None:
        return
    if adjourned:
        clock = timetable.pause_deadline(timetable.clock_of(deadline), timezone.now())
        timetable.save_clock(deadline, clock)
    else:
        resume(campaign, deadline)


def _seat(campaign: Campaign, seat_id: int) -> Seat:
    """Return a seat of one of the sides, while no month runs. Raises UnfitRequest and UnderWay."""
    seat = campaign.seats.filter(pk=seat_id, role__in=Seat.SIDES).select_related("user").first()
    if seat is None:
        raise UnfitRequest("This campaign has no such seat that gives orders.")
    if selectors.job_under_way(campaign):
        raise UnderWay("The month is being advanced; wait until that is done.")
    return seat


def _empty(campaign: Campaign, seat: Seat) -> None:
    """Vacate the seat and withdraw its holder's sheets for this month and later."""
    to_come = OrderSheet.objects.filter(seat=seat, month__gte=campaign.month, withdrawn=False)
    to_come.filter(branch=campaign.branch).update(withdrawn=True, ready=False)
    _save_seat(seat, user=None, vacated=timezone.now())


def _save_seat(seat: Seat, **values: object) -> None:
    for name, value in values.items():
        setattr(seat, name, value)
    seat.save(update_fields=list(values))


def _account(name: str) -> User:
    username = visible(name, "name of the account", "holder")
    accounts = User.objects.filter(is_active=True).exclude(username__startswith=GUEST)
    user = accounts.filter(username=username).first()
    if user is None:
        raise UnfitRequest(
            f"There is no account {username!r}. Send a link instead: anyone who opens it takes "
            "the seat, and registers on the way.",
            "holder",
        )
    return user


def _check_fit(campaign: Campaign, seat: Seat, heir: User) -> None:
    if seat.role in selectors.role_of(heir, campaign):
        raise UnfitRequest(f"{heir} sits on that side already.", "holder")
    check_other_seats(campaign, heir, seat.role, str(heir))


def check_other_seats(campaign: Campaign, user: User, role: str, name: str = "") -> None:
    """Raise Refused where the user's other seats rule out a seat of that role.

    Without a `name` the refusal addresses the user.
    """
    others = selectors.role_of(user, campaign) - {role}
    has, plays = (f"{name} has", f"{name} plays") if name else ("You have", "You play")
    if role == Seat.Role.UMPIRE and others & set(Seat.SIDES):
        raise Refused(f"{plays} a side of this campaign: nobody umpires a game they play in.")
    if role == Seat.Role.OBSERVER and Seat.Role.UMPIRE in others:
        is_umpire = f"{name} is" if name else "You are"
        raise Refused(
            f"{is_umpire} an umpire of this campaign: an umpire sees all that an observer sees."
        )
    if role == Seat.Role.OBSERVER and campaign.fog and others & set(Seat.SIDES):
        raise Refused(
            f"{plays} a side of this campaign: under fog of war no player observes it too. "
            "Leave your seat first to watch."
        )
    if role not in Seat.SIDES:
        return
    if others & {*Seat.SIDES, Seat.Role.UMPIRE.value}:
        raise Refused(f"{has} another seat in this campaign: nobody plays two.")
    if campaign.fog and Seat.Role.OBSERVER in others:
        raise Refused(f"{has} seen both sides: under fog of war such a person plays neither.")
