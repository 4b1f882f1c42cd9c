"""Send requests to addresses that users name, protected against SSRF.

The name is resolved here, all its addresses must be public, and the request goes to the address
that was checked: a name that resolves differently a moment later (DNS rebinding) gains nothing.
Redirects are not followed, and slow or long answers are cut off.
"""

import ipaddress
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from threading import Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

PATIENCE = 5.0  # seconds for each socket operation
WHOLE_PATIENCE = 10.0  # seconds for the whole request
MOST_BYTES = 4096  # bytes of the answer that are read
LONGEST_ADDRESS = 500  # characters of an address
PORTS = {80, 443}
UNPRIVILEGED = 1024
UNICAST = tuple(map(ipaddress.ip_network, ("0.0.0.0/0", "2000::/3")))
"""The public address space: IANA has assigned no other part of IPv6."""
SPECIAL = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",
            "100.64.0.0/10",  # shared by a provider's customers
            "127.0.0.0/8",
            "169.254.0.0/16",  # link-local; metadata services of clouds
            "172.16.0.0/12",
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.88.99.0/24",  # relays to 6to4
            "192.168.0.0/16",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",  # multicast and reserved
            "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarks
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which embeds an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
"""Non-public networks within it, by IANA's registries of special-purpose addresses."""


class Undeliverable(Exception):
    """A request that could not be sent; the message says why, for people."""


def post(url: str, body: bytes, headers: Mapping[str, str]) -> int:
    """Send the body and return the status of the answer. Raises Undeliverable."""
    parts = check_address(url)
    address = _address_of(parts)
    try:
        return _ask(parts, address, body, headers)
    except ssl.SSLError as error:
        raise Undeliverable(f"No safe connection: {error.reason or error}.") from error
    except TimeoutError as error:
        raise Undeliverable("It took too long to answer.") from error
    except (OSError, HTTPException, ValueError) as error:
        raise Undeliverable(f"No answer: {str(error) or type(error).__name__}.") from error


def check_address(url: str) -> SplitResult:
    """Return the parts of an address that may be used; Undeliverable says what is wrong."""
    try:
        parts = urlsplit(url)
        port = port_of(parts)
    except ValueError as error:
        raise Undeliverable(f"That is no address: {error}.") from error
    if (
        len(url) > LONGEST_ADDRESS
        or not url.isascii()
        or any(character.isspace() for character in url)
    ):
        raise Undeliverable(f"An address is of at most {LONGEST_ADDRESS} plain characters.")
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise Undeliverable("An address begins with https:// or http:// and names a host.")
    if parts.username is not None or parts.password is not None:
        raise Undeliverable("An address carries no name and no password.")
    if port not in PORTS and port < UNPRIVILEGED:
        raise Undeliverable(
            f"Port {port} is not allowed: use 80, 443, or one from {UNPRIVILEGED} up."
        )
    _check_literal(parts.hostname)
    return parts


def check_reachable(url: str) -> None:
    """Raise Undeliverable for an address that requests can never reach.

    Its host must not be inside a network, and HTTP without TLS is for hosts that the site's
    settings allow. A name that is unknown now is accepted: it may be set up later.
    """
    parts = check_address(url)
    with suppress(OSError, UnicodeError):
        addresses = {str(record[4][0]) for record in _look_up(parts)}
        if not all(map(is_open, addresses)):
            raise _inside(parts.hostname or "")
        if addresses and all(map(_is_allowed, addresses)):
            return
    if parts.scheme != "https":
        raise Undeliverable("The address must begin with https://, so that nobody can listen in.")


def port_of(parts: SplitResult) -> int:
    """Return the port of the address, or the scheme's default. ValueError for an invalid one."""
    return parts.port if parts.port is not None else 443 if parts.scheme == "https" else 80


def _address_of(parts: SplitResult) -> str:
    """Return an address of the host; Undeliverable unless all its addresses are public."""
    host = parts.hostname or ""
    try:
        records = _look_up(parts)
    except (OSError, UnicodeError) as error:
        raise Undeliverable(f"There is no host {host}.") from error
    addresses = [str(record[4][0]) for record in records]
    if not addresses or not all(map(is_open, addresses)):
        raise _inside(host)
    return addresses[0]


def _look_up(parts: SplitResult) -> list[Any]:
    return socket.getaddrinfo(parts.hostname, port_of(parts), type=socket.SOCK_STREAM)


def _check_literal(host: str) -> None:
    """Refuse a host that is a non-public address as it is written, without a lookup."""
    address = "127.0.0.1" if f".{host.rstrip('.')}".endswith(".localhost") else _literal(host)
    if address is not None and not is_open(address):
        raise _inside(host)


def _literal(host: str) -> str | None:
    """Return the IP address that the host is written as, or None.

    127.1, 0x7f.1 and 2130706433 are all 127.0.0.1 to the system.
    """
    with suppress(OSError):
        return socket.inet_ntoa(socket.inet_aton(host))
    with suppress(ValueError):
        return str(ipaddress.ip_address(host.partition("%")[0]))
    return None


def _inside(host: str) -> Undeliverable:
    return Undeliverable(
        f"{host} is not a public address: nothing is sent there, unless the site’s settings allow "
        "its network (SIRDAR_WEBHOOK_NETWORKS)."
    )


def is_open(text: str) -> bool:
    """Return whether the address is public, or allowed by the site's settings."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if _is_allowed(text):
        return True
    public = any(address in network for network in UNICAST)
    return public and not any(address in network for network in SPECIAL)


def _is_allowed(text: str) -> bool:
    """Return whether the site's settings allow the address."""
    address = ipaddress.ip_address(text.partition("%")[0])
    allowed = (
        ipaddress.ip_network(network, strict=False) for network in settings.WEBHOOKS_MAY_REACH
    )
    return any(address in network for network in allowed)


def _ask(parts: SplitResult, address: str, body: bytes, headers: Mapping[str, str]) -> int:
    connection = PinnedConnection(parts, address)
    hanging_up = Timer(WHOLE_PATIENCE, connection.hang_up)
    hanging_up.daemon = True
    try:
        hanging_up.start()
        connection.connect()
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, dict(headers))
        answer = connection.getresponse()
        answer.read(MOST_BYTES)
        return answer.status
    finally:
        hanging_up.cancel()
        connection.close()


class PinnedConnection(HTTPConnection):
    """A connection to the address that was checked, and to no other."""

    def __init__(self, parts: SplitResult, address: str) -> None:
        super().__init__(parts.hostname or "", port_of(parts), timeout=PATIENCE)
        self._address, self._safe = address, parts.scheme == "https"

    def connect(self) -> None:
        self.sock = socket.create_connection((self._address, self.port), PATIENCE)
        if self._safe:
            context = ssl.create_default_context()
            # The handshake comes after the assignment, so that hang_up() can end it.
            self.sock = context.wrap_socket(
                self.sock, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()

    def hang_up(self) -> None:
        """Shut the socket down at once, even during a handshake."""
        if self.sock is not None:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
