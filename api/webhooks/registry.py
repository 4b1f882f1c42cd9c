"""Create and delete webhooks, queue their deliveries, and send them with retries."""

import hmac
import logging
import secrets
from collections.abc import Collection, Iterable
from datetime import timedelta
from hashlib import sha256
from smtplib import SMTPException
from uuid import uuid4

from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from api.http.encoding import encode
from api.models import Delivery, Webhook
from api.receivers import active_webhooks
from api.webhooks.events import EVENTS, OF_ALL, HappeningDocument, WebhookEvent, webhook_events
from api.webhooks.ssrf_guard import Undeliverable, check_address, post
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.services.errors import NotAllowed, Refused, UnfitRequest
from campaign.services.mail.notifications import site_url

TEST = "test"
MOST = 20
"""The most webhooks of one user."""
RETRY_DELAYS = tuple(
    timedelta(seconds=seconds) for seconds in (30, 120, 600, 1800, 7200, 21600, 43200)
)
"""The delays after each attempt; there is none after the last."""
PATIENCE = 25
"""The consecutive failed attempts after which a webhook is disabled."""
LEASE = timedelta(seconds=60)
"""The time for which a worker owns an attempt."""
AT_A_TIME = 50
KEPT = timedelta(days=30)
"""The time for which the log keeps deliveries that were made or given up."""
SECRET = 24  # bytes

logger = logging.getLogger(__name__)


def create_webhook(
    user: User, url: str, *, campaign: Campaign | None = None, events: Collection[str] = ()
) -> Webhook:
    """Create a webhook of the user, or of the campaign if they are its umpire.

    By default it receives every event of its kind. Events that have happened already are not sent.
    Raises Unfit, NotAllowed and Refused.
    """
    known = OF_ALL if campaign else tuple(EVENTS)
    wanted = [one for one in known if one in events] if events else list(known)
    if set(events) - set(known):
        raise UnfitRequest(f"A webhook of this kind can receive: {', '.join(known)}.")
    try:
        check_address(url)
    except Undeliverable as error:
        raise UnfitRequest(str(error)) from error
    if campaign and not campaign.seats.filter(user=user, role=Seat.Role.UMPIRE).exists():
        raise NotAllowed("Only an umpire makes webhooks of a campaign.")
    if user.webhooks.count() >= MOST:
        raise Refused(f"You have {MOST} webhooks: revoke one first.")
    secret = secrets.token_urlsafe(SECRET)
    made = Webhook.objects.create(
        user=user, url=url, campaign=campaign, events=wanted, secret=secret
    )
    # Events from before the webhook existed are noted, so that they are never sent.
    for one in _campaigns_of(made):
        _note(made, one, webhook_events(made, one), told=False)
    return made


def webhooks_of(user: User) -> QuerySet[Webhook]:
    """Return the user's webhooks, the newest first."""
    return Webhook.objects.filter(user=user).select_related("campaign")


def delivery_log(webhook: Webhook) -> QuerySet[Delivery]:
    """Return the deliveries to the webhook, made or attempted, the newest first."""
    return webhook.deliveries.exclude(body="").select_related("campaign")


def send_test_event(webhook: Webhook) -> Delivery:
    """Queue a test for sending at once, and enable a disabled webhook; return the delivery."""
    Webhook.objects.filter(pk=webhook.pk).update(disabled=None, failures=0)
    words = "A test: Sirdar has sent you this webhook."
    happening = WebhookEvent(TEST, uuid4().hex, words, reverse("webhooks"))
    return webhook.deliveries.create(
        event=TEST,
        key=happening.key,
        body=_body(happening, webhook.campaign),
        due=timezone.now(),
    )


def queue_deliveries(campaign_ids: Iterable[int] | None = None) -> int:
    """Queue every event that has not been sent; return the number of deliveries."""
    ids = None if campaign_ids is None else set(campaign_ids)
    return sum(
        _note(webhook, campaign, webhook_events(webhook, campaign), told=True)
        for webhook in active_webhooks(ids).select_related("user", "campaign")
        for campaign in _campaigns_of(webhook)
        if ids is None or campaign.pk in ids
    )


