"""The examples: a computer player that plays a campaign out, and a month's map from GeoJSON."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from api.client import NewCampaign
from api.client.examples import computer_player, month_map
from api.client.examples.computer_player import Player
from campaign.models import Campaign, Entry
from tests.client.conftest import As, Held
from tests.people import PASSWORD

SHORT = "relief-of-el-obeid"
SVG = "{http://www.w3.org/2000/svg}"
pytestmark = pytest.mark.django_db(transaction=True)


def player(as_: As, side: str, **wanted: object) -> Player:
    """Return a program in that seat, which it was invited to; the staff holds the other."""
    other = "mahdist" if side == "egyptian" else "egyptian"
    given = {other: "staff", "fog": True, "when_ready": True, **wanted}
    campaign = as_("umpire").begin(NewCampaign(**given))  # type: ignore[arg-type]
    sirdar = as_(side)
    return Player(sirdar, sirdar.accept(campaign.invite(side).secret).slug, say=lambda _: None)


def actors(slug: str) -> set[str]:
    found = Entry.objects.filter(campaign__slug=slug).values_list("actor", flat=True)
    return set(found)


def test_a_program_plays_a_whole_campaign_by_sheets_in_the_fog(as_: As, transport: Held) -> None:
    bot = player(as_, "mahdist", scenario=SHORT, mode="orders")
    end = bot.play()
    assert end.finished
    assert end.outcome
    assert {"sheet:mahdist", "staff:egyptian"} <= actors(end.slug)
    assert all(address.partition(" ")[2].startswith("/api/v1/") for address in transport.sent)


@pytest.mark.long
@pytest.mark.parametrize("mode", ["orders", "live"])
@pytest.mark.parametrize("side", ["egyptian", "mahdist"])
@pytest.mark.parametrize("scenario", [SHORT, "siege-of-khartoum"])
def test_a_program_plays_either_side_of_either_campaign_to_its_end(
    as_: As, scenario: str, side: str, mode: str
) -> None:
    end = player(as_, side, scenario=scenario, mode=mode).play()
    assert end.finished
    assert end.outcome


def test_a_program_answers_in_live_play_until_the_month_is_over(as_: As) -> None:
    bot = player(as_, "mahdist", scenario=SHORT, mode="live")
    first = bot.campaign.now()
    now = bot.campaign.now()
    while now.month == first.month:
        bot.step(now)
        now = bot.campaign.now()
    played = Campaign.objects.get(slug=now.slug)
    assert played.month == played.first_month + 1
    assert "player:mahdist" in actors(now.slug)


def test_who_has_no_seat_is_told_so(as_: As) -> None:
    bot = player(as_, "mahdist", scenario=SHORT, mode="live")
    with pytest.raises(LookupError, match="no seat"):
        Player(as_("umpire"), bot.campaign.slug)


def test_a_month_is_drawn_with_everybody_who_is_seen(
    as_: As, live_server: Any, tmp_path: Path
) -> None:
    umpire = as_("umpire")
    campaign = umpire.begin(NewCampaign(SHORT, slug="drawn", public=True))
    file = tmp_path / "map.svg"
    assert month_map.main([live_server.url, "drawn", str(file), "--month", "set-up"]) == 0
    drawn = ET.parse(file)  # noqa: S314  we have drawn it
    seen = campaign.geojson("set-up")["features"]
    stacks = [one for one in seen if one["properties"]["kind"] == "stack"]
    assert len(drawn.findall(f".//{SVG}rect")) == len(stacks) > 10
    assert len(drawn.findall(f".//{SVG}polygon")) == len(umpire.map().hexes)


def test_on_the_command_line_it_goes_on_with_a_campaign_until_that_is_over(
    as_: As, live_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = NewCampaign(SHORT, slug="over", mode="live", egyptian="staff", fog=True)
    umpire = as_("umpire")
    secret = umpire.begin(wanted).invite("mahdist").secret
    assert computer_player.campaign_of(as_("mahdist"), secret) == "over"
    ending = {"winner": "mahdist", "reason": "It was late."}
    umpire.wire.write("POST", "campaigns/over/ending/", dict, ending, once=True)
    monkeypatch.setenv("SIRDAR_PASSWORD", PASSWORD)
    assert computer_player.main([live_server.url, "over", "--username", "mahdist"]) == 0
    assert "It was late" in capsys.readouterr().out
