"""Template filters for rules pages: links of clauses and rolls, and names of fields."""

import re
from functools import cache

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from battles.contract.brief import Nation, Side
from battles.core.dice import Roll
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.rules.trace import trace
from campaign.web.tables import rule_book

register = template.Library()

_MINUS = re.compile(r"(?<!\w)-(?=\d)")
_NUMBER = r"\d{1,2}\.\d{1,3}(?: [IV]+)?"
_NAMED_CLAUSES = re.compile(
    r"<(a|button|option|script|style|svg|textarea|title)\b.*?</\1>|<[^>]*>"
    rf"|\(({_NUMBER}(?:(?:, | to | and ){_NUMBER})*)\)",
    re.DOTALL,
)
"""Text that is left alone, or one or more clauses in brackets: `(9.12)`, `(9.4 to 9.9)`."""
_NATIONS = frozenset(map(str, Nation))


@register.filter
def spaced(field: str) -> str:
    """Return a field's name with spaces: `disrupted up to` for `disrupted_up_to`."""
    return field.replace("_", " ")


@register.filter
def clause_link(clause: str, page: str = "") -> str | SafeString:
    """Return the clause as a link to it in plain words, or to the rules page that covers it."""
    if anchor := _anchors().get(clause):
        return format_html('<a href="{}">{}</a>', reverse("clause", args=[anchor]), clause)
    if page and clause in rule_book.clauses(shipped_edition().book):
        return format_html('<a href="{}#{}">{}</a>', page, rule_book.anchor(clause), clause)
    return clause


@register.filter
def link_clauses(html: str) -> SafeString:
    """Return the text with links for the clauses that it names in brackets; HTML stays as it is."""

    def linked(found: re.Match[str]) -> str:
        named = found[2]
        if named is None:
            return found[0]
        return f"({re.sub(_NUMBER, lambda number: str(clause_link(number[0])), named)})"

    return mark_safe(_NAMED_CLAUSES.sub(linked, conditional_escape(html)))  # noqa: S308


@register.simple_tag
def clause_addresses() -> dict[str, str]:
    """Return the page of every clause, by its number."""
    return {number: reverse("clause", args=[anchor]) for number, anchor in _anchors().items()}


@cache
def _anchors() -> dict[str, str]:
    """Return the anchors by number; a heading such as 4.0 or 5.2 leads to its first clause."""
    found: dict[str, str] = {}
    for one in trace():
        found[one.number] = one.anchor
        found.setdefault(one.number.split()[0], one.anchor)
        found.setdefault(f"{one.number.split('.')[0]}.0", one.anchor)
    return found


@register.filter
def clause_anchor(clause: str) -> str:
    """Return the anchor of the clause on the rules page."""
    return rule_book.anchor(clause)


@register.simple_tag
def table_behind(roll: Roll, scenario: str, page: str) -> SafeString:
    """Return a link to the table from which a roll was read, with its line."""
    name, _, line = roll.table.partition(":")
    name = _event_table(roll, scenario) if name == "events" else name
    title = rule_book.titles(shipped_edition().book).get(name, name.replace("_", " "))
    line = line.title() if line in _NATIONS else line
    words = f"{title}, {line}" if line else title
    return format_html('<a href="{}#table-{}">{}</a>', page, name, words)


def _event_table(roll: Roll, scenario: str) -> str:
    """Return the id of the table with a random event; `events` if it is unknown."""
    try:
        names = shipped_edition().scenario(scenario).events.of(Side(roll.side))
    except (UnknownScenario, ValueError):
        return "events"
    result = 10 * roll.dice[0] + roll.dice[1]
    for name in reversed(names):
        if any(
            row.low <= result <= row.high for row in shipped_edition().book.event_table(name).rows
        ):
            return name
    return names[0]


@register.filter
def printed(cell: str) -> str:
    """Return a cell with a true minus sign, and a dash if it is empty."""
    return "–" if cell == "-" else _MINUS.sub("−", cell)
