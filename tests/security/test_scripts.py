"""Scripts that people write into whatever they may name: none runs, and none stands in a page."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser

from accounts.models import Scope
from accounts.tokens import create_token
from campaign.models import Campaign, Seat, UmpireLogEntry
from campaign.services.journal import creation, rules_edition
from campaign.services.umpire import invitations
from tests import own_tables
from tests.browser.stage import Stage
from tests.patience import PATIENCE

RUN = "document.documentElement.dataset.ran = 1"
SAID = (
    f"<script>{RUN}</script>",
    f'"><img src=x onerror="{RUN}">',
    f"'-({RUN})-'</script><svg onload='{RUN}'>",
)
OF_CAMPAIGN = (
    *("", "seats/", "console/", "console/rewind/", "dice/", "figures/", "papers/", "branches/"),
    *("umpire-log/", "walk/", "rules/", "debrief/", "orders/", "battles/", "set-up/arrange/"),
    "invitations/",
)
OF_SITE = (
    *(
        "/",
        "/tables/",
        "/bench/",
        "/ladder/",
        "/accounts/",
        "/accounts/password/",
        "/accounts/email/",
        "/battles/",
    ),
    *("/new-campaign/", "/mail/"),
)


def spoil(campaign: Campaign, owner: User) -> None:
    """Everything that somebody may name is named by a script."""
    Campaign.objects.filter(pk=campaign.pk).update(title=SAID[0], mode=Campaign.Mode.ORDERS)
    for place, user in enumerate(User.objects.order_by("pk")):
        User.objects.filter(pk=user.pk).update(username=f"{place}{SAID[place % 3]}")
    campaign.seats.update(name=SAID[1][:60])
    before = campaign.entries.order_by("-number")[1]
    creation.branch_from(campaign.pk, before, reason=SAID[2], by="umpire:umpire")
    UmpireLogEntry.objects.create(campaign=campaign, by=SAID[0], said=SAID[1], month=campaign.month)
    invitations.invite(
        campaign.pk, owner, invitations.SeatOffer(Seat.Role.OBSERVER.value, SAID[1][:60])
    )
    rules_edition.name_tables(owner, SAID[0][:60], {"march": own_tables.halted()})
    create_token(owner, SAID[1][:60], Scope.values)


@pytest.fixture
def spoilt(live_server: Any) -> Stage:
    stage = Stage(live_server, months=1)
    spoil(stage.campaign, stage.people.umpire)
    return stage


def test_no_script_runs_even_where_no_policy_forbids_it(spoilt: Stage, browser: Browser) -> None:
    context = browser.new_context(bypass_csp=True)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    spoilt.log_in(page, spoilt.people.umpire)
    addresses = [spoilt.at(one) for one in OF_SITE] + [spoilt.page + one for one in OF_CAMPAIGN]
    for address in addresses:
        page.goto(address)
        page.wait_for_load_state("load")
        ran = page.locator("html[data-ran], img[src=x], svg[onload]")
        assert ran.count() == 0, address
    context.close()


def test_no_script_stands_in_a_page(spoilt: Stage) -> None:
    client = Client()
    client.force_login(User.objects.get(pk=spoilt.people.umpire.pk))
    seen = b""
    for one in OF_CAMPAIGN:
        answer = client.get(f"/campaigns/{spoilt.campaign.slug}/{one}", follow=True)
        seen += answer.content
    assert b"&lt;script&gt;document" in seen
    for said in SAID:
        assert said.encode() not in seen


def test_no_script_stands_in_a_drawing(spoilt: Stage) -> None:
    client = Client()
    client.force_login(User.objects.get(pk=spoilt.people.umpire.pk))
    drawing = client.get(f"/campaigns/{spoilt.campaign.slug}/papers/1884-02/egyptian/map.svg")
    tree = ET.fromstring(drawing.content)  # noqa: S314  our own drawing
    for element in tree.iter():
        assert element.tag.rpartition("}")[2] not in {"script", "foreignObject", "iframe"}
        assert not [name for name in element.keys() if name.startswith("on")]  # noqa: SIM118
    assert "default-src 'none'" in drawing.get("Content-Security-Policy", "")
