"""Encode answers as JSON, and read the bodies of requests strictly, each error by its place."""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Annotated, Any, BinaryIO, Self

import msgspec
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import validate_email
from django.forms import BaseForm
from django.utils.functional import Promise
from msgspec import UNSET, Meta
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.http.field_errors import find_errors
from api.http.problems import InvalidField, Problem, invalid, invalid_fields, unfit
from api.http.rule_json import RuleForm, rule_form

# Encode answers as JSON and decode the bodies of requests strictly.
#
# Answers are msgspec structs or plain values.


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


TOO_DEEP = "The body is nested too deeply: no field takes so many lists or objects in each other."


def _describe_fault(body: bytes, error: Exception) -> str:
    """Return in a sentence why a body cannot be decoded, in words of JSON and not of a codec."""
    if isinstance(error, RecursionError):
        return TOO_DEEP
    try:
        text = body.decode()
    except UnicodeDecodeError as decode_error:
        return f"The body is not UTF-8: see byte {decode_error.start}."
    message = str(error)
    if "out of range" in message:
        return "The body has a number that is too large."
    if "surrogate" in message or ("truncated" in message and _is_json(text)):
        return "The body has half of a surrogate pair, which is not a character."
    if "truncated" in message:
        return "The body is not JSON: it ends too early."
    return f"The body is not JSON: {message.removeprefix('JSON is malformed: ')}."


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# Read the bodies of requests strictly: every error is named by its place (see `field_errors`).
#
# A body is a struct. Its fields are typed as in the rules and are read in their JSON form (see
# `rule_json`): the schema shown to clients and the check of what they send are one declaration.


class RequestBody(msgspec.Struct, frozen=True, kw_only=True):
    """The body of a request: unknown fields are errors, and every wrong field is named.

    A field that may be left out has a default; `UNSET` tells one that was left out from null. A
    subclass checks how its fields fit together in `__post_init__`, and raises `unfit`.
    """

    @classmethod
    def read(cls, request: Request) -> Self:
        """Return the body of the request. Raises the problem `invalid`.

        A PUT without a body would empty what it replaces, so it is refused; other methods read a
        missing body as `{}`.
        """
        if request.method == "PUT" and request.META.get("CONTENT_LENGTH") in {None, "", "0"}:
            raise invalid(body="Send a body: what is left out of it is set to its default.")
        body: Self = read_as(cls, request.data)
        return body

    def given(self) -> dict[str, Any]:
        """Return the fields that were not left out, by name."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in fields.items() if value is not UNSET}


class EmptyBody(RequestBody, frozen=True):
    """An empty body."""


Reason = Annotated[str, Meta(min_length=1, max_length=300, pattern="^[^\\x00]*$")]
"""Why an umpire does something; everyone who sees the campaign can read it."""


Slug = Annotated[
    str,
    Meta(
        pattern="^[-a-zA-Z0-9_]+$",
        max_length=60,
        extra={"in_words": "a slug of at most 60 letters, digits, - and _"},
    ),
]


def _slug_of(kind: str, most: int, path: str) -> Meta:
    """Return the annotation of a slug that must be one of those that an address lists."""
    in_words = f"{kind} by its slug, as GET /api/v1/{path} lists them"
    return Meta(min_length=1, max_length=most, extra={"in_words": in_words})


BookSlug = Annotated[str, _slug_of("a book", 40, "books/")]
CampaignSlug = Annotated[str, _slug_of("a campaign", 60, "campaigns/")]
OfferSlug = Annotated[str, _slug_of("a battle on offer", 60, "battles/offers/")]
ScenarioSlug = Annotated[str, _slug_of("a scenario", 60, "scenarios/")]


EmailAddress = Annotated[
    str,
    Meta(
        max_length=254,
        pattern="^[^@\\s\\x00]+@[^@\\s\\x00]+$",
        extra_json_schema={"format": "email"},
        extra={"in_words": "an e-mail address, such as name@example.org"},
    ),
]


def check_email(address: str) -> None:
    """Raise the problem `invalid` for a text that is no e-mail address."""
    try:
        validate_email(address)
    except ValidationError as error:
        raise invalid(email="That is not an e-mail address.") from error


def read_as(kind: Any, data: object) -> Any:
    """Return the value of the rules' type, or of a body, that JSON data holds.

    Raises the problem `invalid`, with every error in the data.
    """
    return read_form(rule_form(kind), data)


def read_form(form: RuleForm, data: object, pointer: str = "") -> Any:
    """Return the value that JSON data holds in this form; `pointer` is its place in the body.

    Raises the problem `invalid`, with every error in the data.
    """
    try:
        return form.decode(data)
    except (msgspec.ValidationError, RecursionError) as error:
        try:
            errors = find_errors(form.type, data, pointer)
        except RecursionError:
            errors = [InvalidField(pointer, TOO_DEEP)]
        raise invalid_fields(errors or [InvalidField(pointer, f"{error}.")]) from error


def wrong_in(form: BaseForm, names: Mapping[str, str] = {}) -> Problem:
    """Return the problem `unfit` for a form of a page; `names` maps its fields to the body's."""
    called = {NON_FIELD_ERRORS: "body", **names}
    return unfit(
        **{called.get(name, name): " ".join(map(str, texts)) for name, texts in form.errors.items()}
    )
