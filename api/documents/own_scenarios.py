"""Users' own scenarios as documents."""

from collections.abc import Iterable
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


class ScenarioErrorPart(msgspec.Struct, frozen=True):
    """A fault of a scenario: its place, and what is wrong there and what to do.

    `pointer` is a JSON Pointer (RFC 6901) such as `/document/scenario/stack/0/at/0`, into the body
    that was sent and into an own scenario that is read alike.
    """

    pointer: str
    detail: str


class ScenarioCheckDocument(msgspec.Struct, frozen=True):
    """The check of a scenario: every fault that does not follow from another; none if it plays."""

    errors: list[ScenarioErrorPart]


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
    """A scenario of yours with its document, and its faults."""

    errors: list[ScenarioErrorPart]
    document: ScenarioForm


def scenario_errors(faults: Iterable[ScenarioFault]) -> list[ScenarioErrorPart]:
    return [ScenarioErrorPart(fault.pointer, fault.sentence) for fault in faults]


def own_scenario_line(own: OwnScenario) -> OwnScenarioLine:
    return OwnScenarioLine(**_line(own))


def own_scenario_document(own: OwnScenario, faults: Iterable[ScenarioFault]) -> OwnScenarioDocument:
    told = scenario_errors(faults)
    return OwnScenarioDocument(**_line(own), errors=told, document=own.document)


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
