"""Read and write typed documents as JSON, and upgrade stored ones to this program's version.

Decoders are built once per type, under a lock. msgspec analyses a type when it is first used, and a
second thread that decodes into it meanwhile crashes the process. A web server lost a worker that
way when its first requests arrived together.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from threading import Lock
from types import UnionType
from typing import Annotated, Any, TypeVar

import msgspec

T = TypeVar("T")
Reader = msgspec.json.Decoder

_readers: dict[Any, Reader[Any]] = {}
_learning = Lock()


def rest_name(name: str) -> msgspec.Meta:
    """Return the annotation of a field whose name in the REST interface is another.

    There a name has one type and one meaning, whatever a rule book calls by the same word.
    """
    return msgspec.Meta(extra={"rest_name": name})


def none_is(number: int) -> msgspec.Meta:
    """Return the annotation of a field in which this number means none, null in REST."""
    return msgspec.Meta(extra={"none": number})


NumberOrNone = Annotated[int, none_is(0)]
"""A number counted from 1, or 0 for none, which the REST interface writes as null."""


def decoder_for(kind: Any) -> Reader[Any]:
    """Return the JSON decoder of a type, built on first use.

    Raises TypeError for a type that cannot be decoded into.
    """
    reader = _readers.get(kind)
    if reader is None:
        with _learning:
            reader = _readers[kind] = Reader(kind)
    return reader


def convert_to(value: object, kind: type[T] | UnionType, *, str_keys: bool = False) -> T:
    """Return a value of builtins (as JSON or TOML give them) as that type.

    `str_keys`: keys of every type are given as text. Raises msgspec.ValidationError.
    """
    decoder_for(kind)
    converted: T = msgspec.convert(value, kind, str_keys=str_keys)
    return converted


S = TypeVar("S")
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

_encoder = msgspec.json.Encoder()


class DocumentError(ValueError):
    """A stored document that this program cannot read; the message says what is wrong and where."""


def encode(value: object) -> bytes:
    """Return a state, action or event as JSON, with fields and keys in their own order."""
    return _encoder.encode(value)


def decode(data: bytes, kind: type[S]) -> S:
    """Return the value of `kind` in `data`. Raises DocumentError, which names the wrong field."""
    try:
        decoded: S = decoder_for(kind).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        name = getattr(kind, "__name__", "document")
        raise DocumentError(f"not a readable {name}: {error}") from error
    return decoded


def digest(data: bytes) -> str:
    """Return the SHA-256 of a document's bytes, in hexadecimal."""
    return sha256(data).hexdigest()


def upgrade(data: bytes, version: int, upgrades: Mapping[int, Upgrade]) -> bytes:
    """Return the document upgraded to `version` step by step; `upgrades[n]` leads from n to n + 1.

    Raises DocumentError for a document without a version, or of one that no upgrade leads from.
    """
    try:
        fields = decoder_for(Any).decode(data)
        stored_version = int(fields["version"])
    except (msgspec.DecodeError, RecursionError, KeyError, TypeError, ValueError) as error:
        raise DocumentError(f"not a state document: {error}") from error
    if stored_version == version:
        return data
    while stored_version < version:
        if stored_version not in upgrades:
            raise DocumentError(f"documents of version {stored_version} cannot be read any more")
        fields = upgrades[stored_version](fields)
        stored_version += 1
    if stored_version > version:
        raise DocumentError(
            f"version {stored_version} is newer than this program’s {version}: update it"
        )
    return encode(fields | {"version": version})
