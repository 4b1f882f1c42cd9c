"""Encode answers as JSON, and read the bodies of requests strictly, each error by its place."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache
from math import isfinite
from typing import Annotated, Any, BinaryIO, Self, get_args

import msgspec
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.core.validators import validate_email
from django.forms import BaseForm
from django.utils.functional import Promise
from msgspec import NODEFAULT, UNSET, Meta, structs
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from api.http.problems import InvalidField, Problem, invalid, invalid_fields, unfit
from api.http.rule_json import HEX_PATTERN, RuleForm, rule_form
from battles.core.decoding import convert_to
from campaign.rules.map import MapError, map_in_play

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


def _describe_fault(body: bytes, error: Exception) -> str:
    """Return in a sentence why a body cannot be decoded, in words of JSON and not of a codec."""
    if isinstance(error, RecursionError):
        return "The body is nested too deeply."
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


# Read the bodies of requests strictly: every error is named by its place, with what is expected.
#
# A body is a struct. Its fields are typed as in the rules and are read in their JSON form (see
# `rule_json`): the schema shown to clients and the check of what they send are one declaration.


_PLACE = re.compile(r" - at `(?:key in )?\$(.*?)`$", re.DOTALL)
_NO_HEX = f"Expected `str` matching regex '{HEX_PATTERN}'"
_QUOTED = re.compile("'(.*)'", re.DOTALL)
LENGTH_OF_HEX = 4
LONGEST_NAME = 60
"""The characters of a text that are compared with the names of places."""
_UNKNOWN = re.compile(r"^Object contains unknown field `(.*)`$", re.DOTALL)
_MISSING = re.compile(r"^Object missing required field `(.*)`$")
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
    "datetime": "a time such as 2026-01-31T18:00:00Z",
    "uuid": "a UUID",
}
"""The kinds of JSON values as msgspec names them, in words."""


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


EmailAddress = Annotated[
    str,
    Meta(
        max_length=254,
        pattern="^[^@\\s\\x00]+@[^@\\s\\x00]+$",
        extra_json_schema={"format": "email"},
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

    Raises the problem `invalid`, with every wrong field of a body and the first error within each.
    """
    return read_form(rule_form(kind), data)


def read_form(form: RuleForm, data: object, pointer: str = "") -> Any:
    """Return the value that JSON data holds in this form; `pointer` is its place in the body.

    Raises the problem `invalid`.
    """
    try:
        return form.decode(data)
    except (msgspec.ValidationError, RecursionError) as error:
        errors = _errors(form, data, error)
        placed = (
            field_error._replace(pointer=pointer + field_error.pointer) for field_error in errors
        )
        raise invalid_fields(placed) from error


def _errors(form: RuleForm, data: object, error: Exception) -> list[InvalidField]:
    """Return the errors of every field, or the only error if the data is not a struct."""
    shape = _member(form.type, data)
    if not (isinstance(data, dict) and isinstance(shape, type)):
        return [_error(shape, "", str(error), data)]
    fields = {field.encode_name: field for field in structs.fields(shape)}
    errors = [*_unknown(data, fields, shape)]
    for name, field in fields.items():
        if name in data:
            try:
                convert_to(data[name], field.type, str_keys=True)
            except (msgspec.ValidationError, RecursionError) as wrong:
                errors.append(_error(field.type, f"/{name}", str(wrong), data[name]))
        elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
            errors.append(InvalidField(f"/{name}", "This field is required."))
    return errors or [_error(shape, "", str(error), data)]


def _member(shape: Any, data: object) -> Any:
    """Return the member of a union that the data's tag names; any other type unchanged."""
    tag = data.get("type") if isinstance(data, dict) else None
    members = (member for member in get_args(shape) if hasattr(member, "__struct_config__"))
    return next((member for member in members if member.__struct_config__.tag == tag), shape)


def _unknown(data: dict[str, Any], fields: dict[str, Any], shape: Any) -> Iterator[InvalidField]:
    field_names = ", ".join(fields) or "none"
    tag = shape.__struct_config__.tag_field
    for name in data.keys() - fields.keys() - {tag}:
        yield InvalidField(f"/{escape(name)}", f"No such field; known here: {field_names}.")


