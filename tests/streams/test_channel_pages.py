"""Channels are connected, changed, tested and disconnected on their page and by REST."""

import pytest
from django.test import Client
from rest_framework.throttling import SimpleRateThrottle

from api import channel_news, channel_posting
from api.http.throttles import HookThrottle
from api.models import CampaignChannel
from campaign.models import Campaign
from tests.api.conftest import As
from tests.api.problems import problem
from tests.people import People
from tests.streams.channels import discord, heard, slack
from tests.streams.listening import Heard

__all__ = ["heard"]


def test_by_rest_one_is_connected_changed_tested_and_disconnected(
    as_: As, heard: Heard, secret: Campaign
) -> None:
    api = as_("umpire")
    path = "/campaigns/secret/channels/"
    made = api.post(path, {"url": discord(heard), "topics": ["turn", "headline"]})
    assert made.status_code == 201
    told = made.json()
    here = told["links"]["self"]
    assert made["Location"] == here
    assert (told["service"], told["topics"]) == ("discord", ["headline", "turn"])
    assert "a-secret" not in made.content.decode()
    assert api.get(path).json()["results"] == [told]
    assert api.get(here).json() == told
    changed = api.patch(here, {"topics": ["reminder"], "enabled": False}).json()
    assert (changed["topics"], changed["enabled"]) == (["reminder"], False)
    tested = api.post(told["links"]["deliveries"])
    assert (tested.status_code, tested.json()["topic"]) == (201, None)
    (line,) = api.get(told["links"]["deliveries"]).json()["results"]
    assert (line["response_status"], line["last_error"]) == (200, None)
    assert api.get(here).json()["enabled"]
    assert len(heard.requests) == 1
    problem(api.post(path, {"url": "https://example.org/hook"}), "unfit")
    problem(api.patch(here, {"url": slack(heard)}), "invalid")
    problem(api.patch(here, {"topics": []}), "invalid")
    for who in ("egyptian", "spectator"):
        problem(as_(who).get(path), "not-allowed")
        problem(as_(who).post(path, {"url": slack(heard)}), "not-allowed")
        problem(as_(who).patch(here, {"enabled": False}), "not-allowed")
        problem(as_(who).ask("delete", here), "not-allowed")
    problem(as_("stranger").get(path), "not-found")
    assert api.ask("delete", here).status_code == 204
    assert api.get(path).json()["results"] == []


def test_its_page_connects_changes_tests_and_disconnects(
    people: People, heard: Heard, secret: Campaign
) -> None:
    browser = Client()
    browser.force_login(people.umpire)
    page = "/campaigns/secret/console/channels/"
    assert page in browser.get("/campaigns/secret/console/").content.decode()
    refused = browser.post(page, {"url": "https://example.org/", "topics": ["turn"]})
    assert refused.status_code == 400
    assert "incoming webhook begins with" in refused.content.decode()
    sent = {"url": slack(heard), "topics": ["turn", "headline"]}
    assert browser.post(page, sent, follow=True).status_code == 200
    channel = CampaignChannel.objects.get()
    one = f"{page}{channel.pk}/"
    for do, expected in {
        "test": "posted",
        "disable": "It is disabled",
        "enable": "Disable",
    }.items():
        shown = browser.post(one, {"do": do}, follow=True).content.decode()
        assert expected in shown
        assert "a-secret" not in shown
    browser.post(one, {"do": "save", "topics": ["reminder"]})
    channel.refresh_from_db()
    assert channel.topics == ["reminder"]
    assert "Choose at least one" in browser.post(one, {"do": "save"}, follow=True).content.decode()
    other = Client()
    other.force_login(people.egyptian)
    assert other.get(page).status_code == 403
    assert other.post(one, {"do": "disconnect"}).status_code == 403
    browser.post(one, {"do": "disconnect"})
    assert not CampaignChannel.objects.exists()


def test_its_page_sends_tests_as_often_as_rest(
    people: People, heard: Heard, secret: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates = {**SimpleRateThrottle.THROTTLE_RATES, HookThrottle.scope: "1/hour"}
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", rates)
    channel = channel_posting.connect_channel(people.umpire, secret, slack(heard), ["turn"])
    browser = Client()
    browser.force_login(people.umpire)
    page = f"/campaigns/secret/console/channels/{channel.pk}/"
    shown = [browser.post(page, {"do": "test"}, follow=True).content.decode() for _ in range(2)]
    assert ["nothing was sent now." in one for one in shown] == [False, True]
    assert channel_posting.post_log(channel).count() == 1


def test_every_topic_is_described() -> None:
    assert set(channel_news.TOPICS) == set(channel_news.ChannelTopic)
