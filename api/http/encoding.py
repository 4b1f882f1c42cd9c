"""Encode answers as JSON and decode the bodies of requests strictly.

Answers are msgspec structs or plain values.
"""

import json
from math import isfinite
from typing import Any, BinaryIO

import msgspec
from django.utils.functional import Promise
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from api.http.problems import Problem

LARGEST_BODY = 64 * 1024
"""The longest body, in bytes; an endpoint overrides it with `largest_body`."""


def encode(content: object) -> bytes:
    """Return the content as JSON in UTF-8."""
    return _encoder.encode(content)


def _as_text(value: object) -> str:
    """Return Django's lazy text as a str, which msgspec cannot encode itself."""
    if isinstance(value, str | Promise):
        return "".join(str(value))
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_encoder = msgspec.json.Encoder(enc_hook=_as_text)


class JSON(BaseRenderer):
    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self, data: object, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return b"" if data is None else encode(data)


class GeoJSON(JSON):
    media_type = "application/geo+json"
    format = "geojson"


class EventStream(JSON):
    """The media type that lets a client ask for a stream; problems are still sent as JSON."""

    media_type = "text/event-stream"
    format = "event-stream"


def _number(text: str) -> int | float:
    """Return a number with a fraction or an exponent; JSON Schema counts 16.0 as an integer."""
    value = float(text)
    if not isfinite(value):
        raise msgspec.ValidationError("Number out of range")
    return int(value) if value.is_integer() and abs(value) < EXACT else value


EXACT = 2**53
"""Beyond this a number with a fraction stands for several integers."""
_DECODER = msgspec.json.Decoder(float_hook=_number)  # noqa: TID251  it learns no type


class StrictJSON(BaseParser):
    """A parser for JSON in UTF-8, up to a maximum length."""

    media_type = "application/json"

    def parse(
        self, stream: BinaryIO, media_type: str | None = None, parser_context: Any = None
    ) -> object:
        most = getattr((parser_context or {}).get("view"), "largest_body", LARGEST_BODY)
        body = stream.read(most + 1)
        if len(body) > most:
            raise Problem("too-large", f"A body may be {most} bytes long, no longer.")
        try:
            return _DECODER.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise ParseError(_describe_fault(body, error)) from error


def _describe_fault(body: bytes, error: Exception) -> str:
    """Return in a sentence why a body cannot be decoded, in words of JSON and not of a codec."""
    if isinstance(error, RecursionError):
        return "The body is nested too deeply."
    try:
        text = body.decode()
    except UnicodeDecodeError as found:
        return f"The body is not UTF-8: see byte {found.start}."
    said = str(error)
    if "out of range" in said:
        return "The body has a number that is too large."
    if "surrogate" in said or ("truncated" in said and _is_json(text)):
        return "The body has half of a surrogate pair, which is not a character."
    if "truncated" in said:
        return "The body is not JSON: it ends too early."
    return f"The body is not JSON: {said.removeprefix('JSON is malformed: ')}."


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
