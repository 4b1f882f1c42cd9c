"""Mail and push notices to the players of a battle: whose turn it is, and whose time is up.

The notices come from `battles.services`, which knows nothing of mail. Nobody is written to while
both sides play live.
"""

import logging
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPException

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from battles import services as battles
from battles.services import NoticeKind
from campaign.services.mail_messages import compose, mailing_of, site_url
from campaign.services.push_notices import PushNotice, browsers_of, send_after_commit
from campaign.services.recent_news import NEWS_AGE
from ops.claims import claim_work
from ops.sweeps import sweep

logger = logging.getLogger(__name__)
QUIET_TIME = timedelta(minutes=15)
"""The time without a move in a battle before its players are notified."""
SUBJECTS = {
    NoticeKind.TURN: "it is your turn",
    NoticeKind.LATE: "your time is up",
    NoticeKind.WAITS: "the other side’s time is up",
    NoticeKind.HANDED_OVER: "the computer leads your side",
    NoticeKind.BACK: "the other side’s commander is back",
}


def send_turns() -> int:
    """Send every notice that is due about a battle; return how many went out."""
    return sum(sweep(battles.due_notices(news_span()), _send_turn))


def news_span() -> battles.Span:
    """Return the time whose turns are news now, and from when on a battle counts as quiet."""
    now = timezone.now()
    return battles.Span(now - NEWS_AGE, now - QUIET_TIME, now)


def _send_turn(notice: battles.TurnNotice) -> bool:
    """Notify the user's browsers and by mail, each once; return whether anything was sent.

    Mail that fails is tried again the next time; the browsers do not wait for it.
    """
    user, battle = notice.command.user, notice.command.battle
    if user is None or not user.is_active:
        return False
    browsers = browsers_of(user)
    if not (user.email or browsers):
        return False
    mailing = mailing_of(user)
    if not mailing.turn:
        return False
    path = reverse("fight", args=[battle.uuid])
    subject = f"{battle.title}: {SUBJECTS[notice.about]}"
    with transaction.atomic():
        pushed = bool(browsers) and battles.mark_sent(notice._replace(key=f"push {notice.key}"))
        if pushed:
            push_notice = PushNotice(subject, "Open the battle.", path, f"fight-{battle.pk}")
            send_after_commit(browsers, push_notice)
    about = {"user": user, "battle": battle, "url": site_url(path), "notice": notice}
    with claim_work("notice", notice.command.pk, notice.key) as alone:
        if not alone or battles.was_sent(notice):
            return pushed
        try:
            if user.email:
                compose(mailing, subject, "mail/fight.txt", about).send()
        except (OSError, SMTPException, ValueError) as failed:
            logger.warning("No mail to %s about a battle: %s", user.get_username(), failed)
            return pushed
        with suppress(IntegrityError):  # the battle may have been deleted meanwhile
            battles.mark_sent(notice)
    return pushed or bool(user.email)
