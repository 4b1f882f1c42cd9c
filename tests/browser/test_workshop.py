"""A scenario written from nothing by clicks alone, played, exported and imported elsewhere."""

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import campaign.tasks  # noqa: F401  a task that is known runs at once in a test
from campaign.cartography.sheet import MapSheet
from campaign.models import Campaign, OwnScenario
from campaign.rules.map import HexId, sudan
from campaign.services.journal import audit
from tests.browser.camp import march_to, ready_without_orders
from tests.browser.stage import NEXT_FRAME, Stage
from tests.browser.test_accessible import violations
from tests.patience import PATIENCE, wait_until
from tests.people import PASSWORD
from tests.servers import free_port
from tests.test_project import alone

ROOT = Path(__file__).resolve().parents[2]
ROAD, TOO_FAR, FORT = ("5722", "5622", "5522"), "5724", "5623"
"""Hexes of a track from Trinkitat inland, one that is no neighbour of its end, and a new place."""
TOKAR, EL_TEB = (f"{sudan().place(name).hex:04d}" for name in ("Tokar", "El Teb"))


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
    page.evaluate("document.activeElement.blur()")  # a field that is left is checked at once
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
    choose(page, "Trinkitat")
    country = open_part(page, "Country")
    draw_a_track(page, country)
    click_hex(page, FORT)
    country.get_by_label("Name of a new place here").fill("Fort Baker")
    country.get_by_role("button", name="Add the place").click()


@pytest.mark.long
def test_written_from_nothing_played_by_two_and_replayed_elsewhere(
    stage: Stage, page: Page, browser: Browser, tmp_path: Path
) -> None:
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

    bring_in_again(stage, page, exported)
    played, begun = play_by_two(stage, page, browser, tmp_path / "played.zip")
    with Elsewhere(tmp_path / "elsewhere") as site:
        import_and_replay(site, browser, (exported, played), begun)


def play_by_two(stage: Stage, page: Page, browser: Browser, played: Path) -> tuple[Path, Campaign]:
    """Play the scenario that is open to its end, by two people; export the campaign."""
    page.get_by_role("link", name="New campaign").click()
    expect(page.get_by_label("Two months at Tokar")).to_be_checked()
    page.get_by_label("By order sheets").check()
    page.get_by_label("The Egyptian side", exact=True).select_option(label="yourself")
    page.get_by_label("The month runs as soon as every seat is ready").check()
    page.get_by_role("button", name="Open the campaign").click()
    page.wait_for_load_state()
    begun = Campaign.objects.get(title="Two months at Tokar")
    rival = seat_the_other(stage, page, browser, begun)
    for one in (page, rival):
        one.goto(stage.at(f"/campaigns/{begun.slug}/"))
        one.get_by_role("link", name="Arrange the set-up").click()
        one.get_by_role("button", name="This side is ready").click()
        expect(one.locator(".notices")).to_contain_text("ready")
    play_a_month(stage, begun, (page, TOKAR, "Fort Baker"), (rival, EL_TEB, "Tokar"))
    play_a_month(stage, begun, (page, "", ""), (rival, "", ""))
    begun.refresh_from_db()
    assert begun.finished
    audit.verify_dice(begun)
    page.goto(stage.at(f"/campaigns/{begun.slug}/"))
    expect(page.locator("#status")).to_contain_text(begun.outcome)
    page.goto(stage.at(f"/campaigns/{begun.slug}/console/"))
    with page.expect_download() as archive:
        page.get_by_role("link", name="Export", exact=True).click()
    archive.value.save_as(played)
    rival.context.close()
    return played, begun


def play_a_month(stage: Stage, begun: Campaign, *sheets: tuple[Page, str, str]) -> None:
    """Let both sides march a stack, if one is named, and be ready; then the month has run."""
    begun.refresh_from_db()
    month = begun.month
    for page, hex_number, goal in sheets:
        page.goto(stage.at(f"/campaigns/{begun.slug}/"))
        page.get_by_role("link", name="Your orders for").click()
        expect(page.locator(".map[data-ready]")).to_be_attached()
        if goal:
            march_to(page, hex_number, goal)
        with page.expect_response(lambda answer: answer.request.method == "PATCH"):
            if goal:
                page.get_by_role("button", name="Ready", exact=True).click()
            else:
                ready_without_orders(page)
    begun.refresh_from_db()
    assert begun.month > month or begun.finished


