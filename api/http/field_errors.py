"""Find every error in the JSON of a body, each by its place, with what is expected there.

msgspec stops at the first error. This walks on: through lists, objects and the members of unions,
as deep as the body goes. What is expected is read from the same types that the schema shows.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import UNSET, inspect, structs

from api.http.problems import InvalidField
from api.http.rule_json import HEX_PATTERN
from battles.core.decoding import convert_to
from battles.core.validation import MOST_WRONG, shape_of
from campaign.rules.map import MapError, map_in_play

LENGTH_OF_HEX = 4
LONGEST_NAME = 60
"""The characters of a text that are compared with names, or repeated in an error."""


def find_errors(kind: Any, data: object, pointer: str = "") -> list[InvalidField]:
    """Return the errors of JSON data that is no value of the type: `MOST_WRONG` at most.

    `pointer` is the place of the data in the body. Raises RecursionError for data that is nested
    too deeply.
    """
    return list(islice(_errors(kind, data, pointer), MOST_WRONG))


def _errors(kind: Any, data: object, pointer: str) -> Iterator[InvalidField]:
    """Yield the errors of the parts; if no part has one, that of the whole."""
    try:
        convert_to(data, kind, str_keys=True)
    except msgspec.ValidationError:
        inner = _errors_of_parts(shape_of(kind, data), data, pointer)
        first = next(inner, None)
        if first is None:
            yield _error_at(pointer, kind, data)
        else:
            yield first
            yield from inner


def _errors_of_parts(shape: Any, data: object, pointer: str) -> Iterator[InvalidField]:
    arguments = get_args(shape)
    if isinstance(data, dict) and _config(shape):
        yield from _errors_of_struct(shape, data, pointer)
    elif isinstance(data, dict) and get_origin(shape) is dict:
        for name, value in data.items():
            place = f"{pointer}/{escape(name)}"
            try:
                convert_to({name: value}, shape, str_keys=True)
            except msgspec.ValidationError:
                wrong_value = list(_errors(arguments[1], value, place))
                name_error = InvalidField(place, f"Expected as a name {describe(arguments[0])}.")
                yield from wrong_value or [name_error]
    elif isinstance(data, dict) and (tag := _tag_field(shape)):
        tags = (config.tag for member in arguments if (config := _config(member)))
        yield _error_at(f"{pointer}/{tag}", Literal[tuple(tags)], data.get(tag, UNSET))
    elif isinstance(data, list) and get_origin(shape) in (tuple, list):
        kinds = [arguments[0]] * len(data) if get_origin(shape) is list or ... in arguments else []
        for number, (kind, item) in enumerate(zip(kinds or arguments, data, strict=False)):
            yield from _errors(kind, item, f"{pointer}/{number}")


def _errors_of_struct(shape: Any, data: dict[str, Any], pointer: str) -> Iterator[InvalidField]:
    fields, config = {field.encode_name: field for field in structs.fields(shape)}, _config(shape)
    for name in data.keys() - fields.keys() - {config.tag_field}:
        names = ", ".join(fields) or "none"
        sentence = f"No such field; known here: {names}.{did_you_mean(name, fields)}"
        yield InvalidField(f"{pointer}/{escape(name)}", sentence)
    if config.tag_field in data and data[config.tag_field] != config.tag:
        place = f"{pointer}/{config.tag_field}"
        yield _error_at(place, Literal[config.tag], data[config.tag_field])
    for name, field in fields.items():
        if name in data:
            yield from _errors(field.type, data[name], f"{pointer}/{name}")
        elif field.required:
            yield _error_at(f"{pointer}/{name}", field.type, UNSET)


def _error_at(pointer: str, kind: Any, data: object) -> InvalidField:
    """Return the error of data that is wrong as a whole, or is UNSET: a field was left out."""
    if data is UNSET:
        return InvalidField(pointer, f"This field is required: {describe(kind)}.")
    return InvalidField(pointer, _describe_error(kind, data))


def _config(shape: Any) -> Any:
    """Return the configuration of a struct; None of any other type."""
    return getattr(shape, "__struct_config__", None)


def _tag_field(shape: Any) -> str | None:
    """Return the field that tells the members of a union apart; None for any other type."""
    configs = (config for member in get_args(shape) if (config := _config(member)))
    return next((config.tag_field for config in configs if config.tag_field), None)


def escape(name: str) -> str:
    """Return the name as a part of a JSON Pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def value_at(data: Any, pointer: str) -> Any:
    """Return the value at that place of JSON data; None where there is none."""
    for name in pointer.split("/")[1:]:
        if isinstance(data, dict):
            data = data.get(name)
        elif isinstance(data, list) and name.isdecimal() and int(name) < len(data):
            data = data[int(name)]
        else:
            return None
    return data


# Sentences: what is expected, and what was sent.


@cache
def describe(kind: Any) -> str:
    """Return in words what a type takes: `a whole number from 1 to 60`."""
    return _in_words(inspect.type_info(kind))


