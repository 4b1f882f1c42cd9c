"""Pages seen through Debian's own Chromium: the desk at 1440 pixels and the telephone at 390."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from battles.services import quota
from sirdar.celery import app
from tests.golden.tables import play_by_recorded_tables
from tests.known_dice import fix_dice
from tests.patience import PATIENCE
from tests.people import People, gather

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
]

play_by_recorded_tables()  # before any test module reads a table

expect.set_options(timeout=PATIENCE * 1000)  # milliseconds

settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# Playwright's synchronous door keeps a loop running in this thread, on which Django refuses the
# database unless told that nothing asynchronous is meant.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip modules of long tests unless they are asked for: to collect them takes seconds."""
    if "not long" in config.option.markexpr and collection_path.name.endswith("_long.py"):
        return True
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The figures that tests have told, those of other processes too: their reports carry them."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, line in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def slow_machines_may_compute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a computation take as long as it needs: no test depends on the machine's speed."""
    monkeypatch.setattr(quota, "MOST_SECONDS", PATIENCE)


@pytest.fixture(scope="session", autouse=True)
def known_tasks() -> None:
    """A task is carried out at once only where it is known, as in a worker all are."""
    app.loader.import_default_modules()


@pytest.fixture(autouse=True)
def known_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A campaign that ends in its second month would fail a test that plays a third."""
    fix_dice(monkeypatch)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if found is None:
        pytest.fail("The page tests need Chromium: 'apt install chromium-headless-shell'.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


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
def no_worker() -> Iterator[None]:
    """Let jobs wait until the test does the worker's part."""
    app.conf.task_always_eager = False
    yield
    app.conf.task_always_eager = True
