"""The papers, the debrief and the figures as pages: who may read which, and what stands there."""

import re

import pytest
from django.test import Client

from battles.contract.brief import Side
from campaign.access import fog_of_war, month_reports, selectors
from campaign.models import Campaign
from campaign.rules.sight import Onlooker
from campaign.services.journal import creation, rewind
from campaign.services.turns import advance
from tests.fog.walking import Played, play
from tests.people import People, logged_in

SLUG = "fog"
LAST = "1884-03"


@pytest.fixture
def at_war(people: People) -> Played:
    return play(people)


def page(client: Client, path: str) -> tuple[int, str]:
    response = client.get(f"/campaigns/{SLUG}/{path}")
    return response.status_code, response.content.decode()


def papers_for(played: Played, name: str, delay: int = 3) -> dict[str, int]:
    """Return the answer to a person for each published paper of the last month."""
    Campaign.objects.filter(pk=played.campaign.pk).update(public_delay=delay)
    client = Client()
    client.force_login(getattr(played.people, name))
    wanted = ("egyptian", "mahdist", "public")
    return {whose: page(client, f"papers/{LAST}/{whose}/")[0] for whose in wanted}


def test_a_side_reads_its_own_paper_and_not_the_enemys(at_war: Played) -> None:
    assert papers_for(at_war, "egyptian") == {"egyptian": 200, "mahdist": 404, "public": 404}
    assert papers_for(at_war, "mahdist") == {"egyptian": 404, "mahdist": 200, "public": 404}


def test_the_public_reads_its_own_when_it_is_late_enough(at_war: Played) -> None:
    assert papers_for(at_war, "stranger") == {"egyptian": 404, "mahdist": 404, "public": 404}
    late = papers_for(at_war, "stranger", delay=1)
    assert late == {"egyptian": 404, "mahdist": 404, "public": 200}
    assert papers_for(at_war, "egyptian", delay=1)["public"] == 200


def test_the_umpire_reads_all_three(at_war: Played) -> None:
    assert papers_for(at_war, "umpire") == {"egyptian": 200, "mahdist": 200, "public": 200}


def test_a_month_that_is_not_out_has_no_paper(at_war: Played) -> None:
    client = Client()
    client.force_login(at_war.people.egyptian)
    assert page(client, "papers/1884-04/egyptian/")[0] == 404
    assert month_reports.papers(at_war.campaign, Side.EGYPTIAN, at_war.campaign.month) == []


def test_the_map_in_a_paper_is_for_its_readers(at_war: Played) -> None:
    client = Client()
    client.force_login(at_war.people.egyptian)
    status, drawing = page(client, f"papers/{LAST}/egyptian/map.svg")
    assert status == 200
    assert drawing.startswith("<svg")
    for whose in ("mahdist", "umpire", "public"):
        assert page(client, f"papers/{LAST}/{whose}/map.svg")[0] == 404


def test_the_map_in_a_paper_has_another_address_after_a_rewind(at_war: Played) -> None:
    """A browser keeps the map for a minute, and would show that of the abandoned branch."""

    def map_of(path: str) -> str:
        (found,) = re.findall(r'"([^"]*/egyptian/map.svg[^"]*)"', page(client, path)[1])
        assert client.get(found).status_code == 200
        return str(found)

    client = logged_in(at_war.people.umpire)
    before = map_of(f"papers/{LAST}/egyptian/")
    campaign = at_war.campaign
    entry = campaign.entries.filter(month=campaign.month - 1).order_by("-number")[9]
    rewind.rewind_to(campaign.pk, at_war.people.umpire, entry, reason="A wrong sheet.")
    advance.run_month(campaign.pk, until=campaign.month)
    assert map_of(f"papers/{LAST}/egyptian/") != before


def test_the_shelf_has_what_may_be_read(at_war: Played) -> None:
    client = Client()
    client.force_login(at_war.people.mahdist)
    _, shelf = page(client, "papers/")
    assert shelf.count("The Camp Letters") == 2
    assert "The Soudan Gazette" not in shelf


def test_the_debrief_is_closed_until_the_end(at_war: Played, client: Client) -> None:
    client.force_login(at_war.people.egyptian)
    assert page(client, "debrief/")[0] == 404
    Campaign.objects.update(finished=True, outcome="The campaign is drawn.")
    status, text = page(client, f"debrief/{LAST}/")
    assert status == 200
    for whose in ("egyptian", "umpire", "mahdist"):
        assert f"papers/{LAST}/{whose}/map.svg" in text
        assert page(client, f"papers/{LAST}/{whose}/map.svg")[0] == 200
    assert papers_for(at_war, "stranger") == {"egyptian": 200, "mahdist": 200, "public": 200}


