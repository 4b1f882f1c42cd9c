"""The workshop on a bad line: a save whose answer is lost, and a button pressed twice."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaign.models import OwnScenario
from campaign.rules.map import sudan
from campaign.services.journal import own_scenarios
from tests.browser.looks import Late
from tests.browser.stage import Stage
from tests.browser.test_workshop import checked, click_hex, open_part
from tests.browser.test_workshop_faults import open_editor, own
from tests.campaign.test_own_scenarios import golden

__all__ = ["own"]


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


def lose_the_answer_to_a_save(page: Page, own: OwnScenario, since: str) -> None:
    """Save the title “Sent”, write another `since`, and lose the answer."""
    late = Late(page, f"**/own-scenarios/{own.pk}/", "PATCH")
    page.get_by_label("Title").fill("Sent")
    page.get_by_role("button", name="Save", exact=True).click()
    late.wait()
    if since:
        page.get_by_label("Title").fill(since)
    late.get_lost()
    expect(page.locator("#state")).to_contain_text("Not saved: there is no connection.")


def test_a_save_whose_answer_was_lost_is_not_taken_for_another_windows(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    lose_the_answer_to_a_save(page, own, "Written since")
    state, save = page.locator("#state"), page.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(state).to_contain_text("Saved. It can be played.")
    own.refresh_from_db()
    assert own.title == "Written since"


@pytest.mark.parametrize("since", ["", "Written since"])
def test_a_save_whose_answer_was_lost_is_known_after_a_reload(
    stage: Stage, page: Page, own: OwnScenario, since: str
) -> None:
    open_editor(stage, page, own)
    lose_the_answer_to_a_save(page, own, since)
    state, save = page.locator("#state"), page.get_by_role("button", name="Save", exact=True)
    page.on("dialog", lambda asked: asked.accept())
    page.reload()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.get_by_label("Title")).to_have_value(since or "Sent")
    expect(state).not_to_contain_text("changed elsewhere")
    expect(state.get_by_role("button", name="Discard the draft")).to_have_count(int(bool(since)))
    save.click()
    expect(state).to_contain_text("Saved. It can be played.")
    own.refresh_from_db()
    assert own.title == (since or "Sent")


def test_a_name_that_is_being_written_stays_when_a_late_answer_builds_the_forms_again(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    country = open_part(page, "Country")
    click_hex(page, f"{sudan().place('Handub').hex:04d}")
    checked(page)
    late = Late(page, "**/own-scenarios/?dry_run=true", "POST")
    country.get_by_role("button", name="Close this hex").click()
    late.wait()
    name = country.get_by_label("Name of a new place here")
    name.press_sequentially("Fort ")
    late.arrive()
    victory = page.locator("[data-path='scenario.victory[0].places']")
    expect(victory.locator("option", has_text="Handub")).to_have_count(0)
    expect(name).to_be_focused()
    page.keyboard.type("Cairo")
    expect(name).to_have_value("Fort Cairo")


def test_two_presses_save_one_copy(stage: Stage, page: Page, own: OwnScenario) -> None:
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("Written too late")
    own_scenarios.save_scenario(stage.people.umpire, golden(), own)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("changed in another window")
    page.get_by_role("button", name="Save this as a copy").dblclick()
    expect(page.get_by_label("Title")).to_have_value("Written too late, copied")
    assert OwnScenario.objects.count() == 2
