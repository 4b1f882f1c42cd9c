"""Requests to addresses that users give: never inside, never without end."""

import socket
import threading
from contextlib import suppress
from typing import Any

import pytest

from api import ssrf_guard, webhooks
from api.models import Webhook
from api.ssrf_guard import Undeliverable, check_address, is_open
from tests.api.conftest import As
from tests.api.problems import problem
from tests.patience import PATIENCE
from tests.people import People
from tests.streams.listening import Heard


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.3.4",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "2002:7f00:1::",
        "2002:5db8:d822::1",
        "2001:0:5db8:d822::1",
        "2001:db8::1",
        "3fff::1",
        "fec0::1",
        "feff::1",
        "::93.184.216.34",
        "::ffff:93.184.216.34",
        "::ffff:0:93.184.216.34",
        "::ffff:0:127.0.0.1",
        "64:ff9b::93.184.216.34",
        "100::1",
        "4000::1",
        "5f00::1",
        "192.88.99.1",
        "192.0.0.9",
        "192.0.2.1",
        "198.18.0.1",
        "203.0.113.1",
        "240.0.0.1",
    ],
)
def test_what_is_inside_is_not_on_the_open_net(address: str) -> None:
    assert not is_open(address)


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "192.88.98.1", "2606:2800:220:1:248:1893:25c8:1946", "2001:4860:4860::8888"],
)
def test_what_is_outside_is(address: str) -> None:
    assert is_open(address)


@pytest.mark.parametrize(
    "host",
    [
        *(
            "127.0.0.1",
            "127.1",
            "0x7f.1",
            "2130706433",
            "0177.0.0.1",
            "localhost",
            "web.localhost.",
        ),
        *("10.0.0.8", "169.254.169.254", "[::1]", "[fe80::1%eth0]", "[fec0::1]", "[::10.0.0.8]"),
    ],
)
def test_a_webhook_to_an_inside_address_is_refused_when_it_is_made(host: str, as_: As) -> None:
    refused = as_("egyptian").post("/webhooks/", {"url": f"http://{host}:8080/told"})
    problem(refused, "unfit")
    assert "is not a public address" in refused.json()["detail"]
    assert not Webhook.objects.exists()


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org@127.0.0.1/",
        "http://127.0.0.1#@example.org/",
        "http://127.0.0.1\\@example.org/",
        "http://127。0。0。1/",
        "http://①②⑦.0.0.1/",
        "http://ⓛocalhost/",
        "http://example.org:0x50/",
        "http://example.org:0/",
        "http://example.org:-1/",
        "http://%6c%6f%63%61%6c%68%6f%73%74%00/",
        "http:///127.0.0.1/",
        "gopher://127.0.0.1:6379/_FLUSHALL",
    ],
)
def test_an_address_in_disguise_is_sent_to_nowhere(url: str, settings: Any) -> None:
    settings.WEBHOOKS_MAY_REACH = []
    with pytest.raises(Undeliverable):
        ssrf_guard.post(url, b"{}", {})


def test_nothing_is_sent_inside(people: People, heard: Heard, settings: Any) -> None:
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    settings.WEBHOOKS_MAY_REACH = []
    for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"):
        url = f"http://{host}:{heard.server.server_port}/"
        with pytest.raises(Undeliverable, match=r"public address|no host"):
            ssrf_guard.post(url, b"{}", {})
    webhooks.send_test_event(hook)
    webhooks.deliver_due()
    assert heard.requests == []
    assert "public address" in webhooks.delivery_log(hook)[0].error


