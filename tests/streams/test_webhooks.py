"""Webhooks: signed, told once, tried again, given up, and never led where they must not go."""

import hmac
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone

from api.http import authentication
from api.models import Delivery, Webhook
from api.webhooks import registry, ssrf_guard
from api.webhooks.ssrf_guard import Undeliverable, check_address, is_open
from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.patience import PATIENCE


class Heard:
    """A program that listens: what it was sent, and how it answers."""

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.status, self.headers = 200, {}  # type: int, dict[str, str]
        heard = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                heard.requests.append((dict(self.headers), body))
                self.send_response(heard.status)
                for name, value in heard.headers.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Nothing needs to be said."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/told?by=sirdar"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def bodies(self) -> list[Any]:
        return [json.loads(body) for _, body in self.requests]


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    program = Heard()
    yield program
    program.server.shutdown()
    program.server.server_close()


def later(**by: int) -> None:
    """Let time pass for what is to be tried again."""
    Delivery.objects.exclude(due=None).update(due=F("due") - timedelta(**by))


def tell(campaign: Campaign) -> None:
    registry.queue_deliveries([campaign.pk])
    registry.deliver_due()


def test_what_happens_is_told_once_in_words_and_signed(
    secret: Campaign, heard: Heard, people: dict[str, User]
) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url, events=["month", "over"])
    tell(secret)
    assert heard.requests == []
    advance.run_month(secret.pk, until=secret.month + 1)
    for _ in range(2):
        tell(secret)
    ((headers, body),) = heard.requests
    told = json.loads(body)
    assert (told["event"], told["campaign"], told["month"]) == ("month", "secret", "1884-03")
    assert told["words"] == "Secret: it is March 1884"
    assert told["url"].endswith("/campaigns/secret/")
    assert told["content"] == f"{told['words']}\n{told['url']}"
    moment, _, mac = headers["Sirdar-Signature"].partition(",v1=")
    signed = moment.removeprefix("t=").encode() + b"." + body
    assert hmac.new(hook.secret.encode(), signed, sha256).hexdigest() == mac
    assert abs(int(moment.removeprefix("t=")) - timezone.now().timestamp()) < 300
    (row,) = registry.delivery_log(hook)
    assert (row.status, row.attempts, row.error, row.due) == (200, 1, "", None)


def test_a_user_is_told_what_is_his_and_a_campaign_what_the_public_may_know(
    heard: Heard, people: dict[str, User], seats: dict[str, User]
) -> None:
    wanted = creation.NewCampaignTerms(
        "siege-of-khartoum", slug="live", seats=seats, mode="live", fog=True
    )
    live = creation.create_campaign(wanted)
    mine, other = people[live.side], people["mahdist" if live.side == "egyptian" else "egyptian"]
    hooks = {user: registry.create_webhook(user, heard.url) for user in (mine, other)}
    of_all = registry.create_webhook(people["umpire"], heard.url, campaign=live)
    Delivery.objects.all().delete()
    tell(live)
    told = {
        hook: [one.event for one in registry.delivery_log(hook)]
        for hook in (*hooks.values(), of_all)
    }
    assert told[hooks[mine]] == ["turn"]
    assert told[hooks[other]] == []
    assert told[of_all] == []


@pytest.mark.parametrize("status", [500, 404, 302])
def test_what_is_not_taken_is_tried_again_and_then_given_up(
    status: int, secret: Campaign, heard: Heard, people: dict[str, User]
) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    heard.status, heard.headers = status, {"Location": f"{heard.url}&again"}
    registry.send_test_event(hook)
    assert registry.deliver_due() == 1
    assert registry.deliver_due() == 0
    for _ in range(10):
        later(days=1)
        registry.deliver_due()
    (row,) = registry.delivery_log(hook)
    assert row.attempts == len(heard.requests) == len(registry.RETRY_DELAYS) + 1
    assert (row.due, row.delivered, row.status) == (None, None, status)
    assert str(status) in row.error


def test_each_wait_is_longer_than_the_last() -> None:
    assert list(registry.RETRY_DELAYS) == sorted(set(registry.RETRY_DELAYS))


def test_what_comes_through_at_last_is_as_good(
    heard: Heard, people: dict[str, User], secret: Campaign
) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    registry.send_test_event(hook)
    heard.status = 503
    registry.deliver_due()
    hook.refresh_from_db()
    assert hook.failures == 1
    heard.status = 204
    later(hours=1)
    registry.deliver_due()
    hook.refresh_from_db()
    (row,) = registry.delivery_log(hook)
    assert row.delivered
    assert (hook.failures, row.attempts, row.error) == (0, 2, "")


def test_one_that_always_fails_is_disabled_and_its_owner_told(
    heard: Heard, people: dict[str, User], secret: Campaign
) -> None:
    User.objects.filter(pk=people["egyptian"].pk).update(email="gordon@example.org")
    hook = registry.create_webhook(people["egyptian"], heard.url)
    heard.status = 500
    for _ in range(registry.PATIENCE):
        registry.send_test_event(hook)
        Webhook.objects.filter(pk=hook.pk).update(failures=registry.PATIENCE - 1)
        registry.deliver_due()
        hook.refresh_from_db()
        if hook.disabled:
            break
    assert hook.disabled
    assert [one.to for one in mail.outbox] == [["gordon@example.org"]]
    assert heard.url in mail.outbox[0].body
    sent = len(heard.requests)
    later(days=2)
    assert registry.deliver_due() == 0
    assert len(heard.requests) == sent
    heard.status = 200
    registry.send_test_event(hook)
    registry.deliver_due()
    hook.refresh_from_db()
    assert hook.disabled is None


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
    assert "is not on the open net" in refused.json()["detail"]
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


