"""Words that lead from a page to the rules page."""

import re

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from battles.core.dice import Roll
from campaign.rules.book import book as shipped
from campaign.rules.pieces import Nation
from campaign.views import book

register = template.Library()

_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NATIONS = frozenset(map(str, Nation))


@register.filter
def clause_link(clause: str, page: str) -> str | SafeString:
    """The clause, as a link where that rules page has something to say of it."""
    if clause not in book.clauses(shipped()):
        return clause
    return format_html('<a href="{}#{}">{}</a>', page, book.anchor(clause), clause)


@register.filter
def clause_anchor(clause: str) -> str:
    """The fragment at which the clause stands on the rules page."""
    return book.anchor(clause)


@register.simple_tag
def table_behind(roll: Roll, scenario: str, page: str) -> SafeString:
    """The table and the line of it that a roll was read from, as a link."""
    name, _, line = roll.table.partition(":")
    name = _events(roll.side, scenario) if name == "events" else name
    title = book.titles(shipped()).get(name, name.replace("_", " "))
    line = line.title() if line in _NATIONS else line
    words = f"{title}, {line}" if line else title
    return format_html('<a href="{}#table-{}">{}</a>', page, name, words)


def _events(side: str, scenario: str) -> str:
    """The table of the random events of a side in a scenario: `events_egyptian_siege`."""
    for name in book.titles(shipped()):
        kind, *narrowed = name.split("_")
        if kind == "events" and narrowed[0] == side and all(w in scenario for w in narrowed[1:]):
            return name
    return "events"


@register.filter
def printed(cell: str) -> str:
    """A cell as a printer sets it: a true minus, a dash where there is nothing."""
    return "–" if cell == "-" else _MINUS.sub("−", cell)
