"""Render drawings as PNG, and their style sheet with and without variables."""

import re
from functools import lru_cache
from importlib.resources import files

import resvg_py

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\}\s*\}", re.DOTALL)
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;}]+);")
_USE = re.compile(r"var\((--[\w-]+)(?:,\s*([^)]*))?\)")
_SPACE = re.compile(r"\s*([{};:,])\s*")


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """Return the inks of the map as minified CSS, for both colour schemes."""
    return _tight(_source())


@lru_cache(maxsize=2)
def plain_stylesheet(*, dark: bool = False) -> str:
    """Return the style sheet for one scheme without variables, for renderers that lack them."""
    source = _source()
    schemes = [source, *_DARK.findall(source)] if dark else [source]
    rules = _DARK.sub("", source)
    inks = {
        name: value
        for scheme in (schemes[1:] or [rules])
        for name, value in _VARIABLE.findall(scheme)
    }
    return _tight(
        _USE.sub(lambda use: str(inks.get(use[1], use[2] or "")), _VARIABLE.sub("", rules))
    )


def _source() -> str:
    sheet = files("campaign").joinpath("static/campaign/ink.css").read_text("utf-8")
    return _COMMENT.sub("", sheet)


def _tight(css: str) -> str:
    return _SPACE.sub(r"\1", " ".join(css.split())).replace(";}", "}").strip()


SERIFS = (
    "DejaVu Serif", "Liberation Serif", "Noto Serif", "FreeSerif", "Times New Roman", "Georgia",
    "DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica",
)  # fmt: skip
"""Fonts for the map when none of those named in ink.css is installed, the best first."""

_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text y="9">{}</text></svg>'


class NoLettering(RuntimeError):
    """No font is installed for the lettering of a picture."""


def png(svg: str, width: int, *, dark: bool = False) -> bytes:
    """Return a PNG of a document of this package, `width` pixels wide. Raises NoLettering."""
    flat = svg.replace(stylesheet(), plain_stylesheet(dark=dark))
    return _picture(flat, width, serif(SERIFS))


@lru_cache(maxsize=4)
def serif(families: tuple[str, ...]) -> str:
    """Return the first of these fonts that is installed. Raises NoLettering when none is."""
    for family in families:
        # resvg reports no missing font; it draws nothing, as for an empty text.
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
