"""Help: the guides of docs/, clauses in plain words, the legend, deadlines as a calendar."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from battles.contract.brief import Quality, TroopKind
from campaign.models import Campaign, Deadline
from campaign.rules.casebook import cases
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.core.state import Phase
from campaign.rules.trace import trace
from campaign.web import help_pages
from campaign.web.map.printed_map import legend
from campaign.web.seat_pages import token_of
from tests.people import gather, sit_down

pytestmark = pytest.mark.django_db


def text_of(name: str, *args: str) -> str:
    answer = Client().get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("page", help_pages.PAGES, ids=lambda page: page.name)
def test_a_guide_is_the_text_of_docs_with_the_site_s_links(page: Any) -> None:
    shown = text_of(page.name)
    title = (help_pages.DOCS / page.file).read_text().splitlines()[0].removeprefix("# ")
    assert f"<h1>{title}</h1>" in shown
    assert not re.search(r'href="[^":]*\.md"', shown)
    for picture in re.findall(r'src="/static/(help/[^"]+)"', shown):
        assert finders.find(picture), picture


def test_every_clause_has_a_page_in_plain_words_and_most_have_a_case() -> None:
    shown = {one.number: help_pages.cases_of(one) for one in trace()}
    for one in trace():
        page = text_of("clause", one.anchor)
        assert one.number in page
        assert all(case.number in page for case in shown[one.number][: help_pages.MOST_CASES])
    assert sum(map(bool, shown.values())) > len(shown) * 0.8
    assert {case.number for found in shown.values() for case in found} == {
        case.number for case in cases()
    }
    assert Client().get(reverse("clause", args=["99_9"])).status_code == 404


def test_the_glossary_names_the_phases_of_a_turn_in_their_order() -> None:
    text = (help_pages.DOCS / "guide-glossary.md").read_text()
    told = next(line for line in text.splitlines() if line.startswith("| Phase |"))
    order = ["random event", "reinforcement", "march", "attrition", "recovery"]
    assert order == [phase for phase in Phase if phase not in {Phase.SET_UP, Phase.OVER}]
    assert re.findall("|".join([*order, "combat"]), told.partition(". ")[0]) == order


def test_the_legend_has_every_arm_and_every_quality() -> None:
    shown = legend()
    assert {one.kind for one in shown.arms} == {str(kind) for kind in TroopKind}
    assert {one.letter for one in shown.qualities} == {str(one) for one in Quality} - {""}
    assert "Rabble" in text_of("help")


def dated(campaign: Campaign) -> Deadline:
    due = timezone.now() + timedelta(days=3)
    return Deadline.objects.create(
        campaign=campaign, branch=campaign.branch, month=campaign.month, due=due, grace_until=due
    )


def test_deadlines_are_a_calendar_that_needs_no_login() -> None:
    people = gather()
    campaign = sit_down(people)
    campaign.title = "Thursday, 8; at the club\\" + "n" * 75
    campaign.save()
    deadline = dated(campaign)
    client = Client()
    client.force_login(people.egyptian)
    page = client.get(reverse("calendar")).content.decode()
    link = re.search(r'href="http://testserver(/calendar/[^"]+\.ics)"', page)
    assert link is not None
    answer = Client().get(link[1])
    assert answer["Content-Type"].startswith("text/calendar")
    raw = answer.content.decode()
    assert all(len(line.encode()) <= 75 for line in raw.split("\r\n"))
    lines = raw.replace("\r\n ", "").split("\r\n")
    assert f"DTSTART:{deadline.due:%Y%m%dT%H%M%SZ}" in lines
    assert any(one.startswith(r"SUMMARY:Thursday\, 8\; at the club\\nnn") for one in lines)


def test_a_wrong_token_and_an_old_password_open_no_calendar() -> None:
    people = gather()
    dated(sit_down(people))
    old = token_of(people.egyptian)
    people.egyptian.set_password("another one altogether")
    people.egyptian.save()
    number = people.egyptian.pk
    for token in (old, f"{number}-0", "x-y", f"{number}", f"{people.stranger.pk}{old[1:]}"):
        assert Client().get(reverse("calendar-feed", args=[token])).status_code == 404, token
    stranger = Client().get(reverse("calendar-feed", args=[token_of(people.stranger)]))
    assert "BEGIN:VEVENT" not in stranger.content.decode()


def test_the_umpire_s_guide_goes_on_by_its_buttons_without_a_script() -> None:
    people = gather()
    campaign = sit_down(people)
    client = Client()
    client.force_login(people.umpire)
    console = reverse("console", args=[campaign.slug])
    assert "Show me round" in client.get(console).content.decode()
    for step in (1, 2, 3, 4):
        form = {"guide": "umpire", "step": str(step), "here": console}
        answer = client.post(reverse("guide-step", args=[campaign.slug]), form)
        assert answer["Location"] == console
        assert f"Step {step} of 4" in client.get(console).content.decode()
    wrong = {"guide": "umpire", "step": "9", "here": "https://elsewhere.example/"}
    answer = client.post(reverse("guide-step", args=[campaign.slug]), wrong)
    assert answer["Location"] == reverse("campaign", args=[campaign.slug])
    assert "Step 4 of 4" in client.get(console).content.decode()
    nowhere = {"guide": "umpire", "step": "1", "here": "nowhere"}
    answer = client.post(reverse("guide-step", args=[campaign.slug]), nowhere)
    assert answer["Location"] == reverse("campaign", args=[campaign.slug])
    client.post(reverse("guide-step", args=[campaign.slug]), {"guide": "umpire", "step": "0"})
    assert "Step" not in re.sub(r"(?s)<head>.*</head>", "", client.get(console).content.decode())


def test_the_last_step_is_done_on_the_pages_that_have_the_despatches() -> None:
    people = gather()
    campaign = sit_down(people)
    Campaign.objects.update(mode=Campaign.Mode.ORDERS)
    client = Client()
    client.force_login(people.egyptian)
    form = {"step": "6", "here": reverse("campaign", args=[campaign.slug])}
    client.post(reverse("guide-step", args=[campaign.slug]), form)
    seat = campaign.seats.get(role="egyptian")
    leads_on = {
        reverse("order-sheet", args=[campaign.slug, seat.pk]): True,
        reverse("campaign", args=[campaign.slug]): False,
        reverse("month", args=[campaign.slug, month_slug(Month(campaign.month))]): False,
    }
    for address, onward in leads_on.items():
        shown = client.get(address, follow=True).content.decode()
        assert ("Open the despatches" in shown, ">Done</button>" in shown) == (onward, not onward)