def test_the_points_that_decide_a_campaign_are_named_before_and_counted_after_it(
    people: People,
) -> None:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian}
    terms = creation.NewCampaignTerms("desert-column", mode="orders", seats=seats)
    campaign = creation.create_campaign(terms)
    client, at = logged_in(people.egyptian), f"/campaigns/{campaign.slug}/"
    seat = campaign.seats.get(role="egyptian")
    for address in (at, f"{at}orders/{seat.pk}/"):
        page = re.sub(r"<[^>]+>", "", client.get(address).content.decode())
        assert "Mahdist 6 for Khartoum held at the end" in page
        assert "Mahdist 2 for Sir Herbert Stewart lost" in page
        assert "Egyptian 1 for every five Mahdist strength points destroyed in combat" in page
    Campaign.objects.update(finished=True, outcome="The campaign is drawn.")
    rows = re.findall(r"<tr><td>.*?</tr>", client.get(f"{at}debrief/").content.decode())
    counted = [re.sub(r"<[^>]+>", " ", row).split() for row in rows]
    assert ["Egyptian", "Khartoum", "held", "at", "the", "end", "2"] in counted
    assert ["Mahdist", "Khartoum", "held", "at", "the", "end", "0"] in counted
    assert ["Mahdist", "Metemmeh", "held", "at", "the", "end", "4"] in counted


def test_the_debrief_shows_beliefs_beside_the_truth(at_war: Played) -> None:
    Campaign.objects.update(finished=True)
    campaign = Campaign.objects.get()
    month = campaign.first_month
    believed = fog_of_war.view_as_believed(campaign, month, Side.EGYPTIAN)
    truth = fog_of_war.view_as_believed(campaign, month, Onlooker.UMPIRE)
    assert believed.fogged
    assert len(believed.state.units) < len(truth.state.units)
    assert len(truth.state.units) == len(selectors.state_at(campaign, month).units)


def test_figures_hide_the_enemys_strength_and_count_ones_own(at_war: Played) -> None:
    rows = list(month_reports.monthly_figures(at_war.campaign, Side.EGYPTIAN))
    assert all(row.strength[Side.MAHDIST] is None for row in rows)
    truth = list(month_reports.monthly_figures(at_war.campaign, Onlooker.UMPIRE))
    for mine, whole in zip(rows, truth, strict=True):
        assert mine.strength[Side.EGYPTIAN] == whole.strength[Side.EGYPTIAN]
        assert mine.lost[Side.EGYPTIAN] == whole.lost[Side.EGYPTIAN]
        assert (mine.lost[Side.MAHDIST] or 0) <= (whole.lost[Side.MAHDIST] or 0)
        assert mine.besieged == whole.besieged


def test_the_public_sees_no_figure_but_what_both_sides_agree_on(at_war: Played) -> None:
    for row in month_reports.monthly_figures(at_war.campaign, Onlooker.PUBLIC):
        assert set(row.strength.values()) == set(row.lost.values()) == {None}
        assert row.besieged is None


def test_every_figure_has_its_table_beside_it(at_war: Played, client: Client) -> None:
    client.force_login(at_war.people.umpire)
    status, text = page(client, "figures/")
    assert status == 200
    assert text.count('class="curves"') == 4
    assert text.count("<table>") == 4
    assert text.count('<th scope="row">February 1884</th>') == 4


def test_on_an_open_map_a_side_prints_only_what_its_own_men_saw(people: People) -> None:
    """Its players see everything; its paper is still that of one camp."""
    played = play(people)
    Campaign.objects.filter(pk=played.campaign.pk).update(fog=False)
    campaign = Campaign.objects.get()
    own = month_reports.gazette_issue(campaign, campaign.first_month, Side.MAHDIST)
    other = month_reports.gazette_issue(campaign, campaign.first_month, Side.EGYPTIAN)
    marches = {one.heading: one.paragraphs for one in own.articles}["Of the marches"]
    told = {text for one in other.articles for text in one.paragraphs}
    assert set(marches) - told, "some marches of a whole month are seen by nobody else"
