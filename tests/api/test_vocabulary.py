"""The vocabulary of the schema: one name, one type and one meaning, and described throughout."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from api.openapi.components import descriptions
from tests.published_schema import resolve, schema_text

Schema = dict[str, Any]

STANDARD = {"Problem", "Point", "LineString", "Polygon"}
"""The components whose property names are a standard's: RFC 9457 and GeoJSON (RFC 7946)."""
REPLACED = {
    "eyes": "perspective",
    "head": "version",
    "said": "text, label or description",
    "told": "text, label or description",
    "whose": "perspective",
    "words": "text, label or description",
}
"""Property names that are not used, with the names that are."""
COUNTS = {
    "DiceSealPart.chain_position",
    "EventDisruptEffect.count",
    "EventWhere.within",
    "ProgressPart.completed",
}
"""Counts of what another property of the same document names, and a place in a chain."""
STATUSES = {"pending", "running", "succeeded", "failed", "cancelled"}


@pytest.fixture(scope="module")
def schema() -> Schema:
    found: Schema = json.loads(schema_text())
    return found


def components(schema: Schema) -> dict[str, Schema]:
    found: dict[str, Schema] = schema["components"]["schemas"]
    return found


def parts(value: Any, path: str) -> Iterator[tuple[str, Schema]]:
    """Yield every schema at or below this one, with its path; a property's name is no keyword."""
    if not isinstance(value, dict):
        return
    yield path, value
    for key in ("items", "additionalProperties", "not"):
        yield from parts(value.get(key), f"{path}.{key}")
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for number, part in enumerate(value.get(key, ())):
            yield from parts(part, f"{path}.{key}[{number}]")
    for name, part in value.get("properties", {}).items():
        yield from parts(part, f"{path}.{name}")


def all_parts(schema: Schema) -> Iterator[tuple[str, Schema]]:
    """Yield every schema within the components, with its path."""
    for name, component in components(schema).items():
        yield from parts(component, name)


def properties(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield every property within the components: the path of its object, its name and itself."""
    for path, part in all_parts(schema):
        for name, found in part.get("properties", {}).items():
            yield path, name, found


def operations(schema: Schema) -> Iterator[Schema]:
    return (operation for path in schema["paths"].values() for operation in path.values())


def json_types(schema: Schema, part: Schema) -> set[str]:
    """Return the JSON types of a property's values, without null; a list is such as `integer[]`."""
    if "$ref" in part:
        return json_types(schema, resolve(schema, part))
    branches = [*part.get("anyOf", ()), *part.get("oneOf", ()), *part.get("allOf", ())]
    found = set().union(*(json_types(schema, branch) for branch in branches))
    values = [part["const"]] if "const" in part else part.get("enum", ())
    named = part.get("type", [] if branches else [NAMES[type(value)] for value in values])
    for name in {named} if isinstance(named, str) else set(named):
        found |= _item_types(schema, part) if name == "array" else {name}
    return found - {"null"}


NAMES = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    dict: "object",
    list: "array",
    type(None): "null",
}


def _item_types(schema: Schema, part: Schema) -> set[str]:
    items = [*part.get("prefixItems", ()), *filter(None, [part.get("items")])]
    found = set().union(*(json_types(schema, item) for item in items))
    return {f"{name}[]" for name in found} or {"array"}


def test_a_component_is_titled_as_it_is_named(schema: Schema) -> None:
    wrong = [path for path, part in all_parts(schema) if part.get("title", path) != path]
    assert not wrong


def test_a_list_of_fixed_length_is_closed_by_its_length(schema: Schema) -> None:
    wrong = [
        path
        for path, part in all_parts(schema)
        if part.get("items") is False
        or ("prefixItems" in part and part.get("maxItems") != len(part["prefixItems"]))
    ]
    assert not wrong


def test_every_property_is_described(schema: Schema) -> None:
    bare = [f"{path}.{name}" for path, name, found in properties(schema) if not described(found)]
    assert not bare


def described(part: Schema) -> bool:
    return bool(part.get("description", "").strip())


def test_every_description_is_of_a_property(schema: Schema) -> None:
    known = {
        name
        for component, part in components(schema).items()
        for name in part.get("properties", ())
        for name in (name, f"{component.removesuffix('Request')}.{name}", f"{component}.{name}")
    }
    assert not descriptions().keys() - known


def test_links_are_named_fields_of_a_component(schema: Schema) -> None:
    wrong = [
        path
        for path, name, found in properties(schema)
        if name == "links"
        if not (set(found) <= {"$ref", "description"} and resolve(schema, found).get("properties"))
    ]
    assert not wrong


def test_every_link_is_an_address(schema: Schema) -> None:
    wrong = [
        f"{path}.{name}"
        for path, name, found in properties(schema)
        if path.endswith("Links") and json_types(schema, found) != {"string"}
    ]
    assert not wrong


def test_a_description_speaks_of_null_only_where_null_may_be(schema: Schema) -> None:
    wrong = [
        f"{path}.{name}: {found['description']}"
        for path, name, found in properties(schema)
        if re.search("[;:] null", found.get("description", ""))
        if not any(part.get("type") == "null" for part in branches(found))
    ]
    assert not wrong


def test_a_description_of_one_component_speaks_of_null_where_null_may_be(schema: Schema) -> None:
    """Its clause about null is left out of the schema where null may not be."""
    nullable = {
        f"{path.removesuffix('Request')}.{name}"
        for path, name, found in properties(schema)
        if any(part.get("type") == "null" for part in branches(found))
    }
    told = {name for name, text in descriptions().items() if "." in name and "; null" in text}
    assert not told - nullable


