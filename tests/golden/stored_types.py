"""The list of what is stored, in databases, campaign files and files of clubs: `stored_types.txt`.

It has every type with its tag, every field with the name, type and default it is stored by, every
word of an enumeration, and the names of the steps on an agenda. A tag is the name of a class, so
without the list a class that is renamed would make stored campaigns unreadable, and no test fail.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from battles.contract.book import book
from battles.contract.brief import Brief
from battles.contract.brief_files import BriefFile
from battles.contract.report import Report
from battles.core.dice import Roll
from battles.core.tables import Heading
from campaign.orders.order_sheet import MonthOrders
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.events import AnyEvent
from campaign.rules.core.play import STEPS
from campaign.rules.core.state import State
from campaign.rules.sight.knowledge import SideKnowledge
from campaign.rules.tables.book import FORMS
from campaign.rules.tables.scenario_data import Scenario
from campaign.services.order_sheets import StoredProgress
from campaign.services.transfer import bundle
from campaign.staff.plans import Plans

LIST = Path(__file__).parent / "stored_types.txt"
BOOKS = ("redcoats", "restless", "fuzzy-wuzzy")
JOURNAL = (State, AnyAction, AnyEvent, Roll)
"""The contents of entries and snapshots."""
ROWS = (MonthOrders, StoredProgress, SideKnowledge, Brief, Report)
CAMPAIGN_FILE = (
    bundle.Manifest,
    bundle.ArchivedEntry,
    bundle.ArchivedSheet,
    bundle.ArchivedLogEntry,
    bundle.ArchivedLetter,
)


def stored_types() -> str:
    """Return the list: for each kind of document the types that no kind before it has."""
    known: set[type] = set()
    texts = [
        _chapter("The journal of a campaign", JOURNAL, known),
        f"steps: {', '.join(sorted(STEPS))}\n",
        _chapter("Rows of a campaign and of a battle", ROWS, known),
        _chapter("The campaign file", CAMPAIGN_FILE, known),
        _chapter("TOML files", (Scenario, Plans, BriefFile, Heading, *FORMS.values()), known),
    ]
    for slug in BOOKS:
        engine = book(slug).engine
        texts.append(_chapter(slug, (engine.state, engine.actions, engine.events), known))
    return "\n".join(texts)


def write_list() -> None:
    """Write the list into its file."""
    LIST.write_text(stored_types(), encoding="utf-8")


def _chapter(title: str, kinds: tuple[Any, ...], known: set[type]) -> str:
    return f"# {title}\n\n" + describe_types(kinds, known)


def describe_types(kinds: Iterable[Any], known: set[type]) -> str:
    """Return a paragraph for every structure and enumeration in these types, by name.

    Those that are `known` are left out; the others are known from then on.
    """
    paragraphs = []
    left = [inspect.type_info(kind) for kind in kinds]
    while left:
        part = left.pop()
        if isinstance(part, inspect.StructType | inspect.EnumType):
            if part.cls in known:
                continue
            known.add(part.cls)
            paragraphs.append(_paragraph(part))
        left += _inner(part)
    return "\n".join(sorted(paragraphs))


def _inner(info: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types that a type consists of."""
    if isinstance(info, inspect.StructType):
        return tuple(field.type for field in info.fields)
    if isinstance(info, inspect.DictType):
        return info.key_type, info.value_type
    if isinstance(info, inspect.UnionType):
        return info.types
    if isinstance(info, inspect.TupleType):
        return info.item_types
    if isinstance(info, inspect.CollectionType):
        return (info.item_type,)
    return (info.type,) if isinstance(info, inspect.Metadata) else ()


def _paragraph(info: inspect.Type) -> str:
    if isinstance(info, inspect.EnumType):
        return f"{info.cls.__name__}: {', '.join(repr(word.value) for word in info.cls)}\n"
    assert isinstance(info, inspect.StructType)
    tag = f" {{{info.tag_field}: {info.tag}}}" if info.tag_field else ""
    form = ", a list" if info.array_like else ""
    fields = (
        f"  {field.encode_name}: {_name(field.type)}{_default(field)}\n" for field in info.fields
    )
    return f"{info.cls.__name__}{tag}{form}\n" + "".join(fields)


def _name(info: inspect.Type) -> str:
    """Return the name of a type, as far as what is stored depends on it."""
    match info:
        case inspect.StructType() | inspect.EnumType():
            name = info.cls.__name__
        case inspect.DictType():
            name = f"{{{_name(info.key_type)}: {_name(info.value_type)}}}"
        case inspect.UnionType():
            name = " | ".join(map(_name, info.types))
        case inspect.TupleType():
            name = f"[{', '.join(map(_name, info.item_types))}]"
        case inspect.LiteralType():
            name = ", ".join(map(repr, info.values))
        case inspect.CollectionType():
            name = f"[{_name(info.item_type)}...]"
        case inspect.Metadata():
            name = _name(info.type)
        case _:
            name = type(info).__name__.removesuffix("Type").lower()
    return name


def _default(field: inspect.Field) -> str:
    """Return the value that a document without the field has; nothing for a required one."""
    if field.required:
        return ""
    if field.default is msgspec.NODEFAULT:
        return f" = {_value(field.default_factory())}"
    return f" = {_value(field.default)}"


def _value(value: object) -> str:
    written = value.value if isinstance(value, Enum) else value
    if isinstance(written, msgspec.Struct | Mapping | tuple | list):
        return msgspec.json.encode(written).decode()
    return repr(written)
