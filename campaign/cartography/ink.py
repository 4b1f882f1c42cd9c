"""The style sheet of the drawings: as browsers read it, and with its variables written in."""

import re
from functools import lru_cache
from importlib.resources import files

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_DARK = re.compile(r"@media \(prefers-color-scheme: dark\) \{(.*?)\}\s*\}", re.DOTALL)
_VARIABLE = re.compile(r"(--[\w-]+):\s*([^;}]+);")
_USE = re.compile(r"var\((--[\w-]+)(?:,\s*([^)]*))?\)")
_SPACE = re.compile(r"\s*([{};:,])\s*")


@lru_cache(maxsize=1)
def stylesheet() -> str:
    """The inks of the map as CSS, in few characters, for both colour schemes."""
    return _tight(_source())


@lru_cache(maxsize=2)
def plain(*, dark: bool = False) -> str:
    """The same for one scheme and without variables, for programs that know none."""
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
