"""The rule books' actions and battle states as components of the schema.

Books share type names, so each component is prefixed with its book: `RedcoatsDone`,
`FuzzyWuzzyOrder`.
"""

from functools import cache
from typing import Annotated, Any

from msgspec import Meta
from rest_framework import serializers

from api.http.inputs import StructField
from api.openapi.components import Family, Parts
from api.openapi.parameters import REFERENCE, Schema
from battles.contract.registry import book, books


def _of_each_book(name: str) -> Schema:
    return {"anyOf": [{"$ref": REFERENCE.format(name=_prefix(slug) + name)} for slug in books()]}


def _prefix(slug: str) -> str:
    return slug.title().replace("-", "")


ANY_ACTION = _of_each_book("Action")
BookAction = Annotated[Any, Meta(extra_json_schema=ANY_ACTION)]
"""An action of the book by which the battle is fought."""
BookState = Annotated[Any, Meta(extra_json_schema=_of_each_book("State"))]
"""The state of a battle, in the form of its book."""


FURTHEST = 10**9


class ActionField(StructField):
    """An action of a book: any object here, decoded later as the book of the battle requires."""

    def __init__(self, **options: Any) -> None:
        super().__init__(dict[str, Any], **options)

    def to_internal_value(self, data: object) -> Any:
        if _is_off_every_field(data):
            raise serializers.ValidationError(
                f"A number beyond {FURTHEST:,} names no unit, place or facing of any field."
            )
        return super().to_internal_value(data)


def _is_off_every_field(data: object) -> bool:
    """Return whether a number in the data is too large to compute with."""
    if isinstance(data, dict | list):
        return any(map(_is_off_every_field, data.values() if isinstance(data, dict) else data))
    return isinstance(data, int | float) and abs(data) > FURTHEST


@cache
def parts() -> Parts:
    """Return the components by name: actions and states of each book, with all their parts."""
    return {name: part for slug in books() for name, part in _of_book(slug).items()}


def _of_book(slug: str) -> Parts:
    of, prefix = book(slug), _prefix(slug)
    engine = of.engine
    about = f"An action in a battle by {engine.title}. {of.measures}"
    found = Family(prefix, {"Action": (about, engine.actions)}, (engine.state,)).parts()
    found[f"{prefix}State"]["description"] += f"\n\n{of.measures}"
    return found
