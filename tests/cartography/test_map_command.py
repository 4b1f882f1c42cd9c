"""`manage.py map`: what it writes, and what it says to wrong input."""

import json
from io import StringIO
from pathlib import Path
from struct import unpack

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from campaign.models import Campaign
from tests.cartography.reading import of_class, read, words
from tests.people import gather, sit_down


@pytest.fixture
def campaign(db: None) -> Campaign:
    return sit_down(gather(), months=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(*arguments: str) -> str:
    told = StringIO()
    call_command("map", *arguments, stdout=told)
    return told.getvalue()


def test_it_writes_the_bare_map(folder: Path):
    assert "The map is in sudan.svg" in write()
    root = read((folder / "sudan.svg").read_text("utf-8"))
    assert not of_class(root, "stack")
    assert of_class(root, "place")


def test_the_files_name_tells_the_format(folder: Path):
    write("--output", "soudan.png", "--width", "300")
    data = (folder / "soudan.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert unpack(">I", data[16:20]) == (300,)


def test_it_writes_geojson(folder: Path):
    write("--format", "geojson")
    collection = json.loads((folder / "sudan.geojson").read_text())
    assert collection["type"] == "FeatureCollection"


def test_a_picture_for_a_dark_room_is_another(folder: Path):
    write("--output", "day.png", "--width", "80")
    write("--output", "night.png", "--width", "80", "--dark")
    assert (folder / "day.png").read_bytes() != (folder / "night.png").read_bytes()


def test_it_writes_a_campaign_as_it_stands_and_as_it_stood(folder: Path, campaign: Campaign):
    write("--campaign", campaign.slug)
    write("--campaign", campaign.slug, "--month", "1884-02", "--output", "then.svg")
    months = []
    for name in (f"{campaign.slug}.svg", "then.svg"):
        root = read((folder / name).read_text("utf-8"))
        assert of_class(root, "stack")
        months.append(words(of_class(root, "month")[0]))
    assert months == ["MARCH 1884", "FEBRUARY 1884"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--output", "map.pdf"), r"end it in \.svg, \.png or \.geojson"),
        (("--width", "300"), "are for a PNG"),
        (("--format", "geojson", "--dark"), "are for a PNG"),
        (("--format", "png", "--width", "0"), "give 1 to 12000 pixels"),
        (("--month", "1884-03"), "name it with --campaign"),
        (("--campaign", "x", "--format", "geojson"), "leave out --campaign"),
        (("--output", "nowhere/map.svg"), "nowhere/map.svg cannot be written"),
    ],
)
def test_wrong_options_are_refused_in_words(folder: Path, arguments: tuple[str, ...], said: str):
    with pytest.raises(CommandError, match=said):
        write(*arguments)
    assert list(folder.iterdir()) == []


def test_a_file_where_a_folder_should_be_is_said_so(folder: Path):
    (folder / "file").write_text("")
    with pytest.raises(CommandError, match="cannot be written"):
        write("--output", "file/map.svg")


@pytest.mark.parametrize(
    ("month", "said"),
    [
        ("March", "'March' is no month: write it like 1884-03"),
        ("1884-13", "is no month"),
        ("1885-03", "it runs from 1884-02 to 1884-03"),
    ],
)
def test_wrong_months_are_refused_in_words(folder: Path, campaign: Campaign, month: str, said: str):
    with pytest.raises(CommandError, match=said):
        write("--campaign", campaign.slug, "--month", month)


def test_an_unknown_campaign_is_refused_in_words(folder: Path, campaign: Campaign):
    with pytest.raises(CommandError, match=f"no campaign 'gordon'.*{campaign.slug}"):
        write("--campaign", "gordon")
