"""Letters to those who fight a battle of their own over days: whose turn it is, and who is late.

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
from battles.services import About
from campaign.services.mail import FRESH, address, mailing_of, written

QUIET = timedelta(minutes=15)
"""So long nothing has been done before somebody is written to."""
SUBJECTS = {
    About.TURN: "it is your turn",
    About.LATE: "your time is up",
    About.WAITS: "the other side’s time is up",
    About.HANDED_OVER: "your side is led by the book’s commander",
    About.BACK: "the other side’s commander is back",
}

logger = logging.getLogger(__name__)


def send_turns() -> int:
    """Write to everybody who is to be told something of a battle; gives back how many went out."""
    now = timezone.now()
    return sum(map(_send, battles.words(battles.Span(now - FRESH, now - QUIET, now))))


def _send(word: battles.Word) -> bool:
    """Whether it went out; one that cannot be delivered is tried again the next time."""
    user, battle = word.command.user, word.command.battle
    if user is None or not (user.is_active and user.email):
        return False
    mailing = mailing_of(user)
    if not mailing.turn:
        return False
    page = address(reverse("fight", args=[battle.uuid]))
    about = {"user": user, "battle": battle, "url": page, "word": word}
    letter = written(mailing, f"{battle.title}: {SUBJECTS[word.about]}", "mail/fight.txt", about)
    try:
        with transaction.atomic():
            if not battles.note(word):
                return False
            letter.send()
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("No mail to %s about a battle: %s", user.get_username(), failed)
        return False
    return True
