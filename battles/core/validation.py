"""Read documents of people and note every part that does not fit: its line, reason and remedy.

msgspec stops at the first error. People who write a document want to see all of them, and the
parts that fit can be checked further. Parts of a file are named by paths such as
`$.row[3].effects[1].kind`.
"""

import re
from collections.abc import Iterator, Sequence
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, UnsetType, inspect, structs

from battles.core.decoding import convert_to

Steps = list[str | int]
Step = tuple[str, int | None]
Window = tuple[int, int]  # first line and the line after the last, counted from 0

_STEP = re.compile(r"\.?([\w-]+)|\[(\d+)\]")
_HEADER = re.compile(r"\s*\[\[?\s*([\w.\- ]+?)\s*\]\]?\s*(#.*)?$")


def steps_of(where: str) -> Steps:
    """Return the keys (text) and indices (whole numbers) of a path."""
    return [int(place) if place else key for key, place in _STEP.findall(where.removeprefix("$"))]


def line_of(text: str, where: str) -> int:
    """Return the line of a part, from 1; the line of its nearest enclosing part if it has none."""
    lines = text.splitlines()
    window = (0, len(lines))
    steps = _pairs(steps_of(where))
    header: list[str] = []
    for nth, (key, place) in enumerate(steps):
        header.append(key)
        line = _find_table_lines(lines, window, ".".join(header), place)
        if line is None:
            return _inline(lines, window, steps[nth:]) + 1
        window = line
    return window[0] + 1 if steps else 1


def _pairs(steps: Steps) -> list[Step]:
    """Return each key with the index that follows it, if any."""
    return [
        (key, after if isinstance(after, int) else None)
        for key, after in zip(steps, [*steps[1:], None], strict=False)
        if isinstance(key, str)
    ]


def _find_table_lines(
    lines: list[str], window: Window, name: str, place: int | None
) -> Window | None:
    """Return the lines of the nth `[[name]]` (or of `[name]`) with all its subtables."""
    starts = [n for n in range(*window) if _title(lines[n]) == name]
    nth = place or 0
    if nth >= len(starts):
        return None
    start = starts[nth]
    for n in range(start + 1, window[1]):
        title = _title(lines[n])
        if title and not title.startswith(name + "."):
            return start, n
    return start, window[1]


def _title(line: str) -> str:
    header = _HEADER.match(line)
    return header[1].replace(" ", "") if header else ""


def _inline(lines: list[str], window: Window, steps: list[Step]) -> int:
    """Return the line of `key =`, then of the nth inline table in its list, and so on inwards."""
    part = window
    for nth, (key, place) in enumerate(steps):
        before = r"^\s*" if nth == 0 else r"[\s{,]"
        named = re.compile(rf"{before}\"?{re.escape(key)}\"?\s*=")
        lines_of_key = [n for n in range(*part) if named.search(lines[n])]
        if not lines_of_key:
            return part[0]
        items = _items(lines, (lines_of_key[0], part[1]))
        if place is None or place >= len(items):
            return lines_of_key[0]
        part = items[place]
    return part[0]


def _items(lines: list[str], window: Window) -> list[Window]:
    """Return the lines of each inline table of a list that begins on the window's first line."""
    opened = [n for n in range(window[0] + 1, window[1]) if lines[n].lstrip().startswith("{")]
    if not opened:
        return []
    depth = _indent(lines[opened[0]])
    ends = (n for n in range(opened[0], window[1]) if _indent(lines[n]) < depth)
    last = next(ends, window[1])
    starts = [n for n in opened if n < last and _indent(lines[n]) == depth]
    return list(zip(starts, [*starts[1:], last], strict=True))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 10_000


_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_UNSEEN = r"\u200b\u2028-\u202e\u2060-\u2069\ufeff"
"""Characters that take no room, break a line or change the direction of writing.

The joiners that Arabic and Persian need are not among them.
"""
VISIBLE = f"^[^{_CONTROLS}{_UNSEEN}]*$"
"""The pattern of text whose characters are all visible; tabs and line ends are allowed."""
# Lone surrogates too: they cannot be encoded as UTF-8.
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
    (r"Expected `str` of length <= (?P<most>\d+)", "{part} must have at most {most} characters"),
    (r"Object missing required field `(?P<field>[^`]+)`", "`{field}` is missing"),
    (r"Object contains unknown field `(?P<field>[^`]+)`", "`{field}` is not known here"),
    (r"Invalid (enum )?value '?(?P<value>.*?)'?$", "'{value}' is not known as {part}"),
)

