"""Push: what arrives at a push service is signed, opens with the browser's key, and comes once."""

import base64
import json
from collections.abc import Iterator
from io import StringIO
from typing import Any, NamedTuple

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.core import mail as outbox
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from py_vapid import Vapid02

from api import push
from api.ssrf_guard import Undeliverable
from api.tasks import send_push
from campaign.models import Campaign, MailSent, PushSubscription
from campaign.services import mail, mail_messages
from campaign.services.errors import Refused, UnfitRequest
from campaign.services.journal import creation
from campaign.services.turns import advance
from tests.people import SIEGE, People
from tests.streams.listening import Heard

pytestmark = pytest.mark.django_db


def new_key() -> str:
    out = StringIO()
    call_command("pushkey", stdout=out)
    return out.getvalue().strip().removeprefix("SIRDAR_PUSH_KEY=")


class Browser(NamedTuple):
    """A browser as its push service knows it, with the key that never leaves it."""

    endpoint: str
    private: Any
    secret: bytes = b"sixteen bytes ok"

    @property
    def keys(self) -> dict[str, str]:
        point = self.private.public_key().public_bytes(
            Encoding.X962, PublicFormat.UncompressedPoint
        )
        return {"p256dh": encoded(point), "auth": encoded(self.secret)}

    def opens(self, body: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret)
        found: dict[str, str] = json.loads(plain)
        return found


def encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@pytest.fixture
def heard(settings: Any) -> Iterator[Heard]:
    """A push service on this machine."""
    program = Heard()
    program.status = 201
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    settings.PUSH_KEY = new_key()
    yield program
    program.end()


@pytest.fixture
def browser(heard: Heard, people: People) -> Browser:
    """A browser of the Egyptian commander, subscribed by REST as the page does it."""
    made = Browser(f"{heard.origin}/push/1", ec.generate_private_key(ec.SECP256R1()))
    client = Client()
    client.force_login(people.egyptian)
    answer = client.post(
        "/api/v1/account/push-subscriptions/",
        {"endpoint": made.endpoint, "keys": made.keys, "browser": "Firefox on Linux"},
        content_type="application/json",
    )
    assert answer.status_code == 201, answer.content
    return made


def begun(people: People) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    terms = creation.NewCampaignTerms(SIEGE, "Thursday", mode="orders", fog=True, seats=seats)
    return creation.create_campaign(terms)


def drain(browser: Browser, heard: Heard, on_commit: Any) -> list[dict[str, str]]:
    """Send what is due as the worker's clock does; return what the browser has been shown."""
    with on_commit(execute=True):
        mail.send_due()
    found = [browser.opens(body) for _, body in heard.requests]
    heard.requests.clear()
    return found


def test_a_turn_is_told_once_and_only_that_browser_can_read_it(
    people: People, browser: Browser, heard: Heard, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = begun(people)
    with django_capture_on_commit_callbacks(execute=True):
        mail.send_due()
    ((headers, body),) = heard.requests
    shown = browser.opens(body)
    assert shown["title"].startswith("Thursday, ")
    assert shown["title"].endswith(": it is your turn")
    assert shown["path"] == reverse("campaign", args=[campaign.slug])
    assert headers["Content-Encoding"] == "aes128gcm"
    assert int(headers["TTL"]) > 0
    assert b"Thursday" not in body
    with pytest.raises(http_ece.ECEException):
        Browser("", ec.generate_private_key(ec.SECP256R1())).opens(body)
    heard.requests.clear()
    assert drain(browser, heard, django_capture_on_commit_callbacks) == []
    assert not outbox.outbox
    assert MailSent.objects.filter(kind="push-turn").count() == 1


def test_what_is_sent_is_signed_by_the_key_that_the_page_gives_out(
    people: People, browser: Browser, heard: Heard, django_capture_on_commit_callbacks: Any
) -> None:
    begun(people)
    with django_capture_on_commit_callbacks(execute=True):
        mail.send_due()
    scheme, _, rest = heard.requests[0][0]["Authorization"].partition(" ")
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, given["k"]) == ("vapid", push.public_key())
    assert Vapid02.verify(heard.requests[0][0]["Authorization"])
    part = given["t"].split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    assert claims["aud"] == heard.origin
    client = Client()
    client.force_login(people.egyptian)
    page = client.get(reverse("push")).content.decode()
    assert f'data-key="{push.public_key()}"' in page
    assert "Firefox on Linux" in page


def test_a_month_that_is_out_is_told_too_and_what_is_switched_off_is_not(
    people: People, browser: Browser, heard: Heard, django_capture_on_commit_callbacks: Any
) -> None:
    campaign = begun(people)
    drain(browser, heard, django_capture_on_commit_callbacks)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    shown = drain(browser, heard, django_capture_on_commit_callbacks)
    assert len(shown) == len({one["tag"] for one in shown}) == 2
    assert {one["body"] for one in shown} == {mail.PUSHED[mail.TURN], mail.PUSHED[mail.GAZETTE]}
    mailing = mail_messages.mailing_of(people.egyptian)
    mailing.turn = mailing.gazette = False
    mailing.save()
    advance.run_month(campaign.pk, until=campaign.month + 2)
    assert drain(browser, heard, django_capture_on_commit_callbacks) == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_removed(browser: Browser, heard: Heard, status: int) -> None:
    heard.status = status
    one = PushSubscription.objects.get()
    assert not push.send(one.pk, {"title": "x"})
    assert not PushSubscription.objects.exists()
    assert not push.send(one.pk, {"title": "x"})


