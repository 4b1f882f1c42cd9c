"""The drawings as pictures."""

import resvg_py

from campaign.cartography.ink import plain, stylesheet

SERIFS = "DejaVu Serif"
"""The fonts a Debian machine has, when none of those named in ink.css is there."""


def png(svg: str, width: int, *, dark: bool = False) -> bytes:
    """A PNG of a document of this package, so many pixels wide. ValueError when it is too wide."""
    flat = svg.replace(stylesheet(), plain(dark=dark))
    return bytes(resvg_py.svg_to_bytes(svg_string=flat, width=width, serif_family=SERIFS))
