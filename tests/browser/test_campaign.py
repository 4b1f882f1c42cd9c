"""A campaign played through its pages alone, by somebody who has never been here, to its end."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign, Receipt
from tests.browser.playing import Player

LONGEST = 18
"""Months, after which a campaign of this scenario is drawn."""
SAME_SALT = "Crypto.prototype.getRandomValues = (wanted) => wanted.fill(2)"
"""What the browser puts into the dice is the same in every run, as what the server does is."""


@pytest.fixture
def player(live_server: Any, page: Page) -> Player:
    """Registered, with a campaign that has begun."""
    page.add_init_script(SAME_SALT)
    player = Player(live_server.url, page)
    player.register()
    player.begin("The Mahdi’s war")
    return player


@pytest.mark.long
def test_a_month_from_registering_to_what_became_of_the_orders(player: Player) -> None:
    player.play_a_month()
    assert player.month == "November 1882"
    receipt = Receipt.objects.get(kind=Receipt.Kind.CARRIED_OUT)
    assert len(receipt.carried) >= 5
    player.page.get_by_role("link", name="Your orders for").click()
    player.page.get_by_role("link", name="Receipts and results of orders").click()
    expect(player.page.locator(".fate").first).to_be_visible()


@pytest.mark.long
def test_a_campaign_is_played_to_its_end(player: Player) -> None:
    months = 0
    while not player.over:
        player.play_a_month()
        months += 1
        assert months < LONGEST
    played = Campaign.objects.get()
    assert played.finished
    assert played.outcome
    assert played.outcome in player.page.locator("#status").inner_text()
    player.page.get_by_role("link", name="Debrief", exact=True).click()
    expect(player.page.locator("img.standing")).to_have_count(3)