_REMEDIES = (
    "correct it",
    "raise it",
    "lower it",
    "add what is missing",
    "shorten it",
    "add it",
    "remove it or correct its spelling",
    "correct its spelling",
)


def hidden_characters_in(text: str) -> str:
    """Return the first control or invisible character of the text, as `U+202E`, or ""."""
    match = _HIDDEN.search(text)
    return f"U+{ord(match[0]):04X}" if match else ""


def describe_error(message: str, where: str, words: Sequence[str]) -> tuple[str, str]:
    """Return reason and remedy of a msgspec error at `where`;

    `words` are the values allowed there.
    """
    part = _part(where)
    for (pattern, reason), remedy in zip(_MESSAGES, _REMEDIES, strict=True):
        match = re.match(pattern, message)
        if match:
            parts = {name: _plain(text) for name, text in match.groupdict().items()}
            use = f"use one of {', '.join(words)}" if words else remedy
            return reason.format(part=part, **parts), use
    return f"{part}: {message}", _REMEDIES[0]


def _part(where: str) -> str:
    keys = re.findall(r"\.([\w-]+)", where)
    return f"`{keys[-1]}`" if keys else "the file"


def _plain(types: str) -> str:
    return " or ".join(_TYPES.get(word, word) for word in types.split(" | "))


def words_allowed(kind: Any, steps: Sequence[str | int], value: Any) -> list[str]:
    """Return the allowed values of the field that the steps lead to, if they are a closed set."""
    return _words(inspect.type_info(kind), list(steps), value)


def _words(info: inspect.Type, steps: list[str | int], value: Any) -> list[str]:
    if isinstance(info, inspect.Metadata):
        return _words(info.type, steps, value)
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
    lists = [words for kind in info.types if (words := _words(kind, steps, value))]
    return lists[0] if lists else []


_AT_KEY = re.compile(r" - at `key` in `\$")
"""The part of a msgspec message that says a key, not its value, is wrong."""
MOST_WRONG = 100
"""The most wrong parts that are noted: beyond them nobody reads on."""


class WrongPart(NamedTuple):
    """A part of a document that does not fit: its path, what is wrong, and what to do."""

    where: str
    reason: str
    remedy: str

    @property
    def sentence(self) -> str:
        """Return what is wrong and what to do."""
        text = f"{self.reason}; {self.remedy}."
        return text[:1].upper() + text[1:]


