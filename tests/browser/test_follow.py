"""Pages that follow what goes on: each in a browser of its own, on a server that holds their lines.

They may not ask by themselves: what they show they have been told of.
"""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from battles import serialization
from battles.contract import Side
from battles.models import Battle
from battles.services import pause
from campaign.access import selectors
from campaign.models import Campaign, Comparison, Job
from campaign.rules import umpire_rulings
from campaign.rules.core.actions import Ruled
from campaign.services import letters, order_submission
from campaign.services.job_lease import fail, notify_finished
from campaign.services.turns import deadlines
from campaign.services.turns.timetable import Policy
from campaign.services.umpire import rulings, seat_control
from tests.battles_web.fights import begun, player, step
from tests.browser.camp import Camp
from tests.streams.jobs import running_comparison
from tests.streams.served import served

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def camp(tmp_path: Path) -> Iterator[Camp]:
    with served(tmp_path, SIRDAR_DEBUG="1") as server:
        yield Camp(SimpleNamespace(url=f"http://127.0.0.1:{server.port}"))


def listening(camp: Camp, browser: Browser, user: object, address: str) -> Page:
    """Return the page, once it has been told how things stand."""
    page = camp.session(browser, user)
    page.route("**/fight/follow/", lambda route: route.fulfill(status=304))
    page.add_init_script("addEventListener('look-again', (one) => one.stopPropagation(), true)")
    with page.expect_response("**/stream/"):
        page.goto(address)
    return page


def test_a_move_is_seen_on_the_other_side_and_so_is_a_pause(camp: Camp, browser: Browser) -> None:
    battle = begun(camp.people, "redcoats")
    address = f"{camp.url}/battles/{battle.uuid}/fight/"
    pages = [listening(camp, browser, player(camp.people, side), address) for side in Side]
    for _ in range(2):
        place = serialization.cursor_of(step(camp.people, battle))
        for page in pages:
            expect(page.locator("#fight")).to_have_attribute("data-place", place)
    pause(Battle.objects.get(pk=battle.pk), camp.people.umpire, paused=True)
    for page in pages:
        expect(page.locator("#waits")).to_contain_text("has paused the battle")
        page.context.close()


@pytest.mark.long
def test_the_console_hears_of_desks_and_of_its_job(camp: Camp, browser: Browser) -> None:
    page = listening(camp, browser, camp.people.umpire, f"{camp.page}console/")
    expect(page.locator("#worklist")).to_contain_text("has written nothing yet")
    seat = camp.seat("mahdist")
    order_submission.submit(
        camp.campaign.pk, camp.people.mahdist, seat.pk, month=camp.campaign.month
    )
    expect(page.locator("#worklist")).to_contain_text("has submitted, and is not ready yet")
    job = job_of(camp.campaign)
    page.reload()
    expect(page.locator(".job progress")).to_have_attribute("value", "0")
    Job.objects.filter(pk=job.pk).update(progress=3)
    notify_finished(job)
    expect(page.locator(".job progress")).to_have_attribute("value", "3")
    over(job)
    expect(page.locator(".job progress")).to_have_count(0)
    expect(page).to_have_url(f"{camp.page}console/")
    page.context.close()


def test_a_letter_that_arrives_is_shown_on_the_open_page(camp: Camp, browser: Browser) -> None:
    pages = {
        role: listening(camp, browser, getattr(camp.people, role), address)
        for role, address in (
            ("egyptian", camp.orders()), ("umpire", f"{camp.page}console/"), ("mahdist", camp.page),
        )
    }  # fmt: skip
    marks = {role: page.locator(".jump [data-letters]") for role, page in pages.items()}
    for mark in marks.values():
        expect(mark).to_be_hidden()
    to = [camp.seat("egyptian").pk, camp.seat("umpire").pk]
    draft = letters.LetterDraft(camp.seat("mahdist").pk, to, "Yield, and go free.")
    letters.send_letter(camp.campaign.pk, camp.people.mahdist, draft)
    for role in ("egyptian", "umpire"):
        expect(marks[role]).to_have_text("1 new")
    expect(marks["mahdist"]).to_be_hidden()
    reader = pages["egyptian"]
    reader.goto(camp.url)
    reader.get_by_role("link", name="1 unread letter").click()
    reader.get_by_role("button", name="Mark as read").click()
    reader.goto(camp.url)
    expect(reader.locator(".register .entry").first).to_be_visible()
    expect(reader.locator(".new-letters")).to_have_count(0)
    for page in pages.values():
        page.context.close()


