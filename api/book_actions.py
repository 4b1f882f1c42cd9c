"""The actions of our books of battles, as they are sent, and as the schema has them.

Books have actions of equal names, so that each part of the schema is called by its book as well:
`RedcoatsDone`, `FuzzyWuzzyOrder`.
"""

from functools import cache
from typing import Any

import msgspec

from api.inputs import StructField
from api.shapes import REFERENCE, Schema
from battles.contract import book
from battles.contract.registry import OURS


class ActionField(StructField):
    """An action of a book: any document here, and read as the book of the battle has it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(dict[str, Any], **options)


@cache
def any_action() -> Schema:
    """The schema of an action: of one of the books."""
    return {"anyOf": [{"$ref": REFERENCE.format(name=_called(slug, "Action"))} for slug in OURS]}


@cache
def parts() -> dict[str, Schema]:
    """What that refers to, by name: the actions of each book, and all that they consist of."""
    return {name: about for slug in OURS for name, about in _parts_of(slug).items()}


def _parts_of(slug: str) -> dict[str, Schema]:
    engine = book(slug)
    template = REFERENCE.format(name=_called(slug, "{name}"))
    (action,), found = msgspec.json.schema_components([engine.actions], ref_template=template)
    whole = {"description": f"An action in a battle by {engine.title}.", **action}
    return {_called(slug, name): about for name, about in {**found, "Action": whole}.items()}


def _called(slug: str, name: str) -> str:
    return slug.title().replace("-", "") + name
