"""Notices to the browsers of a user: one for each event, sent after the commit.

A worker sends a push notice (`api.push`), so a push service that is slow, out of reach or gone
holds up neither mail nor months. A notice needs no mail address, and does not wait for the mail
about the same event.
"""

from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from campaign.models import Campaign, MailSent, PushSubscription
from campaign.signals import push_due

KIND = "push-"
"""Prefix of the kind under which a sent notice is stored, apart from mail about the same event."""


class PushNotice(NamedTuple):
    """A notification of a browser: title and text, and the page that a click opens.

    Of two notices with the same tag the browser keeps the newer one.
    """

    title: str
    body: str
    path: str
    tag: str


def browsers_of(user: User) -> list[int]:
    """Return the numbers of the browsers in which the user wants to be notified."""
    subscriptions = PushSubscription.objects.filter(user=user)
    return list(subscriptions.values_list("pk", flat=True))


def announce(
    browsers: list[int], user: User, campaign: Campaign, key: str, notice: PushNotice
) -> bool:
    """Send a notice of a campaign unless it was sent before; return whether it is sent now.

    Its tag is its kind. A unique row stops a second process.
    """
    kind = f"{KIND}{notice.tag}"
    with transaction.atomic():
        _, is_new = MailSent.objects.get_or_create(user=user, campaign=campaign, kind=kind, key=key)
        if is_new:
            tag = f"{notice.tag}-{campaign.pk}"
            send_after_commit(browsers, notice._replace(tag=tag))
    return is_new


def send_after_commit(browsers: list[int], notice: PushNotice) -> None:
    """Have the notice sent after the commit; a trouble there is logged, and stops nothing."""
    if not browsers:
        return
    plain = notice._replace(title=" ".join(notice.title.split()))._asdict()
    send = partial(push_due.send_robust, Campaign, subscriptions=browsers, notice=plain)
    transaction.on_commit(send, robust=True)
