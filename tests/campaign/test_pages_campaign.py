"""The campaign page: a month as it shows it, and the marks of what is new."""

import io
import re

import pytest
from django.test import Client
from django.urls import reverse

from campaign.access import journal_events, selectors
from campaign.models import Campaign
from campaign.rules.core.pieces import Month
from campaign.rules.map import sudan
from campaign.rules.sight import Onlooker
from campaign.services.journal import audit
from campaign.services.transfer.archive import export_campaign, import_campaign
from campaign.services.turns import advance
from campaign.templatetags.campaigns import link_clauses
from campaign.web.map import printed_map
from campaign.web.map.campaign_page import CampaignPage
from tests.people import People, logged_in


@pytest.fixture
def reader(people: People) -> Client:
    client = Client()
    client.force_login(people.spectator)
    return client


def page_of(client: Client, campaign: Campaign, *month: str) -> str:
    name = "month" if month else "campaign"
    return client.get(reverse(name, args=[campaign.slug, *month])).content.decode()


def test_the_month_whose_turn_and_what_is_waited_for_are_on_top(
    played: Campaign, reader: Client
) -> None:
    page = page_of(reader, played)
    assert re.search(r'<h1 class="month">April 1884</h1>', page)
    assert "Egyptian turn" in page
    assert "The computer’s staff plays April 1884 when its umpire runs it." in page
    assert "side has to" not in page


def test_a_copy_of_a_campaign_that_has_just_begun_is_drawn_with_its_own_links(
    campaign: Campaign, people: People
) -> None:
    file = io.BytesIO()
    export_campaign(campaign, file, with_secret=True)
    copy = import_campaign(file, slug="copy", umpire=people.umpire)
    client = logged_in(people.umpire)
    assert f'"/campaigns/{campaign.slug}/' in page_of(client, campaign)
    page = page_of(client, copy)
    assert '"/campaigns/copy/' in page
    assert f'"/campaigns/{campaign.slug}/' not in page


