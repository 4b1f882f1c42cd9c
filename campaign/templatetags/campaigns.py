"""Template tags and filters that the campaign pages share."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from battles.contract.brief import Side
from battles.templatetags import rolls
from campaign.access import letters, selectors
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
from campaign.services.journal import rewind
from campaign.staff import plans
from campaign.web import guided_month
from campaign.web.map.printed_map import Legend, legend

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


def _alike(words: str, group: list[Unit], likes: Counter[tuple[str, str, str]]) -> LikeCounters:
    several = likes[likeness(group[0])] > 1
    told = numbers(unit.id for unit in group) if several else ""
    return LikeCounters(len(group), group[0], words, told)


register.filter("dice", rolls.dice)
register.filter("signed", rolls.signed)


@register.simple_tag(takes_context=True)
def may_stop(context: template.Context, job: Job) -> bool:
    """Return whether the user may stop the month that the job plays."""
    return selectors.may_stop(context["request"].user, job.campaign)


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
        f"{describe_hex(hex_id)}: {describe_stack(here)}" for hex_id, here in sorted(places.items())
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
    shown = guided_month.context_of(request, campaign, request.path, at_console=at_console)
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
