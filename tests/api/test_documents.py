"""The parts of answers: the schema has all of them, and says what stands where."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec import defstruct

from api.documents import events, geojson, maps, rulebook, state
from api.documents.geojson import MapFeatures, StateFeatures, TimelineFeatures
from api.openapi.components import draw_components
from api.openapi.parameters import SHAPES
from api.openapi.schema import components as drawn
from api.resources import hexes, papers, reports, root, rulebooks
from campaign.models import Campaign
from campaign.services.journal import creation
from tests.api.conftest import Api, As
from tests.played_once import begin_once
from tests.published_schema import schema_text

FREE = {
    "#/TableDocument/data_rows/items",
    "#/OpenAPI/paths",
    "#/OwnScenarioDocument/document",
    "#/WrittenScenario/document",
    "#/OwnScenarioChange/document",
}
"""The values of a table, whose columns are its own; what OpenAPI says it is; and a scenario, whose
form is that of its file.
"""
OF_MAP = {"hex", "river", "cataract", "track", "road", "wadi", "place"}
OF_STATE = {"stack", "sighting", "railway", "railhead", "siege", "control"}
WANTED = {"array": {"items", "prefixItems"}, "object": {"properties", "additionalProperties"}}
WITHIN = ("items", "additionalProperties", "anyOf", "prefixItems", "oneOf", "allOf")


@pytest.fixture(scope="module")
def components() -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(schema_text())["components"]["schemas"]
    return found


@pytest.fixture
def dark(seats: dict[str, Any]) -> Campaign:
    """A campaign in the fog, after two months."""
    wanted = creation.NewCampaignTerms("siege-of-khartoum", slug="dark", seats=seats, fog=True)
    return begin_once(wanted, 2)


def within(path: str, schema: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the schema, and every schema in it, with the way there."""
    if not isinstance(schema, dict):
        return
    yield path, schema
    for name, one in schema.get("properties", {}).items():
        yield from within(f"{path}/{name}", one)
    for name in WITHIN:
        inner = schema.get(name)
        for one in inner if isinstance(inner, list) else [inner]:
            yield from within(f"{path}/{name}", one)


def is_open(schema: dict[str, Any]) -> bool:
    """Return whether it says nothing of what may stand there."""
    said = schema.keys() - {"description", "title", "default"}
    wanted = WANTED.get(str(schema.get("type")))
    return not said or (wanted is not None and not wanted & said)


def test_what_has_one_name_is_one_thing() -> None:
    assert SHAPES.keys().isdisjoint(drawn().parts)


def test_components_are_called_by_words_and_all_there(components: dict[str, Any]) -> None:
    assert [name for name in components if not name.replace("_", "").isalnum()] == []
    told = schema_text()
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', told))
    assert named <= components.keys()


def test_types_of_one_name_are_refused() -> None:
    theirs = defstruct("Feature", [("name", str)], module="api.resources.rulings")
    ours = defstruct("Feature", [("number", int)], module="campaign.rules.core.actions")
    with pytest.raises(ValueError, match="same names"):
        draw_components([theirs, ours], [], {})


def test_the_same_list_of_words_is_one_component() -> None:
    parts = drawn().parts
    for name in ("StackPart", "DespatchPart", "SightingProperties"):
        assert parts[name]["properties"]["side"]["$ref"] == "#/components/schemas/Side"


def test_nothing_is_left_open_but_what_is_free(components: dict[str, Any]) -> None:
    parts = (part for name, one in components.items() for part in within(f"#/{name}", one))
    left = {path: schema for path, schema in parts if "$ref" not in schema and is_open(schema)}
    assert set(left) == FREE
    assert all("description" in schema for schema in left.values())


OWN = (events, geojson, maps, state, rulebook, hexes, papers, reports, root, rulebooks)


def test_every_property_of_what_is_read_is_described() -> None:
    parts = drawn().parts
    shown = [
        one
        for module in OWN
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, msgspec.Struct) and one.__name__ in parts
    ]
    assert len(shown) > 90
    bare = {
        f"{one.__name__}.{name}"
        for one in shown
        for name, field in parts[one.__name__]["properties"].items()
        if "description" not in field
    }
    assert bare == set()


def test_what_is_said_of_a_component_is_not_broken_into_lines(components: dict[str, Any]) -> None:
    told = [one["description"] for one in components.values() if "description" in one]
    assert len(told) > 300
    assert [words for words in told if "\n" in words.replace("\n\n", "")] == []


@pytest.mark.parametrize(
    ("address", "collection", "kinds"),
    [
        ("/maps/sudan.geojson", MapFeatures, OF_MAP),
        ("/campaigns/dark/months/current/map.geojson", StateFeatures, OF_STATE),
        ("/campaigns/dark/months/1884-02/map.geojson", StateFeatures, OF_STATE),
        ("/campaigns/dark/timeline.geojson", TimelineFeatures, OF_STATE),
    ],
)
def test_a_map_has_what_its_schema_says_and_nothing_more(
    address: str, collection: Any, kinds: set[str], dark: Campaign, as_: As
) -> None:
    told = as_("egyptian").get(address).json()
    read = msgspec.convert(told, collection)
    assert msgspec.json.decode(msgspec.json.encode(read)) == told
    shown = {one["properties"]["type"] for one in told["features"]}
    assert shown <= kinds
    assert len(kinds - shown) < 2


def test_every_event_of_the_feed_is_one_the_schema_has(
    played: Campaign, umpire: Api, components: dict[str, Any]
) -> None:
    event = {**components["Event"], "components": {"schemas": components}}
    told = umpire.get("/campaigns/secret/events/?limit=200").json()["results"]
    faults = Draft202012Validator(event).iter_errors
    assert len(told) > 100
    assert [one["event"] for one in told if list(faults(one["event"]))] == []
    kinds = {one["event"]["type"]: one["event"] for one in told}
    known = components["Event"]["discriminator"]["mapping"]
    for kind, event in kinds.items():
        part = components[known[kind].rpartition("/")[2]]
        assert event.keys() <= part["properties"].keys()
        assert "by" not in part["properties"]


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("months/current/state/", "StateDocument"),
        ("months/1884-02/despatches/", "DespatchesDocument"),
        ("months/1884-02/hexes/2042/", "HexDocument"),
        ("months/", "MonthDocumentList"),
        ("events/", "EventsDocument"),
        ("figures/", "FiguresPartList"),
        ("papers/", "PaperLineList"),
        ("briefs/egyptian/", "HandoverBriefDocument"),
        ("/maps/sudan/", "MapDocument"),
        ("/table-sets/shipped/", "TableSetDocument"),
        ("/table-sets/shipped/tables/march/", "TableDocument"),
        ("/scenarios/siege-of-khartoum/", "ScenarioDocument"),
        ("/rulings/", "RulingsDocument"),
        ("/books/redcoats/", "BookDocument"),
        ("/problems/unfit/", "ProblemTypeDocument"),
        ("/", "IndexDocument"),
    ],
)
def test_a_document_is_what_its_schema_says(
    address: str, name: str, dark: Campaign, as_: As
) -> None:
    path = address if address.startswith("/") else f"/campaigns/dark/{address}"
    told = as_("egyptian").get(path).json()
    whole = {**drawn().parts[name], "components": {"schemas": drawn().parts}}
    assert [error.message for error in Draft202012Validator(whole).iter_errors(told)][:3] == []
    assert set(told) == set(drawn().parts[name]["properties"])
