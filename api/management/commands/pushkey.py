"""Make the key with which the site signs its push messages."""

import base64
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management.base import BaseCommand

BYTES = 32


class Command(BaseCommand):
    """Print a new key as a line for the site's environment; it is kept nowhere."""

    help = (
        "Print a new key for push messages, as a line for the site’s environment. Keep it: with "
        "another key every browser has to be subscribed again."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        secret = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        key = base64.urlsafe_b64encode(secret.to_bytes(BYTES)).rstrip(b"=").decode()
        self.stdout.write(f"SIRDAR_PUSH_KEY={key}")
