"""Derive the JSON form of the rules' types, write values in it and read them.

The rules number hexes, units and months, write 0, -1 or "" for none, and tag unions under several
names. In the JSON of the interface a hex is "0358", a month is "1884-03", none is null, the members
of a union differ in `type`, and names say what they hold: `unit_ids`, `to_hex`.
Phrases of enumerations are identifiers: `camel_corps`. `rule_form` derives
all this from the annotations of a type, so that no type is written down twice.
"""

import re
import sys
import types
from collections.abc import Callable, Mapping
from enum import Enum, StrEnum
from functools import cache
from threading import RLock
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Literal,
    NamedTuple,
    NewType,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import NODEFAULT, UNSET, Meta, UnsetType, structs

from battles.core.decoding import convert_to, decoder_for
from campaign.rules.core.pieces import Month, UnitId, month_from_text, month_slug
from campaign.rules.map import HexId

HEX_PATTERN = "^[0-9]{4}$"
HexName = Annotated[
    str,
    Meta(
        pattern=HEX_PATTERN,
        description="A hex as printed: 1734 is column 17, row 34.",
        extra={"in_words": 'the four digits of a hex, such as "0358"'},
    ),
]
MonthName = Annotated[
    str,
    Meta(
        pattern="^[0-9]{4}-(0[1-9]|1[0-2])$",
        description="A month, such as 1884-03.",
        extra={"in_words": 'a month, such as "1884-03"'},
    ),
]
UnitNumber = Annotated[int, Meta(ge=1, le=999_999, description="A unit, by its `id`.")]

Convert = Callable[[Any], Any]


class RuleForm(NamedTuple):
    """The JSON form of a rules' type.

    `type` is a msgspec type, for the schema and for validation; `write` turns a rules' value into
    plain values of that form, `read` turns a validated value of `type` back.
    """

    type: Any
    write: Convert
    read: Convert

    def decode(self, data: object) -> Any:
        """Return the rules' value that plain JSON data holds.

        Raises msgspec.ValidationError, which names the place of the error.
        """
        return self.read(convert_to(data, self.type, str_keys=True))


class Naming(NamedTuple):
    """The naming of the parts of a type in the schema, and of the tags of its unions.

    With the prefix `Redcoats` the name of `Move` is `RedcoatsMove`; with the tag `redcoats` its
    `type` is `redcoats_move`, and the type `root`, which is in no union of its own, has the tag.
    """

    prefix: str = ""
    tag: str = ""
    root: type | None = None


PLAIN = Naming()


def rule_form(kind: Any, naming: Naming = PLAIN) -> RuleForm:
    """Return the JSON form of a type of the rules."""
    with _DERIVING:
        return _derive_form(kind, naming)


CONTRACT = "battles.contract."
"""The types that all books share, which keep their own names unless they are in a book's unions."""
_DERIVING = RLock()
"""Held while a form is derived: meanwhile, references by name stand for types not yet complete."""


@cache
def _derive_form(kind: Any, naming: Naming) -> RuleForm:
    shared = getattr(kind, "__module__", "").startswith(CONTRACT) and not _tag(kind, PLAIN)
    return _form(kind, PLAIN if shared else naming)


def json_name(name: str, kind: Any) -> str:
    """Return the name of a field in JSON: with its type, where numbers stood for something."""
    if (rest_name := _mark(kind, "rest_name")) is not None:
        return str(rest_name)
    kind, is_list = _bare(kind), False
    if get_origin(kind) in (tuple, list) and get_args(kind):
        kind, is_list = _bare(get_args(kind)[0]), True
    if kind is UnitId and name != "id" and not name.endswith(("_id", "_ids")):
        return f"{name.removesuffix('s')}_ids" if is_list else f"{name}_id"
    if kind is HexId and not re.search("hex|route|path", name):
        return f"{name}_hexes" if is_list else f"{name}_hex"
    if kind is Month and "month" not in name:
        return f"{name}_month"
    return name


def identifier(word: str) -> str:
    """Return a word of an enumeration in JSON: `camel corps` is `camel_corps`."""
    return re.sub("[ -]", "_", word)


def snake_case(name: str) -> str:
    """Return the tag of a union in JSON: `CombatBegan` is `combat_began`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _bare(kind: Any) -> Any:
    """Return a type without its annotations, and without None or UNSET."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if _is_union(kind):
        others = [member for member in get_args(kind) if member not in (types.NoneType, UnsetType)]
        return _bare(others[0]) if len(others) == 1 else kind
    return kind


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType)


def _same(value: Any) -> Any:
    return value


def _read_month(text: str) -> Month:
    month = month_from_text(text)
    if month is None:
        raise msgspec.ValidationError(f"{text!r} is not a month: write it like 1884-02")
    return month


_NUMBERS: Mapping[Any, RuleForm] = {
    HexId: RuleForm(HexName, "{:04}".format, int),
    Month: RuleForm(MonthName, month_slug, _read_month),
    UnitId: RuleForm(UnitNumber, int, int),
}
"""The forms of the types that the rules write as integers."""


