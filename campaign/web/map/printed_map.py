"""The printed map under a URL with its hash, cacheable for ever, and the legend of its counters.

The words of the legend make the card that a script shows for the counter under the pointer or in
focus, too.
"""

import re
from functools import cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from battles.contract.brief import Nation, Quality, TroopKind
from campaign.cartography import base_digest, base_map, counter
from campaign.cartography.counters import WORDS
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import OFF_MAP, Unit
from campaign.rules.map import sudan
from campaign.rules.tables.book import book

A_YEAR = 365 * 24 * 3600  # seconds
POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy: the drawing needs only its own style sheet."""


@require_safe
@cache_control(public=True, max_age=A_YEAR, immutable=True)
def printed_map_view(request: HttpRequest, digest: str) -> HttpResponse:
    if digest != base_digest(sudan()):
        raise Http404("This sheet of the map has been superseded by another.")
    return HttpResponse(
        base_map(sudan()), content_type="image/svg+xml", headers={"Content-Security-Policy": POLICY}
    )


def address() -> str:
    """Return the URL of the map."""
    return reverse("sheet", args=[base_digest(sudan())])


@cache
def extent() -> tuple[str, ...]:
    """Return west, north, width and height of the map in its own units."""
    match = re.search(r'viewBox="([-\d ]+)"', base_map(sudan()))
    return tuple(match[1].split()) if match else ()


QUALITIES = {
    Quality.VETERAN: ("Veteran", "the best troops: least hurt in combat, soonest rallied"),
    Quality.LINE: ("Line", "steady troops"),
    Quality.RABBLE: ("Rabble", "raw troops: most hurt in combat, last to rally"),
    Quality.FANATIC: ("Fanatic", "fighters of the Mahdi, at their best in melee"),
}
"""A quality by its letter: its name, and what it means."""

MATTERS = {
    TroopKind.INFANTRY: "Fires with rifles, and fights in melee.",
    TroopKind.SPEARS: "Fights in melee alone: it has to come close.",
    TroopKind.CAVALRY: "Rides far; twice the enemy’s cavalry helps in melee.",
    TroopKind.CAMEL_CORPS: "Rides far and fires; two can dismount as infantry and a camel unit.",
    TroopKind.GUN: "Strong in fire, slow on the march.",
    TroopKind.ENGINEERS: "Fires and fights as infantry does.",
    TroopKind.NAVAL: "Sailors ashore: they fire and fight as infantry does.",
    TroopKind.SUPPLY: "Feeds everybody in its hex for a month, and is used up. It cannot fight.",
    TroopKind.CAMEL: "Carries one supply unit as far as a camel goes.",
    TroopKind.CIVILIANS: "Townsfolk: slow, thirsty, and worth a victory if they are brought away.",
    TroopKind.LEADER: "Strategic value, for marches and recovery; tactical value, for combat.",
    TroopKind.BOAT: "Carries one unit by river. A cataract can wreck it.",
    TroopKind.GUNBOAT: "Carries one unit, and keeps the enemy from crossing beside it.",
    TroopKind.FLEET: "Carries troops along the coast of Souakim, and fires on the shore.",
}
"""The reason why an arm matters, in a sentence."""


class LegendArm(NamedTuple):
    """An arm: a counter of it, its name, its movement points, and why it matters."""

    kind: str
    picture: SafeString
    name: str
    points: int
    matters: str


class LegendQuality(NamedTuple):
    """A quality: its letter, its name and what it means."""

    letter: str
    name: str
    means: str


class Legend(NamedTuple):
    arms: tuple[LegendArm, ...]
    qualities: tuple[LegendQuality, ...]
    disrupted: SafeString


@cache
def legend() -> Legend:
    """Return the legend, its counters drawn as on the map."""
    arms = tuple(
        LegendArm(
            str(kind),
            mark_safe(counter(_sample(kind))),  # noqa: S308
            WORDS[kind][0] if kind in WORDS else str(kind),
            book().piece(kind, _sample(kind).nation).movement or 0,
            words,
        )
        for kind, words in MATTERS.items()
    )
    qualities = tuple(LegendQuality(str(quality), *words) for quality, words in QUALITIES.items())
    in_disorder = counter(_sample(TroopKind.INFANTRY, disrupted=True))
    return Legend(arms, qualities, mark_safe(in_disorder))  # noqa: S308


def _sample(kind: TroopKind, *, disrupted: bool = False) -> Unit:
    """Return a counter of the arm as it is most often seen."""
    nation = Nation.MAHDIST if kind is TroopKind.SPEARS else Nation.BRITISH
    quality = Quality.FANATIC if kind is TroopKind.SPEARS else Quality.LINE
    name = "Gordon" if kind is TroopKind.LEADER else ""
    return Unit(UnitId(0), kind, nation, quality, 1, OFF_MAP, disrupted, name)
