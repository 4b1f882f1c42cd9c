"""Mail to players of a campaign: turns, deadlines, gazettes, receipts, rewinds and letters.

Each letter that is due is sent once, however often this runs. One that cannot be delivered is tried
again the next time. Browsers are notified of the same events (`campaign.services.push_notices`).
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from smtplib import SMTPException

from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import IntegrityError
from django.urls import reverse
from django.utils import timezone

from battles import services as battles
from battles.access import battle_of, commands, computer_sides, is_open
from battles.contract import Side
from battles.models import Battle
from battles.serialization import state_of as battle_state_of
from campaign.access import fog_of_war, month_reports, selectors
from campaign.access.letters import unread_copies
from campaign.models import Campaign, Mailing, MailSent, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import TABLETOP
from campaign.rules.sight import Onlooker, Viewer
from campaign.services import recent_news
from campaign.services.attendance import late, office_of
from campaign.services.battle_mail import news_span
from campaign.services.journal import rewind as rewinds
from campaign.services.mail_messages import compose, mailing_of, site_url
from campaign.services.pending_battle import owner_of
from campaign.services.push_notices import PushNotice, announce, browsers_of
from campaign.services.turns import timetable
from ops.claims import claim_work
from ops.sweeps import sweep

TURN, DEADLINE, GAZETTE, RECEIPT = "turn", "deadline", "gazette", "receipt"
REWIND, LETTER = "rewind", "letter"
KINDS = (TURN, DEADLINE, GAZETTE)
"""The kinds a user can turn off; receipts, rewinds and letters go with the turn."""
WITH_TURN = (RECEIPT, REWIND, LETTER)
logger = logging.getLogger(__name__)
PUSHED = {
    TURN: "The campaign waits for you.",
    DEADLINE: "Your orders are still missing.",
    GAZETTE: "The month is out: read the paper.",
    REWIND: "The umpire has rewound the campaign, and says why.",
    LETTER: "Open it in the campaign.",
}


@dataclass(frozen=True)
class Letter:
    """A letter that is due: to whom, about what, and the key by which it is sent once."""

    user: User
    campaign: Campaign
    kind: str
    key: str
    subject: str
    path: str
    details: dict[str, object] = field(default_factory=dict)
    paper: month_reports.GazetteIssue | None = None


def send_due() -> int:
    """Send every letter that is due and has not been sent; return how many went out."""
    since = timezone.now() - recent_news.NEWS_AGE
    gone_on = recent_news.campaigns_that_went_on(since)
    numbers = gone_on | recent_news.campaigns_with_activity(since)
    campaigns = Campaign.objects.filter(pk__in=numbers).order_by("pk")
    return sum(sweep(campaigns, partial(_send_letters, gone_on)))


def _send_letters(gone_on: set[int], campaign: Campaign) -> int:
    """Send the campaign's letters that are due; its gazettes only if it has gone on lately.

    While it is adjourned users are notified only of what other players write to them.
    """
    is_at_rest = campaign.adjourned and not campaign.finished
    kinds = {LETTER} if is_at_rest else {*KINDS, *WITH_TURN}
    if campaign.pk not in gone_on:
        kinds.discard(GAZETTE)
    due = (letter for letter in letters(campaign) if letter.kind in kinds)
    return sum(_announce(letter) + _send(letter) for letter in due)


def letters(campaign: Campaign) -> Iterator[Letter]:
    """Yield every letter that is due to somebody in the campaign now, sent or not."""
    seats = list(campaign.seats.exclude(user=None).select_related("user").order_by("pk"))
    for seat in seats:
        yield from _rewound(campaign, seat)
        if not (campaign.finished or campaign.adjourned):
            yield from _turn(campaign, seat)
        yield from _gazettes(campaign, seat)
    yield from _letters(campaign)
    yield from _deadlines(campaign)
    yield from _receipts(campaign)


def _rewound(campaign: Campaign, seat: Seat) -> Iterator[Letter]:
    """Yield a letter about a rewind, except to the umpire who made it."""
    rewind = rewinds.latest_rewind(campaign)
    if (
        rewind is None
        or seat.user is None
        or rewind.created < timezone.now() - recent_news.NEWS_AGE
    ):
        return
    if rewind.by != f"umpire:{seat.user.get_username()}":
        yield Letter(
            seat.user,
            campaign,
            REWIND,
            str(rewind.branch),
            f"{campaign.title}: rewound to {rewind.month}",
            reverse("campaign", args=[campaign.slug]),
            {"rewind": rewind},
        )


def _turn(campaign: Campaign, seat: Seat) -> Iterator[Letter]:
    """Yield a letter to a seat that is awaited: for orders, a move, or a battle at a table."""
    battle = _battle_begun(campaign)
    key = _key_in_battle(battle, seat) if battle else _awaited_key(campaign, seat)
    if key and seat.user and not seat.staff:
        month = month_name(Month(campaign.month))
        yield Letter(
            seat.user,
            campaign,
            TURN,
            f"{campaign.branch}.{key}",
            f"{campaign.title}, {month}: it is your turn",
            reverse("fight", args=[battle.uuid])
            if battle
            else reverse("campaign", args=[campaign.slug]),
            {
                "month": month,
                "waiting": fog_of_war.waiting_for(campaign, _viewer_of(seat, campaign)),
                "due": timetable.due_in_words(campaign),
            },
        )


def _awaited_key(campaign: Campaign, seat: Seat) -> str:
    """Return a key for what the campaign awaits from the seat, or "" if nothing."""
    battle = selectors.battle_awaited(campaign)
    if battle is not None:
        by_hand = battle.resolution == TABLETOP and seat.role != Seat.Role.OBSERVER
        return f"battle:{campaign.battle}" if by_hand else ""
    question = selectors.state_now(campaign).question
    if question is None or campaign.mode == Campaign.Mode.STAFF or seat.role not in Seat.SIDES:
        return ""
    if campaign.phase == "set-up" or campaign.mode == Campaign.Mode.LIVE:
        is_asked = question.side == seat.role
        return f"{campaign.month}.{campaign.side}.{campaign.phase}" if is_asked else ""
    sheet = seat.sheets.filter(branch=campaign.branch, month=campaign.month, withdrawn=False)
    submitted = sheet.exclude(submitted=None).exists()
    return "" if submitted or selectors.orders_have_begun(campaign) else str(campaign.month)


def _battle_begun(campaign: Campaign) -> Battle | None:
    """Return the battle that the campaign awaits, if it is being fought in the browser."""
    awaited = selectors.battle_awaited(campaign)
    battle = awaited and battle_of(owner_of(campaign), awaited.brief.id)
    return battle if battle and is_open(battle) else None


def _key_in_battle(battle: Battle, seat: Seat) -> str:
    """Return a key for the seat's turn in a battle between people, or "" if it is not theirs."""
    question = None if battle.paused else battle_state_of(battle).question
    if question is None or seat.user is None or computer_sides(battle):
        return ""
    side = Side(question.side)
    is_theirs = side in commands(battle, seat.user)
    key = battles.key_of_turn(battle, side, news_span()) if is_theirs else ""
    return f"battle:{battle.brief_id}:{key}" if key else ""


