"""The workshop's refusals beside their fields, two windows, and events and railways by clicks."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.models import Bench, OwnScenario
from campaign.rules.map import sudan
from campaign.services.journal import own_scenarios
from tests.browser.stage import Stage
from tests.browser.test_workshop import checked, choose, click_hex, open_part
from tests.campaign.test_own_scenarios import golden
from tests.people import PASSWORD

WRONG_AND_RIGHT = (
    ("Name and months", "scenario.start", "1884-13", "1884-02", "is not a month"),
    ("Name and months", "scenario.end", "1883-01", "1884-04", "ends before it begins"),
    ("Name and months", "scenario.end", "1899-01", "1884-04", "longer than 60 months"),
    ("Country", "scenario.map.track[0].title", "", "The fort line", "length"),
    ("Reinforcements", "scenario.reinforcement[0].month", "", "1884-03", "when they come"),
    ("What wins", "scenario.victory[0].least", "5", "0", "5 places cannot be held of 2"),
    ("What wins", "scenario.victory[3].left", "-1", "1", "at least 0"),
    ("What wins", "scenario.victory[4].until", "1886-01", "1884-04", "not a month of the scenario"),
    ("Special rules", "scenario.drawn.spears", "101", "30", "at most 100"),
    ("Special rules", "scenario.monthly_supply.since", "1884-99", "1884-03", "is not a month"),
    ("Random events", "event_tables.events_own.row[0].low", "99", "31", "no run of results"),
    ("Random events", "event_tables.events_own.row[0].high", "30", "36", "no run of results"),
)
"""A part of the editor, a field in it, what is wrong there and what is right, and the reason."""
PARTS = tuple(dict.fromkeys(part for part, *_ in WRONG_AND_RIGHT))


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=0)


@pytest.fixture
def own(stage: Stage) -> OwnScenario:
    return own_scenarios.save_scenario(stage.people.umpire, golden())[0]


def open_editor(stage: Stage, page: Page, own: OwnScenario) -> None:
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at(f"/workshop/{own.pk}/"))
    page.wait_for_selector("#workshop[data-ready]")
    page.wait_for_selector(".map[data-ready]")


def write_in(page: Page, path: str, value: str) -> None:
    """Type into the field of that path; a month that no calendar has goes in as text."""
    control = page.locator(f'[data-path="{path}"]').first.locator("input, textarea").first
    if control.get_attribute("type") == "month":
        control.evaluate("(one) => (one.type = 'text')")
    control.fill(value)


def test_a_dozen_faults_are_shown_beside_their_fields_and_mended(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """Each field is mended together with the next mistake, so that one check shows both."""
    open_editor(stage, page, own)
    expect(page.locator("#fault")).to_be_hidden()
    said = page.locator("#parts .says-wrong")
    mend: tuple[str, str] | None = None
    for part, path, wrong, right, reason in WRONG_AND_RIGHT:
        if mend is not None:
            write_in(page, *mend)
        open_part(page, part)
        write_in(page, path, wrong)
        checked(page)
        expect(said).to_have_count(1)
        expect(said).to_contain_text(reason)
        beside = said.evaluate("(one) => one.parentElement.dataset.path")
        assert path.startswith(beside), (path, beside)
        expect(page.locator("#fault")).to_contain_text("Not ready yet")
        mend = path, right
    assert mend is not None
    page.get_by_role("button", name="Show it under").click()
    expect(page.locator(".wrong-here input:focus")).to_have_count(1)
    write_in(page, *mend)
    checked(page)
    expect(said).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("It can be played")


def test_several_mistakes_are_shown_at_once_and_corrected_one_after_another(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    mistakes = [WRONG_AND_RIGHT[n] for n in (1, 3, 5, 8, 10)]
    said = page.locator("#parts .says-wrong")
    for part, path, wrong, _, _ in mistakes:
        open_part(page, part)
        write_in(page, path, wrong)
    checked(page)
    expect(said).to_have_count(5)
    expect(page.locator("#fault")).to_contain_text("Not ready yet, for 5 reasons:")
    expect(page.locator("#fault li")).to_have_count(5)
    for left, (_, path, _, right, reason) in zip(range(4, -1, -1), mistakes, strict=True):
        beside = page.locator(
            ".wrong-here", has=page.locator(":scope > .says-wrong", has_text=reason)
        )
        assert path.startswith(beside.get_attribute("data-path") or "nowhere"), path
        write_in(page, path, right)
        checked(page)
        expect(said).to_have_count(left)
    expect(page.locator("#fault")).to_be_hidden()


def test_lists_of_places_name_what_the_scenario_has_in_play(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """Khartoum is closed in it; Fort Baker is its own place. The country is chosen from all."""
    open_editor(stage, page, own)
    for part in PARTS:
        open_part(page, part)
    lists = page.locator("#parts select:not(:has(option[value='events_mahdist']))")
    texts = lists.evaluate_all("(all) => all.map((one) => [...one.options].map((o) => o.text))")
    of_places = [one for one in texts if "Souakim" in one or "Tokar" in one]
    whole = [one for one in of_places if "Khartoum" in one]
    assert len(of_places) > 5
    assert len(whole) == 1, "only what chooses the country names the whole map"
    assert sum("Fort Baker" in one for one in of_places if one not in whole) > 5
    victory = page.locator("[data-path='scenario.victory[0].places']")
    expect(victory.locator("option", has_text="Handub")).to_have_count(1)
    country = open_part(page, "Country")
    click_hex(page, f"{sudan().place('Handub').hex:04d}")
    country.get_by_role("button", name="Close this hex").click()
    checked(page)
    expect(victory.locator("option", has_text="Handub")).to_have_count(0)
    country.get_by_role("button", name="Open this hex").click()
    checked(page)
    expect(victory.locator("option", has_text="Handub")).to_have_count(1)


def test_two_windows_do_not_overwrite_each_other(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    other = page.context.new_page()
    open_editor(stage, other, own)
    other.get_by_label("Title").fill("Written in the other window")
    other.get_by_role("button", name="Save").click()
    expect(other.locator("#state")).to_contain_text("It can be played")
    page.get_by_label("Title").fill("Written too late")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("changed in another window")
    page.get_by_label("Anybody with this link").click()
    expect(page.locator("#state")).to_contain_text("Not changed")
    expect(page.get_by_label("Anybody with this link")).not_to_be_checked()
    other.get_by_label("Anybody with this link").check()
    expect(other.locator("#state")).to_have_text("Shared.")
    own.refresh_from_db()
    assert (own.title, own.shared) == ("Written in the other window", True)


def test_a_save_without_a_connection_or_a_server_says_why(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """Behind a proxy the answer of a server that is being restarted is no JSON."""
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("On the train")
    checked(page)
    page.context.set_offline(True)
    save = page.get_by_role("button", name="Save", exact=True)
    save.click()
    expect(page.locator("#state")).to_have_text("Not saved: there is no connection. ")
    page.context.set_offline(False)
    page.route("**/own-scenarios/*/", lambda route: route.fulfill(status=502, body="<h1>Bad"))
    save.click()
    expect(page.locator("#state")).to_contain_text("Not saved: the server answers 502.")
    page.unroute("**/own-scenarios/*/")
    save.click()
    expect(page.locator("#state")).to_contain_text("It can be played")


def test_what_another_window_has_overtaken_is_saved_as_a_copy(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """Another window has saved or deleted it since: nothing that is written here is lost."""
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("Written too late")
    own_scenarios.save_scenario(stage.people.umpire, golden(), own)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("changed in another window")
    assert "ETag" not in page.locator("#state").inner_text()
    own_scenarios.delete_scenario(stage.people.umpire, own)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("deleted in another window")
    page.get_by_role("button", name="Save this as a copy").click()
    expect(page.get_by_label("Title")).to_have_value("Written too late, copied")
    copy = OwnScenario.objects.get(deleted=None)
    assert (copy.title, page.url) == ("Written too late, copied", stage.at(f"/workshop/{copy.pk}/"))


def begin_visit(stage: Stage, page: Page) -> None:
    """Log in and get the cookie of forms, without which a browser caches no page under its own."""
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.at("/help/"))


def test_going_back_to_a_scenario_shows_it_as_it_was_saved(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    begin_visit(stage, page)
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("Saved before I left")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("It can be played")
    page.goto(stage.at("/help/"))
    page.go_back()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.locator("#title")).to_have_text("Saved before I left")
    page.get_by_label("Title").fill("Saved again")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("It can be played")


@pytest.mark.parametrize("path", ["/workshop/", "/"])
def test_going_back_to_a_list_shows_what_is_in_it_now(
    stage: Stage, page: Page, own: OwnScenario, path: str
) -> None:
    begin_visit(stage, page)
    page.goto(stage.at(path))
    page.goto(stage.at("/help/"))
    own.title = stage.campaign.title = "Under another title"
    own.save()
    stage.campaign.save()
    page.go_back()
    expect(page.get_by_role("main").get_by_text("Under another title")).to_be_visible()


def test_deleting_a_scenario_says_how_long_it_can_be_restored(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_role("dialog")).to_contain_text("For 14 days you can restore it")
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name=f"Restore {own.title}")).to_be_visible()


def test_a_scenario_is_saved_after_logging_in_again_in_another_tab(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    page.context.clear_cookies(name="sessionid")
    page.get_by_label("Title").fill("Written while logged out")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("you are logged out")
    stage.people.umpire.set_password("fuzzy-wuzzy-85")
    stage.people.umpire.save()
    other = page.context.new_page()
    other.goto(stage.at("/accounts/login/"))
    other.get_by_label("Name").fill(stage.people.umpire.username)
    other.get_by_label("Password").fill("fuzzy-wuzzy-85")
    other.get_by_role("main").get_by_role("button", name="Log in").click()
    expect(other.get_by_role("button", name="Log out")).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("Saved")
    own.refresh_from_db()
    assert own.title == "Written while logged out"


def test_what_is_written_while_a_save_is_under_way_is_not_saved_yet(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """The answer to a save is held back; it speaks of the document that was sent."""
    open_editor(stage, page, own)
    held: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method == "PATCH" and not held:
            held.append(route)
        else:
            route.continue_()

    page.route(f"**/own-scenarios/{own.pk}/", hold)
    state = page.locator("#state")
    page.get_by_label("Title").fill("Sent")
    page.get_by_role("button", name="Save").click()
    expect(state).to_have_text("Saving…")
    page.get_by_label("Title").fill("Written meanwhile")
    open_part(page, "What wins")
    write_in(page, "scenario.victory[0].least", "5")
    checked(page)
    with page.expect_response(lambda one: one.request.method == "PATCH"):
        held[0].continue_()
    expect(state).to_have_text("Saved, but not what you have written since.")
    expect(page.locator("#fault")).to_contain_text("5 places cannot be held of 2")
    asks = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert page.evaluate(asks) is True
    own.refresh_from_db()
    assert own.title == "Sent"
    page.get_by_role("button", name="Save").click()
    expect(state).to_contain_text("Saved as a draft")
    assert page.evaluate(asks) is False
    own.refresh_from_db()
    assert own.title == "Written meanwhile"


def test_events_railways_and_plans_are_written_by_clicks(
    stage: Stage, page: Page, own: OwnScenario, tmp_path: Path
) -> None:
    open_editor(stage, page, own)
    events = open_part(page, "Random events")
    events.get_by_role("button", name="Write Mahdist events").click()
    table = events.locator("[data-path^='event_tables.events_mahdist']").first
    table.get_by_role("button", name="Add an event").click()
    row = events.locator("[data-path$='.row[0]']").last
    row.get_by_label("What happens, as in").select_option(index=3)
    checked(page)
    expect(page.locator("#fault")).to_be_hidden()
    rules = open_part(page, "Special rules")
    rules.get_by_role("button", name="Add a railway").click()
    line = rules.locator("[data-path='scenario.line[0]']")
    line.get_by_label("A railway along").select_option("fort_line")
    checked(page)
    expect(page.locator("#fault")).to_be_visible()  # it begins nowhere yet
    line.get_by_label("It begins at").select_option("Fort Baker")
    checked(page)
    expect(rules.locator(".says-wrong")).to_contain_text("does not begin at Fort Baker")
    rules.get_by_role("button", name="Remove This railway").click()
    plans = open_part(page, "The computer’s plans")
    plans.get_by_label("Small bodies gather at").select_option("Fort Baker")
    plans.get_by_role("button", name="Add a plan for the Egyptian side").click()
    further = plans.locator("[data-path='scenario.plans.plan[0]']")
    further.get_by_label("Egyptian plan").fill("Back to Souakim")
    further.get_by_label("Columns march on").select_option("Souakim")
    checked(page)
    expect(page.locator("#fault")).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("It can be played")
    own.refresh_from_db()
    assert own.document["scenario"]["plans"]["gather_at"] == "Fort Baker"
    (plan,) = own.document["scenario"]["plans"]["plan"]
    assert (plan["title"], plan["objectives"]) == ("Back to Souakim", ["Souakim"])
    assert len(own.document["event_tables"]) == 2
    page.get_by_role("link", name="Balance bench").first.click()
    expect(page.locator("select[name=scenario]")).to_have_value(f"own-{own.pk}")
    page.goto(stage.at(f"/workshop/{own.pk}/"))
    page.get_by_role("link", name="Ladder", exact=True).click()
    expect(page.get_by_label("Scenario")).to_have_value(f"own-{own.pk}")
    page.get_by_label("Games of each pair").select_option("2")
    page.get_by_role("button", name="Let the staff play").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(own.title)
    expect(page.get_by_role("heading", name="Every pair")).to_be_visible()
    expect(page.get_by_text("Back to Souakim").first).to_be_visible()
    assert Bench.objects.get().status == Bench.Status.SUCCEEDED


def test_a_further_track_and_a_further_event_do_not_repeat_the_one_before(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    country = open_part(page, "Country")
    choose(page, "Souakim")
    start = sudan().place("Souakim").hex
    end = next(hex_id for hex_id in sudan().neighbours[start] if not sudan().hexes[hex_id].sea)
    items = country.locator(".item[data-path^='scenario.map.track[']")
    before = items.count()

    def draw() -> None:
        choose(page, "Souakim")
        country.get_by_role("button", name="Draw a track").click()
        click_hex(page, f"{end:04d}")
        country.get_by_role("button", name="Finish the track").click()

    draw()
    draw()
    expect(items).to_have_count(before + 2)
    items.nth(before).get_by_role("button", name="Remove").click()
    draw()
    expect(items).to_have_count(before + 2)
    checked(page)
    expect(page.locator("#fault")).to_be_hidden()

    events = open_part(page, "Random events")
    events.get_by_role("button", name="Write Mahdist events").click()
    table = events.locator("[data-path^='event_tables.events_mahdist']").first
    for _ in range(2):
        table.get_by_role("button", name="Add an event").click()
        row = table.locator(":scope > [data-path*='.row[']").last
        row.get_by_label("What happens, as in").select_option(index=3)
    checked(page)
    expect(page.locator("#fault")).to_be_hidden()


def log_in_again(stage: Stage, page: Page) -> None:
    stage.people.umpire.set_password(PASSWORD)
    stage.people.umpire.save()
    page.get_by_label("Name").fill(stage.people.umpire.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    page.wait_for_selector("#workshop[data-ready]")


def test_a_draft_outlives_the_tab_and_the_session(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    """The tab is closed first; then the session ends, and the log-in leads back to the draft."""
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("Before the tab was closed")
    context = page.context
    page.close(run_before_unload=False)
    page = context.new_page()
    open_editor(stage, page, own)
    state = page.locator("#state")
    expect(state).to_contain_text("What you had not saved is back")
    expect(page.locator("#title")).to_have_text("Before the tab was closed")
    expect(page.get_by_label("Title")).to_have_value("Before the tab was closed")

    context.clear_cookies(name="sessionid")
    page.get_by_label("What it is about").fill("Baker marches. 🐪")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(state).to_contain_text("is kept in this browser")
    state.get_by_role("link", name="Log in").click()
    log_in_again(stage, page)
    expect(state).to_contain_text("What you had not saved is back")
    expect(page.get_by_label("What it is about")).to_have_value("Baker marches. 🐪")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(state).to_contain_text("It can be played")
    own.refresh_from_db()
    assert own.title == "Before the tab was closed"
    assert own.document["scenario"]["description"] == "Baker marches. 🐪"
    page.reload()
    page.wait_for_selector("#workshop[data-ready]")
    expect(state).to_have_text("")


def test_a_draft_that_was_overtaken_is_saved_as_a_copy_or_discarded(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    page.get_by_label("Title").fill("Overtaken")
    own_scenarios.save_scenario(stage.people.umpire, golden(), own)
    page.on("dialog", lambda asked: asked.accept())
    page.reload()
    page.wait_for_selector("#workshop[data-ready]")
    state = page.locator("#state")
    expect(state).to_contain_text("changed elsewhere since")
    expect(state.get_by_role("button", name="Save this as a copy")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(state).to_contain_text("nothing was overwritten")
    page.reload()
    page.wait_for_selector("#workshop[data-ready]")
    state.get_by_role("button", name="Discard the draft").click()
    asked = page.get_by_role("dialog")
    asked.get_by_role("button", name="Cancel").click()
    expect(page.get_by_label("Title")).to_have_value("Overtaken")
    state.get_by_role("button", name="Discard the draft").click()
    asked.get_by_role("button", name="Discard the draft").click()
    expect(page.get_by_label("Title")).to_have_value(golden()["scenario"]["title"])
    page.reload()
    page.wait_for_selector("#workshop[data-ready]")
    expect(state).to_have_text("")


def test_a_file_that_no_form_can_show_is_opened_with_what_is_wrong_in_it(
    stage: Stage, page: Page
) -> None:
    """The parts that can be shown are written and saved; the others say what to correct."""
    document = golden()
    document["scenario"]["replaced"]["at"] = "Souakim"
    document["scenario"]["victory"] = [{"text": "Nobody wins."}]
    document["scenario"]["reinforcement"][0]["units"][0]["nation"] = {}
    own, faults = own_scenarios.save_scenario(stage.people.umpire, document)
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    open_editor(stage, page, own)
    expect(page.locator("#fault li")).to_have_count(len(faults))
    for title, path in (
        ("Special rules", "scenario.replaced.at"),
        ("What wins", "scenario.victory[0]"),
        ("Reinforcements", "scenario.reinforcement[0].units[0].nation"),
    ):
        part = open_part(page, title)
        expect(part).to_contain_text("No form can show this part: correct the file")
        expect(part.locator(".wrong-here code")).to_have_text(path)
        expect(part.locator(".says-wrong")).to_have_count(1)
    write_in(page, "scenario.title", "Half of a scenario")
    checked(page)
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#state")).to_contain_text("Saved as a draft")
    own.refresh_from_db()
    assert own.document["scenario"]["title"] == "Half of a scenario"
    assert own.document["scenario"]["replaced"] == {"at": "Souakim"}
    assert thrown == []


def test_units_have_the_strength_that_is_written_with_the_usual_quality(
    stage: Stage, page: Page, own: OwnScenario
) -> None:
    open_editor(stage, page, own)
    forces = choose(page, "Souakim")
    forces.get_by_label("Unit", exact=True).select_option("infantry")
    forces.get_by_label("Nation", exact=True).select_option("british")
    forces.get_by_label("Strength").fill("5")
    forces.get_by_role("button", name="Place here").click()
    expect(forces.get_by_text("1 British infantry of strength 5")).to_be_visible()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#state")).to_contain_text("It can be played")
    own.refresh_from_db()
    stacks = own.document["scenario"]["stack"]
    placed = [unit for stack in stacks for post in stack["posts"] for unit in post["units"]]
    assert {"kind": "infantry", "nation": "british", "count": 1, "strength": 5} in placed
