"""Words that lead from a page to the rules page."""

import re

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from campaign.rules.pieces import Nation
from campaign.views import book

register = template.Library()

_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NATIONS = frozenset(map(str, Nation))


@register.filter
def clause_link(clause: str) -> str | SafeString:
    """The clause, as a link where the rules page has something to say of it."""
    if clause not in book.clauses():
        return clause
    return format_html('<a href="{}#{}">{}</a>', reverse("rules"), book.anchor(clause), clause)


@register.filter
def clause_anchor(clause: str) -> str:
    """The fragment at which the clause stands on the rules page."""
    return book.anchor(clause)


@register.filter
def table_link(table: str) -> str:
    """Where on the rules page the table stands that a roll names: `attrition` or `march:hill`."""
    name = table.partition(":")[0]
    return f"{reverse('rules')}#table-{name}" if name else reverse("rules")


@register.filter
def table_title(table: str) -> str:
    """The title of the table a roll names, with the line of it: `Attrition table, besieged`."""
    name, _, line = table.partition(":")
    title = book.titles().get(name, name.replace("_", " "))
    return f"{title}, {line.title() if line in _NATIONS else line}" if line else title


@register.filter
def printed(cell: str) -> str:
    """A cell as a printer sets it: a true minus, a dash where there is nothing."""
    return "–" if cell == "-" else _MINUS.sub("−", cell)