def seat_the_other(stage: Stage, page: Page, browser: Browser, begun: Campaign) -> Page:
    """Invite the second player by a link, in a browser of their own."""
    page.goto(stage.at(f"/campaigns/{begun.slug}/seats/"))
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("The link", exact=True).input_value()
    rival = browser.new_context(locale="en-GB", reduced_motion="reduce").new_page()
    rival.set_default_timeout(PATIENCE * 1000)
    stage.log_in(rival, stage.people.mahdist)
    rival.goto(link)
    rival.get_by_role("button", name="Take the seat").click()
    expect(rival.locator(".notices")).to_contain_text("You have taken your seat")
    return rival


class Elsewhere:
    """A second site in a process of its own, with an empty database."""

    def __init__(self, data: Path) -> None:
        data.mkdir()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = alone(data) | {"ALLOWED_HOSTS": "127.0.0.1", "PORT": str(self.port)}

    def __enter__(self) -> "Elsewhere":
        self.manage("migrate", "--verbosity=0")
        self.manage("collectstatic", "--verbosity=0", "--noinput")
        address = ("--bind", f"127.0.0.1:{self.port}", "--no-control-socket")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *address, "sirdar.wsgi"],
            env=self.environment,
            cwd=ROOT,
        )
        wait_until(self.answers, "the second site to answer")
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    def answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def manage(self, *words: str) -> str:
        """Run a command of the second site, and return what it says."""
        done = subprocess.run(
            [sys.executable, "manage.py", *words],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def import_and_replay(
    site: Elsewhere, browser: Browser, files: tuple[Path, Path], begun: Campaign
) -> None:
    """Import the scenario by clicks and the campaign by its command, and replay it there."""
    exported, played = files
    page = browser.new_context(locale="en-GB").new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.goto(f"{site.url}/accounts/register/")
    page.get_by_label("Name").fill("Slatin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Register").click()
    page.goto(f"{site.url}/workshop/")
    expect(page.get_by_text("You have none yet.")).to_be_visible()
    page.get_by_label("Or from a file").set_input_files(exported)
    page.get_by_role("button", name="Import").click()
    page.wait_for_selector("#workshop[data-ready]")
    expect(page.locator("#fault")).to_be_hidden()
    with page.expect_download() as again:
        page.get_by_role("link", name="Export").click()
    assert json.loads(again.value.path().read_text()) == json.loads(exported.read_text())
    page.get_by_role("link", name="New campaign").click()
    expect(page.get_by_label("Two months at Tokar")).to_be_checked()
    page.get_by_role("button", name="Open the campaign").click()
    expect(page.locator("h1").first).to_be_visible()
    page.context.close()
    site.manage("import", str(played), "--slug", "played-elsewhere", "--umpire", "Slatin")
    site.manage("replay", "played-elsewhere", "--check")
    assert begun.outcome in site.manage("replay", "played-elsewhere")


def bring_in_again(stage: Stage, page: Page, exported: Path) -> None:
    """Import the file where there is no such scenario any more; wrong files come before it."""
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


LOOK = """(hex) => document.querySelector("#map")
  .dispatchEvent(new CustomEvent("look", { detail: { hexes: [hex] } }))"""
ON_SCREEN = """([x, y]) => {
  const svg = document.querySelector("#map svg.chart");
  const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
  return [at.x, at.y];
}"""


def click_hex(page: Page, hex_number: str) -> None:
    """Click a hex on the map with the mouse."""
    page.evaluate(LOOK, hex_number)
    page.evaluate(NEXT_FRAME)
    x, y = page.evaluate(ON_SCREEN, list(MapSheet(sudan()).centre(HexId(int(hex_number)))))
    page.mouse.click(x, y)


def draw_a_track(page: Page, country: Any) -> None:
    """Draw a track of three hexes by clicks; a hex too far is refused, and taken back."""
    country.get_by_role("button", name="Draw a track").click()
    for hex_number in (*ROAD[1:], TOO_FAR):
        click_hex(page, hex_number)
    country.get_by_label("Name of the track").fill("The fort line")
    country.get_by_role("button", name="Finish the track").click()
    checked(page)
    expect(country.locator(".says-wrong")).to_contain_text("do not lie in a row")
    country.get_by_role("button", name="Remove From").click()
    choose(page, "Trinkitat")
    country.get_by_role("button", name="Draw a track").click()
    for hex_number in (*ROAD[1:], TOO_FAR):
        click_hex(page, hex_number)
    country.get_by_role("button", name="Take back the last hex").click()
    country.get_by_label("Name of the track").fill("The fort line")
    country.get_by_role("button", name="Finish the track").click()
    checked(page)
    expect(country.locator(".says-wrong")).to_have_count(0)


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
