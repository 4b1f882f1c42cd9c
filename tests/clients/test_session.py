"""Sessions of the client: tokens, refusals, and what is sent again."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from campaign.models import Campaign
from tests.clients.conftest import begin
from tests.clients.proxy import breaking_proxy
from tests.clients.test_package import SAMPLES
from tests.people import PASSWORD, SIEGE

RUNS = 25
"""More than a user may have tokens."""


def tokens(umpire: httpx.Client) -> int:
    return len(umpire.get("tokens/").json()["results"])


def test_the_quick_start_leaves_no_token_behind(
    url: str, umpire: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    begin(umpire, SIEGE)
    sample = SAMPLES[0].replace("http://127.0.0.1:8000", url)
    sample = sample.replace("gordon", "umpire").replace("four-camels-at-noon", PASSWORD)
    assert url in sample
    program = compile(sample, "README.md", "exec")
    before = tokens(umpire)
    for _ in range(RUNS):
        exec(program, {})  # noqa: S102  the sample is ours
    assert len(capsys.readouterr().out.splitlines()) == RUNS
    assert tokens(umpire) == before


def test_a_token_has_the_scopes_that_were_asked_for(url: str) -> None:
    from sirdar_client import Refused, body, logged_in, with_token
    from sirdar_client.api.access import get_account
    from sirdar_client.api.campaigns import post_campaigns
    from sirdar_client.models import NewCampaign

    with logged_in(url, "umpire", PASSWORD, scopes=["read"]) as client:
        assert body(get_account.sync(client=client)).username == "umpire"
        with pytest.raises(Refused) as refused:
            post_campaigns.sync(client=client, body=NewCampaign(scenario=SIEGE))
    assert refused.value.status == 403
    assert refused.value.document["scope"] == "umpire"
    with with_token(url, client.token) as revoked, pytest.raises(Refused, match="401"):
        get_account.sync(client=revoked)


def test_a_wrong_password_is_refused(url: str) -> None:
    from sirdar_client import Refused, logged_in

    with pytest.raises(Refused, match="401"), logged_in(url, "umpire", "wrong"):
        pass


def test_a_refusal_names_the_clause_and_the_remedy(url: str, umpire: httpx.Client) -> None:
    from sirdar_client import Refused, logged_in
    from sirdar_client.api.decisions import post_campaign_answers
    from sirdar_client.models import March

    slug = begin(umpire, SIEGE, mode="live", egyptian="me", mahdist="staff")
    march = March(type_="march", unit_ids=[1, 2])
    with logged_in(url, "umpire", PASSWORD) as client, pytest.raises(Refused) as refused:
        post_campaign_answers.sync(slug, client=client, body=march, if_match="*")
    assert refused.value.status == 409
    assert refused.value.clause
    assert refused.value.remedy
    assert f"(clause {refused.value.clause})" in str(refused.value)


def test_a_refusal_names_the_place_of_each_fault(url: str, umpire: httpx.Client) -> None:
    from sirdar_client import Refused, body, logged_in
    from sirdar_client.api.order_sheets import put_sheet
    from sirdar_client.api.seats_and_invitations import get_campaign_seats
    from sirdar_client.models import SheetBody, StayOrderRequest

    slug = begin(umpire, SIEGE, mode="orders", egyptian="me")
    month = umpire.get(f"campaigns/{slug}/").json()["month"]
    bad = SheetBody(orders=[StayOrderRequest(type_="stay", hex_="nowhere")])
    with logged_in(url, "umpire", PASSWORD) as client:
        seats = body(get_campaign_seats.sync(slug, client=client)).results
        seat = next(seat for seat in seats if seat.role == "egyptian")
        with pytest.raises(Refused) as refused:
            put_sheet.sync(slug, seat.id, month, client=client, body=bad, if_match="*")
    assert [fault.pointer for fault in refused.value.errors] == ["/orders/0/hex"]
    assert "/orders/0/hex: " in str(refused.value)


def test_a_lost_answer_is_asked_for_again_and_nothing_is_done_twice(
    url: str, umpire: httpx.Client
) -> None:
    from sirdar_client import body, new_key, with_token
    from sirdar_client.api.campaigns import post_campaigns
    from sirdar_client.models import NewCampaign

    token = umpire.headers["Authorization"].removeprefix("Bearer ")
    wanted = NewCampaign(scenario=SIEGE, slug="once")
    with breaking_proxy(url, 0) as proxy, with_token(proxy, token) as client:
        made = body(post_campaigns.sync(client=client, body=wanted, idempotency_key=new_key()))
    assert made.slug == "once"
    unkeyed = NewCampaign(scenario=SIEGE, slug="unkeyed")
    with (
        breaking_proxy(url, 0) as proxy,
        with_token(proxy, token) as client,
        pytest.raises(httpx.TransportError),
    ):
        post_campaigns.sync(client=client, body=unkeyed)
    assert Campaign.objects.count() == 2, "What has no key is sent once."


def test_a_deleted_campaign_is_restored(url: str, umpire: httpx.Client) -> None:
    from sirdar_client import body, logged_in, new_key
    from sirdar_client.api.campaigns import (
        delete_campaign,
        get_deleted_campaigns,
        post_deleted_campaign,
    )
    from sirdar_client.models import EmptyBody

    slug = begin(umpire, SIEGE)
    with logged_in(url, "umpire", PASSWORD) as client:
        delete_campaign.sync_detailed(slug, client=client, if_match="*")
        (deleted,) = body(get_deleted_campaigns.sync(client=client)).results
        assert (deleted.slug, deleted.expires_at > deleted.deleted_at) == (slug, True)
        restored = body(
            post_deleted_campaign.sync(
                deleted.id, client=client, body=EmptyBody(), idempotency_key=new_key()
            )
        )
    assert restored.slug == slug


def test_a_campaign_is_begun_that_a_program_plays_alone(url: str, umpire: httpx.Client) -> None:
    from sirdar_client import body, logged_in
    from sirdar_client.api.campaigns import post_campaigns
    from sirdar_client.models import NewCampaign

    alone = NewCampaign(
        scenario=SIEGE,
        umpire="nobody",
        mode="orders",
        egyptian="me",
        mahdist="staff",
        when_ready=True,
    )
    with logged_in(url, "umpire", PASSWORD) as client:
        campaign = body(post_campaigns.sync(client=client, body=alone))
    assert (campaign.umpire, campaign.roles) == (None, ["egyptian"])


class Busy(BaseHTTPRequestHandler):
    """A server that is busy at first, and whose proxy knows no problem documents."""

    requests = 0

    def do_GET(self) -> None:
        type(self).requests += 1
        if self.path == "/api/v1/problems/":
            self.send_response(503 if self.requests == 1 else 200)
        else:
            self.send_response(502)
        self.send_header("Retry-After", "1")
        self.end_headers()
        self.wfile.write(b'{"results": []}' if self.path == "/api/v1/problems/" else b"No server.")

    def log_message(self, *_: object) -> None:
        """Keep the output of the tests free of requests."""


@pytest.fixture
def busy(site: object) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_busy_server_is_waited_for(busy: str) -> None:
    from sirdar_client import Refused, anonymous
    from sirdar_client.session import seconds

    with anonymous(busy) as client:
        assert client.get_httpx_client().get("/api/v1/problems/").status_code == 200
        with pytest.raises(Refused, match="502 No server"):
            client.get_httpx_client().get("/api/v1/maps/")
    assert Busy.requests == 3
    assert seconds("17") == 17