def _form(kind: Any, naming: Naming) -> RuleForm:  # noqa: PLR0911  a return for each kind of type
    if kind in _NUMBERS:
        return _NUMBERS[kind]
    if isinstance(kind, NewType):
        return _derive_form(kind.__supertype__, naming)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        form = _derive_form(inner[0], naming)
        if _bare(kind) in _NUMBERS:  # the limits of the number do not hold for its JSON
            return form
        return form._replace(type=Annotated[(form.type, *inner[1:])])
    if _is_union(kind):
        return _union_form(inner, naming)
    if origin in (tuple, list, frozenset, set) and inner:
        return _array_form(origin, inner, naming)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = (_derive_form(argument, naming) for argument in inner)
        return RuleForm(
            dict[key.type, value.type],  # type: ignore[name-defined]
            lambda mapping: {key.write(item): value.write(mapping[item]) for item in mapping},
            lambda mapping: {key.read(item): value.read(mapping[item]) for item in mapping},
        )
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_form(kind)
    if isinstance(kind, type) and (
        issubclass(kind, msgspec.Struct) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))
    ):
        return _struct_form(kind, naming)
    return RuleForm(kind, _same, _same)


@cache
def _enum_form(kind: type[Enum]) -> RuleForm:
    """Return the form of an enumeration, whose phrases are identifiers and its empty word null."""
    named = [member for member in kind if isinstance(member.value, str) and member.value]
    words = {identifier(member.value): member for member in named}
    if len(words) < len(kind):  # it has an empty word, or numbers
        if "" not in [member.value for member in kind]:
            return RuleForm(kind, _same, _same)
        form = RuleForm(Literal[tuple(words)], identifier, words.__getitem__)
        return _none_for("", kind, form)
    if all(word == member.value for word, member in words.items()):
        return RuleForm(kind, _same, _same)
    names = [(member.name, word) for word, member in words.items()]
    shape = StrEnum(kind.__name__, names, module=kind.__module__)  # type: ignore[misc]
    shape.__doc__ = kind.__doc__
    return RuleForm(shape, identifier, words.__getitem__)


def _none_for(nothing: object, kind: Any, form: RuleForm) -> RuleForm:
    """Return a form that writes `nothing`, and no hex or unit at all, as null."""
    number = _bare(kind) in _NUMBERS
    empty = kind(nothing) if isinstance(kind, type) and issubclass(kind, Enum) else nothing
    return RuleForm(
        Union[form.type, None],  # noqa: UP007  of a reference by name
        lambda value: (
            None
            if value is None or value == nothing or (number and value <= 0)
            else form.write(value)
        ),
        lambda value: empty if value is None else form.read(value),
    )


_WORD = frozenset({str, int, tuple[str | int, ...]})
"""The types of a value that the rules write as a word, a number, or a row of these."""


def _word_text(value: str | int | tuple[str | int, ...]) -> str:
    """Return a word or a number as text, and a row of them as JSON in text."""
    return msgspec.json.encode(value).decode() if isinstance(value, tuple) else str(value)


def _word_of(text: str) -> str | int | tuple[str | int, ...]:
    """Return the word, the number or the row of them that `_word_text` has written."""
    if text.startswith("["):
        row: tuple[str | int, ...] = decoder_for(tuple[str | int, ...]).decode(text)
        return row
    return int(text) if text.removeprefix("-").isdecimal() else text


def _union_form(kinds: tuple[Any, ...], naming: Naming) -> RuleForm:
    if str in kinds and len(kinds) > 1 and _WORD.issuperset(kinds):
        return RuleForm(str, _word_text, _word_of)
    forms = {kind: _derive_form(kind, naming) for kind in kinds if kind is not types.NoneType}
    if len(forms) == 1 and types.NoneType in kinds:
        (form,) = forms.values()
        return _none_for(None, None, form)
    writers = {kind: form.write for kind, form in forms.items()}
    readers = {_name_of(form.type): form.read for form in forms.values()}
    none = (None,) if types.NoneType in kinds else ()
    return RuleForm(
        Union[(*(form.type for form in forms.values()), *none)],
        lambda value: writers.get(type(value), _same)(value),
        lambda value: readers.get(type(value).__name__, _same)(value),
    )


def _name_of(kind: Any) -> str:
    kind = _bare(kind)
    return kind.__forward_arg__ if isinstance(kind, ForwardRef) else getattr(kind, "__name__", "")


def _array_form(origin: Any, inner: tuple[Any, ...], naming: Naming) -> RuleForm:
    if origin is tuple and not (len(inner) == 2 and inner[1] is ...):
        forms = [_derive_form(argument, naming) for argument in inner]
        return RuleForm(
            tuple[tuple(form.type for form in forms)],  # type: ignore[misc]
            lambda value: [form.write(item) for form, item in zip(forms, value, strict=True)],
            lambda value: tuple(form.read(item) for form, item in zip(forms, value, strict=True)),
        )
    form = _derive_form(inner[0], naming)
    return RuleForm(
        tuple[form.type, ...],  # type: ignore[name-defined]
        lambda value: [form.write(item) for item in value],
        lambda value: origin(form.read(item) for item in value),
    )


