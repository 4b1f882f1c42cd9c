"""Pictures: lettered with a font that is there, or not drawn at all."""

import pytest

from campaign.cartography import NoLettering
from ops.raster import SERIFS, serif


def test_the_first_font_that_is_there_is_taken():
    assert serif(("No Such Font", *SERIFS)) == serif(SERIFS)


def test_without_any_font_nothing_is_drawn_and_what_to_install_is_said():
    with pytest.raises(NoLettering, match="fonts-dejavu-core"):
        serif(("No Such Font",))
