"""Streams of events through the client, over connections that break."""

from itertools import takewhile

import httpx

from campaign.models import Campaign
from campaign.services.turns import advance
from tests.clients.conftest import begin
from tests.clients.proxy import breaking_proxy
from tests.people import SIEGE


def test_a_broken_stream_goes_on_where_it_broke(url: str, umpire: httpx.Client) -> None:
    from sirdar_client import follow, with_token
    from sirdar_client.models import EventMonthBegan, EventPart

    slug = begin(umpire, SIEGE)
    campaign = Campaign.objects.get(slug=slug)
    advance.run_month(campaign.pk, until=campaign.month + 1)
    whole, cursor = [], None
    while page := umpire.get(f"campaigns/{slug}/events/", params={"since": cursor or ""}).json():
        if not page["results"]:
            break
        whole += page["results"]
        cursor = page["cursor"]
    path = umpire.get(f"campaigns/{slug}/").json()["links"]["stream"]
    token = umpire.headers["Authorization"].removeprefix("Bearer ")
    with breaking_proxy(url, 0, 3000, 5001) as proxy, with_token(proxy, token) as client:
        messages = follow(path, client=client, last_id="")
        told = list(takewhile(lambda message: message.event == "message", messages))
        messages = follow(path, client=client, last_id=told[-3].id)
        after = [next(messages), next(messages), next(messages)]
    assert [message.data for message in told] == whole
    assert len(told) > 20
    assert after[:2] == told[-2:]
    assert after[2].event == "status"
    events = [EventPart.from_dict(message.data).event for message in told]
    assert any(isinstance(event, EventMonthBegan) for event in events)
