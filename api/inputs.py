"""Bodies of requests: every field known, every error told at once."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Self

import msgspec
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from msgspec import structs
from rest_framework import serializers
from rest_framework.request import Request

from api.lists import allowed
from api.problems import Problem, invalid
from battles.core.reading import shaped
from campaign.rules.core.pieces import month_from_text, month_slug


class Input(serializers.Serializer):
    """A body whose unknown fields are errors, so that a misspelt one is not passed over."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """The checked fields of the request's body. ValidationError names those that are wrong."""
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
    """A number as JSON has it: neither a text with digits nor a fraction."""

    def to_internal_value(self, data: object) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class StructField(serializers.Field):
    """A part of a body that is a msgspec type: what is wrong in it is said in its words.

    What none of its parts knows is wrong, as it is in the body itself.
    """

    def __init__(self, struct: Any, **options: Any) -> None:
        super().__init__(**options)
        self.struct = struct

    def to_internal_value(self, data: object) -> Any:
        try:
            found = shaped(data, self.struct, str_keys=True)
        except (msgspec.ValidationError, RecursionError) as error:
            raise serializers.ValidationError(
                f"{error}.{allowed(self.struct, str(error))}"
            ) from error
        if unknown := [*not_known(data, found)]:
            raise serializers.ValidationError(unknown)
        return found

    def to_representation(self, value: object) -> object:
        return msgspec.to_builtins(value, str_keys=True)


class MonthField(serializers.CharField):
    """A month written `1884-02`."""

    def to_internal_value(self, data: object) -> int:
        text = super().to_internal_value(data)
        try:
            month = month_from_text(text)
        except ValueError:
            month = None
        if month is None or month_slug(month) != text:
            raise serializers.ValidationError(f"{text!r} is no month: write it like 1884-02.")
        return month


class Reason(Input):
    """Why something is done: everybody who sees the campaign can read it."""

    reason = serializers.CharField(max_length=300)


class Empty(Input):
    """Nothing needs to be said."""


def not_known(given: object, found: object, at: str = "$") -> Iterator[str]:
    """What was given and passed over, as its type has no such field: where, and what it has.

    A misspelt field that may be left out would otherwise go unnoticed.
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
    """The fields of a type, as they are sent and as they are called here: dear to look up."""
    return tuple((one.encode_name, one.name) for one in structs.fields(kind))


def _not_of(given: Any, found: msgspec.Struct, at: str) -> Iterator[str]:
    """The same of a type with fields, or of one that is written as a list."""
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
    """What is wrong in a form of a page, by its fields as they are called here."""
    called = {NON_FIELD_ERRORS: "body", **names}
    return invalid(
        **{called.get(name, name): " ".join(map(str, said)) for name, said in form.errors.items()}
    )