def test_a_name_that_changes_its_address_is_led_nowhere(
    heard: Heard, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checked address is the one connected to: the name is looked up once."""
    asked: list[Any] = []
    port = heard.server.server_port

    def looked_up(host: str, *_: Any, **__: Any) -> list[Any]:
        asked.append(host)
        inside = ("127.0.0.1", port)
        outside = ("93.184.216.34", port)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", one) for one in (outside, inside)]

    settings.WEBHOOKS_MAY_REACH = []
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    with pytest.raises(Undeliverable, match="public address"):
        ssrf_guard.post(f"http://rebound.example:{port}/", b"{}", {})
    assert asked == ["rebound.example"]
    assert heard.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "file:///etc/passwd",
        "example.org",
        "http://",
        "http://user:secret@example.org/",
        "http://example.org:22/",
        "http://example.org:70000/",
        "http://exa mple.org/",
        "http://example.org/\r\nHost: inside",
        "http://[::1/",
        f"https://example.org/{'x' * 500}",
    ],
)
def test_an_address_that_is_none_is_refused_in_words(url: str, as_: As) -> None:
    with pytest.raises(Undeliverable):
        check_address(url)


def test_a_handshake_that_never_ends_is_hung_up_on(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says a byte now and then, sooner than anybody's patience with one byte is over."""
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    monkeypatch.setattr(ssrf_guard, "WHOLE_PATIENCE", 1.0)
    stopped = threading.Event()

    def dribble(listening: socket.socket) -> None:
        talking, _ = listening.accept()
        with talking:
            talking.sendall(b"\x16\x03\x03\x40\x00")
            while not stopped.wait(0.1):
                with suppress(OSError):
                    talking.sendall(b"\x02")

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=dribble, args=[listening], daemon=True)
        thread.start()
        with pytest.raises(Undeliverable):
            ssrf_guard.post(f"https://127.0.0.1:{listening.getsockname()[1]}/", b"{}", {})
        stopped.set()
        thread.join()


ENDLESS = {
    "a body": (b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 65536),
    "a body in chunks": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"8000\r\n" + b"x" * 0x8000 + b"\r\n",
    ),
    "a line": (b"HTTP/1.1 200 OK\r\nX: ", b"x" * 65536),
    "headers": (b"HTTP/1.1 200 OK\r\n", b"X: x\r\n" * 1000),
    "answers before the answer": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 100),
}


def _listens(talking: socket.socket) -> bool:
    """Return whether the other end has not been shut, even if a child process keeps it open."""
    try:
        return talking.recv(65536, socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True


@pytest.mark.parametrize("what", ENDLESS)
def test_a_program_whose_answer_never_ends_is_hung_up_on(
    what: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    monkeypatch.setattr(
        ssrf_guard, "WHOLE_PATIENCE", PATIENCE if what.startswith("a body") else 1.0
    )
    beginning, more = ENDLESS[what]
    hung_up = threading.Event()

    def talk(listening: socket.socket) -> None:
        talking, _ = listening.accept()
        with talking, suppress(OSError):
            talking.sendall(beginning)
            talking.settimeout(0.2)
            while _listens(talking):
                with suppress(TimeoutError):
                    talking.sendall(more)
        hung_up.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=talk, args=[listening], daemon=True).start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        if what.startswith("a body"):
            assert ssrf_guard.post(url, b"{}", {}) == 200
        else:
            with pytest.raises(Undeliverable):
                ssrf_guard.post(url, b"{}", {})
        assert hung_up.wait(PATIENCE)


def test_a_program_that_dawdles_is_hung_up_on(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    monkeypatch.setattr(ssrf_guard, "WHOLE_PATIENCE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Undeliverable):
        ssrf_guard.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", {})


def test_an_address_that_can_never_be_reached_is_refused_with_the_reason(
    as_: As, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    addresses = {"inside.example": "10.1.2.3", "outside.example": "93.184.216.34"}

    def looked_up(host: str, *_: Any, **__: Any) -> list[Any]:
        if host not in addresses:
            raise socket.gaierror("unknown")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (addresses[host], 443))]

    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    api = as_("egyptian")
    refused = {
        "https://inside.example/told": "inside.example is not a public address",
        "http://outside.example/told": "must begin with https://",
        "http://unknown.example/told": "must begin with https://",
    }
    for url, reason in refused.items():
        assert reason in problem(api.post("/webhooks/", {"url": url}), "unfit")["detail"]
    for host in ("outside.example", "unknown.example"):
        assert api.post("/webhooks/", {"url": f"https://{host}/told"}).status_code == 201
    settings.WEBHOOKS_MAY_REACH = ["10.1.0.0/16"]
    assert api.post("/webhooks/", {"url": "http://inside.example/told"}).status_code == 201