def _in_words(info: inspect.Type) -> str:  # noqa: PLR0911  a return for each kind of type
    if words := _words_of(info):
        return _one_of(words)
    if isinstance(info, inspect.Metadata):
        return str((info.extra or {}).get(IN_WORDS) or _in_words(info.type))
    if isinstance(info, inspect.UnionType):
        tagged = [kind for kind in info.types if isinstance(kind, inspect.StructType) and kind.tag]
        tags = _one_of([str(kind.tag) for kind in tagged])
        objects = [f"an object whose `type` is {tags}"] if tagged else []
        return " or ".join(
            [*objects, *(_in_words(kind) for kind in info.types if kind not in tagged)]
        )
    if isinstance(info, inspect.StructType):
        names = [field.encode_name for field in info.fields]
        return f"an object with {', '.join(names)}" if names else "an object"
    if isinstance(info, inspect.VarTupleType | inspect.ListType):
        size = _range("of", info.min_length, info.max_length)
        return f"a list{size}, each {_in_words(info.item_type)}"
    if isinstance(info, inspect.DictType):
        maps = f"{_in_words(info.key_type)} to {_in_words(info.value_type)}"
        return f"an object that maps {maps}"
    if isinstance(info, inspect.TupleType):
        return f"a list of {len(info.item_types)}"
    if isinstance(info, inspect.IntType | inspect.FloatType):
        number = "a whole number" if isinstance(info, inspect.IntType) else "a number"
        return number + _range("from", info.ge, info.le)
    if isinstance(info, inspect.StrType):
        size = _range("of", info.min_length, info.max_length)
        return f"text{size} characters" if size else "text"
    return _PLAIN_WORDS.get(type(info), "an object")


IN_WORDS = "in_words"
"""The name under which the `extra` of a Meta says in words what its pattern takes."""
_PLAIN_WORDS: Mapping[type[inspect.Type], str] = {
    inspect.BoolType: "true or false",
    inspect.DateTimeType: "a time such as 2026-01-31T18:00:00Z",
    inspect.UUIDType: "a UUID",
    inspect.NoneType: "null",
    inspect.AnyType: "any value",
}


def _words_of(info: inspect.Type) -> list[str]:
    """Return the words or numbers of which a type takes one; none if it takes others too."""
    if isinstance(info, inspect.Metadata):
        return [*(info.extra_json_schema or {}).get("enum", ())] or _words_of(info.type)
    if isinstance(info, inspect.EnumType):
        return [str(member.value) for member in info.cls]
    if isinstance(info, inspect.LiteralType):
        return [str(value) for value in info.values]
    if isinstance(info, inspect.UnionType) and len(info.types) == 2:
        words = [word for member in info.types for word in _words_of(member)]
        null = any(isinstance(member, inspect.NoneType) for member in info.types)
        return [*words, "null"] if words and null else []
    return []


def _one_of(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"one of {', '.join(words[:-1])} or {words[-1]}"


def _range(word: str, least: float | None, most: float | None) -> str:
    """Return ` from 1 to 60`, ` of at most 60`, or nothing without limits."""
    if least is not None and most is not None:
        return f" {word} {least} to {most}"
    if least is not None:
        return f" of at least {least}"
    return "" if most is None else f" of at most {most}"


def _describe_error(kind: Any, data: object) -> str:
    """Return what is wrong with data that is wrong as a whole, and what to send instead."""
    expected, info = describe(kind), inspect.type_info(kind)
    if isinstance(data, str):
        if words := _words_of(info):
            return f"Expected {expected}, got {data[:LONGEST_NAME]!r}.{did_you_mean(data, words)}"
        text = _member(info, inspect.StrType)
        if text and text.pattern == HEX_PATTERN:
            return _describe_no_hex(data)
        if text and "\0" in data:
            return "Leave out the character NUL (U+0000)."
        if text and (text.min_length or 0) <= len(data) <= (text.max_length or len(data)):
            return f"Expected {expected}."
        sent = f"{len(data)} characters" if text else "text"
    elif isinstance(data, bool) or data is None:
        sent = {True: "true", False: "false", None: "null"}[data]
    elif isinstance(data, int | float):
        number = next(filter(None, (_member(info, kind) for kind in _NUMBERS)), None)
        kind_sent = "a whole number" if isinstance(data, int) else "a number with a fraction"
        sent = f"{data:.20g}" if number and abs(data) < LARGEST_SHOWN else kind_sent
    else:
        sent = f"a list of {len(data)}" if isinstance(data, list) else "an object"
    return f"Expected {expected}, got {sent}."


_NUMBERS = (inspect.IntType, inspect.FloatType, inspect.LiteralType)
LARGEST_SHOWN = 10**12
"""A number above this is not repeated in an error."""


def _member(info: inspect.Type, kind: type[inspect.Type]) -> Any:
    """Return the description of that kind within a type, its annotations and unions; or None."""
    if isinstance(info, inspect.Metadata):
        return _member(info.type, kind)
    if isinstance(info, inspect.UnionType):
        found = (_member(member, kind) for member in info.types)
        return next((member for member in found if member is not None), None)
    return info if isinstance(info, kind) else None


def _describe_no_hex(text: str) -> str:
    """Return why a text is no hex, with the number of the place that it names or nearly names."""
    if text.isdecimal() and len(text) < LENGTH_OF_HEX:
        return f'A hex has four digits, zeros included: write "{text.zfill(LENGTH_OF_HEX)}".'
    chart, hint = map_in_play(), 'A hex is written as its four digits, such as "0358".'
    try:
        place = chart.place(text[:LONGEST_NAME])
    except MapError as error:
        return f"{hint} {error}"
    return f'{hint} {place.name} is "{place.hex:04}".'


def did_you_mean(written: str, words: Iterable[str]) -> str:
    """Return a question, after a space, with the word that is most like what was written."""
    near = get_close_matches(written[:LONGEST_NAME], words, n=1)
    return f" Did you mean {near[0]}?" if near else ""
