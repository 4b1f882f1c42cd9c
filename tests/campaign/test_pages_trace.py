"""The pages of the trace and of the case book, and what a campaign has used of the rules."""

import json
import re

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from campaign import serialization
from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.rules.casebook import cases
from campaign.rules.trace import parts, trace
from tests.people import People, sit_down


def body(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_trace_shows_every_clause_with_its_cases_and_tests(client: Client) -> None:
    page = body(client, "trace")
    for clause in trace():
        assert f'id="clause-{clause.anchor}"' in page
    linked = set(re.findall(r"/rules/cases/([\d.]+)/", page))
    assert linked == {case.number for case in cases()}
    assert "test_8_21_hill_costs_two" in page


def test_every_anchor_that_a_case_leads_to_is_on_the_trace(client: Client) -> None:
    page = body(client, "trace")
    for case in cases():
        clause, part = parts()[case.clause]
        assert f'id="clause-{clause.anchor}-{part.letter}"' in page


def test_the_case_book_lists_every_case(client: Client) -> None:
    page = body(client, "cases")
    assert [case.number for case in cases() if f">{case.number}<" not in page] == []


def test_every_case_has_its_page_and_comes_out_there_as_written(client: Client) -> None:
    for case in cases():
        page = body(client, "case", case.number)
        assert "Played just now, with the required result" in page, case.number
        assert 'class="chart"' in page


def test_a_case_shows_position_actions_dice_and_result(client: Client) -> None:
    page = body(client, "case", "9.8.11")
    assert "SIRDAR" in page.upper()
    assert "goes back to seven hexes" in page
    assert "&quot;type&quot;:&quot;Retreat&quot;" in page
    assert "Egyptian stack tests under melee" in page
    assert 'class="way"' in page


def test_a_refused_action_is_told_with_its_clause(client: Client) -> None:
    page = body(client, "case", "8.2.4")
    assert re.search(r"Refused by <a [^>]*>8\.2</a>\.", page)
    assert "sea" in page


def test_there_is_no_page_for_a_case_that_there_is_not(client: Client) -> None:
    answer = client.get(reverse("case", args=["8.21.900"]))
    assert answer.status_code == 404
    assert "8.21.900" in answer.content.decode()


def test_another_program_reads_all_cases_as_one_document(client: Client) -> None:
    answer = client.get(reverse("cases-document"))
    assert answer["Content-Type"] == "application/json"
    read = json.loads(answer.content)["case"]
    assert [case["number"] for case in read] == [case.number for case in cases()]
    assert read[0]["actions"][0] == {"type": "March", "units": [1, 2, 3]}


def test_a_campaign_tells_how_often_each_clause_was_applied(client: Client, people: People) -> None:
    campaign = sit_down(people, months=1, public=True)
    counted = journal_events.clauses_applied(campaign)
    rolls = [
        roll for entry in selectors.entries_on(campaign) for roll in serialization.rolls_of(entry)
    ]
    changed_by = [modifier.clause for roll in rolls for modifier in roll.modifiers]
    assert counted["8.31"] == [*(roll.clause for roll in rolls), *changed_by].count("8.31") > 0
    assert counted["5.1 a"] == 1
    assert set(counted) <= {clause.number for clause in trace()} | set(parts())
    page = body(client, "campaign-trace", campaign.slug)
    assert "1 time<" in page
    assert "not so far" in page


def test_nobody_counts_in_a_campaign_he_may_not_see(client: Client, campaign: Campaign) -> None:
    answer = client.get(reverse("campaign-trace", args=[campaign.slug]))
    assert answer.status_code == 404


def test_the_command_plays_cases_and_names_those_there_are_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("cases", "8.21", "9.12.1")
    assert "9 cases give the required results" in capsys.readouterr().out
    with pytest.raises(CommandError, match=r"no case 77\.7"):
        call_command("cases", "77.7")


def test_the_command_prints_the_trace(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("trace")
    assert "### 8.21 Ground and rivers" in capsys.readouterr().out
