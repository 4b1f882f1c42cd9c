"""Pages seen through Debian's own Chromium: the desk at 1440 pixels and the telephone at 390."""

import gc
import os
import shutil
import sys
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django import DjangoDbBlocker

from api import ssrf_guard
from api.http.responses import shelf
from battles.services import quota
from campaign.management.commands import demo as demo_campaigns
from campaign.management.commands import showcase as showcase_command
from campaign.models import Campaign
from campaign.services.turns import showcase
from ops import sent_once
from sirdar.celery import app
from tests.golden.tables import play_by_recorded_tables
from tests.in_flight import count_requests, in_flight
from tests.known_dice import fix_dice
from tests.patience import PATIENCE, wait_until
from tests.people import People, gather
from tests.played_once import made_once, play_once, share_in

pytest_plugins = ["tests.servers"]

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first of these that is there. The shell has the same engine and no windows, toolbars or tabs
around it: a page takes two thirds of the time that the whole browser needs.
"""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A screen is painted in one piece: for each piece the whole drawing of a map is gone through.
    "--default-tile-width=1536",
    "--default-tile-height=1024",
]

# Compiled modules are kept however the tests are begun: they start many processes that import the
# same ones, and compiling the program takes a third of such a start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

play_by_recorded_tables()  # before any test module reads a table

expect.set_options(timeout=PATIENCE * 1000)  # milliseconds

hypothesis_settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("any machine")

# Playwright's synchronous door keeps a loop running in this thread, on which Django refuses the
# database unless told that nothing asynchronous is meant.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def migrated(shared_campaigns: None, django_db_blocker: DjangoDbBlocker) -> Path:
    """A folder with a migrated database, to be copied; one process of the run has made it."""
    if not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("The processes of this test have a database of SQLite.")

    def migrate(folder: Path) -> None:
        creation, name = connections["default"].creation, settings.DATABASES["default"]["NAME"]
        with django_db_blocker.unblock():
            creation.create_test_db(verbosity=0, serialize=False)
            with connections["default"].cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(folder / "sirdar.sqlite3")])
            creation.destroy_test_db(name, verbosity=0)

    return made_once("migrated", migrate)


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest) -> bool:
    """Let Django find the tables that it would make, so that it need not migrate.

    PostgreSQL has its database made in the usual way.
    """
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return False
    shutil.copy(request.getfixturevalue("migrated") / "sirdar.sqlite3", database["TEST"]["NAME"])
    return True


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip modules of long tests unless they are asked for: to collect them takes seconds."""
    if "not long" in config.option.markexpr and collection_path.name.endswith("_long.py"):
        return True
    return None


SLOW = (
    "bench/test_bench.py",
    "fog/test_routes.py",
    "security/test_access.py",
    "test_project.py",
    "campaign/test_processes.py",
    "battles_web/test_fight_turn_form.py",
    "generators/",
    "clients/",
    "api/test_schemathesis.py",
    "books/test_turn_form.py",
    "odds/test_voyage.py",
    "campaign/test_demo.py",
    "torture/",
    "browser/test_accessible.py",
    "browser/test_books.py",
    "browser/test_doors.py",
)
"""Files and folders with tests that take long, the longest first."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let every process begin with slow tests: none of them is left for the end of the run.

    Each process is first given as many tests as any other, in this order.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if workers == 1:
        return
    heads: list[list[pytest.Item]] = [[] for _ in range(workers)]
    rest = items[:]
    for number, slow in enumerate(SLOW):
        found = [item for item in rest if item.nodeid.startswith(f"tests/{slow}")]
        rest = [item for item in rest if not item.nodeid.startswith(f"tests/{slow}")]
        heads[number % workers] += found
    ordered: list[pytest.Item] = []
    for number, head in enumerate(heads):
        share = (len(items) - len(ordered)) // (workers - number)
        room = max(0, share - len(head))
        ordered += head + rest[:room]
        rest = rest[room:]
    items[:] = ordered + rest


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let no collector look through the tests while they are found: all of them stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Leave the program and the tests themselves to no collector: they stay until the end."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures that tests have told, those of other processes too: their reports carry them."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, line in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def slow_machines_may_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let computations and answers take as long as they need.

    No test depends on the machine's speed.
    """
    monkeypatch.setattr(quota, "MOST_SECONDS", PATIENCE)
    monkeypatch.setattr(sent_once, "PATIENCE", PATIENCE)
    monkeypatch.setattr(ssrf_guard, "PATIENCE", PATIENCE)
    monkeypatch.setattr(ssrf_guard, "WHOLE_PATIENCE", PATIENCE)


@pytest.fixture(scope="session", autouse=True)
def shared_campaigns(request: pytest.FixtureRequest, tmp_path_factory: Any) -> None:
    """Campaigns that are played once are there for all processes of the run."""
    own: Path = tmp_path_factory.getbasetemp()
    share_in((own.parent if hasattr(request.config, "workerinput") else own) / "played")


@pytest.fixture(scope="session", autouse=True)
def known_tasks() -> None:
    """A task is carried out at once only where it is known, as in a worker all are."""
    app.loader.import_default_modules()


@pytest.fixture(autouse=True)
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign that ends in its second month would fail a test that plays a third."""
    fix_dice(monkeypatch)


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """Let no test pay for the requests of another, or be shown what a page drew for it.

    With the same dice another test's campaign has the same cache keys. On PostgreSQL, which counts
    rows on from test to test, its documents name other rows.
    """
    for name in settings.CACHES:
        caches[name].clear()
    shelf._documents.clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.fail("The page tests need Chromium: 'apt install chromium-headless-shell'.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session", autouse=True)
def counted_requests() -> None:
    """Count the requests that live servers of this process are answering."""
    count_requests()


@pytest.fixture(autouse=True)
def nothing_goes_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close the pages that a test has opened, and let the live server answer what they asked.

    Only then is the database emptied for the next test.
    """
    if "live_server" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    opened = "browser" in request.fixturenames
    browser: Browser | None = request.getfixturevalue("browser") if opened else None
    yield
    for context in browser.contexts if browser else ():
        context.close()
    wait_until(lambda: not in_flight(), "the live server to answer", lambda: str(in_flight()))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page on a desk's screen that fails the test on any error of its scripts."""
    yield from _opened(browser, 1440, 900)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """The same on a telephone's screen, held upright and touched."""
    yield from _opened(browser, 390, 844, touch=True)


def _opened(browser: Browser, width: int, height: int, *, touch: bool = False) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        has_touch=touch,
        is_mobile=touch,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def people(db: None) -> People:
    """The users who play, watch and umpire."""
    return gather()


@pytest.fixture
def played_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay the demo's campaigns down as they were played for another test."""
    make = demo_campaigns.make_demo

    def lay_down(demo: demo_campaigns.Demo, people: Mapping[str, User]) -> Campaign:
        return play_once(demo, lambda: make(demo, people), wholly=False)

    monkeypatch.setattr(demo_campaigns, "make_demo", lay_down)


@pytest.fixture
def shown_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay the showcase down as it was played for another test."""
    make = showcase.make_showcase

    def play() -> Campaign:
        made = make().in_progress
        assert made is not None
        return made

    def lay_down() -> showcase.Showcase:
        play_once(("showcase", showcase.MONTHS_BEHIND), play, wholly=False)
        return make()

    for module in (showcase, showcase_command):
        monkeypatch.setattr(module, "make_showcase", lay_down)


@pytest.fixture
def no_worker() -> Iterator[None]:
    """Let jobs wait until the test does the worker's part."""
    app.conf.task_always_eager = False
    yield
    app.conf.task_always_eager = True
