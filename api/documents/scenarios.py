"""The scenarios that can be played, and users' own, as documents."""

from collections.abc import Iterable
from itertools import starmap
from typing import Annotated, Any, get_args
from uuid import UUID

import msgspec
from django.urls import reverse
from msgspec import Meta

from api.documents.rulebook import LoadedTableSet, file_address, table_set_address, table_set_query
from api.documents.scalars import Moment
from api.http.rule_json import MonthName, snake_case
from campaign.models import OwnScenario
from campaign.rules.core.pieces import month_slug
from campaign.rules.map import NamesInPlay
from campaign.rules.tables.scenario_data import Condition, Scenario
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
    """A fault of a scenario: its place, what is wrong there, and what to do.

    `pointer` is a JSON Pointer (RFC 6901) such as `/document/scenario/stack/0/at/0`, into the body
    that was sent and into an own scenario that is read alike.
    """

    pointer: str
    detail: str


class OpenLinePart(msgspec.Struct, frozen=True):
    """A railway line or a river that is open to play."""

    slug: str
    title: str


class ScenarioCheckDocument(msgspec.Struct, frozen=True):
    """The check of a scenario: every fault that does not follow from another; none if it plays.

    With it comes what is open to play on its map, as far as that can be read.
    """

    errors: list[ScenarioErrorPart]
    place_names: tuple[str, ...]
    tracks: tuple[OpenLinePart, ...]
    rivers: tuple[OpenLinePart, ...]


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


def scenario_check_document(
    faults: Iterable[ScenarioFault], in_play: NamesInPlay
) -> ScenarioCheckDocument:
    """Return the check of a scenario with these faults and this in play on its map."""
    return ScenarioCheckDocument(
        scenario_errors(faults),
        in_play.places,
        tuple(starmap(OpenLinePart, in_play.tracks.items())),
        tuple(starmap(OpenLinePart, in_play.rivers.items())),
    )


def scenario_errors(faults: Iterable[ScenarioFault]) -> list[ScenarioErrorPart]:
    return [ScenarioErrorPart(fault.pointer, fault.sentence) for fault in faults]


def own_scenario_document(
    scenario: OwnScenario, faults: Iterable[ScenarioFault]
) -> OwnScenarioDocument:
    errors = scenario_errors(faults)
    line = msgspec.structs.asdict(own_scenario_line(scenario))
    return OwnScenarioDocument(**line, errors=errors, document=scenario.document)


def own_scenario_line(scenario: OwnScenario) -> OwnScenarioLine:
    return OwnScenarioLine(
        id=scenario.pk,
        version=str(scenario.revision),
        slug=scenario.slug,
        title=scenario.title,
        playable=scenario.tables_id is not None,
        shared=scenario.shared,
        link_id=scenario.link,
        created_at=scenario.created,
        changed_at=scenario.changed,
        links=OwnScenarioLinks(
            self=reverse("api:own-scenario", args=[scenario.pk]),
            table_set=table_set_address(scenario.tables_id) if scenario.tables_id else None,
            page=reverse("own-scenario", args=[scenario.pk]),
            shared_page=reverse("shared-scenario", args=[scenario.link])
            if scenario.shared
            else None,
        ),
    )


class VictoryPart(msgspec.Struct, frozen=True):
    """A victory condition of the campaign, and its clause."""

    clause: str
    condition: Annotated[
        str,
        Meta(
            extra_json_schema={
                "enum": [
                    snake_case(str(kind.__struct_config__.tag)).replace(" ", "_")
                    for kind in get_args(Condition)
                ],
                "description": "What kind of condition it is.",
            }
        ),
    ]
    text: str


class ScenarioLinks(msgspec.Struct, frozen=True):
    """The addresses of a scenario, of its set of tables, and of its file if it is shipped."""

    self: str
    table_set: str
    toml_file: str | None


class ScenarioLine(msgspec.Struct, frozen=True):
    """A scenario that can be played.

    One that is not in the book has no `clause`; `departure` then says how it differs,
    and `source_notes` where its forces and dates come from.
    """

    slug: str
    title: str
    clause: str | None
    description: str
    departure: str | None
    source_notes: tuple[str, ...]
    first_month: MonthName
    last_month: MonthName
    victory_conditions: tuple[VictoryPart, ...]
    links: ScenarioLinks


class ScenarioDocument(ScenarioLine, frozen=True):
    """A scenario with its file: its order of battle, as a starting point for your own."""

    toml: str


def scenario_address(slug: str, key: int | str | None) -> str:
    """Return the address of a scenario in a set of tables; None is the shipped one."""
    return reverse("api:scenario", args=[slug]) + table_set_query(key)


def scenario_document(table_set: LoadedTableSet, slug: str) -> ScenarioDocument:
    """Return the scenario of that name with its file. Raises UnknownScenario."""
    line = msgspec.structs.asdict(scenario_line(table_set, table_set.edition.scenario(slug)))
    return ScenarioDocument(**line, toml=table_set.edition.text(slug))


def scenario_line(table_set: LoadedTableSet, scenario: Scenario) -> ScenarioLine:
    return ScenarioLine(
        slug=scenario.slug,
        title=scenario.title,
        clause=scenario.clause or None,
        description=scenario.description,
        departure=scenario.departs or None,
        source_notes=scenario.sources,
        first_month=month_slug(scenario.first_month),
        last_month=month_slug(scenario.last_month),
        victory_conditions=tuple(
            VictoryPart(way.clause, str(way.__struct_config__.tag).replace(" ", "_"), way.text)
            for way in scenario.victory
        ),
        links=ScenarioLinks(
            self=scenario_address(scenario.slug, table_set.key),
            table_set=table_set_address(table_set.key),
            toml_file=file_address(table_set, scenario.slug),
        ),
    )
