"""The picture of a battle that is over, to share: the last field, who won, and what it cost."""

import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.defaultfilters import pluralize
from django.views.decorators.http import require_safe

from battles import access
from battles.contract import Side
from battles.drawing import field
from battles.drawing.svg import element, group, text
from battles.models import Battle
from battles.web.battle import ArmyRoster, BattlePage
from ops.raster import raster, without_variables

WIDTH = 1200
"""Pixels across the picture as PNG."""
MARGIN, HEAD, FOOT, LINE = 60, 190, 150, 44
MOST_LETTERS = 84
SHEETS = ("campaign/ink.css", "battles/field.css")
INKS = {Side.EGYPTIAN: "egyptian", Side.MAHDIST: "mahdist"}
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NARROW = re.compile(r"@media \(max-width.*?\}\s*\}", re.DOTALL)
_BOX = re.compile(r'viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"')
LETTERING = (
    ".picture text{font-family:Georgia,serif;fill:var(--ink);stroke:none}"
    ".picture .title{font-size:64px}.picture .said{font-size:34px}"
    ".picture .side .said{font-size:27px}"
    ".picture .bar{fill:var(--paper);stroke:var(--ink);stroke-width:3}"
    ".picture .egyptian.left{fill:var(--egyptian)}.picture .mahdist.left{fill:var(--green)}"
)


class Sized(NamedTuple):
    """A drawing with its width and height."""

    markup: str
    wide: int
    high: int


def picture(battle: Battle) -> str:
    """Return the picture as an SVG document. Raises Http404 for a battle without a field."""
    page = BattlePage(battle, 0)
    if not page.pictures or page.report is None:
        raise Http404("There is no picture of this battle: it has not been fought here.")
    last = page.pictures[-1]
    drawn = _add_size(field(last.scene, f"The field at the end of {battle.title}"))
    wide, high = drawn.wide + 2 * MARGIN, drawn.high + HEAD + FOOT
    words = _lines(f"{page.outcome} {battle.ending}".strip())
    lines = (
        element("text", text(line), class_="said", x=MARGIN, y=124 + LINE * number)
        for number, line in enumerate(words[:2])
    )
    return element(
        "svg",
        element("style", _styles()),
        element("rect", class_="paper", width=wide, height=high),
        element("text", text(battle.title), class_="title", x=MARGIN, y=76),
        *lines,
        element("g", drawn.markup, transform=f"translate({MARGIN},{HEAD})"),
        *(
            _bar(army, number, page.words.figure, drawn)
            for number, army in enumerate(page.return_of)
        ),
        xmlns="http://www.w3.org/2000/svg",
        class_="chart picture",
        viewBox=f"0 0 {wide} {high}",
    )


def _add_size(markup: str) -> Sized:
    """Return a drawing with its size as attributes, for a place inside another."""
    box = _BOX.search(markup)
    wide, high = (int(box[3]), int(box[4])) if box else (WIDTH, WIDTH)
    inner = markup.replace("<svg ", f'<svg width="{wide}" height="{high}" ', 1)
    return Sized(inner, wide, high)


def _lines(words: str) -> list[str]:
    """Return a text broken into lines that fit the picture."""
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + len(word) >= MOST_LETTERS:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _bar(army: ArmyRoster, number: int, figure: str, drawn: Sized) -> str:
    """Return a bar of what is left of a side, and its losses in words."""
    half = drawn.wide // 2
    x, y = MARGIN + number * half, HEAD + drawn.high + 90
    long = half - MARGIN
    left = long * (army.came - army.lost) // max(army.came, 1)
    words = f"{army.title}: {army.lost} of {army.came} {figure}{pluralize(army.came)} lost"
    return group(
        "side",
        element("text", text(words), class_="said", x=x, y=y - 18),
        element("rect", class_="bar", x=x, y=y, width=long, height=24),
        element("rect", class_=f"left {INKS[army.side]}", x=x, y=y, width=left, height=24),
    )


@lru_cache(maxsize=1)
def _styles() -> str:
    """Return the inks and the styles of a field, by daylight and without variables."""
    sheets = (Path(str(finders.find(sheet))).read_text("utf-8") for sheet in SHEETS)
    source = _NARROW.sub("", _COMMENT.sub("", "".join(sheets)))
    return without_variables(source + LETTERING)


@lru_cache(maxsize=32)
def _png(uuid: str, head: int) -> bytes:
    return raster(picture(Battle.objects.get(uuid=uuid, head=head)), WIDTH)


@require_safe
def show_picture(request: HttpRequest, number: str, kind: str) -> HttpResponse:
    """Show the picture of a battle as SVG or PNG; redirect to its page before it is over."""
    battle = access.battle_for(request.user, number)
    if access.is_open(battle) or battle.head_id is None:
        return redirect("battle", battle.uuid)
    if kind == "svg":
        return HttpResponse(picture(battle), content_type="image/svg+xml")
    return HttpResponse(_png(str(battle.uuid), battle.head_id), content_type="image/png")