def deliver_due() -> int:
    """Make the attempts that are due; return their number. Safe to run twice at once."""
    now = timezone.now()
    due = Delivery.objects.filter(due__lte=now, webhook__disabled=None)
    made = 0
    for delivery in due.order_by("due").select_related("webhook__user")[:AT_A_TIME]:
        # Moving `due` takes the lease: of several workers, one updates the row.
        mine = Delivery.objects.filter(pk=delivery.pk, due=delivery.due)
        if mine.update(due=timezone.now() + LEASE):
            _attempt(delivery)
            made += 1
    Delivery.objects.filter(due=None, created__lt=now - KEPT).exclude(body="").delete()
    return made


def signature(secret: str, moment: int, body: bytes) -> str:
    """Return the header Sirdar-Signature: the time, and the HMAC-SHA256 of it and the body."""
    mac = hmac.new(secret.encode(), b"%d.%s" % (moment, body), sha256).hexdigest()
    return f"t={moment},v1={mac}"


def _campaigns_of(webhook: Webhook) -> list[Campaign]:
    if webhook.campaign:
        return [webhook.campaign]
    return list(Campaign.objects.filter(seats__user=webhook.user).distinct())


def _note(
    webhook: Webhook, campaign: Campaign, found: Iterable[WebhookEvent], *, told: bool
) -> int:
    """Store new events; one that is not to be sent is stored without a body."""
    noted = webhook.deliveries.filter(campaign=campaign).values_list("event", "key")
    known = set(noted)
    rows = [
        Delivery(
            webhook=webhook,
            campaign=campaign,
            event=one.event,
            key=one.key,
            body=_body(one, campaign) if told else "",
            due=timezone.now() if told else None,
        )
        for one in found
        if (one.event, one.key) not in known
    ]
    Delivery.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)


def _body(happening: WebhookEvent, campaign: Campaign | None) -> str:
    """Return the JSON body. `content` is what chat rooms show of it."""
    link = site_url(happening.path)
    about = HappeningDocument(
        event=happening.event,
        words=happening.words,
        content=f"{happening.words}\n{link}",
        url=link,
        campaign=campaign.slug if campaign else None,
        title=campaign.title if campaign else None,
        month=month_slug(Month(campaign.month)) if campaign else None,
        happened=timezone.now(),
    )
    return encode(about).decode()


def _attempt(delivery: Delivery) -> None:
    webhook, body = delivery.webhook, delivery.body.encode()
    moment = int(timezone.now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Sirdar",
        "Sirdar-Event": delivery.event,
        "Sirdar-Delivery": str(delivery.pk),
        "Sirdar-Signature": signature(webhook.secret, moment, body),
    }
    delivery.attempts += 1
    try:
        delivery.status, delivery.error = post(webhook.url, body, headers), ""
    except Undeliverable as error:
        delivery.status, delivery.error = None, str(error)[:300]
    if delivery.status is not None and 200 <= delivery.status < 300:
        _delivered(delivery)
    else:
        _failed(delivery)


def _delivered(delivery: Delivery) -> None:
    delivery.delivered, delivery.due = timezone.now(), None
    delivery.save()
    Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0)


def _failed(delivery: Delivery) -> None:
    if delivery.status is not None:
        delivery.error = f"It answered {delivery.status}; a webhook answers with 200 to 299."
    waits = RETRY_DELAYS[delivery.attempts - 1 : delivery.attempts]
    delivery.due = timezone.now() + waits[0] if waits else None
    delivery.save()
    webhook = delivery.webhook
    webhook.failures += 1
    if webhook.failures >= PATIENCE:
        webhook.disabled = timezone.now()
    webhook.save(update_fields=["failures", "disabled"])
    if webhook.disabled:
        _tell_owner(webhook, delivery)


def _tell_owner(webhook: Webhook, last: Delivery) -> None:
    """Notify the owner by e-mail if they have an address; their page shows it anyway."""
    if not webhook.user.email:
        return
    log = site_url(reverse("webhook", args=[webhook.pk]))
    text = render_to_string("mail/webhook.txt", {"webhook": webhook, "last": last, "url": log})
    try:
        send_mail("A webhook of yours is disabled", text, None, [webhook.user.email])
    except (OSError, SMTPException, ValueError) as failed:
        logger.warning("The owner of webhook %s was not told: %s", webhook.pk, failed)
