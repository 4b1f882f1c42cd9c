"""Webhooks: signed, told once, tried again, given up, and never led where they must not go."""

import base64
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import F
from django.test import Client
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from accounts.tokens import create_token
from api import ssrf_guard
from api.models import Delivery, Webhook
from api.ssrf_guard import Undeliverable, check_address, is_open
from api.webhooks import registry
from api.webhooks.events import EventType
from campaign.models import Campaign
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.patience import PATIENCE
from tests.streams.listening import Heard

MONTH_AND_TURN = [EventType.MONTH_STARTED.value, EventType.TURN_STARTED.value]


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    program = Heard()
    yield program
    program.end()


def later(**by: int) -> None:
    """Let time pass for what is to be tried again."""
    Delivery.objects.exclude(due=None).update(due=F("due") - timedelta(**by))


def tell(campaign: Campaign) -> None:
    registry.queue_deliveries([campaign.pk])
    registry.deliver_due()


def test_what_happens_is_sent_once_and_the_library_accepts_it(
    secret: Campaign, heard: Heard, people: dict[str, User]
) -> None:
    events = [EventType.MONTH_STARTED, EventType.FINISHED]
    hook = registry.create_webhook(people["egyptian"], heard.url, events=events)
    tell(secret)
    assert heard.requests == []
    advance.run_month(secret.pk, until=secret.month + 1)
    for _ in range(2):
        tell(secret)
    ((headers, body),) = heard.requests
    told = Verifier(hook.secret).verify(body, headers)
    assert told == json.loads(body)
    assert set(told) == {"type", "timestamp", "api_version", "data"}
    assert (told["type"], told["api_version"]) == ("campaign.month_started", "v1")
    assert datetime.fromisoformat(told["timestamp"]) <= timezone.now()
    assert told["data"] == {
        "campaign": "secret",
        "campaign_title": "Secret",
        "month": "1884-03",
        "text": "Secret: it is March 1884",
        "url": "http://localhost:8000/campaigns/secret/",
    }
    (row,) = registry.delivery_log(hook)
    assert headers["webhook-id"] == registry.message_id(row.message_id)
    assert (row.status, row.attempts, row.error, row.due) == (200, 1, "", None)