@pytest.mark.parametrize(("status", "again"), [(429, True), (503, True), (400, False)])
def test_only_what_may_still_arrive_is_tried_again(
    browser: Browser, heard: Heard, status: int, again: bool
) -> None:
    heard.status = status
    one = PushSubscription.objects.get()
    if again:
        with pytest.raises(Undeliverable):
            push.send(one.pk, {"title": "x"})
    else:
        assert not push.send(one.pk, {"title": "x"})
    assert PushSubscription.objects.exists()


def test_a_push_service_that_is_down_stops_neither_the_mail_nor_the_month(
    people: People, browser: Browser, heard: Heard, django_capture_on_commit_callbacks: Any
) -> None:
    User.objects.filter(pk=people.egyptian.pk).update(email="gordon@example.org")
    campaign = begun(people)
    heard.end()
    with django_capture_on_commit_callbacks(execute=True):
        mail.send_due()
    assert [one.to for one in outbox.outbox] == [["gordon@example.org"]]
    advance.run_month(campaign.pk, until=campaign.month + 1)
    campaign.refresh_from_db()
    assert campaign.month == campaign.first_month + 1
    send_push.apply([PushSubscription.objects.get().pk, {"title": "x"}], retries=4).get()


def test_a_site_without_a_key_says_so_and_takes_no_browser(people: People, settings: Any) -> None:
    settings.PUSH_KEY = ""
    client = Client()
    client.force_login(people.egyptian)
    page = client.get(reverse("push")).content.decode()
    assert "its administrator has set no key" in page
    assert "push-switch" not in page
    with pytest.raises(Refused, match="sends no push messages"):
        push.subscribe(people.egyptian, "https://push.example/1", "", "", "")


def test_addresses_and_keys_that_cannot_be_used_are_refused_by_name(
    heard: Heard, people: People, settings: Any
) -> None:
    good = Browser(f"{heard.origin}/push/1", ec.generate_private_key(ec.SECP256R1()))
    keys = good.keys
    wrong = [
        ({"endpoint": "http://example.org/x", **keys}, "address of the push service"),
        ({"endpoint": good.endpoint, **keys, "p256dh": encoded(b"4" * 65)}, "public key"),
        ({"endpoint": good.endpoint, **keys, "p256dh": keys["auth"]}, "public key"),
        ({"endpoint": good.endpoint, **keys, "auth": "short"}, "secret"),
    ]
    for given, said in wrong:
        with pytest.raises(UnfitRequest, match=said):
            push.subscribe(people.egyptian, browser="x", **given)
    settings.WEBHOOKS_MAY_REACH = []
    with pytest.raises(UnfitRequest, match="not a public address"):
        push.subscribe(people.egyptian, good.endpoint, **keys, browser="x")
    settings.WEBHOOKS_MAY_REACH = ["127.0.0.0/8"]
    assert push.subscribe(people.egyptian, good.endpoint, **keys, browser="x").pk


def test_a_user_has_ten_browsers_and_one_that_changes_hands_is_the_other_users(
    heard: Heard, people: People
) -> None:
    key = Browser("", ec.generate_private_key(ec.SECP256R1())).keys
    for number in range(push.MOST_BROWSERS):
        push.subscribe(people.egyptian, f"{heard.origin}/{number}", **key, browser="x")
    with pytest.raises(Refused, match="10 of your browsers"):
        push.subscribe(people.egyptian, f"{heard.origin}/more", **key, browser="x")
    push.subscribe(people.egyptian, f"{heard.origin}/0", **key, browser="again")
    push.subscribe(people.mahdist, f"{heard.origin}/0", **key, browser="x")
    assert push.subscriptions_of(people.egyptian).count() == push.MOST_BROWSERS - 1


def test_a_browser_is_listed_and_removed_by_its_user_alone(
    browser: Browser, people: People
) -> None:
    own, other = Client(), Client()
    own.force_login(people.egyptian)
    other.force_login(people.mahdist)
    address = "/api/v1/account/push-subscriptions/"
    (listed,) = own.get(address).json()["results"]
    assert (listed["endpoint"], listed["browser"]) == (browser.endpoint, "Firefox on Linux")
    assert other.get(address).json()["results"] == []
    assert other.delete(listed["links"]["self"]).status_code == 404
    assert own.get(listed["links"]["self"]).json() == listed
    assert own.delete(listed["links"]["self"]).status_code == 204
    assert not PushSubscription.objects.exists()
