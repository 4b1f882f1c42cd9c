"""The months of a campaign as documents, and the addresses of their documents."""

import msgspec
from django.urls import reverse

from api.documents.scalars import MonthOrSetUp
from campaign.access.selectors import MonthLine

SET_UP = "set-up"
"""The month before the first, in addresses and documents."""


class MonthLinks(msgspec.Struct, frozen=True):
    """The addresses of the documents of a month."""

    state: str
    geojson: str
    despatches: str
    campaign: str


class MonthDocument(msgspec.Struct, frozen=True):
    """A month of a campaign; the one before the first is the set-up.

    `entry_count` is null for viewers from whom the fog of war hides the number of entries.
    """

    month: MonthOrSetUp
    month_name: str
    entry_count: int | None
    current: bool
    links: MonthLinks


def month_document(slug: str, line: MonthLine, *, counted: bool) -> MonthDocument:
    return MonthDocument(
        month=line.slug,
        month_name=line.name,
        entry_count=line.entries if counted else None,
        current=line.current,
        links=MonthLinks(**month_addresses(slug, line.slug)),
    )


def month_addresses(slug: str, month: str, *, itself: str = "") -> dict[str, str]:
    """Return the addresses of a month's documents; that of the document `itself` is `self`."""
    names = {"state": "state", "geojson": "map", "despatches": "despatches"}
    return {
        "self" if name == itself else name: reverse(f"api:month-{route}", args=[slug, month])
        for name, route in names.items()
    } | {"campaign": reverse("api:campaign", args=[slug])}
