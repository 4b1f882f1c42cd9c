"""Deleted campaigns and own scenarios, while they can be restored, as documents."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec
from django.urls import reverse

from api.documents.scalars import Moment
from campaign.access.saved_work import KEPT_FOR
from campaign.models import DeletedCampaign, OwnScenario


class DeletedLinks(msgspec.Struct, frozen=True):
    """The address to which a POST restores it."""

    restore: str


class DeletedPart(msgspec.Struct, frozen=True):
    """A campaign or an own scenario that was deleted, and that you can still restore."""

    id: int
    slug: str
    title: str
    deleted_at: Moment
    expires_at: Moment
    links: DeletedLinks


def deleted_campaign_part(deleted: DeletedCampaign) -> DeletedPart:
    return _part(deleted, deleted.deleted, "api:deleted-campaign")


def deleted_scenario_parts(scenarios: Iterable[OwnScenario]) -> Iterator[DeletedPart]:
    """Yield the scenarios that are deleted."""
    for scenario in scenarios:
        if scenario.deleted is not None:
            yield _part(scenario, scenario.deleted, "api:deleted-own-scenario")


def _part(row: DeletedCampaign | OwnScenario, deleted: datetime, address: str) -> DeletedPart:
    links = DeletedLinks(reverse(address, args=[row.pk]))
    return DeletedPart(row.pk, row.slug, row.title, deleted, deleted + KEPT_FOR, links)