def test_nothing_is_sent_inside(people: dict[str, User], heard: Heard, settings: Any) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    settings.WEBHOOKS_MAY_REACH = []
    for host in ("127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"):
        url = f"http://{host}:{heard.server.server_port}/"
        with pytest.raises(Undeliverable, match=r"open net|no host"):
            ssrf_guard.post(url, b"{}", {})
    registry.send_test_event(hook)
    registry.deliver_due()
    assert heard.requests == []
    assert "open net" in registry.delivery_log(hook)[0].error


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
    with pytest.raises(Undeliverable, match="open net"):
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
    monkeypatch.setattr(ssrf_guard, "WHOLE", 1.0)
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


@pytest.mark.parametrize("what", ENDLESS)
def test_a_program_whose_answer_never_ends_is_hung_up_on(
    what: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    monkeypatch.setattr(ssrf_guard, "WHOLE", PATIENCE if what.startswith("a body") else 1.0)
    beginning, more = ENDLESS[what]
    hung_up = threading.Event()

    def talk(listening: socket.socket) -> None:
        talking, _ = listening.accept()
        with talking, suppress(OSError):
            talking.sendall(beginning)
            while True:
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
    monkeypatch.setattr(ssrf_guard, "WHOLE", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(Undeliverable):
        ssrf_guard.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", {})


def test_by_rest_it_is_made_tried_looked_after_and_revoked(
    as_: As, heard: Heard, secret: Campaign
) -> None:
    api = as_("egyptian")
    made = api.post("/webhooks/", {"url": heard.url, "events": ["month"]})
    assert made.status_code == 201
    assert made["Location"] == made.json()["webhook"]["links"]["self"]
    (line,) = api.get("/webhooks/").json()["results"]
    assert line == made.json()["webhook"]
    assert made.json()["secret"] not in api.get("/webhooks/").content.decode()
    tried = api.post(line["links"]["test"])
    assert (tried.status_code, tried.json()["event"]) == (202, "test")
    (told,) = api.get(line["links"]["deliveries"]).json()["results"]
    assert (told["status"], told["attempts"]) == (200, 1)
    assert [one["event"] for one in heard.bodies()] == ["test"]
    for who in ("mahdist", "umpire"):
        for path in (line["links"]["self"], line["links"]["deliveries"]):
            problem(as_(who).get(path), "not-found")
        problem(as_(who).post(line["links"]["test"]), "not-found")
    assert api.ask("delete", line["links"]["self"]).status_code == 204
    assert api.get("/webhooks/").json()["results"] == []


def test_one_of_a_campaign_is_the_umpires_to_make(
    as_: As, secret: Campaign, people: dict[str, User]
) -> None:
    wanted = {"url": "https://example.org/hook", "campaign": "secret"}
    problem(as_("egyptian").post("/webhooks/", wanted), "not-allowed")
    problem(as_("stranger").post("/webhooks/", wanted), "not-found")
    problem(as_("umpire").post("/webhooks/", {**wanted, "events": ["turn"]}), "unfit")
    orders_alone = Api(
        authentication.create_token(people["umpire"], "orders alone", ["read", "orders"])[1]
    )
    problem(orders_alone.post("/webhooks/", wanted), "not-in-scope")
    assert as_("umpire").post("/webhooks/", wanted).status_code == 201
    problem(as_("umpire").post("/webhooks/", {"url": "ftp://example.org"}), "unfit")


def test_its_pages_make_try_and_revoke_one(
    people: dict[str, User], heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people["umpire"])
    sent = {"url": heard.url, "campaign": secret.pk, "events": ["month", "turn"]}
    made = browser.post("/accounts/webhooks/", sent)
    hook = Webhook.objects.get()
    assert hook.secret in made.content.decode()
    assert hook.events == ["month"]
    assert hook.secret not in browser.get("/accounts/webhooks/").content.decode()
    page = f"/accounts/webhooks/{hook.pk}/"
    browser.post(f"{page}test/")
    assert "delivered" in browser.get(page).content.decode()
    heard.status = 500
    browser.post(f"{page}test/")
    assert "It answered 500" in browser.get(page).content.decode()
    refused = browser.post("/accounts/webhooks/", {**sent, "url": "ftp://example.org"})
    assert refused.status_code in (200, 400)
    assert "https://" in refused.content.decode()
    other = Client()
    other.force_login(people["egyptian"])
    assert other.get(page).status_code == 404
    assert other.post(f"{page}revoke/").status_code == 404
    browser.post(f"{page}revoke/")
    assert not Webhook.objects.exists()


def test_a_campaign_that_has_gone_on_wakes_its_webhooks(
    secret: Campaign,
    heard: Heard,
    people: dict[str, User],
    django_capture_on_commit_callbacks: Any,
) -> None:
    registry.create_webhook(people["umpire"], heard.url, campaign=secret)
    with django_capture_on_commit_callbacks(execute=True):
        advance.run_month(secret.pk, until=secret.month + 1)
    assert [one["event"] for one in heard.bodies()] == ["month"]
