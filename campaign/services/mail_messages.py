"""Compose e-mails safely, and send those that a user asks for, such as an invitation."""

import logging
from collections.abc import Mapping
from smtplib import SMTPException

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import get_random_string

from battles.access import display_name
from campaign.models import Invitation, Mailing

logger = logging.getLogger(__name__)
TOKEN = 32
LONGEST_ADDRESS = 254
"""The characters of an e-mail address for which the database has room."""


def mailing_of(user: User) -> Mailing:
    """Return the user's mail preferences; all mail is on until they change it."""
    mailing, _ = Mailing.objects.get_or_create(
        user=user, defaults={"token": get_random_string(TOKEN)}
    )
    return mailing


def compose(
    mailing: Mailing, subject: str, template: str, context: Mapping[str, object]
) -> EmailMessage:
    """Return an e-mail message with ways to unsubscribe, safe from header injection."""
    ending = site_url(reverse("mail", args=[mailing.token]))
    return EmailMessage(
        subject=one_line(subject),
        body=render_to_string(template, {**context, "ending": ending}),
        to=[one_line(mailing.user.email)],
        headers={
            "List-Unsubscribe": f"<{ending}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )


def site_url(path: str) -> str:
    """Return the full address of a page of the site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def one_line(text: str) -> str:
    """Return the text without line breaks, to prevent header injection."""
    return " ".join(text.split())


def send_invitation(invitation: Invitation, secret: str, office: str) -> bool:
    """Send the link to the invitation's address; return whether the letter was sent."""
    return deliver(_letter(invitation, secret, office), f"Invitation {invitation.pk}")


def deliver(letter: EmailMessage, description: str) -> bool:
    """Send a letter that a user has just asked for; return whether it was sent."""
    try:
        return bool(letter.send())
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("Not sent: %s: %s", description, failed)
        return False


def _letter(invitation: Invitation, secret: str, office: str) -> EmailMessage:
    """Return the letter, with line breaks stripped from user text to prevent header injection."""
    title = one_line(invitation.campaign.title)
    inviter = invitation.made_by
    context = {
        "title": title,
        "office": one_line(office),
        "by": one_line(display_name(inviter)) if inviter else "The umpire",
        "expires": invitation.expires,
        "url": site_url(reverse("invitation", args=[secret])),
    }
    return EmailMessage(
        subject=f"{title}: a seat is offered to you",
        body=render_to_string("mail/invitation.txt", context),
        to=[one_line(invitation.email)],
        headers={"Auto-Submitted": "auto-generated"},
    )
