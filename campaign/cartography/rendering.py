"""Render drawings as PNG, and their style sheet with and without variables."""

import re
from functools import lru_cache
from importlib.resources import files

from ops.raster import SERIFS, NoLettering, minified, raster, serif, without_variables

__all__ = ["SERIFS", "NoLettering", "plain_stylesheet", "png", "serif", "stylesheet"]

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return the inks of the map as minified CSS, for both colour schemes."""
    return minified(_source())


@lru_cache(maxsize=2)
def plain_stylesheet(*, dark: bool = False) -> str:
    """Return the style sheet for one scheme without variables, for renderers that lack them."""
    return without_variables(_source(), dark=dark)


def _source() -> str:
    sheet = files("campaign").joinpath("static/campaign/ink.css").read_text("utf-8")
    return _COMMENT.sub("", sheet)


def png(svg: str, width: int, *, dark: bool = False) -> bytes:
    """Return a PNG of a document of this package, `width` pixels wide. Raises NoLettering."""
    flat = svg.replace(stylesheet(), plain_stylesheet(dark=dark))
    return raster(flat, width, serif(SERIFS))
