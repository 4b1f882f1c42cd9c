"""Troop types: regulars and irregulars for each purpose (section 17)."""

from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.pieces import Purpose, Style, Troops


def style_of(troops: Troops, purpose: Purpose) -> Style:
    """Return the style of troops for a purpose: move, reconnoitre, fire, close combat or rally."""
    return book().style(troops, purpose)


def is_regular(troops: Troops, purpose: Purpose) -> bool:
    """Return whether the troops count as regulars for that purpose."""
    return style_of(troops, purpose) is Style.REGULAR
