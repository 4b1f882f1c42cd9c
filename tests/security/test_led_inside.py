"""Webhooks that would lead the server to where only it may go: by name, redirection, spelling."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from api import ssrf_guard
from api.ssrf_guard import Undeliverable

OPEN, INSIDE = "127.0.0.2", "127.0.0.3"
"""The one stands for the open net, the other for what is behind the wall; both are listened to."""


class Listener:
    """A program that counts who comes, and answers as it is told."""

    def __init__(self, address: str, family: int = socket.AF_INET) -> None:
        self.came: list[str] = []
        self.status, self.location = 200, ""
        heard = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                heard.came.append(f"{self.command} {self.headers['Host']}")
                self.send_response(heard.status)
                if heard.location:
                    self.send_header("Location", heard.location)
                self.end_headers()

            do_POST = do_GET = answer  # noqa: N815

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Nothing needs to be said."""

        class Server(HTTPServer):
            address_family = family

        self.server = Server((address, 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def outside(settings: Any) -> Iterator[Listener]:
    settings.WEBHOOKS_MAY_REACH = [f"{OPEN}/32"]
    listener = Listener(OPEN)
    yield listener
    listener.end()


@pytest.fixture
def inside() -> Iterator[Listener]:
    listener = Listener(INSIDE)
    yield listener
    listener.end()


def names(monkeypatch: pytest.MonkeyPatch, *answers: tuple[str, int]) -> list[str]:
    """Let every name have these addresses, one after another each time it is asked."""
    asked: list[str] = []
    as_ever = socket.getaddrinfo

    def looked_up(host: str, *more: Any, **named: Any) -> list[Any]:
        if host == OPEN:
            return as_ever(host, *more, **named)
        address = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address)]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    return asked


def test_a_name_that_tells_another_address_after_it_was_checked_is_not_asked_again(
    outside: Listener, inside: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = names(monkeypatch, (OPEN, outside.port), (INSIDE, inside.port))
    assert ssrf_guard.post(f"http://rebound.example:{outside.port}/", b"{}", {}) == 200
    assert asked == ["rebound.example"]
    assert outside.came == [f"POST rebound.example:{outside.port}"]
    assert inside.came == []


def test_a_name_that_turns_inside_before_it_is_checked_is_not_sent_to(
    outside: Listener, inside: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A webhook that once reached the open net is looked up anew each time it is told."""
    names(monkeypatch, (OPEN, outside.port), (INSIDE, inside.port))
    ssrf_guard.post(f"http://turns.example:{outside.port}/", b"{}", {})
    with pytest.raises(Undeliverable, match="public address"):
        ssrf_guard.post(f"http://turns.example:{inside.port}/", b"{}", {})
    assert inside.came == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirection_leads_inside(outside: Listener, inside: Listener, status: int) -> None:
    outside.status, outside.location = status, f"http://{INSIDE}:{inside.port}/"
    assert ssrf_guard.post(f"http://{OPEN}:{outside.port}/", b"{}", {}) == status
    assert len(outside.came) == 1
    assert inside.came == []


SPELT = [
    *("127.0.0.1", "localhost", "localhost.", "127.1", "2130706433", "0x7f000001", "017700000001"),
    *("0", "0.0.0.0", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"),  # noqa: S104
    "[0:0:0:0:0:ffff:7f00:1]",
]


@pytest.mark.parametrize("host", SPELT)
def test_this_machine_is_known_by_every_spelling(host: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = []
    listener = Listener("127.0.0.1")
    with pytest.raises(Undeliverable, match=r"public address|no host"):
        ssrf_guard.post(f"http://{host}:{listener.port}/", b"{}", {})
    listener.end()
    assert listener.came == []


@pytest.mark.parametrize("host", ["[::1]", "[0:0:0:0:0:0:0:1]", "ip6-localhost", "[::1%25lo]"])
def test_this_machine_is_known_by_its_newer_address(host: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = []
    listener = Listener("::1", socket.AF_INET6)
    with pytest.raises(Undeliverable, match=r"public address|no host|no address"):
        ssrf_guard.post(f"http://{host}:{listener.port}/", b"{}", {})
    listener.end()
    assert listener.came == []
