"""A scenario written from nothing by clicks alone, played, exported and imported elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Campaign, OwnScenario
from campaign.services.journal import audit
from campaign.services.turns import advance
from tests.browser.stage import Stage
from tests.browser.test_accessible import violations


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


def open_part(page: Page, title: str) -> Any:
    part = page.locator("details.part", has=page.locator(f"summary:text-is('{title}')"))
    if part.get_attribute("open") is None:
        part.locator("summary").first.click()
    return part


def checked(page: Page) -> None:
    """Wait until the last change has been checked."""
    page.wait_for_timeout(500)
    page.wait_for_selector("#workshop:not([data-checking])")


def choose(page: Page, place: str) -> Any:
    forces = open_part(page, "Units on the map")
    forces.get_by_label("Or a place by name").select_option(place)
    expect(page.locator("#here")).to_contain_text(place)
    return forces


def stand(page: Page, place: str, unit: str, nation: str, count: int = 1) -> None:
    """Place counters in a place by clicks."""
    forces = choose(page, place)
    forces.get_by_label("Unit", exact=True).select_option(unit)
    forces.get_by_label("Nation", exact=True).select_option(nation)
    if unit != "leader":
        forces.get_by_label("Counters", exact=True).fill(str(count))
    forces.get_by_role("button", name="Place here").click()


def write(page: Page) -> None:
    """Write a small scenario from nothing: Baker has two months to hold Tokar."""
    page.get_by_label("Title").fill("Two months at Tokar")
    page.get_by_label("What it is about").fill("Baker holds Tokar, or does not.")
    page.get_by_label("First month").fill("1884-02")
    page.get_by_label("Last month").fill("1884-03")
    country = open_part(page, "Country")
    country.get_by_label("Regions in play").select_option(label="Souakim map extension")
    stand(page, "Tokar", "infantry", "egyptian", 4)
    stand(page, "Tokar", "leader", "british")
    stand(page, "Souakim", "supply", "british", 2)
    stand(page, "El Teb", "spears", "mahdist", 6)
    rules = open_part(page, "Special rules")
    rules.get_by_label("Egyptian losses are replaced at").select_option("Souakim")
    arrivals = open_part(page, "Reinforcements")
    arrivals.get_by_role("button", name="Add reinforcements").click()
    arrivals.get_by_label("Month").fill("1884-03")
    arrivals.get_by_label("To one of").select_option("Souakim")
    arrivals.get_by_label("Unit", exact=True).select_option("infantry")
    arrivals.get_by_label("Nation", exact=True).select_option("british")
    arrivals.get_by_label("Counters", exact=True).fill("2")
    arrivals.get_by_role("button", name="Add these units").click()
    wins = open_part(page, "What wins")
    wins.get_by_label("Another way to win").select_option(label="Survive until a month")
    wins.get_by_role("button", name="Add it").click()
    checked(page)


def test_written_from_nothing_and_played_by_two(stage: Stage, page: Page, tmp_path: Path) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/workshop/"))
    expect(page.get_by_text("You have none yet.")).to_be_visible()
    page.get_by_role("button", name="Begin a scenario").click()
    page.wait_for_selector("#workshop[data-ready]")
    page.wait_for_selector(".map[data-ready]")
    write(page)
    # Wrong: it survives nothing. The fault stands beside the condition, and the draft is kept.
    wins = open_part(page, "What wins")
    expect(wins.locator(".says-wrong")).to_contain_text("Nothing is named that has to survive")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("Saved as a draft")
    expect(page.locator("#play")).to_be_hidden()
    wins.get_by_label("End of").fill("1886-01")
    wins.get_by_label("Places still held").select_option("Tokar")
    checked(page)
    expect(wins.locator(".says-wrong")).to_contain_text("1886-01 is not a month of the scenario")
    wins.get_by_label("End of").fill("1884-03")
    checked(page)
    expect(page.locator("#fault")).to_be_hidden()
    assert page.locator("#standing .stack").count() == 3
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("It can be played")
    assert violations(page) == []

    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    exported = tmp_path / "tokar.sirdar.json"
    download.value.save_as(exported)
    assert json.loads(exported.read_text(encoding="utf-8"))["format"] == 1

    page.get_by_role("link", name="New campaign").click()
    expect(page.get_by_label("Two months at Tokar")).to_be_checked()
    page.get_by_label("By order sheets").check()
    page.get_by_role("button", name="Open the campaign").click()
    page.wait_for_load_state()
    begun = Campaign.objects.get(title="Two months at Tokar")
    assert begun.seats.count() >= 2

    bring_in_elsewhere(stage, page, exported)
    assert OwnScenario.objects.get().tables_id == begun.tables_id
    played = advance.run_month(begun.pk, until=begun.month + 2)
    assert played.month - begun.month >= 1 or played.finished
    audit.verify_dice(played)


def bring_in_elsewhere(stage: Stage, page: Page, exported: Path) -> None:
    """Import the file into a site that has no such scenario; wrong files come before it."""
    OwnScenario.objects.all().delete()
    page.goto(stage.at("/workshop/"))
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("Choose the file of a scenario first")
    broken = exported.with_name("broken.json")
    broken.write_text(exported.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    page.get_by_label("Or from a file").set_input_files(broken)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("alert")).to_contain_text("this is not JSON")
    page.get_by_label("Or from a file").set_input_files(exported)
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.locator("#title")).to_have_text("Two months at Tokar")


def test_a_position_is_taken_as_a_start(stage: Stage, page: Page) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at(f"/campaigns/{stage.campaign.slug}/console/"))
    page.get_by_role("button", name="What if from here").click()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.locator("#fault")).to_be_hidden()
    own = OwnScenario.objects.get()
    assert own.tables is not None
    assert own.document["scenario"]["start"] == "1884-02"


def test_shared_by_a_link_and_copied(stage: Stage, page: Page) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/workshop/"))
    page.get_by_label("From", exact=True).select_option(label="Hicks in Kordofan")
    page.get_by_role("button", name="Begin a scenario").click()
    page.wait_for_selector("#workshop[data-ready]")
    page.get_by_label("Anybody with this link").check()
    expect(page.locator("#state")).to_have_text("Shared.")
    link = page.locator(".link").inner_text()
    stage.log_in(page, stage.people.egyptian)
    page.goto(link)
    page.get_by_role("button", name="Copy to my scenarios").click()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.locator("#title")).to_have_text("Hicks in Kordofan, my own, copied")
    assert OwnScenario.objects.filter(owner=stage.people.egyptian).count() == 1
