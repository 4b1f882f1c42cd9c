"""The drawings as pictures."""

from functools import lru_cache

import resvg_py

from campaign.cartography.ink import plain, stylesheet

SERIFS = (
    "DejaVu Serif", "Liberation Serif", "Noto Serif", "FreeSerif", "Times New Roman", "Georgia",
    "DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica",
)  # fmt: skip
"""Fonts that letter a map when none of those named in ink.css is there, the best first."""

_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">{}</text></svg>'


class NoLettering(RuntimeError):
    """There is no font on this machine to letter a picture with."""


def png(svg: str, width: int, *, dark: bool = False) -> bytes:
    """A PNG of a document of this package, so many pixels wide. Raises NoLettering."""
    flat = svg.replace(stylesheet(), plain(dark=dark))
    return _picture(flat, width, serif(SERIFS))


@lru_cache(maxsize=4)
def serif(families: tuple[str, ...]) -> str:
    """The first of these fonts that is on this machine. Raises NoLettering when none is."""
    for family in families:
        if _picture(_LETTER.format("M"), 9, family) != _picture(_LETTER.format(""), 9, family):
            return family
    raise NoLettering(
        "There is no font here to letter the map with: install one, such as Debian's "
        "fonts-dejavu-core, or draw it as SVG."
    )


def _picture(svg: str, width: int, family: str) -> bytes:
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, serif_family=family, font_family=family
    )
    return bytes(drawn)
