"""The address somebody is written to: a new one is his once he has read a letter that came there.

The link in that letter is signed, and good for a day and once. It carries a mark of the address and
password he had and of his letters' token, which changes with the address: then every link that was
sent before is of no use, those that end letters to the old address included.

Letters about somebody's own account that he has asked for: not too many of them.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.forms import PasswordResetRequestForm
from campaign.models import Mailing
from campaign.services.mail.invitation_mail import deliver
from campaign.services.mail.notifications import TOKEN, mailing_of, one_line, site_url
from campaign.web import visitor

GOOD_FOR = timedelta(days=1)
SALT = "sirdar.own-address"


def send_link(user: User, new: str) -> bool:
    """Send the link by which the address becomes his there; gives back whether it went out."""
    meant = [user.pk, new, _mark(user, mailing_of(user))]
    token = signing.dumps(meant, salt=SALT)
    told = {"user": user, "url": site_url(reverse("take-address", args=[token]))}
    return _sent(user, new, "mail/email_change.txt", told)


def email_of_token(user: User, token: str) -> str:
    """Return the address that the link makes his; nothing where it is another's, used, old or
    forged.
    """
    try:
        whose, new, mark = signing.loads(token, salt=SALT, max_age=GOOD_FOR)
    except (signing.BadSignature, ValueError):
        return ""
    mailing = Mailing.objects.filter(user=user).first()
    good = whose == user.pk and mailing is not None and mark == _mark(user, mailing)
    return str(new) if good else ""


def confirm_email(user: User, token: str) -> str:
    """Make the address that the link carries his; gives it back, nothing where it is good no more.

    Whoever reads the old address is told there.
    """
    with transaction.atomic():
        mine = User.objects.select_for_update().get(pk=user.pk)
        new = email_of_token(mine, token)
        if new:
            _become(mine, new)
    if new:
        _tell(user, mine)
    return new


def remove_email(user: User) -> None:
    """From now on he has no address, and no letters; whoever reads the old one is told there."""
    with transaction.atomic():
        mine = User.objects.select_for_update().get(pk=user.pk)
        _become(mine, "")
    _tell(user, mine)


def _become(user: User, new: str) -> None:
    """The address, and another token: links in letters to the old one choose nothing any more."""
    mailing = mailing_of(user)
    mailing.token = secrets.token_urlsafe(TOKEN)
    mailing.save(update_fields=["token"])
    user.email = new
    user.save(update_fields=["email"])


def _tell(before: User, now: User) -> None:
    if before.email and before.email != now.email:
        _sent(now, before.email, "mail/email_changed.txt", {"user": now})


def _sent(user: User, to: str, template: str, told: dict[str, object]) -> bool:
    letter = EmailMessage(
        subject="Sirdar: your address",
        body=render_to_string(template, told),
        to=[one_line(to)],
        headers={"Auto-Submitted": "auto-generated"},
    )
    return deliver(letter, f"a letter about his address to {user.get_username()}")


def _mark(user: User, mailing: Mailing) -> str:
    return sha256(f"{user.email}\n{user.password}\n{mailing.token}".encode()).hexdigest()


ON_ITS_WAY = (
    "If anybody here has that address, a letter to him is on its way. Its link is good for a day."
)
UNDELIVERED = "The letter could not be sent. Look at the address, or try later."


def wait_before_address(request: HttpRequest, user: User, new: str) -> int:
    """Return seconds until a letter that confirms that address may go out; 0: now, and it is
    counted.
    """
    return visitor.seconds_to_wait(
        request, ("address", str(user.pk)), ("address-to", new.casefold())
    )


def too_many(seconds: int) -> str:
    """What is said to whoever has to wait so long."""
    return f"Letters enough have gone out: the next may in {visitor.duration_text(seconds)}."


def send_forgotten(request: HttpRequest, form: PasswordResetRequestForm) -> None:
    """Write to whoever has the address that was filled in, unless enough letters went there."""
    if visitor.seconds_to_wait(request, ("forgotten-to", form.cleaned_data["email"].casefold())):
        return
    form.save(
        request=request,
        use_https=request.is_secure(),
        subject_template_name="mail/password_reset_subject.txt",
        email_template_name="mail/password_reset.txt",
        extra_email_context={"site": site_url("")},
    )