def _letters(campaign: Campaign) -> Iterator[Letter]:
    """Yield a notice of each letter of another player that has arrived lately and is unread."""
    recent = unread_copies(campaign, timezone.now() - recent_news.NEWS_AGE)
    for copy in recent.select_related("seat__user", "letter__sender").order_by("pk"):
        if copy.seat.user is not None:
            sender = office_of(copy.letter.sender)
            yield Letter(
                copy.seat.user,
                campaign,
                LETTER,
                str(copy.pk),
                f"{campaign.title}: a letter from {sender}",
                f"{reverse('letters', args=[campaign.slug])}#letter-{copy.letter_id}",
                {"sender": sender},
            )


def _viewer_of(seat: Seat, campaign: Campaign) -> Viewer:
    return fog_of_war.viewer_of(seat.user, campaign) if seat.user else Onlooker.PUBLIC


def _gazettes(campaign: Campaign, seat: Seat) -> Iterator[Letter]:
    """Yield a letter about the newest issue of the gazette that the user may read."""
    viewer = _viewer_of(seat, campaign)
    # A side has its own gazette; the public's is for all others.
    reader = Onlooker.PUBLIC if isinstance(viewer, Onlooker) else viewer
    issues = month_reports.gazette_issues(campaign, viewer)
    newest = next((issue for issue in issues if issue.edition.whose is reader), None)
    if newest is None or seat.user is None:
        return
    month = month_name(Month(newest.month))
    branch = selectors.branch_that_ends(campaign, newest.month)
    out = (campaign.slug, month_reports.slug_of(newest.month), newest.edition.whose.value)
    yield Letter(
        seat.user,
        campaign,
        GAZETTE,
        f"{branch}.{newest.month}.{newest.edition.whose}",
        f"{newest.edition.title}, {month}",
        reverse("paper", args=out),
        paper=newest,
    )


