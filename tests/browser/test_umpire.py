"""An umpire at his console, in a browser: the worklist, rulings, ways back, seats, the clock."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

import campaign.tasks
from campaign.models import Campaign, OrderSheet, Seat
from campaign.services import order_submission
from campaign.services.turns import timetable
from campaign.services.turns.timetable import Policy
from tests.browser.stage import Stage, wait_for
from tests.browser.test_accessible import unfold, violations

Scheme = Literal["light", "dark"]


@pytest.fixture
def stage(live_server: Any) -> Stage:
    """A campaign by order sheets, a month on, with a deadline that stands."""
    stage = Stage(live_server, months=1)
    stage.campaign.mode = Campaign.Mode.ORDERS
    stage.campaign.deadline_policy = msgspec.to_builtins(Policy())
    stage.campaign.save()
    timetable.open_deadline(stage.campaign)
    return stage


def console(stage: Stage, page: Page) -> None:
    """The umpire sits down at his console."""
    stage.log_in(page, stage.people.umpire)
    stage.open(page, stage.page + "console/")


def submitted(stage: Stage, role: str) -> OrderSheet:
    campaign = stage.campaign
    return OrderSheet.objects.create(
        campaign=campaign,
        seat=campaign.seats.get(role=role),
        branch=campaign.branch,
        month=campaign.month,
        submitted=timezone.now(),
    )


def test_a_click_in_the_worklist_shows_the_stack_on_the_map(stage: Stage, page: Page) -> None:
    console(stage, page)
    stack = page.locator(".work a.to-hex").first
    number = stack.get_attribute("data-hex")
    stack.click()
    expect(page.locator("#hex .hex-paper")).to_have_attribute("data-hex", number or "")
    expect(page.locator(".map-told")).to_contain_text(number or "")


def test_a_worklist_that_comes_anew_as_it_was_is_left_alone(stage: Stage, page: Page) -> None:
    """A press that begins on what is taken away is lost."""
    console(stage, page)
    page.evaluate("document.querySelector('#worklist').marked = true")
    page.locator(".work a.to-hex").first.focus()
    with page.expect_response(lambda answer: answer.request.headers.get("hx-target") == "worklist"):
        page.evaluate("document.body.dispatchEvent(new CustomEvent('look-again'))")
    wait_for(page, "!document.querySelector('#worklist.htmx-request')")
    assert page.evaluate("document.querySelector('#worklist').marked")
    expect(page.locator(".work a.to-hex").first).to_be_focused()


def test_a_deadline_that_passes_runs_the_month(stage: Stage, page: Page) -> None:
    console(stage, page)
    expect(page.locator("#clock")).to_contain_text("Europe/London")
    expect(page.locator("#worklist")).to_contain_text("has written nothing yet")
    for role in ("egyptian", "mahdist"):
        submitted(stage, role)
    stage.campaign.deadlines.update(due=timezone.now() - timedelta(minutes=1))
    campaign.tasks.deadlines_due()
    page.reload()
    expect(page.locator("h1.month")).to_have_text("April 1884")
    expect(page.locator("#umpire-log")).to_contain_text("March 1884 was due, and runs.")


def test_a_deadline_is_made_later_once(stage: Stage, page: Page) -> None:
    console(stage, page)
    other = page.context.new_page()
    other.goto(stage.page + "console/")
    before = stage.campaign.deadlines.get().due
    page.fill("#hours", "12")
    page.fill("#clock-reason", "The post is late.")
    page.get_by_role("button", name="Extend").click()
    expect(page.locator(".notices")).to_contain_text("The deadline is 12 hours later: it is due on")
    assert stage.campaign.deadlines.get().due - before == timedelta(hours=12)
    other.fill("#clock-reason", "Pressed again.")
    other.get_by_role("button", name="Extend").click()
    expect(other.locator(".notices .error")).to_contain_text("extended since you looked")
    assert stage.campaign.deadlines.get().due - before == timedelta(hours=12)


def test_a_ruling_is_previewed_and_given(stage: Stage, page: Page) -> None:
    console(stage, page)
    page.get_by_role("link", name="Make a ruling").click()
    page.fill("#hex", "Khartoum")
    page.get_by_role("button", name="Look").click()
    page.locator(".units input").last.check()
    page.get_by_role("button", name="Disrupt").click()
    expect(page.locator(".seen")).to_contain_text("disrupted at Khartoum.")
    expect(page.locator(".difference .ring")).to_have_count(1)
    assert stage.campaign.entries.filter(actor="umpire:umpire").count() == 0
    page.fill("#reason", "Fever in the barracks.")
    page.get_by_role("button", name="Give the ruling").click()
    expect(page.locator(".notices")).to_contain_text("The ruling is given")
    assert stage.campaign.entries.filter(actor="umpire:umpire").count() == 1


def test_the_enter_key_presses_the_button_of_its_field_in_a_ruling(
    stage: Stage, page: Page
) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.page + "console/ruling/")
    page.get_by_label("Look at a hex").fill("Khartoum")
    page.get_by_label("Look at a hex").press("Enter")
    page.locator(".units label", has_text="gunboat").first.click()
    page.get_by_label("Move them to").fill("Berber")
    page.get_by_label("Move them to").press("Enter")
    effects = page.locator(".seen .said li")
    expect(effects).to_have_text(["A gunboat is moved from Khartoum to Berber."])
    page.get_by_text("Add units here").click()
    page.get_by_label("How many").press("Enter")
    expect(effects.last).to_have_text("An Egyptian battalion is added at Khartoum.")


def test_a_ruling_is_given_after_logging_in_again_with_all_that_was_written(
    stage: Stage, page: Page
) -> None:
    umpire = stage.people.umpire
    stage.log_in(page, umpire)
    page.goto(stage.page + "console/ruling/?hex=Khartoum")
    page.locator(".units input").last.check()
    page.get_by_role("button", name="Disrupt").click()
    expect(page.locator(".seen")).to_contain_text("disrupted at Khartoum.")
    page.fill("#reason", "Fever in the barracks.")
    page.get_by_role("group", name="Notify").get_by_label("Mahdist").uncheck()
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("button", name="Give the ruling").click()
    umpire.set_password("fuzzy-wuzzy-85")
    umpire.save()
    page.get_by_label("Name").fill(umpire.username)
    page.get_by_label("Password").fill("fuzzy-wuzzy-85")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(page.locator(".seen")).to_contain_text("disrupted at Khartoum.")
    expect(page.locator("#reason")).to_have_value("Fever in the barracks.")
    expect(page.get_by_role("group", name="Notify").get_by_label("Mahdist")).not_to_be_checked()
    page.get_by_role("button", name="Give the ruling").click()
    expect(page.locator(".notices")).to_contain_text("The ruling is given")
    page.goto(stage.page + "console/ruling/")
    expect(page.locator("#reason")).to_have_value("")


def test_an_impossible_ruling_is_refused_with_its_clause(stage: Stage, page: Page) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.page + "console/ruling/?hex=Khartoum")
    page.locator(".units label", has_text="gunboat").first.click()
    page.fill("#to-hex", "0641")
    page.get_by_role("button", name="Move", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("dry land")
    expect(page.get_by_role("alert")).to_contain_text("8.23")


def test_going_back_leaves_the_branch_in_sight(stage: Stage, page: Page) -> None:
    console(stage, page)
    page.get_by_role("link", name="Rewind").click()
    page.get_by_role("link", name="February 1884").click()
    entry = page.locator(".steps-of a").last
    if not entry.is_visible():
        page.locator(".coming:not([open]):has(a) > summary").last.click()
    entry.click()
    expect(page.locator("#way")).to_contain_text("To entry")
    page.fill("#reason", "The odds were misread.")
    page.get_by_role("button", name="Rewind to here").click()
    expect(page.locator(".notices")).to_contain_text("Rewound.")
    expect(page.locator("h1.month")).to_have_text("February 1884")
    page.goto(stage.page + "branches/")
    expect(page.locator(".umpire-log")).to_contain_text("The odds were misread.")
    page.get_by_role("link", name="See where it led").click()
    expect(page.locator(".lead")).to_contain_text("was abandoned in March 1884")


def test_a_replaced_player_leaves_a_brief_and_no_orders(
    stage: Stage, page: Page, phone: Page
) -> None:
    sheet = submitted(stage, "mahdist")
    console(stage, page)
    page.get_by_text("Change who plays the Mahdist commander-in-chief").click()
    chair = page.locator(".chair", has_text="Mahdist commander")
    chair.get_by_label("Reason").fill("He has left the club.")
    chair.get_by_label("Newcomer’s account").fill("stranger")
    chair.get_by_role("button", name="Replace with the newcomer").click()
    expect(page.locator(".notices")).to_contain_text("stranger sits as the Mahdist")
    sheet.refresh_from_db()
    assert sheet.withdrawn
    stage.log_in(phone, stage.people.stranger)
    phone.goto(stage.page + "brief/mahdist/")
    expect(phone.locator("h1")).to_have_text("Brief of the Mahdist side")
    expect(phone.locator("main")).to_contain_text("orders for this month are not carried out")
    stage.log_in(phone, stage.people.mahdist)
    answer = phone.goto(stage.page + "brief/mahdist/")
    assert answer is not None
    assert answer.status == 404


def test_the_umpire_throws_the_dice_himself(stage: Stage, page: Page) -> None:
    for role in ("egyptian", "mahdist"):
        submitted(stage, role)
    console(stage, page)
    page.get_by_role("button", name="Throw the dice by hand").click()
    expect(page.get_by_role("button", name="Let the campaign throw its own dice")).to_be_visible()
    page.get_by_role("button", name="Run the month").click()
    expect(page.locator(".notices")).to_contain_text("The month runs.")
    page.goto(stage.page + "console/")
    expect(page.locator("#dice")).to_contain_text("of 6 faces")
    count = int(stage.campaign.throw.count)
    page.fill("#faces", " ".join(["2"] * count))
    page.get_by_role("button", name="Enter the dice").click()
    expect(page.locator(".notices")).to_contain_text("dice")


PAGES = (
    "console/", "console/ruling/?hex=Khartoum", "console/rewind/", "branches/", "umpire-log/",
    "brief/mahdist/",
)  # fmt: skip


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_umpires_pages_are_open_to_everybody(stage: Stage, page: Page, scheme: Scheme) -> None:
    """No serious violation that axe knows of."""
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, stage.people.umpire)
    for path in PAGES:
        stage.visit(page, stage.page + path)
        unfold(page)
        assert violations(page) == [], path


def test_nothing_of_the_umpires_pages_hangs_over_a_telephone(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    for path in PAGES:
        stage.visit(phone, stage.page + path)
        unfold(phone)
        assert phone.evaluate("document.documentElement.scrollWidth <= screen.width"), path


def test_the_console_on_a_telephone_is_open_to_everybody(stage: Stage, phone: Page) -> None:
    console(stage, phone)
    unfold(phone)
    assert violations(phone) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_forms_that_open_a_campaign_are_open_to_everybody(
    stage: Stage, page: Page, scheme: Scheme
) -> None:
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/import-campaign/"))
    assert violations(page) == []
    page.goto(stage.at("/new-campaign/"))
    page.get_by_text("Set deadlines").click()
    expect(page.locator("#id_due-zone")).to_be_visible()
    assert violations(page) == []


def test_a_new_campaign_asks_only_what_counts_for_the_way_it_is_played(
    stage: Stage, page: Page
) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/new-campaign/"))
    sides = page.get_by_label("The Egyptian side", exact=True)
    due = page.get_by_text("Set deadlines")
    shown = {"orders": (True, True), "live": (True, False), "staff": (False, False)}
    for mode, (by_people, by_sheets) in shown.items():
        page.locator(f'[name="mode"][value="{mode}"]').check()
        expect(sides).to_be_visible(visible=by_people)
        expect(due).to_be_visible(visible=by_sheets)


@pytest.mark.parametrize(
    ("scripts", "said"),
    [(True, r"\w+,? 4 June 2026, 21:00 (GMT\+2|CAT)"), (False, r"20:00 \(Europe/London\)")],
)
def test_a_deadline_is_shown_in_the_hours_of_the_reader(
    stage: Stage, browser: Browser, scripts: bool, said: str
) -> None:
    stage.campaign.deadlines.update(due=datetime(2026, 6, 4, 19, tzinfo=UTC))
    context = browser.new_context(timezone_id="Africa/Khartoum", java_script_enabled=scripts)
    page = context.new_page()
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.page + "console/")
    expect(page.locator("#clock .due")).to_contain_text(re.compile(said))
    if scripts:
        put = """document.querySelector("#worklist").innerHTML =
            '<p><time datetime="2026-06-04T19:00:07Z" data-hour="seconds">19:00 UTC</time></p>'"""
        page.evaluate(put)
        expect(page.locator("#worklist time")).to_contain_text("4 June 2026, 21:00:07")
        expect(page.locator("#worklist time")).to_have_attribute("title", "19:00 UTC")
    context.close()


@pytest.mark.parametrize(
    ("own", "offered"),
    [("Africa/Khartoum", "Africa/Khartoum"), ("Antarctica/Vostok", "Europe/London")],
)
def test_a_new_clock_is_offered_in_the_zone_of_the_reader_and_what_was_typed_stays(
    stage: Stage, browser: Browser, own: str, offered: str
) -> None:
    context = browser.new_context(timezone_id=own)
    page = context.new_page()
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/new-campaign/"))
    page.get_by_text("Set deadlines").click()
    zone = page.get_by_label("By the clock of")
    expect(zone).to_have_value(offered)
    zone.fill("Europe/Rome")
    page.reload()
    expect(zone).to_have_value("Europe/Rome")
    page.get_by_label("Days to a month").fill("7")
    zone.fill("Europe/London")
    page.get_by_label("Title").fill("Hicks\u202e")  # refused
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.get_by_text("The title contains the invisible character")).to_be_visible()
    expect(zone).to_have_value("Europe/London")
    page.goto(stage.page + "console/")
    expect(page.locator("#id_zone")).to_have_value("Europe/London")  # which its policy has
    Campaign.objects.update(deadline_policy={})
    page.reload()
    expect(page.locator("#id_zone")).to_have_value(offered)
    context.close()


def test_the_console_follows_the_drafts_of_the_players(stage: Stage, page: Page) -> None:
    """Begun, changed and submitted: worklist and seats say the same each time, without a reload."""
    seat = stage.campaign.seats.get(role="egyptian")
    console(stage, page)
    worklist, standing = page.locator("#worklist"), page.locator(f"#standing-{seat.pk}")
    expect(worklist).to_contain_text("commander-in-chief (egyptian) has written nothing yet.")
    expect(standing).to_have_text("nothing yet")
    save(stage, seat)
    expect(worklist).to_contain_text("The Egyptian commander-in-chief (egyptian) has a draft")
    expect(standing).to_have_text("draft")
    save(stage, seat, {"type": "march", "hex": 1, "units": [1]})
    expect(worklist).to_contain_text("The Egyptian commander-in-chief, order 1:")
    order_submission.submit(stage.campaign.pk, stage.people.egyptian, seat.pk)
    expect(standing).to_have_text("submitted")


def save(stage: Stage, seat: Seat, *orders: dict[str, Any]) -> None:
    """Save those orders as the draft of the Egyptian player."""
    sheet = {"orders": list(orders)}
    order_submission.save_sheet(stage.campaign.pk, stage.people.egyptian, seat.pk, sheet)