def escape(name: str) -> str:
    """Return the name as a part of a JSON Pointer (RFC 6901)."""
    return name.replace("~", "~0").replace("/", "~1")


def _error(kind: Any, pointer: str, message: str, data: object) -> InvalidField:
    """Convert a message of msgspec to the place of the error in the data and a sentence."""
    place = _PLACE.search(message)
    inner = ""
    if place:
        inner = re.sub(r"\[(\d+)\]", r"/\1", place[1].replace(".", "/").replace("[...]", ""))
    pointer += inner
    sentence = message[: place.start()] if place else message
    if match := _UNKNOWN.match(sentence):
        return InvalidField(f"{pointer}/{escape(match[1])}", "No such field.")
    if match := _MISSING.match(sentence):
        return InvalidField(f"{pointer}/{match[1]}", "This field is required.")
    if sentence == _NO_HEX and isinstance(text := value_at(data, inner), str):
        return InvalidField(pointer, _describe_no_hex(text))
    sentence = re.sub("`([a-z|? ]+)`", _in_words, sentence)
    return InvalidField(pointer, f"{sentence}.{_allowed_words(kind, sentence, pointer)}")


def _in_words(types: re.Match[str]) -> str:
    return " or ".join(_WORDS.get(name, name) for name in types[1].split(" | "))


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


def _allowed_words(kind: Any, message: str, pointer: str) -> str:
    """Return a sentence with the words allowed at the place of the error, or nothing."""
    if not message.startswith(("Invalid enum value", "Invalid value")):
        return ""
    name = next(
        (part for part in reversed(pointer.split("/")) if part and not part.isdecimal()), ""
    )
    lists = _word_lists(kind)
    words = lists.get(name) or lists.get("", ())
    written = _QUOTED.search(message)
    near = did_you_mean(written[1], words) if written else ""
    return f"{near} Known here: {', '.join(words)}." if words else ""


def did_you_mean(written: str, words: Iterable[str]) -> str:
    """Return a question, after a space, with the word that is most like what was written."""
    near = get_close_matches(written[:LONGEST_NAME], words, n=1)
    return f" Did you mean {near[0]}?" if near else ""


@cache
def _word_lists(kind: Any) -> dict[str, tuple[str, ...]]:
    """Return, by field name, the words of every enumerated field of the type and its parts.

    A name that several parts share has the words of all of them; the type's own are under "".
    """
    (schema,), parts = msgspec.json.schema_components([kind])
    word_lists: dict[str, dict[str, None]] = defaultdict(dict)
    _gather("", schema, parts, word_lists)
    for part in parts.values():
        _gather("", part, parts, word_lists)
    return {name: tuple(words) for name, words in word_lists.items()}


def _gather(name: str, schema: Any, parts: dict[str, Any], word_lists: dict[str, Any]) -> None:
    """Add the enumerated words of a field and of its parts to `word_lists`."""
    referred = parts.get(schema.get("$ref", "").rpartition("/")[2], {})
    for word in (*schema.get("enum", ()), *referred.get("enum", ())):
        if isinstance(word, str | int):
            word_lists[name][str(word)] = None
    for word in schema.get("discriminator", {}).get("mapping", {}):
        word_lists[schema["discriminator"]["propertyName"]][word] = None
    items = schema.get("items")
    inner = [*schema.get("prefixItems", ()), *([items] if isinstance(items, dict) else [])]
    for part in (*schema.get("anyOf", ()), *inner):
        _gather(name, part, parts, word_lists)
    for key, value in schema.get("properties", {}).items():
        _gather(key, value, parts, word_lists)


def wrong_in(form: BaseForm, names: Mapping[str, str] = {}) -> Problem:
    """Return the problem `unfit` for a form of a page; `names` maps its fields to the body's."""
    called = {NON_FIELD_ERRORS: "body", **names}
    return unfit(
        **{called.get(name, name): " ".join(map(str, texts)) for name, texts in form.errors.items()}
    )
