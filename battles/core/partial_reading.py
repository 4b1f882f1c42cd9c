"""Read a value of builtins as far as it fits a type, and note every part that does not.

msgspec stops at the first error. People who write a document want to see all of them, and the
parts that fit can be checked further.
"""

import re
from collections.abc import Iterator
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, structs

from battles.core.decoding import convert_to
from battles.core.validation_messages import describe_error, steps_of, words_allowed

_AT_KEY = re.compile(r" - at `key` in `\$")
"""The part of a msgspec message that says a key, not its value, is wrong."""
MOST_WRONG = 100
"""The most wrong parts that are noted: beyond them nobody reads on."""


class WrongPart(NamedTuple):
    """A part of a document that does not fit: its path, what is wrong, and what to do."""

    where: str
    reason: str
    remedy: str


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
            found = self._read_parts(value, shape_of(kind, value), at)
            if len(self.wrong) == before:  # the fault is that of the whole, not of a part
                self._note(error, kind, value, at)
                return UNSET
            return found

    def original(self, where: str) -> str:
        """Return the path in the document of a part that was read."""
        found = "$"
        for step in steps_of(where):
            if isinstance(step, int):
                kept = self._kept.get(found)
                found += f"[{kept[step] if kept and step < len(kept) else step}]"
            else:
                found += f".{step}"
        return found

    def _read_parts(self, value: object, shape: Any, at: str) -> Any:
        if isinstance(value, dict) and _config(shape) is not None:
            return self._read_struct(value, shape, at)
        if isinstance(value, list) and get_origin(shape) is tuple:
            (item, *_) = get_args(shape)
            read = [self.read(one, item, f"{at}[{n}]") for n, one in enumerate(value)]
            self._kept[at] = [n for n, one in enumerate(read) if one is not UNSET]
            return tuple(one for one in read if one is not UNSET) or UNSET
        if isinstance(value, dict) and get_origin(shape) is dict:
            return self._read_dict(value, shape, at)
        return UNSET

    def _read_dict(self, value: dict[str, Any], shape: Any, at: str) -> dict[Any, Any]:
        found: dict[Any, Any] = {}
        for name, one in value.items():
            try:
                found |= convert_to({name: one}, shape, str_keys=True)
            except msgspec.ValidationError as error:
                before = len(self.wrong)
                self.read(one, get_args(shape)[1], f"{at}.{name}")
                if len(self.wrong) == before:
                    self._note(error, shape, {name: one}, at)
        return found

    def _read_struct(self, value: dict[str, Any], shape: Any, at: str) -> Any:
        """Return the struct, or UNSET if it lacks a part; the whole document is never UNSET."""
        fields = {one.encode_name: one for one in structs.fields(shape)}
        self._note_unknown(value, fields, shape, at)
        found: dict[str, Any] = {}
        for name in dict.fromkeys((*value, *fields)):
            field = fields.get(name)
            if field is None:
                continue
            if name in value:
                found[field.name] = self.read(value[name], field.type, f"{at}.{name}")
            elif field.required:
                self._add(f"{at}.{name}", f"`{name}` is missing", "add it")
                found[field.name] = UNSET
            if found.get(field.name) is UNSET and get_origin(shape_of(field.type, None)) is tuple:
                found[field.name] = ()  # what else is wrong with the struct can still be found
            elif not field.required and found.get(field.name) is UNSET:
                del found[field.name]
        if at == "$":
            kinds = {one.name: one.type for one in fields.values()}
            found = {name: _nothing(kinds[name], one) for name, one in found.items()}
        elif UNSET in found.values():
            return UNSET
        try:
            return shape(**found)
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
    for one in members:
        config = _config(one)
        if config and isinstance(value, dict) and value.get(config.tag_field) == config.tag:
            return one
    return kind


def _members(kind: Any) -> Iterator[Any]:
    """Yield the members of a union that are not None; of any other type itself."""
    if get_origin(kind) in {Union, UnionType}:
        yield from (one for one in get_args(kind) if one is not type(None))
    else:
        yield kind
