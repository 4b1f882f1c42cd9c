"""The components of the schema, drawn from msgspec types: called by short names, told in prose.

Where a family of types has names that others have too, all of it is called by the family as well:
the `March` of an event is `EventMarch`, the `Done` of a book `RedcoatsDone`. What is the same for
everybody, because the contract of the books has it, keeps its own name: `Brief`, `Side`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as types

from api.shapes import REFERENCE, Schema
from battles.contract import Brief, Report

Parts = dict[str, Schema]
Drawn = tuple[tuple[Schema, ...], Parts]
Row = types.StructType | types.NamedTupleType

CONTRACT = "battles.contract."
SHARED = (Brief, Report)
OWNERS = {
    "campaign.rules.actions": "",
    "campaign.orders.document": "Sheet",
    "api.documents.effects": "Ruling",
}
"""How types are called by the module they are of, where several have the same name."""


class Family(NamedTuple):
    """Types that are called by what they belong to, and unions of them, by name, in words."""

    prefix: str
    unions: Mapping[str, tuple[str, Any]]
    structs: tuple[Any, ...] = ()
    unsaid: frozenset[str] = frozenset()
    """Fields of theirs that are never told."""

    def schema(self, name: str) -> Schema:
        """Where one of them is found."""
        return {"$ref": REFERENCE.format(name=self.prefix + name)}

    def parts(self) -> Parts:
        """Its unions, its types, and all that they consist of, by name."""
        kinds = [kind for _, kind in self.unions.values()]
        found, parts = _drawn([*kinds, *self.structs, *SHARED], partial(_of_family, self.prefix))
        for part, field in product(parts.values(), self.unsaid):
            part.get("properties", {}).pop(field, None)
        told = (words for words, _ in self.unions.values())
        unions = ({"description": words, **one} for words, one in zip(told, found, strict=False))
        names = (self.prefix + name for name in self.unions)
        return {**parts, **dict(zip(names, unions, strict=True))}


def drawn(kinds: Iterable[Any]) -> Drawn:
    """The schema of every type, and by name the components that they refer to."""
    return _drawn(list(kinds), _of_owner)


def prose(text: str) -> str:
    """A docstring without its line breaks, those between paragraphs and in lists excepted."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(one.split("\n")) for one in paragraphs)


def _drawn(kinds: list[Any], called: Callable[[str], str]) -> Drawn:
    found, parts = msgspec.json.schema_components(kinds, ref_template="{name}")
    for row in _rows(kinds):
        _name_places(parts.get(row.cls.__name__) or parts[_full_name(row.cls)], row)
    whole = tuple(_referring(one, called) for one in found)
    return whole, {called(name): _referring(part, called) for name, part in parts.items()}


def _referring(part: Any, called: Callable[[str], str]) -> Any:
    """The schema, with its references to where components are found, and told in prose."""
    if isinstance(part, list):
        return [_referring(one, called) for one in part]
    if not isinstance(part, dict):
        return part
    told = {name: _referring(value, called) for name, value in part.items()}
    if isinstance(part.get("$ref"), str):
        told["$ref"] = _found(part["$ref"], called)
    if isinstance(part.get("description"), str):
        told["description"] = prose(part["description"])
    if isinstance(part.get("discriminator"), dict):
        told["discriminator"]["mapping"] = {
            tag: _found(name, called) for tag, name in part["discriminator"]["mapping"].items()
        }
    return told


def _found(name: str, called: Callable[[str], str]) -> str:
    """Where the component of that name is; what refers to one of a family says so already."""
    return name if name.startswith("#") else REFERENCE.format(name=called(name))


def _of_owner(name: str) -> str:
    module, _, short = name.rpartition(".")
    return OWNERS[module] + short if module in OWNERS else name


def _of_family(prefix: str, name: str) -> str:
    module, _, short = name.rpartition(".")
    is_shared = module.startswith(CONTRACT) or (not module and short in _of_contract())
    return short if is_shared else prefix + short


@cache
def _of_contract() -> frozenset[str]:
    return frozenset(msgspec.json.schema_components(SHARED)[1])


def _rows(kinds: list[Any]) -> Iterator[Row]:
    """The types among them, and in them, that are written as lists of their fields."""
    waiting, known = [*types.multi_type_info(kinds)], set()
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, Row):
            if kind.cls in known:
                continue
            known.add(kind.cls)
            if getattr(kind, "array_like", True):
                yield kind
        waiting += _within(kind)


def _within(kind: Any) -> Iterator[types.Type]:
    """What a type consists of."""
    yield from getattr(kind, "item_types", ())
    yield from getattr(kind, "types", ())
    yield from (field.type for field in getattr(kind, "fields", ()))
    parts = (getattr(kind, name, None) for name in ("type", "item_type", "key_type", "value_type"))
    yield from filter(None, parts)


def _name_places(part: Schema, row: Row) -> None:
    """Say of a list what stands at which place."""
    names = [field.encode_name for field in row.fields]
    for name, item in zip(names, part["prefixItems"], strict=True):
        item["title"] = name
    order = f"A list, in this order: {', '.join(f'`{name}`' for name in names)}."
    part["description"] = f"{inspect.cleandoc(part.get('description', ''))}\n\n{order}".strip()


def _full_name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"
