"""The schema keeps once, among its components, what many operations say: read from there."""

from functools import cache
from pathlib import Path
from typing import Any

from api.openapi.info import render_schema
from tests.played_once import made_once


@cache
def schema_text() -> str:
    """Return the schema as the program draws it now; it takes seconds, so it is drawn once."""

    def draw(folder: Path) -> None:
        (folder / "openapi.json").write_text(render_schema(), encoding="utf-8")

    return (made_once("schema", draw) / "openapi.json").read_text(encoding="utf-8")


def said(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """Return the part itself, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = schema["components"][kind][name]
    return found
