"""An umpire changes a table in the browser, begins a campaign by it, and plays its first month."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign import serialization
from campaign.models import Campaign
from campaign.services import comparisons
from campaign.services.journal import rules_edition
from tests.browser.stage import Stage
from tests.browser.test_accessible import violations
from tests.own_tables import NO_MARCH, SIEGE, brief, halted, text


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


def test_from_the_download_to_the_first_month(stage: Stage, page: Page, tmp_path: Path) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/rules/"))
    with page.expect_download() as download:
        page.get_by_role("link", name="Download March table").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "march.toml"
    assert file.read_text(encoding="utf-8") == text("march")

    page.get_by_role("link", name="change every table").click()
    page.get_by_role("link", name="New set").click()
    page.get_by_label("Name of the set").fill("Halted")
    file.write_text(text("march", ("low = 4\n", "low = 3\n")), encoding="utf-8")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Check and save").click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("march.toml, line 34: 3 is covered by this row")
    expect(page.get_by_label("Name of the set")).to_have_value("Halted")

    page.get_by_label("March table, as TOML").fill(halted())
    page.get_by_role("button", name="Check and save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Halted")
    row = page.get_by_role("row", name="changed 1 1")
    expect(row.locator("del").first).to_have_text("march, 50%")
    expect(row.locator("ins").first).to_have_text(NO_MARCH)

    page.get_by_role("link", name="New campaign with these").click()
    page.locator("input[name=scenario][value=siege-of-khartoum]").check()
    page.get_by_label("Title").fill("A slow war")
    page.get_by_label("By the staff").check()
    page.get_by_role("button", name="Open the campaign").click()
    page.wait_for_selector(".map[data-ready]")
    page.get_by_role("button", name="Run the month").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("March 1884")
    begun = Campaign.objects.get(title="A slow war")
    rolls = [roll for entry in begun.entries.all() for roll in serialization.rolls_of(entry)]
    assert {roll.result for roll in rolls if roll.reason == "March"} == {NO_MARCH}


def test_a_table_is_changed_on_a_telephone(stage: Stage, phone: Page) -> None:
    stage.log_in(phone, stage.people.umpire)
    phone.goto(stage.at("/tables/"))
    phone.get_by_role("link", name="Change March table").tap()
    phone.get_by_label("Name of the set").fill("Halted")
    phone.get_by_label("March table, as TOML").fill(halted())
    phone.get_by_role("button", name="Check and save").tap()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Halted")
    for path in ("/tables/", "/tables/new/?table=march", "/bench/", ""):
        if path:
            phone.goto(stage.at(path))
        assert phone.evaluate("document.documentElement.scrollWidth") == 390


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_what_differs_and_what_came_of_it_can_be_read_by_everybody(
    stage: Stage, page: Page, scheme: Literal["light", "dark"]
) -> None:
    umpire = stage.people.umpire
    short = rules_edition.name_tables(umpire, "Short", {SIEGE: brief()})
    slow = rules_edition.name_tables(umpire, "Slow", {SIEGE: brief(), "march": halted()})
    bench = comparisons.request_bench(umpire, comparisons.BenchTerms(SIEGE, 2, short, slow))
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, umpire)
    page.goto(stage.at(f"/tables/{slow.pk}/"))
    assert violations(page) == []
    page.goto(stage.at(f"/bench/{bench.uuid}/"))
    expect(page.get_by_role("heading", name="Who wins")).to_be_visible()
    assert violations(page) == []
