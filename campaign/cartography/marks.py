"""What a campaign draws again and again: the counters' parts, and marks of its own."""

from battles.drawing.pen import element, path
from battles.drawing.pictograms import arms, card_symbol, disrupted_symbol, flag_symbol


def symbols() -> str:
    """Card, pictograms and marks, to be used by their ids."""
    return f"{arms()}{card_symbol()}{flag_symbol()}{disrupted_symbol()}{_siege()}{_railhead()}"


def _siege() -> str:
    """Siege works: a broken ring with teeth towards the place."""
    ring = element("circle", r=62, class_="siege")
    teeth = "M0-62v12M0 62v-12M-62 0h12M62 0h-12M-44-44l9 9M44 44l-9-9M-44 44l9-9M44-44l-9 9"
    return element("g", ring, path(teeth, "siege-teeth"), id="u-siege")


def _railhead() -> str:
    return path("M-20-14v28M20-14v28M-20 0h40", "railhead", id="u-railhead")