def test_a_drawing_is_kept_no_longer_than_the_printed_map_that_it_names(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = CampaignPage(campaign, Month(campaign.month), Onlooker.UMPIRE)
    before = chart.key
    monkeypatch.setattr(printed_map, "base_digest", lambda _: "0123456789abcdef")
    assert chart.key != before


def test_the_timeline_leads_to_every_month_so_far_and_to_none_to_come(
    played: Campaign, reader: Client
) -> None:
    timeline = page_of(reader, played).split('<ol class="ruler">')[1].split("</ol>")[0]
    addresses = re.findall(r'href="([^"]+)"', timeline)
    base = reverse("campaign", args=[played.slug])
    assert addresses == [f"{base}set-up/", f"{base}1884-02/", f"{base}1884-03/", base]
    assert timeline.count("to-come") == 18
    for there in addresses:
        assert reader.get(there).status_code == 200


def test_the_lines_of_the_leaders_begin_with_a_capital(played: Campaign, reader: Client) -> None:
    page = page_of(reader, played)
    leaders = re.findall(
        r'<th scope="row" class="as-said">(.*?)<.*?data-hex="\d+">(.*?)<', page, re.DOTALL
    )
    assert "The Mahdi " in dict(leaders)
    assert all(words[0].isupper() for line in leaders for words in line)


def test_a_month_gone_by_is_shown_as_it_stood(played: Campaign, reader: Client) -> None:
    before = page_of(reader, played, "1884-02")
    then = selectors.state_at(played, played.first_month)
    shown = {int(number) for number in re.findall(r'data-hex="(\d{4})"[^>]*data-side', before)}
    assert shown == {unit.hex for unit in then.units.values() if unit.hex in sudan().hexes}
    assert "As it stood when the month ended" in before


def test_a_month_gone_by_leads_a_player_to_the_orders_that_are_due(
    played: Campaign, people: People
) -> None:
    Campaign.objects.update(mode=Campaign.Mode.ORDERS)
    link = f'href="{reverse("orders", args=[played.slug])}">Your orders for '
    assert link in page_of(logged_in(people.egyptian), played, "1884-02")
    assert link not in page_of(logged_in(people.umpire), played, "1884-02")
    Campaign.objects.update(finished=True)
    assert link not in page_of(logged_in(people.egyptian), played, "1884-02")


def test_a_despatch_has_its_dice_table_and_clause_behind_it(
    played: Campaign, reader: Client
) -> None:
    page = page_of(reader, played, "1884-02")
    told = [
        sentence
        for despatch in selectors.despatches(played, played.first_month)
        for sentence in despatch.sentences
    ]
    rolls = [roll for sentence in told for roll in sentence.rolls]
    assert rolls
    assert page.count('<div class="roll">') == len(rolls)
    faces = [face for roll in rolls if roll.sides == 6 for face in roll.dice]
    assert page.count('class="die"') == len(faces)
    rules = Client().get(reverse("rules")).content.decode()
    for anchor in set(re.findall(rf'href="{reverse("rules")}#([\w.-]+)"', page)):
        assert f'id="{anchor}"' in rules


def test_the_order_of_battle_names_every_stack(played: Campaign, reader: Client) -> None:
    page = page_of(reader, played)
    state = selectors.state_now(played)
    armies = page.split('id="armies"')[1].split('id="situation"')[0]
    for unit in state.units.values():
        if unit.hex in sudan().hexes:
            assert f'data-hex="{unit.hex:04d}"' in armies


def test_the_map_is_had_from_an_address_that_never_changes(
    played: Campaign, reader: Client
) -> None:
    sheet = re.search(r'data-sheet="([^"]+)"', page_of(reader, played))
    assert sheet is not None
    answer = reader.get(sheet[1])
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    assert "max-age=31536000" in answer["Cache-Control"]
    assert reader.get(reverse("sheet", args=["0" * 16])).status_code == 404


def test_what_was_played_since_one_looked_is_marked_until_it_is_read(
    campaign: Campaign, reader: Client
) -> None:
    def marked(page: str) -> list[str]:
        return re.findall(r"(\w+ \d{4}), new since you last looked", page)

    assert marked(page_of(reader, campaign)) == []
    advance.run_month(campaign.pk, until=campaign.month + 2)
    assert marked(page_of(reader, campaign)) == ["February 1884", "March 1884", "April 1884"]
    assert marked(page_of(reader, campaign)) == ["February 1884"]
    assert marked(page_of(reader, campaign, "1884-02")) == ["February 1884"]
    assert marked(page_of(reader, campaign)) == []


def test_a_cookie_that_is_not_ours_marks_nothing(campaign: Campaign, reader: Client) -> None:
    for nonsense in ("x", "1.2", "1.2.3.4.y", "9" * 5000, "²", ".", "...."):
        reader.cookies["seen"] = nonsense
        assert "new since" not in page_of(reader, campaign)


@pytest.mark.parametrize("number", ["2042", "3127", "5419", "0101", "6000"])
def test_a_hex_is_told_as_a_panel_and_as_a_whole_page(
    played: Campaign, reader: Client, number: str
) -> None:
    there = reverse("hex", args=[played.slug, "1884-03", number])
    panel = reader.get(there, headers={"HX-Request": "true"}).content.decode()
    whole = reader.get(there).content.decode()
    assert "<html" not in panel
    assert panel.strip() in whole


def test_the_panel_tells_ground_water_garrison_supply_and_ways_out(
    campaign: Campaign, reader: Client
) -> None:
    there = reverse("hex", args=[campaign.slug, "1884-02", "2042"])
    panel = reader.get(there, headers={"HX-Request": "true"}).content.decode()
    for words in ("Khartoum", "General Gordon", "White Nile", "cultivated", "Omdurman"):
        assert words in panel
    assert "unbesieged town" in panel
    assert panel.count('<th scope="row">') == 6


def test_a_place_is_found_by_name_alias_or_number(campaign: Campaign, reader: Client) -> None:
    for wanted in ("Khartoum", "khartoum", "2042"):
        answer = reader.get(reverse("find", args=[campaign.slug, "1884-02"]), {"place": wanted})
        assert answer["Location"] == reverse("hex", args=[campaign.slug, "1884-02", "2042"])


def test_a_place_mistyped_is_answered_with_its_neighbours_in_spelling(
    campaign: Campaign, reader: Client
) -> None:
    find = reverse("find", args=[campaign.slug, "1884-02"])
    page = reader.get(find, {"place": "Khartom"}, follow=True).content.decode()
    assert "There is no place" in page
    assert "Did you mean" in page
    assert 'value="Khartom"' in page
    far = reader.get(find, {"place": "Berlin"}, follow=True).content.decode()
    assert "There is no place" in far
    assert "Did you mean" not in far


def test_the_dice_page_publishes_closed_months_and_recomputes_them(
    played: Campaign, reader: Client
) -> None:
    page = reader.get(reverse("dice", args=[played.slug]), {"recompute": "1"}).content.decode()
    assert played.public_anchor in page
    closed = [seal for seal in journal_events.seals_of(played) if seal.link]
    assert [str(seal.link) in page for seal in closed] == [True, True]
    assert page.count("Sealed.") == 1
    proof = audit.verify_dice(played)
    assert f"{proof.dice} dice in {proof.rolls} throws" in page


def test_a_campaign_that_is_over_says_how_it_ended(campaign: Campaign, people: People) -> None:
    ended = advance.run_month(campaign.pk, until=campaign.month + 30)
    assert ended.finished
    client = Client()
    client.force_login(people.umpire)
    page = page_of(client, ended)
    assert "The campaign is over." in page
    assert link_clauses(ended.outcome) in page
    assert "Run the month" not in page
