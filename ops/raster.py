"""Turn SVG documents into PNG: style sheets without variables, and a font that is installed."""

import re
from functools import lru_cache

import resvg_py

_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\}\s*\}", re.DOTALL)
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;}]+);")
_USE = re.compile(r"var\((--[\w-]+)(?:,\s*([^)]*))?\)")
_SPACE = re.compile(r"\s*([{};:,])\s*")
SERIFS = (
    "DejaVu Serif", "Liberation Serif", "Noto Serif", "FreeSerif", "Times New Roman", "Georgia",
    "DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica",
)  # fmt: skip
"""Fonts for a picture when none of those named in its style sheet is installed, the best first."""

_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">{}</text></svg>'


class NoLettering(RuntimeError):
    """No font is installed for the lettering of a picture."""


def without_variables(source: str, *, dark: bool = False) -> str:
    """Return a style sheet for one scheme without variables, for renderers that lack them."""
    schemes = [source, *_DARK.findall(source)] if dark else [source]
    rules = _DARK.sub("", source)
    inks = {
        name: value
        for scheme in (schemes[1:] or [rules])
        for name, value in _VARIABLE.findall(scheme)
    }
    return minify_css(
        _USE.sub(lambda use: str(inks.get(use[1], use[2] or "")), _VARIABLE.sub("", rules))
    )


def minify_css(css: str) -> str:
    """Return a style sheet without the spaces it does not need."""
    return _SPACE.sub(r"\1", " ".join(css.split())).replace(";}", "}").strip()


@lru_cache(maxsize=4)
def serif(families: tuple[str, ...]) -> str:
    """Return the first of these fonts that is installed. Raises NoLettering when none is."""
    for family in families:
        # resvg reports no missing font; it draws nothing, as for an empty text.
        if raster(_LETTER.format("M"), 9, family) != raster(_LETTER.format(""), 9, family):
            return family
    raise NoLettering(
        "There is no font here to letter the map with: install one, such as Debian’s "
        "fonts-dejavu-core, or draw it as SVG."
    )


def raster(svg: str, width: int, family: str = "") -> bytes:
    """Return a PNG of an SVG document, `width` pixels wide, lettered in that font.

    Without a font the first of SERIFS is taken. Raises NoLettering.
    """
    lettering = family or serif(SERIFS)
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, serif_family=lettering, font_family=lettering
    )
    return bytes(drawn)
