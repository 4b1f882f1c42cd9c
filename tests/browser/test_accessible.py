"""No serious violation that axe knows of, in light rooms and dark ones, at both widths."""

from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.stage import Stage

GRAVE = ("serious", "critical")
PLAIN = (
    *("/", "/rules/", "/about/", "/accounts/login/", "/new-campaign/", "/nowhere/"),
    *("/tables/", "/tables/new/?table=march", "/bench/", "/ladder/"),
    *("/api/", "/api/operations/post-campaigns/", "/api/components/MarchOrder/"),
)
CAMPAIGN = ("", "1884-02/hex/2042/", "1884-02/film/", "dice/")

Scheme = Literal["light", "dark"]


@pytest.fixture
def stage(live_server: Any) -> Stage:
    return Stage(live_server, months=1)


AXE = Axe().axe_script
RUN = """async (grave) => {
  const slight = axe._audit.rules.filter((rule) => !grave.includes(rule.impact));
  const rules = Object.fromEntries(slight.map((rule) => [rule.id, { enabled: false }]));
  const { violations } = await axe.run({ resultTypes: ["violations"], rules });
  return violations;
}"""
"""Axe gives each of its rules one impact. Those whose violations are not grave are not run."""


def violations(page: Page) -> list[str]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:160]} {node['failureSummary']}"
        for one in page.evaluate(RUN, GRAVE)
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_pages_of_the_site(stage: Stage, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, stage.people.umpire)
    for path in PLAIN:
        page.goto(stage.at(path))
        assert violations(page) == [], path


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_pages_of_a_campaign(stage: Stage, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, stage.people.umpire)
    for path in CAMPAIGN:
        stage.visit(page, stage.page + path)
        unfold(page)
        assert violations(page) == [], path


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_set_up(stage: Stage, page: Page, scheme: Scheme) -> None:
    page.emulate_media(color_scheme=scheme)
    stage.log_in(page, stage.people.umpire)
    page.goto(stage.to_set_up() + "set-up/arrange/")
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_campaign_on_a_telephone(stage: Stage, phone: Page, scheme: Scheme) -> None:
    phone.emulate_media(color_scheme=scheme)
    stage.open(phone)
    unfold(phone)
    assert violations(phone) == []


def unfold(page: Page) -> None:
    """Open all that can be opened, so that it is looked at too."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
