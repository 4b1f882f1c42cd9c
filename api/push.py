"""Web push (RFC 8030, 8291, 8292): notify browsers, also while no page of the site is open.

The browser names an address of its push service and a key; what is sent there is encrypted for that
browser alone and signed with the site's own key. `campaign.services.mail` says what is due, once
for each event; a worker sends it from here, so that nobody waits for a push service.
"""

import base64
import binascii
import json
import logging
from email.utils import parseaddr
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from api import ssrf_guard
from api.ssrf_guard import Undeliverable
from campaign.models import PushSubscription
from campaign.services.errors import Refused, UnfitRequest, visible

if TYPE_CHECKING:
    from py_vapid import Vapid02

MOST_BROWSERS = 10
"""The most browsers of a user that are notified."""
POINT, SECRET = 65, 16  # bytes of a browser's public key, and of its secret
TIME_TO_LIVE = 24 * 3600
"""The seconds for which a push service keeps a message for a browser that is off."""
ENDED_STATUSES = (404, 410)
"""The status codes of a push service for a subscription that has ended."""
DELIVERED_STATUSES = range(200, 300)
NO_KEY = "This site sends no push messages: its administrator has set no key for them."
logger = logging.getLogger(__name__)


def is_on() -> bool:
    """Return whether the site has a key, without which nothing is sent."""
    return bool(settings.PUSH_KEY)


@cache
def _signer(key: str) -> "Vapid02":
    # Imported here: it is slow to load, and only workers that send need it.
    from py_vapid import Vapid02  # noqa: PLC0415

    return Vapid02.from_string(key)


def public_key() -> str:
    """Return the site's public key as browsers take it; "" without a key."""
    if not is_on():
        return ""
    key: Any = _signer(settings.PUSH_KEY).public_key
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def subscriptions_of(user: User) -> QuerySet[PushSubscription]:
    """Return the user's browsers that are notified, the oldest first."""
    return PushSubscription.objects.filter(user=user)


def subscribe(user: User, endpoint: str, p256dh: str, auth: str, browser: str) -> PushSubscription:
    """Subscribe this browser, or replace its keys if it is subscribed already.

    A browser of another user becomes this user's, as only a person at it knows its address. Raises
    Refused without a key of the site or beyond 10 browsers, and UnfitRequest for an address or a
    key that cannot be used.
    """
    if not is_on():
        raise Refused(NO_KEY)
    try:
        ssrf_guard.check_reachable(endpoint)
    except Undeliverable as wrong:
        message = f"The address of the push service cannot be used: {wrong}"
        raise UnfitRequest(message, "endpoint") from wrong
    _check_key(p256dh, POINT, "public key", "keys/p256dh")
    _check_key(auth, SECRET, "secret", "keys/auth")
    name = visible(browser, "name of the browser", "browser")[:60] or "A browser"
    with transaction.atomic():
        # The lock keeps two requests at once from passing the limit together.
        User.objects.select_for_update().get(pk=user.pk)
        others = subscriptions_of(user).exclude(endpoint=endpoint)
        if others.count() >= MOST_BROWSERS:
            raise Refused(
                f"{MOST_BROWSERS} of your browsers are notified already. Remove one of them."
            )
        subscription, _ = PushSubscription.objects.update_or_create(
            endpoint=endpoint,
            defaults={"user": user, "p256dh": p256dh, "auth": auth, "browser": name},
        )
    return subscription


def _check_key(text: str, size: int, key_name: str, field: str) -> None:
    """Raise UnfitRequest unless it is a key of that size; a public key must lie on the curve."""
    try:
        key = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        if size == POINT:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key)
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != size:
        raise UnfitRequest(
            f"That is no {key_name} of a browser. Send it as the browser’s subscription has it.",
            field,
        )


def send(subscription: int, notice: dict[str, str]) -> bool:
    """Send a notice to a browser; return whether its push service took it.

    A subscription that has ended is deleted. Raises Undeliverable if it may be tried again.
    """
    browser = PushSubscription.objects.filter(pk=subscription, user__is_active=True).first()
    if browser is None or not is_on():
        return False
    status = ssrf_guard.post(browser.endpoint, *_message(browser, notice))
    if status in ENDED_STATUSES:
        browser.delete()
        logger.info("A browser of %s takes no more messages.", browser.user.get_username())
    elif status == 429 or status >= 500:
        raise Undeliverable(f"The push service answered {status}.")
    elif status not in DELIVERED_STATUSES:
        logger.warning("A push service answered %s: the message is dropped.", status)
    return status in DELIVERED_STATUSES


def _message(to: PushSubscription, notice: dict[str, str]) -> tuple[bytes, dict[str, str]]:
    """Return the body, encrypted for that browser, and the headers."""
    from pywebpush import WebPusher  # noqa: PLC0415

    keys = {"p256dh": to.p256dh, "auth": to.auth}
    pusher = WebPusher({"endpoint": to.endpoint, "keys": keys})
    body: bytes = pusher.encode(json.dumps(notice).encode())["body"]
    parts = urlsplit(to.endpoint)
    contact = parseaddr(settings.DEFAULT_FROM_EMAIL)[1] or "sirdar@localhost"
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": f"mailto:{contact}"}
    signed = _signer(settings.PUSH_KEY).sign(claims)
    headers = {
        **signed,
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TIME_TO_LIVE),
        "Urgency": "normal",
    }
    return body, headers