def _deadlines(campaign: Campaign) -> Iterator[Letter]:
    """Yield a reminder to each user whose orders are missing, when it is due or the due is moved.

    A user gets none until the letter about their turn is as old as the policy's reminder time.
    """
    deadline, policy = timetable.standing_deadline(campaign), timetable.policy_of(campaign)
    if deadline is None or policy is None or not (key := timetable.reminder_key(deadline)):
        return
    month = month_name(Month(campaign.month))
    then = timezone.now() - timedelta(hours=policy.reminder_hours)
    turns = MailSent.objects.filter(campaign=campaign, kind=TURN, sent__gt=then)
    just_notified = set(turns.values_list("user_id", flat=True))
    for attendance in late(campaign):
        if attendance.seat.user is not None and attendance.seat.user_id not in just_notified:
            yield Letter(
                attendance.seat.user,
                campaign,
                DEADLINE,
                key,
                f"{campaign.title}: orders for {month} are due",
                reverse("order-sheet", args=[campaign.slug, attendance.seat.pk]),
                {
                    "month": month,
                    "deadline": deadline,
                    "due": timetable.local_time_text(deadline.due, policy.zone),
                    "grace": timetable.local_time_text(deadline.grace_until, policy.zone),
                },
            )


def _receipts(campaign: Campaign) -> Iterator[Letter]:
    """Yield a letter for each recent receipt of submitted or carried-out orders."""
    receipts = recent_news.receipts_of_writers(campaign, timezone.now() - recent_news.NEWS_AGE)
    for receipt in receipts.select_related("sheet__seat__user").order_by("pk"):
        seat = receipt.sheet.seat
        if seat.user is not None:
            month = month_name(Month(receipt.sheet.month))
            yield Letter(
                seat.user,
                campaign,
                RECEIPT,
                str(receipt.pk),
                f"{campaign.title}: your orders for {month}, {receipt.kind}",
                reverse("receipt", args=[campaign.slug, seat.pk, receipt.pk]),
                {"receipt": receipt, "month": month},
            )


def _announce(letter: Letter) -> bool:
    """Notify the user's browsers about the letter, once; return whether they were notified."""
    if not (letter.user.is_active and letter.kind in PUSHED):
        return False
    notice = PushNotice(letter.subject, PUSHED[letter.kind], letter.path, letter.kind)
    browsers = browsers_of(letter.user)
    if not browsers or not _is_switched_on(letter, mailing_of(letter.user)):
        return False
    return announce(browsers, letter.user, letter.campaign, letter.key, notice)


def _is_switched_on(letter: Letter, mailing: Mailing) -> bool:
    return bool(getattr(mailing, TURN if letter.kind in WITH_TURN else letter.kind))


def _send(letter: Letter) -> bool:
    """Send the letter, unless it was sent before or is not wanted; return whether it was sent."""
    mailing = mailing_of(letter.user)
    if not (_is_switched_on(letter, mailing) and letter.user.is_active and letter.user.email):
        return False
    row = {"user": letter.user, "campaign": letter.campaign, "kind": letter.kind, "key": letter.key}
    already = MailSent.objects.filter(**row)
    if already.exists():
        return False
    with claim_work("letter", letter.user.pk, letter.campaign.pk, letter.kind, letter.key) as alone:
        if not alone or already.exists():
            return False
        try:
            message_of(letter, mailing).send()
        except (OSError, SMTPException, ValueError) as failed:
            logger.warning("No %s mail to %s: %s", letter.kind, letter.user.get_username(), failed)
            return False
        with suppress(IntegrityError):  # the campaign may have been deleted meanwhile
            MailSent.objects.create(**row)
    return True


def message_of(letter: Letter, mailing: Mailing) -> EmailMessage:
    """Return the letter as an e-mail message."""
    context = {"letter": letter, "url": site_url(letter.path), **letter.details}
    if letter.paper is not None:
        month, reader = letter.paper.month, letter.paper.edition.whose
        context["paper"] = month_reports.gazette_issue(letter.campaign, month, reader)
    return compose(mailing, letter.subject, f"mail/{letter.kind}.txt", context)
