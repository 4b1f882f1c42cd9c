"""The schema that the program publishes: its text, and the components that its parts refer to."""

from functools import cache
from pathlib import Path
from typing import Any

from api.openapi.info import render_schema
from tests.played_once import made_once


@cache
def schema_text() -> str:
    """Return the schema as the program makes it now; it takes seconds, so it is made once."""

    def draw(folder: Path) -> None:
        (folder / "openapi.json").write_text(render_schema(), encoding="utf-8")

    return (made_once("schema", draw) / "openapi.json").read_text(encoding="utf-8")


def resolve(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return the part itself, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = schema["components"][kind][name]
    return found
