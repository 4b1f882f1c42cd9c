"""Small words and addresses the campaign pages share."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from django import template
from django.utils.safestring import SafeString, mark_safe

from battles.templatetags import rolls
from campaign.access import selectors
from campaign.cartography import counter
from campaign.models import Campaign
from campaign.rules.core.state import Unit
from campaign.rules.map import HexId
from campaign.rules.prose.names import (
    dateline,
    describe_hex,
    describe_stack,
    label,
    likeness,
    numbers,
)
from campaign.rules.prose.phase_report import DespatchSentence
from campaign.rules.tables.book import Book
from campaign.services.journal import rewind
from campaign.staff import plans

register = template.Library()


class LikeCounters(NamedTuple):
    """Units that look alike: how many, one of them, what it is called.

    `numbers` says which they are, where a sentence does not tell them from others of the stack.
    """

    many: int
    unit: Unit
    label: str
    numbers: str


@register.filter
def number(hex_id: HexId) -> str:
    """Return a hex as its number is printed: four figures."""
    return f"{hex_id:04d}"


@register.filter
def drawn(unit: Unit, law: Book | None = None) -> SafeString:
    """Return the unit's counter as a picture, with the ratings of the campaign's own tables."""
    return mark_safe(counter(unit, law))  # noqa: S308


@register.filter
def alike(units: list[Unit]) -> list[LikeCounters]:
    """Return the units of a stack, those alike counted together."""
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


@register.filter
def opening(sentence: DespatchSentence) -> str:
    """Return the place and date with which the despatch begins; nothing when it has none."""
    if sentence.hex is None:
        return ""
    words = dateline(sentence.hex, sentence.month)
    return words if sentence.text.startswith(words) else ""


@register.filter
def body(sentence: DespatchSentence) -> str:
    """Return the despatch without the place and date it begins with."""
    return sentence.text.removeprefix(opening(sentence)).strip()


@register.filter
def stands(units: Iterable[Unit]) -> list[str]:
    """Who stands where, a line for each hex, as somebody hears it who cannot see the map."""
    places: dict[HexId, list[Unit]] = {}
    for unit in units:
        places.setdefault(unit.hex, []).append(unit)
    return [
        f"{describe_hex(hex_id)}: {describe_stack(here)}" for hex_id, here in sorted(places.items())
    ]


@register.filter
def who(actor: str) -> str:
    """`Gordon, umpire` or `the clock`, as somebody reads it who has not written the program."""
    role, _, name = actor.partition(":")
    return f"{name}, {role}" if name else f"the {role}"


@register.inclusion_tag("campaign/_console_doors.html", takes_context=True)
def console_doors(context: template.Context) -> dict[str, object]:
    """Link an umpire to the console, and to the rewind of a campaign that is over."""
    campaign, user = context["campaign"], context["request"].user
    return {"campaign": campaign, "roles": selectors.role_of(user, campaign)}


@register.inclusion_tag("campaign/_computer_sees.html")
def computer_sees(campaign: Campaign) -> dict[str, object]:
    """Say, where the staff plays a seat in the fog, that it does so with open eyes."""
    fogged = campaign.fog and not campaign.finished
    return {"computer_sees": fogged and campaign.seats.filter(staff=True).exists()}


@register.inclusion_tag("campaign/_rewound.html")
def rewind_notice(campaign: Campaign) -> dict[str, object]:
    """Show that the campaign was rewound, to when and why, while that is news."""
    return {"campaign": campaign, "rewind": rewind.latest_rewind(campaign)}


@register.filter
def caution(scenario: str) -> str:
    """Return what the computer's plans miss in the scenario of that name."""
    return plans.caution(scenario)


@register.filter
def place(hex_id: HexId) -> str:
    """What the hex is called: a place, or how it lies from one."""
    return describe_hex(hex_id)
