"""Generate the components of the schema from msgspec types, and share what operations repeat."""

import inspect
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from api.http.problems import MEDIA_TYPE, unfit
from api.http.rule_json import Naming, RuleForm, rule_form
from api.openapi.parameters import REFERENCE, Schema
from battles.contract.book import book, books

# The actions and the states of battles, in the JSON form of each book.
#
# Books share type names, so the name of each component begins with its book: `RedcoatsDone`.


FURTHEST = 10**9
"""The largest number in an action: none beyond it names a unit, place or facing of any field."""


@cache
def action_form(slug: str) -> RuleForm:
    """Return the JSON form of the actions of a book."""
    return rule_form(book(slug).engine.actions, _naming_of_book(slug))


@cache
def state_form(slug: str) -> RuleForm:
    """Return the JSON form of the state of a battle by a book."""
    return rule_form(book(slug).engine.state, _naming_of_book(slug))


def _naming_of_book(slug: str) -> Naming:
    """Return how a book's types are named: books share names, so each begins with the book."""
    return Naming(_prefix(slug), _tag(slug), book(slug).engine.state)


def _prefix(slug: str) -> str:
    return slug.title().replace("-", "")


def _tag(slug: str) -> str:
    return slug.replace("-", "_")


def _of_each_book(name: str) -> dict[str, str]:
    return {_tag(slug): REFERENCE.format(name=_prefix(slug) + name) for slug in books()}


_ACTIONS: Schema = {
    "anyOf": [{"$ref": reference} for reference in _of_each_book("Action").values()]
}
_STATES: Schema = {
    "oneOf": [{"$ref": reference} for reference in _of_each_book("State").values()],
    "discriminator": {"propertyName": "type", "mapping": _of_each_book("State")},
}
BookAction = Annotated[
    Any,
    Meta(
        extra_json_schema=_ACTIONS,
        extra={"in_words": "an action, such as one of `options.legal_actions` of the fight"},
    ),
]
"""An action of the book by which the battle is fought."""
BookState = Annotated[Any, Meta(extra_json_schema=_STATES)]
"""The state of a battle, in the form of its book."""


def check_numbers(data: object) -> None:
    """Raise the problem `unfit` for a number that is too large to compute with.

    The schema allows it: that a number names something depends on the battle.
    """
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            check_numbers(value)
    elif isinstance(data, int | float) and abs(data) > FURTHEST:
        raise unfit(action=f"A number beyond {FURTHEST:,} names no unit, place or facing.")


# Generate the components of the schema from msgspec types, in a form every generator can read.
#
# The name of a component is its title. Answers include every field; a field that requests may leave
# out is optional only in requests. So a type that differs in the two has two components:
# `MarchOrder` and `MarchOrderRequest`. Tuples are arrays of one type and a fixed length.


Parts = dict[str, Schema]
BOOKS = "battles.books."
"""The packages of the books: a type's name begins with the book where several share it."""
DESCRIPTIONS = Path(__file__).with_name("properties.toml")
"""The file of the meaning of each property, by its name, or by component and name."""
_WHEN_NULL = re.compile(r"; null\b[^.;]*(?=[.;])")
"""The clause about null in a description; only some properties of a name can be null."""
_REFERENCE = re.compile(r'"\$ref": ?"#/(?:\$defs|components/schemas)/([^"]+)"')


class Union(NamedTuple):
    """A union of types that is a component of its own, with what it is."""

    kind: Any
    description: str


class Components(NamedTuple):
    """The schemas of the answers and of the bodies, in their order, and the components of both."""

    answers: list[Schema]
    bodies: list[Schema]
    parts: Parts


def draw_components(
    answers: Iterable[Any], bodies: Iterable[Any], unions: Mapping[str, Union]
) -> Components:
    """Return the schema of every type, and the components they refer to, by name."""
    answer_schemas, answer_parts = _schemas_and_parts([*answers], unions)
    body_schemas, body_parts = _schemas_and_parts([*bodies], unions)
    for part in answer_parts.values():
        _require_every_field(part)
    renamed = _names_for_bodies(answer_parts, body_parts)
    body_schemas, body_parts = (
        _rename_references(body_schemas, renamed),
        _rename_references(body_parts, renamed),
    )
    for old, new in renamed.items():
        body_parts[new] = {**body_parts.pop(old), "title": new}
    parts = answer_parts | body_parts
    parts = _with_shared_enumerations(parts, parts)
    answer_schemas, body_schemas = (
        _with_shared_enumerations(schemas, parts) for schemas in (answer_schemas, body_schemas)
    )
    _describe_properties(parts)
    for name in body_parts:
        _describe_defaults(parts[name])
    return Components(answer_schemas, body_schemas, parts)


