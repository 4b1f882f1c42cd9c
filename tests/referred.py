"""The schema keeps once, among its components, what many operations say: read from there."""

from typing import Any


def said(schema: dict[str, Any], part: dict[str, Any]) -> dict[str, Any]:
    """The part itself, or the component that it refers to."""
    if "$ref" not in part:
        return part
    _, _, kind, name = part["$ref"].split("/")
    found: dict[str, Any] = schema["components"][kind][name]
    return found
