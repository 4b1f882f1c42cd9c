"""Live mode: one side marches and sees its dice, the other's page moves by itself; notices."""

import json
import re
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Browser, Page, expect

from campaign.access import selectors
from campaign.models import Campaign
from campaign.services import letters, order_submission
from campaign.services.journal import campaign_session
from campaign.services.umpire import seat_control
from campaign.staff import answer
from tests.browser.camp import Camp
from tests.browser.test_live_looks import camp, mahdist
from tests.conftest import ARGUMENTS
from tests.streams.test_push import new_key

SHENDY = "2635"


__all__ = ["camp", "mahdist"]


def at_table(camp: Camp, page: Page) -> None:
    camp.open(page, f"{camp.page}live/")


def test_a_march_is_thrown_for_seen_and_carried_on(camp: Camp, page: Page, mahdist: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    at_table(camp, mahdist)
    expect(mahdist.locator("#asked")).to_have_text("Waiting")
    expect(page.locator("#asked")).to_have_text("You are asked")

    page.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    party = page.locator(f'.party[data-hex="{int(SHENDY)}"]')
    party.get_by_role("button", name="Throw for a march").click()
    for seen in (page, mahdist):
        expect(seen.locator(".thrown-now")).to_contain_text("March table, Egyptian")

    if page.get_by_role("button", name="Move", exact=True).is_visible():
        page.get_by_label("Move to").fill("2634")
        page.get_by_role("button", name="Move", exact=True).click()
        expect(page.locator('.stack.egyptian[data-hex="2634"]')).to_be_visible()
        expect(mahdist.locator('.stack.egyptian[data-hex="2634"]')).to_be_visible()


def test_the_other_side_is_asked_when_the_turn_is_its_own(
    camp: Camp, page: Page, mahdist: Page
) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    at_table(camp, mahdist)
    done = page.get_by_role("button", name="No more marches this turn")
    done.click()
    expect(done).to_have_count(0)
    camp.campaign.refresh_from_db()
    while selectors.state_now(camp.campaign).question.side == "egyptian":  # type: ignore[union-attr]
        state = selectors.state_now(camp.campaign)
        campaign_session.perform(camp.campaign.pk, "test", answer(state))
        camp.campaign.refresh_from_db()
    expect(mahdist.locator("#asked")).to_have_text("You are asked")
    expect(mahdist.locator("#asked")).to_be_focused()
    expect(mahdist).to_have_title(re.compile(r"^(\(\d+\) )?Your turn"))
    expect(page.locator("#asked")).to_have_text("Waiting")


def test_what_the_rules_forbid_is_told_with_its_clause(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    page.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    party = page.locator(f'.party[data-hex="{int(SHENDY)}"]')
    party.get_by_text("By train or boat instead").click()
    party.get_by_label("To").fill("Berber")
    party.get_by_role("button", name="By train").click()
    expect(page.get_by_role("alert")).to_contain_text("(8.22)")


def test_on_a_telephone_the_page_leads_to_the_campaign_and_to_new_letters(
    camp: Camp, mahdist: Page
) -> None:
    mahdist.set_viewport_size({"width": 390, "height": 844})
    at_table(camp, mahdist)
    papers = mahdist.locator("#papers")
    expect(papers.get_by_role("link", name=camp.campaign.title, exact=True)).to_be_visible()
    expect(papers.get_by_role("link", name="Letters", exact=True)).to_be_visible()
    draft = letters.LetterDraft(camp.seat("egyptian").pk, [camp.seat("mahdist").pk], "Yield.")
    letters.send_letter(camp.campaign.pk, camp.people.egyptian, draft)
    expect(papers.get_by_role("link", name="Letters 1 new")).to_be_visible()


def test_a_half_filled_form_stays_while_nothing_happens(camp: Camp, page: Page) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    page.locator("#which").select_option(str(int(SHENDY)))
    box = page.locator(f'.party[data-hex="{int(SHENDY)}"] input[name=unit]').first
    box.uncheck()
    page.wait_for_timeout(4000)
    expect(box).not_to_be_checked()


@pytest.fixture
def whole_browser(browser: Browser) -> Iterator[Browser]:
    """Chromium itself: its shell for tests shows no notifications."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.fail("Notifications need the whole Chromium: 'apt install chromium'.")
    whole = browser.browser_type.launch(executable_path=found, args=ARGUMENTS)
    yield whole
    whole.close()


OPEN_THE_NOTICE = """async () => {
  let shown = [];
  while (!shown.length) shown = await self.registration.getNotifications();
  const opened = new Promise((done) => { self.clients.openWindow = async (page) => done(page); });
  const [notification] = shown;
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  return [notification.title, notification.body, await opened];
}"""


def test_an_answer_that_does_not_arrive_is_said_to_be_lost_and_can_be_sent_again(
    camp: Camp, page: Page
) -> None:
    """First there is no connection, then the server behind the proxy is being restarted."""
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    page.locator(f'.stack.egyptian[data-hex="{SHENDY}"]').click()
    party = page.locator(f'.party[data-hex="{int(SHENDY)}"]')
    throw = party.get_by_role("button", name="Throw for a march")
    lost = page.locator("#offline")
    page.context.set_offline(True)
    throw.click()
    expect(lost).to_contain_text("No connection.")
    page.context.set_offline(False)
    expect(lost).to_be_empty()
    page.route("**/live/act/", lambda route: route.fulfill(status=502, body="Bad gateway"))
    throw.click()
    expect(lost).to_contain_text("The server is busy or being restarted.")
    expect(page.locator(".thrown-now")).to_have_count(0)
    page.unroute("**/live/act/")
    throw.click()
    expect(page.locator(".thrown-now")).to_contain_text("March table, Egyptian")
    expect(lost).to_be_empty()


def test_a_page_whose_player_has_been_removed_or_logged_out_says_so(
    camp: Camp, page: Page, mahdist: Page
) -> None:
    camp.log_in(page, camp.people.egyptian)
    at_table(camp, page)
    seat = camp.seat("egyptian").pk
    seat_control.remove_player(camp.campaign.pk, camp.people.umpire, seat, reason="Gone.")
    expect(page.locator("main")).to_contain_text("There is no campaign")
    at_table(camp, mahdist)
    Session.objects.all().delete()
    mahdist.wait_for_url("**/login/?next=/campaigns/*/live/")


def test_a_staff_that_is_refused_is_asked_once_and_its_page_says_why(
    camp: Camp, page: Page
) -> None:
    camp.log_in(page, camp.people.mahdist)
    camp.campaign.seats.filter(role="egyptian").update(staff=True)
    Campaign.objects.filter(pk=camp.campaign.pk).update(rules="0", rules_pinned=True)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.method))
    at_table(camp, page)
    expect(page.get_by_role("alert")).to_contain_text("its umpire has pinned it")
    expect(page.get_by_role("button", name="Let the staff answer")).to_be_visible()
    page.wait_for_timeout(500)
    assert asked.count("POST") == 1


@pytest.mark.long
def test_the_title_counts_and_a_notice_of_the_browser_opens_its_page(
    live_server: Any, whole_browser: Browser, settings: Any
) -> None:
    """The browser's push service is not asked: the message is delivered by its own tools."""
    settings.PUSH_KEY = new_key()
    camp = Camp(live_server)
    page = camp.session(whole_browser, camp.people.egyptian)
    page.context.grant_permissions(["notifications"])
    page.goto(camp.at("/accounts/notifications/"))
    expect(page.locator("#push-said")).to_have_text("This browser is not notified yet.")
    expect(page.get_by_role("button", name="Notify this browser")).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    tools = page.context.new_cdp_session(page)
    registered = list[dict[str, Any]]()
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: registered.extend(told["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    (worker,) = page.context.service_workers
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    path = f"/campaigns/{camp.campaign.slug}/"
    notice = {"title": "It is your turn", "body": "Open it.", "path": path, "tag": "turn-1"}
    told = {"origin": camp.url, "registrationId": registered[-1]["registrationId"]}
    tools.send("ServiceWorker.deliverPushMessage", {**told, "data": json.dumps(notice)})
    assert worker.evaluate(OPEN_THE_NOTICE) == ["It is your turn", "Open it.", camp.at(path)]
    seat = camp.seat("egyptian").pk
    order_submission.set_ready(camp.campaign.pk, camp.people.egyptian, seat, ready=True)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page).to_have_title(re.compile("^Notifications"))
    page.context.close()