def prose(text: str) -> str:
    """Return a docstring without its line breaks; paragraphs are kept."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split("\n")) for paragraph in paragraphs)


def _schemas_and_parts(kinds: list[Any], unions: Mapping[str, Union]) -> tuple[list[Schema], Parts]:
    """Return the schemas of the types, and the components: their parts, and the unions."""
    schemas, parts = msgspec.json.schema_components(
        [*kinds, *(union.kind for union in unions.values())], ref_template="{name}"
    )
    union_schemas = zip(unions.items(), schemas[len(kinds) :], strict=True)
    parts |= {
        name: {**schema, "description": union.description}
        for (name, union), schema in union_schemas
    }
    names = {name: _component_name(name) for name in parts}
    if len(set(names.values())) < len(names):
        twice = sorted(name for name in names if [*names.values()].count(names[name]) > 1)
        raise ValueError(f"These types have the same names: {', '.join(twice)}.")
    drawn = {names[name]: _plain(part, names) for name, part in parts.items()}
    for name, part in drawn.items():
        part["title"] = name
    roots = [_plain(schema, names) for schema in schemas[: len(kinds)]]
    return roots, _reachable(roots, drawn)


def _reachable(roots: list[Schema], parts: Parts) -> Parts:
    """Return the components that the schemas refer to, at any depth."""
    seen: set[str] = set()
    waiting = {name for root in roots for name in references(root)}
    while waiting:
        name = waiting.pop()
        seen.add(name)
        waiting |= references(parts[name]) - seen
    return {name: part for name, part in parts.items() if name in seen}


def _component_name(name: str) -> str:
    """Return the name of a component: `Paged_CampaignPart_` is `CampaignPartPage`."""
    module, _, name = name.rpartition(".")
    if module.startswith(BOOKS):
        return module.split(".")[2].title().replace("_", "") + name
    if match := re.fullmatch(r"(Listed|Paged)[_\[](\w+?)[_\]]", name):
        return match[2] + {"Listed": "List", "Paged": "Page"}[match[1]]
    return name


def _plain(schema: Any, names: Mapping[str, str]) -> Any:
    """Return the schema with full references, plain arrays, and no line breaks in its prose."""
    if isinstance(schema, list):
        return [_plain(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result = {name: _plain(value, names) for name, value in schema.items()}
    if isinstance(schema.get("$ref"), str):
        result["$ref"] = _reference_to(schema["$ref"], names)
    if isinstance(schema.get("description"), str):
        result["description"] = prose(schema["description"])
    if isinstance(schema.get("discriminator"), dict):
        mapping = schema["discriminator"]["mapping"]
        result["discriminator"]["mapping"] = {
            tag: _reference_to(name, names) for tag, name in mapping.items()
        }
    if isinstance(result.get("enum"), list):
        words = result["enum"]
        if all(isinstance(word, str) for word in words):
            result["type"] = "string"
        if len(words) == 1:
            result["type"] = "boolean" if words[0] is True else "string"
            result["const"] = result.pop("enum")[0]
    if "prefixItems" in result:
        kinds = result.pop("prefixItems")
        distinct = [kind for place, kind in enumerate(kinds) if kind not in kinds[:place]]
        result["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    return result


def _reference_to(name: str, names: Mapping[str, str]) -> str:
    return name if name.startswith("#") else REFERENCE.format(name=names[name])


def _require_every_field(part: Schema) -> None:
    """Make every property of an answer required: an answer includes defaults too."""
    if "properties" in part:
        part["required"] = [*part["properties"]]
        for field in part["properties"].values():
            field.pop("default", None)


def _describe_defaults(part: Schema) -> None:
    """Describe a body's defaults in words: generators treat a property with one as required."""
    for field in part.get("properties", {}).values():
        default = field.pop("default", None)
        if isinstance(default, bool | int | str) and "description" in field:
            field["description"] += f" By default {json.dumps(default)}."


def _names_for_bodies(answers: Parts, bodies: Parts) -> dict[str, str]:
    """Return new names for the components of bodies that have another schema in answers."""
    both = answers.keys() & bodies.keys()
    names = {name for name in both if answers[name] != bodies[name]}
    while dependents := {name for name in both - names if names & references(bodies[name])}:
        names |= dependents
    return {name: f"{name}Request" for name in names}


