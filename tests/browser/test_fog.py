"""The fog of war in the browser: what each side's map holds, the papers, the debrief in step."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from battles.contract.brief import Side
from campaign.access import fog_of_war
from campaign.models import Campaign
from campaign.rules.core.board import board
from tests.browser.stage import Stage, at_rest
from tests.browser.test_accessible import Scheme, violations
from tests.fog.walking import play
from tests.people import gather


class Misty(Stage):
    """A campaign in the fog, two months on."""

    def __init__(self, live_server: Any) -> None:
        self.url = live_server.url
        self.people, self.campaign = play(gather())
        for user in self.people[:3]:  # what is drawn once is drawn before a browser waits for it
            client = Client()
            client.force_login(user)
            client.get(f"/campaigns/{self.campaign.slug}/")


@pytest.fixture
def misty(live_server: Any, transactional_db: None) -> Misty:
    return Misty(live_server)


def stacks(page: Page, side: Side) -> set[int]:
    """Return the hexes in which the map has a stack of that side that is known unit by unit."""
    found = page.locator(f".stack:not(.report)[data-side={side}]")
    return {int(one.get_attribute("data-hex") or 0) for one in found.all()}


def test_each_side_has_its_own_map_and_the_umpire_the_whole(misty: Misty, page: Page) -> None:
    for user, side in (
        (misty.people.egyptian, Side.EGYPTIAN),
        (misty.people.mahdist, Side.MAHDIST),
    ):
        misty.log_in(page, user)
        misty.open(page)
        view = fog_of_war.view_now(misty.campaign, side)
        assert stacks(page, side.enemy) == set(board(view.state).hexes(side.enemy))
        marked = len(view.sightings) + len(view.markers)
        expect(page.locator(".stack.report")).to_have_count(marked)
    misty.log_in(page, misty.people.umpire)
    misty.open(page)
    assert len(stacks(page, Side.MAHDIST)) > len(board(view.state).hexes(Side.EGYPTIAN))
    expect(page.locator(".stack.report")).to_have_count(0)


def test_a_stack_seen_from_afar_is_told_as_such(misty: Misty, page: Page) -> None:
    misty.log_in(page, misty.people.egyptian)
    misty.open(page)
    report = page.locator(".stack.report").first
    words = report.get_attribute("aria-label") or ""
    report.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#hex .reported").first).to_contain_text(words)


def test_a_hex_beside_the_own_map_says_that_somebody_else_is_logged_in(
    misty: Misty, page: Page
) -> None:
    misty.log_in(page, misty.people.egyptian)
    misty.open(page)
    own = page.locator(".stack.egyptian").first
    own.press("Enter")
    expect(page.locator("#hex section").first).to_be_visible()
    expect(page.locator("#hex .needs")).to_have_count(0)
    misty.log_in(page, misty.people.mahdist)
    own.press("Enter")
    expect(page.locator("#hex .needs")).to_contain_text("Another user is logged in by now")
    other = page.context.new_page()
    other.goto(misty.at("/help/"))
    other.get_by_role("button", name="Log out").click()
    expect(other.get_by_role("link", name="Log in again")).to_be_visible()
    own.press("Enter")
    expect(page.locator("#hex .needs")).to_contain_text("You have been logged out")
    page.locator("#hex").get_by_role("link", name="Load the page again").click()
    expect(page.locator(".stack")).to_have_count(0)
    at_rest(page)
    page.locator("svg.chart").click()
    expect(page.locator("#hex section").first).to_be_visible()
    expect(page.locator("#hex .needs")).to_have_count(0)


def test_an_onlookers_map_has_no_stack(misty: Misty, page: Page) -> None:
    misty.open(page)
    expect(page.locator(".stack")).to_have_count(0)
    expect(page.locator("#armies")).to_contain_text("not see the stacks of this month yet")


def test_the_debrief_plays_its_three_maps_in_step(misty: Misty, page: Page) -> None:
    Campaign.objects.filter(pk=misty.campaign.pk).update(finished=True, outcome="Drawn.")
    page.goto(f"{misty.page}debrief/1884-02/")
    shown = page.locator("img.standing")
    expect(shown).to_have_count(3)
    page.get_by_role("button", name="A month on").click()
    expect(page.locator("#month")).to_have_text("March 1884")
    for number, whose in enumerate(("egyptian", "umpire", "mahdist")):
        address = f"/papers/1884-03/{whose}/map.svg"
        expect(shown.nth(number)).to_have_attribute("src", re.compile(rf"{address}\?as=\w+$"))
        expect(shown.nth(number)).to_have_attribute("alt", re.compile("March 1884"))
    page.get_by_role("button", name="Zoom in").click()
    layers = page.locator(".window .layers")
    expect(layers.first).to_have_attribute("style", re.compile("scale"))
    moved = layers.first.get_attribute("style") or ""
    for number in range(3):
        expect(layers.nth(number)).to_have_attribute("style", moved)


def test_a_paper_fits_a_telephone(misty: Misty, page: Page) -> None:
    misty.log_in(page, misty.people.egyptian)
    page.set_viewport_size({"width": 390, "height": 844})
    for path in ("papers/1884-03/egyptian/", "figures/", "papers/"):
        page.goto(misty.page + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_news_has_no_grave_violation(misty: Misty, page: Page, scheme: Scheme) -> None:
    misty.log_in(page, misty.people.umpire)
    page.emulate_media(color_scheme=scheme)
    for path in ("", "papers/", "papers/1884-03/egyptian/", "figures/", "debrief/"):
        page.goto(misty.page + path)
        assert violations(page) == []
    misty.log_in(page, misty.people.egyptian)
    misty.open(page)
    assert violations(page) == []
