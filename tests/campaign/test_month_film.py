"""A month as a film: its scenes, what each viewer sees of it, its page and its picture."""

import re

import pytest
from django.test import Client

from battles.contract.brief import Side
from campaign.access import fog_of_war, selectors
from campaign.access.month_reports import month_film
from campaign.models import Campaign
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, month_slug
from campaign.rules.sight import Onlooker
from campaign.services.journal import campaign_session
from campaign.staff import answer
from tests.fog.walking import Played, ask, leaks, may_know, play
from tests.people import People

FILM = "/campaigns/fog/1884-03/film/"


@pytest.fixture
def at_war(people: People) -> Played:
    return play(people)


def last_month(campaign: Campaign) -> int:
    return campaign.month - 1


def reader(played: Played, name: str) -> Client:
    client = Client()
    client.force_login(getattr(played.people, name))
    return client


def test_a_film_begins_as_the_month_did_and_ends_as_it_ended(at_war: Played) -> None:
    campaign = at_war.campaign
    film = month_film(campaign, last_month(campaign), Onlooker.UMPIRE)
    before = selectors.state_at(campaign, last_month(campaign) - 1)
    after = selectors.state_at(campaign, last_month(campaign))
    where = {one.id: one.hex for one in film.opening.state.units.values()}
    assert where == {one.id: one.hex for one in before.units.values()}
    assert {one.id: one.hex for one in film.last.state.units.values()} == {
        one.id: one.hex for one in after.units.values()
    }


def test_its_moves_lead_every_unit_from_where_it_stood_to_where_it_stands(at_war: Played) -> None:
    film = month_film(at_war.campaign, last_month(at_war.campaign), Onlooker.UMPIRE)
    stands = film.opening
    moved = 0
    for scene in film.scenes:
        for move in scene.moves:
            moved += move.units
            started = len(board(stands.state).stack(move.side, move.path[0]))
            assert started >= move.units
            assert board(scene.view.state).stack(move.side, move.path[-1])
        stands = scene.view
    assert moved


def test_all_news_of_the_month_stand_in_it_once(at_war: Played) -> None:
    campaign = at_war.campaign
    month = last_month(campaign)
    told = fog_of_war.despatches(campaign, month, Onlooker.UMPIRE)
    news = [one.text for each in told for one in each.sentences if one.weight > 1]
    film = month_film(campaign, month, Onlooker.UMPIRE)
    shown = [one.text for scene in film.scenes for one in scene.news if one.weight > 1]
    assert sorted(shown) == sorted(news)


def test_in_the_fog_a_side_sees_its_own_moves_alone(at_war: Played) -> None:
    campaign = at_war.campaign
    for side in Side:
        film = month_film(campaign, last_month(campaign), side)
        assert {move.side for move in film.moves} <= {side}
        assert film.last.fogged
        believed = fog_of_war.view_at(campaign, last_month(campaign), side)
        assert set(board(film.last.state).hexes(side.enemy)) == set(
            board(believed.state).hexes(side.enemy)
        )


@pytest.mark.parametrize("name", ["egyptian", "mahdist"])
def test_in_the_fog_no_scene_tells_what_is_hidden(at_war: Played, name: str) -> None:
    campaign, side, client = at_war.campaign, Side(name), reader(at_war, name)
    knows = may_know(campaign, side)
    scenes = len(month_film(campaign, last_month(campaign), side).scenes)
    assert scenes
    addresses = [FILM, *(f"{FILM}{number}.svg" for number in range(scenes + 1))]
    answers = [ask(client, address) for address in addresses]
    assert [leak for answer in answers for leak in leaks(answer, knows, side)] == []
    assert all(answer.status == 200 for answer in answers)


def test_the_public_sees_no_unit_while_the_fog_lasts(at_war: Played) -> None:
    film = month_film(at_war.campaign, last_month(at_war.campaign), Onlooker.PUBLIC)
    assert not film.moves
    assert not film.last.state.units


def test_the_page_has_the_scenes_and_stills_for_browsers_without_scripts(at_war: Played) -> None:
    page = reader(at_war, "egyptian").get(FILM).content.decode()
    assert "The month as a film" in page
    assert 'data-scene="1"' in page
    assert page.count("<noscript>") == page.count("data-scene=")


def test_a_scene_that_is_not_there_is_404_and_the_opening_is_a_drawing(at_war: Played) -> None:
    client = reader(at_war, "egyptian")
    assert client.get(f"{FILM}99.svg").status_code == 404
    assert b'id="standing"' in client.get(f"{FILM}0.svg").content
    assert client.get("/campaigns/fog/1884-13/film/").status_code == 404


def test_a_browser_that_keeps_its_drawings_is_shown_the_campaign_as_it_stands(
    at_war: Played,
) -> None:
    client, campaign = reader(at_war, "umpire"), at_war.campaign
    address = f"/campaigns/fog/{month_slug(Month(campaign.month))}/film/"

    def drawings() -> set[str]:
        return set(re.findall(rf'{address}(?:\d+\.svg|picture\.png)[^"]*', film_page()))

    def film_page() -> str:
        return client.get(address).content.decode()

    before = drawings()
    assert drawings() == before
    campaign_session.perform(campaign.pk, "test", answer(selectors.state_now(campaign)))
    assert len(before) >= 2
    assert before.isdisjoint(drawings())
    assert {client.get(one).status_code for one in drawings()} == {200}


def test_the_picture_has_an_arrow_for_the_moves_and_differs_by_side(at_war: Played) -> None:
    egyptian, mahdist = (
        reader(at_war, name).get(f"{FILM}picture.png") for name in ("egyptian", "mahdist")
    )
    assert egyptian["Content-Type"] == "image/png"
    assert egyptian.content.startswith(b"\x89PNG")
    assert egyptian.content != mahdist.content
