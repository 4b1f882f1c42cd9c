"""The actions and the states of battles, in the JSON form of each book.

Books share type names, so the name of each component begins with its book: `RedcoatsDone`.
"""

from functools import cache
from typing import Annotated, Any

from msgspec import Meta

from api.http.problems import invalid
from api.http.rule_json import Naming, RuleForm, rule_form
from api.openapi.parameters import REFERENCE, Schema
from battles.contract.registry import book, books

FURTHEST = 10**9
"""The largest number in an action: none beyond it names a unit, place or facing of any field."""


@cache
def action_form(slug: str) -> RuleForm:
    """Return the JSON form of the actions of a book."""
    return rule_form(book(slug).engine.actions, _naming(slug))


@cache
def state_form(slug: str) -> RuleForm:
    """Return the JSON form of the state of a battle by a book."""
    return rule_form(book(slug).engine.state, _naming(slug))


def _naming(slug: str) -> Naming:
    """Return how a book's types are named: books share names, so each begins with the book."""
    return Naming(_prefix(slug), _tag(slug), book(slug).engine.state)


def _prefix(slug: str) -> str:
    return slug.title().replace("-", "")


def _tag(slug: str) -> str:
    return slug.replace("-", "_")


def _of_each_book(name: str) -> dict[str, str]:
    return {_tag(slug): REFERENCE.format(name=_prefix(slug) + name) for slug in books()}


_ACTIONS: Schema = {"anyOf": [{"$ref": one} for one in _of_each_book("Action").values()]}
_STATES: Schema = {
    "oneOf": [{"$ref": one} for one in _of_each_book("State").values()],
    "discriminator": {"propertyName": "type", "mapping": _of_each_book("State")},
}
BookAction = Annotated[Any, Meta(extra_json_schema=_ACTIONS)]
"""An action of the book by which the battle is fought."""
BookState = Annotated[Any, Meta(extra_json_schema=_STATES)]
"""The state of a battle, in the form of its book."""


def check_numbers(data: object) -> None:
    """Raise the problem `invalid` for a number that is too large to compute with."""
    if isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            check_numbers(one)
    elif isinstance(data, int | float) and abs(data) > FURTHEST:
        raise invalid(action=f"A number beyond {FURTHEST:,} names no unit, place or facing.")
