"""What is our books' own in the schema: the actions and the states of their battles.

Books have types of equal names, so that each part of the schema is called by its book as well:
`RedcoatsDone`, `FuzzyWuzzyOrder`. What a battle may be sent is what it is said to be asked.
"""

from functools import cache
from typing import Annotated, Any

from msgspec import Meta

from api.components import Family, Parts
from api.inputs import StructField
from api.shapes import REFERENCE, Schema
from battles.contract import book
from battles.contract.registry import OURS


def _of_each_book(name: str) -> Schema:
    return {"anyOf": [{"$ref": REFERENCE.format(name=_prefix(slug) + name)} for slug in OURS]}


def _prefix(slug: str) -> str:
    return slug.title().replace("-", "")


ANY_ACTION = _of_each_book("Action")
BookAction = Annotated[Any, Meta(extra_json_schema=ANY_ACTION)]
"""An action of the book that the battle is fought by."""
BookState = Annotated[Any, Meta(extra_json_schema=_of_each_book("State"))]
"""The state of a battle, as its book has it."""


class ActionField(StructField):
    """An action of a book: any document here, and read as the book of the battle has it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(dict[str, Any], **options)


@cache
def parts() -> Parts:
    """What those refer to, by name: actions and state of each book, and all they consist of."""
    return {name: part for slug in OURS for name, part in _of_book(slug).parts().items()}


def _of_book(slug: str) -> Family:
    engine = book(slug)
    about = f"An action in a battle by {engine.title}."
    return Family(_prefix(slug), {"Action": (about, engine.actions)}, (engine.state,))
