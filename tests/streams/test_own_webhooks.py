"""Webhooks in the hands of their owners: by REST and on their pages."""

import base64
import re
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import SimpleRateThrottle
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from accounts.tokens import create_token
from api import webhooks
from api.http.throttles import HookThrottle
from api.models import Webhook
from api.webhooks import EventType
from campaign.models import Campaign
from campaign.services.turns import advance
from tests.api.conftest import Api, As
from tests.api.problems import problem
from tests.people import People
from tests.streams.listening import Heard, tell

MONTH_AND_TURN = [EventType.MONTH_STARTED.value, EventType.TURN_STARTED.value]


def test_both_secrets_sign_for_a_day_after_a_rotation(
    secret: Campaign, heard: Heard, people: People, as_: As
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
    as_: As, heard: Heard, played: Campaign, people: People
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
    hook = webhooks.create_webhook(people.egyptian, heard.url)
    of_campaign = {"campaign": "secret", "events": ["campaign.finished"]}
    problem(as_("egyptian").patch(f"/webhooks/{hook.pk}/", of_campaign), "not-allowed")


def test_one_of_a_campaign_is_the_umpires_to_make(
    as_: As, secret: Campaign, people: People
) -> None:
    wanted = {"url": "https://example.org/hook", "campaign": "secret"}
    problem(as_("egyptian").post("/webhooks/", wanted), "not-allowed")
    problem(as_("stranger").post("/webhooks/", wanted), "not-found")
    of_one_user = {**wanted, "events": ["campaign.turn_started"]}
    problem(as_("umpire").post("/webhooks/", of_one_user), "unfit")
    orders_alone = Api(create_token(people.umpire, "orders alone", ["read", "orders"])[1])
    problem(orders_alone.post("/webhooks/", wanted), "not-in-scope")
    assert as_("umpire").post("/webhooks/", wanted).status_code == 201
    problem(as_("umpire").post("/webhooks/", {"url": "ftp://example.org"}), "unfit")


def test_a_campaigns_webhook_without_an_event_it_can_receive_is_refused_on_its_pages(
    people: People, heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
    wrong = {"url": heard.url, "campaign": secret.pk, "events": ["campaign.turn_started"]}
    refused = browser.post("/accounts/webhooks/", wrong)
    assert refused.status_code == 400
    assert "Tick one that a campaign’s webhook receives" in refused.content.decode()
    assert not Webhook.objects.exists()
    browser.post("/accounts/webhooks/", {**wrong, "events": MONTH_AND_TURN})
    hook = Webhook.objects.get()
    assert browser.post(f"/accounts/webhooks/{hook.pk}/", wrong).status_code == 400
    hook.refresh_from_db()
    assert hook.events == [EventType.MONTH_STARTED]


def test_its_pages_create_change_test_and_delete_one(
    people: People, heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
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
    other.force_login(people.egyptian)
    assert other.get(page).status_code == 404
    assert other.post(f"{page}delete/").status_code == 404
    browser.post(f"{page}delete/")
    assert not Webhook.objects.exists()


def test_its_page_sends_tests_as_often_as_rest_and_says_when_the_next_may_be_sent(
    people: People, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, HookThrottle.scope: "2/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    hook = webhooks.create_webhook(people.umpire, heard.url, events=MONTH_AND_TURN)
    browser = Client()
    browser.force_login(people.umpire)
    test = f"/accounts/webhooks/{hook.pk}/test/"
    for _ in range(2):
        assert "Send the next in" not in browser.post(test, follow=True).content.decode()
    page = browser.post(test, follow=True).content.decode()
    assert re.search(r"nothing was sent now. Send the next in \d+ minutes?\.", page)
    assert webhooks.delivery_log(hook).count() == 2
