"""The examples, run as programs against a live server."""

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import httpx
import pytest

from battles.models import Battle
from campaign.models import Campaign, Entry
from tests.clients.conftest import CLIENT, begin, invite
from tests.patience import ended, wait_until
from tests.people import PASSWORD

SHORT = "relief-of-el-obeid"
SHORTEST = "desert-column"
SVG = "{http://www.w3.org/2000/svg}"


def start(site: Path, program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, CLIENT / "examples" / f"{program}.py", *arguments],
        env={**os.environ, "PYTHONPATH": str(site), "SIRDAR_PASSWORD": PASSWORD},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(site: Path, program: str, *arguments: str) -> str:
    """Run an example to its end and return what it printed."""
    code, out, errors = ended(start(site, program, *arguments), f"the end of {program}")
    assert code == 0, out + errors
    return out


def offered(umpire: httpx.Client, side: str, **wanted: object) -> tuple[str, str]:
    """Return a new campaign against the staff, and the secret of a seat in it."""
    other = "mahdist" if side == "egyptian" else "egyptian"
    about = {"scenario": SHORT, other: "staff", "fog": True, "when_ready": True, **wanted}
    slug = begin(umpire, **about)  # type: ignore[arg-type]
    return slug, invite(umpire, slug, side)


def test_a_campaign_is_played_by_sheets_in_the_fog_to_its_end(
    site: Path, url: str, umpire: httpx.Client
) -> None:
    slug, secret = offered(umpire, "mahdist", mode="orders", scenario=SHORTEST)
    out = run(site, "computer_player", url, secret, "--username", "mahdist")
    played = Campaign.objects.get(slug=slug)
    assert played.finished
    assert out.splitlines()[-1] == played.outcome
    actors = Entry.objects.filter(campaign=played).values_list("actor", flat=True)
    assert {"sheet:mahdist", "staff:egyptian"} <= set(actors)


@pytest.mark.long
@pytest.mark.parametrize(
    "setting",
    list(product([SHORT, "siege-of-khartoum"], ["egyptian", "mahdist"], ["orders", "live"])),
)
def test_either_side_of_either_campaign_is_played_to_its_end(
    site: Path, url: str, umpire: httpx.Client, setting: tuple[str, str, str]
) -> None:
    scenario, side, mode = setting
    slug, secret = offered(umpire, side, scenario=scenario, mode=mode)
    run(site, "computer_player", url, secret, "--username", side)
    assert Campaign.objects.get(slug=slug).finished


def test_live_play_goes_on_month_by_month_until_the_umpire_ends_the_campaign(
    site: Path, url: str, umpire: httpx.Client
) -> None:
    slug, secret = offered(umpire, "mahdist", mode="live")
    first = Campaign.objects.get(slug=slug).month
    player = start(site, "computer_player", url, secret, "--username", "mahdist")
    wait_until(
        lambda: player.poll() is not None or Campaign.objects.get(slug=slug).month > first,
        "the second month",
    )
    change = {"outcome": "mahdist", "reason": "It was late."}
    umpire.patch(f"campaigns/{slug}/", json=change)
    code, out, errors = ended(player, "the end of the campaign")
    assert (code, errors) == (0, "")
    assert "It was late" in out
    assert Entry.objects.filter(campaign__slug=slug, actor="player:mahdist").exists()


def test_a_player_without_a_seat_is_told_so(site: Path, url: str, umpire: httpx.Client) -> None:
    slug, _ = offered(umpire, "mahdist", mode="live", public=True)
    player = start(site, "computer_player", url, slug, "--username", "stranger")
    code, _, errors = ended(player, "a refusal")
    assert code == 1
    assert "no seat" in errors


@pytest.mark.parametrize("viewer", [[], ["--username", "umpire"]], ids=["public", "umpire"])
def test_a_month_is_drawn_with_everybody_who_is_seen(
    site: Path, url: str, umpire: httpx.Client, tmp_path: Path, viewer: list[str]
) -> None:
    slug = begin(umpire, SHORT, public=True)
    file = tmp_path / "map.svg"
    run(site, "month_map", url, slug, str(file), "--month", "set-up", *viewer)
    drawn = ET.parse(file)  # noqa: S314  we have drawn it
    seen = umpire.get(f"campaigns/{slug}/months/set-up/map.geojson").json()["features"]
    stacks = [each for each in seen if each["properties"]["type"] == "stack"]
    assert len(drawn.findall(f".//{SVG}rect")) == len(stacks) > 10
    cells = umpire.get("maps/sudan/").json()["cells"]
    assert len(drawn.findall(f".//{SVG}polygon")) == len(cells)


def test_a_battle_is_fought_to_its_end(site: Path, url: str) -> None:
    out = run(site, "battle", url, "--username", "egyptian", "--offer", "second-el-teb")
    (fought,) = Battle.objects.all()
    assert fought.report is not None
    assert "won after" in out.splitlines()[-1]


def test_the_battles_on_offer_are_listed(site: Path, url: str) -> None:
    offers = run(site, "battle", url, "--username", "egyptian").splitlines()
    assert any(offer.startswith("abu-klea: ") for offer in offers)