class PartialReader:
    """One reading of a document: `wrong` lists the parts that did not fit and were left out.

    A list without its wrong items is shorter; `original()` gives the path of an item in the
    document for its path in what was read.
    """

    def __init__(self) -> None:
        self.wrong: list[WrongPart] = []
        self._kept: dict[str, list[int]] = {}

    def read(self, value: object, kind: Any, at: str = "$") -> Any:
        """Return the value as that type, without the parts that do not fit; UNSET if none does."""
        try:
            return convert_to(value, kind, str_keys=True)
        except msgspec.ValidationError as error:
            before = len(self.wrong)
            if before >= MOST_WRONG:
                return UNSET
            result = self._read_parts(value, shape_of(kind, value), at)
            if len(self.wrong) == before:  # the fault is that of the whole, not of a part
                self._note(error, kind, value, at)
                return UNSET
            return result

    def original(self, where: str) -> str:
        """Return the path in the document of a part that was read."""
        path = "$"
        for step in steps_of(where):
            if isinstance(step, int):
                kept = self._kept.get(path)
                path += f"[{kept[step] if kept and step < len(kept) else step}]"
            else:
                path += f".{step}"
        return path

    def _read_parts(self, value: object, shape: Any, at: str) -> Any:
        if isinstance(value, dict) and _config(shape) is not None:
            return self._read_struct(value, shape, at)
        if isinstance(value, list) and get_origin(shape) is tuple:
            (item, *_) = get_args(shape)
            read = [self.read(element, item, f"{at}[{n}]") for n, element in enumerate(value)]
            self._kept[at] = [n for n, part in enumerate(read) if part is not UNSET]
            return tuple(part for part in read if part is not UNSET) or UNSET
        if isinstance(value, dict) and get_origin(shape) is dict:
            return self._read_dict(value, shape, at)
        return UNSET

    def _read_dict(self, value: dict[str, Any], shape: Any, at: str) -> dict[Any, Any]:
        result: dict[Any, Any] = {}
        for name, item in value.items():
            try:
                result |= convert_to({name: item}, shape, str_keys=True)
            except msgspec.ValidationError as error:
                before = len(self.wrong)
                self.read(item, get_args(shape)[1], f"{at}.{name}")
                if len(self.wrong) == before:
                    self._note(error, shape, {name: item}, at)
        return result

    def _read_struct(self, value: dict[str, Any], shape: Any, at: str) -> Any:
        """Return the struct, or UNSET if it lacks a part; the whole document is never UNSET."""
        fields = {field.encode_name: field for field in structs.fields(shape)}
        self._note_unknown(value, fields, shape, at)
        values: dict[str, Any] = {}
        for name in dict.fromkeys((*value, *fields)):
            field = fields.get(name)
            if field is None:
                continue
            if name in value:
                values[field.name] = self.read(value[name], field.type, f"{at}.{name}")
            elif field.required:
                self._add(f"{at}.{name}", f"`{name}` is missing", "add it")
                values[field.name] = UNSET
            if values.get(field.name) is UNSET and get_origin(shape_of(field.type, None)) is tuple:
                values[field.name] = ()  # what else is wrong with the struct can still be found
            elif not field.required and values.get(field.name) is UNSET:
                del values[field.name]
        if at == "$":
            kinds = {field.name: field.type for field in fields.values()}
            values = {name: _nothing(kinds[name], item) for name, item in values.items()}
        elif UNSET in values.values():
            return UNSET
        try:
            return shape(**values)
        except (TypeError, ValueError):
            return UNSET

    def _note_unknown(
        self, value: dict[str, Any], fields: dict[str, Any], shape: Any, at: str
    ) -> None:
        config = _config(shape)
        for name in value:
            if name not in {*fields, config.tag_field} and config.forbid_unknown_fields:
                message = f"Object contains unknown field `{name}`"
                self._add(at, *describe_error(message, at, ()))

    def _note(self, error: Exception, kind: Any, value: object, at: str) -> None:
        message, _, place = _AT_KEY.sub(" - at `$", str(error)).partition(" - at `$")
        inner = place.rstrip("`")
        words = words_allowed(kind, steps_of(inner), value)
        self._add(at + inner, *describe_error(message, at + inner, words))

    def _add(self, where: str, reason: str, remedy: str) -> None:
        if len(self.wrong) < MOST_WRONG:
            self.wrong.append(WrongPart(where, reason, remedy))


def _nothing(kind: Any, read: Any) -> Any:
    """Return what was read, or for what the whole lacks an empty value of its kind."""
    if read is not UNSET:
        return read
    shape = shape_of(kind, None)
    return () if get_origin(shape) is tuple else "" if shape is str else None


def _config(shape: Any) -> Any:
    """Return the configuration of a struct, generic or not; None of another type."""
    return getattr(get_origin(shape) or shape, "__struct_config__", None)


def shape_of(kind: Any, value: object) -> Any:
    """Return the type without its annotations; of a union the member that the value names."""
    if get_origin(kind) is Annotated:
        return shape_of(get_args(kind)[0], value)
    members = list(_members(kind))
    if len(members) == 1:
        return kind if members[0] is kind else shape_of(members[0], value)
    for member in members:
        config = _config(member)
        if config and isinstance(value, dict) and value.get(config.tag_field) == config.tag:
            return member
    return kind


def _members(kind: Any) -> Iterator[Any]:
    """Yield the members of a union, but for None and UNSET; of any other type itself."""
    if get_origin(kind) in {Union, UnionType}:
        yield from (one for one in get_args(kind) if one not in (type(None), UnsetType))
    else:
        yield kind
