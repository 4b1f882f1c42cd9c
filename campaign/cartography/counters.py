"""Counters: a unit as half an inch of card."""

from battles.drawing.pen import element, group, path, text
from battles.drawing.pictograms import card, disrupted, pictogram, symbol_id
from campaign.cartography.words import width
from campaign.rules.book import Book, book
from campaign.rules.pieces import CANNOT_MELEE, Kind, Nation
from campaign.rules.state import Unit

SIDE = 100
"""Width and height of a counter on its own, tilted or not."""

NAME_ROOM = 68
TILT = -10


def counter(unit: Unit, law: Book | None = None) -> str:
    """A counter on its own, as a small SVG document whose inks are those of ink.css.

    A leader's ratings are those of the tables in `law`; of the shipped ones unless given.
    """
    half, words = SIDE // 2, value(unit, law)
    return element(
        "svg",
        _unit(unit, words, card(), pictogram(unit.kind, **_placed(unit, words)), disrupted()),
        xmlns="http://www.w3.org/2000/svg",
        class_="counter",
        viewBox=f"-{half} -{half} {SIDE} {SIDE}",
        width=SIDE // 2,
        height=SIDE // 2,
        aria_hidden="true",
    )


def used(unit: Unit, law: Book, at: tuple[int, int] = (0, 0)) -> str:
    """The same counter made of the symbols of an overlay, set down at a point."""
    words = value(unit, law)
    drawn = _unit(
        unit,
        words,
        element("use", href="#u-card"),
        element("use", href=f"#{symbol_id(unit.kind)}", **_placed(unit, words)),
        element("use", href="#u-disrupted"),
    )
    return drawn if at == (0, 0) else element("g", drawn, transform=f"translate({at[0]},{at[1]})")


def value(unit: Unit, law: Book | None = None) -> str:
    """What is printed large: strength and quality, or a leader's ratings."""
    if unit.kind is Kind.LEADER:
        ratings = (law or book()).leader(unit.name)
        return f"{ratings.strategic}·{ratings.tactical}"
    return "" if unit.kind in CANNOT_MELEE or not unit.quality else f"{unit.strength}{unit.quality}"


def _unit(unit: Unit, words: str, card_: str, sign: str, alarm: str) -> str:
    return group(
        f"unit {unit.nation}",
        card_,
        _band(unit.nation),
        sign,
        _name(unit, words),
        _value(unit, words),
        element("g", alarm, transform="translate(-30,29)scale(.85)") if unit.disrupted else "",
        transform=f"rotate({TILT})" if unit.disrupted else None,
    )


def _placed(unit: Unit, words: str) -> dict[str, str]:
    """Where the pictogram stands: above the figures, or large where there are none."""
    if words:
        return {"transform": "translate(0,-19)scale(.85)" if unit.name else "translate(0,-16)"}
    return {"transform": f"translate(0,{-6 if unit.name else 0})scale(1.15)"}


def _band(nation: Nation) -> str:
    """Khaki was worn by two nations: a band tells them apart."""
    colours = {Nation.INDIAN: "band-indian", Nation.AUSTRALIAN: "band-australian"}
    return path("M-33-37h66l4 4v3h-74v-3z", colours[nation]) if nation in colours else ""


def _name(unit: Unit, words: str) -> str:
    if not unit.name:
        return ""
    tight = width(unit.name, 12) > NAME_ROOM
    return element(
        "text",
        text(unit.name),
        class_="unit-name",
        y=10 if words else 32,
        textLength=NAME_ROOM if tight else None,
        lengthAdjust="spacingAndGlyphs" if tight else None,
    )


def _value(unit: Unit, words: str) -> str:
    return (
        element("text", text(words), class_="ratings" if unit.name else "value", y=34)
        if words
        else ""
    )