def test_no_number_stands_for_none(schema: Schema) -> None:
    wrong = [
        f"{path}.{name}: {found['description']}"
        for path, name, found in properties(schema)
        if re.search("[;:,] (0|-1) (for|if|where|off)\\b|[;:] 0:", found.get("description", ""))
    ]
    assert not wrong


def test_a_count_says_what_it_counts(schema: Schema) -> None:
    """Its name is a plural (`men`, `stands`), or ends in `_count`."""
    wrong = [
        f"{path}.{name}: {found['description']}"
        for path, name, found in properties(schema)
        if re.match("How (many|often) ", found.get("description", ""))
        if json_types(schema, found) & {"integer", "number"}
        if not re.search("(s|_count|men|men_lost|_each)$", name)
        if f"{path}.{name}" not in COUNTS
    ]
    assert not wrong


def test_a_property_name_has_one_json_type(schema: Schema) -> None:
    """A link is an address, whatever it is named after; a whole number is a number.

    Standards name the properties of problems and of GeoJSON's geometries.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, name, part in properties(schema):
        if not path.endswith("Links") and path not in STANDARD:
            for kind in json_types(schema, part):
                found[name][kind.replace("integer", "number")].append(path)
    wrong = {
        name: {kind: paths[:3] for kind, paths in kinds.items()}
        for name, kinds in sorted(found.items())
        if len(kinds) > 1
    }
    assert not wrong


def test_a_property_is_named_by_the_word_of_the_glossary(schema: Schema) -> None:
    wrong = [
        f"{path}.{name}: write {REPLACED[name]}"
        for path, name, _ in properties(schema)
        if name in REPLACED
    ]
    assert not wrong


def test_an_enumeration_has_identifiers(schema: Schema) -> None:
    """Slugs have hyphens, types of webhooks dots; a line of a difference is marked as in a diff."""
    wrong = [
        f"{path}: {word!r}"
        for path, part in all_parts(schema)
        for word in (part.get("const", ""), *part.get("enum", ()))
        if isinstance(word, str) and " " in word
        if path != "DiffLinePart.mark"
    ]
    assert not wrong


def test_hexes_are_written_as_printed(schema: Schema) -> None:
    wrong = [
        f"{path}.{name}"
        for path, name, found in properties(schema)
        if name == "hex" or name.endswith("_hex")
        if json_types(schema, found) != {"string"}
    ]
    assert not wrong


def test_times_and_they_alone_are_named_so(schema: Schema) -> None:
    """Their names end in `_at`; Standard Webhooks names that of a payload `timestamp`."""
    wrong = [
        f"{path}.{name}"
        for path, name, found in properties(schema)
        if (name.endswith("_at") or name == "timestamp")
        != any(part.get("format") == "date-time" for part in branches(found))
    ]
    assert not wrong


def branches(part: Schema) -> list[Schema]:
    return [part, *part.get("anyOf", ()), *part.get("oneOf", ())]


def test_the_members_of_a_union_are_distinguished_by_their_type(schema: Schema) -> None:
    unions = [(path, part) for path, part in all_parts(schema) if "discriminator" in part]
    assert unions
    for path, union in unions:
        discriminator = union["discriminator"]
        assert discriminator["propertyName"] == "type", path
        members = {part["$ref"] for part in (*union.get("anyOf", ()), *union.get("oneOf", ()))}
        assert set(discriminator["mapping"].values()) == members, path
        for tag, reference in discriminator["mapping"].items():
            member = resolve(schema, {"$ref": reference})
            own = member["properties"]["type"]
            assert (own.get("const") or own["enum"]) in (tag, [tag]), reference
            assert "type" in member["required"], reference


def test_the_members_of_nested_unions_have_types_of_their_own(schema: Schema) -> None:
    """A generated client takes the first member that fits, and drops the fields it lacks."""
    for path, part in all_parts(schema):
        found = [
            tag
            for member in (*part.get("anyOf", ()), *part.get("oneOf", ()))
            for tag in resolve(schema, member).get("discriminator", {}).get("mapping", ())
        ]
        assert len(found) == len(set(found)), path


def test_a_union_of_objects_has_a_discriminator(schema: Schema) -> None:
    wrong = []
    for path, part in all_parts(schema):
        members = [
            resolve(schema, member) for member in (*part.get("anyOf", ()), *part.get("oneOf", ()))
        ]
        objects = [member for member in members if member.get("type") == "object"]
        if len(objects) > 1 and "discriminator" not in part:
            wrong.append(path)
    assert not wrong


def test_a_body_that_is_needed_is_required(schema: Schema) -> None:
    wrong = []
    for operation in operations(schema):
        body = operation.get("requestBody", {"required": True})
        if not body.get("required"):
            kind = resolve(schema, body["content"]["application/json"]["schema"])
            if kind.get("required"):
                wrong.append(operation["operationId"])
    assert not wrong


def test_what_is_sent_and_may_be_left_out_has_no_default_in_the_schema(schema: Schema) -> None:
    """Generators take a property with a default for one that is always there."""
    wrong = [
        f"{path}.{name}"
        for path, part in all_parts(schema)
        for name, found in part.get("properties", {}).items()
        if "default" in found and name not in part.get("required", ())
    ]
    assert not wrong


def test_an_accepted_request_is_a_job_with_its_address(schema: Schema) -> None:
    accepted = {
        operation["operationId"]: resolve(schema, operation["responses"]["202"])
        for operation in operations(schema)
        if "202" in operation["responses"]
    }
    assert accepted
    bare = [
        name for name, answer in accepted.items() if "Location" not in answer.get("headers", {})
    ]
    assert not bare


def test_a_job_has_one_of_five_statuses(schema: Schema) -> None:
    job = resolve(schema, components(schema)["JobDocument"]["properties"]["status"])
    assert set(job["enum"]) <= STATUSES
