"""The map in words: every hex told, every way on, and nothing told that the fog hides."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.rules.map import HexId, sudan
from campaign.services.journal import creation
from campaign.web.map.hex_pages import exits_of, lines_through
from tests.people import SIEGE, People

KHARTOUM = sudan().place("Khartoum").hex


@pytest.fixture
def campaign(people: People) -> Campaign:
    seats = {"umpire": people.umpire, "egyptian": people.egyptian, "mahdist": people.mahdist}
    wanted = creation.NewCampaignTerms(SIEGE, mode=Campaign.Mode.ORDERS, seats=seats, fog=True)
    return creation.create_campaign(wanted)


def page(campaign: Campaign, people: People, name: str, hex_id: HexId | None = None) -> str:
    client = Client()
    client.force_login(getattr(people, name))
    address = reverse("walk", args=[campaign.slug])
    return client.get(address if hex_id is None else f"{address}{hex_id:04d}/").content.decode()


def test_every_way_leads_back(campaign: Campaign) -> None:
    state = selectors.state_now(campaign)
    for step in exits_of(state, Side.EGYPTIAN, KHARTOUM):
        assert KHARTOUM in {back.hex for back in exits_of(state, Side.EGYPTIAN, step.hex)}


def test_a_river_is_walked_up_and_down(campaign: Campaign) -> None:
    state = selectors.state_now(campaign)
    here = sudan().place("Berber").hex
    nile = next(line for line in lines_through(state, here) if line.title == "the Nile")
    up = next(hex_id for words, hex_id, _ in nile.on if words == "upstream")
    above = next(line for line in lines_through(state, up) if line.title == "the Nile")
    assert here in {hex_id for words, hex_id, _ in above.on if words == "downstream"}


def test_a_railway_is_walked_from_end_to_end(campaign: Campaign) -> None:
    state = selectors.state_now(campaign)
    track = sudan().tracks["souakim_berber"]
    walked = [track.hexes[0]]
    while walked[-1] != track.hexes[-1]:
        line = next(one for one in lines_through(state, walked[-1]) if track.title in one.title)
        walked.append(line.on[-1][1])
    assert tuple(walked) == track.hexes


def test_a_hex_is_told_in_words(campaign: Campaign, people: People) -> None:
    text = page(campaign, people, "egyptian", KHARTOUM)
    for words in ("Khartoum is a town", "General Gordon", "the other bank: Omdurman"):
        assert words in text


def test_the_map_in_words_is_in_the_same_fog(campaign: Campaign, people: People) -> None:
    view = fog_of_war.view_now(campaign, Side.EGYPTIAN)
    state = selectors.state_now(campaign)
    seen = {one.hex for one in (*view.sightings, *view.markers)}
    hidden = set(board(state).hexes(Side.MAHDIST)) - set(board(view.state).hexes(Side.MAHDIST))
    unseen = sorted(hidden - seen)
    assert unseen
    assert "No units that you know of" in page(campaign, people, "egyptian", unseen[0])
    begin = page(campaign, people, "egyptian")
    assert not any(f"/walk/{hex_id:04d}/" in _table(begin, "enemy-stacks") for hex_id in unseen)
    whole = page(campaign, people, "umpire")
    assert all(f"/walk/{hex_id:04d}/" in whole for hex_id in unseen)


def _table(text: str, title: str) -> str:
    return text.partition(f'id="{title}"')[2].partition("</table>")[0]


def test_a_place_is_gone_to_by_name_or_number(campaign: Campaign, people: People) -> None:
    client = Client()
    client.force_login(people.egyptian)
    find = reverse("walk-find", args=[campaign.slug])
    berber = f"{sudan().place('Berber').hex:04d}"
    for wanted in ("berber", berber):
        assert client.get(find, {"place": wanted}).headers["Location"].endswith(f"/{berber}/")
    lost = client.get(find, {"place": "Atlantis"}, follow=True).content.decode()
    assert "There is no place" in lost
    assert 'value="Atlantis"' in lost


def test_the_script_gets_the_hex_alone(campaign: Campaign, people: People) -> None:
    client = Client()
    client.force_login(people.egyptian)
    address = reverse("walk-hex", args=[campaign.slug, f"{KHARTOUM:04d}"])
    text = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert re.match(r'\s*<div class="opening">', text)
    assert "<html" not in text
