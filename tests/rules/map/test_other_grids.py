"""One grid that passes is luck: the same survey on other offsets and on pointy hexes."""

from collections.abc import Callable

import pytest

from campaign.map_compiler.build import MapDraft, faults


@pytest.mark.parametrize(
    ("orientation", "x", "y"),
    [
        ("flat-top", 7.0, 5.0),
        ("flat-top", 3.0, -6.0),
        ("pointy-top", 0.0, 0.0),
        ("pointy-top", 4.25, 12.88),
    ],
)
def test_survey_fits_another_grid(
    laid_on: Callable[..., MapDraft], orientation: str, x: float, y: float
) -> None:
    assert faults(laid_on(orientation, x, y)) == []


@pytest.mark.long
@pytest.mark.parametrize("orientation", ["flat-top", "pointy-top"])
@pytest.mark.parametrize("x", [step * 2.125 for step in range(8)])
@pytest.mark.parametrize("y", [step * 2.125 for step in range(8)])
def test_survey_fits_every_grid(
    laid_on: Callable[..., MapDraft], orientation: str, x: float, y: float
) -> None:
    assert faults(laid_on(orientation, x, y)) == []
