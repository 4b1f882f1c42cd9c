"""Send mail that a user asks for and waits for, such as the link of an invitation."""

import logging
from smtplib import SMTPException

from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from campaign.models import Invitation
from campaign.services.mail.notifications import one_line, site_url

logger = logging.getLogger(__name__)


def send_invitation(invitation: Invitation, secret: str, office: str) -> bool:
    """Send the link to the invitation's address; return whether the letter was sent."""
    return deliver(_letter(invitation, secret, office), f"Invitation {invitation.pk}")


def deliver(letter: EmailMessage, what: str) -> bool:
    """Send a letter that a user has just asked for; return whether it was sent."""
    try:
        return bool(letter.send())
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("Not sent: %s: %s", what, failed)
        return False


def _letter(invitation: Invitation, secret: str, office: str) -> EmailMessage:
    """Return the letter, with line breaks stripped from user text to prevent header injection."""
    title = one_line(invitation.campaign.title)
    by = invitation.made_by
    told = {
        "title": title,
        "office": one_line(office),
        "by": one_line(by.get_username()) if by else "The umpire",
        "expires": invitation.expires,
        "url": site_url(reverse("invitation", args=[secret])),
    }
    return EmailMessage(
        subject=f"{title}: a seat is offered to you",
        body=render_to_string("mail/invitation.txt", told),
        to=[one_line(invitation.email)],
        headers={"Auto-Submitted": "auto-generated"},
    )
