"""Troop types: who does what as regulars and who as irregulars (section 17)."""

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Purpose, Style, Troops


def style_of(troops: Troops, purpose: Purpose) -> Style:
    """How troops do something: "move", "reconnoitre", "fire", "close combat" or "rally"."""
    return book().style(troops, purpose)


def is_regular(troops: Troops, purpose: Purpose) -> bool:
    """Return whether they do it as regulars."""
    return style_of(troops, purpose) is Style.REGULAR
