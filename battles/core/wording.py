"""What is wrong with a value, in words for the person who wrote the file."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import inspect

_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_UNSEEN = r"\u200b\u2028-\u202e\u2060-\u2069\ufeff"
"""What takes no room, breaks a line or turns the direction of the letters after it; the marks that
Arabic and Persian are written with are not among them."""
VISIBLE = f"^[^{_CONTROLS}{_UNSEEN}]*$"
"""The pattern of text in which everything can be seen; tabs and ends of lines may be in it."""
_HIDDEN = re.compile(f"[{_CONTROLS}{_UNSEEN}\ud800-\udfff]")

_TYPES = {
    "int": "a whole number",
    "float": "a fraction",
    "str": "text in quotes",
    "bool": "true or false",
    "array": "a list in [ ]",
    "object": "a table in { }",
    "null": "nothing",
}

_MESSAGES = (
    (
        r"Expected `(?P<wanted>[^`]+)`, got `(?P<found>[^`]+)`",
        "{part} must be {wanted}, not {found}",
    ),
    (r"Expected `int` >= (?P<least>-?\d+)", "{part} must be at least {least}"),
    (r"Expected `int` <= (?P<most>-?\d+)", "{part} must be at most {most}"),
    (r"Expected `array` of length >= (?P<least>\d+)", "{part} must name at least {least}"),
    (r"Object missing required field `(?P<field>[^`]+)`", "`{field}` is missing"),
    (r"Object contains unknown field `(?P<field>[^`]+)`", "`{field}` is not known here"),
    (r"Invalid (enum )?value '?(?P<value>.*?)'?$", "'{value}' is not known as {part}"),
)

_REMEDIES = (
    "correct it",
    "raise it",
    "lower it",
    "add what is missing",
    "add it",
    "remove it or correct its spelling",
    "correct its spelling",
)


def hidden_in(text: str) -> str:
    """Return the first control or invisible character of the text, as `U+202E`, or nothing."""
    found = _HIDDEN.search(text)
    return f"U+{ord(found[0]):04X}" if found else ""


def worded(message: str, where: str, words: Sequence[str]) -> tuple[str, str]:
    """Reason and remedy for what msgspec found at `where`; `words` are those allowed there."""
    part = _part(where)
    for (pattern, reason), remedy in zip(_MESSAGES, _REMEDIES, strict=True):
        found = re.match(pattern, message)
        if found:
            said = {name: _plain(text) for name, text in found.groupdict().items()}
            use = f"use one of {', '.join(words)}" if words else remedy
            return reason.format(part=part, **said), use
    return f"{part}: {message}", _REMEDIES[0]


def _part(where: str) -> str:
    keys = re.findall(r"\.([\w-]+)", where)
    return f"`{keys[-1]}`" if keys else "the file"


def _plain(types: str) -> str:
    return " or ".join(_TYPES.get(word, word) for word in types.split(" | "))


def words_allowed(kind: Any, steps: Sequence[str | int], value: Any) -> list[str]:
    """The words of the closed set that may stand where the steps lead; none without such a set."""
    return _words(inspect.type_info(kind), list(steps), value)


def _words(info: inspect.Type, steps: list[str | int], value: Any) -> list[str]:
    if isinstance(info, inspect.UnionType):
        return _words_of_union(info, steps, value)
    if not steps:
        return _words_of_set(info)
    step, rest = steps[0], steps[1:]
    if isinstance(info, inspect.StructType) and isinstance(value, dict):
        fields = [field.type for field in info.fields if field.encode_name == step]
        return _words(fields[0], rest, value.get(step)) if fields else []
    if isinstance(info, inspect.VarTupleType | inspect.ListType) and isinstance(step, int):
        return _words(info.item_type, rest, value[step])
    return []


def _words_of_set(info: inspect.Type) -> list[str]:
    if isinstance(info, inspect.DictType):
        return _words_of_set(info.key_type)
    if isinstance(info, inspect.EnumType):
        return [str(member.value) for member in info.cls]
    return [str(value) for value in info.values] if isinstance(info, inspect.LiteralType) else []


def _words_of_union(info: inspect.UnionType, steps: list[str | int], value: Any) -> list[str]:
    structs = [kind for kind in info.types if isinstance(kind, inspect.StructType)]
    if structs and steps == [structs[0].tag_field]:
        return sorted(str(kind.tag) for kind in structs)
    if isinstance(value, dict) and structs and structs[0].tag_field:
        chosen = [kind for kind in structs if kind.tag == value.get(structs[0].tag_field)]
        return _words(chosen[0], steps, value) if chosen else []
    found = [words for kind in info.types if (words := _words(kind, steps, value))]
    return found[0] if found else []
