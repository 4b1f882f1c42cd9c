"""Pages warn of what the plans of the computer's staff miss."""

import html

from django.test import Client
from django.urls import reverse

from campaign.rules.tables.editions import named_editions
from campaign.rules.tables.scenario_loader import scenarios
from campaign.staff.plans import caution
from tests.people import SIEGE

RELIEF = "relief-of-el-obeid"


def get(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_relief_says_what_its_figures_leave_out(umpire: Client) -> None:
    told = caution(RELIEF)
    assert "October 1882" in told
    assert any(one.title in told for one in named_editions())
    assert caution(SIEGE) == ""
    for page in (get(umpire, "new"), get(umpire, "rules")):
        assert page.count(told) == 1


def test_the_rules_tell_of_every_scenario(client: Client) -> None:
    page = get(client, "rules")
    for scenario in scenarios():
        assert scenario.title in page
        assert html.escape(scenario.description) in page
