"""What answers are made of: the schema has all of it, and says what stands where."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from msgspec import defstruct

from api.documents.events import EVENTS
from api.documents.geojson import FeatureCollection
from api.openapi import battle_actions, schema
from api.openapi.components import Family, draw_components
from api.openapi.parameters import SHAPES
from campaign.models import Campaign
from campaign.services.journal import creation
from tests.api.conftest import Api, As
from tests.played_once import begin_once
from tests.referred import schema_text

FREE = {"#/TableDocument/data/items", "#/OpenAPI/paths"}
"""The values of a table, whose columns are its own; and what OpenAPI says it is."""
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
    families = (schema.components()[1], battle_actions.parts(), EVENTS.parts(), SHAPES)
    told = [(name, part) for family in families for name, part in family.items()]
    assert all(dict(told)[name] == part for name, part in told)


def test_components_are_called_by_words_and_all_there(components: dict[str, Any]) -> None:
    assert [name for name in components if not name.replace("_", "").isalnum()] == []
    told = schema_text()
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', told))
    assert named <= components.keys()


def test_types_of_one_name_are_told_apart_or_refused() -> None:
    theirs = defstruct("Feature", [("name", str)], module="api.resources.rulings")
    ours = defstruct("Feature", [("number", int)], module="campaign.rules.core.actions")
    assert draw_components([theirs, ours])[1].keys() == {"Feature", "RulingFeature"}
    with pytest.raises(ValueError, match="one name"):
        Family("Of", {}, (theirs, ours)).parts()


def test_nothing_is_left_open_but_what_is_free(components: dict[str, Any]) -> None:
    parts = (part for name, one in components.items() for part in within(f"#/{name}", one))
    left = {path: schema for path, schema in parts if "$ref" not in schema and is_open(schema)}
    assert set(left) == FREE
    assert all("description" in schema for schema in left.values())


def test_a_list_of_fields_names_them_in_their_order(components: dict[str, Any]) -> None:
    unit = components["EventUnit"]
    names = [one["title"] for one in unit["prefixItems"]]
    assert names[:6] == ["id", "kind", "nation", "quality", "strength", "hex"]
    assert "`id`, `kind`, `nation`" in unit["description"]


def test_numbers_of_hexes_units_and_months_say_so(components: dict[str, Any]) -> None:
    fields = {name: one.get("properties") for name, one in components.items()}
    told = {
        "hex": (fields["EventCombatBegan"]["attacker"], fields["FootLeg"]["to"]),
        "unit": (fields["EventCombatBegan"]["attacking"]["items"], fields["Lead"]["leader"]),
        "month": (fields["EventMonthBegan"]["month"], fields["EventPostponed"]["month"]),
    }
    for kind, numbers in told.items():
        assert all(one["description"].startswith(f"a {kind}, ") for one in numbers)


def test_what_is_said_of_a_component_is_not_broken_into_lines(components: dict[str, Any]) -> None:
    told = [one["description"] for one in components.values() if "description" in one]
    assert len(told) > 300
    assert [words for words in told if "\n" in words.replace("\n\n", "")] == []


@pytest.mark.parametrize(
    ("address", "kinds"),
    [
        ("/maps/sudan.geojson", OF_MAP),
        ("/campaigns/dark/map.geojson", OF_STATE),
        ("/campaigns/dark/months/1884-02/map.geojson", OF_STATE),
        ("/campaigns/dark/timeline.geojson", OF_STATE),
    ],
)
def test_a_map_has_what_its_schema_says_and_nothing_more(
    address: str, kinds: set[str], dark: Campaign, as_: As
) -> None:
    told = as_("egyptian").get(address).json()
    read = msgspec.convert(told, FeatureCollection)
    assert msgspec.json.decode(msgspec.json.encode(read)) == told
    shown = {one["properties"]["kind"] for one in told["features"]}
    assert shown <= kinds
    assert len(kinds - shown) < 2


def test_every_event_of_the_feed_is_one_the_schema_has(
    played: Campaign, umpire: Api, components: dict[str, Any]
) -> None:
    event = {**EVENTS.schema(""), "components": {"schemas": components}}
    told = umpire.get("/campaigns/secret/events/?limit=200").json()["results"]
    faults = Draft202012Validator(event).iter_errors
    assert len(told) > 100
    assert [one["event"] for one in told if list(faults(one["event"]))] == []
    kinds = {one["event"]["is"]: one["event"] for one in told}
    known = components["Event"]["discriminator"]["mapping"]
    for kind, event in kinds.items():
        part = components[known[kind].rpartition("/")[2]]
        assert event.keys() <= part["properties"].keys()
        assert "by" not in part["properties"]
