"""Confirm e-mail addresses by a signed link, and rate-limit mail about accounts.

A new address counts once its owner has opened the link sent there, which is good for a day and
once. The token contains a hash of the old address, the password and the mail token. The mail token
changes with the address, so that every older link stops working, and links that unsubscribe in mail
to the old address with them.
"""

from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.crypto import get_random_string

from accounts.forms import PasswordResetRequestForm
from campaign.models import Mailing
from campaign.services.mail_messages import TOKEN, deliver, mailing_of, one_line, site_url
from campaign.web import visitor

GOOD_FOR = timedelta(days=1)
SALT = "sirdar.own-address"


def send_link(user: User, new: str) -> bool:
    """Send the link that confirms the new address; return whether the letter was sent."""
    meant = [user.pk, new, _mark(user, mailing_of(user))]
    token = signing.dumps(meant, salt=SALT)
    told = {"user": user, "url": site_url(reverse("take-address", args=[token]))}
    return _send_letter(user, new, "mail/email_change.txt", told)


def email_of_token(user: User, token: str) -> str:
    """Return the address the link confirms; "" if it is another user's, used, expired or forged."""
    try:
        whose, new, mark = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return ""
    mailing = Mailing.objects.filter(user=user).first()
    good = whose == user.pk and mailing is not None and mark == _mark(user, mailing)
    return str(new) if good else ""


def confirm_email(user: User, token: str) -> str:
    """Make the link's address the user's and return it; return "" if the link is not valid.

    The old address is notified.
    """
    with transaction.atomic():
        mine = User.objects.select_for_update().get(pk=user.pk)
        new = email_of_token(mine, token)
        if new:
            _change_address(mine, new)
    if new:
        _tell(user, mine)
    return new


def remove_email(user: User) -> None:
    """Remove the user's address, so that they get no mail; the old address is notified."""
    with transaction.atomic():
        mine = User.objects.select_for_update().get(pk=user.pk)
        _change_address(mine, "")
    _tell(user, mine)


def _change_address(user: User, new: str) -> None:
    """Set the address and a new mail token, so that links in older letters stop working."""
    mailing = mailing_of(user)
    mailing.token = get_random_string(TOKEN)
    mailing.save(update_fields=["token"])
    user.email = new
    user.save(update_fields=["email"])


def _tell(before: User, now: User) -> None:
    if before.email and before.email != now.email:
        _send_letter(now, before.email, "mail/email_changed.txt", {"user": now})


def _send_letter(user: User, to: str, template: str, told: dict[str, object]) -> bool:
    letter = EmailMessage(
        subject="Sirdar: your address",
        body=render_to_string(template, told),
        to=[one_line(to)],
        headers={"Auto-Submitted": "auto-generated"},
    )
    return deliver(letter, f"a letter about the address of {user.get_username()}")


def _mark(user: User, mailing: Mailing) -> str:
    return sha256(f"{user.email}\n{user.password}\n{mailing.token}".encode()).hexdigest()


ON_ITS_WAY = (
    "If an account here has that address, an e-mail to it is on its way. Its link works for a day."
)
UNDELIVERED = "The e-mail could not be sent. Check the address, or try later."


def wait_before_address(request: HttpRequest, user: User, new: str) -> int:
    """Return the seconds until a letter to that address may be sent; 0: now, and it is counted."""
    return visitor.seconds_to_wait(
        request, ("address", str(user.pk)), ("address-to", new.casefold())
    )


def too_many(seconds: int) -> str:
    """Return the message for a user who has to wait for so many seconds."""
    return f"Too many e-mails were sent: the next may go in {visitor.duration_text(seconds)}."


def send_forgotten(request: HttpRequest, form: PasswordResetRequestForm) -> None:
    """Write to the users of the address in the form, unless too many letters went there."""
    if visitor.seconds_to_wait(request, ("forgotten-to", form.cleaned_data["email"].casefold())):
        return
    form.save(
        request=request,
        use_https=request.is_secure(),
        subject_template_name="mail/password_reset_subject.txt",
        email_template_name="mail/password_reset.txt",
        extra_email_context={"site": site_url("")},
    )