class _Field(NamedTuple):
    """A field of a struct: its name in the rules and in JSON, its form and its default."""

    own: str
    name: str
    form: RuleForm
    default: Any


_SHAPES = sys.modules.setdefault(f"{__name__}.shapes", types.ModuleType(f"{__name__}.shapes"))
"""The module of the derived types, in which msgspec looks up references by name."""
_STRUCTS: dict[tuple[Any, Naming], RuleForm] = {}


def _struct_form(kind: Any, naming: Naming) -> RuleForm:
    """Return the form of a struct or a named tuple: an object, whose every field is written."""
    if (kind, naming) in _STRUCTS:
        return _STRUCTS[kind, naming]
    # A type may contain itself: while its fields are derived, its form is a reference by name.
    _STRUCTS[kind, naming] = RuleForm(
        ForwardRef(naming.prefix + kind.__name__),
        lambda value: _STRUCTS[kind, naming].write(value),  # noqa: PLW0108  not itself
        lambda value: _STRUCTS[kind, naming].read(value),  # noqa: PLW0108
    )
    fields = _fields(kind, naming)
    tag = _tag(kind, naming)
    shape = msgspec.defstruct(
        naming.prefix + kind.__name__,
        [_declare_field(field) for field in fields],
        namespace={"__doc__": _renamed_in(kind.__doc__ or "", fields)},
        module=_SHAPES.__name__,
        tag_field="type" if tag else None,
        tag=tag or None,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    setattr(_SHAPES, shape.__name__, shape)
    head = {"type": tag} if tag else {}
    written = [(field.own, field.name, field.form.write) for field in fields]
    readers = [(field.own, field.name, field.form.read) for field in fields]
    _STRUCTS[kind, naming] = RuleForm(
        shape,
        lambda value: head | {name: write(getattr(value, own)) for own, name, write in written},
        lambda value: kind(**{own: read(getattr(value, name)) for own, name, read in readers}),
    )
    return _STRUCTS[kind, naming]


def _tag(kind: Any, naming: Naming) -> str:
    """Return the tag of a type in unions; empty for one that is in none."""
    if kind is naming.root:
        return naming.tag
    config = getattr(kind, "__struct_config__", None)
    if config is None or config.tag is None:
        return ""
    own = snake_case(str(config.tag)).replace(" ", "_")
    return f"{naming.tag}_{own}" if naming.tag else own


def _fields(kind: Any, naming: Naming) -> list[_Field]:
    hints = get_type_hints(kind, include_extras=True)
    if issubclass(kind, msgspec.Struct):
        defaults = {field.name: _default(field) for field in structs.fields(kind)}
    else:
        defaults = {name: kind._field_defaults.get(name, NODEFAULT) for name in kind._fields}
    return [_field(name, hints[name], default, naming) for name, default in defaults.items()]


def _default(field: structs.FieldInfo) -> Any:
    return field.default if field.default_factory is NODEFAULT else field.default_factory()


def _field(own: str, hint: Any, default: Any, naming: Naming) -> _Field:
    form = _derive_form(hint, naming)
    bare = _bare(hint)
    if (bare in _NUMBERS and default in (0, -1)) or (bare is str and default == ""):
        form = _none_for(default, hint, form)
    elif (nothing := _mark(hint, "none")) is not None:
        form = _none_for(nothing, hint, form)
    return _Field(own, json_name(own, hint), form, default)


def _mark(hint: Any, name: str) -> Any:
    """Return the value under this name in the field's annotations; None if there is none.

    `none` is the number that means none, `rest_name` is the name of the field in JSON.
    """
    metas = hint.__metadata__ if get_origin(hint) is Annotated else ()
    marks = [meta.extra for meta in metas if isinstance(meta, Meta) and meta.extra]
    return next((mark[name] for mark in marks if name in mark), None)


def _declare_field(field: _Field) -> Any:
    """Return the field for msgspec, with its default as it is written in JSON."""
    if field.default is NODEFAULT:
        return (field.name, field.form.type)
    if field.default is UNSET:
        return (field.name, field.form.type, UNSET)
    written = msgspec.to_builtins(field.form.write(field.default))
    if isinstance(written, dict | list):
        # It is read when first needed: a type that contains itself is not complete before.
        make = cache(lambda: convert_to(written, field.form.type, str_keys=True))
        return (field.name, field.form.type, msgspec.field(default_factory=make))
    return (field.name, field.form.type, convert_to(written, field.form.type))


def _renamed_in(text: str, fields: list[_Field]) -> str:
    names = {field.own: field.name for field in fields}
    return re.sub(r"`(\w+)`", lambda match: f"`{names.get(match[1], match[1])}`", text)
