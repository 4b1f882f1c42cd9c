"""Read the bodies of requests: unknown fields are errors, and all errors are reported at once."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Self

import msgspec
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from msgspec import structs
from rest_framework import serializers
from rest_framework.request import Request

from api.http.problems import Problem, invalid
from battles.core.decoding import convert_to
from campaign.rules.core.pieces import month_from_text, month_slug

_OFF_LIST = re.compile(
    r"^Invalid (?:enum )?value .*?(?:- at `\$(?:.*?\.(\w+))?(?:\[[^\]]*\])*`)?$", re.DOTALL
)
"""The message of msgspec for a word outside an enumeration, with its last field."""


def describe_allowed_words(struct: Any, fault: str) -> str:
    """Return a sentence with the words allowed where the fault is, or nothing."""
    place = _OFF_LIST.search(fault)
    words = _lists(struct).get(place[1] or "", ()) if place else ()
    return f" Known here: {', '.join(words)}." if words else ""


@cache
def _lists(struct: Any) -> dict[str, tuple[str, ...]]:
    """Return, by field name, the words of every enumerated field of the type and its parts.

    A name that several parts share has the words of all of them.
    """
    (about,), parts = msgspec.json.schema_components([struct])
    found: dict[str, dict[str, None]] = defaultdict(dict)
    _gather("", about, parts, found)
    for part in parts.values():
        _gather("", part, parts, found)
    return {name: tuple(words) for name, words in found.items()}


def _gather(
    name: str, about: Any, parts: dict[str, Any], found: dict[str, dict[str, None]]
) -> None:
    """Add the enumerated words of a field and of its parts to `found`."""
    referred = parts.get(about.get("$ref", "").rpartition("/")[2], {})
    for word in (*about.get("enum", ()), *referred.get("enum", ())):
        if isinstance(word, str):
            found[name][word] = None
    for word in about.get("discriminator", {}).get("mapping", {}):
        found[about["discriminator"]["propertyName"]][word] = None
    for within in (*about.get("anyOf", ()), *_held(about)):
        _gather(name, within, parts, found)
    for key, value in about.get("properties", {}).items():
        _gather(key, value, parts, found)


def _held(about: Any) -> list[Any]:
    """Return the schemas of a list's items, whether of fixed or of any length."""
    items = about.get("items")
    return [*about.get("prefixItems", ()), *([items] if isinstance(items, dict) else [])]


class Input(serializers.Serializer):
    """A body that rejects unknown fields, so that a misspelt field is not ignored."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """Return the validated fields of the request's body.

        Raises ValidationError, which names every wrong field.
        """
        body: Self = cls(data=request.data)
        body.is_valid(raise_exception=True)
        return dict(body.validated_data)

    def to_internal_value(self, data: Any) -> Any:
        errors = self._unknown(data) if isinstance(data, dict) else {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError({**error.detail, **errors}) from error
        if errors:
            raise serializers.ValidationError(errors)
        return values

    def _unknown(self, data: dict[str, Any]) -> dict[str, list[str]]:
        known = ", ".join(self.fields) or "none"
        return {
            name: [f"No such field; known here: {known}."]
            for name in data
            if name not in self.fields
        }


class WholeNumber(serializers.IntegerField):
    """An integer as JSON writes it: neither digits in a string nor a fraction."""

    def to_internal_value(self, data: object) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StructField(serializers.Field):
    """A field that is a msgspec type; its errors are msgspec's messages.

    Unknown fields in any of its parts are errors, as they are in the body itself.
    """

    def __init__(self, struct: Any, **options: Any) -> None:
        super().__init__(**options)
        self.struct = struct

    def to_internal_value(self, data: object) -> Any:
        try:
            found = convert_to(data, self.struct, str_keys=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise serializers.ValidationError(
                f"{error}.{describe_allowed_words(self.struct, str(error))}"
            ) from error
        if unknown := [*not_known(data, found)]:
            raise serializers.ValidationError(unknown)
        return found

    def to_representation(self, value: object) -> object:
        return msgspec.to_builtins(value, str_keys=True)


class MonthField(serializers.CharField):
    """A month written as `1884-02`."""

    def to_internal_value(self, data: object) -> int:
        text = super().to_internal_value(data)
        try:
            month = month_from_text(text)
        except ValueError:
            month = None
        if month is None or month_slug(month) != text:
            raise serializers.ValidationError(f"{text!r} is no month: write it like 1884-02.")
        return month


class ReasonInput(Input):
    """The reason for an action, shown to everyone who can see the campaign."""

    reason = serializers.CharField(max_length=300)


class Empty(Input):
    """An empty body."""


def not_known(given: object, found: object, at: str = "$") -> Iterator[str]:
    """Yield an error for each given field that the type lacks: its path and the known fields.

    msgspec ignores unknown fields, so a misspelt optional field would otherwise go unnoticed.
    """
    if isinstance(found, msgspec.Struct):
        yield from _not_of(given, found, at)
    elif isinstance(given, list) and isinstance(found, (list, tuple)):
        for number, (part, made) in enumerate(zip(given, found, strict=False)):
            yield from not_known(part, made, f"{at}[{number}]")
    elif isinstance(given, dict) and isinstance(found, dict):
        for key, part, made in zip(given, given.values(), found.values(), strict=False):
            yield from not_known(part, made, f"{at}.{key}")


@cache
def _names(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return the fields of a type as (name in JSON, name in Python); cached, as it is slow."""
    return tuple((one.encode_name, one.name) for one in structs.fields(kind))


def _not_of(given: Any, found: msgspec.Struct, at: str) -> Iterator[str]:
    """Yield the same for a struct, whether it is written as an object or as a list."""
    fields = {sent: getattr(found, name) for sent, name in _names(type(found))}
    tag = found.__struct_config__.tag_field
    if isinstance(given, dict):
        for name in given.keys() - fields.keys() - {tag}:
            yield f"No such field - at `{at}.{name}`; known here: {', '.join(fields) or 'none'}."
        for name in given.keys() & fields.keys():
            yield from not_known(given[name], fields[name], f"{at}.{name}")
    elif len(given) > (most := len(fields) + (tag is not None)):
        yield f"No more than {most} are known - at `{at}`."


def wrong_in(form: BaseForm, names: Mapping[str, str] = {}) -> Problem:
    """Return the problem `invalid` for a form of a page; `names` maps its fields to the API's."""
    called = {NON_FIELD_ERRORS: "body", **names}
    return invalid(
        **{called.get(name, name): " ".join(map(str, said)) for name, said in form.errors.items()}
    )
