"""A campaign that points have decided: its pages, despatches and documents name them."""

import pytest
from django.test import Client
from django.urls import reverse

from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.services.journal import audit, creation
from tests.played_once import begin_once
from tests.streams.test_telling import messages

pytestmark = pytest.mark.django_db


@pytest.fixture
def over() -> Campaign:
    """Return a public campaign that is over after its last month, by points."""
    terms = creation.NewCampaignTerms("hicks-in-kordofan", public=True, seed=bytes(32))
    return begin_once(terms, months=12)


def test_the_points_are_named_wherever_the_result_is(over: Campaign) -> None:
    state, client = selectors.state_now(over), Client()
    assert state.score is not None
    assert state.result is not None
    points = state.score.egyptian, state.score.mahdist
    said = f"by {max(points)} points to {min(points)}."
    assert said in over.outcome
    for name in ("front", "campaign", "debrief"):
        page = client.get(reverse(name, args=[over.slug] if name != "front" else []))
        assert said in page.content.decode(), name


def test_the_points_are_in_the_documents(over: Campaign) -> None:
    score, client = selectors.state_now(over).score, Client()
    assert score is not None
    points = {"egyptian_points": score.egyptian, "mahdist_points": score.mahdist}
    address = f"/api/v1/campaigns/{over.slug}/"
    result = client.get(f"{address}months/current/state/").json()["final_result"]
    assert result["final_score"] == points
    assert client.get(address).json()["outcome_text"] == over.outcome
    last = journal_events.cursor_of(over.entries.order_by("-number")[1])
    events = client.get(f"{address}events/?since={last}").json()["results"]
    ends = [part["event"] for part in events if part["event"]["type"] == "campaign_ended"]
    assert [event["final_score"] for event in ends] == [points]


def test_the_stream_says_how_the_campaign_stands_as_its_document_does(over: Campaign) -> None:
    client, address = Client(), f"/api/v1/campaigns/{over.slug}/"
    document = client.get(address).json()
    kind, _, status = messages(client.get(f"{address}events/stream/").content)[-1]
    assert kind == "status"
    same = ("status", "outcome_text", "cursor", "month", "side", "phase", "waiting_for")
    assert {name: status[name] for name in same} == {name: document[name] for name in same}
    assert status["status"] == "over"


def test_its_journal_is_replayed_to_the_same_end(over: Campaign) -> None:
    assert audit.replay_check(over).entries
