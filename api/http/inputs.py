"""Read the bodies of requests: unknown fields are errors, and all errors are reported at once."""

from collections.abc import Mapping
from typing import Any, Self

import msgspec
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm
from rest_framework import serializers
from rest_framework.request import Request

from api.http.bodies import read_as
from api.http.problems import Problem, invalid
from campaign.rules.core.pieces import month_from_text, month_slug


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
    """A field that is a type of the rules, in its JSON form."""

    def __init__(self, struct: Any, **options: Any) -> None:
        super().__init__(**options)
        self.struct = struct

    def to_internal_value(self, data: object) -> Any:
        try:
            return read_as(self.struct, data)
        except Problem as problem:
            for error in problem.members["errors"]:
                error["pointer"] = f"/{self.field_name}{error['pointer']}"
            raise

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


def wrong_in(form: BaseForm, names: Mapping[str, str] = {}) -> Problem:
    """Return the problem `invalid` for a form of a page; `names` maps its fields to the API's."""
    called = {NON_FIELD_ERRORS: "body", **names}
    return invalid(
        **{called.get(name, name): " ".join(map(str, said)) for name, said in form.errors.items()}
    )
