"""Letters to those who fight a battle of their own over days: it is your turn.

Battles know nothing of mail; who may be written to, and how it is ended, is the same for all
letters. While two are at it live nobody is written to.
"""

import logging
from datetime import timedelta
from smtplib import SMTPException

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from battles import services as battles
from campaign.services.mail import FRESH, address, mailing_of, written

QUIET = timedelta(minutes=15)
"""So long nothing has been done before somebody is written to."""

logger = logging.getLogger(__name__)


def send_turns() -> int:
    """Write to everybody for whom a battle waits, once a turn; gives back how many went out."""
    now = timezone.now()
    return sum(map(_send, battles.turns(now - FRESH, now - QUIET)))


def _send(turn: battles.Turn) -> bool:
    """Whether it went out; one that cannot be delivered is tried again the next time."""
    user, battle = turn.command.user, turn.command.battle
    if user is None or not (user.is_active and user.email):
        return False
    mailing = mailing_of(user)
    if not mailing.turn:
        return False
    page = address(reverse("fight", args=[battle.uuid]))
    about = {"user": user, "battle": battle, "url": page}
    letter = written(mailing, f"{battle.title}: it is your turn", "mail/fight.txt", about)
    try:
        with transaction.atomic():
            if not battles.told(turn):
                return False
            letter.send()
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("No mail to %s about a battle: %s", user.get_username(), failed)
        return False
    return True