def test_a_desk_hears_of_a_deadline_an_adjournment_and_a_seat_that_is_taken(
    camp: Camp, browser: Browser
) -> None:
    page = listening(camp, browser, camp.people.egyptian, camp.orders())
    expect(page.locator("#state-words")).to_contain_text("Nothing is written yet")
    number, umpire = camp.campaign.pk, camp.people.umpire
    deadlines.set_policy(number, umpire, Policy())
    expect(page.locator("#due-date")).to_contain_text("Due on")
    seat_control.adjourn(number, umpire, reason="Dinner.")
    expect(page.locator("#hold")).to_contain_text("The campaign is adjourned")
    Campaign.objects.filter(pk=number).update(public=True)
    seat_control.remove_player(number, umpire, camp.seat("egyptian").pk, reason="Gone.")
    expect(page.locator("#trouble")).to_contain_text("You no longer hold this seat")
    page.context.close()


def test_the_campaigns_page_hears_that_it_is_adjourned_and_resumed(
    camp: Camp, browser: Browser
) -> None:
    page = listening(camp, browser, camp.people.mahdist, camp.page)
    said = page.locator(".gone-on")
    seat_control.adjourn(camp.campaign.pk, camp.people.umpire, reason="Dinner.")
    expect(said).to_have_text("The campaign is adjourned. Read on")
    said.get_by_role("link").click()
    expect(page.locator("#status")).to_contain_text("adjourned until its umpire resumes it")
    expect(said).to_be_hidden()
    seat_control.take_up(camp.campaign.pk, camp.people.umpire)
    expect(said).to_have_text("The campaign has been resumed. Read on")
    page.context.close()


def test_the_console_of_a_copy_hears_that_it_is_over_and_keeps_its_number_in_the_title(
    camp: Camp, browser: Browser
) -> None:
    Campaign.objects.filter(pk=camp.campaign.pk).update(title="Khartoum (2)")
    page = listening(camp, browser, camp.people.umpire, f"{camp.page}console/")
    expect(page).to_have_title("(1) Console of Khartoum (2) · Sirdar")
    state = selectors.state_now(camp.campaign)
    ending = Ruled("Dawn.", umpire_rulings.end(state, None, "Dawn."))
    rulings.rule(camp.campaign.pk, camp.people.umpire, ending)
    expect(page.locator(".gone-on")).to_have_text("The campaign is over. Read on")
    expect(page).to_have_title("Console of Khartoum (2) · Sirdar")
    page.context.close()


def job_of(campaign: Campaign) -> Job:
    """Return a job that somebody is about."""
    return Job.objects.create(
        campaign=campaign, months=1, until=campaign.month + 1, total=9, status=Job.Status.RUNNING
    )


def over(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(status=Job.Status.SUCCEEDED, finished=timezone.now())
    notify_finished(job)


def test_a_page_about_a_job_moves_as_it_is_told_and_hangs_up_at_the_end(
    camp: Camp, browser: Browser
) -> None:
    work = running_comparison(camp.people.umpire)
    address = f"{camp.url}/battles/compared/{work.uuid}/"
    page = listening(camp, browser, camp.people.umpire, address)
    expect(page.locator("#progress")).to_have_attribute("value", "0")
    Comparison.objects.filter(pk=work.pk).update(progress=3)
    expect(page.locator("#progress")).to_have_attribute("value", "3")
    page.locator("#stop").focus()
    Comparison.objects.filter(pk=work.pk).update(progress=7)
    expect(page.locator("#progress")).to_have_attribute("value", "7")
    expect(page.locator("#stop")).to_be_focused()
    with page.expect_event("requestfailed", lambda one: one.url.endswith("/stream/")):
        fail(work, "Stopped; what was fought is kept.")
    expect(page.get_by_role("alert")).to_contain_text("Stopped")
    expect(page.locator("[data-stream]")).to_have_count(0)
    page.context.close()
