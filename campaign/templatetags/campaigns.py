"""Template tags and filters of the campaign pages and the rules pages, shared by them."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from battles.contract.brief import Nation, Side
from battles.core.dice import Roll
from battles.templatetags import battles
from campaign.access import letters, permissions, selectors
from campaign.cartography import counter
from campaign.models import Campaign, Job
from campaign.rules.core.state import Phase, Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import (
    describe_hex,
    describe_stack,
    label,
    likeness,
    numbers,
    side_adjective,
)
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.prose.phrases import capitalise
from campaign.rules.prose.questions import PHASES
from campaign.rules.tables.book import CampaignTables
from campaign.rules.tables.editions import shipped_edition
from campaign.rules.tables.scenario_loader import UnknownScenario
from campaign.rules.trace import trace
from campaign.services.journal import rewind
from campaign.staff import plans
from campaign.web import help_pages
from campaign.web.map.printed_map import Legend, legend
from campaign.web.tables import rule_book

register = template.Library()


class LikeCounters(NamedTuple):
    """Units that look alike: their number, one of them, and their label.

    `numbers` identifies them if a label does not distinguish them within the stack.
    """

    many: int
    unit: Unit
    label: str
    numbers: str


@register.filter
def number(hex_id: HexId) -> str:
    """Return the number of a hex as printed, four figures."""
    return f"{hex_id:04d}"


@register.filter
def drawn(unit: Unit, law: CampaignTables | None = None) -> SafeString:
    """Return a picture of the unit's counter, with the ratings of the campaign's tables."""
    return mark_safe(counter(unit, law))  # noqa: S308


@register.filter
def alike(units: list[Unit]) -> list[LikeCounters]:
    """Return the units of a stack, grouped by their look."""
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(label(unit), []).append(unit)
    likes = Counter(map(likeness, units))
    return [_alike(words, group, likes) for words, group in groups.items()]


def _alike(words: str, group: list[Unit], kinds: Counter[tuple[str, str, str]]) -> LikeCounters:
    several = kinds[likeness(group[0])] > 1
    unit_numbers = numbers(unit.id for unit in group) if several else ""
    return LikeCounters(len(group), group[0], words, unit_numbers)


register.filter("dice", battles.dice)
register.filter("signed", battles.signed)


@register.simple_tag(takes_context=True)
def may_stop(context: template.Context, job: Job) -> bool:
    """Return whether the user may stop the month that the job plays."""
    return permissions.may_stop(context["request"].user, job.campaign)


@register.filter
def turn_in_words(campaign: Campaign) -> str:
    """Return player turn and phase: `Mahdist turn: marches`."""
    phase = Phase(campaign.phase)
    if phase in (Phase.SET_UP, Phase.OVER):
        return capitalise(PHASES[phase])
    return f"{side_adjective(Side(campaign.side))} turn: {PHASES[phase]}"


@register.filter
def body(sentence: DespatchSentence) -> str:
    """Return the despatch without its place and date."""
    return sentence.text.removeprefix(sentence.opening).strip()


@register.filter
def stands(units: Iterable[Unit]) -> list[str]:
    """Return the position in words, a line for each hex, for users who cannot see the map."""
    places: dict[HexId, list[Unit]] = {}
    for unit in units:
        places.setdefault(unit.hex, []).append(unit)
    return [
        f"{describe_hex(hex_id)}: {describe_stack(stack)}"
        for hex_id, stack in sorted(places.items())
    ]


@register.inclusion_tag("campaign/_console_doors.html", takes_context=True)
def console_doors(context: template.Context) -> dict[str, object]:
    """Link an umpire to the console, and to the rewind once the campaign is over."""
    campaign, user = context["campaign"], context["request"].user
    return {"campaign": campaign, "roles": selectors.role_of(user, campaign)}


@register.inclusion_tag("campaign/_letters_tab.html", takes_context=True)
def letters_tab(context: template.Context) -> dict[str, object]:
    """Link players and umpires to their letters, with the number of unread ones."""
    campaign, user = context["campaign"], context["request"].user
    writes = set(letters.WRITERS) & selectors.role_of(user, campaign)
    unread = letters.unread_for(user, campaign) if writes else 0
    return {"campaign": campaign, "writes": writes, "unread": unread}


@register.inclusion_tag("campaign/_legend.html")
def counter_legend() -> dict[str, object]:
    """Show how to read the counters; the script of the counter cards takes its words from here."""
    return {"legend": legend()}


@register.simple_tag
def legend_of_counters() -> Legend:
    """Return the legend of the counters."""
    return legend()


@register.inclusion_tag("campaign/_guide.html", takes_context=True)
def guide(context: template.Context, which: str = "player") -> dict[str, object]:
    """Show the step of the guided month at which the visitor is, or offer to begin at the first."""
    request, campaign = context["request"], context["campaign"]
    at_console = which == "umpire"
    shown = help_pages.guide_context(request, campaign, request.path, at_console=at_console)
    offered = request.path != reverse("campaign", args=[campaign.slug])
    return {**shown, "offered": offered, "csrf_token": context.get("csrf_token")}


@register.inclusion_tag("campaign/_rewound.html")
def rewind_notice(campaign: Campaign) -> dict[str, object]:
    """Show when and why the campaign was rewound, while that is news."""
    return {"campaign": campaign, "rewind": rewind.latest_rewind(campaign)}


@register.filter
def caution(scenario: str) -> str:
    """Return what the staff does not plan for in that scenario."""
    return plans.caution(scenario)


@register.filter
def place(hex_id: HexId) -> str:
    """Return the name of a hex: its place, or its bearing from one."""
    return describe_hex(hex_id)


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

    def linked(match: re.Match[str]) -> str:
        numbers = match[2]
        if numbers is None:
            return match[0]
        return f"({re.sub(_NUMBER, lambda number: str(clause_link(number[0])), numbers)})"

    return mark_safe(_NAMED_CLAUSES.sub(linked, conditional_escape(html)))  # noqa: S308


@register.simple_tag
def clause_addresses() -> dict[str, str]:
    """Return the page of every clause, by its number."""
    return {number: reverse("clause", args=[anchor]) for number, anchor in _anchors().items()}


@cache
def _anchors() -> dict[str, str]:
    """Return the anchors by number; a heading such as 4.0 or 5.2 leads to its first clause."""
    anchors: dict[str, str] = {}
    for clause in trace():
        anchors[clause.number] = clause.anchor
        anchors.setdefault(clause.number.split()[0], clause.anchor)
        anchors.setdefault(f"{clause.number.split('.')[0]}.0", clause.anchor)
    return anchors


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
