"""The client's structs are those of the schema, field by field."""

import inspect
import json
from types import ModuleType
from typing import Any

import msgspec
import pytest

from api.client import answers, documents, orders
from tests.client.conftest import SCHEMA

COMPONENTS = SCHEMA["components"]["schemas"]
ABSTRACT = {"Answer", "Written"}


def structs(module: ModuleType) -> list[type[msgspec.Struct]]:
    """Return the structs of a module that stand in the schema under a name."""
    return [
        one
        for name, one in vars(module).items()
        if inspect.isclass(one) and issubclass(one, msgspec.Struct)
        if one.__module__ == module.__name__ and name not in ABSTRACT
    ]


def component(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema of that name, or of that name for sheets, whichever has its fields."""
    name, fields = kind.__name__, fields_of(kind)
    known = [COMPONENTS[one] for one in (name, f"Sheet{name}") if one in COMPONENTS]
    return next((one for one in known if fields <= set(one["properties"])), {"properties": {}})


def fields_of(kind: type[msgspec.Struct]) -> set[str]:
    """Return its fields as they are written, with the one that tells its kind from others."""
    tag = kind.__struct_config__.tag_field
    return {one.encode_name for one in msgspec.structs.fields(kind)} | ({tag} if tag else set())


KNOWN = [*structs(documents), *structs(orders), *structs(answers)]


@pytest.mark.parametrize("kind", KNOWN, ids=lambda one: one.__name__)
def test_every_field_of_a_struct_stands_in_the_schema(kind: type[msgspec.Struct]) -> None:
    assert fields_of(kind) <= set(component(kind)["properties"])


@pytest.mark.parametrize("kind", KNOWN, ids=lambda one: one.__name__)
def test_what_a_struct_leaves_out_is_what_the_schema_takes_for_said(
    kind: type[msgspec.Struct],
) -> None:
    told = component(kind)["properties"]
    drawn = json.loads(msgspec.json.encode(msgspec.json.schema(kind)))
    mine = drawn["$defs"][kind.__name__]["properties"]
    usual = {name: one["default"] for name, one in mine.items() if one.get("default") is not None}
    assert all(told[name].get("default", value) == value for name, value in usual.items())
    tag = kind.__struct_config__.tag_field
    assert tag is None or mine[tag] == told[tag]
