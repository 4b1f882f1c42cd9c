"""Generate the components of the schema from msgspec types, under short names.

Types of a family whose names are not unique are prefixed with the family: the event `March` is
`EventMarch`, the Redcoats action `Done` is `RedcoatsDone`. Types of the contract that all books
share keep their names: `Brief`, `Side`.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
from msgspec import inspect as types

from api.openapi.parameters import REFERENCE, Schema
from battles.contract import Brief, Report
from campaign.rules.core.pieces import Month, UnitId
from campaign.rules.map import HexId

Parts = dict[str, Schema]
Drawn = tuple[tuple[Schema, ...], Parts]
Struct = types.StructType | types.NamedTupleType

CONTRACT = "battles.contract."
SHARED = (Brief, Report)
MEANINGS: dict[Any, str] = {
    HexId: "a hex, by its number: 1734 is column 17, row 34, 358 is printed 0358; none is -1, in "
    "orders 0",
    UnitId: "a unit, by its number; 0 is none",
    Month: "a month, counted: twelve times the year, and 0 for January to 11 for December",
}
"""The descriptions of numbers, by their type."""
OWNERS = {
    "campaign.rules.core.actions": "",
    "campaign.orders.order_sheet": "Sheet",
    "api.resources.rulings": "Ruling",
    "api.documents.battlefield": "",
    "api.resources.reports": "Hex",
    "api.streams.campaign_stream": "Campaign",
    "campaign.services.orders.order_status": "TurnForm",
}
"""The prefixes of types whose names are not unique, by their module."""


class Family(NamedTuple):
    """Types that share a prefix, and unions of them by name with a description."""

    prefix: str
    unions: Mapping[str, tuple[str, Any]]
    structs: tuple[Any, ...] = ()
    unsaid: frozenset[str] = frozenset()
    """Fields that are never published."""

    def schema(self, name: str) -> Schema:
        """Return a reference to one of them."""
        return {"$ref": REFERENCE.format(name=self.prefix + name)}

    def parts(self) -> Parts:
        """Return its unions, its types and all their parts, by name."""
        kinds = [kind for _, kind in self.unions.values()]
        found, parts = _drawn([*kinds, *self.structs, *SHARED], partial(_of_family, self.prefix))
        for part, field in product(parts.values(), self.unsaid):
            part.get("properties", {}).pop(field, None)
        told = (words for words, _ in self.unions.values())
        unions = ({"description": words, **one} for words, one in zip(told, found, strict=False))
        names = (self.prefix + name for name in self.unions)
        return {**parts, **dict(zip(names, unions, strict=True))}


def draw_components(kinds: Iterable[Any]) -> Drawn:
    """Return the schema of every type, and the components they refer to, by name."""
    return _drawn(list(kinds), _of_owner)


def prose(text: str) -> str:
    """Return a docstring without its line breaks; paragraphs are kept."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(one.split("\n")) for one in paragraphs)


def _drawn(kinds: list[Any], called: Callable[[str], str]) -> Drawn:
    found, parts = msgspec.json.schema_components(kinds, ref_template="{name}")
    for struct in _structs(kinds):
        _say_more(parts[_name_in(parts, struct.cls)], struct)
    if len({called(name) for name in parts}) < len(parts):
        raise ValueError(f"Two types have one name among {sorted(map(called, parts))}.")
    whole = tuple(_referring(one, called) for one in found)
    return whole, {called(name): _referring(part, called) for name, part in parts.items()}


def _referring(part: Any, called: Callable[[str], str]) -> Any:
    """Return the schema with full references, and its descriptions without line breaks."""
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
    """Return the reference to a component; references of a family are complete already."""
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


def _structs(kinds: list[Any]) -> Iterator[Struct]:
    """Yield every type with fields in these types, at any depth; generic types excepted."""
    waiting, known = [*types.multi_type_info(kinds)], set()
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, Struct) and kind.cls in known:
            continue
        if isinstance(kind, Struct) and isinstance(kind.cls, type):
            known.add(kind.cls)
            yield kind
        waiting += _within(kind)


def _within(kind: Any) -> Iterator[types.Type]:
    """Yield the types that a type directly consists of."""
    yield from getattr(kind, "item_types", ())
    yield from getattr(kind, "types", ())
    yield from (field.type for field in getattr(kind, "fields", ()))
    parts = (getattr(kind, name, None) for name in ("type", "item_type", "key_type", "value_type"))
    yield from filter(None, parts)


def _say_more(part: Schema, struct: Struct) -> None:
    """Describe its numbers, and the places of a struct that is written as a list."""
    fields = part["prefixItems"] if "prefixItems" in part else _fields_of(part, struct)
    for field, hint in zip(fields, _hints(struct), strict=True):
        _say_what(field, hint)
    if "prefixItems" in part:
        _name_places(part, [field.encode_name for field in struct.fields])


def _fields_of(part: Schema, struct: Struct) -> list[Schema]:
    return [part["properties"][field.encode_name] for field in struct.fields]


def _hints(struct: Struct) -> Iterator[Any]:
    hints = get_type_hints(struct.cls)
    return (hints[field.name] for field in struct.fields)


def _say_what(field: Schema, hint: Any) -> None:
    """Add the description of a number, or of the numbers in a list."""
    if hint in MEANINGS:
        field.setdefault("description", MEANINGS[hint])
    elif isinstance(field.get("items"), dict):
        for inner in get_args(hint):
            _say_what(field["items"], inner)


def _name_places(part: Schema, names: list[str]) -> None:
    for name, item in zip(names, part["prefixItems"], strict=True):
        item["title"] = name
    order = f"A list, in this order: {', '.join(f'`{name}`' for name in names)}."
    part["description"] = f"{inspect.cleandoc(part.get('description', ''))}\n\n{order}".strip()


def _name_in(parts: Parts, kind: type) -> str:
    """Return msgspec's name for the type: with its module where the name is not unique."""
    return kind.__name__ if kind.__name__ in parts else f"{kind.__module__}.{kind.__qualname__}"
