"""Bodies of requests: every field known, every error told at once."""

from typing import Any, Self

from rest_framework import serializers
from rest_framework.request import Request


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