def test_a_tampered_id_body_or_time_fails_the_check(
    secret: Campaign, heard: Heard, people: dict[str, User]
) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    registry.send_test_event(hook)
    registry.deliver_due()
    ((headers, body),) = heard.requests
    verifier = Verifier(hook.secret)
    verifier.verify(body, headers)
    changed = {
        "webhook-id": "msg_another",
        "webhook-timestamp": str(int(headers["webhook-timestamp"]) + 1),
        "webhook-signature": "v1,AAAA",
    }
    for name, value in changed.items():
        with pytest.raises(WebhookVerificationError):
            verifier.verify(body, {**headers, name: value})
    with pytest.raises(WebhookVerificationError):
        verifier.verify(body.replace(b"webhook.test", b"webhook.best"), headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(registry._new_secret()).verify(body, headers)


def test_the_id_is_the_same_in_every_attempt(
    secret: Campaign, heard: Heard, people: dict[str, User]
) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    registry.send_test_event(hook)
    heard.status = 500
    for _ in range(3):
        registry.deliver_due()
        later(days=1)
    ids = [headers["webhook-id"] for headers, _ in heard.requests]
    assert (len(ids), len(set(ids))) == (3, 1)
    for headers, body in heard.requests:
        Verifier(hook.secret).verify(body, headers)


def test_both_secrets_sign_for_a_day_after_a_rotation(
    secret: Campaign, heard: Heard, people: dict[str, User], as_: As
) -> None:
    api = as_("egyptian")
    made = api.post("/webhooks/", {"url": heard.url}).json()
    link, first = made["webhook"]["links"], made["secret"]
    assert first.startswith("whsec_")
    assert len(base64.b64decode(first.removeprefix("whsec_"), validate=True)) == 32
    rotated = api.post(link["secret"])
    second = rotated.json()["secret"]
    assert (rotated.status_code, rotated["Cache-Control"]) == (201, "no-store")
    left = datetime.fromisoformat(rotated.json()["previous_expires_at"]) - timezone.now()
    assert timedelta(hours=23, minutes=59) < left <= timedelta(hours=24)
    api.post(link["deliveries"])
    headers, body = heard.requests[-1]
    assert len(headers["webhook-signature"].split(" ")) == 2
    for one in (first, second):
        Verifier(one).verify(body, headers)
        with pytest.raises(WebhookVerificationError):
            Verifier(one).verify(body + b" ", headers)
    Webhook.objects.update(previous_expires=timezone.now() - timedelta(seconds=1))
    api.post(link["deliveries"])
    headers, body = heard.requests[-1]
    assert " " not in headers["webhook-signature"]
    Verifier(second).verify(body, headers)
    with pytest.raises(WebhookVerificationError):
        Verifier(first).verify(body, headers)
    problem(as_("mahdist").post(link["secret"]), "not-found")


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
    assert told[hooks[mine]] == [EventType.TURN_STARTED]
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
    assert row.attempts == len(heard.requests) == len(registry.WAITS) + 1
    assert (row.due, row.delivered, row.status) == (None, None, status)
    assert str(status) in row.error


def test_each_wait_is_longer_than_the_last() -> None:
    assert list(registry.WAITS) == sorted(set(registry.WAITS))


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


def test_an_answer_of_gone_disables_at_once(heard: Heard, people: dict[str, User]) -> None:
    hook = registry.create_webhook(people["egyptian"], heard.url)
    heard.status = 410
    registry.send_test_event(hook)
    registry.deliver_due()
    hook.refresh_from_db()
    assert hook.disabled
    assert registry.delivery_log(hook)[0].due is None


def test_by_rest_it_is_created_tested_looked_after_and_deleted(
    as_: As, heard: Heard, secret: Campaign
) -> None:
    api = as_("egyptian")
    made = api.post("/webhooks/", {"url": heard.url, "events": ["campaign.month_started"]})
    assert made.status_code == 201
    assert made["Location"] == made.json()["webhook"]["links"]["self"]
    (line,) = api.get("/webhooks/").json()["results"]
    assert line == made.json()["webhook"]
    assert made.json()["secret"] not in api.get("/webhooks/").content.decode()
    tried = api.post(line["links"]["deliveries"])
    assert (tried.status_code, tried.json()["type"]) == (201, "webhook.test")
    (told,) = api.get(line["links"]["deliveries"]).json()["results"]
    assert (told["response_status"], told["attempt_count"], told["last_error"]) == (200, 1, None)
    assert told["message_id"] == heard.requests[0][0]["webhook-id"]
    assert [one["type"] for one in heard.bodies()] == ["webhook.test"]
    for who in ("mahdist", "umpire"):
        for path in (line["links"]["self"], line["links"]["deliveries"]):
            problem(as_(who).get(path), "not-found")
        problem(as_(who).post(line["links"]["deliveries"]), "not-found")
        problem(as_(who).patch(line["links"]["self"], {"enabled": False}), "not-found")
    assert api.ask("delete", line["links"]["self"]).status_code == 204
    assert api.get("/webhooks/").json()["results"] == []


def test_it_is_changed_without_creating_another(
    as_: As, heard: Heard, played: Campaign, people: dict[str, User]
) -> None:
    api = as_("umpire")
    made = api.post("/webhooks/", {"url": heard.url, "events": ["campaign.turn_started"]}).json()
    here = made["webhook"]["links"]["self"]
    problem(api.patch(here, {"campaign": "secret"}), "unfit")
    changes = {"campaign": "secret", "events": ["campaign.month_started"], "enabled": False}
    told = api.patch(here, changes).json()
    assert {name: told[name] for name in changes} == changes
    assert told["disabled_at"] is not None
    assert api.get(here).json() == told
    assert api.patch(here, {"enabled": True}).json()["disabled_at"] is None
    tell(played)
    assert heard.requests == []
    problem(api.patch(here, {"url": "http://10.0.0.8/told"}), "unfit")
    assert api.patch(here, {"url": f"{heard.url}&more"}).json()["url"] == f"{heard.url}&more"
    advance.run_month(played.pk, until=played.month + 1)
    tell(played)
    assert [one["type"] for one in heard.bodies()] == ["campaign.month_started"]
    problem(api.patch(here, {"events": []}), "invalid")
    problem(api.patch(here, {"events": ["month"]}), "invalid")
    problem(api.patch(here, {"title": "x"}), "invalid")
    hook = registry.create_webhook(people["egyptian"], heard.url)
    of_campaign = {"campaign": "secret", "events": ["campaign.finished"]}
    problem(as_("egyptian").patch(f"/webhooks/{hook.pk}/", of_campaign), "not-allowed")


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
        "https://inside.example/told": "inside.example is not on the open net",
        "http://outside.example/told": "must begin with https://",
        "http://unknown.example/told": "must begin with https://",
    }
    for url, reason in refused.items():
        assert reason in problem(api.post("/webhooks/", {"url": url}), "unfit")["detail"]
    for host in ("outside.example", "unknown.example"):
        assert api.post("/webhooks/", {"url": f"https://{host}/told"}).status_code == 201
    settings.WEBHOOKS_MAY_REACH = ["10.1.0.0/16"]
    assert api.post("/webhooks/", {"url": "http://inside.example/told"}).status_code == 201


