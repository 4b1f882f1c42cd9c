"""The inks: both schemes whole, plain for programs without variables, and readable by anybody."""

import re
from importlib.resources import files

import pytest

from campaign.cartography import plain_stylesheet, stylesheet

SET_BY_SCRIPT = {"k", "c", "dx", "dy", "sx", "sy", "fan", "grid-strength"}
COLOUR = re.compile(r"--([\w-]+):(#[0-9a-f]{6})")


def inks(*, dark: bool) -> dict[str, str]:
    light, _, night = stylesheet().partition("@media")
    found = dict(COLOUR.findall(light))
    night = night[: night.index("}}")]
    return found | dict(COLOUR.findall(night)) if dark else found


def contrast(one: str, other: str) -> float:
    first, second = sorted((_light(one), _light(other)), reverse=True)
    return (first + 0.05) / (second + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("ink", "paper"),
        ("ink", "steppe"),
        ("ink", "crop"),
        ("ink", "hill"),
        ("faint", "paper"),
        ("red", "paper"),
        ("water", "paper"),
        ("water", "sea"),
        ("light", "british"),
        ("light", "egyptian"),
        ("dark", "khaki"),
        ("dark", "mahdist"),
        ("light", "dark"),
    ],
)
def test_what_is_written_can_be_read(ink: str, ground: str, dark: bool):
    colours = inks(dark=dark)
    assert contrast(colours[ink], colours[ground]) >= 4.5


def test_both_schemes_have_the_same_inks():
    light, _, night = stylesheet().partition("@media")
    assert dict(COLOUR.findall(light)).keys() == dict(COLOUR.findall(night)).keys()


def test_every_ink_that_is_used_is_declared():
    page = files("campaign").joinpath("static/campaign/map.css").read_text("utf-8")
    used = set(re.findall(r"var\(--([\w-]+)", stylesheet() + page))
    assert used - SET_BY_SCRIPT == inks(dark=False).keys()


@pytest.mark.parametrize("dark", [False, True])
def test_the_plain_sheet_has_its_colours_written_in(dark: bool):
    rules = plain_stylesheet(dark=dark)
    assert "var(" not in rules
    assert "--" not in rules
    assert "@media" not in rules
    assert f".paper{{fill:{inks(dark=dark)['paper']}}}" in rules
