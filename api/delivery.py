"""Queue messages to destinations, and deliver them with retries until they succeed or are given up.

A message is a row with the time of its next attempt, and not a task that Celery retries: a retry
may come hours later, when the worker or the broker of the first attempt no longer exists.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from smtplib import SMTPException
from typing import Any, Generic, NamedTuple, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F
from django.template.loader import render_to_string
from django.utils import timezone

from api.models import CampaignChannel, ChannelPost, Delivery, Destination, Webhook
from api.ssrf_guard import Undeliverable
from battles import journal
from campaign.access.selectors import NotVisible
from campaign.models import Campaign
from campaign.services.mail_messages import site_url

LEASE = timedelta(seconds=60)
"""The time for which a worker owns an attempt."""
AT_A_TIME = 50
OUTCOME = ("attempts", "status", "error", "delivered", "due")
LOG_KEPT_FOR = timedelta(days=30)
"""The time for which the log keeps messages that were delivered or given up."""
DISABLED_BEFORE = "Its destination was disabled before it could be sent."

logger = logging.getLogger(__name__)
Message = TypeVar("Message", Delivery, ChannelPost)


class QueuedEvent(NamedTuple):
    """An event for a destination: its kind, the key that makes it unique, and its message.

    `compose` returns the message; it is called only for an event that is new.
    """

    event: str
    key: str
    compose: Callable[[], str]


class DisabledNotice(NamedTuple):
    """The letter about a disabled destination: to whom, its name in words, its path and page."""

    user: User | None
    name: str
    address: str
    page: str


class Outdated(Exception):
    """The message no longer holds, and nobody is to be told."""


@dataclass(frozen=True)
class Carrier(Generic[Message]):
    """The way in which one kind of message is delivered.

    `send` makes the request and returns the status of its answer; it raises Undeliverable, and
    Outdated for a message that is given up. There is a wait after each attempt but the last. After
    `patience` failed attempts in a row, or an answer in `gone`, the destination is disabled, and
    `notice` says who gets a letter.
    """

    messages: type[Message]
    send: Callable[[Message], int]
    notice: Callable[[Message], DisabledNotice]
    waits: tuple[timedelta, ...]
    patience: int
    gone: frozenset[int]


def queue_events(
    deliveries: Any, events: Iterable[QueuedEvent], *, send: bool, **about: Any
) -> int:
    """Store the events that are new to a destination; return their number.

    `deliveries` is the manager of the destination's messages, `about` fills further columns. An
    event that is not to be sent is stored without a body, so that it never will be. None is sent to
    a destination that was disabled or deleted, or of a campaign deleted, since it was read.
    """
    destination = deliveries.instance
    campaign = about.get("campaign", destination.campaign)
    stored_keys = set(deliveries.filter(**about).values_list("event", "key"))
    new_events = [event for event in events if (event.event, event.key) not in stored_keys]
    if not new_events:
        return 0
    with transaction.atomic():
        if send and not (_lock_campaign(campaign) and _lock_active(destination)):
            return 0
        now = timezone.now()
        rows = [
            deliveries.model(
                destination=destination,
                event=event.event,
                key=event.key,
                body=event.compose() if send else "",
                due=now if send else None,
                **about,
            )
            for event in new_events
        ]
        deliveries.model.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _lock_campaign(campaign: Campaign | None) -> bool:
    """Lock the campaign, if there is one; return False if it is deleted.

    A deletion locks it before its destinations too: otherwise the two would wait for each other.
    """
    if campaign is None:
        return True
    rows = Campaign.objects.filter(pk=campaign.pk)
    return bool(rows.select_for_update(no_key=True).values_list("pk"))


def _lock_active(destination: Destination) -> bool:
    """Lock the destination's row; return False if it is disabled or deleted."""
    rows = type(destination)._default_manager.filter(pk=destination.pk, disabled=None)
    return bool(rows.select_for_update().values_list("pk"))


def lock_destination(destination: Webhook | CampaignChannel) -> None:
    """Lock the destination's row and read it again. Raises NotVisible if it was deleted."""
    _lock_campaign(destination.campaign)
    rows: Any = type(destination)._default_manager.select_for_update()
    try:
        destination.refresh_from_db(from_queryset=rows)
    except ObjectDoesNotExist as gone:
        raise NotVisible("It has been deleted meanwhile.") from gone


def delete_destination(destination: Destination) -> None:
    """Delete the destination and its log, unless it was deleted since it was read."""
    journal.delete_locked(type(destination)._default_manager.filter(pk=destination.pk))


def deliver_due(carrier: Carrier[Message]) -> int:
    """Make the attempts that are due; return their number. Safe to run twice at once."""
    now, messages = timezone.now(), carrier.messages.objects
    due = messages.filter(due__lte=now, destination__disabled=None).order_by("due", "pk")
    attempts = 0
    for message in due.select_related("destination")[:AT_A_TIME]:
        # Moving `due` takes the lease: of several workers, one updates the row.
        row = messages.filter(pk=message.pk, due=message.due)
        if row.update(due=timezone.now() + LEASE):
            _attempt(carrier, message)
            attempts += 1
    messages.filter(due=None, created__lt=now - LOG_KEPT_FOR).exclude(body="").delete()
    return attempts


def _attempt(carrier: Carrier[Message], message: Message) -> None:
    message.attempts += 1
    try:
        message.status, message.error = carrier.send(message), ""
    except Outdated as error:
        message.error, message.due = str(error), None
        _save(message)
        return
    except Undeliverable as error:
        message.status, message.error = None, str(error)[:300]
    if message.status is not None and 200 <= message.status < 300:
        message.delivered, message.due = timezone.now(), None
        _save(message)
        type(message.destination).objects.filter(pk=message.destination_id).update(failures=0)
    else:
        _record_failure(carrier, message)


def _record_failure(carrier: Carrier[Message], message: Message) -> None:
    if message.status is not None:
        message.error = f"It answered {message.status}; 200 to 299 means success."
    waits = carrier.waits[message.attempts - 1 : message.attempts]
    gone = message.status in carrier.gone
    message.due = timezone.now() + waits[0] if waits and not gone else None
    _save(message)
    destination = message.destination
    destinations = type(destination).objects.filter(pk=message.destination_id)
    destinations.update(failures=F("failures") + 1)
    failing = destinations if gone else destinations.filter(failures__gte=carrier.patience)
    # Its owner may have disabled it while the attempt was made.
    if failing.filter(disabled=None).update(disabled=timezone.now()):
        give_up_pending(destination)
        _notify(carrier.notice(message), message)


def _save(message: Delivery | ChannelPost) -> None:
    """Store the outcome, unless the message was deleted with its destination meanwhile."""
    outcome = {name: getattr(message, name) for name in OUTCOME}
    type(message)._default_manager.filter(pk=message.pk).update(**outcome)


def give_up_pending(destination: Webhook | CampaignChannel) -> None:
    """Give up what is still to be sent to a disabled destination.

    It would be old news on the day when the destination is enabled again.
    """
    pending = destination.deliveries.exclude(due=None)
    pending.filter(error="").update(error=DISABLED_BEFORE)
    pending.update(due=None)


def _notify(notice: DisabledNotice, last: Delivery | ChannelPost) -> None:
    """Notify the owner by e-mail if they have an address; the page shows it anyway."""
    if notice.user is None or not notice.user.email:
        return
    context = {"notice": notice, "last": last, "url": site_url(notice.page)}
    text = render_to_string("mail/disabled_destination.txt", context)
    try:
        send_mail(f"{notice.name} is disabled", text, None, [notice.user.email])
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("%s was not notified: %s", notice.user.get_username(), failed)