def test_one_of_a_campaign_is_the_umpires_to_make(
    as_: As, secret: Campaign, people: dict[str, User]
) -> None:
    wanted = {"url": "https://example.org/hook", "campaign": "secret"}
    problem(as_("egyptian").post("/webhooks/", wanted), "not-allowed")
    problem(as_("stranger").post("/webhooks/", wanted), "not-found")
    of_one_user = {**wanted, "events": ["campaign.turn_started"]}
    problem(as_("umpire").post("/webhooks/", of_one_user), "unfit")
    orders_alone = Api(create_token(people["umpire"], "orders alone", ["read", "orders"])[1])
    problem(orders_alone.post("/webhooks/", wanted), "not-in-scope")
    assert as_("umpire").post("/webhooks/", wanted).status_code == 201
    problem(as_("umpire").post("/webhooks/", {"url": "ftp://example.org"}), "unfit")


def test_its_pages_create_change_test_and_delete_one(
    people: dict[str, User], heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people["umpire"])
    sent = {"url": heard.url, "campaign": secret.pk, "events": MONTH_AND_TURN}
    made = browser.post("/accounts/webhooks/", sent)
    hook = Webhook.objects.get()
    assert hook.secret in made.content.decode()
    assert hook.events == [EventType.MONTH_STARTED]
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
    changed = {"url": heard.url, "events": MONTH_AND_TURN}
    assert browser.post(page, changed).status_code == 302
    hook.refresh_from_db()
    assert (hook.campaign, sorted(hook.events)) == (None, sorted(MONTH_AND_TURN))
    assert browser.post(page, {**changed, "url": "http://10.0.0.8/"}).status_code == 400
    rotated = browser.post(f"{page}secret/").content.decode()
    before, hook = hook.secret, Webhook.objects.get()
    assert hook.secret in rotated
    assert hook.previous_secret == before
    browser.post(f"{page}enable/")
    assert "It is disabled" in browser.get(page).content.decode()
    browser.post(f"{page}enable/", {"on": "yes"})
    assert "It is disabled" not in browser.get(page).content.decode()
    other = Client()
    other.force_login(people["egyptian"])
    assert other.get(page).status_code == 404
    assert other.post(f"{page}delete/").status_code == 404
    browser.post(f"{page}delete/")
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
    assert [one["type"] for one in heard.bodies()] == ["campaign.month_started"]
