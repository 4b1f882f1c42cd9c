"""Users' own scenarios as documents."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.rulebook import table_set_address
from api.documents.scalars import Moment
from campaign.models import OwnScenario
from campaign.rules.tables.scenario_document import ScenarioFault

ScenarioForm = Annotated[
    dict[str, Any],
    Meta(
        description="The scenario as one document: `format`, the number of its form; `scenario`, "
        "with the fields of a scenario's TOML file and the staff's `plans`; and `event_tables`, "
        "tables of events of its own by id. docs/scenarios.md explains every field."
    ),
]


class ScenarioFaultPart(msgspec.Struct, frozen=True):
    """The first fault of a scenario: its place in the document, the reason, and what to do.

    `document_path` reads like `scenario.stack[0].at[0]`; it is null if the whole is meant.
    """

    document_path: str | None
    reason: str
    remedy: str


class ScenarioCheckDocument(msgspec.Struct, frozen=True):
    """The check of a scenario: its first fault, or null if it can be played."""

    scenario_fault: ScenarioFaultPart | None


class OwnScenarioLinks(msgspec.Struct, frozen=True):
    """The addresses of a scenario of yours, of its tables, and of its page.

    `table_set` is null while it has a fault, `shared_page` while it is not shared.
    """

    self: str
    table_set: str | None
    page: str
    shared_page: str | None


class OwnScenarioLine(msgspec.Struct, frozen=True):
    """A scenario of yours in a list."""

    id: int
    version: str
    slug: str
    title: str
    playable: bool
    shared: bool
    link_id: UUID
    created_at: Moment
    changed_at: Moment
    links: OwnScenarioLinks


class OwnScenarioDocument(OwnScenarioLine, frozen=True):
    """A scenario of yours with its document, and its first fault if it has one."""

    scenario_fault: ScenarioFaultPart | None
    document: ScenarioForm


def fault_part(fault: ScenarioFault | None) -> ScenarioFaultPart | None:
    return ScenarioFaultPart(fault.field or None, fault.reason, fault.remedy) if fault else None


def own_scenario_line(own: OwnScenario) -> OwnScenarioLine:
    return OwnScenarioLine(**_line(own))


def own_scenario_document(own: OwnScenario, fault: ScenarioFault | None) -> OwnScenarioDocument:
    told = fault_part(fault)
    return OwnScenarioDocument(**_line(own), scenario_fault=told, document=own.document)


def _line(own: OwnScenario) -> dict[str, Any]:
    return {
        "id": own.pk,
        "version": str(own.revision),
        "slug": own.slug,
        "title": own.title,
        "playable": own.tables_id is not None,
        "shared": own.shared,
        "link_id": own.link,
        "created_at": own.created,
        "changed_at": own.changed,
        "links": OwnScenarioLinks(
            self=reverse("api:own-scenario", args=[own.pk]),
            table_set=table_set_address(own.tables_id) if own.tables_id else None,
            page=reverse("own-scenario", args=[own.pk]),
            shared_page=reverse("shared-scenario", args=[own.link]) if own.shared else None,
        ),
    }