def references(schema: Any) -> set[str]:
    """Return the names of the components that a schema refers to directly."""
    return set(_REFERENCE.findall(msgspec.json.encode(schema).decode()))


def _rename_references(schema: Any, names: Mapping[str, str]) -> Any:
    """Return the schema with references to the components under their new names."""
    if isinstance(schema, list):
        return [_rename_references(item, names) for item in schema]
    if isinstance(schema, dict):
        return {name: _rename_references(value, names) for name, value in schema.items()}
    if isinstance(schema, str) and schema.startswith("#/components/schemas/"):
        name = schema.rpartition("/")[2]
        return REFERENCE.format(name=names.get(name, name))
    return schema


def _with_shared_enumerations(schema: Any, parts: Parts) -> Any:
    """Replace enumerations in the schema by references to the components that have them."""
    by_words: dict[tuple[str, ...], list[str]] = {}
    for name, part in parts.items():
        if "enum" in part:
            by_words.setdefault(tuple(sorted(part["enum"])), []).append(name)
    component_names = {words: names[0] for words, names in by_words.items() if len(names) == 1}

    def share(inner: Any) -> Any:
        if isinstance(inner, list):
            return [share(item) for item in inner]
        if not isinstance(inner, dict):
            return inner
        words = inner.get("enum")
        if (
            isinstance(words, list)
            and "title" not in inner
            and tuple(sorted(words)) in component_names
        ):
            rest = {key: inner[key] for key in inner.keys() - {"enum", "type"}}
            return {"$ref": REFERENCE.format(name=component_names[tuple(sorted(words))]), **rest}
        return {key: share(value) for key, value in inner.items()}

    return share(schema)


@cache
def descriptions() -> Mapping[str, str]:
    """Return the description of every property, by its name or by `Component.name`."""
    return tomllib.loads(DESCRIPTIONS.read_text())


def _describe_properties(parts: Parts) -> None:
    """Describe each property: by its own text, else by its type's, else by that of its name."""
    texts = descriptions()
    for component, name, field in properties(parts):
        own = texts.get(f"{component.removesuffix('Request')}.{name}")
        of_type = "description" in field and "$ref" not in field
        text = own or ("" if of_type else texts.get(name))
        if text:
            nullable = {"type": "null"} in field.get("anyOf", ())
            field["description"] = text if nullable else _WHEN_NULL.sub("", text)


def properties(parts: Parts) -> Iterator[tuple[str, str, Schema]]:
    """Yield every property of the components, with the names of its component and of itself."""
    for component, part in parts.items():
        for name, field in part.get("properties", {}).items():
            yield component, name, field


JsonObject = dict[str, Any]


def operations(schema: JsonObject) -> Iterator[JsonObject]:
    """Return an iterator over every operation of the interface."""
    return (operation for path in schema["paths"].values() for operation in path.values())


def share_repeated_parts(schema: JsonObject) -> None:
    """Move parameters, headers, refusals and their examples to the components.

    Nine in ten responses of the schema are refusals, of only about two dozen kinds.
    """
    shelf = _SharedParts(schema["components"])
    for operation in operations(schema):
        if "parameters" in operation:
            operation["parameters"] = [
                shelf.refer("parameters", f"{parameter['in']}-{parameter['name']}", parameter)
                for parameter in operation["parameters"]
            ]
        answers = operation["responses"]
        for status, answer in answers.items():
            answers[status] = _shared_answer(shelf, status, answer)


def _shared_answer(shelf: "_SharedParts", status: str, answer: JsonObject) -> JsonObject:
    """Return the response with shared headers; a refusal is shared as a whole."""
    for name, header in answer.get("headers", {}).items():
        answer["headers"][name] = shelf.refer("headers", name, header)
    if status.startswith("2"):
        return answer
    examples = answer.get("content", {}).get(MEDIA_TYPE, {}).get("examples", {})
    for title, example in examples.items():
        examples[title] = shelf.refer("examples", title.lower(), {"value": example["value"]})
    return shelf.refer("responses", "-".join([status, *map(str.lower, sorted(examples))]), answer)


class _SharedParts:
    """The components, by kind and name."""

    def __init__(self, components: JsonObject) -> None:
        self._components = components

    def refer(self, kind: str, name: str, component: JsonObject) -> JsonObject:
        """Store a component and return a reference; a name that is taken gets a number."""
        kept = self._components.setdefault(kind, {})
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        own = next(
            candidate for candidate in names if kept.setdefault(candidate, component) == component
        )
        return {"$ref": f"#/components/{kind}/{own}"}
